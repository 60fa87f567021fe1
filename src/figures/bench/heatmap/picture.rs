//! What is drawn over the image: the colour bar, numbers in cells, and the marks of the selection.

use super::{Plan, TICKS, axis};
use crate::draw::pen::{Words, tag_width, text_width};
use crate::draw::picture::{Image, Part};
use crate::draw::theme::readable_on;
use crate::draw::{Circle, ColourMap, DrawResult, HOLE, Pen, PhaseMap, Picture, Rect, Scale};
use crate::field::Span;
use crate::figures::bench::view::Scene;
use crate::math::Clamp;
use crate::text::{labels, number};
use plotters::style::RGBColor;
use posenc_encoding::Member;
use std::ops::Range;

/// The pixels of the image along one axis.
pub(super) struct Grid {
    /// What they cover.
    pub(super) cells: Range<f64>,
    pub(super) pixels: usize,
    /// How many of them lie before what is shown, and how many are shown.
    pub(super) before: f64,
    pub(super) shown: f64,
}

impl Grid {
    pub(super) fn new(span: Span, pixels: usize) -> Grid {
        if span.width() > pixels as f64 {
            return Grid {
                cells: span.start()..span.end(),
                pixels,
                before: 0.0,
                shown: pixels as f64,
            };
        }
        let cells = span.start().floor()..span.end().ceil();
        Grid {
            pixels: (cells.end - cells.start) as usize,
            before: span.start() - cells.start,
            shown: span.width(),
            cells,
        }
    }
}

pub(super) fn draw_colour_bar<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    bar: Rect,
) -> DrawResult<DB> {
    let steps = ColourMap::STEPS;
    let value = |step: usize| 1.0 - 2.0 * step as f32 / (steps - 1) as f32;
    let rgb: Vec<u8> = (0..steps)
        .flat_map(|step| scene.colours.colour(value(step)))
        .collect();
    let size = (1, steps as u32);
    let image = Image {
        size,
        rgb: &rgb,
        part: Part::whole(size),
    };
    pen.image(bar, image)?;
    let theme = scene.theme;
    pen.outline(bar, theme.rule, 1.0, theme.hairline())?;
    let axis = Scale::new((1.0, -1.0), (bar.y, bar.bottom()));
    let size = theme.label_size();
    let values: &[f64] = if bar.height > 8.0 * size {
        &[1.0, 0.5, 0.0, -0.5, -1.0]
    } else {
        &[1.0, 0.0, -1.0]
    };
    for &value in values {
        let y = axis
            .pixel(value)
            .clamped(bar.y + 0.4 * size, bar.bottom() - 0.4 * size);
        let digits = if value.fract() == 0.0 { 0 } else { 1 };
        let text = number::fixed(value, digits);
        pen.words(
            (bar.right() + 0.4 * size, y),
            &text,
            Words::new(size, theme.muted).starting(),
        )?;
    }
    Ok(())
}

/// Numbers in the cells, once the cells are large enough to hold them.
pub(super) fn draw_cell_values<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    plan: &Plan,
) -> DrawResult<DB> {
    let size = scene.theme.label_size();
    if plan.columns.density() < 3.7 * size || plan.rows.density() < 1.5 * size {
        return Ok(());
    }
    let state = &scene.model.state;
    let phase = state.shows_phase().then(|| PhaseMap::new(scene.theme));
    // What is written in a cell, and on which colour.
    let written = |position: usize, column: usize| match (&phase, &scene.model.waves) {
        (Some(map), Some(waves)) => {
            let angle = (column < waves.pairs()).then(|| waves.angle(column, position as i64))?;
            Some((labels::direction(angle), map.colour(angle)))
        }
        _ => {
            let value = scene.model.cell(position as i64, column)?;
            Some((number::fixed(value, 3), scene.colours.colour(value as f32)))
        }
    };
    let shown = axis(scene.model);
    let cells = |span: Span, count: usize| {
        span.start().floor() as usize..(span.end().ceil() as usize).min(count)
    };
    for position in cells(state.positions(), state.max_len()) {
        for column in cells(shown, shown.end().ceil() as usize) {
            let (x, y) = (
                plan.columns.pixel(column as f64 + 0.5),
                plan.rows.pixel(position as f64 + 0.5),
            );
            let Some((text, colour)) = written(position, column) else {
                continue;
            };
            let (half, high) = (text_width(&text, size) / 2.0, 0.6 * size);
            let fits =
                plan.plot.contains(x - half, y - high) && plan.plot.contains(x + half, y + high);
            if !fits {
                continue;
            }
            pen.words((x, y), &text, Words::new(size, readable_on(colour)))?;
        }
    }
    Ok(())
}

/// The selected pair in the colour wheel: its angle at pos and at pos + k.
pub(super) fn draw_hands<DB: Picture>(
    pen: &Pen<DB>,
    scene: &Scene,
    wheel: Circle,
) -> DrawResult<DB> {
    let Some(pair) = &scene.model.pair else {
        return Ok(());
    };
    let theme = scene.theme;
    for (angle, colour) in [
        (pair.angle + pair.turn, theme.there),
        (pair.angle, theme.here),
    ] {
        let tip = wheel.at(angle, 0.95 * HOLE);
        pen.line(&[wheel.centre, tip], colour, theme.stroke())?;
    }
    Ok(())
}

