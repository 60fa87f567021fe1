//! What one matrix per offset needs: tables of other numbers than sine and cosine of the same angle,
//! each with the best least-squares matrix for its offset and what that matrix misses.

use crate::draw::chart::{Chart, Scale, cells, grid_axes, grid_in};
use crate::draw::pen::{tag_width, text_width};
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::Clamp;
use crate::math::linear::Rows;
use crate::math::random::Normals;
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::{fixed, tiny, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::Matrix;
use posenc_encoding::{Layout, Sinusoidal};
use std::f64::consts::FRAC_1_SQRT_2;

const SEED: u64 = 1;
/// What is left below this is rounding.
const ROUNDING: f64 = 1e-9;
/// Rows of the small heatmap.
const ROWS: usize = 48;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Table {
    /// Sine and cosine of the same angle in each pair: Vaswani et al. 2017, §3.5.
    Both,
    /// sin(pos·base^(−j/d)) in dimension j: the sines of a table twice as wide.
    Sine,
    /// Exponent j/d in dimension j, sine where j is even, cosine where it is odd.
    Apart,
    /// Normal numbers with the mean square of sines and cosines.
    Random,
}

impl Table {
    const ALL: [Table; 4] = [Table::Both, Table::Sine, Table::Apart, Table::Random];
    const NAMES: &'static [(&'static str, Text)] = &[
        ("both", Text::new("Sine and cosine", "正弦加余弦")),
        ("sine", Text::new("Sine only", "只有正弦")),
        ("apart", Text::new("Two frequencies a pair", "一对两种频率")),
        (
            "random",
            Text::new("Random table (simulated)", "随机表（模拟）"),
        ),
    ];

    fn named(name: &str) -> Table {
        let index = Table::NAMES.iter().position(|(known, _)| *known == name);
        Table::ALL[index.unwrap_or(0)]
    }

    fn about(self, lang: Lang) -> &'static str {
        let text = match self {
            Table::Both => Text::new(
                "As in the paper, dimensions 2i and 2i + 1 hold sine and cosine of the same angle",
                "与原论文相同，维度 2i 与 2i + 1 是同一角度的正弦和余弦",
            ),
            Table::Sine => Text::new(
                "Dimension j holds sin(pos · 10000^(−j/d)), a frequency of its own and no cosine anywhere",
                "维度 j 为 sin(pos · 10000^(−j/d))，每一维频率各不相同，完全不用余弦",
            ),
            Table::Apart => Text::new(
                "The exponent is taken from the dimension, 2i/d for the sine and (2i + 1)/d for the cosine, a common slip in code",
                "指数误用维度编号，正弦用 2i/d，余弦用 (2i + 1)/d，这是代码里常见的笔误",
            ),
            Table::Random => Text::new(
                "Simulated as a table before any training, seeded normal numbers (seed 1) as large on average as sines",
                "模拟一张尚未训练的表，由固定种子（1）的正态随机数组成，平均大小与正弦相当",
            ),
        };
        text.get(lang)
    }

    fn why(self, lang: Lang) -> &'static str {
        let text = match self {
            Table::Both => Text::new(
                "sin(ω(pos + k)) and cos(ω(pos + k)) are made of sin(ω·pos) and cos(ω·pos), both in the table. The matrix found is Mₖ, and what is left is rounding.",
                "sin(ω(pos + k)) 与 cos(ω(pos + k)) 只由 sin(ω·pos) 与 cos(ω·pos) 组成，两者都在表里。拟合得到的就是 Mₖ，剩下的只是舍入误差。",
            ),
            Table::Sine => Text::new(
                "sin(ω(pos + k)) also needs cos(ω·pos), which the table lacks. Position 0 shows it best: PE(0) is the zero vector, every matrix sends it to zero, and PE(k) is not zero.",
                "sin(ω(pos + k)) 还需要 cos(ω·pos)，表里却没有。位置 0 最能说明问题：PE(0) 是零向量，任何矩阵都只能把它变成零向量，而 PE(k) 不是零向量。",
            ),
            Table::Apart => Text::new(
                "The cosine in the pair belongs to another angle, so it is not the one that the sine needs.",
                "这一对里的余弦属于另一个角度，并不是正弦所需要的那个余弦。",
            ),
            Table::Random => Text::new(
                "Row pos says nothing about row pos + k. The best matrix is almost zero, so its point stays near the centre.",
                "第 pos 行与第 pos + k 行毫无关系。最好的矩阵几乎就是零矩阵，所以拟合点总在中心附近。",
            ),
        };
        text.get(lang)
    }
}

