//! Moves of the hands to new values of pos, k and pair.

use super::BenchController;
use crate::field::ViewName;
use crate::figure::Displacement;
use crate::figures::bench::Transient;
use crate::session::Change;

/// Duration of the sweep of the hands over their wedges, in milliseconds.
const APPLY_SHIFT_MS: f64 = 900.0;

impl BenchController {
    /// Moves pos to pos + k, as M_k does: every hand sweeps over its wedge.
    pub(super) fn apply_shift(&mut self) {
        self.stop();
        if self.model.can_apply_shift() {
            let pos = self.state.pos() as i64;
            self.state.set_pos(pos + self.state.k());
            self.pending.change = Some(Change::MoveIn(APPLY_SHIFT_MS));
        }
    }

    /// Runs `act`; what is drawn moves to the settings that it has changed, or follows them.
    pub(super) fn moving(&mut self, how: Change, act: impl FnOnce(&mut BenchController)) {
        let before = self.state.clone();
        act(self);
        let how = match self.pending.change.take() {
            _ if self.prefers_reduced_motion() => Change::Follow,
            asked => asked.unwrap_or(how),
        };
        if before != self.state {
            self.pending.last_change = how;
            self.motion
                .change(before.values(), self.state.values(), how);
        }
    }

    /// A hand is grabbed while it moves: it stays where it is, and its value is the nearest.
    pub(super) fn take_over(&mut self) {
        if !self.motion.is_moving() {
            return;
        }
        let (pos, k) = (self.model.hand_pos(), self.model.hand_k());
        self.motion.finish();
        self.pending.change = Some(Change::Follow);
        self.state.set_k(k.round() as i64);
        self.state.set_pos(pos.round() as i64);
        self.transient.displacement =
            Displacement::held(pos - self.state.pos() as f64, k - self.state.k() as f64);
    }

    /// Lets go of a hand between two positions.
    pub(super) fn settle(&mut self) {
        let held = std::mem::take(&mut self.transient.displacement);
        if !self.prefers_reduced_motion() {
            self.motion.settle(held);
        }
    }

    /// The interaction state to draw, with the moves in progress.
    pub(super) fn drawn_transient(&self) -> Transient {
        let mut transient = self.transient;
        transient.displacement = self.motion.displacement(transient.displacement);
        let beside_others = self.state.view() == ViewName::Bench;
        let by_colour = !self.appearance.printing && !self.media.forced_colours.matches();
        transient.beside_others = beside_others;
        transient.sets_slow_pairs_apart = beside_others && by_colour;
        if self.tour.is_some() {
            // The tour draws outlines of its own.
            transient.displacement.outline = None;
        }
        transient
    }
}