pub(super) fn draw_marks<DB: Picture>(pen: &Pen<DB>, scene: &Scene, plan: &Plan) -> DrawResult<DB> {
    let (theme, model) = (scene.theme, scene.model);
    let (size, plot) = (theme.label_size(), plan.plot);
    let boxed = |rect: Rect, colour: RGBColor, width: f64| {
        pen.outline(rect, theme.panel, 0.85, width + 2.0)?;
        pen.outline(rect, colour, 1.0, width)
    };
    let (pair, phase) = (model.state.pair(), model.state.shows_phase());
    let dimension = |member| model.member_dimension(pair, member);
    let members = match phase {
        true => [(Some(pair), theme.muted), (None, theme.muted)],
        false => [
            (dimension(Member::Sine), theme.sine),
            (dimension(Member::Cosine), theme.cosine),
        ],
    };
    let selected = if phase { pair } else { model.dimension() };
    let mut centre = None;
    for (column, colour) in members {
        let Some(column) = column.and_then(|column| plan.column(column)) else {
            continue;
        };
        boxed(column, colour, theme.hairline())?;
        let flag = column.down(plot.y - 0.5 * size, 0.4 * size);
        pen.fill(flag, colour, 1.0)?;
        centre.get_or_insert(column.centre_x());
    }
    if let Some(x) = centre {
        let text = labels::pair_tag(model.lang, model.state.pair());
        let half = tag_width(&text, size) / 2.0;
        let x = x.clamp(plot.x + half, (plot.right() - half).max(plot.x + half));
        pen.tag(
            (x, plot.y - 1.28 * size),
            &text,
            size,
            theme.muted,
            theme.panel,
        )?;
    }

    let here = plan.row(model.state.pos());
    let there = model.target_row().and_then(|row| plan.row(row));
    if let Some(row) = there {
        boxed(row, theme.there, theme.stroke())?;
    }
    if let Some(row) = here {
        boxed(row, theme.here, theme.stroke())?;
        if let Some(column) = plan.column(selected) {
            let cell = row.across(column.x, column.width);
            pen.outline(cell, theme.panel, 1.0, theme.stroke() + 2.0)?;
            pen.outline(cell, theme.here, 1.0, theme.stroke())?;
        }
    }

    let mut tags: Vec<Tag> = Vec::new();
    if let Some(row) = model.target_row() {
        tags.push(Tag::new(plan, "pos+k", row, theme.there));
    }
    tags.push(Tag::new(plan, "pos", model.state.pos(), theme.here));
    if let [there, here] = &mut tags[..] {
        spread(&mut here.y, &mut there.y, 1.42 * size, model.state.k() >= 0);
    }
    let space = plot.x - 3.0;
    for tag in &tags {
        // No number is left half under a tag.
        let left = 1.5 * size;
        let behind = Rect::new(left, tag.y - 1.15 * size, space - 2.0 - left, 2.3 * size);
        pen.fill(behind, theme.panel, 1.0)?;
        for tick in plan.rows.whole_ticks(TICKS * size) {
            let y = plan.rows.pixel(tick as f64 + 0.5);
            if (0.5 * size..1.75 * size).contains(&(y - tag.y).abs()) {
                let number = behind.down(y - 0.6 * size, 1.2 * size);
                pen.fill(number, theme.panel, 1.0)?;
            }
        }
    }
    for tag in tags {
        let named = format!(
            "{} {}{}",
            tag.name,
            number::whole(tag.row as i64),
            tag.arrow
        );
        let fits = tag_width(&named, size) <= space - 1.5 * size;
        let words = if fits {
            named
        } else {
            format!("{}{}", number::whole(tag.row as i64), tag.arrow)
        };
        let half = tag_width(&words, size) / 2.0;
        pen.tag((space - half, tag.y), &words, size, tag.colour, theme.panel)?;
    }
    Ok(())
}

/// The name of a marked row beside the plot; where the row is out of view, an arrow points to it.
pub(super) struct Tag {
    pub(super) name: &'static str,
    pub(super) row: usize,
    pub(super) y: f64,
    pub(super) arrow: &'static str,
    pub(super) colour: RGBColor,
}

impl Tag {
    pub(super) fn new(plan: &Plan, name: &'static str, row: usize, colour: RGBColor) -> Tag {
        let middle = plan.rows.pixel(row as f64 + 0.5);
        let arrow = match middle {
            y if y < plan.plot.y => " ↑",
            y if y > plan.plot.bottom() => " ↓",
            _ => "",
        };
        Tag {
            name,
            row,
            y: middle.clamped(plan.plot.y, plan.plot.bottom()),
            arrow,
            colour,
        }
    }
}

/// Moves two neighbours apart until they are `gap` from each other.
pub(super) fn spread(a: &mut f64, b: &mut f64, gap: f64, b_below: bool) {
    let missing = gap - (*a - *b).abs();
    if missing > 0.0 {
        let push = if b_below {
            missing / 2.0
        } else {
            -missing / 2.0
        };
        *a -= push;
        *b += push;
    }
}
