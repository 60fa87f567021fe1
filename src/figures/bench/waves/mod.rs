//! Value against position for the selected pair and those compared with it, a lane each.

mod picture;

use crate::draw::pen::Words;
use crate::draw::{DrawResult, Frame, Pen, Picture, Rect, Scale, Theme};
use crate::field::ViewName;
use crate::figure::{Handle, Mapping};
use crate::figures::bench::model::Model;
use crate::figures::bench::view::{Fingerprint, Scene, Target, View};
use crate::text::{labels, number};
use picture::{
    draw_lane, draw_lane_name, draw_position_lines, draw_position_tags, draw_wavelength,
    lane_values,
};

#[derive(Default)]
pub struct WavesView;

/// Below this many pixels a cycle, a curve is a smear: it is drawn as the band it fills.
const FINEST_CYCLE: f64 = 5.0;
/// Dots closer than this would touch.
const CLOSEST_DOTS: f64 = 4.0;
/// In a lower lane dots hide the curve.
const LOWEST_WITH_DOTS: f64 = 30.0;

/// Between two numbers of the position axis, in label sizes.
const TICKS: f64 = 6.0;

struct Lane {
    pair: usize,
    plot: Rect,
    values: Scale,
}

struct Plan {
    plot: Rect,
    /// A dot stands at its position; position p is the left edge of the heatmap's cell p.
    positions: Scale,
    lanes: Vec<Lane>,
}

impl Plan {
    fn new(frame: Frame, theme: &Theme, model: &Model) -> Option<Plan> {
        let size = theme.label_size();
        let roomy = frame.width > 34.0 * size;
        let right = if roomy { 10.5 * size } else { 1.2 * size };
        let plot = Rect::inside(frame, 4.2 * size, 0.4 * size, right, 2.9 * size);
        if plot.is_empty() {
            return None;
        }
        let span = model.state.positions();
        // Half a cell early, so that the first dot is not on the edge.
        let range = (span.start() - 0.5, span.end() - 0.5);
        let pairs = pairs(model);
        // The bracket stands above the crests of the selected pair.
        let bracket = (1.5 * size).min(0.3 * plot.height);
        let height = (plot.height - bracket) / pairs.len() as f64;
        let lanes = pairs.into_iter().enumerate().map(|(i, pair)| {
            let (extra, margin) = (if i == 0 { bracket } else { 0.0 }, (0.1 * height).min(size));
            let lane = plot.down(plot.y + i as f64 * height + bracket - extra, height + extra);
            let (above, below) = (extra + margin, margin);
            Lane {
                pair,
                plot: lane,
                values: Scale::new((1.0, -1.0), (lane.y + above, lane.bottom() - below)),
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

impl View for WavesView {
    const NAME: ViewName = ViewName::Waves;

    fn fingerprint(&self, scene: &Scene) -> Fingerprint {
        let state = &scene.model.state;
        let span = state.positions();
        vec![
            span.start().to_bits(),
            span.end().to_bits(),
            pairs(scene.model).len() as u64,
        ]
    }

    fn draw_axes<DB: Picture>(&self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB> {
        let Some(plan) = Plan::new(scene.frame, scene.theme, scene.model) else {
            return Ok(());
        };
        let (theme, lang, plot) = (scene.theme, scene.model.lang, plan.plot);
        let size = theme.label_size();
        let label = Words::new(size, theme.muted);
        let ticks = plan.positions.whole_ticks(TICKS * size);
        let low = plot.bottom() + 4.0;
        let teeth = ticks.iter().map(|&tick| plan.positions.pixel(tick as f64));
        let teeth: Vec<_> = teeth.map(|x| [(x, low), (x, plot.y)]).collect();
        pen.comb(&teeth, theme.rule, theme.hairline())?;
        for lane in &plan.lanes {
            let (left, right) = (plot.x, plot.right());
            let lines = lane_values(lane, size)
                .iter()
                .map(|&value| lane.values.pixel(value));
            let teeth: Vec<_> = lines.map(|y| [(left, y), (right, y)]).collect();
            pen.comb(&teeth, theme.rule, theme.hairline())?;
        }
        for tick in ticks {
            let x = plan.positions.pixel(tick as f64);
            pen.words(
                (x, plot.bottom() + 0.95 * size),
                &number::whole(tick),
                label,
            )?;
        }
        for lane in &plan.lanes {
            for &value in lane_values(lane, size) {
                let y = lane.values.pixel(value);
                pen.words((plot.x - 6.0, y), &number::fixed(value, 0), label.ending())?;
            }
        }
        let titles = [labels::VALUE_AXIS, labels::POSITION_AXIS].map(|title| title.get(lang));
        pen.titles(plot, titles, size, theme.ink)
    }

    fn draw<DB: Picture>(&mut self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB> {
        let Some(plan) = Plan::new(scene.frame, scene.theme, scene.model) else {
            return Ok(());
        };
        draw_position_lines(pen, scene, &plan)?;
        for (i, lane) in plan.lanes.iter().enumerate() {
            draw_lane_name(pen, scene, lane)?;
            if lane.pair < scene.model.pairs() {
                draw_lane(pen, scene, &plan, lane)?;
                if i == 0
                    && let Some(waves) = &scene.model.waves
                {
                    draw_wavelength(pen, scene, &plan, lane, waves.wavelength(lane.pair))?;
                }
            }
        }
        draw_position_tags(pen, scene, &plan)
    }

    fn handles(&self, scene: &Scene) -> Vec<Handle> {
        let plan = Plan::new(scene.frame, scene.theme, scene.model);
        let lanes = plan.into_iter().flat_map(|plan| plan.lanes);
        lanes
            .map(|lane| Handle::area(lane.plot).sets("pos", Mapping::Own))
            .collect()
    }

    fn target(&self, scene: &Scene, x: f64, y: f64) -> Option<Target> {
        let plan = Plan::new(scene.frame, scene.theme, scene.model)?;
        let lane = plan.lanes.iter().find(|lane| lane.plot.contains(x, y))?;
        let position = plan.positions.value(x).round().max(0.0) as usize;
        Some(Target::Wave {
            position: position.min(scene.model.state.max_len() - 1),
            pair: lane.pair,
        })
    }
}

impl WavesView {
    /// The plot's rectangle in CSS pixels, for whoever zooms.
    pub fn plot(scene: &Scene) -> Option<Rect> {
        if !scene.model.has_table() {
            return None;
        }
        Plan::new(scene.frame, scene.theme, scene.model).map(|plan| plan.plot)
    }
}
