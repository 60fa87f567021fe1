//! When to do what need not be done in every frame: once things are quiet, or now and then if they
//! never are.

use super::frames::now;
use gloo_timers::callback::Timeout;

/// Milliseconds without a change that count as quiet.
const QUIET: f64 = 200.0;
/// Between two times at the least: Safari allows a hundred address changes in half a minute.
const PAUSE: f64 = 500.0;
/// Nothing waits longer than this.
const LONGEST: f64 = 2000.0;

pub struct Quiet {
    timer: Option<Timeout>,
    /// The first and the last change that wait.
    since: f64,
    changed_at: f64,
    settled_at: f64,
}

impl Default for Quiet {
    fn default() -> Quiet {
        Quiet {
            timer: None,
            since: 0.0,
            changed_at: 0.0,
            settled_at: -PAUSE,
        }
    }
}

impl Quiet {
    /// Something changed; `wake` is to ask [`Quiet::is_due`].
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
        self.settled_at = now();
        true
    }

    fn due(&self) -> f64 {
        let quiet = (self.changed_at + QUIET).min(self.since + LONGEST);
        quiet.max(self.settled_at + PAUSE)
    }

    fn arm(&mut self, wake: impl FnOnce() + 'static) {
        let wait = (self.due() - now()).max(0.0).ceil();
        self.timer = Some(Timeout::new(wait as u32, wake));
    }
}
