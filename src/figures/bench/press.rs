//! A pointer that is down on a view of the bench: it selects what lies under it, or a hand follows it.

use super::{Dragged, Hand, HandDrag, Hit, Model, Scene, Transient};
use crate::field::Values;
use posenc_encoding::Member;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Press {
    Select,
    /// A hand follows the pointer: pos for one, k for the other.
    Hand(HandDrag),
}

impl Press {
    /// Begins where `target` lies; `None` where there is nothing to select or to take hold of.
    pub fn begin(
        scene: &Scene,
        target: Option<Hit>,
        at: (f64, f64),
        values: &mut Values,
    ) -> Option<Press> {
        match target? {
            target @ (Hit::Angle(_) | Hit::Mark(_)) => {
                HandDrag::begin(scene, target, at).map(Press::Hand)
            }
            target => {
                select(scene.model, target, values);
                Some(Press::Select)
            }
        }
    }

    /// Continues the drag at a point where `target` lies. Returns what is shown until the release.
    pub fn drag(
        &mut self,
        scene: &Scene,
        target: Option<Hit>,
        at: (f64, f64),
        values: &mut Values,
    ) -> Transient {
        match self {
            Press::Select => {
                if let Some(target) = target {
                    select(scene.model, target, values);
                }
            }
            Press::Hand(drag) => {
                return match drag.to(scene, at) {
                    Some(dragged) => follow(&dragged, values),
                    None => Transient {
                        hand: Some(drag.hand),
                        ..Transient::default()
                    },
                };
            }
        }
        Transient {
            pair: target.and_then(|target| target.pair(scene.model)),
            ..Transient::default()
        }
    }
}

pub(super) fn select(model: &Model, target: Hit, values: &mut Values) {
    match target {
        Hit::Cell {
            position,
            dimension,
        } => {
            let (pair, member) = model.pair_of(dimension);
            values.set_whole("pos", position as i64);
            values.set_whole("pair", pair as i64);
            let member = match member {
                Member::Sine => "sine",
                Member::Cosine => "cosine",
            };
            values.set("member", member);
        }
        Hit::Wave { position, .. } => values.set_whole("pos", position as i64),
        Hit::Clock { pair } => values.set_whole("pair", pair as i64),
        Hit::Angle(_) | Hit::Mark(_) => {}
    }
}

impl Hand {
    /// The field that it sets.
    pub fn field(self) -> &'static str {
        match self {
            Hand::Pos => "pos",
            Hand::Target => "k",
        }
    }
}

/// Sets the field of a hand to what it has been dragged to, as far as that is legal.
fn follow(dragged: &Dragged, values: &mut Values) -> Transient {
    let field = dragged.hand.field();
    values.set_whole(field, dragged.whole());
    let (pos_fraction, k_fraction) = dragged.transient(values.whole(field));
    Transient {
        pos_fraction,
        k_fraction,
        hand: Some(dragged.hand),
        ..Transient::default()
    }
}
