//! A movement of some length, from the first frame that asks about it.

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

    /// The share of it that is over in a frame at this time, in milliseconds: 0 … 1.
    pub fn share(&mut self, time: f64) -> f64 {
        let since = *self.since.get_or_insert(time);
        ((time - since) / self.duration).clamp(0.0, 1.0)
    }
}
