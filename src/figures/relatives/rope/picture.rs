//! The rotation of each pair as a dial, the logit over the offset, and the dimensions that form a pair.

use super::words::OFFSET;
use super::{D_HEAD, LAST, PAIRS, Rope};
use crate::draw::chart::Chart;
use crate::draw::pen::arc;
use crate::draw::{
    Circle, DrawContext, Pen, Point, Rect, Scale, TextStyle, Theme, dial, subscripted,
};
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{Pairing, wrap_to_pi};

pub(super) const ROWS: [Text; 2] = [
    Text::new("rows of W_Q, adjacent pairs", "W_Q 的各行，相邻成对"),
    Text::new("the same rows, pairs of halves", "同样的行，前后两半成对"),
];

pub(super) fn colours(theme: &Theme) -> [RGBColor; PAIRS] {
    [
        theme.series[0],
        theme.series[1],
        theme.series[2],
        theme.accent,
    ]
}

/// The height of the dials' labels and of the two logits below them, in label sizes.
pub(super) const AROUND: f64 = 9.4;

impl Rope {
    pub(super) fn radius(context: &DrawContext) -> f64 {
        (0.1 * Rope::dials(context).width).min(58.0 * context.theme.scale)
    }

    /// The rectangle of the dials with their labels: the left half of a low figure, otherwise the top of the whole picture.
    fn dials(context: &DrawContext) -> Rect {
        let all = Rect::all(context.frame);
        match context.is_low() {
            true => all.split_left(0.5 * all.width).0,
            false => all,
        }
    }

    pub(super) fn chart(&self, context: &DrawContext) -> Chart {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let top = AROUND * size + 2.0 * Rope::radius(context);
        let room = match context.is_low() {
            true => all.split_left(0.5 * all.width).1,
            false => all.down(top, (all.height - top).max(1.0)),
        };
        let parts = self.parts();
        let most: f64 = parts.iter().map(|part| part.0.hypot(part.1)).sum();
        let most = 1.05 * most / (D_HEAD as f64).sqrt();
        let last = LAST as f64;
        Chart::new(
            context,
            room,
            Scale::linear(-last, last),
            Scale::linear(-most, most),
        )
    }

    /// How far both positions are moved in the pale case, within the range that they have.
    fn further(&self) -> i64 {
        let (first, last) = (self.m.min(self.n), self.m.max(self.n));
        let (back, on) = (first, LAST - last);
        if on >= back {
            on.min(20)
        } else {
            -back.min(20)
        }
    }

