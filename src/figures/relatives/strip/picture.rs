//! The tokens at two frame rates, one clip below the other.

use super::words::{AXES, SIDE, TEXT};
use super::{SECONDS, Strip, length};
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::text::{Lang, Text};
use plotters::style::RGBColor;

/// The second of the clip at which both rates are compared.
const COMPARED: f64 = 2.0;
/// The tokens before and after the clip.
const PROSE: Text = Text::new("text", "文本");
/// What a step is made of.
const FRAMES: Text = Text::new("2 frames", "2 帧");
/// In multiples of the label size: top of the first strip, height of a strip, and distance between the tops of the two.
const SIZES: [f64; 3] = [3.6, 7.2, 9.8];

pub(super) fn height(theme: &Theme) -> f64 {
    let size = theme.label_size();
    (SIZES[0] + SIZES[1] + SIZES[2] + 0.4) * size
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

/// t is what is compared.
pub(super) fn colours(theme: &Theme) -> [RGBColor; 3] {
    [theme.series[0], theme.muted, theme.muted]
}

impl Strip {
    pub(super) fn strips(&self, context: &DrawContext) -> [Rect; 2] {
        let size = context.theme.label_size();
        let [first, high, step] = SIZES;
        let strip = |video: usize| {
            let top = (first + step * video as f64) * size;
            Rect::new(
                1.6 * size,
                top,
                context.frame.width - 1.9 * size,
                high * size,
            )
        };
        [strip(0), strip(1)]
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
        let rows = [0.19, 0.64, 0.87].map(|share| rect.y + share * rect.height);
        for (row, (_, name)) in AXES.iter().enumerate() {
            let style = TextStyle::new(size, colours(theme)[row]).bold();
            pen.text((rect.x - 0.5 * size, rows[row]), name, style.align_right());
        }
        let cell = rect.width / length(1) as f64;
        // Two digits fit into a cell.
        let small = size.min(0.85 * cell / text_width("00", 1.0));
        let times = self.times(video);
        for (index, token) in tokens.iter().enumerate() {
            let part = span(index, index);
            let of_clip = token.segment == 1;
            for (row, (axis, _)) in AXES.iter().enumerate() {
                let style = TextStyle::new(small, colours(theme)[row]);
                let name = token.position.along(*axis).to_string();
                if row > 0 || !of_clip {
                    pen.text((part.centre_x(), rows[row]), &name, style);
                } else if (index - TEXT).is_multiple_of(SIDE * SIDE) {
                    // A step has one time.
                    let at = (index - TEXT) / (SIDE * SIDE);
                    let step = span(index, index + SIDE * SIDE - 1);
                    let time = step.with_height(0.47 * rect.height);
                    pen.fill(time, colours(theme)[0], 0.14);
                    // What is compared is t at the same second.
                    let large = if times[at].0 == COMPARED { 2.2 } else { 1.4 };
                    let style = TextStyle::new(large * size, colours(theme)[0]).bold();
                    pen.text((step.centre_x(), rows[0]), &name, style);
                    pen.outline(step, theme.muted, 0.8, theme.hairline());
                    let words = match at {
                        0 => FRAMES.get(self.lang).to_string(),
                        _ => self.increase(times[at - 1], times[at]),
                    };
                    let style = TextStyle::new(theme.reduced(0.88), theme.muted);
                    let style = style.fitting(&words, 0.94 * step.width);
                    pen.text((step.centre_x(), time.bottom() - 0.5 * size), &words, style);
                }
            }
        }
        for last in [TEXT - 1, tokens.len() - 1] {
            let part = span(last + 1 - TEXT, last);
            let (at, words) = (
                (part.centre_x(), rect.y + 0.47 * rect.height - 0.5 * size),
                PROSE.get(self.lang),
            );
            let style = TextStyle::new(theme.reduced(0.88), theme.muted);
            pen.text(at, words, style.fitting(words, 0.94 * part.width));
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
            pen.fill(part, theme.ink, 0.14);
        }
    }

    /// How much t increases from a step to the next, each with its second and its t.
    fn increase(&self, from: (f64, f64), to: (f64, f64)) -> String {
        let (seconds, by) = (to.0 - from.0, to.1 - from.1);
        match (self.lang, self.seconds) {
            (Lang::En, true) => format!("+{by} in {seconds} s"),
            (Lang::Zh, true) => format!("{seconds} 秒 +{by}"),
            (Lang::En, false) => format!("+{by} a step"),
            (Lang::Zh, false) => format!("每步 +{by}"),
        }
    }

    /// Draws the seconds of the clip above the strips, and lines between the two.
    pub(super) fn draw_seconds(&self, pen: &Pen, context: &DrawContext, [top, bottom]: [Rect; 2]) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let clip = Strip::span(1, bottom, TEXT, length(1) - TEXT - 1);
        let seconds = Scale::linear(0.0, SECONDS).on(clip.x, clip.right());
        let name = TextStyle::new(size, theme.ink).bold();
        let named = 0.8 * size + name.width(self.rate(1));
        for second in 0..=SECONDS as usize {
            let x = seconds.pixel(second as f64);
            let name = match self.lang {
                Lang::En => format!("{second} s"),
                Lang::Zh => format!("{second} 秒"),
            };
            let leads = second as f64 == COMPARED;
            let (style, ends, colour, width) = match leads {
                true => (
                    TextStyle::new(1.2 * size, theme.there).bold(),
                    [top.y, bottom.bottom()],
                    theme.there,
                    1.5 * theme.stroke(),
                ),
                false => (
                    TextStyle::new(size, theme.muted),
                    [top.bottom(), bottom.y],
                    theme.muted,
                    theme.hairline(),
                ),
            };
            pen.text((x, top.y - 0.8 * size), &name, style);
            // The name of the second strip stands below the first seconds.
            if x > named {
                pen.line(&ends.map(|y| (x, y)), colour, width);
            }
        }
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, strips: [Rect; 2]) {
        for (video, rect) in strips.into_iter().enumerate() {
            self.draw_strip(pen, context, rect, video);
        }
        self.draw_seconds(pen, context, strips);
    }
}
