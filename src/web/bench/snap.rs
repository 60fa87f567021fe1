//! Animates released hands to the selected positions.

use super::BenchController;
use crate::figures::bench::SnapAnimation;
use crate::web::transition::Transition;

impl BenchController {
    /// Starts the animation, `duration` milliseconds long; with reduced motion the hands jump.
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
