//! T5's buckets of offsets, and what a head adds to the logits by them.

use crate::draw::chart::{Chart, Scale, cells, grid_axes, grid_in};
use crate::draw::pen::text_width;
use crate::draw::theme::readable_on;
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Mapping, Pointer, PointerAction, point};
use crate::math::Clamp;
use crate::math::linear::product;
use crate::math::random::Normals;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text};
use plotters::style::RGBColor;
use posenc_encoding::{BucketDistances, T5_BUCKETS, T5_MAX_DISTANCE, T5Buckets};

const HEADS: usize = 8;
const SEED: u64 = 7;
/// Distances on the ruler, and the place of distance 0, which has no logarithm.
const REACH: f64 = 256.0;
const NOUGHT: f64 = 0.33;
/// Width of queries and keys.
const D_HEAD: usize = 16;
/// How far a bias can be changed.
const CHANGE: f64 = 4.0;

/// The place of the bars among the handles.
const BARS: usize = 0;

/// The fields that change the biases, by bucket.
const CHANGES: [&str; T5_BUCKETS] = [
    "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "b11", "b12", "b13", "b14",
    "b15", "b16", "b17", "b18", "b19", "b20", "b21", "b22", "b23", "b24", "b25", "b26", "b27",
    "b28", "b29", "b30", "b31",
];

const fn change(name: &'static str) -> Field {
    let field = Field::real(
        name,
        "change of a bias",
        "偏置的改动",
        0.0,
        (-CHANGE, CHANGE),
        1,
    );
    field.linked()
}

const BEHIND: Text = Text::new("behind", "之前");
const AHEAD: Text = Text::new("ahead", "之后");
const MASKED: Text = Text::new("masked", "已屏蔽");
const DISTANCE: Text = Text::new(
    "distance of key and query, logarithmic",
    "键与查询的距离（对数刻度）",
);
const QUERY: Text = Text::new("query", "查询");
const KEY: Text = Text::new("key", "键");
const BUCKET: Text = Text::new("bucket", "桶");
const BIAS: Text = Text::new("bias", "偏置");
const MAP: Text = Text::new("bucket, growing with the distance", "桶号，随距离增大");
const WEIGHT: Text = Text::new("weight", "权重");
const BEFORE: Text = Text::new("without bias", "加偏置前");
const AFTER: Text = Text::new("with bias", "加偏置后");

pub struct Buckets {
    lang: Lang,
    t5: T5Buckets,
    distances: Vec<BucketDistances>,
    head: usize,
    len: usize,
    pos: i64,
    k: i64,
    bucket: usize,
    changed: bool,
    simulated: f64,
    biases: [f64; T5_BUCKETS],
    most: f64,
    /// Of the query at `pos`: attention weights of all keys, without and with the bias.
    weights: [Vec<f64>; 2],
}

fn softmax(logits: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let most = logits.clone().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = logits.map(|logit| (logit - most).exp()).collect();
    let total: f64 = powers.iter().sum();
    powers.iter().map(|power| power / total).collect()
}

/// Where everything stands.
struct Plan {
    ruler: Chart,
    map: Rect,
    bars: Chart,
    row: Chart,
}

impl Plan {
    fn heights(width: f64, size: f64) -> (bool, [f64; 4]) {
        let wide = width > 46.0 * size;
        let side = if wide { 0.42 * width } else { width };
        let bars = if wide { 0.0 } else { 15.4 * size };
        (wide, [10.2 * size, side - 0.8 * size, bars, 15.4 * size])
    }
}

