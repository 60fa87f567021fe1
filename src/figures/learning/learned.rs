//! A learned table at its random start above the sinusoidal one: where it ends; and, if that is asked for, how well a
//! single matrix M_k per offset predicts row pos + k from row pos.

use crate::draw::chart::Chart;
use crate::draw::grid::cells;
use crate::draw::text_style::tag_width;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::Clamp;
use crate::math::linear::{StreamingLeastSquares, product};
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, tiny, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Layout, Matrix, Sinusoidal};
use std::f64::consts::FRAC_1_SQRT_2;

const WIDTH: usize = 16;
const SEED: u64 = 1;
/// Lower end of the error axis; smaller errors are drawn there.
const MIN_ERROR: f64 = 1e-17;

const LEARNED: Text = Text::new("learned, random start", "可学习位置表（随机初始化）");
const FORMULA: Text = Text::new("sinusoidal formula", "正弦公式");
const ERROR: Text = Text::new("error of the best-fit Mₖ", "最佳拟合 Mₖ 的误差");
const NOTHING: Text = Text::new("nothing stored", "没有存储");
/// Height of a strip's heading, and of the axis below both, in label sizes.
const HEAD: f64 = 2.2;
const AXIS: f64 = 3.2;

pub struct Learned {
    lang: Lang,
    max_len: usize,
    k: usize,
    pos: usize,
    /// Whether the errors of M_k are shown below the tables.
    errors: bool,
    /// The learned table of max_len rows, and the computed one of twice as many.
    tables: [Matrix<f64>; 2],
    /// Per position, the error of the matrix fitted to the whole table; the last k rows have none.
    misses: [Vec<f64>; 2],
}

/// Returns, per position, the largest error over the dimensions of the best-fit matrix for offset k.
fn misses(table: &Matrix<f64>, k: usize) -> Vec<f64> {
    let mut rows = StreamingLeastSquares::new(table.dimensions, table.dimensions);
    for position in 0..table.positions - k {
        rows.add(table.row(position), table.row(position + k));
    }
    let moved = product(table, &rows.solve());
    let miss = |position: usize| {
        let pairs = moved.row(position).iter().zip(table.row(position + k));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    (0..table.positions - k).map(miss).collect()
}

fn size(error: f64) -> String {
    if error < 1e-3 {
        tiny(error)
    } else {
        fixed(error, 2)
    }
}

pub struct Plan {
    strips: [Rect; 2],
    x: Scale,
    chart: Option<Chart>,
}

impl Learned {
    fn draw_strip(
        &self,
        pen: &Pen,
        context: &DrawContext,
        rect: Rect,
        table: &Matrix<f64>,
        (title, colour): (&str, plotters::style::RGBColor),
    ) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let positions = 2 * self.max_len;
        let filled = rect.with_width(rect.width * table.positions as f64 / positions as f64);
        let heading = (rect.x, rect.y - 0.9 * size);
        let style = TextStyle::new(1.1 * size, colour).bold().align_left();
        pen.text(heading, title, style);
        cells(
            pen,
            context,
            filled,
            (WIDTH, table.positions),
            1.0,
            |row, column| table.at(column, row).clamped(-1.0, 1.0),
        );
        pen.outline(filled, theme.muted, 0.6, theme.hairline());
        let style = TextStyle::new(size, theme.muted);
        for (dimension, y) in [(0, rect.y), (WIDTH - 1, rect.bottom())] {
            let y = y.clamped(rect.y + 0.5 * size, rect.bottom() - 0.5 * size);
            let at = (rect.x - 0.5 * size, y);
            pen.text(at, &dimension.to_string(), style.align_right());
        }
        let title = (rect.x - 2.9 * size, rect.centre_y());
        let name = labels::DIMENSION_AXIS.get(self.lang);
        pen.text(title, name, style.rotated());
        if table.positions < positions {
            let empty = rect.across(filled.right(), rect.width - filled.width);
            for y in [empty.y, empty.bottom()] {
                let [from, to] = empty.horizontal(y);
                pen.dashes(from, to, theme.muted, theme.hairline());
            }
            let style = TextStyle::new(2.0 * size, theme.there).bold();
            let words = NOTHING.get(self.lang);
            pen.text(
                empty.centre(),
                words,
                style.fitting(words, 0.9 * empty.width),
            );
        }
        let column = rect.width / positions as f64;
        if self.pos < table.positions {
            let here = rect.across(rect.x + self.pos as f64 * column, column);
            pen.outline(here, theme.here, 1.0, 0.6 * theme.stroke());
        }
    }
}

fields! {
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 64, |_| (32, 128));
    K: i64 = Key::whole("k", "offset", "偏移量", 3, |_| (1, 8)).under_more();
    ERRORS: bool = Key::toggle("errors", "Error of the best matrix", "最佳矩阵的误差", false).under_more();
    POS: i64 = Key::whole("pos", "position", "位置", 20, |v| (0, 2 * v.get(MAX_LEN) - 1 - v.get(K)));
}

