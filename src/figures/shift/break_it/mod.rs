//! Why one matrix per offset needs sine and cosine of the same angle: that table and three others, each with its
//! least-squares shift matrix and the errors of that matrix.

mod compute;
mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use compute::Fit;
use picture::Plan;

const SEED: u64 = 1;
/// Errors below this are rounding.
const ROUNDING: f64 = 1e-9;
/// Rows of the small heatmap.
const ROWS: usize = 48;

choices! {
    enum Table {
        /// Sine and cosine of the same angle in each pair: Vaswani et al. 2017, §3.5.
        Both "both" "Sine and cosine" "正弦加余弦";
        /// sin(pos·base^(−j/d)) in dimension j: the sines of a table twice as wide.
        Sine "sine" "Sine only" "只有正弦";
        /// Exponent j/d in dimension j, sine where j is even, cosine where it is odd.
        MismatchedFrequencies "apart" "Two frequencies a pair" "一对两种频率";
        /// Normal numbers with the mean square of sines and cosines.
        Random "random" "Random table (simulated)" "随机表（模拟）";
    }
}

impl Table {
    fn about(self, lang: Lang) -> &'static str {
        let text = match self {
            Table::Both => Text::new(
                "As in the paper, dimensions 2i and 2i + 1 hold sine and cosine of the same angle",
                "与原论文相同，维度 2i 与 2i + 1 是同一角度的正弦和余弦",
            ),
            Table::Sine => Text::new(
                "Every number is a sine, sin(pos · 10000^(−j/d)) in dimension j, and there is no cosine",
                "每个数都是正弦，维度 j 为 sin(pos · 10000^(−j/d))，完全不用余弦",
            ),
            Table::MismatchedFrequencies => Text::new(
                "The exponent is taken from the dimension, 2i/d for the sine and (2i + 1)/d for the cosine, a common mistake in code",
                "指数误用维度编号，正弦用 2i/d，余弦用 (2i + 1)/d，这是代码里常见的错误",
            ),
            Table::Random => Text::new(
                "A simulated table before any training: seeded normal numbers (seed 1), on average as large as sines",
                "模拟一张尚未训练的表，由固定种子（1）的正态随机数组成，平均大小与正弦相当",
            ),
        };
        text.get(lang)
    }

    fn why(self, lang: Lang) -> &'static str {
        let text = match self {
            Table::Both => Text::new(
                "sin(ω(pos + k)) and cos(ω(pos + k)) are made of sin(ω·pos) and cos(ω·pos), both in the table. Mₖ is such a matrix, and what is left is rounding.",
                "sin(ω(pos + k)) 与 cos(ω(pos + k)) 只由 sin(ω·pos) 与 cos(ω·pos) 组成，两者都在表里。Mₖ 就是这样一个矩阵，剩下的只是舍入误差。",
            ),
            Table::Sine => Text::new(
                "sin(ω(pos + k)) also needs cos(ω·pos), which the table lacks. Position 0 shows it best: PE(0) is the zero vector, every matrix sends it to zero, and PE(k) is not zero.",
                "sin(ω(pos + k)) 还需要 cos(ω·pos)，表里却没有。位置 0 最能说明问题：PE(0) 是零向量，任何矩阵都只能把它变成零向量，而 PE(k) 不是零向量。",
            ),
            Table::MismatchedFrequencies => Text::new(
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

pub struct BreakIt {
    lang: Lang,
    table: Table,
    pos: usize,
    pair: usize,
    /// Whether the reader predicts errors for this table; `None` before an answer.
    guess: Option<bool>,
    fit: Fit,
}

/// The prediction for a table, from two bits of `guesses`: 0 none, 1 "yes, one matrix fits", 2 "no".
fn guess_of(values: &Values, table: Table) -> Option<bool> {
    match values.get(GUESSES) >> (2 * table as i64) & 3 {
        1 => Some(false),
        2 => Some(true),
        _ => None,
    }
}

impl BreakIt {
    const FITS: Text = Text::new("Yes", "有");
    const MISSES: Text = Text::new("No", "没有");

    fn revealed(&self) -> Option<(usize, f64)> {
        self.fit.worst().filter(|_| self.guess.is_some())
    }
}

fields! {
    TABLE: Table = Key::choice("table", "Table", "编码表");
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 8, |_| (2, 64)).under_more();
    K: i64 = Key::whole("k", "offset", "偏移量", 3, |_| (1, 64));
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 2000, |_| (128, 4096)).without_control();
    POS: i64 = Key::whole("pos", "position", "位置", 0, |v| (0, v.get(MAX_LEN) - 1)).without_control();
    PAIR: i64 = Key::whole("pair", "index i", "维度对", 0, |v| {
        (0, (v.get(D_MODEL) + 1) / 2 - 1)
    })
    .without_control();
    GUESSES: i64 = Key::whole("guesses", "predictions", "预测", 0, |_| (0, 255)).session();
}

