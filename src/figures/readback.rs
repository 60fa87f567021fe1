//! How well a linear decoder reads word and position back from the sum of embedding and encoding, or from the two
//! concatenated, by d_model; and the mean |cos| between the vectors, which explains it.

use crate::draw::chart::Chart;
use crate::draw::{DrawContext, Pen, Rect, Scale, TextStyle, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::readback::{GramMatrix, POSITIONS, Read, RidgeDecoder, Split, WORDS};
use crate::text::markup::Node;
use crate::text::markup::html::p;
use crate::text::number::{fixed, percent, short};
use crate::text::{Lang, Text};
use plotters::style::RGBColor;
use std::f64::consts::SQRT_2;

/// Number of widths (d_model) shown: 4, 8, … 1024.
const WIDTHS: usize = 9;
/// Multiplications in one slice of [`Figure::work`].
const BUDGET: usize = 900_000;
/// Approximate number of multiplications in a step of a fit.
const STEP: usize = 500_000;

/// The width with this index.
fn width(index: usize) -> usize {
    4 << index
}

/// The index of the width that is nearest on a logarithmic scale.
fn nearest(d_model: f64) -> usize {
    let above = |&index: &usize| d_model < SQRT_2 * width(index) as f64;
    (0..WIDTHS).find(above).unwrap_or(WIDTHS - 1)
}

pub struct ReadBack {
    lang: Lang,
    seed: u64,
    shuffled: bool,
    scale: f64,
    scaled: bool,
    selected: usize,
    split: Split,
    /// For the widths 2, 4, … 1024: the concatenation of two halves needs the products of half its width.
    products: Vec<GramMatrix>,
    /// By width: from the sum, and from the concatenation. The results from `done` on are of previous settings.
    reads: [[Option<Read>; 2]; WIDTHS],
    done: usize,
    fit: Option<RidgeDecoder>,
}

impl ReadBack {
    /// Standard deviation of an embedding's components.
    fn deviation(&self, d_model: usize) -> f64 {
        if self.scaled {
            self.scale
        } else {
            self.scale / (d_model as f64).sqrt()
        }
    }

    /// The results at a width for the current settings, from the sum and from the concatenation; `None` until computed.
    fn now(&self, index: usize) -> [Option<Read>; 2] {
        let known = |way: usize| self.reads[index][way].filter(|_| 2 * index + way < self.done);
        [known(0), known(1)]
    }

    /// Does a part of the work; returns its approximate cost in multiplications, or `None` if all is done.
    fn step(&mut self) -> Option<usize> {
        if self.done == 2 * WIDTHS {
            return None;
        }
        let (index, way) = (self.done / 2, self.done % 2);
        // `products[0]` has width 2, so the index for the sum is one higher than that for its halves.
        let needed = index + 1 - way;
        if needed >= self.products.len() {
            let d_model = 2 << self.products.len();
            let products = GramMatrix::new(d_model, self.seed, self.shuffled);
            self.products.push(products);
            return Some(16 * d_model * (WORDS + POSITIONS));
        }
        let deviation = self.deviation(width(index));
        let products = &mut self.products[needed];
        if products.step(BUDGET) {
            return Some(BUDGET);
        }
        let Some(fit) = &mut self.fit else {
            let fit = RidgeDecoder::new(products, &self.split, deviation, way == 0);
            self.fit = Some(fit);
            return Some(2 * STEP);
        };
        if !fit.step() {
            self.reads[index][way] = self.fit.take().map(|fit| fit.read(&self.split));
            self.done += 1;
        }
        Some(STEP)
    }

    fn t(&self, en: &'static str, zh: &'static str) -> &'static str {
        Text::new(en, zh).get(self.lang)
    }
}

/// Draws a dashed line through points given in the chart's values.
fn dashed(pen: &Pen, chart: &Chart, points: &[(f64, f64)], colour: RGBColor, width: f64) {
    for pair in points.windows(2) {
        pen.dashes(chart.at(pair[0]), chart.at(pair[1]), colour, width);
    }
}

