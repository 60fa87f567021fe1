//! Logits q·k of positions alone, for three kinds of W_Q and W_K, and the share of their variance that
//! the offset explains.

use crate::draw::diagonals::{Diagonal, Panels, diagonals, share_of_offset};
use crate::draw::{DrawContext, Pen, Scale, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, Handle, Mapping};
use crate::math::random::Normals;
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::{fixed, percent, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Layout, Matrix, Sinusoidal};

choices! {
    enum Weights {
        Identity "identity" "Identity" "单位矩阵";
        /// Independent normal numbers of variance 1/d.
        Random "random" "Random (seeded)" "随机（固定种子）";
        /// W_K = I, W_Q = blocks \[\[a, b\], \[−b, a\]\] with a = cos kω, b = sin kω.
        Relative "relative" "Rotated pair by pair" "逐对旋转";
    }
}

/// Logits q·k/√d of positions 0 … n − 1: queries down, keys across. Computed in slices.
struct Logits {
    key: (Weights, usize, usize, u64, i64),
    pe: Matrix<f64>,
    normals: Normals,
    /// Number of rows of W_Q and W_K that have been drawn; `table` is the sum of their contributions.
    done: usize,
    table: Matrix<f64>,
}

impl Logits {
    fn new(key: (Weights, usize, usize, u64, i64)) -> Logits {
        let (weights, d, n, seed, k) = key;
        let pe = Sinusoidal::new(d, 10_000.0, Layout::Interleaved);
        let mut logits = Logits {
            key,
            pe: Matrix::zeros(0, d),
            normals: Normals::seeded(seed),
            done: d,
            table: Matrix::zeros(n, n),
        };
        if weights == Weights::Random {
            for position in 0..n {
                let pairs = (0..pe.pairs()).flat_map(|pair| {
                    let (sin, cos) = pe.sin_cos_at(pair, position as f64);
                    [sin, cos]
                });
                logits.pe.values.extend(pairs.take(d));
            }
            logits.pe.positions = n;
            logits.done = 0;
            return logits;
        }
        // PE(m + shift)·PE(n) of the complete pairs is a function of the offset.
        let shift = if weights == Weights::Relative { k } else { 0 };
        let scale = (d as f64).sqrt();
        let at = |offset: i64| {
            let offset = (offset - shift) as f64;
            let cosines = (0..d / 2).map(|pair| pe.sin_cos_at(pair, offset).1);
            cosines.sum::<f64>() / scale
        };
        let by_offset: Vec<f64> = (1 - n as i64..n as i64).map(at).collect();
        let lone = |position: usize| pe.sin_cos_at(d / 2, position as f64).0;
        for p in 0..n {
            for q in 0..n {
                let logit = logits.table.at_mut(p, q);
                *logit = by_offset[n - 1 + q - p];
                if d % 2 == 1 && weights == Weights::Identity {
                    *logit += lone(p) * lone(q) / scale;
                }
            }
        }
        logits
    }

    fn work(&mut self) -> bool {
        let (_, d, n, _, _) = self.key;
        if self.done == d {
            return false;
        }
        let rows = (1_500_000 / (4 * n * d + 2 * n * n)).max(1);
        let deviation = (d as f64).sqrt().recip();
        for _ in self.done..(self.done + rows).min(d) {
            let mut projected = || {
                let row = self.normals.matrix(1, d, deviation).values;
                let dot = |p| self.pe.row(p).iter().zip(&row).map(|(a, b)| a * b).sum();
                (0..n).map(dot).collect::<Vec<f64>>()
            };
            let (q, k) = (projected(), projected());
            for (p, q) in q.into_iter().enumerate() {
                let q = q / (d as f64).sqrt();
                let logits = &mut self.table.values[p * n..][..n];
                for (logit, k) in logits.iter_mut().zip(&k) {
                    *logit += q * k;
                }
            }
            self.done += 1;
        }
        true
    }

    fn is_complete(&self) -> bool {
        self.done == self.key.1
    }
}

pub struct Projections {
    lang: Lang,
    k: i64,
    logits: Logits,
    /// The diagonals, and the share of the variance that the offset explains, once the logits are complete.
    read: Option<(Vec<Diagonal>, f64)>,
}

