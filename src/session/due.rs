//! When work is due that is not needed after every change: once changes pause, or after a maximum wait if they do not.

/// Milliseconds without a change after which the work is due.
const DELAY: f64 = 200.0;
/// Minimum interval between two runs, in milliseconds: Safari allows 100 changes of the address in 30 seconds.
const INTERVAL: f64 = 500.0;
/// Maximum time that a change waits, in milliseconds.
const MAX_WAIT: f64 = 2000.0;

/// All times are in milliseconds.
pub struct Due {
    /// Times of the first and the last pending change.
    since: Option<f64>,
    changed_at: f64,
    /// Time of the last run.
    done_at: f64,
}

impl Default for Due {
    fn default() -> Due {
        Due {
            since: None,
            changed_at: 0.0,
            done_at: -INTERVAL,
        }
    }
}

impl Due {
    /// Notes a change; true if none was pending.
    pub fn changed(&mut self, now: f64) -> bool {
        self.changed_at = now;
        let is_first = self.since.is_none();
        self.since.get_or_insert(now);
        is_first
    }

    /// True if the work is due, which ends the wait.
    pub fn is_due(&mut self, now: f64) -> bool {
        // Timers may fire slightly early.
        let is_due = self.wait(now) <= 1.0;
        if is_due {
            (self.since, self.done_at) = (None, now);
        }
        is_due
    }

    /// The time until the work is due.
    pub fn wait(&self, now: f64) -> f64 {
        let since = self.since.unwrap_or(self.changed_at);
        let due = (self.changed_at + DELAY).min(since + MAX_WAIT);
        (due.max(self.done_at + INTERVAL) - now).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times at which work runs for changes every `step` milliseconds until `end`, with timers as in a browser.
    fn runs(step: usize, end: usize) -> Vec<f64> {
        let (mut due, mut timer, mut runs) = (Due::default(), None, Vec::new());
        for now in 0..end + 1000 {
            let at = now as f64;
            if now < end && now % step == 0 && due.changed(at) {
                timer = Some(at + due.wait(at));
            }
            if timer.is_some_and(|timer| timer <= at) {
                timer = match due.is_due(at) {
                    true => None,
                    false => Some(at + due.wait(at)),
                };
                runs.extend(timer.is_none().then_some(at));
            }
        }
        runs
    }

    #[test]
    fn safari_allows_all_runs() {
        for step in [1, 16, 190, 210, 333, 499, 1000] {
            let runs = runs(step, 60_000);
            // 100 in 30 seconds.
            for window in runs.windows(100) {
                assert!(window[99] - window[0] > 30_000.0, "{step} ms");
            }
            let apart = runs.windows(2).map(|two| two[1] - two[0]);
            assert!(apart.fold(f64::MAX, f64::min) >= 499.0, "{step} ms");
        }
    }

    #[test]
    fn work_runs_once_changes_pause_and_now_and_then_if_they_do_not() {
        assert_eq!(runs(1000, 1), [DELAY]);
        let runs = runs(16, 10_000);
        let waits = runs.windows(2).map(|two| two[1] - two[0]);
        assert!(waits.fold(0.0, f64::max) <= MAX_WAIT + 16.0, "{runs:?}");
        // The last change is at 9,984 ms.
        let after = runs.last().unwrap() - 9984.0;
        assert!((0.0..=DELAY).contains(&after), "{runs:?}");
    }
}
