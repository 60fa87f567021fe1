//! Notices: what was wrong and what is used instead, until dismissed.

use super::dom::{El, Icon, append, el, icon_button};
use crate::lang::Lang;
use crate::settings::{Key, Problem};
use crate::text;
use web_sys::Element;

/// Kept as values, so that a change of language can say them again.
#[derive(Default)]
pub struct Notices {
    problems: Vec<Problem>,
    /// A link to be copied by hand.
    link: Option<String>,
}

impl Notices {
    /// Notes problems; a new one about a setting replaces the old one.
    pub fn add(&mut self, problems: impl IntoIterator<Item = Problem>) {
        for problem in problems {
            self.problems.retain(|old| old.key != problem.key);
            self.problems.push(problem);
        }
    }

    pub fn offer_link(&mut self, link: String) {
        self.link = Some(link);
    }

    /// Dismisses one notice, by the value of its button.
    pub fn dismiss(&mut self, which: &str) {
        match Key::named(which) {
            Some(key) => self.problems.retain(|problem| problem.key != key),
            None => self.link = None,
        }
    }

    pub fn show(&self, list: &Element, lang: Lang) {
        list.set_text_content(None);
        for problem in &self.problems {
            let words = el("span").text(&text::problem(lang, problem));
            append(list, &notice(lang, problem.key.name(), &words).0);
        }
        if let Some(link) = &self.link {
            let words = text::COPY_BY_HAND.get(lang);
            let field = el("input")
                .attr("type", "text")
                .attr("readonly", "")
                .attr("aria-label", words)
                .attr("value", link);
            let both = el("span").children([&el("span").text(words), &field]);
            append(list, &notice(lang, "", &both).0);
        }
    }
}

fn notice(lang: Lang, which: &str, words: &El) -> El {
    let dismiss = icon_button("dismiss", Icon::Cross, text::DISMISS.get(lang)).attr("value", which);
    el("div")
        .class("notice")
        .attr("data-notice", which)
        .children([words, &dismiss])
}
