//! The equation M_k · PE(pos) = PE(pos+k) for a pair, with its numbers and its residual.

use super::formula_panel::point_out;
use crate::figures::bench::{Model, formula, words};
use crate::web::dom::{CachedText, El, el, toggle_attr};
use crate::web::patch::Patch;

pub struct ProductLine {
    pub line: El,
    names: Patch,
    numbers: Patch,
    /// M_k in symbols, inside the popup of the residual.
    matrix: Patch,
    exactness: CachedText,
    residual: CachedText,
    outside_table_note: CachedText,
}

impl ProductLine {
    pub fn new() -> ProductLine {
        let names = el("div").class("equation");
        let numbers = el("div").class("equation numbers");
        let matrix = el("div").class("equation");
        let (exactness, residual) = (el("span"), el("p").class("residual"));
        let outside = el("p").class("residual");
        let chip = el("details").class("exact").children([
            &el("summary").child(&exactness),
            &el("div").children([&matrix, &residual, &outside]),
        ]);
        let line = el("div")
            .class("product")
            .children([&names, &numbers, &chip]);
        ProductLine {
            line,
            names: Patch::new(&names),
            numbers: Patch::new(&numbers),
            matrix: Patch::new(&matrix),
            exactness: CachedText::new(&exactness),
            residual: CachedText::new(&residual),
            outside_table_note: CachedText::new(&outside),
        }
    }

    /// Shows the product of the selected pair, or of the hovered one.
    pub fn write(&mut self, model: &Model, pointed: Option<&Model>) {
        let pointed = pointed.filter(|pointed| pointed.rotated_pair().is_some());
        point_out(&self.line, pointed);
        let shown = pointed.unwrap_or(model);
        let [mut names, mut numbers, mut matrix] = [None, None, None];
        if let Some((_, block)) = shown.rotated_pair() {
            names = Some(formula::product_in_names(shown));
            numbers = Some(formula::product_in_numbers(shown, block));
            matrix = Some(formula::matrix_in_letters(model));
        }
        self.names.set(names, None);
        self.numbers.set(numbers, None);
        self.matrix.set(matrix, None);
        let exactness = words::exactness(model);
        toggle_attr(&self.line.0, "hidden", exactness.is_none());
        self.exactness.set(&exactness.unwrap_or_default());
        self.residual
            .set(&words::residual(model).unwrap_or_default());
        let outside = words::outside_table_note(model);
        self.outside_table_note.set(&outside.unwrap_or_default());
    }
}
