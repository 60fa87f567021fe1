//! Debouncing with a maximum wait: work that is not needed in every frame runs once changes pause, or after the maximum
//! wait if they do not.

use super::frames::now;
use crate::session::Due;
use gloo_timers::callback::Timeout;

#[derive(Default)]
pub struct Debounce {
    timer: Option<Timeout>,
    due: Due,
}

impl Debounce {
    /// Notes a change. `wake` is called when the work may be due, and must call [`Debounce::is_due`].
    pub fn changed(&mut self, wake: impl FnOnce() + 'static) {
        if self.due.changed(now()) {
            self.arm(wake);
        }
    }

    /// True if the work is due; otherwise schedules another call of `wake`.
    pub fn is_due(&mut self, wake: impl FnOnce() + 'static) -> bool {
        let is_due = self.due.is_due(now());
        if is_due {
            self.timer = None;
        } else {
            self.arm(wake);
        }
        is_due
    }

    fn arm(&mut self, wake: impl FnOnce() + 'static) {
        let wait = self.due.wait(now()).ceil();
        self.timer = Some(Timeout::new(wait as u32, wake));
    }
}
