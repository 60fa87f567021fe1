//! The animation of applying M_k: the row of pos becomes that of pos + k, pair by pair.

use super::{APPLIED, MatrixClocks, POS};
use crate::field::Values;
use crate::text::Text;
use crate::text::markup::{Node, html};
use std::f64::consts::TAU;

/// Duration of the animation of all pairs, in milliseconds.
pub(super) const DURATION: f64 = 900.0;
/// Number of pairs that rotate at the same time.
const AT_ONCE: f64 = 4.0;

impl MatrixClocks {
    /// Whether the change from `previous` to this state is an application of M_k.
    pub(super) fn is_applied_to(&self, previous: &MatrixClocks) -> bool {
        let has_been = self.applied != previous.applied;
        has_been && self.model.state.pos() as i64 == previous.model.target()
    }

    /// Progress of the pair in a row, 0 … 1.
    pub(super) fn share(&self, row: usize, rows: usize) -> f64 {
        let Some(all) = self.applying else { return 1.0 };
        let front = all * (rows as f64 + AT_ONCE - 1.0);
        ((front - row as f64) / AT_ONCE).clamp(0.0, 1.0)
    }

    /// The angle that remains for the hand of a pair that rotates by `turn`, in radians; of several full turns only one
    /// is animated.
    pub(super) fn remaining_turn(&self, row: usize, rows: usize, turn: f64) -> f64 {
        let shown = if turn.abs() > TAU {
            turn % TAU + TAU.copysign(turn)
        } else {
            turn
        };
        shown * (1.0 - self.share(row, rows))
    }

    pub(super) fn apply(&self, values: &mut Values) {
        if let Some(target) = self.model.target_row() {
            values.set_to(POS, target as i64);
            values.set_to(APPLIED, self.applied + 1);
        }
    }

    pub(super) fn button(&self) -> Node {
        const APPLY: Text = Text::new("Apply Mₖ", "乘以 Mₖ");
        const BEYOND: Text = Text::new("pos + k is not in the table", "表中没有 pos + k 这一行");
        let lang = self.model.lang;
        let button = html::button("apply", "", APPLY.get(lang));
        let button = match self.model.target_row() {
            Some(_) => button.class("primary"),
            None => button
                .flag("disabled", true)
                .attribute("title", BEYOND.get(lang)),
        };
        html::div("row", vec![button])
    }
}
