//! The pairs whose waves are compared: a chip for each, and an input that adds one.

use super::arrange::set_disabled;
use crate::field::{MAX_COMPARED, SettingId, State};
use crate::text::{Lang, labels};
use crate::web::dom::{CachedText, El, append, button, el, set_attr};
use web_sys::HtmlInputElement;

pub struct CompareList {
    pub tools: El,
    /// The number of the pair to add.
    pub input: HtmlInputElement,
    add: El,
    chips: El,
    /// The pairs as text, shown only in print.
    on_paper: CachedText,
    /// The pairs that have chips, and whether they are locked.
    shown: Option<(Vec<usize>, bool)>,
    lang: Lang,
}

impl CompareList {
    pub fn new(lang: Lang) -> CompareList {
        let input = el("input")
            .attr("type", "number")
            .attr("min", "0")
            .attr("step", "1")
            .attr("value", "0")
            .attr("data-compare", "")
            .attr("id", "compare-pair");
        let label = el("label")
            .attr("for", "compare-pair")
            .text(labels::COMPARE.get(lang));
        let add = button("compare", labels::ADD.get(lang));
        let (chips, on_paper) = (el("span").class("chips"), el("span").class("on-paper"));
        let tools = el("div")
            .class("tools")
            .attr("data-control", "compare")
            .children([&chips, &on_paper, &label, &input, &add]);
        CompareList {
            tools,
            input: input.cast(),
            add,
            chips,
            on_paper: CachedText::new(&on_paper),
            shown: None,
            lang,
        }
    }

    pub fn write(&mut self, state: &State) {
        self.input.set_max(&state.last_pair().to_string());
        let shown = (state.compare().to_vec(), state.locks(SettingId::Compare));
        if self.shown.as_ref() == Some(&shown) {
            return;
        }
        let locked = shown.1;
        self.chips.0.set_text_content(None);
        for &pair in state.compare() {
            let words = labels::stop_comparing(self.lang, pair);
            let symbol = format!("{} ×", labels::pair_tag(self.lang, pair));
            let chip = button("compare-less", &symbol)
                .class("chip")
                .attr("value", &pair.to_string());
            let chip = chip.attr("aria-label", &words).attr("title", &words);
            set_disabled(&chip.0, locked);
            append(&self.chips.0, &chip.0);
        }
        let full = state.compare().len() == MAX_COMPARED;
        set_disabled(&self.add.0, full || locked);
        self.input.set_disabled(locked);
        let reason = match full {
            true => labels::NO_MORE.get(self.lang),
            false => "",
        };
        set_attr(&self.add.0, "title", reason);
        self.shown = Some(shown);
    }

    /// Writes the pairs as text, which replaces their buttons in print.
    pub fn write_print_text(&mut self, state: &State) {
        self.on_paper
            .set(&labels::compared(self.lang, state.compare()));
    }
}
