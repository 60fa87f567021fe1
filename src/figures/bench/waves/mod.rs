//! Value against position for the selected pair and those compared with it, with a lane for each pair.

mod above;
mod picture;
mod pointed;

use crate::draw::text_style::TextStyle;
use crate::draw::{Frame, Pen, Point, Rect, Scale, Theme};
use crate::field::settings::POS;
use crate::field::{SettingId, ViewName};
use crate::figure::{Handle, Mapping, Region};
use crate::figures::bench::model::Model;
use crate::figures::bench::view::{Hit, Scene, View};
use crate::text::{labels, number};
use above::draw_above;
use picture::{
    draw_grips, draw_lane_name, draw_position_lines, draw_values, draw_waves, grips, lane_values,
};
use pointed::{draw_pointed_name, draw_pointed_wave};

#[derive(Default)]
pub struct WavesView;

/// Minimum CSS pixels per cycle for a curve; a pair with a shorter wavelength is drawn as the band that its curve fills.
const FINEST_CYCLE: f64 = 5.0;
/// Minimum distance of dots, in CSS pixels.
const CLOSEST_DOTS: f64 = 4.0;
/// Minimum height of a lane with dots, in CSS pixels; in a lower one they would hide the curve.
const LOWEST_WITH_DOTS: f64 = 30.0;

/// Minimum distance of the numbers on the position axis, in label sizes.
const TICKS: f64 = 6.0;
/// Distance from the plot down to the centres of the numbers and grips, and height of the band below the plot, in label
/// sizes.
const NUMBERS: f64 = 1.15;
const BELOW: f64 = 2.4;

pub struct Lane {
    pair: usize,
    plot: Rect,
    /// Upper limit of the value axis; the lower limit is its negative.
    most: f64,
    values: Scale,
    /// The rectangle for its name: beside the plot or, if there is no room, at the top.
    name: Rect,
}

pub struct Plan {
    plot: Rect,
    /// The value at position p is drawn at p; in the heatmap, p is the near edge of cell p and p + 0.5 its centre.
    positions: Scale,
    lanes: Vec<Lane>,
}

impl Plan {
    fn new(frame: Frame, theme: &Theme, model: &Model) -> Option<Plan> {
        let size = theme.label_size();
        let roomy = frame.width > 44.0 * size;
        let (left, top) = if roomy { (9.0, 0.1) } else { (2.4, 1.9) };
        let plot = Rect::inside(frame, left * size, top * size, 1.2 * size, BELOW * size);
        if plot.is_empty() {
            return None;
        }
        let span = model.state.positions();
        // Shifted by half a cell, so that the first dot is not on the edge.
        let range = (span.start() - 0.5, span.end() - 0.5);
        let pairs = pairs(model);
        let most = model.value_range().axis_limit;
        // Height of the wavelength bracket above the crests of the selected pair.
        let bracket = (1.5 * size).min(0.3 * plot.height);
        let height = (plot.height - bracket) / pairs.len() as f64;
        let alone = pairs.len() == 1;
        let lanes = pairs.into_iter().enumerate().map(|(i, pair)| {
            let extra = if i == 0 { bracket } else { 0.0 };
            // Several lanes need space between them.
            let margin = match alone {
                true => 0.2 * size,
                false => (0.1 * height).min(size),
            };
            let lane = plot.down(plot.y + i as f64 * height + bracket - extra, height + extra);
            let (above, below) = (extra + margin, margin);
            let name = match roomy {
                true => Rect::new(0.0, lane.y, plot.x - 2.6 * size, lane.height),
                false if i == 0 => Rect::new(plot.x, 0.0, plot.width, 1.7 * size),
                false => Rect::new(plot.x, lane.y, plot.width, 1.4 * size),
            };
            Lane {
                name,
                pair,
                plot: lane,
                most,
                values: Scale::new((most, -most), (lane.y + above, lane.bottom() - below)),
            }
        });
        Some(Plan {
            plot,
            positions: Scale::new(range, (plot.x, plot.right())),
            lanes: lanes.collect(),
        })
    }
}

/// The pairs with a lane, the selected one first.
fn pairs(model: &Model) -> Vec<usize> {
    let selected = model.state.pair();
    let others = model
        .state
        .compare()
        .iter()
        .copied()
        .filter(|&pair| pair != selected);
    std::iter::once(selected).chain(others).collect()
}

/// The name of the position axis, left of the first number or, if there is no room, instead of the last ones; with its place
/// and style.
fn axis_name(scene: &Scene, plan: &Plan) -> (String, Point, TextStyle) {
    let size = scene.theme.label_size();
    let name = format!("{} →", labels::POSITION_AXIS.get(scene.model.lang));
    let style = TextStyle::new(size, scene.theme.muted).align_right();
    let x = match plan.plot.x > style.width(&name) + 2.0 * size {
        true => plan.plot.x - 1.3 * size,
        false => scene.frame.width - 0.3 * size,
    };
    let at = Point::new(x, plan.plot.bottom() + NUMBERS * size);
    (name, at, style)
}