    pub(super) fn draw_dials(&self, pen: &Pen, context: &DrawContext) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (Rect { width, height, .. }, radius) = (Rope::dials(context), Rope::radius(context));
        // In a low figure they are centred vertically.
        let y = match context.is_low() {
            true => 0.5 * (height - AROUND * size - 2.0 * radius).max(0.0),
            false => 0.0,
        };
        let (m, n, offset) = (whole(self.m), whole(self.n), whole(self.m - self.n));
        let (q, k) = match self.lang {
            Lang::En => (format!("q at m = {m}"), format!("k at n = {n}")),
            Lang::Zh => (format!("q 在 m = {m}"), format!("k 在 n = {n}")),
        };
        let heads = [
            (0.17, q, theme.series[0]),
            (0.5, k, theme.series[1]),
            (0.83, format!("m − n = {offset}"), theme.there),
        ];
        for (share, words, colour) in heads {
            let words_at = (share * width, y + 0.9 * size);
            pen.text(words_at, &words, TextStyle::new(size, colour).bold());
        }
        let further = self.further();
        let shares = self
            .rope
            .contributions((&self.q, self.m), (&self.k, self.n));
        let length = |x: &[f64], [a, b]: [usize; 2]| x[a].hypot(x[b]);
        let longest = (0..PAIRS)
            .flat_map(|pair| [&self.q, &self.k].map(|x| length(x, self.rope.dimensions(pair))))
            .fold(1e-9, f64::max);
        for (pair, share) in shares.into_iter().enumerate() {
            let dimensions = self.rope.dimensions(pair);
            let centre = Point::new(
                (pair as f64 + 0.5) * width / PAIRS as f64,
                y + 3.6 * size + radius,
            );
            let name = (centre.x, y + 2.5 * size);
            pen.text(
                name,
                &labels::pair_tag(self.lang, pair),
                TextStyle::new(size, theme.muted),
            );
            let (mut angles, mut ghosts) = ([0.0; 2], [0.0; 2]);
            for (end, (x, at, colour)) in [
                (&self.k, self.n, theme.series[1]),
                (&self.q, self.m, theme.series[0]),
            ]
            .into_iter()
            .enumerate()
            {
                let share = length(x, dimensions) / longest;
                let circle = Circle {
                    centre,
                    radius: share * radius,
                };
                let start = x[dimensions[1]].atan2(x[dimensions[0]]);
                angles[end] = start + self.rope.angle(pair, at);
                pen.ring(centre, circle.radius, theme.rule, theme.hairline());
                let moved = start + self.rope.angle(pair, at + further);
                ghosts[end] = moved;
                pen.faint_line(
                    &[centre, circle.at(moved, 1.0)],
                    colour,
                    0.4,
                    theme.stroke(),
                );
                let tip = circle.at(angles[end], 1.0);
                pen.arrow(centre, tip, colour, theme.stroke());
            }
            let circle = Circle { centre, radius };
            let between = (angles[0], wrap_to_pi(angles[1] - angles[0]));
            dial::turn(pen, theme, circle, 0.28, between, theme.there);
            let ghost = arc(centre, |_| 0.42 * radius, ghosts[0], ghosts[0] + between.1);
            pen.faint_line(&ghost, theme.there, 0.4, theme.stroke());
            let share = fixed(share, 2);
            let below = (centre.x, y + 4.4 * size + 2.0 * radius);
            pen.text(below, &share, TextStyle::new(size, theme.ink));
        }
        // That the logit stays is a prediction until the offset is locked.
        let logit = fixed(self.logit(), 3);
        let moved = match self.locked {
            true => logit.clone(),
            false => "?".to_string(),
        };
        let [m, n] = [self.m, self.n].map(|at| whole(at + further));
        let names = match self.lang {
            Lang::En => ["sum = logit".to_string(), format!("pale: m = {m}, n = {n}")],
            Lang::Zh => [
                "合计 = 注意力分数".to_string(),
                format!("淡色：m = {m}、n = {n}"),
            ],
        };
        let y = y + 6.5 * size + 2.0 * radius;
        let large = TextStyle::new(2.2 * size, theme.there).bold();
        pen.text((0.5 * width, y), "=", large);
        for (share, number, name) in [(0.27, &logit, &names[0]), (0.73, &moved, &names[1])] {
            pen.text((share * width, y), number, large);
            let style = TextStyle::new(size, theme.ink).fitting(name, 0.5 * width);
            pen.text((share * width, y + 1.9 * size), name, style);
        }
    }

    pub(super) fn draw_chart(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let theme = context.theme;
        chart.axes(pen, context, self.lang.texts([labels::LOGIT_AXIS, OFFSET]));
        let steps = -4 * LAST..=4 * LAST;
        let curve = steps.map(|step| {
            let offset = step as f64 / 4.0;
            (offset, self.logit_at(offset))
        });
        chart.curve(pen, curve, theme.ink, 0.6 * theme.stroke());
        let (offset, logit) = ((self.m - self.n) as f64, self.logit());
        let tip = chart.at((offset, logit));
        let foot = (tip.x, chart.plot.bottom());
        pen.dashes(foot, tip, theme.there, 0.75 * theme.stroke());
        chart.dots(pen, [(offset, logit)], theme.there, 2.6 * theme.stroke());
    }

    /// Draws the rows of the weights in the order of either pairing, with brackets for pairs and lines for the permutation.
    pub(super) fn draw_pairing(&self, pen: &Pen, context: &DrawContext) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (width, height) = (context.frame.width, context.frame.height);
        let side = (0.9 * width / D_HEAD as f64).min(3.2 * size);
        let left = (width - side * D_HEAD as f64) / 2.0;
        let tops = [5.2 * size, height - 7.4 * size - side];
        let middle = |column: usize| left + (column as f64 + 0.5) * side;
        let order = Pairing::order(D_HEAD);
        let pairings = [Pairing::Adjacent, Pairing::Halves];
        for (column, &row) in order.iter().enumerate() {
            let from = (middle(row), tops[0] + side);
            let line = [from, (middle(column), tops[1])];
            pen.faint_line(&line, colours(theme)[row / 2], 0.7, 0.8 * theme.stroke());
        }
        for (strip, pairing) in pairings.into_iter().enumerate() {
            let (top, down) = (tops[strip], strip == 1);
            for (column, &moved) in order.iter().enumerate() {
                let row = if down { moved } else { column };
                let rect = Rect::new(left + column as f64 * side, top, side, side);
                let colour = colours(theme)[row / 2];
                pen.fill(rect, theme.panel, 1.0);
                pen.fill(rect, colour, 0.16);
                pen.outline(rect, theme.muted, 0.8, theme.hairline());
                let centre = (rect.x + side / 2.0, rect.y + side / 2.0);
                let style = TextStyle::new(1.1 * size, colour).bold();
                pen.text(centre, &row.to_string(), style);
            }
            for pair in 0..PAIRS {
                let [a, b] = pairing.dimensions(D_HEAD, pair).map(middle);
                let foot = if down { top + side } else { top };
                let reach = if down { 1.0 + pair as f64 } else { 1.0 };
                let sign = if down { 1.0 } else { -1.0 };
                let far = foot + sign * 0.75 * reach * size;
                let bracket = [(a, foot), (a, far), (b, far), (b, foot)];
                pen.line(&bracket, colours(theme)[pair], 0.8 * theme.stroke());
            }
            let title = ROWS[strip].get(self.lang);
            let y = if down {
                height - 1.2 * size
            } else {
                1.4 * size
            };
            let style = TextStyle::new(size, theme.muted);
            subscripted(pen, (width / 2.0, y), title, style);
        }
        // The logits of both: what a change of the pairing keeps, and what it breaks if the rows stay.
        let [adjacent, halves, unmoved] = self.logits().map(|logit| fixed(logit, 3));
        let logits = match self.lang {
            Lang::En => [
                format!("logit {adjacent}"),
                format!("logit {halves}"),
                format!("without moving: {unmoved}"),
            ],
            Lang::Zh => [
                format!("注意力分数 {adjacent}"),
                format!("注意力分数 {halves}"),
                format!("不移动各行：{unmoved}"),
            ],
        };
        let below = height - 3.0 * size;
        let places = [(0.5, 3.0 * size), (0.27, below), (0.73, below)];
        for (index, (words, (share, y))) in logits.iter().zip(places).enumerate() {
            let colour = if index == 2 { theme.wrong } else { theme.there };
            let style = TextStyle::new(1.4 * size, colour).bold();
            pen.text(
                (share * width, y),
                words,
                style.fitting(words, 0.46 * width),
            );
        }
    }
}
