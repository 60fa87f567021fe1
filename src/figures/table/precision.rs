//! Errors of 32-bit and 16-bit arithmetic: frequencies by exp and by pow against the exact ones, rounded angles at large
//! positions, and positions stored as bfloat16.

use crate::draw::chart::Chart;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle};
use crate::text::markup::Node;
use crate::text::markup::html::{div, p, table, words};
use crate::text::number::{noun, short, tiny, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Layout, Sinusoidal, sin_cos};

/// A table error is the largest over the [`WINDOW`] positions before one of these.
const FAR: [i64; 4] = [5_000, 10_000, 100_000, 1_000_000];
/// Number of positions over which a table error is measured.
const WINDOW: i64 = 16;
/// Pairs per slice of the work.
const SLICE: usize = 64;
/// Number of ways to compute angles: ω by exp, ω by pow, and exact ω with only the angle rounded.
const WAYS: usize = 3;

/// Returns ω of a pair in `f32`, by exp as in the usual code and by pow. Both functions are evaluated in `f64` and
/// rounded, since their `f32` versions differ between platforms.
fn rounded(pair: usize, d_model: usize) -> [f32; 2] {
    let even = (2 * pair) as f32;
    let step = (-10_000f64.ln() / d_model as f64) as f32;
    let exp = f64::from(even * step).exp() as f32;
    let pow = 1.0 / 10_000f64.powf(f64::from(even / d_model as f32)) as f32;
    [exp, pow]
}

/// Rounds a whole number to bfloat16: 8 significant bits, ties to even.
fn bfloat16(value: usize) -> f32 {
    let bits = (value as f32).to_bits();
    let even = (bits >> 16) & 1;
    f32::from_bits((bits + 0x7fff + even) & 0xffff_0000)
}

/// Returns the number of distinct values of the positions 0 … len − 1 in bfloat16.
fn distinct(len: usize) -> usize {
    let values: Vec<u32> = (0..len).map(|pos| bfloat16(pos).to_bits()).collect();
    values.len() - values.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

pub struct Precision {
    lang: Lang,
    pe: Sinusoidal,
    max_len: usize,
    pair: usize,
    /// Relative errors of ω by pair: exp, pow.
    errors: Vec<[f64; 2]>,
    /// The largest error of the table before each of [`FAR`], over the pairs done so far.
    table: [[f64; WAYS]; FAR.len()],
    done: usize,
}

impl Precision {
    fn worst(&self) -> [f64; 2] {
        let largest = |way: usize| self.errors.iter().map(|e| e[way]).fold(0.0, f64::max);
        [largest(0), largest(1)]
    }

    fn measure(&mut self, pair: usize) {
        let [exp, pow] = rounded(pair, self.pe.d_model());
        let omega = self.pe.frequency(pair);
        for (far, largest) in FAR.into_iter().zip(&mut self.table) {
            for pos in far - WINDOW..far {
                let (sin, cos) = self.pe.sin_cos_at(pair, pos as f64);
                let angles = [
                    exp * pos as f32,
                    pow * pos as f32,
                    (omega * pos as f64) as f32,
                ];
                for (angle, largest) in angles.into_iter().zip(&mut *largest) {
                    let (s, c) = sin_cos(f64::from(angle));
                    let [s, c] = [s, c].map(|value| f64::from(value as f32));
                    let error = (s - sin).abs().max((c - cos).abs());
                    *largest = largest.max(error);
                }
            }
        }
    }

    fn chart(&self, context: &DrawContext) -> Chart {
        let mut room = Rect::all(context.frame);
        let legend = 3.2 * context.theme.label_size();
        room.y += legend;
        room.height -= legend;
        let high = self.worst().into_iter().fold(1e-7, f64::max) * 1.25e7;
        let pairs = Scale::linear(0.0, (self.pe.pairs() as f64 - 1.0).max(1.0));
        Chart::new(context, room, pairs, Scale::linear(0.0, high))
    }
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 512, |_| (2, 4096));
    MAX_LEN: i64 = Key::size("max_len", "positions as bf16", "以 bf16 存的位置数", 4096, |_| (1, 131_072));
    PAIR: i64 = Key::whole("pair", "index i", "维度对", 230, |v| {
        (0, (v.get(D_MODEL) + 1) / 2 - 1)
    })
    .without_control();
}

