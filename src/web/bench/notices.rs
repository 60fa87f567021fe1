//! Notices about invalid values and their replacements, in one box, until they are dismissed or resolved.

use crate::field::Diagnostic;
use crate::text::{Lang, labels};
use crate::web::dom::{El, Icon, append, el, icon_button};
use web_sys::{Element, HtmlInputElement};

/// Problems are stored as values, so that they can be rendered in another language.
#[derive(Default)]
pub struct Notices {
    problems: Vec<Diagnostic>,
    /// A link for copying by hand.
    link: Option<String>,
    /// core/figures.wasm, which contains the encoding's table, failed to load.
    pub table_unavailable: bool,
    /// The core was restarted after a failure.
    pub restarted: bool,
    /// The lines that the box shows; `None` to force rendering.
    shown: Option<Vec<String>>,
}

impl Notices {
    /// Adds problems; a new problem of a setting replaces the previous one.
    pub fn add(&mut self, problems: impl IntoIterator<Item = Diagnostic>) {
        for problem in problems {
            self.resolve(problem.name);
            self.problems.push(problem);
        }
    }

    /// Removes the problem of a setting that has a valid value again.
    pub fn resolve(&mut self, name: &str) {
        Diagnostic::remove(&mut self.problems, name);
    }

    pub fn offer_link(&mut self, link: String) {
        self.link = Some(link);
        // Forces rendering, which selects the text again.
        self.shown = None;
    }

    /// Dismisses all notices; returns the setting of the first problem, which is to be focused.
    pub fn dismiss(&mut self) -> Option<&'static str> {
        self.link = None;
        self.restarted = false;
        self.table_unavailable = false;
        let first = self.problems.first().map(|problem| problem.name);
        self.problems.clear();
        first
    }

    fn lines(&self, lang: Lang) -> Vec<String> {
        let general = [
            (self.restarted, labels::RESTARTED),
            (self.table_unavailable, labels::ENCODING_NOT_LOADED),
        ];
        let general = general.into_iter().filter(|(applies, _)| *applies);
        let general = general.map(|(_, words)| words.get(lang).to_string());
        let problems = self.problems.iter().map(|problem| problem.words(lang));
        general.chain(problems).collect()
    }

    /// Renders the notices. An unchanged box is not rendered again and keeps the focus.
    pub fn show(&mut self, place: &Element, lang: Lang) {
        let lines = self.lines(lang);
        let is_empty = lines.is_empty() && self.link.is_none();
        let is_up_to_date = is_empty != place.has_child_nodes();
        if is_up_to_date && self.shown.as_ref() == Some(&lines) {
            return;
        }
        place.set_text_content(None);
        let list = el("div").class("lines");
        for line in &lines {
            list.clone().child(&el("p").text(line));
        }
        self.shown = Some(lines);
        if is_empty {
            return;
        }
        let field = self.link.as_ref().map(|link| link_field(lang, link));
        if let Some(field) = &field {
            let label = el("label")
                .text(labels::COPY_BY_HAND.get(lang))
                .child(field);
            list.clone().child(&label);
        }
        let dismiss = icon_button("dismiss", Icon::Cross, labels::DISMISS.get(lang));
        let notice = el("div")
            .class("notice")
            .attr("data-notice", "")
            .children([&list, &dismiss]);
        append(place, &notice.0);
        if let Some(field) = field {
            let field: HtmlInputElement = field.cast();
            // If the page may not take the focus, the link is still shown.
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
