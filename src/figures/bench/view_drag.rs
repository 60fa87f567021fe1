//! Drags on a view of the bench: a selection that follows the pointer, or a hand of the dial, or its mark on the waves or
//! the tokens. The hand at pos sets pos, the one at pos+k sets k; it follows the pointer between whole positions, and snaps
//! to the nearest on release.

use super::{Hand, Hit, Model, RotationView, Scene, TokensView, Transient, WavesView};
use crate::draw::Point;
use crate::field::settings::{K, MEMBER, PAIR, POS};
use crate::field::{Key, Values, ViewName};
use crate::figure::Displacement;
use posenc_encoding::wrap_to_pi;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewDrag {
    view: ViewName,
    follows: Follows,
    /// See [`Transient::tokens_around`]; `None` for a drag on another view.
    pub tokens_around: Option<[f64; 2]>,
}

/// What follows the pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Follows {
    Selection,
    /// A hand, around the dial, for any number of turns.
    Hand {
        hand: Hand,
        /// The pointer's direction from the centre, and the angle through which it has moved since the drag began, in
        /// radians.
        last: f64,
        travelled: f64,
        /// pos or k when the drag began; fractional if the hand was between two positions.
        from: f64,
    },
    /// A hand's mark, along the positions; `grab_offset` is the distance of the press from the mark, in positions.
    Mark {
        hand: Hand,
        grab_offset: f64,
    },
}

impl ViewDrag {
    /// Begins a drag at a hit; `None` if there is nothing to select or to grab.
    pub fn begin(
        scene: &Scene,
        view: ViewName,
        hit: Option<Hit>,
        at: Point,
        values: &mut Values,
    ) -> Option<ViewDrag> {
        let (model, hit) = (scene.model, hit?);
        let follows = match hit {
            Hit::Grip(hand) | Hit::Dial(hand) if view == ViewName::Rotation => Follows::Hand {
                hand,
                last: RotationView::angle(scene, at)?,
                travelled: 0.0,
                from: match hand {
                    Hand::Pos => model.hand_pos(),
                    Hand::Target => model.hand_k(),
                },
            },
            Hit::Grip(hand) | Hit::Dial(hand) => {
                let mark = match hand {
                    Hand::Pos => model.hand_pos(),
                    Hand::Target => model.hand_pos() + model.hand_k(),
                };
                let grab_offset = position(view, scene, at)? - mark;
                Follows::Mark { hand, grab_offset }
            }
            _ => {
                select(model, hit, values);
                Follows::Selection
            }
        };
        Some(ViewDrag {
            view,
            follows,
            tokens_around: (view == ViewName::Tokens).then(|| model.mark_positions()),
        })
    }

    /// Continues the drag to a point of the view in which it began. Returns the transient state to show until the release.
    pub fn drag(
        &mut self,
        scene: &Scene,
        hit: Option<Hit>,
        at: Point,
        values: &mut Values,
    ) -> Transient {
        let model = scene.model;
        let mut transient = Transient {
            hand: self.hand(),
            tokens_around: self.tokens_around,
            ..Transient::default()
        };
        let to = match &mut self.follows {
            Follows::Selection => {
                if let Some(hit) = hit {
                    select(model, hit, values);
                    transient.pair = hit.pair(model);
                }
                None
            }
            Follows::Hand {
                last,
                travelled,
                from,
                ..
            } => {
                let turned = model.rotated_pair().zip(RotationView::angle(scene, at));
                turned.map(|((pair, _), angle)| {
                    *travelled += wrap_to_pi(angle - *last);
                    *last = angle;
                    *from + *travelled / pair.frequency
                })
            }
            Follows::Mark { hand, grab_offset } => {
                let before = match hand {
                    Hand::Pos => 0.0,
                    Hand::Target => model.state.pos() as f64,
                };
                position(self.view, scene, at).map(|position| position - *grab_offset - before)
            }
        };
        if let Some((hand, to)) = transient.hand.zip(to) {
            transient.displacement = set(hand, to, values);
        }
        transient
    }

    /// The hand that is dragged; `None` if the pointer selects.
    pub fn hand(&self) -> Option<Hand> {
        match self.follows {
            Follows::Selection => None,
            Follows::Hand { hand, .. } | Follows::Mark { hand, .. } => Some(hand),
        }
    }
}

/// The position at a point of the waves or of the tokens, neither rounded nor clamped.
fn position(view: ViewName, scene: &Scene, at: Point) -> Option<f64> {
    match view {
        ViewName::Tokens => TokensView::position(scene, at),
        _ => WavesView::position(scene, at),
    }
}

pub(super) fn select(model: &Model, hit: Hit, values: &mut Values) {
    match hit {
        Hit::Cell {
            position,
            dimension,
        } => {
            values.set_to(POS, position as i64);
            select_dimension(model, dimension, values);
        }
        Hit::Magnified { dimension, .. } => select_dimension(model, dimension, values),
        Hit::Wave { position, .. } | Hit::Token { position } => values.set_to(POS, position as i64),
        Hit::Clock { pair } => values.set_to(PAIR, pair as i64),
        Hit::Grip(_) | Hit::Dial(_) => {}
    }
}

fn select_dimension(model: &Model, dimension: usize, values: &mut Values) {
    let (pair, member) = model.pair_of(dimension);
    values.set_to(PAIR, pair as i64);
    values.set_to(MEMBER, member);
}

impl Hand {
    /// The field that it sets.
    pub fn field(self) -> Key<i64> {
        match self {
            Hand::Pos => POS,
            Hand::Target => K,
        }
    }
}

/// Sets the field of a hand to the whole number nearest to `to`. Returns what is displaced by the rest: nothing if the valid
/// values do not reach that number.
fn set(hand: Hand, to: f64, values: &mut Values) -> Displacement {
    let (field, whole) = (hand.field(), to.round() as i64);
    values.set_to(field, whole);
    let rest = match values.get(field) == whole {
        true => to - whole as f64,
        false => 0.0,
    };
    match hand {
        Hand::Pos => Displacement::held(rest, 0.0),
        Hand::Target => Displacement::held(0.0, rest),
    }
}
