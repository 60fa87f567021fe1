//! The forks, and the corridor with the distance of every position.

use super::words::{ALONG, DISTANCE, NEAREST, SAME};
use super::{Corridor, FORKS};
use crate::draw::chart::Chart;
use crate::draw::pen::arc;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle};
use crate::text::number::{fixed, short};
use crate::text::{Lang, labels};
use plotters::style::RGBColor;
use std::f64::consts::PI;

/// In units of the type size.
pub(super) mod em {
    pub const TITLE: f64 = 1.8;
    pub const CELL: f64 = 12.6;
    pub const NARROWEST: f64 = 6.0;
    pub const CORRIDOR: f64 = 15.0;
    pub const LOW_CELL: f64 = 8.4;
    pub const LOW_CORRIDOR: f64 = 11.7;
    pub const LEGEND: f64 = 1.1;
}

impl Corridor {
    pub(super) fn chart(&self, context: &DrawContext) -> Chart {
        let size = context.theme.label_size();
        let (_, corridor) = self.sizes(context.frame.width, context.theme);
        let below = (corridor - em::LEGEND) * size;
        let (_, area) = Rect::all(context.frame).split_bottom(below);
        let high = self.distances.iter().copied().fold(0.0, f64::max);
        let positions = Scale::linear(0.0, (self.max_len - 1) as f64);
        Chart::new(context, area, positions, Scale::linear(0.0, 1.25 * high))
    }

    pub(super) fn fork(&self, pen: &Pen, context: &DrawContext, pair: usize, cell: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (sin, cos) = self.pe.sin_cos_at(pair, self.at);
        let middle = cell.centre_x();
        let line = |down: f64| (middle, cell.y + down * size);
        let name = labels::pair_tag(self.lang, pair);
        pen.text(line(0.6), &name, TextStyle::new(size, theme.ink).bold());
        let length = format!("λ {}", short(self.pe.wavelength(pair), 4));
        pen.text(
            line(1.75),
            &length,
            TextStyle::new(theme.reduced(0.88), theme.muted),
        );

        let low = cell.height < em::CELL * size - 1.0;
        let (down, radius) = if low { (4.2, 1.7) } else { (4.7, 2.1) };
        let (centre, radius) = (line(down), radius * size);
        let tip = (centre.0 + radius * cos, centre.1 - radius * sin);
        pen.ring(centre, radius, theme.muted, theme.hairline());
        let fine = 0.9 * theme.stroke();
        pen.line(&[centre, (tip.0, centre.1)], theme.cosine, 1.6 * fine);
        pen.line(&[(tip.0, centre.1), tip], theme.sine, 1.6 * fine);
        pen.line(&[centre, tip], theme.here, fine);
        pen.disc(tip, 1.5 * theme.stroke(), theme.here);

        let value = |down, name: &str, value: f64, colour: RGBColor| {
            let words = format!("{name} {}", fixed(value, self.decimals));
            pen.text(line(down), &words, TextStyle::new(size, colour).bold());
        };
        if low {
            value(6.6, "sin", sin, theme.sine);
            return value(7.8, "cos", cos, theme.cosine);
        }
        // Slower pairs have longer prongs; the prongs spread with the sine.
        let last = (self.pe.pairs() - 1).max(1) as f64;
        let prongs = (0.6 + 0.8 * pair as f64 / last) * size;
        let (half, foot) = (0.42 * size, cell.y + 9.3 * size);
        let root = foot - 0.55 * size;
        let open = 0.22 * size * sin;
        let bow = arc((middle, root - half), |_| half, PI, 2.0 * PI);
        let mut shape = vec![(middle - half - open, root - half - prongs)];
        shape.extend(bow);
        shape.push((middle + half + open, root - half - prongs));
        pen.line(&shape, theme.muted, theme.stroke());
        pen.line(
            &[(middle, root), (middle, foot)],
            theme.muted,
            theme.stroke(),
        );

        value(10.1, "sin", sin, theme.sine);
        value(11.3, "cos", cos, theme.cosine);
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let title = TextStyle::new(theme.reduced(0.88), theme.muted);
        let middle = (context.frame.width / 2.0, 0.8 * size);
        pen.text(middle, FORKS.get(self.lang), title);
        let cells = self.forks(context.frame.width, theme);
        for (pair, cell) in cells.into_iter().enumerate() {
            self.fork(pen, context, pair, cell);
        }
        let titles = self.lang.texts([DISTANCE, ALONG]);
        chart.axes(pen, context, titles);
        let point = |q: usize| (q as f64, self.distances[q.abs_diff(self.pos)]);
        let curve = (0..self.max_len).map(point);
        // Dots only if positions are less than a pixel apart, where a line would fill the plot.
        let spacing = chart.plot.width / self.max_len as f64;
        if spacing > 1.0 {
            chart.curve(pen, curve.clone(), theme.muted, theme.hairline());
        }
        if !(1.0..2.5 * theme.stroke()).contains(&spacing) {
            let radius = theme.stroke() * if spacing > 1.0 { 1.0 } else { 0.5 };
            chart.dots(pen, curve, theme.muted, radius);
        }
        let (there, legend) = if self.same.is_empty() {
            (self.nearest().map_or(vec![], |(places, _)| places), NEAREST)
        } else {
            (self.same.clone(), SAME)
        };
        let there = there.into_iter().map(point);
        chart.dots(pen, there, theme.there, 2.2 * theme.stroke());
        let (right, above) = (chart.plot.right(), chart.plot.y - 0.9 * size);
        let (legend, words) = (legend.get(self.lang), TextStyle::new(size, theme.there));
        pen.text((right, above), &format!("● {legend}"), words.align_right());
        chart.upright(pen, context, self.at, "", theme.here);
        let name = match self.lang {
            Lang::En => format!("position {}", self.pos),
            Lang::Zh => format!("位置 {}", self.pos),
        };
        let tag = (chart.x.pixel(self.at), chart.plot.y + 0.9 * size);
        chart.tag(pen, theme, tag, &name, theme.here);
        pen.disc(chart.at((self.at, 0.0)), 2.2 * theme.stroke(), theme.here);
    }
}
