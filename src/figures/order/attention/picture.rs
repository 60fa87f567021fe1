//! A table with a row per word, whose columns are filled step by step, and below it the formula of the step.

use super::{COUNT, STEPS, Steps, WEIGHTS, WIDTH};
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme, subscripted};
use crate::math::Clamp;
use crate::text::Lang;
use crate::text::labels::LOGIT;
use crate::text::number::fixed;

/// Widths of the columns (word, x, q, k, v, logit, weight) as shares of the picture's width.
const SHARES: [f64; 7] = [0.17, 0.12, 0.12, 0.12, 0.12, 0.15, 0.20];
/// The step in which a column is filled.
const FILLED: [i64; 7] = [1, 1, 2, 2, 2, 3, 4];

/// The layout of the picture.
pub struct Plan {
    header: Rect,
    /// The rows of the words, one below the other.
    pub(super) rows: Rect,
    sum: Rect,
}

/// Heights in multiples of the text size.
const HEADER: f64 = 2.6;
const ROW: f64 = 3.4;
const SUM: f64 = 4.4;
const HEIGHT: f64 = HEADER + COUNT as f64 * ROW + SUM;

/// The text size in CSS pixels, larger where there is room.
fn size(width: f64, theme: &Theme) -> f64 {
    let small = theme.label_size();
    let most = (theme.max_height / HEIGHT).min(1.5 * small).max(small);
    (width / 34.0).clamped(small, most)
}

impl Plan {
    pub(super) fn height(width: f64, theme: &Theme) -> f64 {
        HEIGHT * size(width, theme)
    }

    pub(super) fn new(all: Rect, theme: &Theme) -> Plan {
        let size = size(all.width, theme);
        let (header, rest) = all.split_top(HEADER * size);
        let (rows, sum) = rest.split_top(COUNT as f64 * ROW * size);
        Plan { header, rows, sum }
    }

    fn column(&self, index: usize) -> Rect {
        let before: f64 = SHARES[..index].iter().sum();
        let width = self.rows.width;
        self.rows
            .across(self.rows.x + before * width, SHARES[index] * width)
    }

    fn row(&self, row: usize) -> Rect {
        let height = self.rows.height / COUNT as f64;
        self.rows.down(self.rows.y + row as f64 * height, height)
    }

    fn cell(&self, row: usize, column: usize) -> Rect {
        let (row, column) = (self.row(row), self.column(column));
        row.across(column.x, column.width)
    }
}

/// Formats a vector for a line of text, as `[1  0]`.
pub(super) fn vector(values: &[f64], digits: usize) -> String {
    let numbers: Vec<_> = values.iter().map(|value| fixed(*value, digits)).collect();
    format!("[{}]", numbers.join("  "))
}

