//! Debouncing with a maximum wait: work that is not needed in every frame runs once changes pause, or after the maximum
//! wait if they do not.

use super::frames::now;
use gloo_timers::callback::Timeout;

/// Milliseconds without a change after which the work is due.
const DELAY: f64 = 200.0;
/// Minimum interval between two runs, in milliseconds: Safari allows 100 changes of the address in 30 seconds.
const INTERVAL: f64 = 500.0;
/// Maximum time that a change waits, in milliseconds.
const MAX_WAIT: f64 = 2000.0;

pub struct Debounce {
    timer: Option<Timeout>,
    /// Times of the first and the last pending change, in milliseconds.
    since: f64,
    changed_at: f64,
    /// Time of the last run, in milliseconds.
    done_at: f64,
}

impl Default for Debounce {
    fn default() -> Debounce {
        Debounce {
            timer: None,
            since: 0.0,
            changed_at: 0.0,
            done_at: -INTERVAL,
        }
    }
}

impl Debounce {
    /// Notes a change. `wake` is called when the work may be due, and must call [`Debounce::is_due`].
    pub fn changed(&mut self, wake: impl FnOnce() + 'static) {
        self.changed_at = now();
        if self.timer.is_none() {
            self.since = self.changed_at;
            self.arm(wake);
        }
    }

    /// True if the work is due; otherwise schedules another call of `wake`.
    pub fn is_due(&mut self, wake: impl FnOnce() + 'static) -> bool {
        // Timers may fire slightly early.
        if now() + 1.0 < self.due() {
            self.arm(wake);
            return false;
        }
        self.timer = None;
        self.done_at = now();
        true
    }

    fn due(&self) -> f64 {
        let due = (self.changed_at + DELAY).min(self.since + MAX_WAIT);
        due.max(self.done_at + INTERVAL)
    }

    fn arm(&mut self, wake: impl FnOnce() + 'static) {
        let wait = (self.due() - now()).max(0.0).ceil();
        self.timer = Some(Timeout::new(wait as u32, wake));
    }
}
