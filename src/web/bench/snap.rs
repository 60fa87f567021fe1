//! Animates hands to the selected positions: a released hand, or all hands when M_k is applied.

use super::BenchController;
use crate::figures::bench::SnapAnimation;
use crate::web::transition::Transition;

/// Duration of the sweep of the hands over their wedges, in milliseconds.
const APPLY_SHIFT_MS: f64 = 900.0;

impl BenchController {
    /// Moves pos to pos + k, as M_k does: every hand sweeps over its wedge.
    pub(super) fn apply_shift(&mut self) {
        self.stop();
        if !self.model.can_apply_shift() {
            return;
        }
        let k = self.state.k();
        self.state.set_pos(self.state.pos() as i64 + k);
        self.transient.pos_fraction = -k as f64;
        self.start_snap(APPLY_SHIFT_MS);
    }

    /// Starts an animation of `duration` milliseconds; with reduced motion the hands jump.
    pub(super) fn start_snap(&mut self, duration: f64) {
        self.snap = None;
        let Some(snap) = SnapAnimation::of(&self.transient) else {
            return;
        };
        match self.prefers_reduced_motion() {
            true => self.transient = snap.at_progress(1.0, self.transient),
            false => self.snap = Some((snap, Transition::new(duration))),
        }
    }

    /// Advances the animation; true while it runs.
    pub(super) fn advance_snap(&mut self, time: f64) -> bool {
        let Some((snap, transition)) = &mut self.snap else {
            return false;
        };
        let progress = transition.progress(time);
        self.transient = snap.at_progress(progress, self.transient);
        self.pending.redraw = true;
        if progress == 1.0 {
            self.snap = None;
        }
        self.snap.is_some()
    }
}
