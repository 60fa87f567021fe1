//! Drawing of the lanes: names, waves, dots, marks and the wavelength.

use super::{CLOSEST_DOTS, FINEST_CYCLE, LOWEST_WITH_DOTS, Lane, NUMBERS, Plan, TICKS, axis_name};
use crate::draw::text_style::TextStyle;
use crate::draw::theme::CURVE_UNDER_DOTS;
use crate::draw::{Pen, Point, Rect, Theme};
use crate::figures::bench::model::Hand;
use crate::figures::bench::view::Scene;
use crate::math::Clamp;
use crate::text::{labels, number};
use plotters::style::RGBColor;
use posenc_encoding::{Member, Sinusoidal};

/// The values of a lane's grid lines and their labels.
pub(super) fn lane_values(lane: &Lane, size: f64) -> Vec<f64> {
    match lane.plot.height > 5.0 * size {
        true => vec![lane.most, 0.0, -lane.most],
        false => vec![0.0],
    }
}

/// Draws the pair's name and, beside or below it, the legend of its curves in the first lane or the wavelength in the
/// others.
pub(super) fn draw_lane_name(pen: &Pen, scene: &Scene, plan: &Plan, lane: &Lane) {
    let (theme, model) = (scene.theme, scene.model);
    let size = theme.label_size();
    let (room, first) = (lane.name, plan.lanes[0].pair == lane.pair);
    let name = match lane.pair >= model.pairs() {
        true => labels::ZERO_COLUMN.get(model.lang).to_string(),
        false => labels::pair_tag(model.lang, lane.pair),
    };
    let beside = room.right() < plan.plot.x;
    let style = TextStyle::new(1.17 * size, theme.accent)
        .bold()
        .align_left();
    let style = style.fitting(&name, room.width);
    // Whether a lane has room for only one line beside it.
    let is_low = room.height < 2.7 * size;
    let top = match beside && !first {
        true => room.centre_y() - if is_low { 0.0 } else { 0.6 * size },
        false => room.y + 0.8 * size,
    };
    pen.text((room.x, top), &name, style);
    let muted = TextStyle::new(size, theme.muted).align_left();
    if !first {
        let Some(waves) = model.waves.as_ref().filter(|_| !(beside && is_low)) else {
            return;
        };
        let wavelength = format!("λ = {}", number::short(waves.wavelength(lane.pair), 4));
        let at = match beside {
            true => (room.x, top + 1.35 * size),
            false => (room.x + style.width(&name) + 0.8 * size, top),
        };
        return pen.text(at, &wavelength, muted);
    }
    // The legend of the curves.
    let step = ((room.height - 1.5 * size) / 2.0).min(1.6 * size);
    if beside && step < 1.15 * size {
        return;
    }
    let mut at = match beside {
        true => Point::new(
            room.x,
            (top + 2.2 * size).min(room.bottom() - 0.7 * size - step),
        ),
        false => Point::new(room.x + style.width(&name) + 1.6 * size, top),
    };
    let members = [
        (Member::Sine, labels::SINE, theme.sine),
        (Member::Cosine, labels::COSINE, theme.cosine),
    ];
    let waves = model.waves.is_some();
    for (member, label, colour) in members {
        let Some(dimension) = model.member_dimension(lane.pair, member) else {
            continue;
        };
        // Columns of a table that is not sinusoidal are named by their dimensions.
        let label = match waves {
            true => label.get(model.lang).to_string(),
            false => labels::dimension_tag(model.lang, dimension),
        };
        let dot = at + (0.35 * size, 0.0);
        match member {
            Member::Sine => pen.disc(dot, 0.32 * size, colour),
            Member::Cosine => pen.ring(dot, 0.3 * size, colour, 0.75 * theme.stroke()),
        }
        let style = TextStyle::new(1.08 * size, colour).align_left().bold();
        let style = style.fitting(&label, room.right() - at.x - 1.1 * size);
        pen.text(at + (1.1 * size, 0.0), &label, style);
        match beside {
            true => at.y += step,
            false => at.x += style.width(&label) + 2.2 * size,
        }
    }
}

/// Whether a pair's wavelength is too short for curves, so that the band they would fill is drawn instead.
pub(super) fn is_too_fast(plan: &Plan, waves: &Sinusoidal, pair: usize) -> bool {
    waves.wavelength(pair) * plan.positions.density() < FINEST_CYCLE
}