fields! {
    SCALED: bool = Key::toggle("scaled", "Embeddings × √d_model", "词嵌入 × √d_model", true);
    SCALE: f64 = Key::real("scale", "Embedding size", "词嵌入的大小", 1.0, (0.01, 4.0), 2);
    SEED: i64 = Key::whole("seed", "Random seed", "随机种子", 7, |_| (1, 99));
    SHUFFLED: bool = Key::toggle(
        "shuffled",
        "Dimensions of all vectors shuffled alike",
        "所有向量的维度按同一顺序打乱",
        false,
    );
    D_MODEL: i64 = Key::whole("d_model", "width", "模型维度", 64, |_| (4, 1024)).without_control();
}

impl Figure for ReadBack {
    const NAME: ViewName = ViewName::ReadBack;
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = [Chart; 2];

    fn new(values: &Values, lang: Lang, previous: Option<ReadBack>) -> ReadBack {
        let (seed, shuffled) = (values.count(SEED) as u64, values.get(SHUFFLED));
        let (scale, scaled) = (values.get(SCALE), values.get(SCALED));
        let mut shown = previous.unwrap_or_else(|| ReadBack {
            lang,
            seed,
            shuffled,
            scale,
            scaled,
            selected: 0,
            split: Split::seeded(seed),
            products: Vec::new(),
            reads: Default::default(),
            done: 0,
            fit: None,
        });
        let other_rows = (shown.seed, shown.shuffled) != (seed, shuffled);
        if other_rows {
            shown.split = Split::seeded(seed);
            shown.products.clear();
        }
        if other_rows || (shown.scale, shown.scaled) != (scale, scaled) {
            shown.done = 0;
            shown.fit = None;
        }
        ReadBack {
            lang,
            seed,
            shuffled,
            scale,
            scaled,
            selected: nearest(values.count(D_MODEL) as f64),
            ..shown
        }
    }

    fn work(&mut self) -> bool {
        let mut spent = 0;
        while spent < BUDGET {
            match self.step() {
                Some(cost) => spent += cost,
                None => return false,
            }
        }
        true
    }

    fn caption(&self) -> String {
        let d = width(self.selected);
        let percent = |share: f64| percent(share, 1);
        let [Some(sum), Some(side)] = self.now(self.selected) else {
            let (done, all) = (self.done, 2 * WIDTHS);
            return match self.lang {
                Lang::En => format!("Fitting the decoders: {done} of {all} done."),
                Lang::Zh => format!("正在拟合解码器：已完成 {done}/{all}。"),
            };
        };
        let [word, position] = [sum.word, sum.position].map(percent);
        let [word_side, position_side] = [side.word, side.position].map(percent);
        let off = fixed(sum.distance, 1);
        let shuffled = match (self.shuffled, self.lang) {
            (false, _) => "",
            (_, Lang::En) => {
                " Shuffling the dimensions of all vectors alike leaves every dot product, and so every number here, as it was."
            }
            (_, Lang::Zh) => "所有向量的维度按同一顺序打乱后，点积不变，这里的每个数也都不变。",
        };
        match self.lang {
            Lang::En => format!(
                "At d_model = {d} a linear decoder reads the word from the sum in {word} of the combinations it has not seen, and the position in {position}, off by {off} positions on average. From two halves side by side it is {word_side} and {position_side}.{shuffled}"
            ),
            Lang::Zh => format!(
                "d_model = {d} 时，在没见过的组合上，线性解码器从和中读对词的比例为 {word}，读对位置的比例为 {position}，位置平均差 {off} 个。改为各占一半维数拼接时，分别为 {word_side} 与 {position_side}。{shuffled}"
            ),
        }
    }

