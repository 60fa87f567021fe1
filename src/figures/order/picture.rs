//! The sentences, the attention weights of both orders and the links between them.

use super::compute::{characters, largest, mean, of_mean, of_token};
use super::words::{TITLES, WEIGHTS};
use super::{Order, ROUNDING, WIDTH};
use crate::draw::grid::{cell_rect, cells, colour_bar};
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::math::Clamp;
use crate::text::Text;

const OUTPUT: Text = Text::new("output", "输出");

/// The layout of the picture, in CSS pixels.
pub struct Places {
    pub(super) size: f64,
    /// Left edge of the token columns, and the width of one.
    pub(super) left: f64,
    pub(super) column: f64,
    /// Tops of the strips of outputs, and their height.
    pub(super) strips: [f64; 2],
    pub(super) tall: f64,
    /// Vertical centres of the two rows of tokens.
    pub(super) tokens: [f64; 2],
    /// Left edges of the panels of weights, and the height of the words above their grids.
    pub(super) panels: [f64; 2],
    pub(super) above: f64,
    /// The grids of weights, empty if they are not shown; the first also if there is room for only one.
    pub(super) grids: [Rect; 2],
    pub(super) height: f64,
    pub(super) bar: f64,
}

impl Places {
    /// `weights` says whether the attention weights are shown.
    pub(super) fn new(width: f64, theme: &Theme, tokens: &[String], weights: bool) -> Places {
        if !weights {
            return Places::plain(width, theme, tokens.len());
        }
        if let Some(places) = Places::beside(width, theme, tokens) {
            return places;
        }
        if let Some(places) = Places::low(width, theme, tokens) {
            return places;
        }
        let (size, count) = (theme.label_size(), tokens.len());
        let left = 1.8 * size;
        let bar = width - 4.3 * size;
        let column = (bar - 0.6 * size - left) / (count as f64 + 1.4);
        // A wide figure is no higher than a window.
        let wide = width > 42.0 * size;
        let tall = if wide { 4.45 } else { 6.4 } * size;
        let first = 3.9 * size;
        let second = first + tall + 3.8 * size;
        let widest = tokens.iter().map(|token| text_width(token, size));
        let widest = widest.fold(0.0, f64::max).min(4.2 * size);
        let margin = 2.2 * size + widest;
        let least = 1.3 * size * count as f64;
        let most = least.max(if wide { 8.6 } else { 16.0 } * size);
        let beside = width / 2.0 - margin - 0.8 * size;
        let stacked = beside < least.max(7.0 * size);
        let side = if stacked {
            most.min(width - margin - size)
        } else {
            most.min(beside)
        };
        let above = if fits(tokens, side / count.max(1) as f64, size) {
            1.3 * size
        } else {
            widest + 0.6 * size
        };
        let top = second + tall + 4.6 * size + 1.6 * size + above;
        let grid = |x, y| Rect::new(x, y, side, side);
        let other = if stacked {
            grid(margin, top + side + 3.4 * size + above)
        } else {
            grid(width / 2.0 + margin, top)
        };
        Places {
            size,
            left,
            column,
            strips: [first, second],
            tall,
            tokens: [first - 1.1 * size, second + tall + 1.2 * size],
            panels: [0.0, other.x - margin],
            above,
            grids: [grid(margin, top), other],
            height: other.bottom() + 4.0 * size,
            bar,
        }
    }

    /// The layout of the outputs alone.
    fn plain(width: f64, theme: &Theme, count: usize) -> Places {
        let size = theme.label_size();
        let (left, bar) = (1.8 * size, width - 4.3 * size);
        let around = 12.0 * size;
        let height = theme.fitted(around + 14.0 * size, 18.0);
        let tall = 0.5 * (height - around);
        let first = 3.9 * size;
        let second = first + tall + 4.2 * size;
        Places {
            size,
            left,
            column: (bar - 0.6 * size - left) / (count as f64 + 1.4),
            strips: [first, second],
            tall,
            tokens: [first - 1.1 * size, second + tall + 1.2 * size],
            panels: [0.0; 2],
            above: 0.0,
            grids: [Rect::new(0.0, 0.0, 0.0, 0.0); 2],
            height,
            bar,
        }
    }

