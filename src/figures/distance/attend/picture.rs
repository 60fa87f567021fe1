//! A bar for each key and, below it in the same column, the contribution of each pair.

use super::words::{ASKED, BAR, KEY, LOGIT, QUERY, SHARE};
use super::{Attend, BARS, SHARES, compute::Weights};
use crate::draw::chart::Chart;
use crate::draw::grid::{cell_rect, cells, colour_bar};
use crate::draw::{DrawContext, Pen, Point, Rect, Scale, TextStyle};
use crate::text::labels;
use crate::text::number::{fixed, whole};

pub struct Plan {
    pub(super) chart: Chart,
    /// Pairs down, keys across, under the bars.
    pub(super) map: Rect,
    bar: Rect,
    /// The magnitude of a share that has the strongest colour.
    most: f64,
}

impl Plan {
    pub(super) fn new(it: &Attend, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let most = match it.shares.weights {
            Weights::Random => it.shares.largest_amplitude(),
            Weights::Identity | Weights::Rotated => 1.0,
        };
        let high = it.logits.iter().copied().fold(1.0, f64::max);
        // There is room below zero for the grips.
        let low = it.logits.iter().copied().fold(-0.12 * high, f64::min);
        let top = 2.0 * size;
        // In a lower figure, both parts lose the same height.
        let bars = BARS * size - 0.5 * ((BARS + SHARES) * size - all.height);
        // Leaves room for the colour bar and its numbers at the right.
        let room = Rect::new(0.0, top, all.width - 3.5 * size, bars - top);
        let keys = Scale::linear(-0.5, it.logits.len() as f64 - 0.5);
        let chart = Chart::new(context, room, keys, Scale::linear(1.05 * low, 1.05 * high));
        let y = bars + 1.8 * size;
        let map = Rect::new(
            chart.plot.x,
            y,
            chart.plot.width,
            (all.height - y - 1.8 * size).max(1.0),
        );
        Plan {
            bar: map.across(map.right() + 0.6 * size, 0.7 * size),
            chart,
            map,
            most,
        }
    }
}

impl Attend {
    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_bars(pen, context, plan);
        self.draw_shares(pen, context, plan);
    }

    fn draw_bars(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size, lang) = (context.theme, context.theme.label_size(), self.lang);
        let chart = &plan.chart;
        chart.axes(pen, context, [LOGIT.get(lang), KEY.get(lang)]);
        let zero = chart.y.pixel(0.0);
        let asked = self
            .peak()
            .filter(|_| self.shares.weights == Weights::Rotated);
        for (key, &logit) in self.logits.iter().enumerate() {
            let Point { x, y } = chart.at((key as f64, logit));
            let width = 0.8 * chart.x.density();
            let bar = Rect::new(x - 0.5 * width, y.min(zero), width, (y - zero).abs());
            let (colour, opacity) = match key {
                key if Some(key) == asked => (theme.there, 1.0),
                key if key == self.pos => (theme.here, 1.0),
                _ => (theme.muted, 0.55),
            };
            pen.fill(bar, colour, opacity);
        }
        pen.line(&chart.plot.horizontal(zero), theme.muted, theme.hairline());
        let named = |key: usize, name: &str| {
            let at = (chart.x.pixel(key as f64), chart.plot.y - 0.75 * size);
            let logit = fixed(self.logits[key], 2);
            (at, format!("{name} {}: {logit}", whole(key as i64)))
        };
        let bold = |colour| TextStyle::new(1.2 * size, colour).bold();
        let (at, text) = named(self.pos, QUERY.get(lang));
        let Some(asked) = asked.filter(|&asked| asked != self.pos) else {
            return pen.text(at, &text, bold(theme.here));
        };
        // The two names are aligned away from each other.
        let (here, there) = (bold(theme.here), bold(theme.there));
        let (here, there) = match asked < self.pos {
            true => (here.align_left(), there.align_right()),
            false => (here.align_right(), there.align_left()),
        };
        pen.text(at, &text, here);
        let (at, text) = named(asked, ASKED.get(lang));
        pen.text(at, &text, there);
    }

    fn draw_shares(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size, lang) = (context.theme, context.theme.label_size(), self.lang);
        let (map, shape) = (plan.map, (self.shares.pairs(), self.logits.len()));
        cells(pen, context, map, shape, plan.most, |pair, key| {
            self.shares.of(pair, key)
        });
        let height = map.height / shape.0 as f64;
        let edge = map.y + self.summed as f64 * height;
        let left_out = map.down(edge, map.bottom() - edge);
        pen.fill(left_out, theme.panel, 0.75);
        pen.outline(map, theme.muted, 0.6, theme.hairline());
        if self.summed < shape.0 {
            let ends = map.horizontal(edge);
            pen.line(&ends, theme.accent, theme.stroke());
        }
        for (key, colour) in [
            (Some(self.pos), theme.here),
            (self.peak().filter(|&peak| peak != self.pos), theme.there),
        ] {
            let Some(key) = key else { continue };
            let column = cell_rect(map, (1, shape.1), 0, key);
            pen.outline(column, colour, 1.0, theme.hairline());
        }
        colour_bar(pen, context, plan.bar, plan.most, BAR.get(lang));
        let muted = TextStyle::new(size, theme.muted);
        let title = (map.x, map.y - 0.8 * size);
        pen.text(title, SHARE.get(lang), muted.align_left());
        let last = shape.0 - 1;
        let middle = |pair: usize| map.y + (pair as f64 + 0.5) * height;
        let chosen = match self.summed < shape.0 {
            true => TextStyle::new(size, theme.accent).bold(),
            false => muted,
        };
        let mut numbers = vec![(self.summed - 1, chosen)];
        for pair in [0, last] {
            let clear = |(other, _): &(usize, TextStyle)| {
                *other != pair && (middle(*other) - middle(pair)).abs() > 1.2 * size
            };
            if numbers.iter().all(clear) {
                numbers.push((pair, muted));
            }
        }
        for (pair, words) in numbers {
            let at = (map.x - 0.5 * size, middle(pair));
            pen.text(at, &pair.to_string(), words.align_right());
        }
        let at = (map.x - 4.5 * size, map.centre_y());
        pen.text(at, labels::PAIR_AXIS.get(lang), muted.rotated());
    }
}
