//! The unit circle, and the path to PE(pos+k) on it.

use super::words::written;
use super::{Derivation, is_wide, sizes};
use crate::draw::{Circle, DrawContext, Pen, Point, Rect, Space, TextStyle, dial, keep_apart};
use crate::text::{labels, number};
use plotters::style::RGBColor;
use posenc_encoding::sin_cos;
use std::f64::consts::TAU;

/// The circle, and the x coordinate of the labels to its right.
pub(super) fn plan(context: &DrawContext) -> (Circle, f64) {
    let (width, size) = (context.frame.width, context.theme.label_size());
    let (radius, words) = sizes(width, context.theme);
    let taken = 2.0 * radius + words + 7.6 * size;
    let left = ((width - taken) / 2.0).max(0.0);
    let centre = Point::new(left + 2.3 * size + radius, 2.4 * size + radius);
    (Circle { centre, radius }, centre.x + radius + 5.2 * size)
}

impl Derivation {
    /// Draws the path to PE(pos+k): along PE(pos), then at a right angle to it. Its vertical components are drawn at the
    /// right of the circle, its horizontal ones below.
    fn draw_way(&self, pen: &Pen, context: &DrawContext, (circle, words): (Circle, f64)) {
        let theme = context.theme;
        let (size, wide) = (theme.label_size(), 1.5 * theme.stroke());
        let Point { x, y } = circle.centre;
        let [(sin, cos), (_, cos_k)] = self.waves();
        let (sin_there, cos_there) = self.pe.sin_cos(self.pair, self.pos + self.k);
        let foot = circle.point(sin * cos_k, cos * cos_k);
        let tip = circle.point(sin_there, cos_there);
        let [first, second] = [theme.accent, theme.there];
        pen.arrow(circle.centre, foot, first, wide);
        if self.step % 2 == 1 || self.step == 6 {
            pen.arrow(foot, tip, second, wide);
        }
        let thin = 0.6 * theme.stroke();
        let terms = self.terms();
        let wide_enough = is_wide(context.frame.width, theme);
        let label = |at: Point, name: &str, value: f64, colour: RGBColor| {
            let value = written(value);
            let text = if wide_enough {
                format!("{name} = {value}")
            } else {
                value
            };
            pen.text(at, &text, TextStyle::new(size, colour).bold().align_left());
        };
        if matches!(self.step, 2 | 3 | 6) {
            let up = |value: f64| y - circle.radius * value;
            let bars = [words - 0.9 * size, words - 0.1 * size];
            pen.dashes(foot, (bars[0], foot.y), first, thin);
            pen.arrow((bars[0], y), (bars[0], up(terms[0])), first, wide);
            let mut labels = vec![(up(terms[0] / 2.0), terms[0], "sin pos·ω · cos kω", first)];
            if self.step != 2 {
                pen.dashes(tip, (bars[1], tip.y), second, thin);
                let (from, to) = ((bars[1], foot.y), (bars[1], tip.y));
                pen.arrow(from, to, second, wide);
                let middle = up(terms[0] + terms[1] / 2.0);
                labels.push((middle, terms[1], "cos pos·ω · sin kω", second));
            }
            if let [upper, lower] = &mut labels[..] {
                if upper.0 > lower.0 {
                    std::mem::swap(upper, lower);
                }
                keep_apart(&mut upper.0, &mut lower.0, 1.5 * size);
            }
            for (at, value, name, colour) in labels {
                label(Point::new(words + 0.7 * size, at), name, value, colour);
            }
        }
        if matches!(self.step, 4..=6) {
            let across = |value: f64| x + circle.radius * value;
            let rows = [2.1, 3.5].map(|row| y + circle.radius + row * size);
            pen.dashes(foot, (foot.x, rows[0]), first, thin);
            pen.arrow((x, rows[0]), (across(terms[2]), rows[0]), first, wide);
            let beside = |y: f64| Point::new(words - 0.9 * size, y);
            label(beside(rows[0]), "cos pos·ω · cos kω", terms[2], first);
            if self.step != 4 {
                pen.dashes(tip, (tip.x, rows[1]), second, thin);
                pen.arrow((foot.x, rows[1]), (tip.x, rows[1]), second, wide);
                label(beside(rows[1]), "−sin pos·ω · sin kω", terms[3], second);
            }
        }
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, layout: &(Circle, f64)) {
        let (theme, (circle, words)) = (context.theme, *layout);
        let size = theme.label_size();
        let (start, by) = (self.pe.angle(self.pair, self.pos), self.angles().1);
        let end = start + by;
        if self.step == 7 {
            for other in self.other_positions() {
                let from = self.pe.angle(self.pair, other);
                for (angle, colour) in [(from, theme.here), (from + by, theme.there)] {
                    let line = [circle.centre, circle.at(angle, 1.0)];
                    pen.faint_line(&line, colour, 0.3, 0.75 * theme.stroke());
                }
                dial::turn(pen, theme, circle, 0.5, (from, by), theme.rule);
            }
        }
        let apart = circle.at(start, 1.0);
        let tip = circle.at(end, 1.0);
        let together = apart.distance(tip) < 1.3 * size;
        let two = self.step >= 1 && !together;
        dial::axes(pen, theme, circle);
        let arrow = 1.3 * theme.stroke();
        let corner = |row: f64, text: &str, colour: RGBColor| {
            let at = (words - 0.9 * size, (0.9 + 1.5 * row) * size);
            pen.text(at, text, TextStyle::new(size, colour).bold().align_left());
        };
        let name = format!("{}, ω = {}", labels::pair_tag(self.lang, self.pair), {
            number::short(self.omega(), 4)
        });
        corner(0.0, &name, theme.muted);
        let mut space = Space::new(Rect::around(circle.centre, circle.radius));
        for angle in &[start, end][..1 + usize::from(self.step >= 1)] {
            space.take_line([circle.centre, circle.at(*angle, 1.0)], arrow);
        }
        let wedge = |(from, by): (f64, f64), colour: RGBColor| {
            dial::wedge(pen, circle, (from, by % TAU), colour, 0.12);
        };
        // The name of an angle is between its arms and beyond its arc, that of a narrow one beside its first arm. It is omitted
        // where it would cover a hand or the other name.
        let mut named = |name: &str, (from, by): (f64, f64), colour: RGBColor| {
            let style = TextStyle::new(1.2 * size, colour).bold();
            let places = match by.abs() < 0.6 {
                true => vec![circle.at(from - 0.25 * by.signum(), 0.45)],
                false => [0.56, 0.72]
                    .map(|share| circle.at(from + by % TAU / 2.0, share))
                    .into(),
            };
            let places: Vec<_> = places.into_iter().map(|at| (at, style)).collect();
            space.write(pen, name, &places);
        };
        if self.step <= 1 {
            wedge((0.0, start), theme.here);
            named("pos·ω", (0.0, start), theme.here);
            let zero = circle.at(0.0, 1.0);
            pen.line(&[circle.centre, zero], theme.muted, theme.hairline());
            dial::turn(pen, theme, circle, 0.3, (0.0, start), theme.here);
        }
        if self.step >= 1 {
            if !(2..=6).contains(&self.step) {
                let share = if self.step == 1 { 0.3 } else { 0.5 };
                dial::turn(pen, theme, circle, share, (start, by), theme.there);
                let turned = format!("kω = {} rad", written(by));
                // Outside its wedge, between the names of the hands, if there is room for it.
                let middle = start + by / 2.0;
                let (up, right) = sin_cos(middle);
                if self.step == 1
                    && right > 0.4
                    && (0.35..0.9).contains(&up.abs())
                    && (0.7..2.6).contains(&by.abs())
                {
                    let style = TextStyle::new(1.2 * size, theme.there).bold().align_left();
                    pen.text(circle.at(middle, 1.07), &turned, style);
                } else if is_wide(context.frame.width, theme) {
                    corner(1.0, &turned, theme.there);
                } else {
                    let at = circle.centre + (0.0, circle.radius + 3.5 * size);
                    pen.text(at, &turned, TextStyle::new(size, theme.there).bold());
                }
            }
            if self.step == 1 {
                wedge((start, by), theme.there);
                named("kω", (start, by), theme.there);
            }
            pen.arrow(circle.centre, circle.at(end, 1.0), theme.there, arrow);
        }
        pen.arrow(circle.centre, circle.at(start, 1.0), theme.here, arrow);
        if (2..=6).contains(&self.step) {
            self.draw_way(pen, context, *layout);
        }
        let hands = [(start, "pos", theme.here), (end, "pos+k", theme.there)];
        let hands = hands.map(|(angle, name, colour)| dial::Named {
            angle,
            name,
            colour,
        });
        let shown = if two { &hands[..] } else { &hands[..1] };
        dial::names(pen, context, self.lang, circle, shown);
    }
}
