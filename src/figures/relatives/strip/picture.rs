//! The tokens at two frame rates, the position that rotates each pair, and t over time.

use super::words::{AXES, CLIP, POSITION_LABEL, SHORT_POSITION_LABEL, SIDE, TEXT, TIME_LABEL};
use super::{PAIR, RATES, SECONDS, Strip, length};
use crate::draw::chart::Chart;
use crate::draw::grid::cell_rect;
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::text::Lang;
use crate::text::number::fixed;
use plotters::style::RGBColor;
use posenc_encoding::seconds_per_step;

pub struct Plan {
    /// A column per token, and one row each for t, h and w.
    pub(super) strips: [Rect; 2],
    pub(super) turns: Chart,
    pub(super) clock: Chart,
}

/// In multiples of the label size: top of the first strip, height of a strip, and distance between the tops of the two;
/// and the same if the height is limited.
const STRIPS: [f64; 3] = [2.8, 4.5, 7.8];
const LOW_STRIPS: [f64; 3] = [2.8, 3.9, 6.9];
/// Height of the two charts side by side, and one below the other, in multiples of the label size.
const CHARTS: [f64; 2] = [18.0, 30.0];

/// The strips and the height of the figure, in multiples of the label size.
fn sizes(width: f64, theme: &Theme) -> ([f64; 3], f64) {
    let charts = CHARTS[usize::from(!beside(width, theme))];
    let height = STRIPS[0] + 2.0 * STRIPS[2] - 2.0 + charts;
    let fitted = theme.fitted(height * theme.label_size(), 24.3) / theme.label_size();
    match beside(width, theme) && fitted < height - 1.0 {
        true => (LOW_STRIPS, fitted),
        false => (STRIPS, height),
    }
}

pub(super) fn height(width: f64, theme: &Theme) -> f64 {
    sizes(width, theme).1 * theme.label_size()
}

/// Whether the charts are side by side.
pub(super) fn beside(width: f64, theme: &Theme) -> bool {
    width > 42.0 * theme.label_size()
}

pub(super) fn colours(theme: &Theme) -> [RGBColor; 3] {
    theme.series
}

impl Strip {
    pub(super) fn plan(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let (width, height) = (context.frame.width, context.frame.height);
        let ([first, high, step], _) = sizes(width, context.theme);
        let left = 1.6 * size;
        let cell = (width - left - 0.3 * size) / length(1) as f64;
        let strip = |video: usize| {
            Rect::new(
                left,
                (first + step * video as f64) * size,
                cell * length(video) as f64,
                high * size,
            )
        };
        let top = (first + 2.0 * step - 2.0) * size;
        let room = if beside(width, context.theme) {
            let half = |x: f64| Rect::new(x, top, width / 2.0, height - top);
            [half(0.0), half(width / 2.0)]
        } else {
            let half = |y: f64| Rect::new(0.0, y, width, (height - top) / 2.0);
            [half(top), half((top + height) / 2.0)]
        };
        let pairs = Scale::linear(-0.5, self.mrope.rope().pairs() as f64 - 0.5);
        let most = self
            .tokens
            .iter()
            .flatten()
            .map(|token| token.position.time);
        let most = most.max().unwrap_or_default() as f64 + 2.0;
        let positions = Scale::linear(0.0, most);
        Plan {
            strips: [strip(0), strip(1)],
            turns: Chart::new(context, room[0], pairs, positions),
            clock: Chart::new(context, room[1], Scale::linear(0.0, SECONDS), positions),
        }
    }