    /// The layout with the weights beside the outputs, if there is room for both.
    pub(super) fn beside(width: f64, theme: &Theme, tokens: &[String]) -> Option<Places> {
        let (size, count) = (theme.label_size(), tokens.len());
        let outputs = 0.46 * width;
        let left = 1.8 * size;
        let bar = outputs - 3.9 * size;
        let column = (bar - 0.6 * size - left) / (count as f64 + 1.4);
        let first = 3.9 * size;
        let tall = (theme.fitted(23.8 * size, 19.0) - 23.8 * size) / 2.0 + 6.0 * size;
        let second = first + tall + 4.2 * size;
        let widest = tokens.iter().map(|token| text_width(token, size));
        let widest = widest.fold(0.0, f64::max).min(4.2 * size);
        let margin = 2.2 * size + widest;
        let start = outputs + 1.2 * size;
        let room = (width - start) / 2.0;
        let least = (1.3 * size * count as f64).max(9.0 * size);
        // Bold words are wider by about a tenth, and take up to 0.8 of their columns.
        let readable = fits(tokens, 0.8 * column / 1.1, size);
        let height = second + tall + 3.7 * size;
        let side = |above: f64| (height - 5.8 * size - above).min(room - margin - 0.8 * size);
        // Words that are wider than their column are rotated by 90°.
        let flat = 1.3 * size;
        let above = if fits(tokens, side(flat) / count.max(1) as f64, size) {
            flat
        } else {
            widest + 0.6 * size
        };
        let side = side(above);
        if side < least || !readable {
            return None;
        }
        let top = 1.8 * size + above;
        let grid = |x| Rect::new(x, top, side, side);
        Some(Places {
            size,
            left,
            column,
            strips: [first, second],
            tall,
            tokens: [first - 1.1 * size, second + tall + 1.2 * size],
            panels: [start, start + room],
            above,
            grids: [start, start + room].map(|panel| grid(panel + margin)),
            height,
            bar,
        })
    }

    /// The layout with the weights of the reader's order only, beside the outputs, where both grids would make the picture
    /// too high.
    fn low(width: f64, theme: &Theme, tokens: &[String]) -> Option<Places> {
        let (size, count) = (theme.label_size(), tokens.len());
        if theme.max_height > 39.0 * size || width < 46.0 * size {
            return None;
        }
        let first = 3.9 * size;
        let fitted = theme.fitted(24.0 * size, 19.0);
        let tall = 0.5 * (fitted - first - 7.9 * size);
        let second = first + tall + 4.2 * size;
        let widest = tokens.iter().map(|token| text_width(token, size));
        let widest = widest.fold(0.0, f64::max).min(4.2 * size);
        let (margin, above) = (2.2 * size + widest, widest + 0.6 * size);
        let least = 1.3 * size * count as f64;
        // Allows for bold words, as in `beside`.
        let wanted = 1.1 * widest / 0.8 * (count as f64 + 1.4);
        let side = (width - margin - 7.6 * size - wanted).max(least);
        let side = side.min(fitted - 5.8 * size - above);
        let start = width - margin - side - 0.8 * size;
        let left = 1.8 * size;
        let bar = start - 4.3 * size;
        Some(Places {
            size,
            left,
            column: (bar - 0.6 * size - left) / (count as f64 + 1.4),
            strips: [first, second],
            tall,
            tokens: [first - 1.1 * size, second + tall + 1.2 * size],
            panels: [start; 2],
            above,
            grids: [
                Rect::new(start, 0.0, 0.0, 0.0),
                Rect::new(start + margin, 1.8 * size + above, side, side),
            ],
            height: fitted,
            bar,
        })
    }

    /// The strip of outputs in a column.
    pub(super) fn strip(&self, row: usize, column: f64) -> Rect {
        Rect::new(
            self.left + (column + 0.06) * self.column,
            self.strips[row],
            0.88 * self.column,
            self.tall,
        )
    }

    /// The horizontal centre of a column.
    pub(super) fn middle(&self, column: f64) -> f64 {
        self.strip(0, column).centre_x()
    }

    /// The column of the mean, a little apart from those of the tokens.
    fn mean_column(count: usize) -> f64 {
        count as f64 + 0.4
    }
}

pub(super) fn fits(tokens: &[String], width: f64, size: f64) -> bool {
    tokens.iter().all(|token| text_width(token, size) <= width)
}

/// Returns the text, truncated with an ellipsis if it is wider than `width`.
pub(super) fn elided(text: &str, width: f64, size: f64) -> String {
    if text_width(text, size) <= width {
        return text.to_string();
    }
    let mut short = String::new();
    for character in characters(text) {
        if text_width(&short, size) + text_width(&character, size) + 0.6 * size > width {
            break;
        }
        short += &character;
    }
    if short.is_empty() {
        return characters(text).swap_remove(0);
    }
    short + "…"
}

