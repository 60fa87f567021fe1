//! Links from the bench to the lesson: one in the header, and a strip below the pictures that lists its first chapters.

use super::elements::BenchElements;
use crate::text::{Lang, labels};
use crate::web::dom::{El, append, el, set_attr};
use crate::web::page::contents::{Chapter, LIST_ID};

/// Number of chapters that fit in a wide window.
const MAX_CHAPTERS: usize = 4;

pub struct ChapterStrip {
    /// The link in the header.
    pub link: El,
    /// The strip below the pictures.
    pub nav: El,
    chapters: El,
    all: El,
    first: El,
    lang: Lang,
}

impl ChapterStrip {
    pub fn new(lang: Lang) -> ChapterStrip {
        let (link, first) = (to_lesson(lang), to_lesson(lang));
        let (chapters, all) = (el("ol"), el("a").attr("href", &format!("#{LIST_ID}")));
        let nav = el("nav")
            .class("strip")
            .attr("aria-label", labels::LESSON.get(lang))
            .children([&first, &chapters, &all]);
        ChapterStrip {
            link,
            nav,
            chapters,
            all,
            first,
            lang,
        }
    }

    /// Lists the first chapters, once they have been parsed.
    fn list(&self, chapters: &[Chapter]) {
        self.chapters.0.set_text_content(None);
        for chapter in chapters.iter().take(MAX_CHAPTERS) {
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

/// A link to the lesson: to the list of chapters until the first chapter is known.
pub(super) fn to_lesson(lang: Lang) -> El {
    el("a")
        .class("to-lesson")
        .attr("href", &format!("#{LIST_ID}"))
        .text(&format!("{} ↓", labels::LESSON.get(lang)))
}

impl BenchElements {
    /// Lists the first chapters in the strip, and sets the link at the end of the tour.
    pub(super) fn list(&self, chapters: &[Chapter]) {
        self.strip.list(chapters);
        if let Some(first) = chapters.first() {
            self.tour.lead_to(&format!("#{}", first.id));
        }
    }
}
