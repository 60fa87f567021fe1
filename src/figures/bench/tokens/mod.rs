//! The words of a text with their positions, a ring around the token at pos and one around that at pos + k.

mod layout;
mod picture;
#[cfg(test)]
mod tests;

use super::standalone::Standalone;
use crate::draw::{Pen, Point, Rect, Theme};
use crate::field::settings::POS;
use crate::field::{SettingId, ViewName};
use crate::figure::{Handle, Mapping, Region};
use crate::figures::bench::descriptions;
use crate::figures::bench::model::{Hand, Model};
use crate::figures::bench::view::{Hit, Scene, View};
use layout::{Plan, Window};

#[derive(Default)]
pub struct TokensView;

/// How far above a ring it can be grabbed, in CSS pixels.
const REACH: f64 = 10.0;

impl View for TokensView {
    const NAME: ViewName = ViewName::Tokens;
    const NOT_IN_AXES: &'static [SettingId] = &[
        SettingId::Encoding,
        SettingId::MaxLen,
        SettingId::DModel,
        SettingId::Pair,
        SettingId::Member,
        SettingId::Base,
        SettingId::Layout,
        SettingId::Colour,
        SettingId::Compare,
        SettingId::Positions,
        SettingId::Dimensions,
    ];

    type Layout = Plan;

    fn layout(scene: &Scene) -> Option<Plan> {
        Plan::new(scene.frame, scene.theme, scene.model)
    }

    fn draw_axes(&self, pen: &Pen, scene: &Scene, plan: &Plan) {
        plan.measure(pen, scene.theme);
        plan.draw_tokens(pen, scene, &window(scene.model, plan));
    }

    fn axes_contents(scene: &Scene, plan: &Plan) -> [f64; 4] {
        window(scene.model, plan).contents()
    }

    fn draw(&mut self, pen: &Pen, scene: &Scene, plan: &Plan) {
        let window = window(scene.model, plan);
        plan.hide_marked(pen, scene, &window);
        plan.draw_rings(pen, scene, &window);
    }

    fn handles(&self, scene: &Scene, plan: &Plan) -> Vec<Handle> {
        let window = window(scene.model, plan);
        vec![Handle::area(window.selectable()).sets(POS, Mapping::Custom)]
    }

    fn grips(&self, scene: &Scene, plan: &Plan) -> Option<[Region; 2]> {
        let marks = marks(scene.model, &window(scene.model, plan));
        Some(marks.map(|Mark { ring, .. }| {
            let reached = ring.down(ring.y - REACH, ring.height + REACH);
            Region::Rect(reached)
        }))
    }

    fn hit_test(&self, scene: &Scene, plan: &Plan, at: Point) -> Option<Hit> {
        let window = window(scene.model, plan);
        let position = usize::try_from(window.slot_at(at.x)).ok()?;
        let inside = window.selectable().contains(at) && position < scene.model.state.max_len();
        inside.then_some(Hit::Token { position })
    }
}

impl TokensView {
    /// The position at a point of the picture, neither rounded nor clamped.
    pub fn position(scene: &Scene, at: Point) -> Option<f64> {
        let plan = scene.layout::<TokensView>()?;
        Some(window(scene.model, &plan).position(at.x))
    }
}

/// The tokens that are shown: those around pos and pos + k, and during a drag along the tokens those of its beginning.
fn window<'a>(model: &Model, plan: &'a Plan) -> Window<'a> {
    let around = model.transient.tokens_around;
    plan.window(
        model.state.max_len(),
        around.unwrap_or(model.mark_positions()),
    )
}

/// What marks pos or pos + k.
struct Mark {
    hand: Hand,
    /// Between two tokens while it moves.
    ring: Rect,
    /// The whole position.
    position: i64,
    /// The token is not in the window: it is written in the ring, at the edge.
    at_edge: bool,
}

fn marks(model: &Model, window: &Window) -> [Mark; 2] {
    let [pos, target] = model.mark_positions();
    let mark = |hand: Hand, place: f64, position: i64| {
        let ring = window.ring(place);
        Mark {
            hand,
            ring,
            position,
            at_edge: ring.x != window.ring_around(place).x || !window.fits(position),
        }
    };
    [
        mark(Hand::Pos, pos, model.drawn_pos()),
        mark(Hand::Target, target, model.drawn_target()),
    ]
}

impl Standalone for TokensView {
    fn caption(model: &Model) -> String {
        descriptions::tokens(model)
    }

    fn height(_: f64, theme: &Theme) -> f64 {
        4.4 * theme.label_size()
    }
}
