//! M_k · PE(pos) against PE(pos + k) for every position of a table at once, in 64-bit and in 32-bit floats.

use crate::draw::grid::{cell_rect, cells};
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::Figure;
use crate::figures::table::layouts::{grouped, most_columns};
use crate::math::rotation::Rotation;
use crate::text::number::{power, tiny, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Layout, Sinusoidal, sin_cos};

pub struct AllPositions {
    lang: Lang,
    sums: Sums,
    /// Whether the differences are shown magnified as well.
    rounding: bool,
}

/// The results of the comparison so far.
struct Sums {
    pe: Sinusoidal,
    k: i64,
    max_len: usize,
    /// Rows of the pictures; each stands for a run of positions.
    rows: usize,
    /// The next position.
    next: usize,
    single: Single,
    /// Sums over each run of PE(pos+k) and of M_k·PE(pos), row by row.
    shifted: Vec<f64>,
    turned: Vec<f64>,
    /// The largest differences of each run with their signs, in 64 and in 32 bits.
    off: [Vec<f64>; 2],
    /// The largest absolute difference of all with its position and dimension, in 64 and in 32 bits.
    worst: [(f64, usize, usize); 2],
}

const MAX_ROWS: usize = 100;
/// Number of pairs, summed over positions, that take a few milliseconds.
const SLICE: usize = 1_250;

/// The usual implementation in 32-bit floats: ω as exp(2i · −ln(10000)/d), the angle pos·ω rounded before its sine is
/// computed.
struct Single {
    frequencies: Vec<f32>,
    /// Sine and cosine of k·ω.
    turns: Vec<(f32, f32)>,
    k: f32,
}

impl Single {
    fn new(d_model: usize, k: i64) -> Single {
        let factor = (-(10_000f64.ln()) / d_model as f64) as f32;
        let frequency = |pair: usize| f64::from((2 * pair) as f32 * factor).exp() as f32;
        let frequencies: Vec<f32> = (0..d_model / 2).map(frequency).collect();
        let turns = frequencies.iter().map(|&w| rounded(k as f32, w)).collect();
        Single {
            frequencies,
            turns,
            k: k as f32,
        }
    }

    /// M_k · PE(pos) − PE(pos + k) of a pair, sine first.
    fn off(&self, pair: usize, position: f32) -> [f32; 2] {
        let (w, (sin_k, cos_k)) = (self.frequencies[pair], self.turns[pair]);
        let (sin, cos) = rounded(position, w);
        let (sin_there, cos_there) = rounded(position + self.k, w);
        [
            cos_k * sin + sin_k * cos - sin_there,
            cos_k * cos - sin_k * sin - cos_there,
        ]
    }
}

/// Sine and cosine of an angle that is rounded to 32 bits; they are correctly rounded with very few exceptions.
fn rounded(position: f32, frequency: f32) -> (f32, f32) {
    let (sin, cos) = sin_cos(f64::from(position * frequency));
    (sin as f32, cos as f32)
}