const OFFSET: Text = Text::new("offset, key − query", "偏移量（键 − 查询）");
const QUERY: Text = Text::new("query position", "查询位置");
const KEY: Text = Text::new("key position", "键位置");
const DRAWING: Text = Text::new("Drawing random weights", "正在生成随机权重");

impl Projections {
    fn finish(&mut self) {
        if self.read.is_none() && self.logits.is_complete() {
            let table = &self.logits.table;
            self.read = Some((diagonals(table), share_of_offset(table)));
        }
    }

    fn mean_at(&self, offset: i64) -> Option<Diagonal> {
        let (diagonals, _) = self.read.as_ref()?;
        diagonals.iter().find(|it| it.offset == offset).copied()
    }

    fn largest_logit(&self) -> f64 {
        let sizes = self.logits.table.values.iter().map(|v| v.abs());
        sizes.fold(1e-9, f64::max)
    }
}

fields! {
    WEIGHTS: Weights = Key::choice("weights", "W_Q and W_K", "W_Q 与 W_K");
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 64, |_| (2, 512));
    SEED: i64 = Key::whole("seed", "Seed", "随机种子", 1, |_| (1, 99)).without_control();
    MAX_LEN: i64 = Key::size("max_len", "length", "位置数", 128, |_| (8, 256)).without_control();
    K: i64 = Key::whole("k", "offset", "偏移量", -20, |v| {
        (1 - v.get(MAX_LEN), v.get(MAX_LEN) - 1)
    })
    .without_control();
}