/// Draws the pair's curves, which do not depend on pos and k.
pub(super) fn draw_waves(pen: &Pen, scene: &Scene, plan: &Plan, lane: &Lane) {
    let (theme, model) = (scene.theme, scene.model);
    let Some(waves) = &model.waves else {
        return draw_columns(pen, scene, plan, lane);
    };
    let members = [(Member::Sine, theme.sine), (Member::Cosine, theme.cosine)];
    let members = members
        .iter()
        .filter(|(member, _)| model.member_dimension(lane.pair, *member).is_some());
    if is_too_fast(plan, waves, lane.pair) {
        for (_, colour) in members {
            let top = lane.values.pixel(1.0);
            let band = lane.plot.down(top, lane.values.pixel(-1.0) - top);
            pen.fill(band, *colour, 0.16);
        }
        let size = theme.label_size();
        let at = (lane.plot.centre_x(), lane.values.pixel(0.0));
        let words = match model.transient.beside_others {
            true => labels::TOO_FAST_BEFORE_ZOOM,
            false => labels::TOO_FAST,
        };
        return pen.text(at, words.get(model.lang), TextStyle::new(size, theme.muted));
    }
    let curves = curves(plan, lane, waves, lane.pair);
    let dots = has_dots(plan, lane);
    for (member, colour) in members {
        let (curve, width) = (&curves[*member as usize], 0.8 * theme.stroke());
        // Sine and cosine differ not only in colour: the cosine has rings for dots and, where there are no dots, dashes.
        match (dots, member) {
            (true, _) => pen.faint_line(curve, *colour, CURVE_UNDER_DOTS, width),
            (false, Member::Sine) => pen.line(curve, *colour, width),
            (false, Member::Cosine) => pen.dashed_curve(curve, *colour, 1.0, width),
        }
    }
    draw_dots(pen, scene, plan, lane);
}

/// The points of a pair's sine and cosine curves in a lane, in CSS pixels.
pub(super) fn curves(plan: &Plan, lane: &Lane, waves: &Sinusoidal, pair: usize) -> [Vec<Point>; 2] {
    // At least ten points per cycle, with a step of 0.5 to 3 CSS pixels.
    let step = (waves.wavelength(pair) * plan.positions.density() / 12.0).clamp(0.5, 3.0);
    let count = (plan.plot.width / step).ceil() as usize;
    let mut curves = [Vec::with_capacity(count + 1), Vec::with_capacity(count + 1)];
    for i in 0..=count {
        let x = plan.plot.x + plan.plot.width * i as f64 / count as f64;
        let (sine, cosine) = waves.sin_cos_at(pair, plan.positions.value(x));
        curves[0].push(Point::new(x, lane.values.pixel(sine)));
        curves[1].push(Point::new(x, lane.values.pixel(cosine)));
    }
    curves
}

/// Draws the pair's columns of a table without a formula: dots with faint lines between them; if there are several
/// positions per pixel, the bands that the values fill.
fn draw_columns(pen: &Pen, scene: &Scene, plan: &Plan, lane: &Lane) {
    let (theme, model) = (scene.theme, scene.model);
    let span = model.state.positions();
    let last = (span.end().ceil() as usize).min(model.state.max_len());
    let inside = |x: &f64| (plan.plot.x..=plan.plot.right()).contains(x);
    let joined = plan.positions.density() >= 1.0;
    for (member, colour) in [(0, theme.sine), (1, theme.cosine)] {
        let points = (span.start().ceil() as usize..last).filter_map(|position| {
            let x = plan.positions.pixel(position as f64);
            let value = model.pair_at(lane.pair, position as f64)[member]?;
            inside(&x).then(|| Point::new(x, lane.values.pixel(value)))
        });
        if joined {
            let points: Vec<_> = points.collect();
            pen.faint_line(&points, colour, CURVE_UNDER_DOTS, 0.8 * theme.stroke());
            continue;
        }
        // Minimum and maximum of each pixel.
        let mut columns: Vec<[Point; 2]> = Vec::new();
        for at in points {
            match columns.last_mut() {
                Some([low, high]) if at.x.floor() == low.x.floor() => {
                    low.y = low.y.max(at.y);
                    high.y = high.y.min(at.y);
                }
                _ => columns.push([at, at]),
            }
        }
        pen.comb(&columns, colour, 0.5);
    }
    draw_dots(pen, scene, plan, lane);
}