impl Sums {
    fn new(d_model: usize, max_len: usize, k: i64) -> Sums {
        let rows = max_len.min(MAX_ROWS);
        let none = vec![0.0; rows * d_model];
        Sums {
            pe: Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved),
            k,
            max_len,
            rows,
            next: 0,
            single: Single::new(d_model, k),
            shifted: none.clone(),
            turned: none.clone(),
            off: [none.clone(), none],
            worst: [(0.0, 0, 0); 2],
        }
    }

    /// Compares one slice; false if nothing was left to do.
    fn work(&mut self) -> bool {
        if self.next == self.max_len {
            return false;
        }
        let d = self.pe.d_model();
        let rotation = Rotation::new(&self.pe, self.k);
        let until = (self.next + SLICE.div_ceil(d / 2)).min(self.max_len);
        for position in self.next..until {
            let row = position * self.rows / self.max_len;
            let here = self.pe.row(position as i64);
            let there = self.pe.row(position as i64 + self.k);
            let turned = rotation.apply(&here);
            for pair in 0..d / 2 {
                let single = self.single.off(pair, position as f32);
                for (dimension, single) in [2 * pair, 2 * pair + 1].into_iter().zip(single) {
                    let cell = row * d + dimension;
                    self.shifted[cell] += there[dimension];
                    self.turned[cell] += turned[dimension];
                    let offs = [turned[dimension] - there[dimension], f64::from(single)];
                    for (bits, off) in offs.into_iter().enumerate() {
                        let largest = &mut self.off[bits][cell];
                        if off.abs() > largest.abs() {
                            *largest = off;
                        }
                        if off.abs() > self.worst[bits].0 {
                            self.worst[bits] = (off.abs(), position, dimension);
                        }
                    }
                }
            }
        }
        self.next = until;
        true
    }

    /// Number of positions in a row of the pictures that have been compared.
    fn run(&self, row: usize) -> usize {
        // The first position in a row: ⌈row · max_len / rows⌉.
        let first = |row: usize| (row * self.max_len).div_ceil(self.rows);
        first(row + 1).min(self.next).saturating_sub(first(row))
    }

    /// The exponent of the power of ten that scales the largest difference to 1 … 10: it makes the many smaller
    /// differences visible, and the few beyond 1 have the colour of 1.
    fn exponent(&self, bits: usize) -> i32 {
        match self.worst[bits].0 {
            0.0 => 0,
            worst => (-worst.log10()).ceil() as i32,
        }
    }
}

const HEAD: f64 = 2.9;
const FOOT: f64 = 2.9;
const LEFT: f64 = 4.4;

/// A line of panels: both tables and their difference, then the differences magnified.
const LINES: [usize; 2] = [3, 2];

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 64, |_| (2, 512));
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 200, |_| (1, 5000)).under_more();
    K: i64 = Key::size("k", "offset", "偏移量", 3, |_| (-1000, 1000));
    ROUNDING: bool = Key::toggle("rounding", "Rounding, magnified", "放大看舍入误差", false).under_more();
}

