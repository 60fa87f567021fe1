//! Notices: what was wrong and what is used instead, in one box, until dismissed or put right.

use crate::field::Problem;
use crate::text::{Lang, labels};
use crate::web::dom::{El, Icon, append, el, icon_button};
use web_sys::{Element, HtmlInputElement};

/// Kept as values, so that a change of language can say them again.
#[derive(Default)]
pub struct Notices {
    problems: Vec<Problem>,
    /// A link to be copied by hand.
    link: Option<String>,
    /// A table that comes with the second file of the core could not be had.
    pub lacking: bool,
    /// Something failed, and all has been started again.
    pub restarted: bool,
    /// The lines in the box, unless it is to be written anew.
    shown: Option<Vec<String>>,
}

impl Notices {
    /// Notes problems; a new one about a setting replaces the old one.
    pub fn add(&mut self, problems: impl IntoIterator<Item = Problem>) {
        for problem in problems {
            self.resolve(problem.name);
            self.problems.push(problem);
        }
    }

    /// A setting has a good value again; true if there was a notice about it.
    pub fn resolve(&mut self, name: &str) -> bool {
        let before = self.problems.len();
        self.problems.retain(|problem| problem.name != name);
        self.problems.len() < before
    }

    pub fn offer_link(&mut self, link: String) {
        self.link = Some(link);
        // It is selected each time.
        self.shown = None;
    }

    /// Dismisses everything; the setting that was spoken of first.
    pub fn dismiss(&mut self) -> Option<&'static str> {
        self.link = None;
        self.restarted = false;
        self.lacking = false;
        let first = self.problems.first().map(|problem| problem.name);
        self.problems.clear();
        first
    }

    fn lines(&self, lang: Lang) -> Vec<String> {
        let general = [
            (self.restarted, labels::RESTARTED),
            (self.lacking, labels::TABLE_NOT_LOADED),
        ];
        let general = general.into_iter().filter(|(said, _)| *said);
        let general = general.map(|(_, words)| words.get(lang).to_string());
        let problems = self.problems.iter().map(|problem| problem.words(lang));
        general.chain(problems).collect()
    }

    /// A box that says the same as before stays as it is, and keeps the focus.
    pub fn show(&mut self, place: &Element, lang: Lang) {
        let said = self.lines(lang);
        let is_empty = said.is_empty() && self.link.is_none();
        let is_there = is_empty != place.has_child_nodes();
        if is_there && self.shown.as_ref() == Some(&said) {
            return;
        }
        place.set_text_content(None);
        let lines = el("div").class("lines");
        for line in &said {
            lines.clone().child(&el("p").text(line));
        }
        self.shown = Some(said);
        if is_empty {
            return;
        }
        let field = self.link.as_ref().map(|link| link_field(lang, link));
        if let Some(field) = &field {
            let label = el("label")
                .text(labels::COPY_BY_HAND.get(lang))
                .child(field);
            lines.clone().child(&label);
        }
        let dismiss = icon_button("dismiss", Icon::Cross, labels::DISMISS.get(lang));
        let notice = el("div")
            .class("notice")
            .attr("data-notice", "")
            .children([&lines, &dismiss]);
        append(place, &notice.0);
        if let Some(field) = field {
            let field: HtmlInputElement = field.cast();
            // A page that may not take the focus still shows the link.
            let _ = field.focus();
            field.select();
        }
    }
}

fn link_field(lang: Lang, link: &str) -> El {
    el("input")
        .attr("type", "text")
        .attr("readonly", "")
        .attr("aria-label", labels::COPY_BY_HAND.get(lang))
        .attr("value", link)
}
