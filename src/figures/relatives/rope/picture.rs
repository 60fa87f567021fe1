//! The rotation of each pair as a dial, the logit over the offset, and the dimensions that form a pair.

use super::words::{OFFSET, SAME_ANGLES, SUM};
use super::{D_HEAD, LAST, PAIRS, Rope};
use crate::draw::chart::Chart;
use crate::draw::{
    Circle, DrawContext, Pen, Point, Rect, Scale, TextStyle, Theme, dial, subscripted,
};
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{Pairing, wrap_to_pi};

/// What stands at the left of either strip: its rows, and how they are paired.
const STRIPS: [[Text; 2]; 2] = [
    [
        Text::new("rows of W_Q", "W_Q 的各行"),
        Text::new("adjacent pairs", "相邻成对"),
    ],
    [
        Text::new("the same rows", "同样的行"),
        Text::new("pairs of halves", "前后两半成对"),
    ],
];
/// Its width, in label sizes.
const NAMES: f64 = 10.0;

pub(super) fn colours(theme: &Theme) -> [RGBColor; PAIRS] {
    [
        theme.series[0],
        theme.series[1],
        theme.series[2],
        theme.accent,
    ]
}

/// Heights in label sizes: above the dials of the first row, and of the second; below those of each.
const ABOVE: [f64; 2] = [2.7, 1.5];
const BELOW: f64 = 1.4;
/// Width of the column of the logits, in label sizes.
const LOGITS: f64 = 8.6;
/// How far both positions are moved in the second row.
const FURTHER: i64 = 80;

impl Rope {
    pub(super) fn radius(width: f64, theme: &Theme) -> f64 {
        (0.079 * width).min(46.0 * theme.scale)
    }

    /// The height of both rows of dials with this radius.
    pub(super) fn rows(radius: f64, theme: &Theme) -> f64 {
        (ABOVE[0] + ABOVE[1] + 2.0 * BELOW) * theme.label_size() + 4.0 * radius
    }

    /// The rectangle of the dials with their labels: the left half of a low figure, otherwise the top of the whole picture;
    /// and the radius of a dial.
    fn dials(context: &DrawContext) -> (Rect, f64) {
        let (all, theme) = (Rect::all(context.frame), context.theme);
        let fitting = |room: Rect| {
            let spare = (Rope::rows(Rope::radius(room.width, theme), theme) - room.height).max(0.0);
            (Rope::radius(room.width, theme) - spare / 4.0).max(1.0)
        };
        if context.is_low() {
            let left = all.split_left(0.5 * all.width).0;
            let radius = fitting(left);
            let spare = (left.height - Rope::rows(radius, theme)).max(0.0);
            return (left.split_top(0.5 * spare).1, radius);
        }
        let radius = Rope::radius(all.width, theme);
        (all.split_top(Rope::rows(radius, theme)).0, radius)
    }

