//! A hand that is let go between two positions goes to the one that is selected.

use super::App;
use crate::figures::bench::Settling;
use crate::web::transition::Transition;

impl App {
    /// Has the hands go to what is selected in so many milliseconds, or at once for a reader who wants less motion.
    pub(super) fn settle(&mut self, duration: f64) {
        self.settling = None;
        let Some(settling) = Settling::of(&self.transient) else {
            return;
        };
        match self.is_still() {
            true => self.transient = settling.after(1.0, self.transient),
            false => self.settling = Some((settling, Transition::new(duration))),
        }
    }

    /// Moves them on; true while they are not there.
    pub(super) fn go_on_settling(&mut self, time: f64) -> bool {
        let Some((settling, transition)) = &mut self.settling else {
            return false;
        };
        let share = transition.share(time);
        self.transient = settling.after(share, self.transient);
        self.pending.redraw = true;
        if share == 1.0 {
            self.settling = None;
        }
        self.settling.is_some()
    }
}
