//! The pair of the step as a dial; in the step of the sum, the word and its encoding as arrows in the plane of pair 0.

use super::{ByHand, Step, TOKENS};
use crate::draw::chart::Chart;
use crate::draw::dial::{self, Named};
use crate::draw::text_style::text_width;
use crate::draw::{Circle, DrawContext, Pen, Point, Rect, Scale, Space, TextStyle, Theme};
use crate::text::number::{fixed, trimmed};
use crate::text::{Lang, Text};
use posenc_encoding::sin_cos;
use std::f64::consts::TAU;

/// The margins of a chart beside and above or below its plot, in label sizes.
const MARGINS: (f64, f64) = (6.2, 3.9);
/// The height of the title, in label sizes.
const TITLE: f64 = 1.6;

impl ByHand {
    pub(super) fn picture_height(&self, width: f64, theme: &Theme) -> f64 {
        theme.fitted(width.min(21.0 * theme.label_size()), 16.0)
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext) {
        match Step::at(self.step) {
            Step::Sum { pos } => self.draw_plane(pen, context, pos),
            step => self.draw_dial(pen, context, step),
        }
    }

    /// The title of a dial, and its hands: pair and angle.
    fn hands(&self, step: Step) -> (String, Vec<(usize, f64)>) {
        let both = |pos: usize| [0, 1].map(|pair| (pair, self.angle(pos, pair))).into();
        let zh = self.lang == Lang::Zh;
        match step {
            Step::Frequency { pair } => {
                let (angle, omega) = (self.angle(1, pair), trimmed(self.pe.frequency(pair), 4));
                let title = match zh {
                    false => format!("Pair {pair}: {omega} radian per position"),
                    true => format!("维度对 {pair}：每个位置转 {omega} 弧度"),
                };
                (title, vec![(pair, angle)])
            }
            Step::Values { pos, pair } => {
                let angle = trimmed(self.angle(pos, pair), 4);
                let title = match zh {
                    false => format!("Position {pos}, pair {pair}: angle {angle}"),
                    true => format!("位置 {pos}，维度对 {pair}：角度 {angle}"),
                };
                (title, vec![(pair, self.angle(pos, pair))])
            }
            Step::Angles { pos } | Step::Row { pos } | Step::Sum { pos } => {
                let title = match zh {
                    false => format!("Position {pos}: both pairs"),
                    true => format!("位置 {pos} 的两个维度对"),
                };
                (title, both(pos))
            }
        }
    }

    fn draw_dial(&self, pen: &Pen, context: &DrawContext, step: Step) {
        let (theme, frame) = (context.theme, context.frame);
        let size = theme.label_size();
        let top = TITLE * size;
        let centre = Point::new(frame.width / 2.0, (top + frame.height) / 2.0);
        let high = (frame.height - top) / 2.0 - 1.5 * size;
        let circle = Circle {
            centre,
            radius: high.min(frame.width / 2.0 - dial::BESIDE * size).max(1.0),
        };
        let (title, hands) = self.hands(step);
        let style = TextStyle::new(size, theme.muted).bold();
        pen.text((centre.x, 0.8 * size), &title, style);
        dial::axes(pen, theme, circle);
        let has_values = matches!(step, Step::Values { .. } | Step::Row { .. });
        for &(_, angle) in &hands {
            let tip = circle.at(angle, 1.0);
            dial::turn(pen, theme, circle, 0.35, (0.0, angle), theme.ink);
            if has_values {
                let foot = Point::new(tip.x, centre.y);
                pen.line(&[centre, foot], theme.cosine, 2.0 * theme.stroke());
                pen.line(&[foot, tip], theme.sine, 2.0 * theme.stroke());
            }
            pen.arrow(centre, tip, theme.ink, 1.3 * theme.stroke());
        }
        let tips: Vec<_> = hands.iter().map(|hand| circle.at(hand.1, 1.0)).collect();
        for tip in tips {
            pen.disc(tip, 2.2 * theme.stroke(), theme.ink);
        }
        if let (Step::Values { .. }, &[(_, angle)]) = (step, &hands[..]) {
            self.write_values(pen, theme, circle, angle);
        }
        let name = |pair: usize| match (step, self.lang) {
            (Step::Frequency { .. }, Lang::En) => "position 1".to_string(),
            (Step::Frequency { .. }, Lang::Zh) => "位置 1".to_string(),
            (_, Lang::En) => format!("pair {pair}"),
            (_, Lang::Zh) => format!("维度对 {pair}"),
        };
        let names: Vec<_> = hands.iter().map(|hand| name(hand.0)).collect();
        let named = hands.iter().zip(&names).map(|(&(_, angle), name)| Named {
            angle,
            name,
            colour: theme.ink,
        });
        let is_one = matches!(step, Step::Values { .. });
        let named: Vec<_> = named.filter(|_| !is_one).collect();
        dial::names(pen, context, self.lang, circle, &named);
    }