/// A table, the matrix that fits it best, and what that misses: done a little at a time.
struct Fit {
    key: (Table, usize, i64, usize),
    pe: Sinusoidal,
    normals: Normals,
    /// Rows 0 … max_len + k, as far as they are computed.
    rows: Matrix<f64>,
    triangle: Rows,
    added: usize,
    /// X of PE(pos)ᵀ·X ≈ PE(pos + k)ᵀ.
    matrix: Option<Matrix<f64>>,
    /// The largest error over the dimensions, per position.
    errors: Vec<f64>,
}

impl Fit {
    fn new(key: (Table, usize, i64, usize)) -> Fit {
        let (table, d, ..) = key;
        let width = if table == Table::Both { d } else { 2 * d };
        Fit {
            key,
            pe: Sinusoidal::new(width, 10_000.0, Layout::Interleaved),
            normals: Normals::seeded(SEED),
            rows: Matrix::zeros(0, d),
            triangle: Rows::new(d, d),
            added: 0,
            matrix: None,
            errors: Vec::new(),
        }
    }

    /// The positions fitted, and the rows needed for them.
    fn lengths(&self) -> (usize, usize) {
        let (_, _, k, len) = self.key;
        (len, len + k as usize)
    }

    fn next_row(&mut self) {
        let (table, d, ..) = self.key;
        let position = self.rows.positions as f64;
        for j in 0..d {
            let value = match table {
                Table::Random => FRAC_1_SQRT_2 * self.normals.next().unwrap_or_default(),
                Table::Both => {
                    let (sin, cos) = self.pe.sin_cos_at(j / 2, position);
                    if j % 2 == 0 { sin } else { cos }
                }
                Table::Sine => self.pe.sin_cos_at(j, position).0,
                Table::Apart => {
                    let (sin, cos) = self.pe.sin_cos_at(j, position);
                    if j % 2 == 0 { sin } else { cos }
                }
            };
            self.rows.values.push(value);
        }
        self.rows.positions += 1;
    }

    /// What the matrix makes of a row.
    fn moved(&self, position: usize) -> Option<Vec<f64>> {
        let matrix = self.matrix.as_ref()?;
        let mut moved = vec![0.0; matrix.dimensions];
        for (i, value) in self.rows.row(position).iter().enumerate() {
            for (to, by) in moved.iter_mut().zip(matrix.row(i)) {
                *to += value * by;
            }
        }
        Some(moved)
    }

    fn error(&self, position: usize) -> f64 {
        let moved = self.moved(position).unwrap_or_default();
        let target = self.rows.row(position + self.key.2 as usize);
        let errors = moved.iter().zip(target).map(|(a, b)| (a - b).abs());
        errors.fold(0.0, f64::max)
    }

    /// A few milliseconds; true while there is more.
    fn work(&mut self) -> bool {
        let (_, d, k, _) = self.key;
        let (len, all) = self.lengths();
        if self.rows.positions < all {
            for _ in 0..(20_000 / d).min(all - self.rows.positions) {
                self.next_row();
            }
        } else if self.added < len {
            let until = (self.added + 150_000 / (d * d)).min(len);
            for position in self.added..until.max(self.added + 1) {
                let to = self.rows.row(position + k as usize);
                self.triangle.add(self.rows.row(position), to);
            }
            self.added = until;
        } else if self.matrix.is_none() {
            self.matrix = Some(self.triangle.solve());
        } else if self.errors.len() < len {
            let until = (self.errors.len() + 1_000_000 / (d * d)).min(len);
            for position in self.errors.len()..until {
                self.errors.push(self.error(position));
            }
        } else {
            return false;
        }
        true
    }