impl Figure for Projections {
    const NAME: ViewName = ViewName::Projections;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), Some(SEED)];

    type Layout = Panels;

    fn new(values: &Values, lang: Lang, previous: Option<Projections>) -> Projections {
        let weights = values.get(WEIGHTS);
        let k = values.get(K);
        // Parameters that these weights do not use must not restart the computation.
        let (seed, turn) = match weights {
            Weights::Random => (values.get(SEED) as u64, 0),
            Weights::Relative => (0, k),
            Weights::Identity => (0, 0),
        };
        let (d, n) = (values.count(D_MODEL), values.count(MAX_LEN));
        let key = (weights, d, n, seed, turn);
        let kept = previous.filter(|before| before.logits.key == key);
        let (logits, read) = match kept {
            Some(before) => (before.logits, before.read),
            None => (Logits::new(key), None),
        };
        let mut figure = Projections {
            lang,
            k,
            logits,
            read,
        };
        figure.finish();
        figure
    }

    fn caption(&self) -> String {
        let (weights, d, _, seed, _) = self.logits.key;
        let Some((_, share)) = &self.read else {
            return format!("{} {}/{d}", DRAWING.get(self.lang), self.logits.done);
        };
        let share = percent(*share, 1);
        let k = self.k;
        let mean = |offset| {
            let mean = self.mean_at(offset).map_or(0.0, |diagonal| diagonal.mean);
            fixed(mean, 2)
        };
        let (ahead, behind) = (mean(k), mean(-k));
        let (k, minus_k) = (whole(k), whole(-k));
        match (self.lang, weights) {
            (Lang::En, Weights::Identity) => format!(
                "The offset explains {share} of the variance, but not which side a key is on: the logit is {ahead} at offset {k} and {behind} at {minus_k}."
            ),
            (Lang::Zh, Weights::Identity) => format!(
                "偏移量解释了 {share} 的方差，却分不出前后：偏移量 {k} 处的注意力分数为 {ahead}，{minus_k} 处为 {behind}。"
            ),
            (Lang::En, Weights::Random) => {
                let Some(Diagonal { low, high, .. }) = self.mean_at(self.k) else {
                    return share;
                };
                format!(
                    "With random weights (seed {seed}) the offset explains {share} of the variance: at offset {k} alone the logits run from {} to {}.",
                    fixed(low, 2),
                    fixed(high, 2)
                )
            }
            (Lang::Zh, Weights::Random) => {
                let Some(Diagonal { low, high, .. }) = self.mean_at(self.k) else {
                    return share;
                };
                format!(
                    "权重随机时（种子 {seed}），偏移量只解释 {share} 的方差：仅偏移量 {k} 这一条对角线上，注意力分数就从 {} 到 {}。",
                    fixed(low, 2),
                    fixed(high, 2)
                )
            }
            (Lang::En, Weights::Relative) => format!(
                "Rotating each pair of the query by kωᵢ moves the peak to offset {k}: the logit is {ahead} there and {behind} at {minus_k}. The offset explains {share} of the variance. Drag the peak."
            ),
            (Lang::Zh, Weights::Relative) => format!(
                "把查询的每个维度对旋转 kωᵢ，峰值就移到偏移量 {k}：该处注意力分数为 {ahead}，{minus_k} 处为 {behind}。偏移量解释了 {share} 的方差。峰值可以拖动。"
            ),
        }
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action == "draw" {
            values.set_to(SEED, values.get(SEED) % 99 + 1);
        }
    }

    fn more(&self) -> Option<Node> {
        let (weights, _, _, seed, _) = self.logits.key;
        let draw = match self.lang {
            Lang::En => format!("Draw again, now seed {seed}"),
            Lang::Zh => format!("重新抽取（当前种子 {seed}）"),
        };
        let text = match (self.lang, weights) {
            (Lang::En, Weights::Relative) => {
                "W_K is the identity, W_Q has the blocks [[a, b], [−b, a]] with a = cos kωᵢ and b = sin kωᵢ. "
            }
            (Lang::Zh, Weights::Relative) => {
                "W_K 为单位矩阵，W_Q 由 [[a, b], [−b, a]] 块组成，a = cos kωᵢ，b = sin kωᵢ。"
            }
            (Lang::En, Weights::Random) => {
                "Every entry of W_Q and W_K is an independent normal number of variance 1/d. "
            }
            (Lang::Zh, Weights::Random) => "W_Q 与 W_K 的每个元素都是方差为 1/d 的独立正态随机数。",
            (_, Weights::Identity) => "",
        };
        let share = match self.lang {
            Lang::En => {
                "Share explained: variance of the diagonals’ means ÷ total variance. Line: mean of a diagonal; band: from its smallest to its largest cell."
            }
            Lang::Zh => {
                "“解释的方差”：把每个单元格换成所在对角线的均值，此时的方差除以全部单元格的方差。曲线是对角线的均值，色带从该对角线的最小值到最大值。"
            }
        };
        let mut parts = vec![Node::text("p", format!("{text}{share}")).class("note")];
        if weights == Weights::Random {
            parts.insert(0, div("row", vec![button("draw", "", draw)]));
        }
        Some(Node::new("div", parts))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(Panels::height(width, theme))
    }

    fn layout(&self, context: &DrawContext) -> Panels {
        let last = self.logits.key.2 as f64 - 1.0;
        let values = &self.logits.table.values;
        let low = values.iter().copied().fold(0.0, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        let room = 0.06 * (high - low).max(1e-9);
        Panels::new(
            context,
            Scale::linear(-last, last),
            // Room for the tag at the top.
            Scale::linear(low - room, high + 4.0 * room),
        )
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, panels: &Panels) {
        let theme = context.theme;
        let titles = self.lang.texts([QUERY, KEY]);
        let table = &self.logits.table;
        panels.draw_map(pen, context, table, (self.largest_logit(), self.k), titles);
        let chart = &panels.chart;
        chart.axes(pen, context, self.lang.texts([labels::LOGIT_AXIS, OFFSET]));
        let size = theme.label_size();
        let top = (chart.plot.centre_x(), chart.plot.y + 1.1 * size);
        let Some((diagonals, share)) = &self.read else {
            let words = DRAWING.get(self.lang);
            return pen.tag(top, words, size, theme.panel, theme.muted);
        };
        panels.draw_curve(pen, context, diagonals);
        chart.upright(pen, context, self.k as f64, "", theme.there);
        if let Some(diagonal) = self.mean_at(self.k) {
            let here = (self.k as f64, diagonal.mean);
            chart.dots(pen, [here], theme.there, 2.0 * theme.stroke());
        }
        let words = match self.lang {
            Lang::En => format!("the offset explains {}", percent(*share, 1)),
            Lang::Zh => format!("偏移量解释 {}", percent(*share, 1)),
        };
        pen.tag(top, &words, 1.15 * size, theme.panel, theme.accent);
    }

    fn handles(&self, _: &DrawContext, panels: &Panels) -> Vec<Handle> {
        let (panels, n) = (panels, self.logits.key.2);
        vec![
            Handle::area(panels.map).sets(K, Mapping::offset((n, n))),
            Handle::along_x(&panels.chart, K),
        ]
    }

    fn work(&mut self) -> bool {
        let more = self.logits.work();
        self.finish();
        more
    }

    /// For random weights: `random_share(d, n, seed)`; over seeds 1 … 20, `random_median(d, n)`,
    /// `random_least(d, n)`, `random_most(d, n)`.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        if let (&[d, n, seed], "random_share") = (arguments, name) {
            return Some(share(Weights::Random, d as usize, n as usize, seed as u64));
        }
        let &[d, n] = arguments else { return None };
        if !["random_least", "random_median", "random_most"].contains(&name) {
            return None;
        }
        let of = |seed| share(Weights::Random, d as usize, n as usize, seed);
        let mut shares: Vec<f64> = (1..=20).map(of).collect();
        shares.sort_by(f64::total_cmp);
        Some(match name {
            "random_least" => shares[0],
            "random_median" => (shares[9] + shares[10]) / 2.0,
            _ => shares[19],
        })
    }
}

