//! Debouncing with a maximum wait: what need not be done in every frame is done once changes pause, or after a while if
//! they never do.

use super::frames::now;
use gloo_timers::callback::Timeout;

/// Milliseconds without a change after which it is done.
const DELAY: f64 = 200.0;
/// Milliseconds between two times at least: Safari allows a hundred changes of the address in half a minute.
const INTERVAL: f64 = 500.0;
/// Milliseconds that a change waits at most.
const MAX_WAIT: f64 = 2000.0;

pub struct Debounce {
    timer: Option<Timeout>,
    /// The first and the last change that wait, in milliseconds.
    since: f64,
    changed_at: f64,
    /// When it was last done.
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
    /// Something changed; `wake` is to ask [`Debounce::is_due`].
    pub fn changed(&mut self, wake: impl FnOnce() + 'static) {
        self.changed_at = now();
        if self.timer.is_none() {
            self.since = self.changed_at;
            self.arm(wake);
        }
    }

    /// True if the time has come; otherwise `wake` is called again when it may have.
    pub fn is_due(&mut self, wake: impl FnOnce() + 'static) -> bool {
        // Timers are let off a little early.
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