    /// The position with the largest error, and the error, once all are known.
    fn worst(&self) -> Option<(usize, f64)> {
        if self.errors.len() < self.lengths().0 {
            return None;
        }
        let errors = self.errors.iter().copied().enumerate();
        errors.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}

pub struct BreakIt {
    lang: Lang,
    table: Table,
    pos: usize,
    pair: usize,
    /// Whether the reader expects a miss, of this table; `None` before being asked.
    guess: Option<bool>,
    fit: Fit,
}

/// Two bits per table: 0 not asked, 1 "nothing is lost", 2 "it misses".
fn guess_of(values: &Values, table: Table) -> Option<bool> {
    match values.whole("guesses") >> (2 * table as i64) & 3 {
        1 => Some(false),
        2 => Some(true),
        _ => None,
    }
}

fn error_words(error: f64) -> String {
    if error < ROUNDING {
        tiny(error)
    } else {
        fixed(error, 2)
    }
}

struct Plan {
    table: Rect,
    dial: Rect,
    chart: Chart,
}

impl BreakIt {
    const NOTHING: Text = Text::new("Nothing is lost", "毫无损失");
    const MISSES: Text = Text::new("It misses", "会有误差");

    fn revealed(&self) -> Option<(usize, f64)> {
        self.fit.worst().filter(|_| self.guess.is_some())
    }

    fn plan(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let (width, height) = (context.frame.width, context.frame.height);
        let top = (0.52 * height).round();
        let side = (0.46 * width).min(top);
        let table = Rect::new(0.0, 0.0, width - side, top);
        let dial = Rect::new(
            width - side + 1.6 * size,
            0.8 * size,
            side - 2.4 * size,
            top - 3.9 * size,
        );
        let below = Rect::new(0.0, top + 0.6 * size, width, height - top - 0.6 * size);
        let positions = Scale::linear(0.0, self.fit.lengths().0 as f64 - 1.0);
        Plan {
            table: grid_in(context, table),
            dial,
            chart: Chart::new(context, below, positions, Scale::log(1e-18, 10.0)),
        }
    }

    fn draw_table<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        rect: Rect,
    ) -> DrawResult<DB> {
        let (d, rows) = (self.fit.key.1, ROWS.min(self.fit.rows.positions));
        let titles = [labels::POSITION_AXIS, labels::DIMENSION_AXIS].map(|t| t.get(self.lang));
        cells(pen, context, rect, (rows, d), 1.0, |row, column| {
            self.fit.rows.at(row, column).clamp(-1.0, 1.0)
        })?;
        grid_axes(pen, context, rect, (rows, d), titles)?;
        // The two columns that the dial shows.
        let column = rect.width / d as f64;
        let pair = rect.across(
            rect.x + 2.0 * self.pair as f64 * column,
            2f64.min((d - 2 * self.pair) as f64) * column,
        );
        pen.outline(pair, context.theme.ink, 1.0, context.theme.stroke())
    }

