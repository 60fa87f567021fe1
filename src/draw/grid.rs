//! Grids of coloured cells with their axes, and colour bars.

use super::Scale;
use super::text_style::text_width;
use crate::draw::{DrawContext, Image, Part, Pen, Point, Rect, TextStyle, Theme};
use crate::text::number;

/// Draws a grid of cells in the colours of the heatmap: `value(row, column) / limit` is in −1 … 1.
pub fn cells(
    pen: &Pen,
    context: &DrawContext,
    rect: Rect,
    (rows, columns): (usize, usize),
    limit: f64,
    value: impl Fn(usize, usize) -> f64,
) {
    coloured(pen, context, rect, (rows, columns), limit, &value);
}

/// Takes `value` as a trait object, so that all figures share one copy of the code.
#[inline(never)]
fn coloured(
    pen: &Pen,
    context: &DrawContext,
    rect: Rect,
    (rows, columns): (usize, usize),
    limit: f64,
    value: &dyn Fn(usize, usize) -> f64,
) {
    let mut rgb = Vec::with_capacity(3 * rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let fraction = value(row, column) / limit;
            // NaN would have the colour of the lowest value.
            debug_assert!(!fraction.is_nan(), "a cell's value is not a number");
            rgb.extend(context.colours.colour(fraction as f32));
        }
    }
    let size = (columns as u32, rows as u32);
    let image = Image {
        size,
        rgb: &rgb,
        part: Part::whole(size),
    };
    pen.image(rect, image);
}

/// The rectangle of a grid in `area`, with margins for tick labels and titles at the left and below.
#[inline(never)]
pub fn grid_in(context: &DrawContext, area: Rect) -> Rect {
    let size = context.theme.label_size();
    Rect::new(
        area.x + 3.9 * size,
        area.y + 0.8 * size,
        (area.width - 4.7 * size).max(1.0),
        (area.height - 3.9 * size).max(1.0),
    )
}

/// Draws the frame, tick labels and titles of a grid of cells counted from 0, rows from top to bottom.
pub fn grid_axes(
    pen: &Pen,
    context: &DrawContext,
    rect: Rect,
    (rows, columns): (usize, usize),
    titles: [&str; 2],
) {
    numbered_axes(pen, context, rect, (0, rows, columns), 0.0, titles);
}

/// The same for rows and columns that are counted from a number, with room for long numbers at the left.
#[inline(never)]
pub fn numbered_axes(
    pen: &Pen,
    context: &DrawContext,
    rect: Rect,
    (first, rows, columns): (i64, usize, usize),
    room: f64,
    [down, across]: [&str; 2],
) {
    let (theme, size) = (context.theme, context.theme.label_size());
    let style = TextStyle::new(size, theme.muted);
    let ticks = |count: usize, from: f64, length: f64, spacing: f64| {
        let half = length / count.max(1) as f64 / 2.0;
        let first = first as f64;
        let last = first + count.saturating_sub(1) as f64;
        let scale = Scale::linear(first, last).on(from + half, from + length - half);
        let ticks = scale.ticks(spacing).into_iter();
        let whole = ticks.filter(|tick| tick.fract() == 0.0 && *tick <= last);
        whole
            .map(|tick| (scale.pixel(tick), number::trimmed(tick, 0)))
            .collect::<Vec<_>>()
    };
    for (x, name) in ticks(columns, rect.x, rect.width, 2.9 * size) {
        pen.text((x, rect.bottom() + 0.95 * size), &name, style);
    }
    for (y, name) in ticks(rows, rect.y, rect.height, 2.0 * size) {
        pen.text((rect.x - 0.5 * size, y), &name, style.align_right());
    }
    let Point { x, y } = rect.centre();
    pen.text((rect.x - 3.2 * size - room, y), down, style.rotated());
    pen.text((x, rect.bottom() + 2.35 * size), across, style);
    pen.outline(rect, theme.muted, 0.6, theme.hairline());
}

/// The cell of a grid under a point, as row and column; `None` outside the grid.
#[inline(never)]
pub fn cell_at(rect: Rect, (rows, columns): (usize, usize), at: Point) -> Option<(usize, usize)> {
    let row = ((at.y - rect.y) / rect.height * rows as f64).floor();
    let column = ((at.x - rect.x) / rect.width * columns as f64).floor();
    let inside = |v: f64, n: usize| (0.0..n as f64).contains(&v);
    (inside(row, rows) && inside(column, columns)).then_some((row as usize, column as usize))
}

/// The rectangle of a cell in its grid.
#[inline(never)]
pub fn cell_rect(rect: Rect, (rows, columns): (usize, usize), row: usize, column: usize) -> Rect {
    let (width, height) = (rect.width / columns as f64, rect.height / rows as f64);
    Rect::new(
        rect.x + column as f64 * width,
        rect.y + row as f64 * height,
        width,
        height,
    )
}

