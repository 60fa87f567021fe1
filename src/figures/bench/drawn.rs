//! What is drawn of a model while its hands are dragged or move: numbers between those that are set.

use super::model::Model;
use crate::figure::{Displacement, Outline, Remaining};
use crate::math::Clamp;
use posenc_encoding::{Sinusoidal, wrap_to_pi};

impl Model {
    /// Position of the hand at pos, fractional while it moves. Tables that exist at whole positions alone go from one to
    /// the next.
    pub fn hand_pos(&self) -> f64 {
        self.state.pos() as f64 + self.drawn(self.transient.displacement.pos)
    }

    /// Offset from the hand at pos to that at pos + k, fractional while it moves.
    pub fn hand_k(&self) -> f64 {
        self.state.k() as f64 + self.drawn(self.transient.displacement.k)
    }

    /// Positions at which pos and pos + k are marked on the words and the waves, fractional while they move. While the
    /// reader guesses the angle of pos + k, its mark does not show the guess.
    pub fn mark_positions(&self) -> [f64; 2] {
        let pos = self.hand_pos();
        let k = match self.transient.guessing {
            true => self.state.k() as f64,
            false => self.hand_k(),
        };
        [pos, pos + k]
    }

    /// Where pos and k are marked on the rows of the table: between two rows during a move, but not during a drag.
    pub fn marked_place(&self) -> (f64, f64) {
        let Displacement { pos, k, .. } = self.transient.displacement;
        let moved = |remaining: Remaining| {
            // A hand that settles after a drag has not left its row.
            if remaining.total().abs() >= 1.0 {
                self.drawn(remaining)
            } else {
                0.0
            }
        };
        let (whole_pos, whole_k) = (self.state.pos() as f64, self.state.k() as f64);
        (whole_pos + moved(pos), whole_k + moved(k))
    }

    /// Whether the hands of pos and pos + k stand at whole positions.
    #[inline(never)]
    pub fn rests(&self) -> bool {
        let [pos, target] = self.mark_positions();
        pos.fract() == 0.0 && target.fract() == 0.0 && self.transient.sway == 0.0
    }

    /// Whether the hand of pos moves without being dragged.
    pub fn moves_by_itself(&self) -> bool {
        let Displacement { pos, pair, .. } = self.transient.displacement;
        let plays = self.transient.plays && pos.left != 0.0;
        plays || pos.is_moving() || pair.is_moving() || self.transient.sway != 0.0
    }

    fn drawn(&self, remaining: Remaining) -> f64 {
        if remaining.is_moving() && self.waves.is_none() {
            remaining.left.round()
        } else {
            remaining.left
        }
    }

    /// The whole position that is drawn: pos, and while it moves the nearest on the way.
    pub fn drawn_pos(&self) -> i64 {
        self.state.pos() as i64 + whole_steps_left(self.transient.displacement.pos)
    }

    /// The whole position that is drawn for pos + k, which a guess of its hand does not change.
    pub fn drawn_target(&self) -> i64 {
        let guessing = self.transient.guessing;
        let left = if guessing {
            0
        } else {
            whole_steps_left(self.transient.displacement.k)
        };
        self.drawn_pos() + self.state.k() + left
    }

    /// Angles in radians of a rotating pair: of the hand at pos, and from it to the hand at pos + k.
    pub fn hand_angles(&self, waves: &Sinusoidal, pair: usize) -> (f64, f64) {
        let Displacement { pos, k, .. } = self.transient.displacement;
        let frequency = waves.frequency(pair);
        let (sine, cosine) = waves.sin_cos(pair, self.state.pos() as i64);
        (
            sine.atan2(cosine) + pos.angle(frequency) + self.transient.sway * frequency,
            self.state.k() as f64 * frequency + k.angle(frequency),
        )
    }

    /// The angles of the selected pair as the large dial shows them: after another pair has been selected, its hands come
    /// from those of the pair before.
    pub fn dial_angles(&self, waves: &Sinusoidal) -> (f64, f64) {
        let pair = self.state.pair();
        let (start, turn) = self.hand_angles(waves, pair);
        let from = self.transient.displacement.pair;
        let before = frequency_between(waves, pair as f64 + from.total());
        let change = before - waves.frequency(pair);
        (
            start + from.left_of(self.state.pos() as f64 * change),
            turn + self.state.k() as f64 * change * from.progress_left(),
        )
    }

    /// Positions of wedges whose outlines are drawn on the large dial.
    pub fn outlines(&self, frequency: f64) -> impl Iterator<Item = f64> {
        let pos = self.state.pos() as f64;
        let left_behind = self.transient.displacement.outline;
        let left_behind = left_behind.filter(|_| self.state.k() != 0);
        // It follows by the shorter way.
        let place = move |Outline { position, left }| {
            let angle = (position - pos) * frequency;
            if left < 1.0 {
                pos + wrap_to_pi(angle) * left / frequency
            } else {
                position
            }
        };
        let others = self.transient.outlines.into_iter().flatten();
        others.chain(left_behind.map(place))
    }

    /// The row of the table that is magnified as that of pos, and with k that of pos + k: during a move over several
    /// rows those at its beginning, so that rows do not flicker.
    pub fn magnified_rows(&self) -> [i64; 2] {
        let Displacement { pos, k, .. } = self.transient.displacement;
        let before = |remaining: Remaining| remaining.total().round() as i64;
        let pos = self.state.pos() as i64 + before(pos);
        [pos, pos + self.state.k() + before(k)]
    }
}

/// The whole steps that are left of a move; none for a hand that is held between two values.
fn whole_steps_left(remaining: Remaining) -> i64 {
    if remaining.left.abs() < 1.0 {
        0
    } else {
        remaining.left.round() as i64
    }
}

/// The frequency between those of two pairs, in radians per position; the frequencies of pairs are a geometric sequence.
fn frequency_between(waves: &Sinusoidal, pair: f64) -> f64 {
    let pair = pair.clamped(0.0, (waves.pairs() - 1) as f64);
    let (low, high) = (pair.floor(), pair.ceil());
    let [from, to] = [low, high].map(|pair| waves.frequency(pair as usize));
    from * (to / from).powf(pair - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hand_that_settles_keeps_its_row_marked() {
        let mut model = Model::linked("pos=10&k=3");
        for (left, total, marked) in [(0.4, 0.4, 10.0), (-0.2, -0.4, 10.0), (-0.4, -1.0, 9.6)] {
            model.transient.displacement.pos = Remaining::moving(left, total, 1.0);
            assert_eq!(model.marked_place(), (marked, 3.0), "{left} of {total}");
        }
    }
}
