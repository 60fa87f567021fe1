//! The first move on a page that nobody has touched yet: the hands turn back and forth once, and the ring that can be
//! dragged pulses.

use std::f64::consts::{PI, TAU};

/// Milliseconds without input after which it begins.
pub const DELAY: u32 = 1200;
/// How far the hands turn back, in positions, and milliseconds until they are where they were.
const BACK: f64 = 3.0;
const SWAY: f64 = 1800.0;
/// Number of pulses afterwards, and milliseconds of each.
const PULSES: f64 = 2.0;
const PULSE: f64 = 700.0;

/// What is drawn of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningFrame {
    /// Displacement of the hands, in positions.
    pub sway: f64,
    /// How far the halo of the ring has grown, 0 … 1 … 0.
    pub pulse: f64,
}

/// The first move, which happens once and ends at the first input.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Opening {
    #[default]
    Waiting,
    /// Since this time, in milliseconds.
    Moving(f64),
    Over,
}

impl Opening {
    /// Begins it unless something has been touched.
    pub fn begin(&mut self, now: f64) {
        if *self == Opening::Waiting {
            *self = Opening::Moving(now);
        }
    }

    /// Ends it.
    pub fn end(&mut self) {
        *self = Opening::Over;
    }

    /// What is drawn at a time; `None` while nothing moves.
    pub fn frame(&mut self, now: f64) -> Option<OpeningFrame> {
        let Opening::Moving(since) = *self else {
            return None;
        };
        let time = (now - since).max(0.0);
        if time >= SWAY + PULSES * PULSE {
            *self = Opening::Over;
            return None;
        }
        Some(match time < SWAY {
            true => OpeningFrame {
                sway: -BACK * (1.0 - (TAU * time / SWAY).cos()) / 2.0,
                pulse: 0.0,
            },
            false => OpeningFrame {
                sway: 0.0,
                pulse: (PI * (time - SWAY) / PULSE).sin().abs(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    #[test]
    fn the_hands_go_back_three_positions_and_come_to_rest_where_they_were() {
        let mut opening = Opening::default();
        assert_eq!(opening.frame(0.0), None);
        opening.begin(100.0);
        let mut at = |time: f64| opening.frame(100.0 + time);
        assert_close(at(0.0).unwrap().sway, 0.0, 1e-12);
        assert_close(at(900.0).unwrap().sway, -3.0, 1e-12);
        assert_close(at(1799.9).unwrap().sway, 0.0, 1e-5);
        assert_close(at(1800.0 + 350.0).unwrap().pulse, 1.0, 1e-12);
        assert_eq!(at(1800.0 + 1400.0), None);
        assert_eq!(opening, Opening::Over);
    }

    #[test]
    fn it_does_not_begin_after_something_was_touched() {
        let mut opening = Opening::default();
        opening.end();
        opening.begin(0.0);
        assert_eq!(opening.frame(1.0), None);
    }
}
