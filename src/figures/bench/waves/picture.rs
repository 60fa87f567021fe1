//! What is drawn in the lanes: names, waves, dots, marks and the wavelength.

use super::{CLOSEST_DOTS, FINEST_CYCLE, LOWEST_WITH_DOTS, Lane, Plan, TICKS};
use crate::draw::pen::{Words, tag_width, text_width};
use crate::draw::theme::CURVE_UNDER_DOTS;
use crate::draw::{DrawResult, Pen, Picture, Rect, Theme};
use crate::figures::bench::view::Scene;
use crate::figures::bench::words;
use crate::math::Clamp;
use crate::text::{labels, number};
use plotters::style::RGBColor;
use posenc_encoding::Member;
use std::f64::consts::{PI, TAU};

/// The values that a lane has room to name.
pub(super) fn lane_values(lane: &Lane, size: f64) -> &'static [f64] {
    if lane.plot.height > 5.0 * size {
        &[1.0, 0.0, -1.0]
    } else {
        &[0.0]
    }
}

pub(super) fn draw_lane_name<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    lane: &Lane,
) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    let size = theme.label_size();
    let name = labels::pair_tag(model.lang, lane.pair);
    let x = lane.plot.right() + 0.8 * size;
    if x + 4.0 * size > scene.frame.width {
        return Ok(());
    }
    let y = lane.plot.centre_y();
    let words = Words::new(size, theme.ink).starting();
    if lane.pair >= model.pairs() {
        return pen.words((x, y), labels::ZERO_COLUMN.get(model.lang), words);
    }
    let Some(waves) = &model.waves else {
        return pen.words((x, y), &name, words.bold());
    };
    let wavelength = format!("λ = {}", number::short(waves.wavelength(lane.pair), 4));
    if lane.plot.height > 2.8 * size {
        pen.words((x, y - 0.7 * size), &name, words.bold())?;
        pen.words(
            (x, y + 0.7 * size),
            &wavelength,
            Words::new(size, theme.muted).starting(),
        )
    } else {
        let short = format!("{name}: {wavelength}");
        let named = if x + text_width(&short, size) < scene.frame.width {
            short
        } else {
            name
        };
        pen.words(
            (x, y),
            &named,
            Words::new(0.92 * size, theme.ink).starting(),
        )
    }
}

pub(super) fn draw_lane<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
    lane: &Lane,
) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    let Some(waves) = &model.waves else {
        return draw_columns(pen, scene, plan, lane);
    };
    let wavelength = waves.wavelength(lane.pair);
    let members = [(Member::Sine, theme.sine), (Member::Cosine, theme.cosine)];
    let members = members
        .iter()
        .filter(|(member, _)| model.member_dimension(lane.pair, *member).is_some());
    if wavelength * plan.positions.density() < FINEST_CYCLE {
        for (_, colour) in members {
            let top = lane.values.pixel(1.0);
            let band = lane.plot.down(top, lane.values.pixel(-1.0) - top);
            pen.fill(band, *colour, 0.16)?;
        }
        let size = theme.label_size();
        let at = (lane.plot.centre_x(), lane.values.pixel(0.0));
        return pen.words(
            at,
            labels::TOO_FAST.get(model.lang),
            Words::new(size, theme.muted),
        );
    }
    // At least a dozen points a cycle and no more than two a pixel.
    let step = (wavelength * plan.positions.density() / 12.0).clamp(0.5, 3.0);
    let count = (plan.plot.width / step).ceil() as usize;
    let mut curves = [Vec::with_capacity(count + 1), Vec::with_capacity(count + 1)];
    for i in 0..=count {
        let x = plan.plot.x + plan.plot.width * i as f64 / count as f64;
        let (sine, cosine) = waves.sin_cos_at(lane.pair, plan.positions.value(x));
        curves[0].push((x, lane.values.pixel(sine)));
        curves[1].push((x, lane.values.pixel(cosine)));
    }
    let dots = plan.positions.density() >= CLOSEST_DOTS && lane.plot.height >= LOWEST_WITH_DOTS;
    for (member, colour) in members {
        let (curve, width) = (&curves[*member as usize], 0.8 * theme.stroke());
        // Not by colour alone: the cosine has rings for dots, and dashes where there are none.
        match (dots, member) {
            (true, _) => pen.faint_line(curve, *colour, CURVE_UNDER_DOTS, width)?,
            (false, Member::Sine) => pen.line(curve, *colour, width)?,
            (false, Member::Cosine) => pen.dashed_curve(curve, *colour, 1.0, width)?,
        }
    }
    if dots {
        draw_dots(pen, scene, plan, lane)?;
    }
    draw_values(pen, scene, plan, lane)
}