impl Figure for AllPositions {
    const NAME: ViewName = ViewName::AllPositions;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), None];

    fn new(values: &Values, lang: Lang, previous: Option<AllPositions>) -> AllPositions {
        // The last sine of an odd width has no cosine and is left out of M_k: only even widths are used.
        let d_model = values.count(D_MODEL) / 2 * 2;
        let (max_len, k) = (values.count(MAX_LEN), values.get(K));
        let same = |old: &AllPositions| {
            (old.sums.pe.d_model(), old.sums.max_len, old.sums.k) == (d_model, max_len, k)
        };
        let sums = match previous.filter(same) {
            Some(previous) => previous.sums,
            None => {
                let mut sums = Sums::new(d_model, max_len, k);
                sums.work();
                sums
            }
        };
        AllPositions {
            lang,
            sums,
            rounding: values.get(ROUNDING),
        }
    }

    fn work(&mut self) -> bool {
        self.sums.work()
    }

    fn caption(&self) -> String {
        let sums = &self.sums;
        let (len, done) = (whole(sums.max_len as i64), whole(sums.next as i64));
        let [double, single] = sums.worst;
        let (pos, dim) = (whole(single.1 as i64), single.2);
        let (double, single) = (tiny(double.0), tiny(single.0));
        let k = whole(sums.k);
        let mut words = match self.lang {
            Lang::En => format!(
                "The same Mₖ, here k = {k}, takes PE(pos) to PE(pos+k) at every pos. What is left over is rounding: at most {double} in 64-bit floats, {single} in 32-bit floats (the angle pos·ω itself is rounded there; worst at position {pos}, dimension {dim})."
            ),
            Lang::Zh => format!(
                "同一个 Mₖ（此处 k = {k}）在每个位置上都把 PE(pos) 变成 PE(pos+k)。剩下的只是舍入误差：64 位浮点最大 {double}，32 位浮点最大 {single}（那里连角度 pos·ω 本身都被舍入；最大处为位置 {pos}、维度 {dim}）。"
            ),
        };
        if sums.next < sums.max_len {
            words += &match self.lang {
                Lang::En => format!(" {done} of {len} positions compared so far."),
                Lang::Zh => format!("目前已比较 {len} 个位置中的 {done} 个。"),
            };
        }
        words
    }

    fn height(&self, _: f64, theme: &Theme) -> Option<f64> {
        let panel = 170.0 * theme.scale + (HEAD + FOOT) * theme.label_size();
        let lines = 1 + usize::from(self.rounding);
        Some(theme.fitted(lines as f64 * panel, 15.0))
    }

    fn draw(&self, pen: &Pen, context: &DrawContext) {
        let (theme, sums) = (context.theme, &self.sums);
        let size = theme.label_size();
        let panels = self.panels(context);
        let note = |en, zh| Text::new(en, zh).get(self.lang).to_string();
        let difference = note("difference", "差");
        let amplified = |bits: usize, name: String| {
            let factor = power(10.0, sums.exponent(bits));
            format!("{name}, × {factor}")
        };
        let heads = [
            ("PE(pos+k)".into(), note("moved by k", "移动 k")),
            ("Mₖ · PE(pos)".into(), note("rotated by Mₖ", "乘以 Mₖ")),
            (difference.clone(), format!("≤ {}", tiny(sums.worst[0].0))),
            (difference.clone(), amplified(0, note("64-bit", "64 位"))),
            (difference, amplified(1, note("32-bit", "32 位"))),
        ];
        let d = sums.pe.d_model();
        for (i, (&rect, (title, note))) in panels.iter().zip(heads).enumerate() {
            let groups = grouped(&sums.pe, most_columns(context, rect.width));
            let shown = (sums.rows, groups.len());
            if i < 2 {
                let sum = [&sums.shifted, &sums.turned][i];
                cells(pen, context, rect, shown, 1.0, |r, c| {
                    let all: f64 = groups[c].iter().map(|column| sum[r * d + column]).sum();
                    all / (sums.run(r).max(1) * groups[c].len()) as f64
                });
            } else {
                // The first difference in 64 bits has the scale of the tables; then both are magnified.
                let bits = i.saturating_sub(3);
                let most = match i {
                    2 => 1.0,
                    _ => 10f64.powi(-sums.exponent(bits)),
                };
                cells(pen, context, rect, shown, most, |r, c| {
                    let all = groups[c]
                        .iter()
                        .map(|column| sums.off[bits][r * d + column]);
                    all.fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a })
                });
            }
            self.draw_names(pen, context, rect, [&title, &note]);
            if i > 2 && sums.worst[i - 3].0 > 0.0 {
                let (_, position, column) = sums.worst[i - 3];
                let row = position * sums.rows / sums.max_len;
                let at = cell_rect(rect, (sums.rows, d), row, column).centre();
                pen.ring(at, 0.5 * size, theme.wrong, 0.75 * theme.stroke());
            }
            if rect.x < (LEFT + 0.1) * size {
                self.draw_positions(pen, context, rect);
            }
        }
        let at = (
            0.5 * (panels[0].right() + panels[1].x),
            panels[0].centre_y(),
        );
        pen.text(at, "=", TextStyle::new(2.0 * size, theme.ink).bold());
    }

    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let &[d, len, k] = arguments else {
            return None;
        };
        let bits = ["residual64", "residual32"]
            .iter()
            .position(|n| *n == name)?;
        Some(compared(d as usize, len as usize, k as i64).worst[bits].0)
    }
}

impl AllPositions {
    /// Both tables and their difference, and if they are shown, the differences magnified below, or beside if the figure
    /// is low.
    fn panels(&self, context: &DrawContext) -> Vec<Rect> {
        let (frame, size) = (context.frame, context.theme.label_size());
        let lines = &LINES[..1 + usize::from(self.rounding)];
        let all = [lines.iter().sum()];
        let lines = if context.is_low() { &all } else { lines };
        let gap = 2.2 * size;
        let each = frame.height / lines.len() as f64;
        let line = |(line, &count): (usize, &usize)| {
            let room = frame.width - (LEFT + 0.6) * size + gap;
            let width = room / count as f64 - gap;
            let y = line as f64 * each + HEAD * size;
            let high = each - (HEAD + FOOT) * size;
            (0..count).map(move |i| {
                let x = LEFT * size + i as f64 * (width + gap);
                Rect::new(x, y, width, high)
            })
        };
        lines.iter().enumerate().flat_map(line).collect()
    }

