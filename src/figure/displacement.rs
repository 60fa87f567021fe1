//! How far the numbers that a picture is drawn from are from the values that are set, while they move there.

use crate::field::settings::{K, POS};
use std::f64::consts::TAU;

/// Displacements of the numbers that move: what is drawn is the value plus its displacement.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Displacement {
    /// Of pos, in positions.
    pub pos: Remaining,
    /// Of k, in positions.
    pub k: Remaining,
    /// Of the pair, in pairs.
    pub pair: Remaining,
    /// Of the order of a heatmap's columns and of what their colours stand for, each between 0 and 1.
    pub halves: f64,
    pub phase: f64,
    /// The wedge at the position where a move of pos began, until it has followed.
    pub outline: Option<Outline>,
}

/// The outline of a wedge that stays behind when pos moves, and then follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    pub position: f64,
    /// The fraction of its way that is left, 1 … 0.
    pub left: f64,
}

/// How far what is drawn is from its value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Remaining {
    /// What is left of it.
    pub left: f64,
    /// What it was when the move began; 0 for a hand that is held, as no move has begun.
    total: f64,
    /// The largest rotation, in radians, that the eye can follow in the duration of the move.
    limit: f64,
}

impl Displacement {
    /// Hands that are held between two values, as by a drag.
    pub fn held(pos: f64, k: f64) -> Displacement {
        Displacement {
            pos: Remaining::held(pos),
            k: Remaining::held(k),
            ..Displacement::default()
        }
    }

    /// The same without what is held of fields that are `locked`.
    pub fn without(mut self, locked: &dyn Fn(&str) -> bool) -> Displacement {
        for (key, held) in [(POS, &mut self.pos), (K, &mut self.k)] {
            if locked(key.name()) {
                *held = Remaining::default();
            }
        }
        self
    }
}

impl Remaining {
    /// A number that is held between two values, as by a drag.
    pub fn held(left: f64) -> Remaining {
        Remaining {
            left,
            total: 0.0,
            limit: 0.0,
        }
    }

    /// A number of which `left` is left of a move that began `total` away.
    pub fn moving(left: f64, total: f64, limit: f64) -> Remaining {
        Remaining { left, total, limit }
    }

    pub fn is_moving(&self) -> bool {
        self.total != 0.0
    }

    /// What it was when the move began.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The fraction of the move that is left, 1 … 0; 0 if there is none.
    pub fn progress_left(&self) -> f64 {
        if self.is_moving() {
            self.left / self.total
        } else {
            0.0
        }
    }

    /// The displacement of a hand whose angle is this number times `frequency`, in radians.
    pub fn angle(&self, frequency: f64) -> f64 {
        if self.is_moving() {
            self.left_of(frequency * self.total)
        } else {
            frequency * self.left
        }
    }

    /// What is left of a rotation through `angle` radians that ends with the move. Of a rotation that is too fast to be
    /// followed whole turns are left out, as they begin and end in the same place.
    pub fn left_of(&self, angle: f64) -> f64 {
        let excess = ((angle.abs() - self.limit) / TAU).ceil().max(0.0);
        let whole = (angle.abs() / TAU).floor();
        let seen = angle.abs() - excess.min(whole) * TAU;
        angle.signum() * seen * self.progress_left()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    #[test]
    fn a_hand_that_can_be_followed_turns_with_its_number() {
        let remaining = Remaining::moving(-20.0, -27.0, 20.0);
        assert_close(remaining.angle(0.5), -10.0, 1e-12);
        assert_close(Remaining::held(0.3).angle(0.5), 0.15, 1e-12);
    }

    #[test]
    fn a_hand_that_is_too_fast_turns_less_but_begins_and_ends_where_it_should() {
        // 890 positions of the fastest pair are 141.6 turns.
        let (total, limit) = (-890.0, 4.0 * TAU);
        let begin = Remaining::moving(total, total, limit).angle(1.0);
        assert!(begin.abs() <= limit && begin < 0.0);
        assert_close((begin - total) / TAU, ((begin - total) / TAU).round(), 1e-9);
        assert_eq!(Remaining::moving(0.0, total, limit).angle(1.0), 0.0);
        // Less than a turn is never left out.
        assert_close(Remaining::moving(5.0, 5.0, 0.1).angle(1.0), 5.0, 1e-12);
    }
}