impl Buckets {
    fn plan(&self, context: &DrawContext) -> Plan {
        let (width, size) = (context.frame.width, context.theme.label_size());
        let (wide, [ruler, map, bars, row]) = Plan::heights(width, size);
        let square = grid_in(
            context,
            Rect::new(0.0, ruler, if wide { 0.42 * width } else { width }, map),
        );
        let side = square.width.min(square.height);
        let beside = if wide {
            Rect::new(0.42 * width, ruler, 0.58 * width, map)
        } else {
            Rect::new(0.0, ruler + map + 1.4 * size, width, bars - 1.4 * size)
        };
        let most = self.most;
        let last = self.len as f64 - 1.0;
        let high = self.weights.iter().flatten().copied().fold(0.0, f64::max);
        Plan {
            ruler: Chart::new(
                context,
                Rect::new(0.0, 0.6 * size, width, ruler - 1.9 * size),
                Scale::log(NOUGHT, REACH),
                Scale::linear(0.0, 2.0),
            ),
            map: square.with_size(side, side),
            bars: Chart::new(
                context,
                beside,
                Scale::linear(-0.7, T5_BUCKETS as f64 - 0.3),
                Scale::linear(-1.1 * most, 1.1 * most),
            ),
            row: Chart::new(
                context,
                Rect::new(
                    0.0,
                    ruler + map + bars + 1.2 * size,
                    width,
                    row - 1.2 * size,
                ),
                Scale::linear(-0.5, last + 0.5),
                Scale::linear(0.0, 1.35 * high),
            ),
        }
    }

    /// An offset of a bucket, the nearest; `None` for the one that holds none.
    fn offset_of(&self, bucket: usize) -> Option<i64> {
        let side = self.distances.len();
        let ahead = bucket >= side;
        let distances = self.distances.get(bucket % side)?;
        match (ahead, distances.first) {
            (true, 0) => None,
            (true, first) => Some(first),
            (false, first) => Some(-first),
        }
    }

    /// First and last offset of the selected bucket.
    fn ends(&self) -> (i64, Option<i64>) {
        let distances = &self.distances[self.bucket % self.distances.len()];
        (distances.first, distances.last)
    }

    fn is_masked(&self, offset: i64) -> bool {
        self.t5.causal() && offset > 0
    }

    fn shade(context: &DrawContext, share: f64) -> (RGBColor, RGBColor) {
        let [r, g, b] = context.colours.colour(share as f32);
        (RGBColor(r, g, b), readable_on([r, g, b]))
    }

