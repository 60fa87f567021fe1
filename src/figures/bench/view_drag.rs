//! Drags on a view of the bench: a selection that follows the pointer, or a hand.

use super::{Dragged, Hand, HandDrag, Hit, Model, Scene, Transient};
use crate::field::Values;
use posenc_encoding::Member;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewDrag {
    /// With where pos and pos + k were when it began, if it is along the tokens: they stay where they are until it ends.
    Select(Option<[f64; 2]>),
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
            hit @ (Hit::Angle(_) | Hit::Mark(..)) => {
                HandDrag::begin(scene, hit, at).map(ViewDrag::Hand)
            }
            hit => {
                let from = matches!(hit, Hit::Token { .. }).then(|| places(scene.model));
                select(scene.model, hit, values);
                Some(ViewDrag::Select(from))
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
            ViewDrag::Select(_) => {
                if let Some(hit) = hit {
                    select(scene.model, hit, values);
                }
            }
            ViewDrag::Hand(drag) => {
                let transient = match drag.update(scene, at) {
                    Some(dragged) => apply_hand_drag(&dragged, values),
                    None => Transient {
                        hand: Some(drag.hand),
                        ..Transient::default()
                    },
                };
                return Transient {
                    dragged_from: self.along_tokens_from(),
                    ..transient
                };
            }
        }
        Transient {
            pair: hit.and_then(|hit| hit.pair(scene.model)),
            dragged_from: self.along_tokens_from(),
            ..Transient::default()
        }
    }

    /// Where pos and pos + k were when a drag along the tokens began.
    pub fn along_tokens_from(&self) -> Option<[f64; 2]> {
        match self {
            ViewDrag::Select(from) => *from,
            ViewDrag::Hand(drag) => drag.along_tokens_from(),
        }
    }
}

/// Where pos and pos + k are drawn.
fn places(model: &Model) -> [f64; 2] {
    [model.hand_pos(), model.hand_pos() + model.hand_k()]
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
        Hit::Wave { position, .. } | Hit::Token { position } => {
            values.set_whole("pos", position as i64)
        }
        Hit::Clock { pair } => values.set_whole("pair", pair as i64),
        Hit::Angle(_) | Hit::Mark(..) => {}
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
