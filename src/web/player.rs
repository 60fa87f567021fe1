//! Play: pos moves with time.

use crate::field::State;

/// Positions a second.
pub const SPEEDS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 20.0, 100.0];

/// A tab that slept must not leap when it wakes.
const LONGEST_STEP: f64 = 0.05;

pub struct Player {
    pub playing: bool,
    pub speed: f64,
    /// How far the animation has gone from pos towards the next position.
    glide: f64,
    last: Option<f64>,
}

impl Default for Player {
    fn default() -> Player {
        Player {
            playing: false,
            speed: 2.0,
            glide: 0.0,
            last: None,
        }
    }
}

impl Player {
    pub fn start(&mut self) {
        self.playing = true;
        self.last = None;
    }

    /// Stops on the nearest position.
    pub fn stop(&mut self, state: &mut State) {
        if self.glide >= 0.5 {
            state.set_pos(state.pos() as i64 + 1);
        }
        self.playing = false;
        self.glide = 0.0;
    }

    /// Moves pos to where it is at `now`, in milliseconds; beyond the last position it begins again.
    pub fn advance(&mut self, state: &mut State, now: f64) {
        if !self.playing {
            return;
        }
        let elapsed = self
            .last
            .map_or(0.0, |last| ((now - last) / 1000.0).clamp(0.0, LONGEST_STEP));
        self.last = Some(now);
        self.glide += elapsed * self.speed;
        let steps = self.glide.floor();
        self.glide -= steps;
        let next = state.pos() as i64 + steps as i64;
        state.set_pos(next.rem_euclid(state.max_len() as i64));
    }

    /// The part of the way to the next position; none where the system asks for less motion.
    pub fn glide(&self, state: &State, reduced_motion: bool) -> f64 {
        let at_the_end = state.pos() + 1 == state.max_len();
        if reduced_motion || at_the_end {
            0.0
        } else {
            self.glide
        }
    }
}