impl View for WavesView {
    const NAME: ViewName = ViewName::Waves;
    const NOT_IN_AXES: &'static [SettingId] = &[SettingId::Member, SettingId::Dimensions];

    type Layout = Plan;

    fn layout(scene: &Scene) -> Option<Plan> {
        Plan::new(scene.frame, scene.theme, scene.model)
    }

    fn draw_axes(&self, pen: &Pen, scene: &Scene, plan: &Plan) {
        let (theme, plot) = (scene.theme, plan.plot);
        let size = theme.label_size();
        let label = TextStyle::new(size, theme.muted);
        let ticks = plan.positions.whole_ticks(TICKS * size);
        let row = plot.bottom() + NUMBERS * size;
        let (axis, axis_at, ending) = axis_name(scene, plan);
        let named = pen.text_bounds(axis_at, &axis, ending);
        let low = plot.bottom() + 4.0;
        let teeth = ticks.iter().map(|&tick| plan.positions.pixel(tick as f64));
        let teeth = teeth.map(|x| [Point::new(x, low), Point::new(x, plot.y)]);
        let teeth: Vec<_> = teeth.collect();
        pen.comb(&teeth, theme.rule, theme.hairline());
        for lane in &plan.lanes {
            let lines = lane_values(lane, size)
                .into_iter()
                .map(|value| lane.values.pixel(value));
            let teeth: Vec<_> = lines.map(|y| plot.horizontal(y)).collect();
            pen.comb(&teeth, theme.rule, theme.hairline());
        }
        for tick in ticks {
            let at = (plan.positions.pixel(tick as f64), row);
            let number = number::whole(tick);
            if !pen
                .text_bounds(at, &number, label)
                .inset(-0.4 * size)
                .overlaps(&named)
            {
                pen.text(at, &number, label);
            }
        }
        pen.text(axis_at, &axis, ending);
        for lane in &plan.lanes {
            for value in lane_values(lane, size) {
                let y = lane.values.pixel(value);
                pen.text(
                    (plot.x - 6.0, y),
                    &number::short(value, 1),
                    label.align_right(),
                );
            }
        }
        for lane in &plan.lanes {
            draw_lane_name(pen, scene, plan, lane);
            if lane.pair < scene.model.pairs() {
                draw_waves(pen, scene, plan, lane);
            }
        }
    }

    fn draw(&mut self, pen: &Pen, scene: &Scene, plan: &Plan) {
        draw_position_lines(pen, scene, plan);
        draw_pointed_wave(pen, scene, plan);
        for (i, lane) in plan.lanes.iter().enumerate() {
            if lane.pair >= scene.model.pairs() {
                continue;
            }
            draw_values(pen, scene, plan, lane);
            if i == 0 {
                draw_above(pen, scene, plan, lane);
            }
        }
        draw_pointed_name(pen, scene, plan);
        draw_grips(pen, scene, plan);
    }

    fn handles(&self, _: &Scene, plan: &Plan) -> Vec<Handle> {
        let lanes = plan.lanes.iter();
        let lanes = lanes.map(|lane| Handle::area(lane.plot).sets(POS, Mapping::Custom));
        lanes.collect()
    }

    fn grips(&self, scene: &Scene, plan: &Plan) -> Option<[Region; 2]> {
        let [target, pos] = grips(scene, plan).map(|grip| Region::grip(grip.at));
        Some([pos, target])
    }

    fn hit_test(&self, scene: &Scene, plan: &Plan, at: Point) -> Option<Hit> {
        let lane = plan.lanes.iter().find(|lane| lane.plot.contains(at))?;
        let position = plan.positions.value(at.x).round().max(0.0) as usize;
        Some(Hit::Wave {
            position: position.min(scene.model.state.max_len() - 1),
            pair: lane.pair,
        })
    }
}

impl WavesView {
    /// The position at a point of the picture, neither rounded nor clamped.
    pub fn position(scene: &Scene, at: Point) -> Option<f64> {
        let plan = scene.layout::<WavesView>()?;
        Some(plan.positions.value(at.x))
    }

    /// The plot's rectangle in CSS pixels, for zooming; `None` if the encoding has none.
    pub fn plot(scene: &Scene) -> Option<Rect> {
        if !scene.model.shows(ViewName::Waves) {
            return None;
        }
        scene.layout::<WavesView>().map(|plan| plan.plot)
    }
}