/// Draws a bar of the heatmap's colours from −most to most, with its numbers to the right and, below it, what they measure.
pub fn colour_bar(pen: &Pen, context: &DrawContext, rect: Rect, limit: f64, measured: &str) {
    let numbers = [limit, 0.0, -limit].map(|value| number::short(value, 3));
    labelled_bar(pen, context, rect, [1.0, -1.0], numbers, measured);
}

/// The same for values that are not positive, down to `-limit`.
pub fn negative_bar(pen: &Pen, context: &DrawContext, rect: Rect, limit: f64, measured: &str) {
    let numbers = [0.0, -0.5, -1.0].map(|share| number::short(share * limit, 3));
    labelled_bar(pen, context, rect, [0.0, -1.0], numbers, measured);
}

/// Draws a bar of the colours of shares, from 0 to 1, with its numbers to the right and, below it, what they measure.
pub fn share_bar(pen: &Pen, context: &DrawContext, rect: Rect, measured: &str) {
    let numbers = [1.0, 0.5, 0.0].map(|fraction| number::trimmed(fraction, 1));
    labelled_bar(pen, context, rect, [1.0, 0.0], numbers, measured);
}

/// The room for the name of a colour bar, from its left edge, in label sizes.
const BAR_NAME: f64 = 4.4;

/// Draws the colours between two values of the map, and numbers at the top, in the middle and at the bottom.
#[inline(never)]
fn labelled_bar(
    pen: &Pen,
    context: &DrawContext,
    rect: Rect,
    [top, bottom]: [f64; 2],
    numbers: [String; 3],
    measured: &str,
) {
    const STEPS: usize = 64;
    cells(pen, context, rect, (STEPS, 1), 1.0, |row, _| {
        top + (bottom - top) * (row as f64 + 0.5) / STEPS as f64
    });
    let (theme, size) = (context.theme, context.theme.label_size());
    pen.outline(rect, theme.muted, 0.6, theme.hairline());
    for (fraction, number) in [0.0, 0.5, 1.0].into_iter().zip(numbers) {
        let at = (rect.right() + 0.4 * size, rect.y + fraction * rect.height);
        let style = TextStyle::new(size, theme.muted).align_left();
        pen.text(at, &number, style);
    }
    // In the line of the tick labels, where it may not reach the last of them.
    let style = TextStyle::new(size, theme.muted).align_left();
    let room = (BAR_NAME * size).min(context.frame.width - rect.x);
    let at = (rect.x, rect.bottom() + 1.05 * size);
    pen.text(at, measured, style.fitting(measured, room));
}

/// Draws colours from left to right, with the values of the ends beside them.
#[inline(never)]
pub fn horizontal_bar(
    pen: &Pen,
    theme: &Theme,
    bar: Rect,
    colours: &[u8],
    [left, right]: [&str; 2],
) {
    let size = (colours.len() as u32 / 3, 1);
    let image = Image {
        size,
        rgb: colours,
        part: Part::whole(size),
    };
    pen.image(bar, image);
    pen.outline(bar, theme.rule, 1.0, theme.hairline());
    let gap = 0.4 * theme.label_size();
    let style = TextStyle::new(theme.label_size(), theme.muted);
    let y = bar.centre_y();
    pen.text((bar.x - gap, y), left, style.align_right());
    pen.text((bar.right() + gap, y), right, style.align_left());
}

/// Draws the heatmap's colours from −limit to limit as a key in a line of text that ends at a point, and returns where
/// it begins.
#[inline(never)]
pub fn colour_key(
    pen: &Pen,
    context: &DrawContext,
    end: impl Into<Point>,
    limit: f64,
    measured: &str,
) -> f64 {
    let (end, size) = (end.into(), context.theme.label_size());
    let [low, high] = [-limit, limit].map(|value| number::short(value, 2));
    let bar = Rect::new(
        end.x - text_width(&high, size) - 3.4 * size,
        end.y - 0.35 * size,
        3.0 * size,
        0.7 * size,
    );
    let colours = context.colours.steps().concat();
    horizontal_bar(pen, context.theme, bar, &colours, [&low, &high]);
    let from = bar.x - text_width(&low, size) - 0.8 * size;
    let style = TextStyle::new(size, context.theme.muted).align_right();
    pen.text((from, end.y), measured, style);
    from - style.width(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_find_their_cell() {
        let rect = Rect::new(10.0, 0.0, 40.0, 20.0);
        assert_eq!(cell_at(rect, (2, 4), Point::new(49.0, 1.0)), Some((0, 3)));
        assert_eq!(cell_at(rect, (2, 4), Point::new(9.0, 1.0)), None);
        assert_eq!(cell_rect(rect, (2, 4), 1, 3).x, 40.0);
    }
}
