//! The image's pixels, the colour bar, numbers in cells, and the hands in the colour wheel.

use super::layout::{Plan, axis};
use crate::draw::colour_map::readable_on;
use crate::draw::grid::horizontal_bar;
use crate::draw::text_style::{TextStyle, text_width};
use crate::draw::{Circle, HOLE, Pen, PhaseMap, Rect};
use crate::field::Span;
use crate::figures::bench::view::Scene;
use crate::text::{labels, number};
use std::ops::Range;

/// The pixels of the image along one axis.
pub(super) struct Grid {
    /// The cells that they cover.
    pub(super) cells: Range<f64>,
    pub(super) pixels: usize,
    /// Number of pixels before the visible ones, and of visible ones.
    pub(super) before: f64,
    pub(super) shown: f64,
}

impl Grid {
    /// One row of cells.
    pub(super) fn row(row: f64) -> Grid {
        Grid {
            cells: row..row + 1.0,
            ..Grid::of_pixels(1)
        }
    }

    /// Pixels that cover no cells in particular.
    pub(super) fn of_pixels(pixels: usize) -> Grid {
        Grid {
            cells: 0.0..pixels as f64,
            pixels,
            before: 0.0,
            shown: pixels as f64,
        }
    }

    pub(super) fn new(span: Span, pixels: usize) -> Grid {
        if span.width() > pixels as f64 {
            return Grid {
                cells: span.start()..span.end(),
                ..Grid::of_pixels(pixels)
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

/// Draws the colour bar with its limits beside it.
pub(super) fn draw_colour_bar(pen: &Pen, scene: &Scene, bar: Rect) {
    let most = scene.model.value_range().colour_limit;
    let (map, limits) = match scene.model.state.shows_phase() {
        true => {
            let map = PhaseMap::new(scene.theme);
            (map.steps().concat(), ["0°".into(), "360°".into()])
        }
        false => {
            let limits = [-most, most].map(|limit| number::short(limit, 1));
            (scene.colours.steps().concat(), limits)
        }
    };
    horizontal_bar(
        pen,
        scene.theme,
        bar,
        &map,
        limits.each_ref().map(|limit| &**limit),
    );
}

/// Draws the values in the cells if the cells are large enough.
pub(super) fn draw_cell_values(pen: &Pen, scene: &Scene, plan: &Plan) {
    let size = scene.theme.label_size();
    if plan.columns.density() < 3.7 * size || plan.rows.density() < 1.5 * size {
        return;
    }
    let (state, most) = (&scene.model.state, scene.model.value_range().colour_limit);
    let phase = state.shows_phase().then(|| PhaseMap::new(scene.theme));
    // The text in a cell, and the colour of the cell.
    let written = |position: usize, column: usize| match (&phase, &scene.model.waves) {
        (Some(map), Some(waves)) => {
            let angle = (column < waves.pairs()).then(|| waves.angle(column, position as i64))?;
            Some((labels::direction(angle), map.colour(angle)))
        }
        _ => {
            let dimension = scene.model.dimension_at(column);
            let value = scene.model.cell(position as i64, dimension)?;
            Some((
                number::fixed(value, 3),
                scene.colours.colour((value / most) as f32),
            ))
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
            let fits = plan.plot.contains((x - half, y - high))
                && plan.plot.contains((x + half, y + high));
            if !fits {
                continue;
            }
            pen.text((x, y), &text, TextStyle::new(size, readable_on(colour)));
        }
    }
}

/// Draws the selected pair's angles at pos and at pos + k as hands in the colour wheel.
pub(super) fn draw_hands(pen: &Pen, scene: &Scene, wheel: Circle) {
    let Some(pair) = &scene.model.pair else {
        return;
    };
    let theme = scene.theme;
    for (angle, colour) in [
        (pair.angle + pair.rotation_angle, theme.there),
        (pair.angle, theme.here),
    ] {
        let tip = wheel.at(angle, 0.95 * HOLE);
        pen.line(&[wheel.centre, tip], colour, theme.stroke());
    }
}