/// Whether a lane has room for dots.
fn has_dots(plan: &Plan, lane: &Lane) -> bool {
    plan.positions.density() >= CLOSEST_DOTS && lane.plot.height >= LOWEST_WITH_DOTS
}

/// If there is room, draws a dot for each position: a disc for the sine, a ring for the cosine.
fn draw_dots(pen: &Pen, scene: &Scene, plan: &Plan, lane: &Lane) {
    if !has_dots(plan, lane) {
        return;
    }
    let (theme, model) = (scene.theme, scene.model);
    let span = model.state.positions();
    let last = (span.end().ceil() as usize).min(model.state.max_len());
    let radius = (0.22 * plan.positions.density()).clamp(1.5, 3.0) * theme.scale;
    let mut dots = [Vec::new(), Vec::new()];
    for position in span.start().ceil() as usize..last {
        let x = plan.positions.pixel(position as f64);
        if !(plan.plot.x..=plan.plot.right()).contains(&x) {
            continue;
        }
        for (member, value, _) in members(model.pair_at(lane.pair, position as f64), theme) {
            if model.member_dimension(lane.pair, member).is_some() {
                dots[member as usize].push(Point::new(x, lane.values.pixel(value)));
            }
        }
    }
    let [sines, cosines] = dots;
    pen.discs(&sines, radius, theme.sine);
    pen.discs(&cosines, radius, theme.panel);
    pen.rings(&cosines, radius, theme.cosine, 0.5 * theme.stroke());
}

/// The values of a pair that exist, with their members and colours.
pub(super) fn members(
    values: [Option<f64>; 2],
    theme: &Theme,
) -> impl Iterator<Item = (Member, f64, RGBColor)> {
    let colours = [(Member::Sine, theme.sine), (Member::Cosine, theme.cosine)];
    let all = colours.into_iter().zip(values);
    all.filter_map(|((member, colour), value)| Some((member, value?, colour)))
}

/// The mark of pos or of pos + k.
pub(super) struct Mark {
    pub(super) hand: Hand,
    /// Fractional while it moves.
    pub(super) position: f64,
    pub(super) x: f64,
    pub(super) colour: RGBColor,
}

/// The two marks; that of pos is last and drawn on top.
fn marks(scene: &Scene, plan: &Plan) -> [Mark; 2] {
    let (model, theme) = (scene.model, scene.theme);
    let [pos, target] = model.mark_positions();
    let marks = [
        (Hand::Target, target, theme.there),
        (Hand::Pos, pos, theme.here),
    ];
    marks.map(|(hand, position, colour)| Mark {
        hand,
        position,
        x: plan.positions.pixel(position),
        colour,
    })
}

/// The marks in view.
pub(super) fn marked(scene: &Scene, plan: &Plan) -> impl Iterator<Item = Mark> {
    let view = plan.plot.x..=plan.plot.right();
    let guessing = scene.model.transient.guessing;
    let marks = marks(scene, plan).into_iter();
    // While the reader is guessing pos + k, its mark is hidden.
    let shown = move |mark: &Mark| !(guessing && mark.hand == Hand::Target);
    marks.filter(move |mark| view.contains(&mark.x) && shown(mark))
}

pub(super) fn draw_position_lines(pen: &Pen, scene: &Scene, plan: &Plan) {
    let (plot, width) = (plan.plot, 0.75 * scene.theme.stroke());
    let marks = marks(scene, plan);
    for (mark, grip) in marks.iter().zip(grips(scene, plan)) {
        if (plot.x..=plot.right()).contains(&mark.x) {
            let [top, foot] = plot.vertical(mark.x);
            let line = [top, foot, grip.at];
            pen.line(&line, mark.colour, width);
        }
    }
}

/// Draws the values at pos and pos + k as large dots in the colours of sine and cosine.
pub(super) fn draw_values(pen: &Pen, scene: &Scene, plan: &Plan, lane: &Lane) {
    let (theme, model) = (scene.theme, scene.model);
    let waves = model.waves.as_deref();
    if waves.is_some_and(|waves| is_too_fast(plan, waves, lane.pair)) {
        return;
    }
    for mark in marked(scene, plan) {
        // A table has values at whole positions alone.
        let x = match waves {
            Some(_) => mark.x,
            None => plan.positions.pixel(mark.position.round()),
        };
        for (member, value, colour) in members(model.pair_at(lane.pair, mark.position), theme) {
            if model.member_dimension(lane.pair, member).is_some() {
                let point = (x, lane.values.pixel(value));
                pen.disc(point, 6.0 * theme.scale, theme.panel);
                pen.disc(point, 5.0 * theme.scale, colour);
                // As in all pictures, the dot of a cosine is hollow.
                if member == Member::Cosine {
                    pen.disc(point, 2.6 * theme.scale, theme.panel);
                }
            }
        }
    }
}