/// The pair's columns of a table without a formula: dots, joined by lines only to be told apart; where there are
/// several to a pixel, the bands that they fill.
pub(super) fn draw_columns<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
    lane: &Lane,
) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    let span = model.state.positions();
    let last = (span.end().ceil() as usize).min(model.state.max_len());
    let inside = |x: &f64| (plan.plot.x..=plan.plot.right()).contains(x);
    let joined = plan.positions.density() >= 1.0;
    for (member, colour) in [(0, theme.sine), (1, theme.cosine)] {
        let points = (span.start().ceil() as usize..last).filter_map(|position| {
            let x = plan.positions.pixel(position as f64);
            let value = model.pair_at(lane.pair, position as f64)[member]?;
            inside(&x).then(|| (x, lane.values.pixel(value)))
        });
        if joined {
            let points: Vec<_> = points.collect();
            pen.faint_line(&points, colour, CURVE_UNDER_DOTS, 0.8 * theme.stroke())?;
            continue;
        }
        // From the least to the greatest of each pixel.
        let mut columns: Vec<[(f64, f64); 2]> = Vec::new();
        for (x, y) in points {
            match columns.last_mut() {
                Some([low, high]) if x.floor() == low.0.floor() => {
                    low.1 = low.1.max(y);
                    high.1 = high.1.min(y);
                }
                _ => columns.push([(x, y), (x, y)]),
            }
        }
        pen.comb(&columns, colour, 0.5)?;
    }
    if plan.positions.density() >= CLOSEST_DOTS && lane.plot.height >= LOWEST_WITH_DOTS {
        draw_dots(pen, scene, plan, lane)?;
    }
    draw_values(pen, scene, plan, lane)
}

