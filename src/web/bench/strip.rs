//! The way from the bench to the lesson: a link in the header, and a strip below the pictures with its first chapters.

use super::elements::BenchElements;
use crate::text::{Lang, labels};
use crate::web::dom::{El, append, el, set_attr};
use crate::web::page::contents::{Chapter, LIST_ID};

/// As many chapters as a wide window has room for.
const MOST: usize = 4;

pub struct Strip {
    /// In the header.
    pub link: El,
    /// Below the pictures.
    pub nav: El,
    chapters: El,
    all: El,
    first: El,
    lang: Lang,
}

impl Strip {
    pub fn new(lang: Lang) -> Strip {
        let (link, first) = (to_lesson(lang), to_lesson(lang));
        let (chapters, all) = (el("ol"), el("a").attr("href", &format!("#{LIST_ID}")));
        let nav = el("nav")
            .class("strip")
            .attr("aria-label", labels::LESSON.get(lang))
            .children([&first, &chapters, &all]);
        Strip {
            link,
            nav,
            chapters,
            all,
            first,
            lang,
        }
    }

    /// Names the first chapters, once they are there.
    fn list(&self, chapters: &[Chapter]) {
        self.chapters.0.set_text_content(None);
        for chapter in chapters.iter().take(MOST) {
            let href = format!("#{}", chapter.id);
            let link = el("a").attr("href", &href).text(chapter.title(self.lang));
            append(&self.chapters.0, &el("li").child(&link).0);
        }
        if let Some(first) = chapters.first() {
            for link in [&self.link, &self.first] {
                set_attr(&link.0, "href", &format!("#{}", first.id));
            }
            let words = labels::all_chapters(self.lang, chapters.len());
            self.all.clone().text(&words);
        }
    }
}

/// A link to the list of chapters, until it leads to the first of them.
pub(super) fn to_lesson(lang: Lang) -> El {
    el("a")
        .class("to-lesson")
        .attr("href", &format!("#{LIST_ID}"))
        .text(&format!("{} ↓", labels::LESSON.get(lang)))
}

impl BenchElements {
    /// Names the first chapters wherever the bench leads to them.
    pub(super) fn list(&self, chapters: &[Chapter]) {
        self.strip.list(chapters);
        if let Some(first) = chapters.first() {
            self.tour.lead_to(&format!("#{}", first.id));
        }
    }
}