impl Steps {
    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let theme = context.theme;
        let size = size(context.frame.width, theme);
        // Tint the columns of this step.
        for column in (0..FILLED.len()).filter(|&column| FILLED[column] == self.step) {
            let tinted = plan.column(column);
            let tinted = tinted.down(plan.header.y, plan.rows.bottom() - plan.header.y);
            pen.fill(tinted, theme.rule, 0.45);
        }
        // The column of words has no title.
        let titles = ["x", "q", "k", "v", "q·k/√2", "softmax"];
        for (column, title) in (1..).zip(titles) {
            let reached = FILLED[column] <= self.step;
            let colour = if reached { theme.ink } else { theme.muted };
            let room = plan.column(column);
            let style = TextStyle::new(size, colour)
                .bold()
                .fitting(title, room.width);
            pen.text((room.centre_x(), plan.header.centre_y()), title, style);
        }
        for row in 0..=COUNT {
            let y = plan.rows.y + row as f64 * plan.rows.height / COUNT as f64;
            let line = plan.rows.horizontal(y);
            pen.line(&line, theme.rule, theme.hairline());
        }
        let asks = self.row();
        if self.step >= 2 {
            pen.outline(
                plan.cell(asks, 2).inset(2.0),
                theme.here,
                1.0,
                theme.stroke(),
            );
        }
        if self.step == 3 {
            for row in 0..COUNT {
                // The query is multiplied with every key.
                pen.outline(
                    plan.cell(row, 3).inset(2.0),
                    theme.here,
                    1.0,
                    theme.hairline(),
                );
            }
        }
        for row in 0..COUNT {
            self.draw_row(pen, theme, plan, row, size);
        }
        self.draw_sum(pen, theme, plan, size);
    }

    /// Draws the numbers of a word that the step has reached.
    fn draw_row(&self, pen: &Pen, theme: &Theme, plan: &Plan, row: usize, size: f64) {
        let asks = row == self.row();
        let words = |column: usize| {
            // Only the selected query is used.
            let idle = column == 2 && !asks;
            let style = TextStyle::new(size, if idle { theme.muted } else { theme.ink });
            if asks && column < 3 {
                style.bold()
            } else {
                style
            }
        };
        let [queries, keys, values] = &self.projected;
        for (column, text) in [
            self.word(row).to_string(),
            vector(self.embeddings.row(row), 0),
            vector(queries.row(row), 0),
            vector(keys.row(row), 0),
            vector(values.row(row), 0),
            fixed(self.logit(row), 2),
        ]
        .into_iter()
        .enumerate()
        .filter(|&(column, _)| FILLED[column] <= self.step)
        {
            let cell = plan.cell(row, column);
            let style = words(column).fitting(&text, cell.width - 4.0);
            pen.text(cell.centre(), &text, style);
        }
        if FILLED[6] > self.step {
            return;
        }
        let cell = plan.cell(row, 6).inset(4.0);
        let weight = self.weight(row);
        let at = (cell.centre_x(), cell.centre_y() - 0.5 * size);
        pen.text(at, &fixed(weight, 2), TextStyle::new(size, theme.ink));
        let bar = cell.down(cell.centre_y() + 0.35 * size, 0.6 * size);
        pen.fill(bar, theme.rule, 1.0);
        pen.fill(bar.with_width(weight * bar.width), theme.series[0], 1.0);
    }

    /// Draws the formula of the step with its numbers; in the last step, the output as the weighted sum of the values.
    fn draw_sum(&self, pen: &Pen, theme: &Theme, plan: &Plan, size: f64) {
        let room = plan.sum.inset(4.0);
        let rows = |values: &[f64]| {
            let rows: Vec<_> = values.chunks(WIDTH).map(|row| vector(row, 0)).collect();
            format!("[{}]", rows.join(" "))
        };
        let [queries, keys, values] = WEIGHTS;
        let query = vector(self.projected[0].row(self.row()), 0);
        let [first, second] = match self.step {
            2 => [
                "q = W_Q·x, k = W_K·x, v = W_V·x".to_string(),
                format!(
                    "W_Q = {}, W_K = {}, W_V = {}",
                    rows(&queries),
                    rows(&keys),
                    rows(&values)
                ),
            ],
            3 => {
                let key = vector(self.projected[1].row(0), 0);
                let logit = fixed(self.logit(0), 2);
                [
                    format!("{} = q·k / √2", LOGIT.get(self.lang)),
                    format!("{query}·{key} / √2 = {logit}"),
                ]
            }
            4 => {
                let powers: Vec<_> = (0..COUNT)
                    .map(|row| fixed(self.logit(row).exp(), 2))
                    .collect();
                let (power, share) = (&powers[0], fixed(self.weight(0), 2));
                let name = LOGIT.get(self.lang);
                [
                    format!("e^{name} / Σ e^{name}"),
                    format!("{power} / ({}) = {share}", powers.join(" + ")),
                ]
            }
            // The first step says where the steps lead.
            1 => {
                let word = self.word(self.row());
                let asked = match self.lang {
                    Lang::En => format!("output of {word} = ?"),
                    Lang::Zh => format!("“{word}”的输出 = ？"),
                };
                let style = TextStyle::new(2.2 * size, theme.there).bold();
                return pen.text(room.centre(), &asked, style.fitting(&asked, room.width));
            }
            _ => {
                let terms: Vec<_> = (0..COUNT)
                    .map(|row| {
                        let value = vector(self.projected[2].row(row), 0);
                        format!("{}·{value}", fixed(self.weight(row), 2))
                    })
                    .collect();
                let (word, sum) = (self.word(self.row()), terms.join(" + "));
                let sum = match self.lang {
                    Lang::En => format!("output of {word} = {sum}"),
                    Lang::Zh => format!("“{word}”的输出 = {sum}"),
                };
                [sum, format!("= {}", vector(self.output(), 2))]
            }
        };
        let shows_output = self.step == STEPS;
        let style = TextStyle::new(size, if shows_output { theme.ink } else { theme.muted });
        let at = |share: f64| (room.centre_x(), room.y + share * room.height);
        let fitted = style.fitting(&first, room.width);
        subscripted(pen, at(0.26), &first, fitted);
        let style = if shows_output {
            TextStyle::new(1.8 * size, theme.there).bold()
        } else {
            style
        };
        let fitted = style.fitting(&second, room.width);
        subscripted(pen, at(0.76), &second, fitted);
    }
}