    pub(super) fn chart(&self, context: &DrawContext) -> Chart {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let top = Rope::dials(context).0.height + 0.4 * size;
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

    /// How far both positions are moved in the second row, within the range that they have; 0 if they fill it, and there
    /// is no second row.
    pub(super) fn further(&self) -> i64 {
        let (first, last) = (self.m.min(self.n), self.m.max(self.n));
        let (back, on) = (first, LAST - last);
        if on >= back {
            on.min(FURTHER)
        } else {
            -back.min(FURTHER)
        }
    }

    pub(super) fn draw_dials(&self, pen: &Pen, context: &DrawContext) {
        let size = context.theme.label_size();
        let (room, radius) = Rope::dials(context);
        let (first, second) = room.split_top((ABOVE[0] + BELOW) * size + 2.0 * radius);
        self.draw_row(pen, context, (first, radius), 0);
        let by = self.further();
        if by != 0 {
            self.draw_row(pen, context, (second, radius), by);
        }
    }

    /// Draws the pairs of q and k, both moved on by as much, and at the right their logit. That it stays is a prediction
    /// until the offset is locked.
    fn draw_row(&self, pen: &Pen, context: &DrawContext, (room, radius): (Rect, f64), by: i64) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let is_first = by == 0;
        let (dials, logits) = room.split_left(room.width - (LOGITS * size).min(0.28 * room.width));
        let (m, n) = (self.m + by, self.n + by);
        let (q, k) = match self.lang {
            Lang::En => (
                format!("q at m = {}", whole(m)),
                format!("k at n = {}", whole(n)),
            ),
            Lang::Zh => (
                format!("q 在 m = {}", whole(m)),
                format!("k 在 n = {}", whole(n)),
            ),
        };
        let offset = format!("m − n = {}", whole(self.m - self.n));
        let style = TextStyle::new(size, theme.there).bold();
        let level = room.y + 0.8 * size;
        pen.text((logits.centre_x(), level), &offset, style);
        let mut x = dials.x + 0.6 * size;
        for (words, colour) in [(q, theme.series[0]), (k, theme.series[1])] {
            let style = TextStyle::new(size, colour).bold().align_left();
            pen.text((x, level), &words, style);
            x += style.width(&words) + 1.4 * size;
        }
        let above = if is_first { ABOVE[0] } else { ABOVE[1] } * size;
        let y = room.y + above + radius;
        let length = |x: &[f64], [a, b]: [usize; 2]| x[a].hypot(x[b]);
        let longest = (0..PAIRS)
            .flat_map(|pair| [&self.q, &self.k].map(|x| length(x, self.rope.dimensions(pair))))
            .fold(1e-9, f64::max);
        let shares = self.rope.contributions((&self.q, m), (&self.k, n));
        let is_known = is_first || self.locked;
        let known = |number: String| if is_known { number } else { "?".to_string() };
        for (pair, share) in shares.into_iter().enumerate() {
            let dimensions = self.rope.dimensions(pair);
            let x = dials.x + (pair as f64 + 0.5) * dials.width / PAIRS as f64;
            let centre = Point::new(x, y);
            if is_first {
                let name = labels::pair_tag(self.lang, pair);
                let style = TextStyle::new(size, theme.muted);
                pen.text((x, room.y + 2.05 * size), &name, style);
            }
            let mut angles = [0.0; 2];
            for (end, (vector, at, colour)) in
                [(&self.k, n, theme.series[1]), (&self.q, m, theme.series[0])]
                    .into_iter()
                    .enumerate()
            {
                let circle = Circle {
                    centre,
                    radius: length(vector, dimensions) / longest * radius,
                };
                let start = vector[dimensions[1]].atan2(vector[dimensions[0]]);
                angles[end] = start + self.rope.angle(pair, at);
                pen.ring(centre, circle.radius, theme.rule, theme.hairline());
                pen.arrow(centre, circle.at(angles[end], 1.0), colour, theme.stroke());
            }
            let circle = Circle { centre, radius };
            let between = (angles[0], wrap_to_pi(angles[1] - angles[0]));
            dial::wedge(pen, circle, between, theme.there, 0.12);
            dial::turn(pen, theme, circle, 0.32, between, theme.there);
            let below = (x, y + radius + 0.8 * size);
            let share = known(fixed(share, 2));
            pen.text(below, &share, TextStyle::new(size, theme.ink));
        }
        let number = known(fixed(self.logit(), 3));
        let large = if is_known { 2.2 } else { 3.0 };
        let style = TextStyle::new(large * size, theme.there).bold();
        let style = style.fitting(&number, 0.86 * logits.width);
        pen.text((logits.centre_x(), y), &number, style);
        if is_known {
            let name = if is_first { SUM } else { SAME_ANGLES };
            let name = name.get(self.lang);
            let style = TextStyle::new(size, theme.ink).fitting(name, logits.width);
            pen.text((logits.centre_x(), y + 1.9 * size), name, style);
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
        chart.curve(pen, curve, theme.muted, 0.6 * theme.stroke());
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
        let around = (NAMES + 1.2) * size;
        let side = ((width - around) / D_HEAD as f64).min(3.2 * size);
        let start = (width - around - side * D_HEAD as f64) / 2.0 + 0.6 * size;
        let left = start + NAMES * size;
        let tops = [2.2 * size, height - 4.4 * size - side];
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
        }
        // The logits of both: what a change of the pairing keeps, and what it breaks if the rows stay.
        let [adjacent, halves, unmoved] = self.logits().map(|logit| fixed(logit, 3));
        let (name, left_there) = match self.lang {
            Lang::En => ("logit", "unmoved:"),
            Lang::Zh => ("注意力分数", "行不移动："),
        };
        let at = |strip: usize, line: usize| {
            let down = 0.5 * side + 1.45 * (line as f64 - 1.0) * size;
            (start, tops[strip] + down)
        };
        for (strip, names) in STRIPS.into_iter().enumerate() {
            let style = TextStyle::new(size, theme.muted).align_left();
            for (line, name) in self.lang.texts(names).into_iter().enumerate() {
                subscripted(pen, at(strip, line), name, style);
            }
        }
        for (strip, line, words, logit, colour) in [
            (0, 2, name, adjacent, theme.there),
            (1, 2, name, halves, theme.there),
            (1, 3, left_there, unmoved, theme.wrong),
        ] {
            let words = format!("{words} {logit}");
            let style = TextStyle::new(1.1 * size, colour).bold().align_left();
            let style = style.fitting(&words, (NAMES - 0.6) * size);
            pen.text(at(strip, line), &words, style);
        }
    }
}