    /// Writes sine and cosine of an angle beside their lines.
    fn write_values(&self, pen: &Pen, theme: &Theme, circle: Circle, angle: f64) {
        let size = 1.15 * theme.label_size();
        let (sine, cosine) = sin_cos(angle);
        let Point { x, y } = circle.centre;
        let (tip, up) = (
            circle.point(sine, cosine),
            if sine < 0.0 { -1.0 } else { 1.0 },
        );
        let style = TextStyle::new(size, theme.sine).bold();
        // Beside the line, or above the axis if the line is shorter than a letter.
        let mid = (y + tip.y) / 2.0;
        let at = if up * (y - mid) < size {
            y - up * size
        } else {
            mid
        };
        let (beside, style) = match cosine < 0.0 {
            true => (-0.6 * size, style.align_right()),
            false => (0.6 * size, style.align_left()),
        };
        pen.text((tip.x + beside, at), &fixed(sine, 5), style);
        let style = TextStyle::new(size, theme.cosine).bold();
        // Beside the axis of the sine if it is wider than its line.
        let words = fixed(cosine, 5);
        let half = style.width(&words) / 2.0 + 0.3 * size;
        let middle = match cosine < 0.0 {
            true => ((x + tip.x) / 2.0).min(x - half),
            false => ((x + tip.x) / 2.0).max(x + half),
        };
        pen.text((middle, y + up * size), &words, style);
    }

    /// Writes the names of the arrows in their colours if there is room up to `right`.
    fn legend(&self, pen: &Pen, theme: &Theme, mut at: Point, right: f64, pos: usize) {
        let size = theme.label_size();
        let title = Text::new("Pair 0", "维度对 0").get(self.lang);
        let input = Text::new("= input", "= 输入").get(self.lang);
        let mut words = vec![
            (title.to_string(), theme.ink),
            (format!("  {}", TOKENS[pos]), theme.muted),
            (format!("+ PE({pos})"), theme.here),
            (input.to_string(), theme.series[0]),
        ];
        // The token is in the table too.
        let widths = words
            .iter()
            .map(|(text, _)| 1.1 * text_width(text, size) + 0.5 * size);
        if at.x + widths.sum::<f64>() > right {
            words.truncate(1);
        }
        for (text, colour) in words {
            let width = text_width(&text, size);
            let style = TextStyle::new(size, colour).align_left().bold();
            pen.text(at, &text, style);
            at.x += 1.1 * width + 0.5 * size;
        }
    }

    /// Returns a token's embedding and its encoding as vectors (cosine, sine) in the plane of a pair.
    pub(super) fn arrow(&self, pos: usize, pair: usize) -> [(f64, f64); 2] {
        let (x, d) = (&self.embeddings[pos], 2 * pair);
        let code = (self.value(pos, d + 1), self.value(pos, d));
        [(x[d + 1], x[d]), code]
    }

    /// Returns the limits of both axes: every embedding plus or minus 1, the length of an encoding, and a margin.
    fn span(&self) -> (f64, f64) {
        let all = || self.embeddings.iter().flatten().copied();
        let low = all().fold(0.0, |low, x| f64::min(low, x - 1.0));
        let high = all().fold(0.0, |high, x| f64::max(high, x + 1.0));
        (low - 0.1, high + 0.1)
    }

    /// Draws the plane of pair 0 with cosine across and sine up, a square, so that a circle is drawn as a circle.
    fn draw_plane(&self, pen: &Pen, context: &DrawContext, now: usize) {
        let (theme, frame) = (context.theme, context.frame);
        let size = theme.label_size();
        let (wide, high) = (MARGINS.0 * size, MARGINS.1 * size);
        let room = frame.height - TITLE * size - high;
        let plot = (frame.width - wide).min(room).max(1.0);
        let left = ((frame.width - wide - plot) / 2.0).max(0.0);
        let room = Rect::new(left, TITLE * size, plot + wide, plot + high);
        let scale = || Scale::linear(self.span().0, self.span().1);
        let chart = Chart::new(context, room, scale(), scale());
        let titles = match self.lang {
            Lang::En => ["dimension 0, sine", "dimension 1, cosine"],
            Lang::Zh => ["维度 0，正弦", "维度 1，余弦"],
        };
        chart.axes(pen, context, titles);
        let at = Point::new(chart.plot.x, chart.plot.y - 0.9 * size);
        self.legend(pen, theme, at, frame.width, now);
        let origin = chart.at((0.0, 0.0));
        let mut space = Space::new(Rect::all(frame));
        for (pos, token) in TOKENS.into_iter().enumerate() {
            let [word, code] = self.arrow(pos, 0);
            let (from, to) = (chart.at(word), chart.at((word.0 + code.0, word.1 + code.1)));
            if now != pos {
                // Words whose turn has not come are left out.
                if pos < now {
                    pen.line(&[from, to], theme.rule, theme.stroke());
                    pen.disc(to, theme.stroke(), theme.rule);
                    pen.disc(from, 1.2 * theme.stroke(), theme.muted);
                    let style = TextStyle::new(size, theme.muted);
                    let places = [0.85, -0.85, 1.9].map(|down| (from + (0.0, down * size), style));
                    space.write(pen, token, &places);
                }
                continue;
            }
            // The tip of the encoding is on this circle at every position.
            let circle = (0..=72).map(|i| {
                let (sin, cos) = sin_cos(TAU * f64::from(i) / 72.0);
                (word.0 + cos, word.1 + sin)
            });
            chart.curve(pen, circle, theme.rule, theme.hairline());
            pen.arrow(origin, from, theme.muted, 0.75 * theme.stroke());
            let corner = Point::new(to.x, from.y);
            pen.line(&[from, corner], theme.cosine, theme.stroke());
            pen.line(&[corner, to], theme.sine, theme.stroke());
            pen.arrow(from, to, theme.here, theme.stroke());
            pen.arrow(origin, to, theme.series[0], 1.25 * theme.stroke());
        }
    }
}
