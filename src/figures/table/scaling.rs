//! The norm of the encoding against that of the embedding it is added to, with and without the factor √d_model.

use crate::draw::chart::Chart;
use crate::draw::text_style::{tag_width, text_width};
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle};
use crate::math::random::Normals;
use crate::text::Lang;
use crate::text::number::short;
use std::f64::consts::LN_2;

/// Seed of the random embeddings.
const SEED: u64 = 1;
/// Widths 2¹ … 2¹² are measured.
const OCTAVES: i64 = 12;

pub struct Scaling {
    lang: Lang,
    d_model: usize,
    start: Start,
    scaled: bool,
    /// The norm of a seeded embedding of d_model dimensions; `norms` has one for each measured width, as (width, norm).
    norm: f64,
    norms: Vec<(f64, f64)>,
}

choices! {
    /// The initial standard deviation of embeddings.
    enum Start {
        /// 1/√d_model.
        Root "root" "1/√d_model" "1/√d_model";
        Small "0.02" "0.02" "0.02";
        One "1" "1" "1";
    }
}

impl Start {
    fn deviation(self, d_model: f64) -> f64 {
        match self {
            Start::Root => d_model.sqrt().recip(),
            Start::Small => 0.02,
            Start::One => 1.0,
        }
    }

    /// Returns the root mean square of an embedding's norm.
    fn norm(self, d_model: f64) -> f64 {
        self.deviation(d_model) * d_model.sqrt()
    }
}

/// Returns ‖PE(pos)‖, the same at every position since each pair is a point of the unit circle.
fn encoding(d_model: f64) -> f64 {
    (d_model / 2.0).sqrt()
}

fn measured(start: Start, d_model: usize) -> f64 {
    let deviation = start.deviation(d_model as f64);
    let squares = Normals::seeded(SEED).take(d_model).map(|x| x * x);
    deviation * squares.sum::<f64>().sqrt()
}

impl Scaling {
    fn factor(&self, d_model: f64) -> f64 {
        if self.scaled { d_model.sqrt() } else { 1.0 }
    }

    /// Returns the norm of the seeded embedding as it is added, scaled if the factor is on.
    fn embedding(&self) -> f64 {
        self.norm * self.factor(self.d_model as f64)
    }

    fn chart(&self, context: &DrawContext) -> Chart {
        let room = Rect::all(context.frame);
        Chart::new(
            context,
            room,
            Scale::log(2.0, 4096.0),
            Scale::log(0.02, 6000.0),
        )
    }
}

fields! {
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 512, |_| (2, 1 << OCTAVES));
    START: Start = Key::choice("start", "initial deviation", "初始标准差").under_more();
    SCALED: bool = Key::toggle("scaled", "scale by √d_model", "乘以 √d_model", false);
}

impl Figure for Scaling {
    const NAME: ViewName = ViewName::Scaling;
    const FIELDS: &'static [Field] = FIELDS;

    fn new(values: &Values, lang: Lang, _: Option<Scaling>) -> Scaling {
        let start = values.get(START);
        let norms = (1..=OCTAVES).map(|octave| 1 << octave);
        let d_model = values.count(D_MODEL);
        Scaling {
            lang,
            d_model,
            start,
            scaled: values.get(SCALED),
            norm: measured(start, d_model),
            norms: norms
                .map(|d: usize| (d as f64, measured(start, d)))
                .collect(),
        }
    }

