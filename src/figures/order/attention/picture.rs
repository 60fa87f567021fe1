//! A table with a row per word, whose columns are filled step by step, and below it the formula of the step.

use super::{COUNT, STEPS, Steps, WEIGHTS, WIDTH};
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme, subscripted};
use crate::math::Clamp;
use crate::text::Text;
use crate::text::number::fixed;

/// Widths of the columns (word, x, q, k, v, logit, weight, output) as shares of the picture's width.
const SHARES: [f64; 8] = [0.13, 0.1, 0.1, 0.1, 0.1, 0.12, 0.14, 0.21];
/// The step in which a column is filled.
const FILLED: [i64; 8] = [1, 1, 2, 2, 2, 3, 4, STEPS];
const WEIGHT: usize = 6;
const OUTPUT: usize = 7;

/// The names of the last columns.
const RESULTS: [Text; 3] = [
    Text::new("logit", "分数"),
    Text::new("weight", "权重"),
    Text::new("output", "输出"),
];

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

/// Formats a vector for a line of text, as `[1 0]`.
pub(super) fn vector(values: &[f64], digits: usize) -> String {
    let numbers: Vec<_> = values.iter().map(|value| fixed(*value, digits)).collect();
    format!("[{}]", numbers.join(" "))
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
        let [logit, weight, output] = RESULTS.map(|name| name.get(self.lang));
        // The column of words has no title.
        let titles = ["x", "q", "k", "v", logit, weight, output];
        for (column, title) in (1..).zip(titles) {
            let reached = FILLED[column] <= self.step;
            let colour = if reached { theme.ink } else { theme.muted };
            let (room, y) = (plan.column(column), plan.header.centre_y());
            let style = TextStyle::new(size, colour);
            let style = style.fitting(title, room.width - 0.6 * size);
            pen.text((room.centre_x(), y), title, style);
            // Each step computes from what the step before has left.
            if column > 1 && FILLED[column] > FILLED[column - 1] {
                let (x, reach) = (room.x - 0.15 * size, 0.3 * size);
                let tip = [(x, y - reach), (x + reach, y), (x, y + reach)];
                pen.line(&tip, theme.muted, theme.hairline());
            }
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

    /// Draws the numbers of a word, and a question mark for those that are still to come.
    fn draw_row(&self, pen: &Pen, theme: &Theme, plan: &Plan, row: usize, size: f64) {
        let asks = row == self.row();
        let [queries, keys, values] = &self.projected;
        let weight = self.weight(row);
        let texts = [
            self.word(row).to_string(),
            vector(self.embeddings.row(row), 0),
            vector(queries.row(row), 0),
            vector(keys.row(row), 0),
            vector(values.row(row), 0),
            fixed(self.logit(row), 2),
            fixed(weight, 2),
            vector(self.output(), 2),
        ];
        // Only the selected word has an output here.
        let count = if asks { OUTPUT + 1 } else { OUTPUT };
        for (column, text) in texts.into_iter().enumerate().take(count) {
            let filled = FILLED[column] <= self.step;
            let text = if filled { &text } else { "?" };
            let style = match column {
                OUTPUT => TextStyle::new(1.8 * size, theme.there),
                _ if !filled => TextStyle::new(size, theme.edge),
                // Only the selected query is used.
                2 if !asks => TextStyle::new(size, theme.muted),
                _ => TextStyle::new(size, theme.ink),
            };
            let bold = asks && filled && column < 3 || column == OUTPUT;
            let style = if bold { style.bold() } else { style };
            let cell = plan.cell(row, column).inset(2.0);
            let mut at = cell.centre();
            if column == WEIGHT && filled {
                let bar = cell.inset(2.0).down(at.y + 0.35 * size, 0.6 * size);
                pen.fill(bar, theme.rule, 1.0);
                pen.fill(bar.with_width(weight * bar.width), theme.series[0], 1.0);
                at.y -= 0.5 * size;
            }
            pen.text(at, text, style.fitting(text, cell.width));
        }
    }

    /// Draws the formula of the step, and below it its numbers.
    fn draw_sum(&self, pen: &Pen, theme: &Theme, plan: &Plan, size: f64) {
        let room = plan.sum.inset(4.0);
        let rows = |values: &[f64]| {
            let rows: Vec<_> = values.chunks(WIDTH).map(|row| vector(row, 0)).collect();
            format!("[{}]", rows.join(" "))
        };
        let [queries, keys, values] = WEIGHTS;
        let query = vector(self.projected[0].row(self.row()), 0);
        let [logit, weight, output] = RESULTS.map(|name| name.get(self.lang));
        let text = |en, zh| Text::new(en, zh).get(self.lang).to_string();
        let [first, second] = match self.step {
            1 => [
                text("x = embedding of the word", "x = 词的嵌入"),
                text("the same wherever the word stands", "词放在哪里都一样"),
            ],
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
                let number = fixed(self.logit(0), 2);
                [
                    format!("{logit} = q·k / √2"),
                    format!("{query}·{key} / √2 = {number}"),
                ]
            }
            4 => {
                let powers: Vec<_> = (0..COUNT)
                    .map(|row| fixed(self.logit(row).exp(), 2))
                    .collect();
                let (power, share) = (&powers[0], fixed(self.weight(0), 2));
                [
                    format!("{weight} = softmax({logit}) = e^{logit} / Σ e^{logit}"),
                    format!("{power} / ({}) = {share}", powers.join(" + ")),
                ]
            }
            _ => {
                let terms: Vec<_> = (0..COUNT)
                    .map(|row| {
                        let value = vector(self.projected[2].row(row), 0);
                        format!("{}·{value}", fixed(self.weight(row), 2))
                    })
                    .collect();
                let (sum, result) = (terms.join(" + "), vector(self.output(), 2));
                [
                    format!("{output} = Σ {weight}·v"),
                    format!("{sum} = {result}"),
                ]
            }
        };
        for (share, line) in [(0.26, first), (0.76, second)] {
            let at = (room.centre_x(), room.y + share * room.height);
            let style = TextStyle::new(size, theme.muted).fitting(&line, room.width);
            subscripted(pen, at, &line, style);
        }
    }
}