    fn more(&self) -> Option<Node> {
        let (d, seed) = (width(self.selected), self.seed);
        let products = self.products.get(self.selected + 1)?;
        if !products.ready() {
            return None;
        }
        let [words, mixed] = products.cosines().map(|mean| fixed(mean, 3));
        let root = fixed(1.0 / (d as f64).sqrt(), 3);
        let [word, row, sum] = products.norms(self.deviation(d)).map(|norm| short(norm, 3));
        Some(p(match self.lang {
            Lang::En => format!(
                "Mean |cos| at d_model = {d}: {words} between two words, {mixed} between a word and a row of PE; 1/√d_model = {root}. Mean norms: word {word}, row of PE {row}, their sum {sum}. Adding moves a vector; a rotation would have kept its norm. {WORDS} words with random embeddings (seed {seed}) at {POSITIONS} positions; a random quarter of the combinations is kept from the decoder."
            ),
            Lang::Zh => format!(
                "d_model = {d} 时的平均 |cos|：两个词之间 {words}，词与 PE 的一行之间 {mixed}；1/√d_model = {root}。平均范数：词 {word}，PE 的一行 {row}，两者之和 {sum}。相加是平移；若是旋转，范数不会变。共 {WORDS} 个词（词嵌入随机，种子 {seed}）、{POSITIONS} 个位置；随机抽出的四分之一组合不给解码器看。"
            ),
        })
        .class("note"))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let beside = width >= 600.0 * theme.scale;
        Some(theme.fitted(if beside { 468.0 } else { 520.0 } * theme.scale, 16.0))
    }

    fn layout(&self, context: &DrawContext) -> [Chart; 2] {
        let all = Rect::all(context.frame);
        let size = context.theme.label_size();
        let legend = 3.2 * size;
        let beside = all.width >= 600.0 * context.theme.scale;
        let (first, second) = if beside {
            all.split_left((0.56 * all.width).round())
        } else {
            all.split_top((0.52 * all.height).round())
        };
        let below = |room: Rect| room.split_top(legend).1;
        let widths = Scale::octaves(3.6, 1140.0);
        [
            Chart::new(context, below(first), widths, Scale::linear(0.0, 105.0)),
            Chart::new(context, below(second), widths, Scale::log(0.01, 1.0)),
        ]
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, charts: &[Chart; 2]) {
        let theme = context.theme;
        let (size, stroke) = (theme.label_size(), theme.stroke());
        let [shares, angles] = charts;
        let across = self.t("d_model", "d_model");
        let read = self.t("read correctly, %", "读对的比例，%");
        shares.axes(pen, context, [read, across]);
        angles.axes(pen, context, [self.t("mean |cos|", "平均 |cos|"), across]);
        let here = width(self.selected) as f64;
        for chart in [&shares, &angles] {
            let (x, plot) = (chart.x.pixel(here), chart.plot);
            pen.dashes((x, plot.bottom()), (x, plot.y), theme.rule, 1.5 * stroke);
        }

        let colours = [theme.series[1], theme.series[0]];
        for (which, colour) in colours.into_iter().enumerate() {
            for way in [1, 0] {
                let points: Vec<(f64, f64)> = (0..WIDTHS)
                    .filter_map(|index| {
                        let read = self.reads[index][way]?;
                        let share = [read.word, read.position][which];
                        Some((width(index) as f64, 100.0 * share))
                    })
                    .collect();
                let fresh = (0..WIDTHS).filter(|i| self.now(*i)[way].is_some()).count();
                let fresh = &points[..fresh.min(points.len())];
                // Results of the previous settings, until they are recomputed.
                shares.curve(pen, points.iter().copied(), theme.rule, 0.5 * stroke);
                if way == 0 {
                    shares.curve(pen, fresh.iter().copied(), colour, stroke);
                    shares.dots(pen, fresh.iter().copied(), colour, 1.5 * stroke);
                } else {
                    dashed(pen, shares, fresh, colour, 0.6 * stroke);
                }
            }
        }

        let root: Vec<(f64, f64)> = [4.0f64, 1024.0].map(|d| (d, 1.0 / d.sqrt())).into();
        dashed(pen, angles, &root, theme.muted, 0.6 * stroke);
        let ready = self.products.iter().skip(1).filter(|p| p.ready());
        let cosines: Vec<(f64, [f64; 2])> = ready
            .map(|products| (products.d_model as f64, products.cosines()))
            .collect();
        let cosine_colours = [theme.series[1], theme.series[2]];
        for (which, colour) in cosine_colours.into_iter().enumerate() {
            let points = cosines.iter().map(|(d, means)| (*d, means[which]));
            angles.curve(pen, points.clone(), colour, 0.75 * stroke);
            angles.dots(pen, points, colour, (1.6 - 0.5 * which as f64) * stroke);
        }

        let name = |at: (f64, f64), text: &str, colour: RGBColor| {
            pen.text(at, text, TextStyle::new(size, colour).align_left().bold());
        };
        let top = |chart: &Chart, row: f64| chart.plot.y - (2.6 - 1.5 * row) * size;
        let left = shares.plot.x - 3.0 * size;
        name(
            (left, top(shares, 0.0)),
            self.t("Word", "词"),
            theme.series[1],
        );
        name(
            (left + 4.5 * size, top(shares, 0.0)),
            self.t("Position", "位置"),
            theme.series[0],
        );
        let line = |x: f64, y: f64| [(x, y), (x + 2.0 * size, y)];
        let y = top(shares, 1.0);
        pen.line(&line(left, y), theme.muted, stroke);
        let plain = TextStyle::new(size, theme.muted).align_left();
        pen.text((left + 2.4 * size, y), self.t("added", "相加"), plain);
        let [from, to] = line(left + 7.0 * size, y);
        pen.dashes(from, to, theme.muted, 0.6 * stroke);
        let side = self.t("side by side, half the width each", "拼接，各占一半维数");
        pen.text((to.0 + 0.4 * size, y), side, plain);

        let left = angles.plot.x - 3.0 * size;
        let two_words = self.t("Two words", "两个词");
        name((left, top(angles, 0.0)), two_words, theme.series[1]);
        let mixed = self.t("Word and row of PE", "词与 PE 的一行");
        name(
            (left + 7.0 * size, top(angles, 0.0)),
            mixed,
            theme.series[2],
        );
        let y = top(angles, 1.0);
        let [from, to] = line(left, y);
        pen.dashes(from, to, theme.muted, 0.6 * stroke);
        pen.text((to.0 + 0.4 * size, y), "1/√d_model", plain);
    }

