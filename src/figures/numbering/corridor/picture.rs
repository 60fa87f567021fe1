//! The forks, and the corridor with the distance of every position.

use super::Corridor;
use super::words::{ALONG, DISTANCE, NEAREST, SAME};
use crate::draw::chart::Chart;
use crate::draw::{Circle, DrawContext, Pen, Point, Rect, Scale, TextStyle};
use crate::text::number::{fixed, short};
use crate::text::{Lang, labels};
use plotters::style::RGBColor;

/// In units of the type size.
pub(super) mod em {
    /// A fork's name, dial and numbers, and the line below all of them.
    pub const CELL: f64 = 11.8;
    pub const NARROWEST: f64 = 8.6;
    /// The largest number of forks.
    pub const MOST: usize = 5;
    pub const CORRIDOR: f64 = 18.2;
    pub const LOW_CORRIDOR: f64 = 10.4;
    pub const LEGEND: f64 = 1.1;
}

impl Corridor {
    pub(super) fn chart(&self, context: &DrawContext) -> Chart {
        let size = context.theme.label_size();
        let corridor = Corridor::chart_height(context.theme);
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
        let line = |down: f64| Point::new(middle, cell.y + down * size);
        let name = labels::pair_tag(self.lang, pair);
        pen.text(line(0.6), &name, TextStyle::new(size, theme.ink).bold());
        let length = format!("λ {}", short(self.pe.wavelength(pair), 4));
        pen.text(
            line(1.75),
            &length,
            TextStyle::new(theme.reduced(0.88), theme.muted),
        );

        let (centre, radius) = (line(5.2), 2.5 * size);
        let tip = Circle { centre, radius }.point(sin, cos);
        let foot = Point::new(tip.x, centre.y);
        pen.ring(centre, radius, theme.muted, theme.hairline());
        let fine = 0.9 * theme.stroke();
        pen.line(&[centre, foot], theme.cosine, 1.6 * fine);
        pen.line(&[foot, tip], theme.sine, 1.6 * fine);
        pen.line(&[centre, tip], theme.here, fine);
        pen.disc(tip, 1.5 * theme.stroke(), theme.here);

        let value = |down, name: &str, value: f64, colour: RGBColor| {
            let words = format!("{name} {}", fixed(value, self.decimals));
            pen.text(line(down), &words, TextStyle::new(size, colour).bold());
        };
        value(8.6, "sin", sin, theme.sine);
        value(9.8, "cos", cos, theme.cosine);
    }

    fn place(&self, position: usize) -> String {
        match self.lang {
            Lang::En => format!("position {position}"),
            Lang::Zh => format!("位置 {position}"),
        }
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let mut shown = 0;
        for (pair, cell) in self.forks(context.frame.width, theme) {
            self.fork(pen, context, pair, cell);
            shown += 1;
        }
        if shown < self.pe.pairs() {
            let count = labels::clocks_shown(self.lang, shown, self.pe.pairs());
            let at = (0.5 * context.frame.width, 11.2 * size);
            pen.text(at, &count, TextStyle::new(size, theme.muted));
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
        let (there, name) = match (self.nearest(), self.same.is_empty()) {
            (Some((places, distance)), true) => {
                // No other place is in this band.
                let top = chart.y.pixel(distance);
                let band = chart.plot.down(top, chart.plot.bottom() - top);
                pen.fill(band, theme.there, 0.1);
                let name = format!("{} {}", NEAREST.get(self.lang), short(distance, 3));
                (places, name)
            }
            _ => (self.same.clone(), SAME.get(self.lang).to_string()),
        };
        let there: Vec<_> = there.into_iter().map(point).collect();
        chart.dots(
            pen,
            there.iter().copied(),
            theme.there,
            2.2 * theme.stroke(),
        );
        // Beside the last dot, or the first if that is too near the end.
        let style = TextStyle::new(1.4 * size, theme.there).bold();
        // It may become a little smaller there.
        let least = 0.8 * style.width(&name) + 1.5 * size;
        let fits = |last: &&(f64, f64)| chart.at(**last).x + least < chart.plot.right();
        let beside = match (there.last().filter(fits), there.first()) {
            (Some(last), _) => Some((last, size, style.align_left())),
            (None, first) => first.map(|first| (first, -size, style.align_right())),
        };
        if let Some((at, aside, style)) = beside {
            let Point { x, y } = chart.at(*at);
            // In the band, where no curve is, if it is high enough.
            let inside = 0.5 * (y + chart.plot.bottom());
            let y = if inside - y > size { inside } else { y };
            let room = match aside < 0.0 {
                true => x - chart.plot.x,
                false => chart.plot.right() - x,
            };
            pen.text(
                (x + aside, y),
                &name,
                style.fitting(&name, room - 1.5 * size),
            );
        }
        chart.upright(pen, context, self.at, "", theme.here);
        let name = self.place(self.pos);
        let tag = (chart.x.pixel(self.at), chart.plot.y + 0.9 * size);
        chart.tag(pen, theme, tag, &name, theme.here);
        pen.disc(chart.at((self.at, 0.0)), 2.2 * theme.stroke(), theme.here);
    }
}