    fn draw_ruler<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        ruler: &Chart,
    ) -> DrawResult<DB> {
        let (theme, size, plot) = (context.theme, context.theme.label_size(), ruler.plot);
        let high = plot.height / 2.0;
        let side = self.distances.len();
        let words = Words::new(size, theme.muted);
        for ahead in [false, true] {
            let y = if ahead { plot.y + high } else { plot.y };
            let name = if ahead { AHEAD } else { BEHIND };
            let at = (plot.x - 0.5 * size, y + high / 2.0);
            pen.words(at, name.get(self.lang), words.ending())?;
            if ahead && self.t5.causal() {
                let strip = plot.down(y, high);
                pen.fill(strip, theme.rule, 1.0)?;
                let middle = (plot.centre_x(), y + high / 2.0);
                pen.words(middle, MASKED.get(self.lang), words)?;
                continue;
            }
            for distances in &self.distances {
                let bucket = distances.bucket + if ahead { side } else { 0 };
                if self.offset_of(bucket).is_none() {
                    continue;
                }
                let edge = |distance: f64| ruler.x.pixel((distance - 0.5).clamped(NOUGHT, REACH));
                let left = edge(distances.first as f64);
                let right = distances
                    .last
                    .map_or(plot.right(), |last| edge(last as f64 + 1.0));
                let band = Rect::new(left, y, right - left, high);
                let (fill, ink) = Buckets::shade(context, self.biases[bucket] / self.most);
                pen.fill(band, fill, 1.0)?;
                pen.outline(band, theme.panel, 1.0, 0.5 * theme.hairline())?;
                let name = bucket.to_string();
                if text_width(&name, size) < band.width {
                    let middle = (left + band.width / 2.0, y + high / 2.0);
                    pen.words(middle, &name, Words::new(size, ink))?;
                }
            }
        }
        // The selected one above its neighbours.
        if !self.is_masked(self.k) {
            let (first, last) = self.ends();
            let left = ruler.x.pixel((first as f64 - 0.5).clamped(NOUGHT, REACH));
            let right = last.map_or(plot.right(), |last| ruler.x.pixel(last as f64 + 0.5));
            let band = Rect::new(
                left,
                if self.k > 0 { plot.y + high } else { plot.y },
                right - left,
                high,
            );
            pen.outline(band, theme.there, 1.0, theme.stroke())?;
        }
        let mut free = 0.0;
        for distances in &self.distances {
            let name = distances.first.to_string();
            let at = (distances.first as f64 - 0.5).max(NOUGHT);
            let x = ruler.x.pixel(at) + 0.4 * size;
            let half = 0.5 * text_width(&name, size);
            if x - half > free {
                pen.words((x, plot.bottom() + 0.95 * size), &name, words)?;
                free = x + half + 0.35 * size;
            }
        }
        let at = (plot.centre_x(), plot.bottom() + 2.25 * size);
        pen.words(at, DISTANCE.get(self.lang), words)
    }

    fn draw_map<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        map: Rect,
    ) -> DrawResult<DB> {
        let (theme, n) = (context.theme, self.len);
        let size = theme.label_size();
        let side = self.distances.len();
        cells(pen, context, map, (n, n), side as f64, |row, column| {
            let bucket = self.t5.bucket(column as i64 - row as i64);
            let within = (bucket % side) as f64;
            if bucket < side { -within } else { within }
        })?;
        let cell = map.width / n as f64;
        if self.t5.causal() {
            let corners = [
                (map.x + cell, map.y),
                (map.right(), map.y),
                (map.right(), map.bottom() - cell),
            ];
            pen.polygon(&corners, theme.rule, 1.0)?;
            let at = (map.x + 0.7 * map.width, map.y + 0.3 * map.width);
            pen.words(at, MASKED.get(self.lang), Words::new(size, theme.muted))?;
        }
        let titles = [QUERY, KEY].map(|text| text.get(self.lang));
        grid_axes(pen, context, map, (n, n), titles)?;
        let at = (map.x, map.y - 0.9 * size);
        let words = Words::new(size, theme.muted).starting();
        pen.words(at, MAP.get(self.lang), words)?;
        // Edges of the selected bucket, as offsets in cells.
        let (first, last) = self.ends();
        let sign = if self.k > 0 { 1.0 } else { -1.0 };
        let edges = [Some(first as f64 - 0.5), last.map(|last| last as f64 + 0.5)];
        for edge in edges.into_iter().flatten() {
            let by = sign * edge;
            if by.abs() >= n as f64 || self.is_masked(self.k) {
                continue;
            }
            let by = by * cell;
            let from = (map.x + by.max(0.0), map.y + (-by).max(0.0));
            let to = (map.right() + by.min(0.0), map.bottom() - by.max(0.0));
            pen.line(&[from, to], theme.there, theme.hairline())?;
        }
        let y = map.y + (self.pos as f64 + 0.5) * cell;
        pen.line(
            &[(map.x, y), (map.right(), y)],
            theme.here,
            theme.hairline(),
        )?;
        let key = self.pos + self.k;
        if (0..n as i64).contains(&key) {
            let x = map.x + (key as f64 + 0.5) * cell;
            pen.disc((x, y), 1.8 * theme.stroke(), theme.there)?;
        }
        Ok(())
    }

    fn draw_bars<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        bars: &Chart,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        bars.axes(pen, context, [BIAS, BUCKET].map(|text| text.get(self.lang)))?;
        let zero = bars.y.pixel(0.0);
        let half = 0.4 * (bars.x.pixel(1.0) - bars.x.pixel(0.0));
        for (bucket, &bias) in self.biases.iter().enumerate() {
            if self.offset_of(bucket).is_none() {
                continue;
            }
            let (x, y) = bars.at((bucket as f64, bias));
            let bar = Rect::new(x - half, y.min(zero), 2.0 * half, (y - zero).abs().max(1.0));
            let chosen = bucket == self.bucket && !self.is_masked(self.k);
            let (fill, _) = Buckets::shade(context, bias / self.most);
            let fill = if chosen { theme.there } else { fill };
            pen.fill(bar, fill, 1.0)?;
            pen.outline(bar, theme.muted, 0.6, 0.5 * theme.hairline())?;
        }
        let plot = bars.plot;
        pen.line(
            &[(plot.x, zero), (plot.right(), zero)],
            theme.ink,
            theme.hairline(),
        )?;
        let simulated = match (self.lang, self.changed) {
            (Lang::En, false) => format!("simulated (seed {SEED})"),
            (Lang::Zh, false) => format!("模拟值（种子 {SEED}）"),
            (Lang::En, true) => format!("simulated (seed {SEED}), changed"),
            (Lang::Zh, true) => format!("模拟值（种子 {SEED}），已改动"),
        };
        let at = (plot.x, plot.y - 0.9 * size);
        pen.words(at, &simulated, Words::new(size, theme.muted).starting())
    }

    fn draw_row<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        row: &Chart,
    ) -> DrawResult<DB> {
        let (theme, size, plot) = (context.theme, context.theme.label_size(), row.plot);
        row.axes(pen, context, [WEIGHT, KEY].map(|text| text.get(self.lang)))?;
        // The keys that share the bucket.
        let same = |key: &i64| {
            let offset = key - self.pos;
            !self.is_masked(offset) && self.t5.bucket(offset) == self.bucket
        };
        let first = (0..self.len as i64).find(same);
        let last = (0..self.len as i64).rev().find(same);
        if let (Some(first), Some(last)) = (first, last) {
            let left = row.x.pixel(first as f64 - 0.5);
            let band = plot.across(left, row.x.pixel(last as f64 + 0.5) - left);
            pen.fill(band, theme.there, 0.15)?;
        }
        let query = QUERY.get(self.lang);
        row.upright(pen, context, self.pos as f64, query, theme.here)?;
        let colours = [theme.muted, theme.accent];
        let widths = [0.7, 1.0];
        for i in 0..2 {
            let steps = self.weights[i]
                .iter()
                .enumerate()
                .flat_map(|(key, &weight)| {
                    let key = key as f64;
                    [(key - 0.5, weight), (key + 0.5, weight)]
                });
            row.curve(pen, steps, colours[i], widths[i] * theme.stroke())?;
        }
        let mut x = plot.right() - 0.5 * size;
        for (name, colour) in [(AFTER, colours[1]), (BEFORE, colours[0])] {
            let name = name.get(self.lang);
            let words = Words::new(size, colour).ending().bold();
            pen.words((x, plot.y - 0.9 * size), name, words)?;
            x -= 1.1 * text_width(name, size) + 1.2 * size;
        }
        Ok(())
    }
}

