//! The tokens at two frame rates, one clip below the other, and the position that rotates each pair.

use super::words::{AS_TEXT, AXES, POSITION_LABEL, SIDE, TEXT};
use super::{PAIR, SECONDS, Strip, length};
use crate::draw::chart::Chart;
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::text::Lang;
use plotters::style::RGBColor;

pub struct Plan {
    /// A row each for t, h and w. Both are equally wide: a second of the clip has the same place in them.
    pub(super) strips: [Rect; 2],
    pub(super) turns: Chart,
}

/// In multiples of the label size: top of the first strip, height of a strip, distance between the tops of the two, and
/// height of the chart.
const SIZES: [f64; 4] = [3.6, 5.6, 8.2, 13.5];

pub(super) fn height(theme: &Theme) -> f64 {
    let size = theme.label_size();
    theme.fitted((SIZES[0] + SIZES[1] + SIZES[2] + SIZES[3]) * size, 24.3)
}

/// The tokens of the clip at the fast rate. A token at the slow rate is as wide as the tokens in its time.
const CLIP_CELLS: usize = length(1) - 2 * TEXT;

/// Cells of the width of a token at the fast rate: the first of a token, and how many.
pub(super) fn cells_of(video: usize, token: usize) -> (usize, usize) {
    let wide = CLIP_CELLS / (length(video) - 2 * TEXT);
    let within = token.saturating_sub(TEXT);
    match token {
        _ if token < TEXT => (token, 1),
        _ if token < length(video) - TEXT => (TEXT + wide * within, wide),
        _ => (token + length(1) - length(video), 1),
    }
}

pub(super) fn colours(theme: &Theme) -> [RGBColor; 3] {
    theme.series
}

impl Strip {
    pub(super) fn plan(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let (width, height) = (context.frame.width, context.frame.height);
        let [first, high, step, _] = SIZES;
        let strip = |video: usize| {
            let top = (first + step * video as f64) * size;
            Rect::new(1.6 * size, top, width - 1.9 * size, high * size)
        };
        let top = (first + high + step) * size;
        let room = Rect::new(0.0, top, width, height - top);
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
            turns: Chart::new(context, room, pairs, positions),
        }
    }

    /// The part of a strip that some tokens take.
    fn span(video: usize, rect: Rect, first: usize, last: usize) -> Rect {
        let part = |token: usize| {
            let (start, cells) = cells_of(video, token);
            let cell = rect.width / length(1) as f64;
            rect.across(rect.x + start as f64 * cell, cells as f64 * cell)
        };
        part(first).union(part(last))
    }

    pub(super) fn draw_strip(&self, pen: &Pen, context: &DrawContext, rect: Rect, video: usize) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let tokens = &self.tokens[video];
        let span = |first: usize, last: usize| Strip::span(video, rect, first, last);
        let title = TextStyle::new(size, theme.ink).bold().align_left();
        let above = if video == 0 { 2.3 } else { 0.8 };
        pen.text((0.3 * size, rect.y - above * size), self.rate(video), title);
        // The row of t is higher than the others.
        let rows = [0.24, 0.64, 0.87].map(|share| rect.y + share * rect.height);
        for (row, (_, name, _)) in AXES.iter().enumerate() {
            let style = TextStyle::new(size, colours(theme)[row]).bold();
            pen.text((rect.x - 0.5 * size, rows[row]), name, style.align_right());
        }
        let cell = rect.width / length(1) as f64;
        // Small enough for a gap between numbers of two digits.
        let small = size.min(0.78 * cell / text_width("00", 1.0));
        for (index, token) in tokens.iter().enumerate() {
            let part = span(index, index);
            let of_clip = token.segment == 1;
            for (row, (axis, ..)) in AXES.iter().enumerate() {
                let style = TextStyle::new(small, colours(theme)[row]);
                let name = token.position.along(*axis).to_string();
                if row > 0 || !of_clip {
                    pen.text((part.centre_x(), rows[row]), &name, style);
                } else if (index - TEXT).is_multiple_of(SIDE * SIDE) {
                    // A step has one time.
                    let step = span(index, index + SIDE * SIDE - 1);
                    pen.fill(
                        step.with_height(0.47 * rect.height),
                        colours(theme)[0],
                        0.14,
                    );
                    let style = TextStyle::new(1.7 * size, colours(theme)[0]).bold();
                    pen.text((step.centre_x(), rows[0]), &name, style);
                    pen.outline(step, theme.muted, 0.8, theme.hairline());
                }
            }
        }
        pen.outline(rect, theme.muted, 0.8, theme.hairline());
        if video == self.video {
            let part = span(self.pos, self.pos);
            // Below the time, which its step has in common.
            let shared = match tokens[self.pos].segment {
                1 => 0.47 * rect.height,
                _ => 0.0,
            };
            let part = part.down(rect.y + shared, rect.height - shared);
            pen.outline(part, theme.accent, 1.0, 1.2 * theme.stroke());
        }
    }

    /// Draws the seconds of the clip above the strips, and lines between the two.
    pub(super) fn draw_seconds(&self, pen: &Pen, context: &DrawContext, [top, bottom]: [Rect; 2]) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let clip = Strip::span(1, bottom, TEXT, length(1) - TEXT - 1);
        let seconds = Scale::linear(0.0, SECONDS).on(clip.x, clip.right());
        let style = TextStyle::new(size, theme.muted);
        let name = TextStyle::new(size, theme.ink).bold();
        let named = 0.8 * size + name.width(self.rate(1));
        for second in 0..=SECONDS as usize {
            let x = seconds.pixel(second as f64);
            let name = match self.lang {
                Lang::En => format!("{second} s"),
                Lang::Zh => format!("{second} 秒"),
            };
            pen.text((x, top.y - 0.8 * size), &name, style);
            // The name of the second strip stands below the first seconds.
            if x > named {
                let ends = [(x, top.bottom()), (x, bottom.y)];
                pen.line(&ends, theme.muted, theme.hairline());
            }
        }
    }

    /// Draws the position that each pair is rotated by, with a step per section.
    pub(super) fn draw_turns(&self, pen: &Pen, context: &DrawContext, chart: &Chart) {
        let (theme, size) = (context.theme, context.theme.label_size());
        chart.axes(pen, context, self.lang.texts([POSITION_LABEL, PAIR]));
        // A text token at the same time has this position for all pairs.
        let time = self.chosen().position.time as f64;
        let ((left, y), right) = (chart.at((-0.5, time)), chart.plot.right());
        if self.chosen().segment == 1 {
            pen.dashes((left, y), (right, y), theme.muted, 0.75 * theme.stroke());
            let style = TextStyle::new(theme.reduced(0.9), theme.muted).align_right();
            let at = (right - 0.5 * size, y - 0.75 * size);
            pen.text(at, AS_TEXT.get(self.lang), style);
        }
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

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        for (video, rect) in plan.strips.into_iter().enumerate() {
            self.draw_strip(pen, context, rect, video);
        }
        self.draw_seconds(pen, context, plan.strips);
        self.draw_turns(pen, context, &plan.turns);
    }
}
