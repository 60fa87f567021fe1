//! Drags on a view of the bench: a selection that follows the pointer, or a hand.

use super::view::Along;
use super::{Dragged, Hand, HandDrag, Hit, Model, Scene, Transient};
use crate::field::settings::{K, MEMBER, PAIR, POS};
use crate::field::{Key, Values};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewDrag {
    kind: DragKind,
    /// See [`Transient::tokens_around`]; `None` for a drag on another view.
    tokens_around: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum DragKind {
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
        let hit = hit?;
        let kind = match hit {
            Hit::Angle(_) | Hit::Mark(..) => DragKind::Hand(HandDrag::begin(scene, hit, at)?),
            _ => {
                select(scene.model, hit, values);
                DragKind::Select
            }
        };
        let on_tokens = matches!(hit, Hit::Token { .. } | Hit::Mark(Along::Tokens, _));
        Some(ViewDrag {
            kind,
            tokens_around: on_tokens.then(|| scene.model.mark_positions()),
        })
    }

    /// Continues the drag. Returns the transient state to show until the release.
    pub fn drag(
        &mut self,
        scene: &Scene,
        hit: Option<Hit>,
        at: (f64, f64),
        values: &mut Values,
    ) -> Transient {
        let transient = match &mut self.kind {
            DragKind::Select => {
                if let Some(hit) = hit {
                    select(scene.model, hit, values);
                }
                Transient {
                    pair: hit.and_then(|hit| hit.pair(scene.model)),
                    ..Transient::default()
                }
            }
            DragKind::Hand(drag) => match drag.update(scene, at) {
                Some(dragged) => apply_hand_drag(&dragged, values),
                None => Transient {
                    hand: Some(drag.hand),
                    ..Transient::default()
                },
            },
        };
        Transient {
            tokens_around: self.tokens_around,
            ..transient
        }
    }

    /// The hand that is dragged; `None` if the pointer selects.
    pub fn hand(&self) -> Option<Hand> {
        match &self.kind {
            DragKind::Select => None,
            DragKind::Hand(drag) => Some(drag.hand),
        }
    }

    pub fn tokens_around(&self) -> Option<[f64; 2]> {
        self.tokens_around
    }
}

pub(super) fn select(model: &Model, hit: Hit, values: &mut Values) {
    match hit {
        Hit::Cell {
            position,
            dimension,
        } => {
            let (pair, member) = model.pair_of(dimension);
            values.set_to(POS, position as i64);
            values.set_to(PAIR, pair as i64);
            values.set_to(MEMBER, member);
        }
        Hit::Wave { position, .. } | Hit::Token { position } => values.set_to(POS, position as i64),
        Hit::Clock { pair } => values.set_to(PAIR, pair as i64),
        Hit::Angle(_) | Hit::Mark(..) => {}
    }
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

/// Sets the field of a hand to the value it was dragged to, clamped to valid values.
fn apply_hand_drag(dragged: &Dragged, values: &mut Values) -> Transient {
    let field = dragged.hand.field();
    values.set_to(field, dragged.whole());
    Transient {
        displacement: dragged.displacement(values.get(field)),
        hand: Some(dragged.hand),
        ..Transient::default()
    }
}