    /// Draws the frame of a panel, its two titles and its dimensions.
    fn draw_names(&self, pen: &Pen, context: &DrawContext, rect: Rect, [title, note]: [&str; 2]) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let small = TextStyle::new(size, theme.muted);
        let (bold, middle) = (TextStyle::new(size, theme.ink).bold(), rect.centre_x());
        pen.outline(rect, theme.muted, 0.6, theme.hairline());
        pen.text((middle, rect.y - 2.0 * size), title, bold);
        pen.text((middle, rect.y - 0.8 * size), note, small);
        let last = self.sums.pe.d_model() - 1;
        for (dimension, x, words) in [
            (0, rect.x, small.align_left()),
            (last, rect.right(), small.align_right()),
        ] {
            let at = (x, rect.bottom() + 0.8 * size);
            pen.text(at, &dimension.to_string(), words);
        }
        let at = (middle, rect.bottom() + 2.0 * size);
        pen.text(at, labels::DIMENSION_AXIS.get(self.lang), small);
    }

    /// Draws the first and the last position beside a panel.
    fn draw_positions(&self, pen: &Pen, context: &DrawContext, rect: Rect) {
        let size = context.theme.label_size();
        let small = TextStyle::new(size, context.theme.muted);
        for (row, y) in [
            (0, rect.y + 0.4 * size),
            (self.sums.max_len - 1, rect.bottom() - 0.4 * size),
        ] {
            let at = (rect.x - 0.4 * size, y);
            pen.text(at, &whole(row as i64), small.align_right());
        }
        let at = (rect.x - 3.4 * size, rect.centre_y());
        pen.text(at, labels::POSITION_AXIS.get(self.lang), small.rotated());
    }
}

#[cfg(test)]
fn compared(d_model: usize, max_len: usize, k: i64) -> Sums {
    let mut sums = Sums::new(d_model, max_len, k);
    while sums.work() {}
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_all_that_is_left() {
        // The 32-bit number is NumPy's: float32 throughout, exp, sin and cos rounded from float64.
        let [(double, ..), (single, ..)] = compared(512, 5000, 3).worst;
        assert!(double < 1e-12);
        assert!(
            (single - 4.301_024_600_863_456_7e-4).abs() < 1e-15,
            "{single}"
        );
    }

    #[test]
    fn the_pair_whose_angles_are_whole_numbers_escapes() {
        let sums = compared(512, 5000, 3);
        let worst = |column: usize| {
            let offs = (0..sums.rows).map(|row| sums.off[1][row * 512 + column].abs());
            offs.fold(0.0, f64::max)
        };
        assert!(worst(0) < 1e-6 && worst(1) < 1e-6);
        assert!((2..20).all(|column| worst(column) > 1e-4));
    }

    #[test]
    fn the_wrong_matrix_would_be_seen() {
        let mut sums = Sums::new(8, 10, 3);
        sums.single = Single {
            k: 4.0,
            ..Single::new(8, 3)
        };
        while sums.work() {}
        assert!(sums.worst[1].0 > 0.5);
    }

    #[test]
    fn slices_add_up_to_the_whole() {
        let sums = compared(512, 333, -7);
        assert_eq!(sums.next, 333);
        assert_eq!((0..100).map(|row| sums.run(row)).sum::<usize>(), 333);
        let mean = sums.shifted[99 * 512 + 511] / sums.run(99) as f64;
        assert!((mean - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_language_keeps_what_is_computed() {
        let values = Values::with(AllPositions::FIELDS, "d_model=512 max_len=500");
        let mut first = AllPositions::new(&values, Lang::En, None);
        while first.work() {}
        let second = AllPositions::new(&values, Lang::Zh, Some(first));
        assert_eq!(second.sums.next, 500);
    }
}