impl Order {
    pub(super) fn places(&self, width: f64, theme: &Theme) -> Places {
        Places::new(width, theme, &self.tokens, self.shows_weights)
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, at: &Places) {
        let theme = context.theme;
        let (size, count) = (at.size, self.tokens.len());
        let outputs = || self.heads.iter().flat_map(|head| &head.outputs.values);
        let most = largest(outputs().copied()).max(f64::MIN_POSITIVE);
        let muted = TextStyle::new(size, theme.muted);
        let title = |y, words: &str| {
            pen.text(
                (at.left, y),
                words,
                TextStyle::new(size, theme.ink).align_left().bold(),
            );
        };
        title(0.9 * size, TITLES[0].get(self.lang));
        title(at.tokens[1] + 1.9 * size, TITLES[1].get(self.lang));
        let name = Text::new("mean", "平均").get(self.lang);
        for (row, head) in self.heads.iter().enumerate() {
            let moving = self.moving.as_ref().filter(|_| row == 1);
            if moving.is_some_and(|moving| moving.progress < 1.0) {
                for place in 0..count {
                    let strip = at.strip(row, self.column_in(row, place));
                    cells(pen, context, strip, (WIDTH, 1), most, |d, _| {
                        head.outputs.at(place, d)
                    });
                }
            } else {
                // One image for all tokens, since every image costs time; the gaps are then painted over it.
                let strips = (at.strip(row, 0.0)).across(at.left, count as f64 * at.column);
                cells(pen, context, strips, (WIDTH, count), most, |d, place| {
                    head.outputs.at(place, d)
                });
                for place in 0..=count {
                    let left = at.left + (place as f64 - 0.06) * at.column;
                    pen.fill(strips.across(left, 0.12 * at.column), theme.panel, 1.0);
                }
            }
            let column = Places::mean_column(count);
            let mean_strip = at.strip(row, column);
            cells(pen, context, mean_strip, (WIDTH, 1), most, |d, _| {
                mean(&head.outputs, d)
            });
            for place in 0..count {
                let strip = at.strip(row, self.column_in(row, place));
                pen.outline(strip, theme.muted, 0.6, theme.hairline());
            }
            pen.outline(mean_strip, theme.muted, 0.6, theme.hairline());
            pen.text((at.middle(column), at.tokens[row]), name, muted);
            let middle = at.strips[row] + at.tall / 2.0;
            let words = OUTPUT.get(self.lang);
            pen.text((0.75 * size, middle), words, muted.rotated());
        }
        let bar = Rect::new(at.bar, at.strips[0], 0.8 * size, at.tall);
        colour_bar(pen, context, bar, most, OUTPUT.get(self.lang));
        self.draw_tokens(pen, context, at);
        self.draw_links(pen, context, at);
        for row in (0..2).filter(|&row| !at.grids[row].is_empty()) {
            self.draw_weights(pen, context, at, row);
        }
    }

    pub(super) fn draw_tokens(&self, pen: &Pen, context: &DrawContext, at: &Places) {
        let (theme, size, count) = (context.theme, at.size, self.tokens.len());
        // All in the size of the one that needs the most room; one that would be too small is truncated.
        let room = 0.84 * at.column;
        let widest = self
            .tokens
            .iter()
            .map(|token| text_width(token, 1.1 * size));
        let fit = (room / widest.fold(1.0, f64::max)).clamped(0.75, 1.0);
        let bold = |ink| TextStyle::new(fit * size, ink).bold();
        for place in 0..count {
            let name = |token: usize| elided(&self.tokens[token], room, 1.1 * fit * size);
            let chosen = place == self.order[self.chosen];
            let ink = if chosen { theme.accent } else { theme.ink };
            let original = at.middle(self.column_in(0, place));
            pen.text((original, at.tokens[0]), &name(place), bold(ink));
            let x = at.middle(self.column_in(1, place));
            let handle = Rect::new(
                x - 0.44 * at.column,
                at.tokens[1] - 0.8 * size,
                0.88 * at.column,
                1.6 * size,
            );
            let (y, name) = (at.tokens[1], name(self.order[place]));
            if place == self.chosen {
                pen.fill(handle, theme.accent, 1.0);
                pen.text((x, y), &name, bold(theme.panel));
            } else {
                pen.outline(handle, theme.accent, 1.0, theme.hairline());
                pen.text((x, y), &name, bold(theme.accent));
            }
        }
    }

