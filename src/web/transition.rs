//! A timed transition, which starts with the first call of [`Transition::progress`].

pub struct Transition {
    /// Milliseconds.
    duration: f64,
    since: Option<f64>,
}

impl Transition {
    pub fn new(duration: f64) -> Transition {
        Transition {
            duration,
            since: None,
        }
    }

    /// Progress, 0 … 1, at `time` in milliseconds.
    pub fn progress(&mut self, time: f64) -> f64 {
        let since = *self.since.get_or_insert(time);
        ((time - since) / self.duration).clamp(0.0, 1.0)
    }
}
