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
        let rows = [0.24, 0.64, 0.87].map(|share| rect.y + share * rect.height);
        for (row, (_, name)) in AXES.iter().enumerate() {
            let style = TextStyle::new(size, colours(theme)[row]).bold();
            pen.text((rect.x - 0.5 * size, rows[row]), name, style.align_right());
        }
        let cell = rect.width / length(1) as f64;
        // Without room for two digits in each cell, the last ones are left out.
        let crowded = cell < 1.5 * text_width("00", 0.95 * size);
        let small = size.min(0.9 * cell / text_width("0", 1.0));
        for (index, token) in tokens.iter().enumerate() {
            let part = span(index, index);
            let of_clip = token.segment == 1;
            for (row, (axis, _)) in AXES.iter().enumerate() {
                let style = TextStyle::new(small, colours(theme)[row]);
                let name = token.position.along(*axis).to_string();
                let x = part.centre_x();
                // The first number of two digits in the text after the clip.
                let tens =
                    token.position.time.max(10) - tokens[tokens.len() - TEXT].position.time.max(10);
                if crowded && token.segment == 2 && name.len() > 1 {
                    let aside = if index + 1 < tokens.len() { 0.3 } else { 0.0 };
                    match tens {
                        0 => pen.text((x + aside * size, rows[row]), &name, style),
                        1 => pen.text((x + aside * size, rows[row]), "…", style),
                        _ => (),
                    }
                } else if row > 0 || !of_clip {
                    pen.text((x, rows[row]), &name, style);
                } else if (index - TEXT).is_multiple_of(SIDE * SIDE) {
                    // A step has one time.
                    let step = span(index, index + SIDE * SIDE - 1);
                    pen.fill(
                        step.with_height(0.47 * rect.height),
                        colours(theme)[0],
                        0.14,
                    );
                    // What is compared is t at the same second.
                    let leads = self.times(video)[(index - TEXT) / (SIDE * SIDE)].0 == COMPARED;
                    let large = if leads { 2.6 } else { 1.4 };
                    let style = TextStyle::new(large * size, colours(theme)[0]).bold();
                    pen.text((step.centre_x(), rows[0]), &name, style);
                    pen.outline(step, theme.muted, 0.8, theme.hairline());
                    if leads {
                        let time = step.with_height(0.47 * rect.height);
                        pen.outline(time, theme.there, 1.0, 1.5 * theme.stroke());
                    }
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
            pen.outline(part, theme.ink, 1.0, 0.6 * theme.stroke());
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
        let ends = [(0, TEXT - 1), (length(0) - TEXT, length(0) - 1)];
        let mut crowded = false;
        for (first, last) in ends {
            let part = Strip::span(0, top, first, last);
            let (at, words) = ((part.centre_x(), top.y - 0.8 * size), PROSE.get(self.lang));
            pen.text(at, words, style);
            // Too close to the name of the second at its side.
            crowded |= style.width(words) > part.width - 2.6 * size;
        }
        for second in 0..=SECONDS as usize {
            let x = seconds.pixel(second as f64);
            let name = match self.lang {
                Lang::En => format!("{second} s"),
                Lang::Zh => format!("{second} 秒"),
            };
            let leads = second as f64 == COMPARED;
            let style = match leads {
                true => TextStyle::new(1.2 * size, theme.there).bold(),
                false => style,
            };
            if !crowded || (1..SECONDS as usize).contains(&second) {
                pen.text((x, top.y - 0.8 * size), &name, style);
            }
            // The name of the second strip stands below the first seconds.
            if x > named {
                let ends = [(x, top.bottom()), (x, bottom.y)];
                let (colour, width) = match leads {
                    true => (theme.there, 1.5 * theme.stroke()),
                    false => (theme.muted, theme.hairline()),
                };
                pen.line(&ends, colour, width);
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
