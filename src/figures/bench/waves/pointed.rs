//! The pair under the pointer in any of the pictures: its wave behind that of the selected pair, and its name. If the
//! pair has a lane of its own, that lane is framed instead.

use super::picture::{curves, is_too_fast, members};
use super::{Lane, Plan};
use crate::draw::text_style::TextStyle;
use crate::draw::{Pen, Rect};
use crate::figures::bench::view::Scene;
use crate::text::labels;
use posenc_encoding::Member;

/// Opacity of its curves, and of the band drawn instead of curves with too many cycles.
const CURVE: f64 = 0.5;
const BAND: f64 = 0.1;

fn lane_of(plan: &Plan, pair: usize) -> Option<&Lane> {
    plan.lanes.iter().find(|lane| lane.pair == pair)
}

pub(super) fn draw_pointed_wave(pen: &Pen, scene: &Scene, plan: &Plan) {
    let (theme, model) = (scene.theme, scene.model);
    let Some(pair) = model.pointed_pair() else {
        return;
    };
    let width = theme.hairline();
    if let Some(lane) = lane_of(plan, pair) {
        return pen.outline(lane.plot, theme.accent, 1.0, width);
    }
    let lane = &plan.lanes[0];
    let density = plan.positions.density();
    let members_of = |values| {
        let here = members(values, theme).filter(|(member, ..)| {
            let dimension = model.member_dimension(pair, *member);
            dimension.is_some()
        });
        here.collect::<Vec<_>>()
    };
    if let Some(waves) = &model.waves {
        let fast = is_too_fast(plan, waves, pair);
        let curves = match fast {
            true => Default::default(),
            false => curves(plan, lane, waves, pair),
        };
        for (member, _, colour) in members_of([Some(0.0); 2]) {
            if fast {
                let top = lane.values.pixel(1.0);
                let band = lane.plot.down(top, lane.values.pixel(-1.0) - top);
                pen.fill(band, colour, BAND);
                continue;
            }
            // Sine and cosine differ not only in colour.
            match member {
                Member::Sine => pen.faint_line(&curves[0], colour, CURVE, width),
                Member::Cosine => pen.dashed_curve(&curves[1], colour, CURVE, width),
            }
        }
        return;
    }
    // A table without a formula has values at whole positions only.
    let span = model.state.positions();
    let last = (span.end().ceil() as usize).min(model.state.max_len());
    if density < 1.0 {
        return;
    }
    let mut points = [Vec::new(), Vec::new()];
    for position in span.start().ceil() as usize..last {
        let x = plan.positions.pixel(position as f64);
        for (member, value, _) in members_of(model.pair_at(pair, position as f64)) {
            points[member as usize].push((x, lane.values.pixel(value)));
        }
    }
    for (points, colour) in points.iter().zip([theme.sine, theme.cosine]) {
        pen.faint_line(points, colour, CURVE, width);
    }
}

/// Draws the pair's name below those of the selected pair's curves or, if there is no room, at the right end of its
/// lane.
pub(super) fn draw_pointed_name(pen: &Pen, scene: &Scene, plan: &Plan) {
    let (theme, model) = (scene.theme, scene.model);
    let pair = model.pointed_pair();
    let Some(pair) = pair.filter(|pair| lane_of(plan, *pair).is_none()) else {
        return;
    };
    let size = theme.label_size();
    let lane = &plan.lanes[0];
    let room = lane.name;
    let name = labels::pair_tag(model.lang, pair);
    let style = TextStyle::new(1.08 * size, theme.accent);
    let half = 0.5 * style.width(&name) + 0.5 * size;
    let below = room.y + 7.0 * size;
    let beside = room.right() < plan.plot.x && below + size < room.bottom();
    let at = match beside {
        true => (room.x + half, below),
        false => (plan.plot.right() - half, lane.plot.y + 0.75 * size),
    };
    let frame = Rect::centred(at, 2.0 * half, 1.7 * size);
    pen.fill(frame, theme.panel, 1.0);
    pen.outline(frame, theme.accent, 1.0, theme.hairline());
    pen.text(at, &name, style);
}