/// A grip below the plot by which pos or pos + k is dragged along the positions.
pub(super) struct Grip {
    pub(super) hand: Hand,
    pub(super) at: Point,
    colour: RGBColor,
    text: String,
    half: f64,
}

/// The grips of the marks, kept apart from each other and inside the figure; the grip of a mark out of view has an arrow
/// towards it.
pub(super) fn grips(scene: &Scene, plan: &Plan) -> [Grip; 2] {
    let model = scene.model;
    let size = scene.theme.label_size();
    let y = plan.plot.bottom() + NUMBERS * size;
    let grip = |mark: Mark| {
        let position = match mark.hand {
            Hand::Pos => model.drawn_pos(),
            Hand::Target => model.drawn_target(),
        };
        let number = number::whole(position);
        let (left, right) = (plan.plot.x, plan.plot.right());
        let text = match mark.x {
            x if x < left => format!("← {number}"),
            x if x > right => format!("{number} →"),
            _ => number,
        };
        let width = TextStyle::new(size, mark.colour).bold().width(&text);
        Grip {
            hand: mark.hand,
            at: Point::new(mark.x.clamped(left, right), y),
            colour: mark.colour,
            half: (width / 2.0 + 0.45 * size).max(GRIP * size),
            text,
        }
    };
    let marks = marks(scene, plan);
    let is_ahead = marks[0].position >= marks[1].position;
    let mut grips = marks.map(grip);
    // They are moved apart, the one at the higher position to the right, and kept inside the figure.
    let [there, here] = &mut grips;
    let (left, right) = if is_ahead {
        (here, there)
    } else {
        (there, here)
    };
    let reach = |grip: &Grip| 1.15 * grip.half;
    let gap = left.half + right.half + 1.0;
    let missing = (gap - (right.at.x - left.at.x)).max(0.0);
    left.at.x = (left.at.x - missing / 2.0).max(reach(left));
    right.at.x = (right.at.x + missing / 2.0).min(scene.frame.width - reach(right));
    left.at.x = left.at.x.min(right.at.x - gap).max(reach(left));
    right.at.x = right
        .at
        .x
        .max(left.at.x + gap)
        .min(scene.frame.width - reach(right));
    grips
}

/// Radius of a grip, in label sizes.
const GRIP: f64 = 1.08;

pub(super) fn draw_grips(pen: &Pen, scene: &Scene, plan: &Plan) {
    let theme = scene.theme;
    let size = theme.label_size();
    // Erases the numbers and the name of the axis if a grip would cover a part of them.
    let label = TextStyle::new(size, theme.muted);
    let covered = grips(scene, plan).map(|grip| {
        let width = 2.0 * (grip.half + 0.4 * size);
        Rect::centred(grip.at, width, 2.0 * GRIP * size)
    });
    let ticks = plan.positions.whole_ticks(TICKS * size).into_iter();
    let ticks = ticks.map(|tick| {
        let at = Point::new(plan.positions.pixel(tick as f64), covered[0].centre_y());
        (number::whole(tick), at, label)
    });
    for (text, at, style) in ticks.chain([axis_name(scene, plan)]) {
        let text = pen.text_bounds(at, &text, style);
        if covered.iter().any(|grip| grip.overlaps(&text)) {
            let text = text.inset(-0.2 * size).within(scene.frame);
            pen.fill(text, theme.panel, 1.0);
        }
    }
    for grip in grips(scene, plan) {
        let hovered = scene.model.transient.hand == Some(grip.hand);
        let grown = if hovered { 1.15 } else { 1.0 };
        let (radius, Point { x, y }) = (grown * GRIP * size, grip.at);
        let straight = (grip.half - GRIP * size).max(0.0);
        for end in [x - straight, x + straight] {
            pen.disc((end, y), radius, grip.colour);
        }
        let middle = Rect::centred(grip.at, 2.0 * straight, 2.0 * radius);
        pen.fill(middle, grip.colour, 1.0);
        let style = TextStyle::new(size, theme.panel).bold();
        pen.text(grip.at, &grip.text, style);
    }
}
