//! The contents of a figure's notice.

use crate::field::Diagnostic;
use crate::text::{Lang, labels};

#[derive(Default)]
pub struct Notices {
    /// Those that are shown.
    problems: Vec<Diagnostic>,
    /// Problems of attributes that are not fields, dismissed or not.
    of_attributes: Vec<Diagnostic>,
    /// The core was restarted after a failure.
    restarted: bool,
    /// No 2D canvas context is available.
    no_canvas: bool,
}

impl Notices {
    /// Replaces the problem of the field with this name.
    pub fn set(&mut self, name: &str, problem: Option<Diagnostic>) {
        self.problems.retain(|known| known.name != name);
        self.problems.extend(problem);
    }

    /// Removes the problems of fields, before these are set again.
    pub fn forget_fields(&mut self) {
        let of_attributes = &self.of_attributes;
        self.problems
            .retain(|problem| of_attributes.contains(problem));
    }

    /// Replaces the problems of attributes that are not fields, and returns those that are new. The others are not added
    /// again, since the reader may have dismissed them.
    pub fn set_of_attributes(&mut self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let known = std::mem::replace(&mut self.of_attributes, found);
        let found = &self.of_attributes;
        self.problems
            .retain(|problem| !known.contains(problem) || found.contains(problem));
        let news = found.iter().filter(|problem| !known.contains(problem));
        let news: Vec<_> = news.cloned().collect();
        self.problems.extend(news.iter().cloned());
        news
    }

    pub fn set_restarted(&mut self) {
        self.restarted = true;
    }

    pub fn set_canvas(&mut self, is_available: bool) {
        self.no_canvas = !is_available;
    }

    pub fn dismiss(&mut self) {
        *self = Notices {
            of_attributes: std::mem::take(&mut self.of_attributes),
            ..Notices::default()
        };
    }

    /// The text of the notice; empty if there is nothing to say. `has_picture` is false for a figure that needs no canvas.
    pub fn text(&self, lang: Lang, has_picture: bool) -> String {
        let of_page = [
            (self.restarted, labels::RESTARTED),
            (self.no_canvas && has_picture, labels::NO_CANVAS),
        ];
        let of_page = of_page.iter().filter(|(is, _)| *is);
        let of_page = of_page.map(|(_, text)| text.get(lang).to_string());
        let problems = self.problems.iter().map(|problem| problem.words(lang));
        of_page.chain(problems).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::DiagnosticKind;

    fn problem(name: &'static str, input: &str) -> Diagnostic {
        Diagnostic::new(name, DiagnosticKind::NotANumber, input, "1".into())
    }

    #[test]
    fn what_is_dismissed_does_not_come_back_by_itself() {
        let mut notices = Notices::default();
        let misspelt = problem("enlarge", "x");
        let news = notices.set_of_attributes(vec![misspelt.clone()]);
        assert_eq!(news, std::slice::from_ref(&misspelt));
        notices.set("k", Some(problem("k", "y")));
        notices.forget_fields();
        let words = misspelt.words(Lang::En);
        assert_eq!(notices.text(Lang::En, true), words);
        notices.dismiss();
        assert!(notices.set_of_attributes(vec![misspelt.clone()]).is_empty());
        assert_eq!(notices.text(Lang::En, true), "");
        // Corrected, and wrong again.
        notices.set_of_attributes(Vec::new());
        assert_eq!(notices.set_of_attributes(vec![misspelt]).len(), 1);
        assert_eq!(notices.text(Lang::En, true), words);
    }

    #[test]
    fn a_missing_canvas_is_mentioned_where_there_is_a_picture() {
        let mut notices = Notices::default();
        notices.set_canvas(false);
        assert_eq!(notices.text(Lang::En, false), "");
        notices.set_restarted();
        let both = [labels::RESTARTED, labels::NO_CANVAS].map(|text| text.get(Lang::Zh));
        assert_eq!(notices.text(Lang::Zh, true), both.join(" "));
        notices.dismiss();
        assert_eq!(notices.text(Lang::Zh, true), "");
    }
}
