//! Charts and grids of cells: what most figures are drawn with.

use crate::draw::{DrawContext, DrawResult, Image, Part, Pen, Picture, Rect, Words};
use crate::text::number;
use plotters::style::RGBColor;

/// One direction of a chart: from values to pixels, evenly or by orders of magnitude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
    log: bool,
    /// On a logarithmic ruler the ticks stand at powers of this.
    tick: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// The values must be finite; an empty stretch is widened.
    pub fn linear(low: f64, high: f64) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        Scale {
            low,
            high,
            log: false,
            tick: 10.0,
            from: 0.0,
            to: 1.0,
        }
    }

    /// Both values must be above 0.
    pub fn log(low: f64, high: f64) -> Scale {
        let low = low.max(f64::MIN_POSITIVE);
        Scale {
            log: true,
            ..Scale::linear(low, high.max(low * 1.001))
        }
    }

    /// A logarithmic ruler with its ticks at powers of two.
    pub fn octaves(low: f64, high: f64) -> Scale {
        Scale {
            tick: 2.0,
            ..Scale::log(low, high)
        }
    }

    /// From one pixel to another.
    pub fn on(self, from: f64, to: f64) -> Scale {
        Scale { from, to, ..self }
    }

    /// The least and the greatest value.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    fn share(&self, value: f64) -> f64 {
        if self.log {
            (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }

    pub fn pixel(&self, value: f64) -> f64 {
        self.from + self.share(value) * (self.to - self.from)
    }

    pub fn value(&self, pixel: f64) -> f64 {
        let share = (pixel - self.from) / (self.to - self.from);
        if self.log {
            self.low * (self.high / self.low).powf(share)
        } else {
            self.low + share * (self.high - self.low)
        }
    }

    pub fn holds(&self, value: f64) -> bool {
        (-1e-9..=1.0 + 1e-9).contains(&self.share(value))
    }

    /// Round values, `spacing` pixels apart or more.
    pub fn ticks(&self, spacing: f64) -> Vec<f64> {
        let most = ((self.to - self.from).abs() / spacing).floor();
        if !(1.0..1e4).contains(&most) {
            return Vec::new();
        }
        if self.log {
            let (low, high) = (self.low.log(self.tick), self.high.log(self.tick));
            let every = ((high - low) / most).ceil().max(1.0);
            let first = (low / every - 1e-9).ceil() as i64;
            let last = (high / every + 1e-9).floor() as i64;
            return (first..=last)
                .map(|i| self.tick.powf(i as f64 * every))
                .collect();
        }
        let rough = (self.high - self.low) / most;
        let decade = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|digit| digit * decade)
            .into_iter()
            .find(|&step| step >= rough * (1.0 - 1e-9))
            .unwrap_or(10.0 * decade);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }

    fn name(&self, tick: f64) -> String {
        if !self.log {
            return number::trimmed(tick, 6);
        }
        if (1e-3..1e5).contains(&tick) {
            number::short(tick, 3)
        } else {
            number::power_of_ten(tick.log10().round() as i32)
        }
    }
}

/// A plot with its two rulers.
pub struct Chart {
    pub plot: Rect,
    pub x: Scale,
    pub y: Scale,
}

impl Chart {
    /// A chart in a part of the picture; margins for numbers and titles are taken off.
    #[inline(never)]
    pub fn new(context: &DrawContext, room: Rect, x: Scale, y: Scale) -> Chart {
        let size = context.theme.label_size();
        let plot = Rect::new(
            room.x + 5.2 * size,
            room.y + 0.8 * size,
            (room.width - 6.2 * size).max(1.0),
            (room.height - 3.9 * size).max(1.0),
        );
        Chart {
            plot,
            x: x.on(plot.x, plot.right()),
            y: y.on(plot.bottom(), plot.y),
        }
    }