    fn handles(&self, _: &DrawContext, charts: &[Chart; 2]) -> Vec<Handle> {
        let widths: Vec<f64> = (0..WIDTHS).map(|index| width(index) as f64).collect();
        let along = |chart: Chart| {
            let nearest = Mapping::Nearest(chart.x, widths.clone());
            Handle::plot(chart.plot).sets(D_MODEL, nearest)
        };
        charts.map(along).into()
    }

    fn key(&self, key: &str, _: bool, values: &mut Values) -> bool {
        let index = match key {
            "ArrowLeft" => self.selected.saturating_sub(1),
            "ArrowRight" => (self.selected + 1).min(WIDTHS - 1),
            "Home" => 0,
            "End" => WIDTHS - 1,
            _ => return false,
        };
        values.set_to(D_MODEL, width(index) as i64);
        true
    }

    /// Results with the default settings: the shares read correctly from the sum, `read_word(d)` and `read_position(d)`, and
    /// the mean distance `read_distance(d)`; the shares from the concatenation, `read_word_beside(d)` and
    /// `read_position_beside(d)`; and from the sum with unscaled embeddings, `read_word_unscaled(d)` and
    /// `read_position_unscaled(d)`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        use std::sync::LazyLock;
        static SHOWN: LazyLock<[[[Option<Read>; 2]; WIDTHS]; 2]> = LazyLock::new(|| {
            ["on", "off"].map(|scaled| {
                let mut values = Values::new(ReadBack::FIELDS);
                values.set("scaled", scaled);
                let mut shown = ReadBack::new(&values, Lang::En, None);
                while shown.work() {}
                shown.reads
            })
        });
        let &[d] = arguments else { return None };
        let index = (d / 4.0).log2() as usize;
        let read = |scaled: usize, way: usize| SHOWN[scaled].get(index)?[way];
        Some(match name {
            "read_word" => read(0, 0)?.word,
            "read_position" => read(0, 0)?.position,
            "read_distance" => read(0, 0)?.distance,
            "read_word_beside" => read(0, 1)?.word,
            "read_position_beside" => read(0, 1)?.position,
            "read_word_unscaled" => read(1, 0)?.word,
            "read_position_unscaled" => read(1, 0)?.position,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(name: &str, d: f64) -> f64 {
        ReadBack::lesson_number(name, &[d]).unwrap()
    }

    fn done(set: &[(&str, &str)], previous: Option<ReadBack>) -> ReadBack {
        let mut values = Values::new(ReadBack::FIELDS);
        for (name, text) in set {
            assert_eq!(values.set(name, text), None);
        }
        let mut shown = ReadBack::new(&values, Lang::En, previous);
        while shown.work() {}
        shown
    }

    /// The ranges over six seeds of the same experiment in NumPy, `tests/reference/readback.py`, somewhat widened.
    #[test]
    fn a_wide_sum_keeps_the_word_and_nearly_the_position() {
        for (d, word, position, distance) in [
            (4.0, 0.17..0.29, 0.00..0.05, 18.0..24.0),
            (16.0, 0.89..0.99, 0.07..0.17, 9.0..13.0),
            (64.0, 0.99..1.01, 0.34..0.46, 0.5..0.8),
            (128.0, 0.99..1.01, 0.75..0.92, 0.08..0.25),
            (512.0, 0.99..1.01, 0.85..1.00, 0.0..0.15),
            (1024.0, 0.99..1.01, 0.85..1.00, 0.0..0.15),
        ] {
            let found = ["read_word", "read_position", "read_distance"].map(|name| number(name, d));
            assert!(word.contains(&found[0]), "{d}: {found:?}");
            assert!(position.contains(&found[1]), "{d}: {found:?}");
            assert!(distance.contains(&found[2]), "{d}: {found:?}");
        }
        // What is wrong in a wide sum is wrong by one position.
        let wrong = 1.0 - number("read_position", 128.0);
        assert!((wrong - number("read_distance", 128.0)).abs() < 0.02);
    }

    #[test]
    fn side_by_side_the_word_gives_up_half_its_room() {
        assert!((0.58..0.80).contains(&number("read_word_beside", 16.0)));
        assert!((0.47..0.66).contains(&number("read_position_beside", 16.0)));
        assert!((0.82..1.00).contains(&number("read_position_beside", 512.0)));
    }

    #[test]
    fn words_as_large_as_the_encoding_hide_positions_in_narrow_sums() {
        assert!((0.70..0.94).contains(&number("read_word_unscaled", 16.0)));
        assert!((0.56..0.70).contains(&number("read_position_unscaled", 16.0)));
        assert!((0.55..0.70).contains(&number("read_position_unscaled", 64.0)));
        let [scaled, unscaled] = ["read_position", "read_position_unscaled"];
        assert!((number(scaled, 128.0) - number(unscaled, 128.0)).abs() < 0.03);
    }

    #[test]
    fn every_seed_tells_the_same() {
        for seed in ["1", "42", "99"] {
            let shown = done(&[("seed", seed)], None);
            let [Some(narrow), _] = shown.now(2) else {
                panic!("computed");
            };
            assert!((0.88..1.0).contains(&narrow.word), "{narrow:?}");
            for wide in 5..WIDTHS {
                let [Some(sum), _] = shown.now(wide) else {
                    panic!("computed");
                };
                assert!(
                    sum.word == 1.0 && sum.position > 0.74 && sum.distance < 0.27,
                    "{seed}: {sum:?}"
                );
            }
        }
    }

    #[test]
    fn work_outlasts_what_does_not_concern_it() {
        let shown = done(&[], None);
        let reads = shown.reads;
        let mut values = Values::new(ReadBack::FIELDS);
        values.set("d_model", "512");
        let mut next = ReadBack::new(&values, Lang::Zh, Some(shown));
        assert_eq!((next.reads, next.selected), (reads, 7));
        assert!(!next.work());
        values.set("scale", "2");
        let rescaled = ReadBack::new(&values, Lang::Zh, Some(next));
        assert_eq!((rescaled.done, rescaled.products.len()), (0, WIDTHS + 1));
    }

    #[test]
    fn the_same_in_any_order_of_channels() {
        let [plain, shuffled] = ["off", "on"].map(|on| done(&[("shuffled", on)], None));
        for (plain, shuffled) in plain.reads.iter().zip(&shuffled.reads) {
            let [Some(plain), _] = plain else {
                panic!("computed")
            };
            let [Some(shuffled), _] = shuffled else {
                panic!("computed")
            };
            assert!((plain.word - shuffled.word).abs() < 0.005);
            assert!((plain.position - shuffled.position).abs() < 0.01);
        }
    }
}