impl Figure for Buckets {
    const NAME: ViewName = ViewName::Buckets;
    const FIELDS: &'static [Field] = &[
        Field::choice(
            "model",
            "Model",
            "模型",
            &[
                (
                    "encoder",
                    Text::new("encoder, both directions", "编码器，双向"),
                ),
                ("decoder", Text::new("decoder, causal", "解码器，因果")),
            ],
        ),
        Field::whole("head", "Head", "注意力头", 4, |_| (1, HEADS as i64)),
        Field::size("max_len", "length", "位置数", 128, |_| (2, 256)),
        Field::whole("pos", "position of the query", "查询的位置", 80, |v| {
            (0, v.whole("max_len") - 1)
        })
        .linked(),
        Field::whole("k", "offset of the key", "键的偏移量", -40, |_| {
            (1 - REACH as i64, REACH as i64 - 1)
        })
        .linked(),
        change("b0"),
        change("b1"),
        change("b2"),
        change("b3"),
        change("b4"),
        change("b5"),
        change("b6"),
        change("b7"),
        change("b8"),
        change("b9"),
        change("b10"),
        change("b11"),
        change("b12"),
        change("b13"),
        change("b14"),
        change("b15"),
        change("b16"),
        change("b17"),
        change("b18"),
        change("b19"),
        change("b20"),
        change("b21"),
        change("b22"),
        change("b23"),
        change("b24"),
        change("b25"),
        change("b26"),
        change("b27"),
        change("b28"),
        change("b29"),
        change("b30"),
        change("b31"),
    ];
    const ARROWS: [&'static str; 2] = ["k", "pos"];

    fn new(values: &Values, lang: Lang, _: Option<Buckets>) -> Buckets {
        let causal = values.choice("model") == "decoder";
        let t5 = T5Buckets::new(T5_BUCKETS, T5_MAX_DISTANCE, causal);
        let (len, pos, k) = (
            values.count("max_len"),
            values.whole("pos"),
            values.whole("k"),
        );
        let head = values.count("head");
        let mut normals = Normals::seeded(SEED);
        let learned = normals.matrix(HEADS, T5_BUCKETS, 1.0);
        let learned = learned.row(head.clamped(1, HEADS) - 1);
        let biases: [f64; T5_BUCKETS] =
            std::array::from_fn(|bucket| learned[bucket] + values.real(CHANGES[bucket]));
        let bucket = t5.bucket(k);
        // All keys of the longest sequence come before the query, so that the length changes none.
        let mut keys = normals.matrix(REACH as usize, D_HEAD, 1.0);
        keys.positions = len;
        keys.values.truncate(len * D_HEAD);
        let mut query = normals.matrix(D_HEAD, 1, (D_HEAD as f64).sqrt().recip());
        // Another query for each position: its numbers in another order.
        query.values.rotate_left(pos as usize % D_HEAD);
        let content = product(&keys, &query).values;
        let seen = if causal { pos as usize + 1 } else { len };
        let content = &content[..seen.min(len)];
        let biased = content.iter().enumerate().map(|(key, logit)| {
            let bucket = t5.bucket(key as i64 - pos);
            logit + biases[bucket]
        });
        Buckets {
            lang,
            distances: t5.distances(),
            head,
            len,
            pos,
            k,
            bucket,
            changed: CHANGES.iter().any(|name| values.real(name) != 0.0),
            simulated: learned[bucket],
            most: biases
                .iter()
                .fold(1.5, |most: f64, bias| most.max(bias.abs())),
            biases,
            weights: [softmax(content.iter().copied()), softmax(biased)],
            t5,
        }
    }

    fn caption(&self) -> String {
        let (k, bucket, head) = (whole(self.k), self.bucket, self.head);
        if self.is_masked(self.k) {
            return match self.lang {
                Lang::En => format!(
                    "A decoder masks what lies ahead. The rule would put offset {k} into bucket 0, but no logit is left for it to change; all buckets serve the past."
                ),
                Lang::Zh => format!(
                    "解码器会屏蔽查询之后的键。按规则偏移量 {k} 会落入桶 0，但那里已没有 logit 可改；全部的桶都用于查询之前的键。"
                ),
            };
        }
        let (first, last) = self.ends();
        let shared = match (self.lang, last) {
            (Lang::En, Some(last)) if last == first => format!("distance {first} alone"),
            (Lang::Zh, Some(last)) if last == first => format!("其中只有距离 {first}"),
            (Lang::En, Some(last)) => format!("shared by the distances {first} to {last}"),
            (Lang::Zh, Some(last)) => format!("由距离 {first} 到 {last} 共用"),
            (Lang::En, None) => format!("shared by all distances from {first} on"),
            (Lang::Zh, None) => format!("由不小于 {first} 的所有距离共用"),
        };
        let bias = fixed(self.biases[bucket], 2);
        let key = self.pos + self.k;
        let weights = usize::try_from(key).ok().and_then(|key| {
            let [before, after] = [0, 1].map(|i| self.weights[i].get(key).copied());
            Some([before?, after?].map(|share| fixed(100.0 * share, 2)))
        });
        let row = match (self.lang, weights) {
            (_, None) => String::new(),
            (Lang::En, Some([before, after])) => format!(
                " For the query at {} the weight of the key at {key} goes from {before}% to {after}%.",
                self.pos
            ),
            (Lang::Zh, Some([before, after])) => format!(
                "对位置 {} 的查询，位置 {key} 的键的权重由 {before}% 变为 {after}%。",
                self.pos
            ),
        };
        match self.lang {
            Lang::En => format!(
                "Offset {k} falls into bucket {bucket}, {shared}. Head {head} adds {bias} to each of their logits, whatever the tokens are.{row}"
            ),
            Lang::Zh => format!(
                "偏移量 {k} 落入桶 {bucket}，{shared}。注意力头 {head} 给其中每个 logit 都加上 {bias}，与词元无关。{row}"
            ),
        }
    }

    fn below(&self) -> Option<Node> {
        let change = self.biases[self.bucket] - self.simulated;
        let bias = fixed(self.biases[self.bucket], 2);
        let name = match self.lang {
            Lang::En => format!("Bucket {}, head {}", self.bucket, self.head),
            Lang::Zh => format!("注意力头 {}，桶 {}", self.head, self.bucket),
        };
        let slider = Node::new("input", vec![])
            .attribute("type", "range")
            .attribute("name", CHANGES[self.bucket])
            .attribute("aria-label", name.clone())
            .attribute("aria-valuetext", bias.clone())
            .attribute("min", (-CHANGE).to_string())
            .attribute("max", CHANGE.to_string())
            .attribute("step", "0.1")
            .attribute("value", fixed(change, 1).replace('−', "-"));
        let words = html::span("name", name);
        let field = html::div("field number", vec![words, Node::text("b", bias), slider]);
        let again = match self.lang {
            Lang::En => "Simulated values again",
            Lang::Zh => "恢复模拟值",
        };
        let again = html::button("again", "", again).flag("disabled", !self.changed);
        Some(html::div("fields", vec![field, again]))
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action == "again" {
            CHANGES.iter().for_each(|name| values.clear(name));
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let (_, heights) = Plan::heights(width, theme.label_size());
        Some(heights.iter().sum())
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let plan = self.plan(context);
        self.draw_ruler(pen, context, &plan.ruler)?;
        self.draw_map(pen, context, plan.map)?;
        self.draw_bars(pen, context, &plan.bars)?;
        self.draw_row(pen, context, &plan.row)
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let (plan, shape) = (self.plan(context), (self.len, self.len));
        let bars = &plan.bars;
        let (left, right) = (bars.x.pixel(-0.5), bars.x.pixel(T5_BUCKETS as f64 - 0.5));
        let numbers = (0..T5_BUCKETS).map(|bucket| self.offset_of(bucket));
        let offsets = Mapping::Listed {
            shape: (1, T5_BUCKETS),
            numbers: numbers.collect(),
        };
        let map = Handle::area(plan.map)
            .sets("pos", Mapping::row(shape))
            .sets("k", Mapping::offset(shape));
        let (_, ahead) = plan.ruler.plot.split_top(plan.ruler.plot.height / 2.0);
        let behind = ahead.with_y(plan.ruler.plot.y);
        let row = &plan.row;
        let (first, last) = row.x.ends();
        let keys = Scale::linear(first - self.pos as f64, last - self.pos as f64);
        let keys = keys.on(row.plot.x, row.plot.right());
        let mut handles = vec![
            Handle::area(bars.plot.across(left, right - left)).sets("k", offsets),
            map,
            Handle::area(behind).sets("k", Mapping::MinusX(plan.ruler.x)),
            Handle::area(ahead).sets("k", Mapping::X(plan.ruler.x)),
            Handle::area(row.plot).sets("k", Mapping::X(keys)),
        ];
        handles[BARS]
            .sets
            .push((CHANGES[self.bucket], Mapping::Own));
        handles
    }

    /// A bar that is pressed is selected; dragged, it becomes higher or lower.
    fn pointer(&self, context: &DrawContext, pointer: Pointer, values: &mut Values) {
        if pointer.action != PointerAction::Drag || pointer.held != Some(BARS) {
            return point(&self.handles(context), pointer, values);
        }
        if !self.is_masked(self.k) {
            let change = self.plan(context).bars.y.value(pointer.at.1) - self.simulated;
            values.set(CHANGES[self.bucket], &format!("{change:.1}"));
        }
    }
}

/// `t5-first(bucket, causal)` and `t5-last(bucket, causal)`: distances of a bucket behind;
/// `t5-side(causal)`: buckets of one direction; `t5-exact(causal)`: those of a single distance;
/// `t5-farthest()`: the distance that the rule is given.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    let of = |causal: f64| T5Buckets::new(T5_BUCKETS, T5_MAX_DISTANCE, causal != 0.0).distances();
    Some(match (name, arguments) {
        ("t5-first", &[bucket, causal]) => of(causal)[bucket as usize].first as f64,
        ("t5-last", &[bucket, causal]) => of(causal)[bucket as usize].last? as f64,
        ("t5-side", &[causal]) => of(causal).len() as f64,
        ("t5-exact", &[causal]) => {
            let alone = |at: &&BucketDistances| at.last == Some(at.first);
            of(causal).iter().take_while(alone).count() as f64
        }
        ("t5-farthest", []) => T5_MAX_DISTANCE as f64,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> Buckets {
        let values = Values::with(Buckets::FIELDS, changes);
        Buckets::new(&values, Lang::En, None)
    }

    #[test]
    fn the_ends_are_those_of_the_reference_code() {
        // mesh-tensorflow, `_relative_position_bucket`.
        assert_eq!(shown("k=-40").ends(), (32, Some(45)));
        assert_eq!(shown("k=40").ends(), (32, Some(45)));
        assert_eq!(shown("k=-100").ends(), (91, None));
        assert_eq!(shown("k=-40 model=decoder").ends(), (40, Some(45)));
        assert_eq!(shown("k=-200 model=decoder").ends(), (113, None));
        assert_eq!(shown("k=3").ends(), (3, Some(3)));
        assert_eq!((shown("k=0").bucket, shown("k=1").bucket), (0, 17));
        assert_eq!(numbers("t5-exact", &[0.0]), Some(8.0));
        assert_eq!(numbers("t5-exact", &[1.0]), Some(16.0));
    }

    #[test]
    fn one_bucket_of_an_encoder_holds_no_offset() {
        for model in ["encoder", "decoder"] {
            let it = shown(&format!("model={model}"));
            let empty: Vec<usize> = (0..T5_BUCKETS)
                .filter(|&b| it.offset_of(b).is_none())
                .collect();
            assert_eq!(empty, if model == "encoder" { vec![16] } else { vec![] });
            for bucket in 0..T5_BUCKETS {
                let offset = it.offset_of(bucket);
                assert!(offset.is_none_or(|offset| it.t5.bucket(offset) == bucket));
            }
        }
    }

    #[test]
    fn a_bias_multiplies_the_weights_of_its_bucket_alike() {
        let (it, changed) = (shown(""), shown("b12=2"));
        assert_eq!(it.bucket, 12);
        let ratio = |key: usize| changed.weights[1][key] / it.weights[1][key];
        // Keys 35 to 48 are 45 to 32 behind the query at 80.
        for key in 35..=48 {
            assert!((ratio(key) - ratio(35)).abs() < 1e-12);
        }
        for outside in [0, 34, 49, 127] {
            assert!((ratio(35) / ratio(outside) - 2f64.exp()).abs() < 1e-10);
        }
        assert_eq!(it.weights[0], changed.weights[0]);
    }

    #[test]
    fn weights_are_shares_and_a_decoder_sees_no_key_ahead() {
        for changes in [
            "",
            "model=decoder",
            "model=decoder pos=0",
            "max_len=2 b0=-4",
        ] {
            let it = shown(changes);
            for weights in &it.weights {
                assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
        assert_eq!(shown("model=decoder pos=9").weights[1].len(), 10);
    }
}
