//! Playback: advances an integer setting with time.

/// Maximum time between two frames that is counted, in milliseconds: playback must not jump after a tab was suspended.
const LONGEST_STEP: f64 = 50.0;
/// Default speed, in steps per second.
const SPEED: f64 = 2.5;

pub struct Playback {
    pub playing: bool,
    /// Steps per second.
    pub speed: f64,
    /// Progress towards the next step, 0 … 1.
    progress: f64,
    /// Time of the last call of [`Playback::advance`], in milliseconds.
    last: Option<f64>,
}

impl Default for Playback {
    fn default() -> Playback {
        Playback::new(SPEED)
    }
}

impl Playback {
    pub fn new(speed: f64) -> Playback {
        Playback {
            playing: false,
            speed,
            progress: 0.0,
            last: None,
        }
    }

    pub fn start(&mut self) {
        *self = Playback {
            playing: true,
            ..Playback::new(self.speed)
        };
    }

    /// Stops playback and returns the progress towards the next step, 0 … 1.
    pub fn stop(&mut self) -> f64 {
        self.playing = false;
        std::mem::take(&mut self.progress)
    }

    /// Returns the number of steps to take at the time `now`, in milliseconds.
    pub fn advance(&mut self, now: f64) -> i64 {
        if !self.playing {
            return 0;
        }
        let last = self.last.replace(now).unwrap_or(now);
        let elapsed = (now - last).clamp(0.0, LONGEST_STEP);
        self.progress += elapsed / 1000.0 * self.speed;
        let steps = self.progress.floor();
        self.progress -= steps;
        steps as i64
    }

    pub fn progress(&self) -> f64 {
        self.progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspended_tab_does_not_jump() {
        let mut playback = Playback::new(10.0);
        assert_eq!(playback.advance(0.0), 0);
        playback.start();
        assert_eq!(
            [0.0, 40.0, 80.0, 120.0].map(|now| playback.advance(now)),
            [0, 0, 0, 1]
        );
        assert_eq!(playback.advance(60_000.0), 0);
        assert!((playback.progress() - 0.7).abs() < 1e-9);
        // Nor if the clock is set back.
        assert_eq!(playback.advance(0.0), 0);
        assert!((playback.stop() - 0.7).abs() < 1e-9);
        assert_eq!((playback.advance(100.0), playback.progress()), (0, 0.0));
    }
}