    /// Draws a line from each output to that of the same token in the other order, with = or ≠.
    pub(super) fn draw_links(&self, pen: &Pen, context: &DrawContext, at: &Places) {
        let (theme, size, count) = (context.theme, at.size, self.tokens.len());
        for place in 0..=count {
            let (from, to, difference) = if place < count {
                let difference = of_token(&self.heads, &self.order, place);
                (
                    self.order[place] as f64,
                    self.column_in(1, place),
                    difference,
                )
            } else {
                let column = Places::mean_column(count);
                (column, column, of_mean(&self.heads))
            };
            let top = (at.middle(from), at.strips[0] + at.tall + 0.25 * size);
            let foot = (at.middle(to), at.strips[1] - 1.35 * size);
            let chosen = place == self.chosen;
            let width = theme.stroke() * if chosen { 1.5 } else { 0.75 };
            let (colour, sign) = if difference < ROUNDING {
                pen.line(&[top, foot], theme.series[0], width);
                (theme.series[0], "=")
            } else {
                pen.dashes(top, foot, theme.series[1], width);
                (theme.series[1], "≠")
            };
            // Of one and the same order they would say nothing.
            if !self.same_order() {
                let style = TextStyle::new(1.2 * size, colour).bold();
                pen.text((at.middle(to), at.strips[1] - 0.65 * size), sign, style);
            }
        }
    }

    pub(super) fn draw_weights(&self, pen: &Pen, context: &DrawContext, at: &Places, row: usize) {
        let (theme, size, count) = (context.theme, at.size, self.tokens.len());
        let (grid, weights) = (at.grids[row], &self.heads[row].weights);
        let token = |place: usize| &self.tokens[if row == 0 { place } else { self.order[place] }];
        let chosen = if row == 0 {
            self.order[self.chosen]
        } else {
            self.chosen
        };
        let side = grid.width / count as f64;
        let upright = !fits(&self.tokens, side, size);
        let panel = at.panels[row];
        let title = (panel + 0.4 * size, grid.y - at.above - 0.9 * size);
        let style = TextStyle::new(size, theme.ink).align_left().bold();
        pen.text(title, WEIGHTS[row].get(self.lang), style);
        cells(pen, context, grid, (count, count), 1.0, |r, c| {
            weights.at(r, c)
        });
        pen.outline(grid, theme.muted, 0.6, theme.hairline());
        for place in 0..count {
            let ink = if place == chosen {
                theme.accent
            } else {
                theme.muted
            };
            let style = TextStyle::new(size, ink);
            let name = elided(token(place), 4.2 * size, size);
            let y = grid.y + (place as f64 + 0.5) * side;
            pen.text((grid.x - 0.4 * size, y), &name, style.align_right());
            let x = grid.x + (place as f64 + 0.5) * side;
            if upright {
                let rise = text_width(&name, size) / 2.0 + 0.6 * size;
                pen.text((x, grid.y - rise), &name, style.rotated());
            } else {
                pen.text((x, grid.y - 0.8 * size), &name, style);
            }
        }
        let first = cell_rect(grid, (count, count), chosen, 0);
        let line = first.with_width(grid.width);
        pen.outline(line, theme.accent, 1.0, theme.stroke());
        let muted = TextStyle::new(size, theme.muted);
        let middle = grid.centre_y();
        let query = Text::new("query (attends)", "查询").get(self.lang);
        pen.text((panel + 0.75 * size, middle), query, muted.rotated());
        let key = Text::new("key (attended to)", "键").get(self.lang);
        let below = grid.bottom() + size;
        pen.text((grid.centre_x(), below), key, muted);
        if row == 1 {
            // The legend of the weights, 0 … 1: the positive half of the outputs' colours.
            let scale = Rect::new(
                grid.x + size,
                grid.bottom() + 2.1 * size,
                (grid.width - 2.0 * size).min(9.0 * size),
                0.8 * size,
            );
            cells(pen, context, scale, (1, 64), 64.0, |_, c| c as f64 + 0.5);
            pen.outline(scale, theme.muted, 0.6, theme.hairline());
            let y = scale.y + 0.4 * size;
            pen.text((scale.x - 0.4 * size, y), "0", muted.align_right());
            let name = Text::new("1 weight", "1 权重").get(self.lang);
            pen.text((scale.right() + 0.4 * size, y), name, muted.align_left());
        }
    }
}