    /// Frame, ticks and numbers, and the titles: that of the upright axis, that of the other.
    #[inline(never)]
    pub fn axes<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        [up, across]: [&str; 2],
    ) -> DrawResult<DB> {
        let (theme, size, plot) = (context.theme, context.theme.label_size(), self.plot);
        let words = Words::new(size, theme.muted);
        for tick in self.x.ticks(4.6 * size) {
            let x = self.x.pixel(tick);
            pen.line(
                &[(x, plot.y), (x, plot.bottom())],
                theme.rule,
                theme.hairline(),
            )?;
            pen.words((x, plot.bottom() + 0.95 * size), &self.x.name(tick), words)?;
        }
        for tick in self.y.ticks(2.4 * size) {
            let y = self.y.pixel(tick);
            pen.line(
                &[(plot.x, y), (plot.right(), y)],
                theme.rule,
                theme.hairline(),
            )?;
            let name = self.y.name(tick);
            pen.words((plot.x - 0.5 * size, y), &name, words.ending())?;
        }
        let (x, y) = plot.centre();
        pen.words((plot.x - 4.5 * size, y), up, words.upwards())?;
        pen.words((x, plot.bottom() + 2.35 * size), across, words)?;
        pen.outline(plot, theme.muted, 0.6, theme.hairline())
    }

    /// The point of two values.
    pub fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x.pixel(x), self.y.pixel(y))
    }

    /// A line through values; what runs out of the plot is cut off at its edge.
    pub fn curve<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        values: impl IntoIterator<Item = (f64, f64)>,
        colour: RGBColor,
        width: f64,
    ) -> DrawResult<DB> {
        let values: Vec<_> = values.into_iter().collect();
        self.through(pen, &values, colour, width)
    }

    #[inline(never)]
    fn through<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        values: &[(f64, f64)],
        colour: RGBColor,
        width: f64,
    ) -> DrawResult<DB> {
        let mut run: Vec<(f64, f64)> = Vec::new();
        let mut last = None;
        for &value in values {
            let point = self.at(value);
            if let Some(before) = last
                && let Some((from, to)) = cut(self.plot, before, point)
            {
                if run.last() != Some(&from) {
                    pen.line(&run, colour, width)?;
                    run = vec![from];
                }
                run.push(to);
            }
            last = Some(point);
        }
        pen.line(&run, colour, width)
    }

    /// Dots at the values inside the plot.
    pub fn dots<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        values: impl IntoIterator<Item = (f64, f64)>,
        colour: RGBColor,
        radius: f64,
    ) -> DrawResult<DB> {
        let values: Vec<_> = values.into_iter().collect();
        self.dotted(pen, &values, colour, radius)
    }

    #[inline(never)]
    fn dotted<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        values: &[(f64, f64)],
        colour: RGBColor,
        radius: f64,
    ) -> DrawResult<DB> {
        for &(x, y) in values {
            if self.x.holds(x) && self.y.holds(y) {
                pen.disc(self.at((x, y)), radius, colour)?;
            }
        }
        Ok(())
    }

    /// A dashed line across the plot at a value, with words at its upper end.
    #[inline(never)]
    pub fn upright<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        x: f64,
        words: &str,
        colour: RGBColor,
    ) -> DrawResult<DB> {
        if !self.x.holds(x) {
            return Ok(());
        }
        let (size, plot, x) = (context.theme.label_size(), self.plot, self.x.pixel(x));
        let width = context.theme.stroke() * 0.75;
        pen.dashes((x, plot.bottom()), (x, plot.y), colour, width)?;
        if words.is_empty() {
            return Ok(());
        }
        pen.tag(
            (x, plot.y + 0.9 * size),
            words,
            size,
            colour,
            context.theme.panel,
        )
    }
}

