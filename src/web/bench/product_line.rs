//! The equation M_k · PE(pos) = PE(pos+k) for a pair in numbers, for RoPE with its score, and below it a button that applies
//! M_k and the residual.

use super::formula_panel::point_out;
use crate::figures::bench::{Model, formula, words};
use crate::web::dom::{CachedText, El, el, toggle_attr};
use crate::web::patch::Patch;

pub struct ProductLine {
    pub line: El,
    numbers: Patch,
    /// The score of RoPE's two vectors.
    score: Patch,
    chip: El,
    /// M_k in symbols, inside the popup of the residual.
    matrix: Patch,
    exactness: CachedText,
    residual: CachedText,
    acts_on: CachedText,
    outside_table_note: CachedText,
}

impl ProductLine {
    /// `apply` is the button that moves pos to pos + k.
    pub fn new(apply: &El) -> ProductLine {
        let numbers = el("div").class("equation numbers");
        let score = el("div").class("equation score");
        let matrix = el("div").class("equation");
        let acts_on = el("p").class("residual");
        let (exactness, residual) = (el("span"), el("p").class("residual"));
        let outside = el("p").class("residual");
        let chip = el("details").class("exact").children([
            &el("summary").child(&exactness),
            &el("div").children([&matrix, &acts_on, &residual, &outside]),
        ]);
        let buttons = el("div").class("group").children([apply, &chip]);
        let line = el("div")
            .class("product")
            .children([&numbers, &score, &buttons]);
        ProductLine {
            line,
            numbers: Patch::new(&numbers),
            score: Patch::new(&score),
            chip,
            matrix: Patch::new(&matrix),
            exactness: CachedText::new(&exactness),
            residual: CachedText::new(&residual),
            acts_on: CachedText::new(&acts_on),
            outside_table_note: CachedText::new(&outside),
        }
    }

    /// Shows the product of the selected pair, or of the hovered one; false if there is none.
    pub fn write(&mut self, model: &Model, pointed: Option<&Model>) -> bool {
        let pointed = pointed.filter(|pointed| pointed.rotated_pair().is_some());
        point_out(&self.line, pointed);
        let shown = pointed.unwrap_or(model);
        let [mut numbers, mut score, mut matrix] = [None, None, None];
        if let Some((_, block)) = shown.rotated_pair() {
            numbers = Some(formula::named_product(shown, block));
            score = formula::score(shown, block);
            matrix = Some(formula::matrix_in_letters(model));
        }
        self.numbers.set(numbers, None);
        self.score.set(score, None);
        self.matrix.set(matrix, None);
        let exactness = words::exactness(model);
        let exists = exactness.is_some();
        toggle_attr(&self.line.0, "hidden", !exists);
        self.exactness.set(&exactness.unwrap_or_default());
        self.residual
            .set(&words::residual(model).unwrap_or_default());
        let acts_on = words::rotation_acts_on(model);
        self.acts_on.set(acts_on.unwrap_or_default());
        let outside = words::outside_table_note(model);
        toggle_attr(&self.chip.0, "data-outside", model.target_row().is_none());
        self.outside_table_note.set(&outside.unwrap_or_default());
        exists
    }
}
