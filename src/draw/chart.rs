//! Charts: two scales with their axes, curves and dots.

use super::Scale;
use super::text_style::tag_width;
use crate::draw::{DrawContext, Pen, Point, Rect, TextStyle, Theme};
use crate::math::Clamp;
use plotters::style::RGBColor;

/// A plot area with the scales of its axes.
#[derive(Clone, Copy)]
pub struct Chart {
    pub plot: Rect,
    pub x: Scale,
    pub y: Scale,
}

impl Chart {
    /// A chart in `area`, a part of the picture, with margins for tick labels and titles.
    #[inline(never)]
    pub fn new(context: &DrawContext, area: Rect, x: Scale, y: Scale) -> Chart {
        let size = context.theme.label_size();
        let plot = Rect::new(
            area.x + 5.2 * size,
            area.y + 0.8 * size,
            (area.width - 6.2 * size).max(1.0),
            (area.height - 3.9 * size).max(1.0),
        );
        Chart {
            plot,
            x: x.on(plot.x, plot.right()),
            y: y.on(plot.bottom(), plot.y),
        }
    }

    /// Draws the frame, the grid lines, the tick labels, and the titles of the vertical and the
    /// horizontal axis.
    #[inline(never)]
    pub fn axes(&self, pen: &Pen, context: &DrawContext, [up, across]: [&str; 2]) {
        let (theme, size, plot) = (context.theme, context.theme.label_size(), self.plot);
        let style = TextStyle::new(size, theme.muted);
        for tick in self.x.ticks(4.6 * size) {
            let x = self.x.pixel(tick);
            pen.line(&plot.vertical(x), theme.rule, theme.hairline());
            pen.text(
                (x, plot.bottom() + 0.95 * size),
                &self.x.tick_label(tick),
                style,
            );
        }
        for tick in self.y.ticks(2.4 * size) {
            let y = self.y.pixel(tick);
            pen.line(&plot.horizontal(y), theme.rule, theme.hairline());
            let name = self.y.tick_label(tick);
            pen.text((plot.x - 0.5 * size, y), &name, style.align_right());
        }
        let Point { x, y } = plot.centre();
        pen.text((plot.x - 4.5 * size, y), up, style.rotated());
        pen.text((x, plot.bottom() + 2.35 * size), across, style);
        pen.outline(plot, theme.muted, 0.6, theme.hairline());
    }

    /// The point of two values, in CSS pixels.
    pub fn at(&self, (x, y): (f64, f64)) -> Point {
        Point::new(self.x.pixel(x), self.y.pixel(y))
    }

    /// Draws a line through values, clipped to the plot.
    pub fn curve(
        &self,
        pen: &Pen,
        values: impl IntoIterator<Item = (f64, f64)>,
        colour: RGBColor,
        width: f64,
    ) {
        let values: Vec<_> = values.into_iter().collect();
        self.through(pen, &values, colour, width);
    }

    #[inline(never)]
    fn through(&self, pen: &Pen, values: &[(f64, f64)], colour: RGBColor, width: f64) {
        let mut run: Vec<Point> = Vec::new();
        let mut last = None;
        for &value in values {
            let point = self.at(value);
            if let Some(before) = last
                && let Some((from, to)) = cut(self.plot, before, point)
            {
                if run.last() != Some(&from) {
                    pen.line(&run, colour, width);
                    run = vec![from];
                }
                run.push(to);
            }
            last = Some(point);
        }
        pen.line(&run, colour, width);
    }

    /// Draws dots at the values inside the plot.
    pub fn dots(
        &self,
        pen: &Pen,
        values: impl IntoIterator<Item = (f64, f64)>,
        colour: RGBColor,
        radius: f64,
    ) {
        let values: Vec<_> = values.into_iter().collect();
        self.dotted(pen, &values, colour, radius);
    }

    #[inline(never)]
    fn dotted(&self, pen: &Pen, values: &[(f64, f64)], colour: RGBColor, radius: f64) {
        for &(x, y) in values {
            if self.x.contains(x) && self.y.contains(y) {
                pen.disc(self.at((x, y)), radius, colour);
            }
        }
    }

    /// Writes a line of the legend at the upper right; lines are counted from 0.
    #[inline(never)]
    pub fn name(&self, pen: &Pen, line: usize, words: &str, (size, colour): (f64, RGBColor)) {
        let y = self.plot.y + (1.0 + 1.4 * line as f64) * size;
        let style = TextStyle::new(size, colour).bold().align_right();
        pen.text((self.plot.right() - 0.6 * size, y), words, style);
    }

    /// Draws a tag whose centre is as near to a pixel as the sides of the plot allow.
    #[inline(never)]
    pub fn tag(
        &self,
        pen: &Pen,
        theme: &Theme,
        at: impl Into<Point>,
        words: &str,
        colour: RGBColor,
    ) {
        let Point { x, y } = at.into();
        let (plot, size) = (self.plot, theme.label_size());
        let half = tag_width(words, size) / 2.0;
        let x = x.clamped(plot.x + half, (plot.right() - half).max(plot.x + half));
        pen.tag((x, y), words, size, colour, theme.panel);
    }

    /// Draws a vertical dashed line at a value, with a label at its upper end.
    #[inline(never)]
    pub fn upright(&self, pen: &Pen, context: &DrawContext, x: f64, words: &str, colour: RGBColor) {
        if !self.x.contains(x) {
            return;
        }
        let (size, plot, x) = (context.theme.label_size(), self.plot, self.x.pixel(x));
        let width = context.theme.stroke() * 0.75;
        pen.dashes((x, plot.bottom()), (x, plot.y), colour, width);
        if words.is_empty() {
            return;
        }
        pen.tag(
            (x, plot.y + 0.9 * size),
            words,
            size,
            colour,
            context.theme.panel,
        );
    }
}

/// Clips a line segment to a rectangle (Liang and Barsky 1984).
fn cut(rect: Rect, a: Point, b: Point) -> Option<(Point, Point)> {
    let way = b - a;
    if !way.is_finite() {
        return None;
    }
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (step, distance) in [
        (-way.x, a.x - rect.x),
        (way.x, rect.right() - a.x),
        (-way.y, a.y - rect.y),
        (way.y, rect.bottom() - a.y),
    ] {
        if step == 0.0 {
            if distance < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            from = from.max(distance / step);
        } else {
            to = to.min(distance / step);
        }
    }
    (from <= to).then(|| {
        let start = a.lerp(b, from);
        let end = if to == 1.0 { b } else { a.lerp(b, to) };
        (start, end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_at_the_edge() {
        let rect = Rect::new(0.0, 0.0, 10.0, 10.0);
        let cut = |from: (f64, f64), to: (f64, f64)| cut(rect, from.into(), to.into());
        let across = Some((Point::new(0.0, 5.0), Point::new(10.0, 5.0)));
        assert_eq!(cut((-5.0, 5.0), (15.0, 5.0)), across);
        assert_eq!(cut((-5.0, 5.0), (5.0, 25.0)), None);
        assert_eq!(cut((1.0, 1.0), (f64::NAN, 1.0)), None);
        let inside = (Point::new(1.0, 1.0), Point::new(2.0, 3.0));
        assert_eq!(super::cut(rect, inside.0, inside.1), Some(inside));
    }
}