    /// The two dimensions of the pair against each other: the row, the true row k further, and
    /// what the matrix makes of the row.
    fn draw_dial<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        rect: Rect,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let reach = if self.table == Table::Random {
            2.6
        } else {
            1.25
        };
        let radius = rect.width.min(rect.height) / 2.0;
        let centre = rect.centre();
        let square = Rect::around(centre, radius);
        let (up, across) = (2 * self.pair, 2 * self.pair + 1);
        let point = |row: &[f64]| {
            let at = |j: usize| row.get(j).copied().unwrap_or(0.0).clamped(-reach, reach) / reach;
            (centre.0 + radius * at(across), centre.1 - radius * at(up))
        };
        let hairline = theme.hairline();
        let cross = [
            [(square.x, centre.1), (square.right(), centre.1)],
            [(centre.0, square.y), (centre.0, square.bottom())],
        ];
        for line in cross {
            pen.line(&line, theme.rule, hairline)?;
        }
        for position in 0..self.fit.rows.positions.min(160) {
            let at = point(self.fit.rows.row(position));
            pen.disc(at, 1.1 * theme.scale, theme.rule)?;
        }
        pen.outline(square, theme.muted, 0.6, hairline)?;
        let words = Words::new(size, theme.muted);
        let name = |j: usize| match self.lang {
            Lang::En => format!("dimension {j}"),
            Lang::Zh => format!("维度 {j}"),
        };
        let left = (square.x - 0.9 * size, centre.1);
        pen.words(left, &name(up), words.upwards())?;
        let below = (centre.0, square.bottom() + 0.95 * size);
        pen.words(below, &name(across), words)?;
        let k = self.fit.key.2 as usize;
        if self.fit.rows.positions <= self.pos + k {
            return Ok(());
        }
        let here = point(self.fit.rows.row(self.pos));
        let there = point(self.fit.rows.row(self.pos + k));
        let dot = 2.2 * theme.stroke();
        pen.line(&[centre, here], theme.here, 0.5 * theme.stroke())?;
        pen.disc(here, dot, theme.here)?;
        pen.disc(there, dot, theme.there)?;
        let mut key = vec![("pos", theme.here), ("pos+k", theme.there)];
        if self.revealed().is_some()
            && let Some(moved) = self.fit.moved(self.pos)
        {
            let at = point(&moved);
            pen.line(&[at, there], theme.accent, 0.75 * theme.stroke())?;
            pen.ring(at, 1.7 * dot, theme.accent, theme.stroke())?;
            key.push((FITTED.get(self.lang), theme.accent));
        }
        let wide = |name: &str| 1.1 * text_width(name, size) + 0.45 * size;
        let total: f64 = key.iter().map(|(name, _)| wide(name)).sum();
        let mut x = (centre.0 - total / 2.0).min(context.frame.width - total);
        for (name, colour) in key {
            let at = (x + 0.2 * size, square.bottom() + 2.35 * size);
            pen.words(at, name, Words::new(size, colour).bold().starting())?;
            x += wide(name);
        }
        Ok(())
    }

    fn draw_errors<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        chart: &Chart,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let titles = [ERROR, labels::POSITION_AXIS].map(|t| t.get(self.lang));
        chart.axes(pen, context, titles)?;
        let Some((worst, error)) = self.revealed() else {
            let words = match self.guess {
                None => PREDICT,
                Some(_) => FITTING,
            };
            let middle = chart.plot.centre();
            let words = words.get(self.lang);
            return pen.tag(middle, words, 1.1 * size, theme.panel, theme.muted);
        };
        let errors = &self.fit.errors;
        let curve = errors
            .iter()
            .enumerate()
            .map(|(position, &error)| (position as f64, error.max(1e-18)));
        chart.curve(pen, curve, theme.muted, 0.5 * theme.stroke())?;
        chart.upright(pen, context, self.pos as f64, "", theme.here)?;
        let here = (self.pos as f64, errors[self.pos].max(1e-18));
        chart.dots(pen, [here], theme.here, 2.0 * theme.stroke())?;
        let top = (worst as f64, error.max(1e-18));
        chart.dots(pen, [top], theme.there, 2.0 * theme.stroke())?;
        let name = match self.lang {
            Lang::En => format!("largest {}", error_words(error)),
            Lang::Zh => format!("最大 {}", error_words(error)),
        };
        let (x, y) = chart.at(top);
        let half = 0.5 * tag_width(&name, size);
        let x = x.clamped(chart.plot.x + half, chart.plot.right() - half);
        // Above a small error, below a large one: the curve is on the other side.
        let y = if error < ROUNDING {
            y - 1.6 * size
        } else {
            y + 2.6 * size
        };
        pen.tag((x, y), &name, size, theme.panel, theme.there)
    }
}

const ERROR: Text = Text::new("largest error", "最大误差");
const FITTED: Text = Text::new("fitted", "拟合");
const PREDICT: Text = Text::new("Predict first", "先猜一猜");
const FITTING: Text = Text::new("Fitting", "正在拟合");

