//! Adding the encoding's pair to two components of an embedding changes their length; rotating them by the position's
//! angle (RoPE) keeps it. A second picture shows the logits of rotated queries and keys against the offset: for queries
//! and keys of ones they fall, for random ones their mean is about zero at every offset.

use crate::draw::chart::Chart;
use crate::draw::dial;
use crate::draw::pen::arc;
use crate::draw::text_style::tag_width;
use crate::draw::{Circle, DrawContext, Pen, Point, Rect, Scale, TextStyle, Theme, Vec2};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::Clamp;
use crate::math::random::Normals;
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text, labels};
use plotters::style::RGBColor;
use posenc_encoding::{Layout, Sinusoidal};
use std::f64::consts::TAU;

/// Two components of an embedding, on the axes of the pair's cosine and sine.
const WORD: Vec2 = Vec2::new(1.8, 0.7);
/// d_model of the encoding whose pairs are shown, and dimension of an attention head.
const D_MODEL: usize = 16;
const HEAD: usize = 64;
const OFFSETS: usize = 257;
const SAMPLES: usize = 1000;
/// Number of samples drawn individually.
const SINGLE: usize = 6;
const SEED: u64 = 1;
const LAST: i64 = 62;

const COSINE_AXIS: Text = Text::new("first number, cosine added", "第一个分量（加余弦）");
const SINE_AXIS: Text = Text::new("second number, sine added", "第二个分量（加正弦）");
const WORD_NAME: Text = Text::new("word", "词");
const ADDED: Text = Text::new("added", "相加");
const TURNED: Text = Text::new("rotated", "旋转");
const DISTANCE: Text = Text::new("offset, positions", "偏移量（位置数）");

pub struct PairTurn {
    lang: Lang,
    pos: i64,
    pair: usize,
    pe: Sinusoidal,
    /// Computed when they are first shown.
    logits: Option<Logits>,
    decay: bool,
}

/// Logits of rotated queries and keys by offset.
struct Logits {
    ones: Vec<f64>,
    mean: Vec<f64>,
    single: Vec<Vec<f64>>,
}

impl Logits {
    /// For q and k of ones, and for seeded normal q and k. Rotated to the positions m and n, a pair of q and k
    /// contributes (q·k)·cos((m−n)ω) + (q×k)·sin((m−n)ω). This is linear in q·k and q×k, so their means can be taken
    /// before rotating.
    fn new() -> Logits {
        let pe = Sinusoidal::new(HEAD, 10_000.0, Layout::Interleaved);
        let turns: Vec<Vec<(f64, f64)>> = (0..OFFSETS)
            .map(|offset| {
                let turn = |pair| pe.sin_cos_at(pair, offset as f64);
                (0..HEAD / 2).map(turn).collect()
            })
            .collect();
        let over = |parts: &[(f64, f64)]| -> Vec<f64> {
            let logit = |turns: &Vec<(f64, f64)>| {
                let terms = turns.iter().zip(parts);
                let sum: f64 = terms
                    .map(|((sin, cos), (dot, cross))| dot * cos + cross * sin)
                    .sum();
                sum / (HEAD as f64).sqrt()
            };
            turns.iter().map(logit).collect()
        };
        let mut normals = Normals::seeded(SEED);
        let mut mean = vec![(0.0, 0.0); HEAD / 2];
        let mut single = Vec::new();
        for sample in 0..SAMPLES {
            let mut next = || normals.next().unwrap_or_default();
            let parts: Vec<(f64, f64)> = (0..HEAD / 2)
                .map(|_| {
                    let [a, b, c, d] = [next(), next(), next(), next()];
                    (a * c + b * d, a * d - b * c)
                })
                .collect();
            for (mean, part) in mean.iter_mut().zip(&parts) {
                mean.0 += part.0 / SAMPLES as f64;
                mean.1 += part.1 / SAMPLES as f64;
            }
            if sample < SINGLE {
                single.push(over(&parts));
            }
        }
        Logits {
            ones: over(&[(2.0, 0.0); HEAD / 2]),
            mean: over(&mean),
            single,
        }
    }

    /// The largest absolute mean of the random logits over all offsets.
    fn farthest(&self) -> f64 {
        self.mean
            .iter()
            .fold(0.0, |most: f64, mean| most.max(mean.abs()))
    }
}

impl PairTurn {
    fn shown_logits(&self) -> Option<&Logits> {
        self.logits.as_ref().filter(|_| self.decay)
    }

