//! M_k applied: the row of pos becomes that of pos + k, pair by pair.

use super::MatrixClocks;
use crate::field::Values;
use crate::text::Text;
use crate::text::markup::{Node, html};
use std::f64::consts::TAU;

/// How often it has been applied: what is shown in between belongs to this figure alone.
pub(super) const APPLIED: &str = "applied";
/// Milliseconds from the first pair to the last.
pub(super) const DURATION: f64 = 900.0;
/// Pairs that turn at the same time.
const AT_ONCE: f64 = 4.0;

impl MatrixClocks {
    /// Whether the step from `previous` to here is an application of M_k.
    pub(super) fn is_applied_to(&self, previous: &MatrixClocks) -> bool {
        let has_been = self.applied != previous.applied;
        has_been && self.model.state.pos() as i64 == previous.model.target()
    }

    /// How far the pair of a row has turned, 0 … 1.
    pub(super) fn share(&self, row: usize, rows: usize) -> f64 {
        let Some(all) = self.applying else { return 1.0 };
        let front = all * (rows as f64 + AT_ONCE - 1.0);
        ((front - row as f64) / AT_ONCE).clamp(0.0, 1.0)
    }

    /// By how much a hand is behind while its pair turns by an angle in radians; whole turns but one are not shown.
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
            values.set_whole("pos", target as i64);
            values.set_whole(APPLIED, self.applied + 1);
        }
    }

    pub(super) fn button(&self) -> Node {
        const APPLY: Text = Text::new("Apply Mₖ", "乘以 Mₖ");
        const BEYOND: Text = Text::new("pos + k is not in the table", "表中没有 pos + k 这一行");
        let lang = self.model.lang;
        let is_beyond = self.model.target_row().is_none();
        let mut button = html::button("apply", "", APPLY.get(lang)).flag("disabled", is_beyond);
        if is_beyond {
            button = button.attribute("title", BEYOND.get(lang));
        }
        html::div("row", vec![button])
    }
}