impl Figure for BreakIt {
    const NAME: ViewName = ViewName::BreakIt;
    const FIELDS: &'static [Field] = &[
        Field::choice("table", "Table", "编码表", Table::NAMES),
        Field::size("d_model", "width", "编码宽度", 8, |_| (2, 64)),
        Field::whole("k", "offset", "偏移量", 3, |_| (1, 64)),
        Field::size("max_len", "length", "位置数", 2000, |_| (128, 4096)).linked(),
        Field::whole("pos", "position", "位置", 0, |v| {
            (0, v.whole("max_len") - 1)
        })
        .linked(),
        Field::whole("pair", "index i", "维度对", 0, |v| {
            (0, (v.whole("d_model") + 1) / 2 - 1)
        })
        .linked(),
        Field::whole("guesses", "predictions", "预测", 0, |_| (0, 255)).passing(),
    ];
    const ARROWS: [&'static str; 2] = ["pos", "pair"];

    fn new(values: &Values, lang: Lang, previous: Option<BreakIt>) -> BreakIt {
        let table = Table::named(values.choice("table"));
        let key = (
            table,
            values.count("d_model"),
            values.whole("k"),
            values.count("max_len"),
        );
        let previous = previous.map(|before| before.fit);
        let mut fit = previous
            .filter(|fit| fit.key == key)
            .unwrap_or_else(|| Fit::new(key));
        while fit.rows.positions < ROWS {
            fit.next_row();
        }
        BreakIt {
            lang,
            table,
            pos: values.count("pos"),
            pair: values.count("pair"),
            guess: guess_of(values, table),
            fit,
        }
    }

    fn caption(&self) -> String {
        let (_, d, k, len) = self.fit.key;
        let len = whole(len as i64);
        let Some((worst, error)) = self.revealed() else {
            return match self.lang {
                Lang::En => format!(
                    "Is there one {d} × {d} matrix that turns PE(pos) into PE(pos + {k}) at all {len} positions? The best one in the least-squares sense is fitted to them."
                ),
                Lang::Zh => format!(
                    "是否存在一个 {d} × {d} 矩阵，能在全部 {len} 个位置上把 PE(pos) 变成 PE(pos + {k})？这里按最小二乘拟合出最好的那个。"
                ),
            };
        };
        let (pos, here) = (
            whole(self.pos as i64),
            error_words(self.fit.errors[self.pos]),
        );
        let (worst, miss) = (whole(worst as i64), error_words(error));
        match (self.lang, error < ROUNDING) {
            (Lang::En, true) => format!(
                "One {d} × {d} matrix serves all {len} positions: the largest error is {miss}. At position {pos} the ring lies on PE(pos + {k})."
            ),
            (Lang::Zh, true) => format!(
                "同一个 {d} × {d} 矩阵适用于全部 {len} 个位置，最大误差只有 {miss}。在位置 {pos}，圆环与 PE(pos + {k}) 重合。"
            ),
            (Lang::En, false) => format!(
                "The best {d} × {d} matrix still misses by {miss} at position {worst}; at position {pos} by {here}. No matrix does for all {len} positions."
            ),
            (Lang::Zh, false) => format!(
                "最好的 {d} × {d} 矩阵在位置 {worst} 仍差 {miss}，在位置 {pos} 差 {here}。没有一个矩阵能适用于全部 {len} 个位置。"
            ),
        }
    }

    fn above(&self) -> Option<Node> {
        let k = self.fit.key.2;
        let ask = match self.lang {
            Lang::En => format!("Your prediction for k = {k}"),
            Lang::Zh => format!("你的预测（k = {k}）"),
        };
        let button = |value: &'static str, words: Text, misses: bool| {
            let pressed = self.guess == Some(misses);
            button("guess", value, words.get(self.lang))
                .attribute("aria-pressed", if pressed { "true" } else { "false" })
        };
        Some(div(
            "",
            vec![
                Node::text("p", self.table.about(self.lang)).class("note"),
                div(
                    "row",
                    vec![
                        Node::text("span", ask),
                        button("kept", BreakIt::NOTHING, false),
                        button("misses", BreakIt::MISSES, true),
                    ],
                ),
            ],
        ))
    }

    fn below(&self) -> Option<Node> {
        let (_, error) = self.revealed()?;
        let right = self.guess == Some(error >= ROUNDING);
        let (class, verdict) = match (right, self.lang) {
            (true, Lang::En) => ("good", "As predicted. "),
            (true, Lang::Zh) => ("good", "与预测一致。"),
            (false, Lang::En) => ("bad", "Not as predicted. "),
            (false, Lang::Zh) => ("bad", "与预测不符。"),
        };
        let odd = self.table == Table::Both && self.fit.key.1 % 2 == 1;
        let why = match (odd, self.lang) {
            (false, lang) => self.table.why(lang),
            (true, Lang::En) => {
                "The width is odd: the last sine has no cosine, and it alone is missed."
            }
            (true, Lang::Zh) => "编码宽度是奇数：最后一个正弦没有配对的余弦，误差全部来自这一维。",
        };
        Some(Node::new("p", vec![span(class, verdict), words(why)]))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some((0.72 * width).clamp(380.0, 480.0) * theme.scale)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let plan = self.plan(context);
        self.draw_table(pen, context, plan.table)?;
        self.draw_dial(pen, context, plan.dial)?;
        self.draw_errors(pen, context, &plan.chart)
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let plan = self.plan(context);
        let (rows, d) = (ROWS.min(self.fit.rows.positions), self.fit.key.1);
        let shape = (1, d);
        let numbers = (0..d as i64).map(|column| Some(column / 2)).collect();
        vec![
            Handle::along_x(&plan.chart, "pos"),
            Handle::rows(plan.table, rows, "pos").sets("pair", Mapping::Listed { shape, numbers }),
        ]
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "guess" {
            let shift = 2 * self.table as i64;
            let guess = if value == "misses" { 2 } else { 1 };
            let others = values.whole("guesses") & !(3 << shift);
            values.set_whole("guesses", others | guess << shift);
        }
    }

    fn work(&mut self) -> bool {
        self.fit.work()
    }
}