    fn caption(&self) -> String {
        let d = self.d_model;
        let (code, word) = (encoding(d as f64), self.embedding());
        let (more, less) = (code.max(word) / code.min(word), code > word);
        let expected = self.start.norm(d as f64) * self.factor(d as f64);
        let [code, word, expected, more] = [code, word, expected, more].map(|v| short(v, 3));
        let root = short((d as f64).sqrt(), 4);
        // With an odd width, the last sine has no cosine, so the norm varies with the position.
        let about = match self.lang {
            _ if d.is_multiple_of(2) => "",
            Lang::En => "about ",
            Lang::Zh => "约",
        };
        let is = if d.isqrt().pow(2) == d { "=" } else { "≈" };
        match self.lang {
            Lang::En => {
                let by = if self.scaled {
                    format!(" after multiplication by √{d} {is} {root}")
                } else {
                    String::new()
                };
                let (large, small) = if less {
                    ("encoding", "embedding")
                } else {
                    ("embedding", "encoding")
                };
                format!(
                    "At d_model = {d} the encoding of every position has norm {about}{code}, this random embedding (seed {SEED}) norm {word}{by}; {expected} is expected. The {large} is {more} times as large as the {small}."
                )
            }
            Lang::Zh => {
                let by = if self.scaled {
                    format!("（已乘以 √{d} {is} {root}）")
                } else {
                    String::new()
                };
                let (large, small) = if less {
                    ("位置编码", "词嵌入")
                } else {
                    ("词嵌入", "位置编码")
                };
                format!(
                    "d_model = {d} 时，任何位置的编码范数都是{about} {code}，这个随机词嵌入（种子 {SEED}）的范数是 {word}{by}，期望约为 {expected}。{large}的范数是{small}的 {more} 倍。"
                )
            }
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.6 * width).clamp(260.0, 410.0) * theme.scale, 14.0))
    }

    fn draw(&self, pen: &Pen, context: &DrawContext) {
        let (theme, chart) = (context.theme, self.chart(context));
        let (size, stroke) = (theme.label_size(), theme.stroke());
        let titles = match self.lang {
            Lang::En => ["norm", "d_model"],
            Lang::Zh => ["范数", "d_model"],
        };
        chart.axes(pen, context, titles);
        // Powers of two by `exp`: `exp2` would add its 4 KB table to the binary for this line alone.
        let widths = || (0..=44).map(|i| (LN_2 * (1.0 + f64::from(i) / 4.0)).exp());
        let line = |factor: &dyn Fn(f64) -> f64| {
            let curve = widths().map(|d| (d, self.start.norm(d) * factor(d)));
            curve.collect::<Vec<_>>()
        };
        // The embedding without the factor, for comparison.
        if self.scaled {
            let ghost = line(&|_| 1.0);
            chart.curve(pen, ghost, theme.muted, 0.5 * stroke);
        }
        chart.curve(pen, line(&|d| self.factor(d)), theme.series[1], stroke);
        let dots = self
            .norms
            .iter()
            .map(|&(d, norm)| (d, norm * self.factor(d)));
        chart.dots(pen, dots, theme.series[1], 1.5 * stroke);
        let codes = widths().map(|d| (d, encoding(d)));
        chart.curve(pen, codes, theme.series[0], 1.25 * stroke);
        let d = self.d_model as f64;
        chart.upright(pen, context, d, "", theme.here);
        let (code, word) = ((d, encoding(d)), (d, self.embedding()));
        for (at, colour) in [(code, theme.series[0]), (word, theme.series[1])] {
            chart.dots(pen, [at], colour, 2.5 * stroke);
        }
        // The numbers are beside the vertical line, one above the higher dot and one below the lower.
        let (high, low) = if code.1 > word.1 {
            ((code, theme.series[0]), (word, theme.series[1]))
        } else {
            ((word, theme.series[1]), (code, theme.series[0]))
        };
        for ((at, colour), side) in [(high, -1.0), (low, 1.0)] {
            let (x, y) = chart.at(at);
            let number = short(at.1, 3);
            let width = tag_width(&number, size);
            let right = chart.plot.right() - width / 2.0;
            let x = (x + width / 2.0 + 0.7 * size).min(right);
            pen.tag(
                (x, y + side * 1.3 * size),
                &number,
                size,
                colour,
                theme.panel,
            );
        }
        let names = match self.lang {
            Lang::En => [
                "encoding, √(d_model/2)",
                "embedding",
                "embedding × √d_model",
                "embedding without the factor",
            ],
            Lang::Zh => [
                "位置编码，√(d_model/2)",
                "词嵌入",
                "词嵌入 × √d_model",
                "未乘系数的词嵌入",
            ],
        };
        let mut legend = vec![(names[0], theme.series[0])];
        legend.push((names[1 + usize::from(self.scaled)], theme.series[1]));
        if self.scaled {
            legend.push((names[3], theme.muted));
        }
        for (row, (name, colour)) in legend.into_iter().enumerate() {
            let (x, y) = (chart.plot.x + 0.6 * size, chart.plot.y + size);
            let y = y + 1.35 * row as f64 * size;
            let behind = Rect::new(
                x - 0.3 * size,
                y - 0.65 * size,
                1.1 * text_width(name, size) + 0.6 * size,
                1.3 * size,
            );
            pen.fill(behind, theme.panel, 1.0);
            let style = TextStyle::new(size, colour).align_left().bold();
            pen.text((x, y), name, style);
        }
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        vec![Handle::along_x(&self.chart(context), D_MODEL)]
    }

    /// Left and right go to the next power of two.
    fn key(&self, key: &str, _: bool, values: &mut Values) -> bool {
        let octave = self.d_model.ilog2();
        let d_model = match key {
            "ArrowLeft" if self.d_model.is_power_of_two() => 1 << (octave - 1),
            "ArrowLeft" => 1 << octave,
            "ArrowRight" => 1 << (octave + 1),
            "Home" => 2,
            "End" => 1 << OCTAVES,
            _ => return false,
        };
        values.set_to(D_MODEL, d_model);
        true
    }

    /// `embedding_norm(start, d_model)`: the root mean square norm of an embedding whose standard deviation is `start`, or
    /// 1/√d_model for 0; `scaled_norm(start, d_model)`: the same times √d_model.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let start = |deviation: f64| match deviation {
            0.0 => Start::Root,
            0.02 => Start::Small,
            _ => Start::One,
        };
        match (name, arguments) {
            ("embedding_norm", &[deviation, d]) => Some(start(deviation).norm(d)),
            ("scaled_norm", &[deviation, d]) => Some(d.sqrt() * start(deviation).norm(d)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;
    use posenc_encoding::{Layout, Sinusoidal};

    fn with(settings: &[(&str, &str)]) -> Scaling {
        let mut values = Values::new(Scaling::FIELDS);
        for (name, text) in settings {
            assert_eq!(values.set(name, text), None);
        }
        Scaling::new(&values, Lang::En, None)
    }

    #[test]
    fn every_position_is_as_long_as_the_curve_says() {
        for d in [2, 64, 512] {
            let pe = Sinusoidal::new(d, 10_000.0, Layout::Interleaved);
            for pos in [0, 1, 49, 4999] {
                let squares = (0..d).map(|i| pe.value(pos, i).powi(2));
                assert_close(squares.sum::<f64>().sqrt(), encoding(d as f64), 1e-12);
            }
        }
        assert_eq!(encoding(512.0), 16.0);
    }

    #[test]
    fn measured_embeddings_are_about_as_long_as_expected() {
        // The norm of n normal numbers has a relative standard deviation of about 1/√(2n).
        for start in ["root", "0.02", "1"] {
            let figure = with(&[("start", start)]);
            for &(d, norm) in figure.norms.iter().filter(|(d, _)| *d >= 64.0) {
                let ratio = norm / figure.start.norm(d);
                assert_close(ratio, 1.0, 4.0 / (2.0 * d).sqrt());
            }
        }
    }

    #[test]
    fn the_factor_brings_embedding_and_encoding_together_if_they_start_short() {
        let ratio = |settings: &[(&str, &str)]| {
            let figure = with(settings);
            encoding(figure.d_model as f64) / figure.embedding()
        };
        for d in ["64", "512", "4096"] {
            let bare = ratio(&[("d_model", d)]);
            let scaled = ratio(&[("d_model", d), ("scaled", "on")]);
            // Without: √(d/2). With: √(d/2) / √d = 1/√2, whatever d is.
            assert!(
                bare > 4.5 && (0.6..0.85).contains(&scaled),
                "{bare} {scaled}"
            );
        }
        // The norm of embeddings of standard deviation 1 is large even without the factor.
        assert!(ratio(&[("start", "1"), ("scaled", "on")]) < 0.05);
    }

    #[test]
    fn keys_go_from_octave_to_octave() {
        let mut values = Values::new(Scaling::FIELDS);
        values.set("d_model", "100");
        for (key, d_model) in [
            ("ArrowLeft", 64),
            ("ArrowLeft", 32),
            ("ArrowRight", 64),
            ("End", 4096),
            ("ArrowRight", 4096),
            ("Home", 2),
            ("ArrowLeft", 2),
        ] {
            let figure = Scaling::new(&values, Lang::En, None);
            assert!(figure.key(key, false, &mut values));
            assert_eq!(values.get(D_MODEL), d_model);
        }
    }
}
