//! Dragging a hand of the dial, or its mark on the waves or the tokens: the hand at pos sets pos, the one at pos+k sets k.
//! The hand follows the pointer between whole positions, and snaps to the nearest on release.

use crate::figure::Displacement;
use crate::figures::bench::model::Hand;
use crate::figures::bench::view::{Along, Hit, Scene};
use crate::figures::bench::{RotationView, TokensView, WavesView};
use posenc_encoding::wrap_to_pi;

/// A hand that is being dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandDrag {
    pub hand: Hand,
    kind: DragKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum DragKind {
    /// Around the dial, for any number of turns.
    Rotate {
        /// The pointer's direction from the centre, and the angle through which it has moved since the drag began, in
        /// radians.
        last: f64,
        travelled: f64,
        /// pos or k when the drag began; fractional if the hand was between two positions.
        from: f64,
    },
    /// Along the positions; `grab_offset` is the distance of the press from the mark, in positions.
    Translate { along: Along, grab_offset: f64 },
}

/// The value to which a hand has been dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dragged {
    pub hand: Hand,
    /// pos or k, not rounded.
    pub to: f64,
}

impl HandDrag {
    /// Starts a drag if the hit is on the dial or on a mark. On the dial, it drags the hand nearer to the pointer's
    /// direction; if both coincide, that of pos.
    pub fn begin(scene: &Scene, hit: Hit, at: (f64, f64)) -> Option<HandDrag> {
        let model = scene.model;
        match hit {
            Hit::Angle(angle) => {
                let (pair, _) = model.rotated_pair()?;
                let (sine, cosine) = model
                    .waves
                    .as_ref()?
                    .sin_cos_at(pair.index, model.hand_pos());
                let here = sine.atan2(cosine);
                let there = here + model.hand_k() * pair.frequency;
                let apart = |hand: f64| wrap_to_pi(hand - angle).abs();
                let (hand, from) = match apart(there) + 1e-9 < apart(here) {
                    true => (Hand::Target, model.hand_k()),
                    false => (Hand::Pos, model.hand_pos()),
                };
                let (last, travelled) = (angle, 0.0);
                let kind = DragKind::Rotate {
                    last,
                    travelled,
                    from,
                };
                Some(HandDrag { hand, kind })
            }
            Hit::Mark(along, hand) => {
                let mark = match hand {
                    Hand::Pos => model.hand_pos(),
                    Hand::Target => model.hand_pos() + model.hand_k(),
                };
                let grab_offset = along.position(scene, at)? - mark;
                let kind = DragKind::Translate { along, grab_offset };
                Some(HandDrag { hand, kind })
            }
            _ => None,
        }
    }

    /// Continues the drag to a point of the view in which it began.
    pub fn update(&mut self, scene: &Scene, at: (f64, f64)) -> Option<Dragged> {
        let (model, hand) = (scene.model, self.hand);
        let to = match &mut self.kind {
            DragKind::Rotate {
                last,
                travelled,
                from,
            } => {
                let (pair, _) = model.rotated_pair()?;
                let angle = RotationView::angle(scene, at)?;
                *travelled += wrap_to_pi(angle - *last);
                *last = angle;
                *from + *travelled / pair.frequency
            }
            DragKind::Translate { along, grab_offset } => {
                let position = along.position(scene, at)? - *grab_offset;
                match hand {
                    Hand::Pos => position,
                    Hand::Target => position - model.state.pos() as f64,
                }
            }
        };
        Some(Dragged { hand, to })
    }
}

impl Along {
    /// The position at a point of the picture, neither rounded nor clamped.
    fn position(self, scene: &Scene, at: (f64, f64)) -> Option<f64> {
        match self {
            Along::Tokens => TokensView::position(scene, at),
            Along::Waves => WavesView::position(scene, at),
        }
    }
}

impl Dragged {
    /// The nearest whole number: pos or k.
    pub fn whole(&self) -> i64 {
        self.to.round() as i64
    }

    /// What is displaced when the hand's value has been set to `whole`: nothing unless that is the nearest whole number.
    pub fn displacement(&self, whole: i64) -> Displacement {
        let rest = if whole == self.whole() {
            self.to - whole as f64
        } else {
            0.0
        };
        match self.hand {
            Hand::Pos => Displacement::held(rest, 0.0),
            Hand::Target => Displacement::held(0.0, rest),
        }
    }
}