    /// The word's two components after adding the pair, cosine to the first and sine to the second.
    fn added(&self) -> Vec2 {
        let (sin, cos) = self.pe.sin_cos(self.pair, self.pos);
        WORD + Vec2::new(cos, sin)
    }

    /// The word's two components rotated by pos·ω.
    fn turned(&self) -> Vec2 {
        let (sin, cos) = self.pe.sin_cos(self.pair, self.pos);
        WORD.rotate_scale(Vec2::new(cos, sin))
    }

    /// The unit circle of the plane.
    fn plane(&self, context: &DrawContext) -> Circle {
        let size = context.theme.label_size();
        let (width, height) = (context.frame.width, context.frame.height);
        // The plane extends by the word's length to the left, up and down, and by a unit beyond the word to the right.
        let reach = WORD.hypot();
        let (across, up) = (reach + WORD.x + 1.0, reach + reach);
        let unit = ((width - 4.0 * size) / across).min((height - 3.4 * size) / up);
        let left = (width - unit * across) / 2.0;
        Circle {
            centre: Point::new(left + unit * reach, size + unit * reach),
            radius: unit,
        }
    }

    fn draw_plane(&self, pen: &Pen, context: &DrawContext) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let plane = self.plane(context);
        let (origin, unit) = (plane.centre, plane.radius);
        let at = |it: Vec2| plane.point(it.y, it.x);
        let length = WORD.hypot();
        let across = [-length - 0.15, WORD.x + 1.15];
        let [left, right] = across.map(|x| plane.point(0.0, x));
        let [down, up] = [-length - 0.1, length + 0.1].map(|y| plane.point(y, 0.0));
        pen.line(&[left, right], theme.rule, theme.hairline());
        pen.line(&[down, up], theme.rule, theme.hairline());
        let muted = TextStyle::new(size, theme.muted);
        pen.text(
            (right.x, context.frame.height - 0.9 * size),
            COSINE_AXIS.get(self.lang),
            muted.align_right(),
        );
        pen.text(
            (up.x - 0.8 * size - unit * length, origin.y),
            SINE_AXIS.get(self.lang),
            muted.rotated(),
        );
        let circle = |centre, radius: f64| arc(at(centre), |_| unit * radius, 0.0, TAU);
        let width = 0.7 * theme.stroke();
        pen.faint_line(&circle(WORD, 1.0), theme.accent, 0.6, width);
        pen.faint_line(&circle(Vec2::ZERO, length), theme.there, 0.6, width);
        let (added, turned) = (self.added(), self.turned());
        pen.dashes(at(WORD), at(added), theme.accent, width);
        let tips = [
            (turned, theme.there, TURNED),
            (added, theme.accent, ADDED),
            (WORD, theme.here, WORD_NAME),
        ];
        let word = Circle {
            centre: origin,
            radius: unit * length,
        };
        let turn = (
            WORD.y.atan2(WORD.x),
            self.pos as f64 * self.pe.frequency(self.pair),
        );
        dial::turn(pen, theme, word, 0.4, turn, theme.there);
        for (tip, colour, _) in tips {
            pen.arrow(origin, at(tip), colour, 1.3 * theme.stroke());
        }
        let mut taken: Vec<Point> = Vec::new();
        for (tip, colour, name) in tips.into_iter().rev() {
            let words = format!("{} {}", name.get(self.lang), fixed(tip.hypot(), 2));
            let mut place = at(tip);
            // Beside the ring of the tip.
            let away = tag_width(&words, size) / 2.0 + 0.9 * size;
            place.x += if tip.x < WORD.x - 0.5 { -away } else { away };
            place.y -= size * if tip.y < 0.0 { -0.9 } else { 0.9 };
            while taken.iter().any(|old| {
                let apart = place - *old;
                apart.x.abs() < 7.5 * size && apart.y.abs() < 1.45 * size
            }) {
                place.y += 0.3 * size;
            }
            taken.push(place);
            self.name(pen, context, place, &words, colour);
        }
    }

    fn name(&self, pen: &Pen, context: &DrawContext, at: Point, words: &str, colour: RGBColor) {
        let size = context.theme.label_size();
        let half = tag_width(words, size) / 2.0;
        let x = at.x.clamped(half, (context.frame.width - half).max(half));
        let y = at.y.max(0.8 * size);
        pen.tag((x, y), words, size, colour, context.theme.panel);
    }

    fn chart(&self, context: &DrawContext) -> Chart {
        let area = Rect::all(context.frame);
        Chart::new(
            context,
            area,
            Scale::linear(0.0, OFFSETS as f64 - 1.0),
            Scale::linear(-3.5, 8.5),
        )
    }

    fn draw_decay(&self, pen: &Pen, context: &DrawContext, logits: &Logits) {
        let (theme, chart) = (context.theme, self.chart(context));
        let size = theme.label_size();
        chart.axes(
            pen,
            context,
            self.lang.texts([labels::LOGIT_AXIS, DISTANCE]),
        );
        fn curve(values: &[f64]) -> impl Iterator<Item = (f64, f64)> {
            let numbered = values.iter().enumerate();
            numbered.map(|(offset, value)| (offset as f64, *value))
        }
        for single in &logits.single {
            let points: Vec<_> = curve(single).map(|point| chart.at(point)).collect();
            pen.faint_line(&points, theme.muted, 0.35, 0.5 * theme.stroke());
        }
        chart.curve(pen, curve(&logits.ones), theme.accent, theme.stroke());
        chart.curve(pen, curve(&logits.mean), theme.there, 1.4 * theme.stroke());
        let (ones, single, mean) = match self.lang {
            Lang::En => (
                "q and k all ones".to_string(),
                format!("{SINGLE} of the random q, k, one by one"),
                format!("mean of {SAMPLES} random q, k"),
            ),
            Lang::Zh => (
                "q 和 k 全为 1".to_string(),
                format!("随机 q、k 中的 {SINGLE} 组，逐组画出"),
                format!("{SAMPLES} 组随机 q、k 的均值"),
            ),
        };
        let names = [
            (ones, theme.accent),
            (mean, theme.there),
            (single, theme.muted),
        ];
        for (line, (words, colour)) in names.iter().enumerate() {
            chart.name(pen, line, words, (size, *colour));
        }
    }
}