/// The part of a line inside a rectangle (Liang and Barsky 1984).
fn cut(rect: Rect, a: (f64, f64), b: (f64, f64)) -> Option<((f64, f64), (f64, f64))> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    if !(dx.is_finite() && dy.is_finite()) {
        return None;
    }
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (step, room) in [
        (-dx, a.0 - rect.x),
        (dx, rect.right() - a.0),
        (-dy, a.1 - rect.y),
        (dy, rect.bottom() - a.1),
    ] {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            from = from.max(room / step);
        } else {
            to = to.min(room / step);
        }
    }
    let at = |share: f64| (a.0 + share * dx, a.1 + share * dy);
    (from <= to).then(|| {
        let start = if from == 0.0 { a } else { at(from) };
        let end = if to == 1.0 { b } else { at(to) };
        (start, end)
    })
}

/// A grid of cells in the colours of the heatmap: `value(row, column)` over `most` is in −1 … 1.
pub fn cells<DB: Picture>(
    pen: &Pen<DB>,
    context: &DrawContext,
    rect: Rect,
    (rows, columns): (usize, usize),
    most: f64,
    value: impl Fn(usize, usize) -> f64,
) -> DrawResult<DB> {
    coloured(pen, context, rect, (rows, columns), most, &value)
}

/// Takes its values by reference: one copy of the code serves all figures.
#[inline(never)]
fn coloured<DB: Picture>(
    pen: &Pen<DB>,
    context: &DrawContext,
    rect: Rect,
    (rows, columns): (usize, usize),
    most: f64,
    value: &dyn Fn(usize, usize) -> f64,
) -> DrawResult<DB> {
    let mut rgb = Vec::with_capacity(3 * rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let share = value(row, column) / most;
            // It would have the colour of the lowest value.
            debug_assert!(!share.is_nan(), "a cell's value is not a number");
            rgb.extend(context.colours.colour(share as f32));
        }
    }
    let size = (columns as u32, rows as u32);
    let image = Image {
        size,
        rgb: &rgb,
        part: Part::whole(size),
    };
    pen.image(rect, image)
}

/// Room for a grid of cells, numbered and named on its left and below.
#[inline(never)]
pub fn grid_in(context: &DrawContext, room: Rect) -> Rect {
    let size = context.theme.label_size();
    Rect::new(
        room.x + 3.9 * size,
        room.y + 0.8 * size,
        (room.width - 4.7 * size).max(1.0),
        (room.height - 3.9 * size).max(1.0),
    )
}

/// Frame, round numbers and titles of a grid of cells counted from 0, rows from top to bottom.
#[inline(never)]
pub fn grid_axes<DB: Picture>(
    pen: &Pen<DB>,
    context: &DrawContext,
    rect: Rect,
    (rows, columns): (usize, usize),
    [down, across]: [&str; 2],
) -> DrawResult<DB> {
    let (theme, size) = (context.theme, context.theme.label_size());
    let words = Words::new(size, theme.muted);
    let ticks = |count: usize, from: f64, length: f64, spacing: f64| {
        let half = length / count.max(1) as f64 / 2.0;
        let last = count.saturating_sub(1) as f64;
        let ruler = Scale::linear(0.0, last).on(from + half, from + length - half);
        let ticks = ruler.ticks(spacing).into_iter();
        let whole = ticks.filter(|tick| tick.fract() == 0.0 && *tick <= last);
        whole
            .map(|tick| (ruler.pixel(tick), number::trimmed(tick, 0)))
            .collect::<Vec<_>>()
    };
    for (x, name) in ticks(columns, rect.x, rect.width, 2.9 * size) {
        pen.words((x, rect.bottom() + 0.95 * size), &name, words)?;
    }
    for (y, name) in ticks(rows, rect.y, rect.height, 2.0 * size) {
        pen.words((rect.x - 0.5 * size, y), &name, words.ending())?;
    }
    let (x, y) = rect.centre();
    pen.words((rect.x - 3.2 * size, y), down, words.upwards())?;
    pen.words((x, rect.bottom() + 2.35 * size), across, words)?;
    pen.outline(rect, theme.muted, 0.6, theme.hairline())
}

