//! Play: a figure's position, step or offset moves by itself.

/// Milliseconds from one step to the next.
const PACE: f64 = 400.0;
/// A tab that slept must not leap when it wakes.
const LONGEST_PAUSE: f64 = 50.0;

#[derive(Default)]
pub struct Play {
    pub playing: bool,
    last: Option<f64>,
    waited: f64,
}

impl Play {
    pub fn start(&mut self) {
        *self = Play {
            playing: true,
            ..Play::default()
        };
    }

    pub fn stop(&mut self) {
        self.playing = false;
    }

    /// True when the next step is due at `now`, in milliseconds.
    pub fn is_due(&mut self, now: f64) -> bool {
        let last = self.last.replace(now).unwrap_or(now);
        self.waited += (now - last).clamp(0.0, LONGEST_PAUSE);
        let due = self.playing && self.waited >= PACE;
        if due {
            self.waited -= PACE;
        }
        due
    }
}