choices! {
    enum Show {
        Pair "pair" "Two numbers" "两个分量";
        Decay "decay" "Logits" "注意力分数";
    }
}

fields! {
    SHOW: Show = Key::choice("show", "Show", "显示");
    POS: i64 = Key::whole("pos", "position", "位置", 4, |_| (0, LAST));
    PAIR: i64 = Key::whole("pair", "index i", "维度对", 1, |_| (0, D_MODEL as i64 / 2 - 1)).without_control();
}

impl Figure for PairTurn {
    const NAME: ViewName = ViewName::PairTurn;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(POS), Some(PAIR)];

    type Layout = ();

    fn new(values: &Values, lang: Lang, previous: Option<PairTurn>) -> PairTurn {
        let decay = values.get(SHOW) == Show::Decay;
        PairTurn {
            lang,
            pos: values.get(POS),
            pair: values.count(PAIR),
            pe: Sinusoidal::new(D_MODEL, 10_000.0, Layout::Interleaved),
            logits: previous
                .and_then(|previous| previous.logits)
                .or_else(|| decay.then(Logits::new)),
            decay,
        }
    }

    fn caption(&self) -> String {
        if let Some(logits) = self.shown_logits() {
            let (start, end) = (logits.ones[0], logits.ones[OFFSETS - 1]);
            let (start, end) = (fixed(start, 1), fixed(end, 1));
            let (last, most) = (OFFSETS - 1, fixed(logits.farthest(), 2));
            return match self.lang {
                Lang::En => format!(
                    "RoPE on heads of {HEAD} dimensions. For q and k of ones the logit falls from {start} to {end} at offset {last}; for random normal q and k (seed {SEED}) the mean stays within {most} of zero at every offset, and single pairs of q and k do not die away."
                ),
                Lang::Zh => format!(
                    "{HEAD} 维注意力头上的 RoPE。q、k 全为 1 时，注意力分数从 {start} 降到偏移量 {last} 处的 {end}；q、k 取标准正态随机数（种子 {SEED}）时，均值在每个偏移量上都不超出 ±{most}，单独一组 q、k 也不随距离消失。"
                ),
            };
        }
        let [word, added, turned] =
            [WORD, self.added(), self.turned()].map(|tip| fixed(tip.hypot(), 2));
        let (pos, pair) = (whole(self.pos), self.pair);
        match self.lang {
            Lang::En => format!(
                "Position {pos}, pair {pair}. Adding moves the tip along the circle around the word, and the length goes from {word} to {added}. Rotating by pos·ω, as RoPE does to queries and keys, moves it along the circle around the origin, and the length stays {turned}."
            ),
            Lang::Zh => format!(
                "位置 {pos}，维度对 {pair}。相加使端点落在以词嵌入端点为圆心的圆上，长度由 {word} 变为 {added}；像 RoPE 对查询和键那样旋转 pos·ω，端点落在以原点为圆心的圆上，长度仍为 {turned}。"
            ),
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(theme.fitted((0.6 * width).clamp(260.0, 360.0) * theme.scale, 16.0))
    }

    fn layout(&self, _: &DrawContext) {}

    fn draw(&self, pen: &Pen, context: &DrawContext, _: &()) {
        match self.shown_logits() {
            Some(logits) => self.draw_decay(pen, context, logits),
            None => self.draw_plane(pen, context),
        }
    }

    /// Dragging the rotated tip sets the first position with that angle.
    fn handles(&self, context: &DrawContext, _: &()) -> Vec<Handle> {
        if self.decay {
            return Vec::new();
        }
        let (plane, turned) = (self.plane(context), self.turned());
        let angle = Mapping::Angle {
            centre: plane.centre,
            zero: WORD.atan2(),
            step: self.pe.frequency(self.pair),
        };
        let tip = plane.point(turned.y, turned.x);
        let grip = Handle::grip(tip).sets(POS, angle.clone());
        vec![
            grip.ringed(tip, context.theme.there, f64::INFINITY),
            Handle::area(Rect::all(context.frame)).sets(POS, angle),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn shown(pos: i64, pair: i64) -> PairTurn {
        let mut values = Values::new(PairTurn::FIELDS);
        values.set_to(POS, pos);
        values.set_to(PAIR, pair);
        PairTurn::new(&values, Lang::En, None)
    }

    #[test]
    fn adding_moves_by_one_and_turning_keeps_the_length() {
        let mut lengths = Vec::new();
        for pos in 0..=LAST {
            let shown = shown(pos, 1);
            let added = shown.added();
            assert_close((added - WORD).hypot(), 1.0, 1e-12);
            assert_close(shown.turned().hypot(), WORD.hypot(), 1e-12);
            lengths.push(added.hypot());
        }
        let most = lengths
            .iter()
            .fold(0.0, |most: f64, length| most.max(*length));
        let least = lengths
            .iter()
            .fold(most, |least: f64, length| least.min(*length));
        assert!(most > WORD.hypot() + 0.9 && least < WORD.hypot() - 0.9);
        // Position 4, ω = 10000^(−1/8): numbers by NumPy.
        assert_close(shown(4, 1).added().hypot(), ADDED_AT_4, 1e-9);
    }

    const ADDED_AT_4: f64 = 2.673_781_573_350_634_5;

    #[test]
    fn logits_of_ones_fall_and_random_ones_are_zero_in_the_mean() {
        let logits = Logits::new();
        // 2·Σcos(rω)/√64 for head dimension 64, by NumPy.
        for (offset, logit) in ONES {
            assert_close(logits.ones[offset], logit, 1e-9);
        }
        assert!(logits.ones[256] < 0.5 * logits.ones[0]);
        // The standard error of a mean of 1000 logits of variance 1 is 0.03.
        assert!(logits.farthest() < 0.13, "{}", logits.farthest());
        let far = |single: &&Vec<f64>| single[128..].iter().any(|logit| logit.abs() > 0.8);
        assert!(logits.single.iter().filter(far).count() >= SINGLE / 2);
    }

    const ONES: [(usize, f64); 4] = [
        (0, 8.0),
        (1, 7.729_207_915_404_757),
        (10, 5.262_907_206_151_944),
        (256, 2.829_467_037_781_272),
    ];

    #[test]
    fn a_logit_depends_on_the_offset_alone() {
        // The dot product of the two rotated pairs equals the formula with dot and cross product.
        let pe = Sinusoidal::new(HEAD, 10_000.0, Layout::Interleaved);
        let (q, k) = ((0.3, -1.2), (0.8, 0.5));
        let turn = |(x, y): (f64, f64), pos| {
            let (sin, cos) = pe.sin_cos(3, pos);
            (cos * x - sin * y, sin * x + cos * y)
        };
        let (sin, cos) = pe.sin_cos(3, 7);
        let shortcut = (q.0 * k.0 + q.1 * k.1) * cos + (q.0 * k.1 - q.1 * k.0) * sin;
        for n in [0, 5, 1000] {
            let (a, b) = (turn(q, n + 7), turn(k, n));
            assert_close(a.0 * b.0 + a.1 * b.1, shortcut, 1e-12);
        }
    }
}