impl Figure for Learned {
    const NAME: ViewName = ViewName::Learned;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), Some(K)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<Learned>) -> Learned {
        let (max_len, k) = (values.count(MAX_LEN), values.count(K));
        let same = |old: &Learned| (old.max_len, old.k) == (max_len, k);
        let (tables, misses) = match previous.filter(same) {
            Some(old) => (old.tables, old.misses),
            None => {
                let pe = Sinusoidal::new(WIDTH, 10_000.0, Layout::Interleaved);
                let mut computed = Matrix::zeros(0, WIDTH);
                for position in 0..2 * max_len {
                    computed.values.extend(pe.row(position as i64));
                    computed.positions += 1;
                }
                let learned = Normals::seeded(SEED).matrix(max_len, WIDTH, FRAC_1_SQRT_2);
                let tables = [learned, computed];
                let misses = [0, 1].map(|table| misses(&tables[table], k));
                (tables, misses)
            }
        };
        Learned {
            lang,
            max_len,
            k,
            pos: values.count(POS),
            errors: values.get(ERRORS),
            tables,
            misses,
        }
    }

    fn caption(&self) -> String {
        let (pos, k, len) = (self.pos, self.k, self.max_len);
        let to = pos + k;
        let numbers = whole((len * WIDTH) as i64);
        if !self.errors {
            return match (pos < len, self.lang) {
                (true, Lang::En) => format!(
                    "The learned table has {numbers} numbers, here random as before training, and no rule that makes another row of them. The formula has a row for every position."
                ),
                (true, Lang::Zh) => format!(
                    "可学习位置表有 {numbers} 个数，这里是训练之前的随机数，没有由一行推出另一行的规律。公式则对任何位置都给得出一行。"
                ),
                (false, Lang::En) => format!(
                    "The learned table ends with row {}: position {pos} has none, and there is nothing to compute it from. The formula has one.",
                    len - 1
                ),
                (false, Lang::Zh) => format!(
                    "可学习位置表到第 {} 行为止：位置 {pos} 没有行，也无从算出。公式则有。",
                    len - 1
                ),
            };
        }
        let formula = size(self.misses[1][pos]);
        match (self.misses[0].get(pos), self.lang) {
            (Some(&learned), Lang::En) => format!(
                "From row {pos} to row {to} the best matrix has an error of {} in the learned table and of {formula} in the formula’s. The learned table has {numbers} numbers and no rule that makes another row of them.",
                size(learned),
            ),
            (Some(&learned), Lang::Zh) => format!(
                "从第 {pos} 行到第 {to} 行，最佳矩阵在可学习位置表里误差为 {}，在公式的表里为 {formula}。可学习位置表有 {numbers} 个数，却没有由一行推出另一行的规律。",
                size(learned),
            ),
            (None, Lang::En) => format!(
                "The learned table ends with row {}: there is no row {to} to read, and nothing to compute it from. The formula has one, and the matrix that serves all its rows leads there too, with an error of {formula}.",
                len - 1
            ),
            (None, Lang::Zh) => format!(
                "可学习位置表到第 {} 行为止：没有第 {to} 行可读，也无从算出。公式有这一行，适用于所有行的那个矩阵照样能到达，误差 {formula}。",
                len - 1
            ),
        }
    }

    fn more(&self) -> Option<Node> {
        let note = match self.lang {
            Lang::En => {
                "The learned table is simulated: seeded normal numbers (seed 1), like a table before training. Mₖ is the matrix that fits all rows of its table best, by least squares."
            }
            Lang::Zh => {
                "可学习位置表用固定种子（1）的正态随机数模拟，相当于训练之前的样子。Mₖ 是按最小二乘对该表所有行拟合得最好的矩阵。"
            }
        };
        Some(html::p(note).class("note"))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.66 * width).clamp(340.0, 440.0) * theme.scale, 23.0))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let last = 2.0 * self.max_len as f64 - 0.5;
        let strip = match self.errors {
            true => 0.17 * all.height,
            false => 0.5 * (all.height - (2.0 * HEAD + AXIS) * size),
        };
        let top = 2.0 * (HEAD * size + strip);
        let area = all.down(top, (all.height - top).max(1.0));
        let positions = Scale::linear(-0.5, last);
        let chart = Chart::new(context, area, positions, Scale::log(MIN_ERROR, 20.0));
        let place = |y| chart.plot.down(y, strip);
        Plan {
            strips: [place(HEAD * size), place(2.0 * HEAD * size + strip)],
            x: chart.x,
            chart: self.errors.then_some(chart),
        }
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let theme = context.theme;
        let size = theme.label_size();
        let names = [(LEARNED, theme.series[1]), (FORMULA, theme.series[0])];
        for ((rect, table), (name, colour)) in plan.strips.into_iter().zip(&self.tables).zip(names)
        {
            self.draw_strip(pen, context, rect, table, (name.get(self.lang), colour));
        }
        let [learned, formula] = plan.strips;
        let mut foot = formula.bottom();
        if let Some(chart) = &plan.chart {
            foot = chart.plot.bottom();
            let titles = self.lang.texts([ERROR, labels::POSITION_AXIS]);
            chart.axes(pen, context, titles);
            for (misses, (_, colour)) in self.misses.iter().zip(names) {
                let points = misses.iter().enumerate();
                let points = points.map(|(at, &miss)| (at as f64, miss.max(MIN_ERROR)));
                chart.curve(pen, points, colour, 0.7 * theme.stroke());
                if let Some(miss) = misses.get(self.pos) {
                    let here = (self.pos as f64, miss.max(MIN_ERROR));
                    chart.dots(pen, [here], colour, 2.2 * theme.stroke());
                }
            }
            chart.upright(pen, context, self.pos as f64, "", theme.here);
        } else {
            let style = TextStyle::new(size, theme.muted);
            let here = plan.x.pixel(self.pos as f64);
            for position in [0, self.max_len - 1, 2 * self.max_len - 1] {
                let x = plan.x.pixel(position as f64);
                if (x - here).abs() > 2.4 * size {
                    pen.text((x, foot + 0.9 * size), &position.to_string(), style);
                }
            }
            let bold = TextStyle::new(size, theme.here).bold();
            pen.text((here, foot + 0.9 * size), &self.pos.to_string(), bold);
            let below = (formula.centre_x(), foot + 2.4 * size);
            pen.text(below, labels::POSITION_AXIS.get(self.lang), style);
        }
        // The end of the learned table, through all that is below it.
        let x = plan.x.pixel(self.max_len as f64 - 0.5);
        let end = [(x, learned.y), (x, learned.bottom())];
        pen.line(&end, theme.there, 2.0 * theme.stroke());
        pen.dashes((x, foot), end[1], theme.there, theme.stroke());
        let name = format!("max_len {}", self.max_len);
        let half = tag_width(&name, size) / 2.0 + 0.4 * size;
        let middle = (x + half, formula.y - 0.9 * size);
        pen.tag(middle, &name, size, theme.panel, theme.there);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let below = plan
            .chart
            .as_ref()
            .map_or(plan.strips[1], |chart| chart.plot);
        let area = plan.strips[0].union(below);
        vec![Handle::plot(area).sets(POS, Mapping::X(plan.x))]
    }

    /// `learned_miss(k, max_len)` and `formula_miss(k, max_len)`: the largest error over all positions;
    /// `learned_numbers(max_len, d_model)`: the number of entries of a learned table.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let table = match name {
            "learned_miss" => 0,
            "formula_miss" => 1,
            "learned_numbers" => return Some(arguments.iter().product()),
            _ => return None,
        };
        let mut values = Values::new(Learned::FIELDS);
        values.set_to(K, arguments[0] as i64);
        values.set_to(MAX_LEN, arguments[1] as i64);
        let shown = Learned::new(&values, Lang::En, None);
        Some(shown.misses[table].iter().copied().fold(0.0, f64::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> Learned {
        let values = Values::with(Learned::FIELDS, changes);
        Learned::new(&values, Lang::En, None)
    }

    #[test]
    fn only_the_formula_has_a_matrix() {
        for (k, len) in [(1, 32), (3, 64), (8, 128)] {
            let shown = shown(&format!("max_len={len} k={k}"));
            assert!(shown.misses[1].iter().all(|&miss| miss < 1e-9));
            let mean = shown.misses[0].iter().sum::<f64>() / shown.misses[0].len() as f64;
            assert!(mean > 0.3, "{mean}");
        }
    }

    /// The residual is orthogonal to the rows that were fitted, so `numpy.linalg.lstsq` cannot do better.
    #[test]
    fn what_is_left_is_the_least() {
        let table = Normals::seeded(SEED).matrix(64, WIDTH, FRAC_1_SQRT_2);
        let mut rows = StreamingLeastSquares::new(WIDTH, WIDTH);
        for position in 0..61 {
            rows.add(table.row(position), table.row(position + 3));
        }
        let moved = product(&table, &rows.solve());
        for i in 0..WIDTH {
            for j in 0..WIDTH {
                let left = |p: usize| table.at(p, i) * (moved.at(p, j) - table.at(p + 3, j));
                assert!((0..61).map(left).sum::<f64>().abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_learned_table_ends_and_the_formula_does_not() {
        let shown = shown("max_len=40 k=5 pos=35 errors=on");
        assert_eq!(shown.misses.each_ref().map(Vec::len), [35, 75]);
        assert!(shown.caption().contains("ends with row 39"));
        assert!(shown.caption().contains("no row 40"));
    }
}
