//! Drags on a view of the bench: a selection that follows the pointer, or a hand.

use super::{Dragged, Hand, HandDrag, Hit, Model, Scene, Transient};
use crate::field::Values;
use posenc_encoding::Member;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewDrag {
    Select,
    /// A hand follows the pointer and sets pos or k.
    Hand(HandDrag),
}

impl ViewDrag {
    /// Begins a drag at a hit; `None` if there is nothing to select or to grab.
    pub fn begin(
        scene: &Scene,
        hit: Option<Hit>,
        at: (f64, f64),
        values: &mut Values,
    ) -> Option<ViewDrag> {
        match hit? {
            hit @ (Hit::Angle(_) | Hit::Mark(_)) => {
                HandDrag::begin(scene, hit, at).map(ViewDrag::Hand)
            }
            hit => {
                select(scene.model, hit, values);
                Some(ViewDrag::Select)
            }
        }
    }

    /// Continues the drag. Returns the transient state to show until the release.
    pub fn drag(
        &mut self,
        scene: &Scene,
        hit: Option<Hit>,
        at: (f64, f64),
        values: &mut Values,
    ) -> Transient {
        match self {
            ViewDrag::Select => {
                if let Some(hit) = hit {
                    select(scene.model, hit, values);
                }
            }
            ViewDrag::Hand(drag) => {
                return match drag.update(scene, at) {
                    Some(dragged) => apply_hand_drag(&dragged, values),
                    None => Transient {
                        hand: Some(drag.hand),
                        ..Transient::default()
                    },
                };
            }
        }
        Transient {
            pair: hit.and_then(|hit| hit.pair(scene.model)),
            ..Transient::default()
        }
    }
}

pub(super) fn select(model: &Model, hit: Hit, values: &mut Values) {
    match hit {
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

/// Sets the field of a hand to the value it was dragged to, clamped to valid values.
fn apply_hand_drag(dragged: &Dragged, values: &mut Values) -> Transient {
    let field = dragged.hand.field();
    values.set_whole(field, dragged.whole());
    Transient {
        displacement: dragged.displacement(values.whole(field)),
        hand: Some(dragged.hand),
        ..Transient::default()
    }
}
