//! The formula of the selected cell, or of the hovered pair, in symbols and with numbers.

use crate::figures::bench::{Model, formula, words};
use crate::text::{Lang, labels};
use crate::web::dom::{CachedText, El, el, numbers, set_attr};
use crate::web::patch::Patch;

pub struct FormulaPanel {
    pub panel: El,
    title: CachedText,
    /// The cell's name, its formula in symbols, and its formula with numbers.
    lines: [Patch; 3],
}

impl FormulaPanel {
    /// `controls` are those of the settings that belong above the formula.
    pub fn new(lang: Lang, controls: &[El]) -> FormulaPanel {
        let (title, name) = (el("span"), el("span"));
        let heading = el("h2").children([&title, &name]);
        let tools = el("div").class("tools").children(controls);
        let head = el("header").children([&heading, &tools]);
        let equations = ["equation", "equation"].map(|class| el("div").class(class));
        let body = el("div").class("cell").children(&equations);
        let foot = el("div").class("foot").child(&numbers(lang));
        let panel = el("section")
            .class("panel formula")
            .children([&head, &body, &foot]);
        FormulaPanel {
            panel,
            title: CachedText::new(&title),
            lines: [&name, &equations[0], &equations[1]].map(Patch::new),
        }
    }

    pub fn write(&mut self, model: &Model, pointed: Option<&Model>) {
        point_out(&self.panel, pointed);
        self.title.set(match pointed {
            Some(_) => labels::POINTED_AT.get(model.lang),
            None => words::formula_title(model),
        });
        let shown = pointed.unwrap_or(model);
        let lines = [
            formula::cell(shown),
            formula::general(shown),
            formula::in_numbers(shown),
        ];
        for (slot, line) in self.lines.iter_mut().zip(lines) {
            slot.set(Some(line), None);
        }
    }
}

/// While another pair is hovered, writes its name into the `data-pointed` attribute of a part of the page.
pub(super) fn point_out(part: &El, pointed: Option<&Model>) {
    let name = pointed.map(|model| labels::pair_tag(model.lang, model.state.pair()));
    if name == part.0.get_attribute("data-pointed") {
        return;
    }
    match name {
        Some(name) => set_attr(&part.0, "data-pointed", &name),
        // Removing an attribute does not fail.
        None => drop(part.0.remove_attribute("data-pointed")),
    }
}