impl Figure for Precision {
    const NAME: ViewName = ViewName::Precision;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(PAIR), None];

    fn new(values: &Values, lang: Lang, previous: Option<Precision>) -> Precision {
        let d_model = values.count(D_MODEL);
        let kept = previous.filter(|before| before.pe.d_model() == d_model);
        let mut shown = kept.unwrap_or_else(|| {
            let pe = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
            let error = |pair| {
                let exact = pe.frequency(pair);
                rounded(pair, d_model).map(|omega| (f64::from(omega) / exact - 1.0).abs())
            };
            Precision {
                lang,
                max_len: 0,
                pair: 0,
                errors: (0..pe.pairs()).map(error).collect(),
                table: Default::default(),
                done: 0,
                pe,
            }
        });
        shown.lang = lang;
        shown.max_len = values.count(MAX_LEN);
        shown.pair = values.count(PAIR);
        shown
    }

    fn work(&mut self) -> bool {
        if self.done == self.pe.pairs() {
            return false;
        }
        let end = (self.done + SLICE).min(self.pe.pairs());
        for pair in self.done..end {
            self.measure(pair);
        }
        self.done = end;
        true
    }

    fn caption(&self) -> String {
        let [exp, pow] = self.worst().map(tiny);
        let [here_exp, here_pow] = self.errors[self.pair].map(tiny);
        let (pair, pairs) = (self.pair, self.pe.pairs());
        match self.lang {
            Lang::En => format!(
                "In f32 the worst relative error of ω over {pairs} {} is {exp} with exp and {pow} with pow; what that means for the table stands below. Pair {pair}: {here_exp} and {here_pow}.",
                noun(&pairs.to_string(), "pair", "pairs")
            ),
            Lang::Zh => format!(
                "在 f32 下，{pairs} 个维度对中 ω 的最大相对误差，用 exp 是 {exp}，用 pow 是 {pow}；对整张表的影响见下表。维度对 {pair}：{here_exp} 与 {here_pow}。"
            ),
        }
    }

    fn more(&self) -> Option<Node> {
        let t = |en, zh| Text::new(en, zh).get(self.lang).to_string();
        let head = [
            t("Largest error of the table in f32", "表的最大误差（f32）"),
            t("ω by exp", "ω 用 exp"),
            t("ω by pow", "ω 用 pow"),
            t("exact ω, angle rounded", "ω 精确，仅角度舍入"),
        ];
        let mut rows = vec![head.map(words).to_vec()];
        let ready = self.done == self.pe.pairs();
        for (far, errors) in FAR.into_iter().zip(self.table) {
            let far = whole(far);
            let mut row = vec![words(match self.lang {
                Lang::En => format!("just before position {far}"),
                Lang::Zh => format!("位置 {far} 之前"),
            })];
            row.extend(errors.map(|e| words(if ready { tiny(e) } else { "…".into() })));
            rows.push(row);
        }
        let (len, last) = (self.max_len, self.max_len - 1);
        let count = distinct(len);
        let held = short(f64::from(bfloat16(last)), 9);
        let [len, last, count] = [len, last, count].map(|n| whole(n as i64));
        let bf16 = match self.lang {
            Lang::En if last == "0" => "Kept as bf16, the only position stays 0.".into(),
            Lang::Zh if last == "0" => "用 bf16 存放时，唯一的位置仍是 0。".into(),
            Lang::En => format!(
                "Kept as bf16, the {len} positions 0 … {last} are {count} different numbers, since 8 significant bits tell neighbours apart only up to 256; position {last} becomes {held}."
            ),
            Lang::Zh => format!(
                "用 bf16 存放时，0～{last} 这 {len} 个位置只剩 {count} 个不同的数：8 个二进制有效位只能逐一数到 256；位置 {last} 变成 {held}。"
            ),
        };
        Some(div("", vec![table(rows), p(bf16)]))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.6 * width).clamp(240.0, 420.0) * theme.scale, 14.0))
    }

    fn draw(&self, pen: &Pen, context: &DrawContext) {
        let (theme, chart) = (context.theme, self.chart(context));
        let size = theme.label_size();
        let up = Text::new("relative error of ω, 10⁻⁷", "ω 的相对误差，10⁻⁷");
        let across = Text::new("pair i", "维度对 i");
        chart.axes(pen, context, [up, across].map(|text| text.get(self.lang)));
        let every = self.pe.pairs().div_ceil(1024);
        let colours = [theme.series[1], theme.series[0]];
        for (way, colour) in colours.into_iter().enumerate() {
            let errors = self.errors.iter().enumerate().step_by(every);
            let points = errors.map(|(pair, error)| (pair as f64, 1e7 * error[way]));
            chart.curve(pen, points, colour, 0.5 * theme.stroke());
        }
        let pair = self.pair as f64;
        let tag = labels::pair_tag(self.lang, self.pair);
        chart.upright(pen, context, pair, &tag, theme.ink);
        for (way, colour) in colours.into_iter().enumerate() {
            let point = (pair, 1e7 * self.errors[self.pair][way]);
            chart.dots(pen, [point], colour, 2.0 * theme.stroke());
        }
        let names = [
            "exp(−2i·ln 10000 / d_model)",
            "1 / pow(10000, 2i / d_model)",
        ];
        let left = 0.4 * size;
        for (row, (name, colour)) in names.into_iter().zip(colours).enumerate() {
            let y = (1.2 + 1.5 * row as f64) * size;
            pen.line(&[(left, y), (left + 1.2 * size, y)], colour, theme.stroke());
            let style = TextStyle::new(size, colour).align_left().bold();
            pen.text((left + 1.5 * size, y), name, style);
        }
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        vec![Handle::along_x(&self.chart(context), PAIR)]
    }

    /// Worst relative errors of ω in f32 (`f32_exp(d)`, `f32_pow(d)`), the table's error before a position
    /// (`f32_table(d, position, way)`), the argument of exp with the largest magnitude (`log_step(d)`), the number of distinct
    /// positions in bfloat16 (`bf16(len)`) and a position rounded to bfloat16 (`bf16_of(pos)`).
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let shown = |d_model: f64| {
            let mut values = Values::new(Precision::FIELDS);
            values.set_to(D_MODEL, d_model as i64);
            Precision::new(&values, Lang::En, None)
        };
        Some(match (name, arguments) {
            ("f32_exp", &[d]) => shown(d).worst()[0],
            ("f32_pow", &[d]) => shown(d).worst()[1],
            ("f32_table", &[d, pos, way]) => {
                let mut shown = shown(d);
                while shown.work() {}
                let row = FAR.iter().position(|far| *far == pos as i64)?;
                shown.table[row][way as usize]
            }
            ("log_step", &[d]) => (-10_000f64.ln() / d) * (d - 2.0),
            ("bf16", &[len]) => distinct(len as usize) as f64,
            ("bf16_of", &[pos]) => f64::from(bfloat16(pos as usize)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(name: &str, arguments: &[f64]) -> f64 {
        Precision::lesson_number(name, arguments).unwrap()
    }

    #[test]
    fn exp_is_less_accurate_than_pow() {
        // 5.8e-7 with NumPy's exp, 8e-8 … 1.2e-7 with its pow: libraries differ in the last bit.
        let (exp, pow) = (number("f32_exp", &[512.0]), number("f32_pow", &[512.0]));
        assert!((5.0e-7..6.5e-7).contains(&exp), "{exp}");
        assert!((6.0e-8..1.3e-7).contains(&pow), "{pow}");
    }

    #[test]
    fn angles_of_far_positions_are_rounded_away() {
        // NumPy in float32, over the 16 positions before each, by exp and by pow: 4.2e-4 and 7.3e-4,
        // 9.8e-4 and 1.4e-3, 8.6e-3 and 1.3e-2, 8.7e-2 and 1.4e-1. With the exact frequency, only the
        // rounding of the angle remains, half a unit in its last place. Libraries differ in the last bit
        // of exp and pow, and the position multiplies that difference.
        let mut shown = Precision::new(&Values::new(Precision::FIELDS), Lang::En, None);
        while shown.work() {}
        let half = [2.44e-4, 4.88e-4, 3.91e-3, 3.13e-2];
        let measured = [4.2e-4, 9.8e-4, 8.6e-3, 8.7e-2];
        for ((row, half), exp) in shown.table.into_iter().zip(half).zip(measured) {
            assert!((0.9 * half..1.001 * half).contains(&row[2]), "{row:?}");
            assert!((0.5 * exp..1.5 * exp).contains(&row[0]), "{row:?}");
            assert!((0.5 * exp..2.5 * exp).contains(&row[1]), "{row:?}");
        }
    }

    #[test]
    fn bfloat16_counts_singly_up_to_256() {
        assert_eq!(distinct(257), 257);
        assert_eq!(distinct(258), 257);
        assert_eq!(distinct(4096), 769);
        assert_eq!(bfloat16(4095), 4096.0);
        assert_eq!(bfloat16(259), 260.0);
    }

    #[test]
    fn what_is_measured_outlasts_a_change_of_the_pair() {
        let mut values = Values::new(Precision::FIELDS);
        let mut shown = Precision::new(&values, Lang::En, None);
        while shown.work() {}
        let table = shown.table;
        values.set("pair", "3");
        let mut next = Precision::new(&values, Lang::Zh, Some(shown));
        assert_eq!(next.table, table);
        assert!(!next.work());
        values.set("d_model", "2");
        assert_eq!(Precision::new(&values, Lang::Zh, Some(next)).done, 0);
    }
}
