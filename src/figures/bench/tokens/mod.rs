//! The words of a text with their positions, a ring around the token at pos and one around that at pos + k.

mod layout;
mod picture;
#[cfg(test)]
mod tests;

use super::standalone::Standalone;
use crate::draw::{Pen, Rect, Theme};
use crate::field::settings::POS;
use crate::field::{SettingId, ViewName};
use crate::figure::{DragMode, Handle, Mapping};
use crate::figures::bench::descriptions;
use crate::figures::bench::model::{Hand, Model};
use crate::figures::bench::view::{Along, Hit, Scene, View};
use layout::{Plan, Window};

#[derive(Default)]
pub struct TokensView;

/// How far above a ring it can be grabbed, in CSS pixels.
const REACH: f64 = 10.0;

impl View for TokensView {
    const NAME: ViewName = ViewName::Tokens;
    const NOT_IN_AXES: &'static [SettingId] = &[
        SettingId::Encoding,
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
    }

    fn draw(&mut self, pen: &Pen, scene: &Scene, plan: &Plan) {
        let window = window(scene.model, plan);
        plan.draw_tokens(pen, scene, &window);
        plan.draw_rings(pen, scene, &window);
    }

    fn handles(&self, scene: &Scene, plan: &Plan) -> Vec<Handle> {
        let window = window(scene.model, plan);
        let rings = rings(scene.model, &window).into_iter().map(|(hand, ring)| {
            let ring = Handle::area(reached(ring)).dragged(DragMode::Horizontal);
            ring.sets(hand.field(), Mapping::Custom)
        });
        let tokens = Handle::area(window.selectable()).sets(POS, Mapping::Custom);
        rings.chain([tokens]).collect()
    }

    fn hands(&self, scene: &Scene, plan: &Plan) -> Vec<(Hand, (f64, f64))> {
        let rings = rings(scene.model, &window(scene.model, plan));
        rings.map(|(hand, ring)| (hand, ring.centre())).to_vec()
    }

    fn hand_at(&self, scene: &Scene, (x, y): (f64, f64)) -> Option<Hand> {
        let plan = scene.layout::<TokensView>()?;
        let rings = rings(scene.model, &window(scene.model, &plan));
        let ring = rings.iter().find(|(_, ring)| reached(*ring).contains(x, y));
        ring.map(|(hand, _)| *hand)
    }

    fn hit_test(&self, scene: &Scene, plan: &Plan, x: f64, y: f64) -> Option<Hit> {
        if let Some(hand) = self.hand_at(scene, (x, y)) {
            return Some(Hit::Mark(Along::Tokens, hand));
        }
        let window = window(scene.model, plan);
        let position = usize::try_from(window.slot_at(x)).ok()?;
        let inside = window.selectable().contains(x, y) && position < scene.model.state.max_len();
        inside.then_some(Hit::Token { position })
    }
}

impl TokensView {
    /// The position at a point of the picture, neither rounded nor clamped.
    pub fn position(scene: &Scene, at: (f64, f64)) -> Option<f64> {
        let plan = scene.layout::<TokensView>()?;
        Some(window(scene.model, &plan).position(at.0))
    }
}

/// The tokens that are shown: those around pos and pos + k, and during a drag along the tokens those of its beginning.
fn window<'a>(model: &Model, plan: &'a Plan) -> Window<'a> {
    let around = model.transient.tokens_around;
    plan.window(around.unwrap_or(model.mark_positions()))
}

fn rings(model: &Model, window: &Window) -> [(Hand, Rect); 2] {
    let [pos, target] = model.mark_positions().map(|place| window.ring(place));
    [(Hand::Pos, pos), (Hand::Target, target)]
}

/// Where a ring can be grabbed.
fn reached(ring: Rect) -> Rect {
    ring.down(ring.y - REACH, ring.height + REACH)
}

impl Standalone for TokensView {
    fn caption(model: &Model) -> String {
        descriptions::tokens(model)
    }

    fn height(_: f64, theme: &Theme) -> f64 {
        4.4 * theme.label_size()
    }
}
