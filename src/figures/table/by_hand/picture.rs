//! The rows before and after the addition, as arrows in the plane of each pair.

use super::{ByHand, Step, TOKENS};
use crate::draw::chart::Chart;
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::math::Clamp;
use crate::text::{Lang, Text};
use posenc_encoding::sin_cos;
use std::f64::consts::TAU;

impl ByHand {
    /// Returns the rectangles of the two planes, one per pair with cosine across and sine up, and the height of the picture.
    pub(super) fn planes(&self, width: f64, theme: &Theme) -> ([Rect; 2], f64) {
        let size = theme.label_size();
        let beside = width >= 28.0 * size;
        let each = if beside { width / 2.0 } else { width };
        // The horizontal and vertical margins of a chart. The plot is a square, so that a circle is drawn as a circle.
        let margins = (6.2 * size, 3.9 * size);
        let around = if beside { 0.0 } else { margins.1 + 1.8 * size } + margins.1 + 1.4 * size;
        // Two planes, one above the other, and what stands below them fit into a window of 720 px.
        let (planes, most) = if beside { (1.0, 22.0) } else { (2.0, 16.0) };
        let high = theme.fitted(around + planes * most * size, 24.0);
        let most = ((high - around) / planes).min(most * size);
        let plot = (each - margins.0).clamped(1.0, most);
        let (wide, high) = (plot + margins.0, plot + margins.1);
        let room = |x, y| Rect::new(x, y + 1.4 * size, wide, high);
        if beside {
            ([room(0.0, 0.0), room(each, 0.0)], high + 1.4 * size)
        } else {
            let step = high + 1.8 * size;
            ([room(0.0, 0.0), room(0.0, step)], step + high + 1.4 * size)
        }
    }

    /// Draws the pair's name, and the names of the arrows in their colours if there is room up to `right`.
    pub(super) fn legend(
        &self,
        pen: &Pen,
        context: &DrawContext,
        (mut x, y): (f64, f64),
        right: f64,
        title: &str,
    ) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let now = Step::at(self.step);
        let mut words = vec![(title.to_string(), theme.ink)];
        if let Some(pos) = now.pos() {
            words.push((format!("  {}", TOKENS[pos]), theme.muted));
            if !matches!(now, Step::Angles { .. }) {
                words.push((format!("+ PE({pos})"), theme.here));
            }
            if now == (Step::Sum { pos }) {
                let input = Text::new("= input", "= 输入").get(self.lang);
                words.push((input.into(), theme.series[0]));
            }
        }
        // The token is in the table too.
        let widths = words
            .iter()
            .map(|(text, _)| 1.1 * text_width(text, size) + 0.5 * size);
        if x + widths.sum::<f64>() > right {
            words.truncate(1);
        }
        for (text, colour) in words {
            let width = text_width(&text, size);
            pen.text(
                (x, y),
                &text,
                TextStyle::new(size, colour).align_left().bold(),
            );
            x += 1.1 * width + 0.5 * size;
        }
    }

    /// Returns a token's embedding and its encoding as vectors (cosine, sine) in the plane of a pair.
    pub(super) fn arrow(&self, pos: usize, pair: usize) -> [(f64, f64); 2] {
        let (x, d) = (&self.embeddings[pos], 2 * pair);
        let code = (self.value(pos, d + 1), self.value(pos, d));
        [(x[d + 1], x[d]), code]
    }

    /// Returns the limits of both axes: every embedding plus or minus 1, the length of an encoding, and a margin.
    pub(super) fn span(&self) -> (f64, f64) {
        let all = || self.embeddings.iter().flatten().copied();
        let low = all().fold(0.0, |low, x| f64::min(low, x - 1.0));
        let high = all().fold(0.0, |high, x| f64::max(high, x + 1.0));
        (low - 0.1, high + 0.1)
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (low, high) = self.span();
        let now = Step::at(self.step);
        let rooms = self.planes(context.frame.width, theme).0;
        for (pair, room) in rooms.into_iter().enumerate() {
            let chart = Chart::new(
                context,
                room,
                Scale::linear(low, high),
                Scale::linear(low, high),
            );
            let (even, odd) = (2 * pair, 2 * pair + 1);
            let [up, across, title] = match self.lang {
                Lang::En => [
                    format!("dimension {even}, sine"),
                    format!("dimension {odd}, cosine"),
                    format!("Pair {pair}"),
                ],
                Lang::Zh => [
                    format!("维度 {even}，正弦"),
                    format!("维度 {odd}，余弦"),
                    format!("维度对 {pair}"),
                ],
            };
            chart.axes(pen, context, [&up, &across]);
            self.legend(
                pen,
                context,
                (chart.plot.x, chart.plot.y - 0.9 * size),
                room.right(),
                &title,
            );
            let origin = chart.at((0.0, 0.0));
            for (pos, token) in TOKENS.into_iter().enumerate() {
                let [word, code] = self.arrow(pos, pair);
                let made = self.reached(Step::Values { pos, pair });
                let (from, to) = (chart.at(word), chart.at((word.0 + code.0, word.1 + code.1)));
                if now.pos() != Some(pos) {
                    // Words whose turn has not come are left out.
                    if made {
                        pen.line(&[from, to], theme.rule, theme.stroke());
                        pen.disc(to, theme.stroke(), theme.rule);
                        pen.disc(from, 1.2 * theme.stroke(), theme.muted);
                        let below = (from.0, from.1 + 0.85 * size);
                        pen.text(below, token, TextStyle::new(size, theme.muted));
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
                if made {
                    let corner = (to.0, from.1);
                    pen.line(&[from, corner], theme.cosine, theme.stroke());
                    pen.line(&[corner, to], theme.sine, theme.stroke());
                    pen.arrow(from, to, theme.here, theme.stroke());
                }
                if self.reached(Step::Sum { pos }) {
                    pen.arrow(origin, to, theme.series[0], 1.25 * theme.stroke());
                }
            }
        }
    }
}
