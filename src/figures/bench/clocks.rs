//! The wall of clocks as a figure of its own.

use super::{Standalone, ViewFigure};
use crate::draw::{Pen, Point, Rect, Theme};
use crate::field::settings::{D_MODEL, ENCODING, K, MAX_LEN, PAIR, POS};
use crate::field::{Field, ViewName};
use crate::figure::{DragMode, Handle, Mapping};
use crate::figures::bench::clock_wall::{ClockWall, Heading};
use crate::figures::bench::model::Model;
use crate::figures::bench::view::{Hit, Scene, View};
use crate::figures::bench::words;
use posenc_encoding::Member;

#[derive(Default)]
pub struct ClocksView;

pub type Clocks = ViewFigure<ClocksView>;

/// The drag handle for pos: the hand of the selected pair's clock.
fn selected_hand(scene: &Scene, wall: &ClockWall) -> Option<Handle> {
    let model = scene.model;
    let pair = model.state.pair();
    let (_, circle, _) = wall.clocks().iter().find(|(shown, ..)| *shown == pair)?;
    model.member_dimension(pair, Member::Cosine)?;
    let waves = model.waves.as_ref()?;
    let (here, _) = model.hand_angles(waves, pair);
    let turned = Mapping::Turn {
        centre: circle.centre,
        zero: 0.0,
        step: waves.frequency(pair),
    };
    let clock = Handle::mark(circle.centre, 1.25 * circle.radius).dragged(DragMode::Free);
    let tip = circle.at(here, 0.97);
    Some(
        clock
            .sets(POS, turned)
            .ringed(tip, scene.theme.here, 0.45 * circle.radius),
    )
}

impl View for ClocksView {
    const NAME: ViewName = ViewName::Clocks;

    type Layout = ClockWall;

    fn layout(scene: &Scene) -> Option<ClockWall> {
        let room = Rect::inside(scene.frame, 0.0, 0.0, 0.0, 0.0);
        let (theme, model) = (scene.theme, scene.model);
        Some(ClockWall::new(room, theme, model, 1.0, Heading::Count))
    }

    fn draw_axes(&self, pen: &Pen, scene: &Scene, wall: &ClockWall) {
        wall.draw_static(pen, scene);
    }

    fn draw(&mut self, pen: &Pen, scene: &Scene, wall: &ClockWall) {
        wall.draw(pen, scene);
    }

    fn handles(&self, scene: &Scene, wall: &ClockWall) -> Vec<Handle> {
        let clocks = wall.clocks().iter();
        let handle =
            |&(pair, _, space): &_| Handle::area(space).sets(PAIR, Mapping::Constant(pair as i64));
        // A pressed handle is known by its index: without a hand, one that nothing hits takes its place.
        let hand = selected_hand(scene, wall).unwrap_or(Handle::mark(Point::ZERO, -1.0));
        std::iter::once(hand).chain(clocks.map(handle)).collect()
    }

    fn hit_test(&self, _: &Scene, wall: &ClockWall, at: Point) -> Option<Hit> {
        let pair = wall.pair_at(at)?;
        Some(Hit::Clock { pair })
    }
}

impl Standalone for ClocksView {
    const FIELDS: &'static [Field] = &[
        ENCODING.without_control().field,
        D_MODEL.under_more().field,
        MAX_LEN.under_more().field,
        POS.field,
        K.field,
        PAIR.field,
    ];

    fn caption(model: &Model) -> String {
        words::clocks_caption(model)
    }

    fn height(width: f64, theme: &Theme) -> f64 {
        let size = theme.label_size();
        let columns = (width / (4.6 * size)).floor().clamp(1.0, 17.0);
        (20.0 / columns).ceil().max(2.0) * 4.67 * size + 4.5 * size
    }
}
