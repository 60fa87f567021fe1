//! The selected pair as a large dial and, beside or below it, the pairs as a wall of clocks: PE(pos) rotated
//! counter-clockwise by kω is PE(pos+k).

use crate::draw::{Frame, Pen, Point, Rect, TextStyle, Theme};
use crate::field::settings::{K, PAIR, POS};
use crate::field::{SettingId, ViewName};
use crate::figure::{DragMode, Handle, Mapping, Region};
use crate::figures::bench::clock_wall::{ClockWall, Heading};
use crate::figures::bench::model::Model;
use crate::figures::bench::rotation_dial::RotationDial;
use crate::figures::bench::view::{Hit, Scene, View, nearest_hand};
use crate::figures::bench::{points, words};
use crate::math::Clamp;

#[derive(Default)]
pub struct RotationView;

pub struct Plan {
    dial: RotationDial,
    stage: Rect,
    wall: ClockWall,
}

impl Plan {
    fn new(frame: Frame, theme: &Theme, model: &Model) -> Option<Plan> {
        let size = theme.label_size();
        let room = Rect::inside(frame, 0.0, 0.0, 0.0, 0.0);
        if room.width < 40.0 || room.height < 40.0 {
            return None;
        }
        // A wide figure has the clocks beside the dial, in as many columns as leave the dial large; a high one has them
        // below it. Clocks beside the dial are enlarged in a high figure.
        let scale = (room.height / (31.0 * size)).clamped(1.0, 1.7);
        let beside = |columns| ClockWall::width(theme, columns, scale);
        let columns = (2..=4).rev().find(|&columns| {
            room.width - beside(columns) > (1.1 * room.height).min(0.6 * room.width)
        });
        let wide = room.width > 1.25 * room.height && room.width > 32.0 * size;
        let beside = beside(columns.unwrap_or(2));
        let high = room.height > 1.15 * room.width;
        // If the dial nearly fills the panel, there is a row of clocks below it, or none.
        let row = ClockWall::row_height(theme);
        let has_row = room.height - row > (0.5 * room.width).max(16.0 * size);
        let (stage, wall) = if model.waves.is_none() {
            (room, room.across(room.x, 0.0))
        } else if wide {
            let dial = (room.width - beside).min(1.3 * room.height);
            let (stage, wall) = room.split_left(dial);
            (stage, wall.across(wall.x, wall.width.min(1.6 * beside)))
        } else if high {
            room.split_bottom(room.height - (room.width - 4.0 * size).min(0.62 * room.height))
        } else if has_row {
            room.split_bottom(row)
        } else {
            (room, room.across(room.x, 0.0))
        };
        let (scale, heading) = match (wide, high) {
            (true, _) => (scale, Heading::Full),
            (false, true) => (1.0, Heading::Full),
            (false, false) => (1.0, Heading::None),
        };
        Some(Plan {
            dial: RotationDial::new(stage, theme, model),
            stage,
            wall: ClockWall::new(wall, theme, model, scale, heading),
        })
    }
}

impl RotationView {
    /// The part of the picture that the dial has, without the clocks, and in it the rings of pos and of pos+k.
    pub fn dial(scene: &Scene) -> Option<(Rect, [Point; 2])> {
        let plan = scene.layout::<RotationView>()?;
        Some((plan.stage, plan.dial.tips(scene.model)?))
    }

    /// The room below the clocks if they are beside the dial.
    pub fn below_clocks(scene: &Scene) -> Option<Rect> {
        let plan = scene.layout::<RotationView>()?;
        let below = plan.wall.below()?;
        (below.x >= plan.stage.right()).then_some(below)
    }

    /// The direction of a point from the dial's centre, in radians; the point may be outside the dial.
    pub fn angle(scene: &Scene, at: Point) -> Option<f64> {
        let plan = scene.layout::<RotationView>()?;
        Some(plan.dial.angle(at))
    }
}

impl View for RotationView {
    const NAME: ViewName = ViewName::Rotation;
    const NOT_IN_AXES: &'static [SettingId] = &[
        SettingId::Member,
        SettingId::Compare,
        SettingId::Positions,
        SettingId::Dimensions,
    ];
    const AXES_MARK_POINTED: bool = true;
    const GRIP: DragMode = DragMode::Free;

    type Layout = Plan;

    fn layout(scene: &Scene) -> Option<Plan> {
        Plan::new(scene.frame, scene.theme, scene.model)
    }

    fn draw_axes(&self, pen: &Pen, scene: &Scene, plan: &Plan) {
        if scene.model.waves.is_none() {
            return points::draw_axes(pen, scene, plan.stage);
        }
        plan.wall.draw_static(pen, scene);
        if scene.model.rotated_pair().is_some() {
            plan.dial.draw_axes(pen, scene)
        }
    }

    fn draw(&mut self, pen: &Pen, scene: &Scene, plan: &Plan) {
        if scene.model.waves.is_none() {
            return points::draw(pen, scene, plan.stage);
        }
        plan.wall.draw(pen, scene);
        match scene.model.rotated_pair() {
            Some((pair, _)) => plan.dial.draw(pen, scene, pair),
            None => draw_no_rotation_message(pen, scene, plan.stage),
        }
    }

    fn handles(&self, scene: &Scene, plan: &Plan) -> Vec<Handle> {
        let mut handles = Vec::new();
        for (pair, _, space) in plan.wall.clocks() {
            handles.push(Handle::area(*space).sets(PAIR, Mapping::Constant(*pair as i64)));
        }
        if self.grips(scene, plan).is_some() {
            let dial = Handle::mark(plan.dial.circle.centre, plan.dial.reach());
            handles.push(dial.sets(POS, Mapping::Custom).sets(K, Mapping::Custom));
        }
        handles
    }

    fn hit_test(&self, scene: &Scene, plan: &Plan, at: Point) -> Option<Hit> {
        if let Some(pair) = plan.wall.pair_at(at) {
            return Some(Hit::Clock { pair });
        }
        let tips = self.grips(scene, plan)?;
        let on_dial = plan.dial.contains(at);
        nearest_hand(tips, |_| on_dial, at).map(Hit::Dial)
    }

    fn grips(&self, scene: &Scene, plan: &Plan) -> Option<[Region; 2]> {
        Some(plan.dial.tips(scene.model)?.map(Region::grip))
    }
}

/// Draws the message for encodings without rotation.
fn draw_no_rotation_message(pen: &Pen, scene: &Scene, stage: Rect) {
    let size = scene.theme.label_size();
    let lines = words::no_partner(scene.model);
    let Point { x, y } = stage.centre();
    let top = y - 0.75 * size * (lines.len() as f64 - 1.0);
    for (i, line) in lines.iter().enumerate() {
        let at = (x, top + 1.5 * size * i as f64);
        pen.text(at, line, TextStyle::new(size, scene.theme.ink));
    }
}