    pub(super) fn draw_strip(&self, pen: &Pen, context: &DrawContext, rect: Rect, video: usize) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let tokens = &self.tokens[video];
        let grid = (1, tokens.len());
        let style = TextStyle::new(size, theme.muted);
        let title = (0.3 * size, rect.y - 2.0 * size);
        pen.text(
            title,
            self.rate(video),
            TextStyle::new(size, theme.ink).bold().align_left(),
        );
        let line = rect.height / 3.0;
        for (row, (_, name, _)) in AXES.iter().enumerate() {
            let at = (rect.x - 0.5 * size, rect.y + (row as f64 + 0.5) * line);
            let style = TextStyle::new(size, colours(theme)[row]).bold();
            pen.text(at, name, style.align_right());
        }
        let span = |first: usize, last: usize| {
            let (a, b) = (
                cell_rect(rect, grid, 0, first),
                cell_rect(rect, grid, 0, last),
            );
            a.with_width(b.right() - a.x)
        };
        let step = seconds_per_step(RATES[video].0);
        for (first, token) in tokens.iter().enumerate() {
            if token.segment == 1 && (first - TEXT).is_multiple_of(SIDE * SIDE) {
                let part = span(first, first + SIDE * SIDE - 1);
                if token.step % 2 == 0 {
                    pen.fill(part, theme.muted, 0.16);
                } else {
                    pen.fill(part, theme.muted, 0.07);
                }
                let second = fixed(token.step as f64 * step, 0);
                let name = match self.lang {
                    Lang::En => format!("{second} s"),
                    Lang::Zh => format!("{second} 秒"),
                };
                pen.text((part.centre_x(), rect.y - 0.7 * size), &name, style);
            }
        }
        let text = match self.lang {
            Lang::En => "text",
            Lang::Zh => "文字",
        };
        for first in [0, tokens.len() - TEXT] {
            let part = span(first, first + TEXT - 1);
            pen.text((part.centre_x(), rect.y - 0.7 * size), text, style);
        }
        let cell = rect.width / tokens.len() as f64;
        // Small enough for a gap between numbers of two digits.
        let small = size.min(0.78 * cell / text_width("00", 1.0));
        for (index, token) in tokens.iter().enumerate() {
            let part = cell_rect(rect, grid, 0, index);
            for (row, (axis, ..)) in AXES.iter().enumerate() {
                let at = (part.x + cell / 2.0, rect.y + (row as f64 + 0.5) * line);
                let name = token.position.along(*axis).to_string();
                pen.text(at, &name, TextStyle::new(small, colours(theme)[row]));
            }
            pen.outline(part, theme.rule, 1.0, theme.hairline());
        }
        pen.outline(rect, theme.muted, 0.8, theme.hairline());
        if video == self.video {
            let part = cell_rect(rect, grid, 0, self.pos);
            pen.outline(part, theme.accent, 1.0, 1.2 * theme.stroke());
        }
    }

    /// Draws the position that each pair is rotated by, with a step per section.
    pub(super) fn draw_turns(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let turns = match chart.plot.height < 9.0 * size {
            true => SHORT_POSITION_LABEL,
            false => POSITION_LABEL,
        };
        chart.axes(pen, context, [turns, PAIR].map(|text| text.get(self.lang)));
        let mut start = 0.0;
        for (index, (axis, _, name)) in AXES.into_iter().enumerate() {
            let pairs = self.mrope.sections()[index] as f64;
            let (from, to) = (start - 0.5, start + pairs - 0.5);
            let position = self.chosen().position.along(axis) as f64;
            let (left, y) = chart.at((from, position));
            let part = Rect::new(left, y, chart.x.pixel(to) - left, chart.plot.bottom() - y);
            let colour = colours(theme)[index];
            pen.fill(part, colour, 0.2);
            chart.curve(
                pen,
                [(from, position), (to, position)],
                colour,
                1.4 * theme.stroke(),
            );
            let at = (part.centre_x(), chart.plot.y + 0.8 * size);
            let style = TextStyle::new(theme.reduced(0.9), colour).bold();
            pen.text(at, name.get(self.lang), style);
            start += pairs;
        }
    }

    pub(super) fn draw_clock(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        chart.axes(
            pen,
            context,
            [TIME_LABEL, CLIP].map(|text| text.get(self.lang)),
        );
        let kinds = [(theme.muted, 5.0), (theme.ink, 2.2)];
        for (video, (colour, radius)) in kinds.into_iter().enumerate() {
            let times = self.times(video);
            chart.dots(pen, times.iter().copied(), colour, radius * theme.scale);
            chart.curve(pen, times, colour, 0.6 * theme.stroke());
            let at = (
                chart.plot.x + 1.6 * size,
                chart.plot.y + (0.8 + 1.3 * video as f64) * size,
            );
            pen.disc((at.0 - 0.8 * size, at.1), radius * theme.scale, colour);
            pen.text(
                at,
                self.rate(video),
                TextStyle::new(size, theme.ink).align_left(),
            );
        }
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        for (video, rect) in plan.strips.into_iter().enumerate() {
            self.draw_strip(pen, context, rect, video);
        }
        self.draw_turns(pen, context, &plan.turns);
        self.draw_clock(pen, context, &plan.clock);
    }
}