#[cfg(test)]
fn share(weights: Weights, d: usize, n: usize, seed: u64) -> f64 {
    let mut logits = Logits::new((weights, d, n, seed, 5));
    while logits.work() {}
    share_of_offset(&logits.table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_offset_explains_identity_and_turned_pairs_entirely() {
        for weights in [Weights::Identity, Weights::Relative] {
            for d in [4, 64, 512] {
                assert!(
                    (share(weights, d, 64, 0) - 1.0).abs() < 1e-9,
                    "{weights:?} {d}"
                );
            }
        }
        assert!(share(Weights::Identity, 5, 64, 0) < 1.0);
    }

    #[test]
    fn random_weights_leave_it_little() {
        // Among 64² products of dimensions only 64 combinations depend on the offset alone; how
        // much they weigh varies from draw to draw.
        let of = |name| Projections::lesson_number(name, &[64.0, 128.0]).unwrap();
        assert!(of("random_least") < 0.05);
        assert!((0.05..0.12).contains(&of("random_median")));
        assert!(of("random_most") < 0.35);
    }

    #[test]
    fn only_turned_pairs_have_a_direction() {
        let mean = |weights: &str, offset: i64| {
            let mut values = Values::new(Projections::FIELDS);
            values.set("weights", weights);
            let figure = Projections::new(&values, Lang::En, None);
            figure.mean_at(offset).unwrap().mean
        };
        assert!((mean("identity", 20) - mean("identity", -20)).abs() < 1e-12);
        // d/2 cosines of 0 over √d.
        assert!((mean("relative", -20) - 4.0).abs() < 1e-12);
        assert!(mean("relative", 20) < 3.0);
    }

    #[test]
    fn random_logits_are_products_of_projected_rows() {
        let (d, n) = (4, 8);
        let mut logits = Logits::new((Weights::Random, d, n, 3, 0));
        while logits.work() {}
        let mut normals = Normals::seeded(3);
        let rows: Vec<Matrix<f64>> = (0..2 * d).map(|_| normals.matrix(1, d, 0.5)).collect();
        let pe = Sinusoidal::new(d, 10_000.0, Layout::Interleaved);
        let project = |row: &Matrix<f64>, p: i64| -> f64 {
            (0..d).map(|j| row.at(0, j) * pe.value(p, j)).sum()
        };
        let logit = |p, q| -> f64 {
            let each = rows
                .chunks(2)
                .map(|two| project(&two[0], p) * project(&two[1], q));
            each.sum::<f64>() / 2.0
        };
        assert!((logits.table.at(6, 1) - logit(6, 1)).abs() < 1e-12);
    }

    #[test]
    fn the_mark_alone_starts_no_work() {
        let mut values = Values::new(Projections::FIELDS);
        values.set("weights", "random");
        let mut figure = Projections::new(&values, Lang::En, None);
        while figure.work() {}
        values.set("k", "3");
        let figure = Projections::new(&values, Lang::Zh, Some(figure));
        assert!(figure.read.is_some());
    }
}
