//! Dragging an arrow of the dial: the one of pos sets pos, the one of pos+k sets k.

use crate::figures::bench::model::{Model, Pair};
use posenc_encoding::within_half_turns;

/// Which arrow follows the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrow {
    Here,
    There,
}

/// An arrow that is being dragged. Turns add up, so that an arrow can be taken around more than once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArrowDrag {
    pub arrow: Arrow,
    /// The pointer's direction from the centre, and how far it has turned since the drag began, in radians.
    last: f64,
    travelled: f64,
    /// pos or k when the drag began.
    from: i64,
}

impl ArrowDrag {
    /// Takes the arrow nearer to the pointer's direction; where both lie together, the position's.
    pub fn begin(model: &Model, angle: f64) -> Option<ArrowDrag> {
        let (pair, _) = model.turn()?;
        let apart = |[sine, cosine]: [f64; 2]| within_half_turns(sine.atan2(cosine) - angle).abs();
        let arrow = if apart(pair.there) + 1e-9 < apart(pair.here) {
            Arrow::There
        } else {
            Arrow::Here
        };
        let from = match arrow {
            Arrow::Here => model.state.pos() as i64,
            Arrow::There => model.state.k(),
        };
        Some(ArrowDrag {
            arrow,
            last: angle,
            travelled: 0.0,
            from,
        })
    }

    /// The pointer has come to this direction: the arrow, and what pos or k is there.
    pub fn to(&mut self, pair: &Pair, angle: f64) -> (Arrow, i64) {
        self.travelled += within_half_turns(angle - self.last);
        self.last = angle;
        let moved = (self.travelled / pair.frequency).round() as i64;
        (self.arrow, self.from.saturating_add(moved))
    }
}