/// `misses(table, d, k, max_len)`: the largest error of the best matrix, tables counted as listed.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    let (&[table, d, k, len], "misses") = (arguments, name) else {
        return None;
    };
    let table = Table::ALL[table as usize];
    let mut fit = Fit::new((table, d as usize, k as i64, len as usize));
    while fit.work() {}
    fit.worst().map(|(_, error)| error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misses(table: Table, d: usize) -> f64 {
        let arguments = [table as usize as f64, d as f64, 3.0, 2000.0];
        numbers("misses", &arguments).unwrap()
    }

    fn shown(settings: &[(&str, &str)]) -> (BreakIt, Values) {
        let mut values = Values::new(BreakIt::FIELDS);
        for (name, text) in settings {
            assert_eq!(values.set(name, text), None);
        }
        let mut figure = BreakIt::new(&values, Lang::En, None);
        while figure.work() {}
        (figure, values)
    }

    /// `numpy.linalg.lstsq` on the same tables, NumPy 2.4.
    #[test]
    fn sine_alone_misses_and_so_do_two_frequencies_in_a_pair() {
        for (d, sine, apart) in [
            (4, 0.300_366_919, 0.301_393_216),
            (8, 0.826_310_727, 0.825_087_011),
            (16, 1.007_692_726, 1.015_251_488),
        ] {
            assert!((misses(Table::Sine, d) - sine).abs() < 1e-6, "{d}");
            assert!((misses(Table::Apart, d) - apart).abs() < 1e-6, "{d}");
        }
    }

    #[test]
    fn sine_and_cosine_miss_by_rounding_alone() {
        for d in [4, 8, 16, 64] {
            // The fit is exact for a table that is off by a few ε for each of its numbers, in whatever order a processor takes the sums.
            let most = 4.0 * 2000.0 * d as f64 * f64::EPSILON;
            assert!(misses(Table::Both, d) < most, "{d}");
        }
        // The sine without a partner is lost.
        assert!(misses(Table::Both, 5) > 1e-3);
    }

    #[test]
    fn a_random_table_has_no_matrix() {
        // The best of 2000 × 8 normal numbers of deviation √½ is about 4 deviations.
        let miss = misses(Table::Random, 8);
        assert!((2.0..4.0).contains(&miss), "{miss}");
    }

    #[test]
    fn no_matrix_moves_the_zero_vector() {
        let (figure, _) = shown(&[("table", "sine"), ("d_model", "4")]);
        assert_eq!(figure.fit.moved(0).unwrap(), [0.0; 4]);
        // sin(0.3): the second frequency is 0.1.
        assert!((figure.fit.errors[0] - 0.3f64.sin()).abs() < 1e-12);
    }

    #[test]
    fn results_wait_for_the_prediction_of_their_table() {
        let (figure, mut values) = shown(&[("table", "sine")]);
        assert!(figure.revealed().is_none() && !figure.caption().contains("0.83"));
        figure.act("guess", "kept", &mut values);
        let figure = BreakIt::new(&values, Lang::En, Some(figure));
        assert!(figure.caption().contains("0.83"), "{}", figure.caption());
        assert!(figure.below().unwrap().plain().starts_with("Not as"));
        values.set("table", "both");
        assert_eq!(guess_of(&values, Table::Both), None);
        assert_eq!(guess_of(&values, Table::Sine), Some(false));
    }

    #[test]
    fn what_is_fitted_survives_what_does_not_change_it() {
        let (figure, mut values) = shown(&[]);
        values.set("pos", "77");
        let figure = BreakIt::new(&values, Lang::Zh, Some(figure));
        assert_eq!(figure.fit.errors.len(), 2000);
        values.set("k", "4");
        let figure = BreakIt::new(&values, Lang::Zh, Some(figure));
        assert!(figure.fit.errors.is_empty());
    }
}