pub(super) fn draw_dots<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
    lane: &Lane,
) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    let span = model.state.positions();
    let last = (span.end().ceil() as usize).min(model.state.max_len());
    let radius = (0.22 * plan.positions.density()).clamp(1.5, 3.0) * theme.scale;
    for position in span.start().ceil() as usize..last {
        let values = model.pair_at(lane.pair, position as f64);
        let x = plan.positions.pixel(position as f64);
        if !(plan.plot.x..=plan.plot.right()).contains(&x) {
            continue;
        }
        for (member, value, colour) in members(values, theme) {
            if model.member_dimension(lane.pair, member).is_some() {
                let at = (x, lane.values.pixel(value));
                match member {
                    Member::Sine => pen.disc(at, radius, colour)?,
                    Member::Cosine => {
                        pen.disc(at, radius, theme.panel)?;
                        pen.ring(at, radius, colour, 0.5 * theme.stroke())?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// What there is of a pair's numbers, each with its colour.
pub(super) fn members(
    values: [Option<f64>; 2],
    theme: &Theme,
) -> impl Iterator<Item = (Member, f64, RGBColor)> {
    let colours = [(Member::Sine, theme.sine), (Member::Cosine, theme.cosine)];
    let all = colours.into_iter().zip(values);
    all.filter_map(|((member, colour), value)| Some((member, value?, colour)))
}

/// Where pos and pos + k are in view: their place, colour, value and name.
pub(super) fn marked(scene: &Scene, plan: &Plan) -> Vec<(f64, f64, RGBColor, &'static str, i64)> {
    let model = scene.model;
    let offset = model.state.k() as f64;
    let marks = [
        (
            model.shown_pos() + offset,
            scene.theme.there,
            "pos+k",
            model.target(),
        ),
        (
            model.shown_pos(),
            scene.theme.here,
            "pos",
            model.state.pos() as i64,
        ),
    ];
    let visible = |x: f64| (plan.plot.x..=plan.plot.right()).contains(&x);
    marks
        .into_iter()
        .map(|(at, colour, name, position)| (at, plan.positions.pixel(at), colour, name, position))
        .filter(|mark| visible(mark.1))
        .collect()
}

pub(super) fn draw_position_lines<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
) -> DrawResult<DB> {
    for (_, x, colour, _, _) in marked(scene, plan) {
        pen.line(
            &[(x, plan.plot.y), (x, plan.plot.bottom())],
            colour,
            0.75 * scene.theme.stroke(),
        )?;
    }
    Ok(())
}

/// The values at pos and pos + k as discs ringed in the colour of their mark.
pub(super) fn draw_values<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
    lane: &Lane,
) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    for (at, x, mark, _, _) in marked(scene, plan) {
        for (member, value, colour) in members(model.pair_at(lane.pair, at), theme) {
            if model.member_dimension(lane.pair, member).is_some() {
                let point = (x, lane.values.pixel(value));
                pen.disc(point, 5.0 * theme.scale, mark)?;
                pen.disc(point, 3.2 * theme.scale, colour)?;
            }
        }
    }
    Ok(())
}

pub(super) fn draw_position_tags<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
) -> DrawResult<DB> {
    let theme = scene.theme;
    let size = theme.label_size();
    let mut tags: Vec<_> = marked(scene, plan)
        .into_iter()
        .map(|(_, x, colour, name, position)| {
            let text = format!("{name} {}", number::whole(position));
            let half = tag_width(&text, size) / 2.0;
            (x, half, colour, text)
        })
        .collect();
    if let [a, b] = &mut tags[..] {
        let missing = a.1 + b.1 + 2.0 - (a.0 - b.0).abs();
        if missing > 0.0 {
            // Whichever is to the right stays there.
            let side = if a.0 >= b.0 { 1.0 } else { -1.0 };
            a.0 += side * missing / 2.0;
            b.0 -= side * missing / 2.0;
        }
    }
    // Neither may stand over a side of the figure, and they move together.
    let over_left = tags
        .iter()
        .map(|(x, half, ..)| half - x)
        .fold(0.0, f64::max);
    let over_right = tags
        .iter()
        .map(|(x, half, ..)| x + half - scene.frame.width);
    let over_right = over_right.fold(0.0, f64::max);
    for tag in &mut tags {
        tag.0 += over_left - over_right;
    }
    let y = plan.plot.bottom() + 0.95 * size;
    // No number is left half under a tag.
    for tick in plan.positions.whole_ticks(TICKS * size) {
        let reach = text_width(&number::whole(tick), size) / 2.0 + 0.3 * size;
        let at = plan.positions.pixel(tick as f64);
        if tags
            .iter()
            .any(|(x, half, ..)| (x - at).abs() < half + reach)
        {
            let behind = Rect::centred((at, y), 2.0 * reach, 1.36 * size);
            pen.fill(behind.within(scene.frame), theme.panel, 1.0)?;
        }
    }
    for (x, _, colour, text) in tags {
        pen.tag((x, y), &text, size, colour, theme.panel)?;
    }
    Ok(())
}

/// One wavelength as a measured bracket from crest to crest of the sine, nearest to pos; where it
/// is longer than what is in view, an open bracket that says so.
pub(super) fn draw_wavelength<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
    lane: &Lane,
    wavelength: f64,
) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    let size = theme.label_size();
    let y = lane.plot.y + 0.75 * size;
    let (left, right) = (plan.plot.x, plan.plot.right());
    let shown = model.state.positions().width();
    let half_of = |text: &str| text_width(text, size) / 2.0 + 0.5 * size;
    let named = words::wavelength_bracket(model.lang, wavelength, shown);
    let text = if 2.0 * half_of(&named) < plan.plot.width {
        named
    } else {
        format!("λ = {}", number::short(wavelength, 4))
    };
    let half_text = half_of(&text);

    let crest = |n: f64| (n * TAU + PI / 2.0) * wavelength / TAU;
    let low = plan.positions.value(left);
    let high = plan.positions.value(right);
    let nearest = ((model.state.pos() as f64 * TAU / wavelength - PI / 2.0) / TAU).floor();
    let first = ((low * TAU / wavelength - PI / 2.0) / TAU).ceil();
    let last = ((high * TAU / wavelength - PI / 2.0) / TAU).floor() - 1.0;
    let (from, to) = if first <= last {
        let n = nearest.clamped(first, last);
        (
            plan.positions.pixel(crest(n)),
            plan.positions.pixel(crest(n + 1.0)),
        )
    } else {
        (left, right)
    };
    let closed = first <= last;
    if closed {
        for x in [from, to] {
            let foot = lane.values.pixel(1.0);
            pen.line(
                &[(x, y - 0.4 * size), (x, foot)],
                theme.ink,
                theme.hairline(),
            )?;
        }
    }
    let width = 1.2 * theme.hairline();
    let centre = (from + to) / 2.0;
    if to - from > 2.0 * half_text + 2.4 * size {
        pen.arrow((centre - half_text, y), (from, y), theme.ink, width)?;
        pen.arrow((centre + half_text, y), (to, y), theme.ink, width)?;
        pen.words((centre, y), &text, Words::new(size, theme.ink))
    } else if !closed {
        pen.arrow((centre, y), (from, y), theme.ink, width)?;
        pen.arrow((centre, y), (to, y), theme.ink, width)?;
        let behind = Rect::centred((centre, y), 2.0 * half_text, 1.4 * size);
        pen.fill(behind, theme.panel, 1.0)?;
        pen.words((centre, y), &text, Words::new(size, theme.ink))
    } else {
        // Too short to be seen; the wavelength stands beside the lane as well.
        if to - from < 6.0 && plan.plot.right() + 10.0 * size < scene.frame.width {
            return Ok(());
        }
        if to - from > 6.0 {
            pen.arrow((centre, y), (from, y), theme.ink, width)?;
            pen.arrow((centre, y), (to, y), theme.ink, width)?;
        }
        // Beside the bracket, on whichever side has room.
        let gap = 0.5 * size + half_text;
        let x = if to + 2.0 * half_text < right {
            to + gap
        } else {
            (from - gap).max(left + half_text)
        };
        pen.words((x, y), &text, Words::new(size, theme.ink))
    }
}