impl Figure for BreakIt {
    const NAME: ViewName = ViewName::BreakIt;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), Some(PAIR)];

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<BreakIt>) -> BreakIt {
        let table = values.get(TABLE);
        let key = (
            table,
            values.count(D_MODEL),
            values.get(K),
            values.count(MAX_LEN),
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
            pos: values.count(POS),
            pair: values.count(PAIR),
            guess: guess_of(values, table),
            fit,
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        self.elements_above()
    }

    fn below(&self) -> Option<Node> {
        self.elements_below()
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.62 * width).clamp(380.0, 474.0) * theme.scale, 16.0))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        self.plan(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    fn handles(&self, _: &DrawContext, plan: &Plan) -> Vec<Handle> {
        let (rows, d) = (ROWS.min(self.fit.rows.positions), self.fit.key.1);
        let shape = (1, d);
        let numbers = (0..d as i64).map(|column| Some(column / 2)).collect();
        let Some((table, errors)) = &plan.answer else {
            return Vec::new();
        };
        let table = Handle::rows(*table, rows, POS).sets(PAIR, Mapping::Lookup { shape, numbers });
        vec![table, Handle::along_x(errors, POS)]
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "guess" {
            let shift = 2 * self.table as i64;
            let guess = if value == "misses" { 2 } else { 1 };
            let others = values.get(GUESSES) & !(3 << shift);
            values.set_to(GUESSES, others | guess << shift);
        }
    }

    fn work(&mut self) -> bool {
        self.fit.work()
    }

    /// `misses(table, d, k, max_len)`: the largest error of the best matrix; `table` is an index of `Table::ALL`.
    /// `misses_affine`: the same if a constant vector is added to the matrix's product.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        use crate::field::Choice;
        let (&[table, d, k, len], "misses" | "misses_affine") = (arguments, name) else {
            return None;
        };
        let table = Table::ALL[table as usize];
        let mut fit = Fit::new((table, d as usize, k as i64, len as usize));
        while fit.work() {}
        match name {
            "misses" => fit.worst().map(|(_, error)| error),
            _ => Some(fit.affine_error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misses(table: Table, d: usize) -> f64 {
        let arguments = [table as usize as f64, d as f64, 3.0, 2000.0];
        BreakIt::lesson_number("misses", &arguments).unwrap()
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
            assert!(
                (misses(Table::MismatchedFrequencies, d) - apart).abs() < 1e-6,
                "{d}"
            );
        }
    }

    /// The same with a column of ones on the left-hand side.
    #[test]
    fn a_constant_does_not_help_the_sines() {
        let found = BreakIt::lesson_number("misses_affine", &[1.0, 8.0, 3.0, 2000.0]).unwrap();
        assert!((found - 0.827_932_849).abs() < 1e-6, "{found}");
    }

    #[test]
    fn sine_and_cosine_miss_by_rounding_alone() {
        for d in [4, 8, 16, 64] {
            // The fit is exact for a table that differs by a few ε in each of its numbers, in whatever order a processor
            // sums.
            let most = 4.0 * 2000.0 * d as f64 * f64::EPSILON;
            assert!(misses(Table::Both, d) < most, "{d}");
        }
        // The sine without a cosine cannot be predicted.
        assert!(misses(Table::Both, 5) > 1e-3);
    }

    #[test]
    fn a_random_table_has_no_matrix() {
        // The largest of 2000 × 8 normal numbers of deviation √½ is about 4 deviations.
        let miss = misses(Table::Random, 8);
        assert!((2.0..4.0).contains(&miss), "{miss}");
    }

    #[test]
    fn no_matrix_moves_the_zero_vector() {
        let (figure, _) = shown(&[("table", "sine"), ("d_model", "4")]);
        assert_eq!(figure.fit.predicted_row(0).unwrap(), [0.0; 4]);
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
        assert!(figure.below().unwrap().plain().starts_with("✕ Not as"));
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