/// The cell of a grid under a point: row and column.
#[inline(never)]
pub fn cell_at(
    rect: Rect,
    (rows, columns): (usize, usize),
    (x, y): (f64, f64),
) -> Option<(usize, usize)> {
    let row = ((y - rect.y) / rect.height * rows as f64).floor();
    let column = ((x - rect.x) / rect.width * columns as f64).floor();
    let inside = |v: f64, n: usize| (0.0..n as f64).contains(&v);
    (inside(row, rows) && inside(column, columns)).then_some((row as usize, column as usize))
}

/// The place of a cell in its grid.
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

/// A bar of the heatmap's colours from −most to most, with its numbers to the right.
#[inline(never)]
pub fn colour_bar<DB: Picture>(
    pen: &Pen<DB>,
    context: &DrawContext,
    rect: Rect,
    most: f64,
) -> DrawResult<DB> {
    const STEPS: usize = 64;
    cells(pen, context, rect, (STEPS, 1), 1.0, |row, _| {
        1.0 - 2.0 * (row as f64 + 0.5) / STEPS as f64
    })?;
    let (theme, size) = (context.theme, context.theme.label_size());
    pen.outline(rect, theme.muted, 0.6, theme.hairline())?;
    for (share, value) in [(0.0, most), (0.5, 0.0), (1.0, -most)] {
        let at = (rect.right() + 0.4 * size, rect.y + share * rect.height);
        let words = Words::new(size, theme.muted).starting();
        pen.words(at, &number::short(value, 3), words)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let ruler = Scale::linear(-0.3, 1.02).on(0.0, 300.0);
        assert_eq!(ruler.ticks(60.0), [0.0, 0.5, 1.0]);
        let ruler = Scale::log(3.0, 70_000.0).on(0.0, 300.0);
        let ticks: Vec<f64> = ruler.ticks(40.0).iter().map(|t| t.round()).collect();
        assert_eq!(ticks, [10.0, 100.0, 1000.0, 10_000.0]);
        let ruler = Scale::octaves(4.0, 1024.0).on(0.0, 300.0);
        assert_eq!(ruler.ticks(40.0), [4.0, 16.0, 64.0, 256.0, 1024.0]);
        assert!(Scale::linear(0.0, 1.0).on(0.0, 0.0).ticks(40.0).is_empty());
    }

    #[test]
    fn pixels_and_values_are_inverse() {
        for ruler in [Scale::linear(2.0, 8.0), Scale::log(2.0, 8.0)] {
            let ruler = ruler.on(300.0, 20.0);
            assert!((ruler.value(ruler.pixel(5.0)) - 5.0).abs() < 1e-12);
            assert!(ruler.holds(8.0) && !ruler.holds(8.1));
        }
    }

    #[test]
    fn lines_are_cut_at_the_edge() {
        let rect = Rect::new(0.0, 0.0, 10.0, 10.0);
        let across = cut(rect, (-5.0, 5.0), (15.0, 5.0));
        assert_eq!(across, Some(((0.0, 5.0), (10.0, 5.0))));
        assert_eq!(cut(rect, (-5.0, 5.0), (5.0, 25.0)), None);
        assert_eq!(cut(rect, (1.0, 1.0), (f64::NAN, 1.0)), None);
        let inside = ((1.0, 1.0), (2.0, 3.0));
        assert_eq!(cut(rect, inside.0, inside.1), Some(inside));
    }

    #[test]
    fn points_find_their_cell() {
        let rect = Rect::new(10.0, 0.0, 40.0, 20.0);
        assert_eq!(cell_at(rect, (2, 4), (49.0, 1.0)), Some((0, 3)));
        assert_eq!(cell_at(rect, (2, 4), (9.0, 1.0)), None);
        assert_eq!(cell_rect(rect, (2, 4), 1, 3).x, 40.0);
    }
}
