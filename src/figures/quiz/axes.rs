//! Questions answered by dragging a point along an axis: of positions, pairs, distances or keys.

use crate::draw::Scale;
use crate::figures::quiz::question::*;
use crate::figures::quiz::sketch::{Curve, Dot, Plot, Sketch};
use crate::math::Clamp;
use crate::text::number::{fixed, trimmed, whole};
use crate::text::{Lang, Text, labels};
use posenc_encoding::t5_bucket;

const DISTANCE_BACK: Text = Text::new("distance back, positions", "往回的距离（位置数）");

/// The plot of such a question: a curve whose first `known` points are visible, and the point that is asked for.
pub(super) struct Asked {
    pub titles: [Text; 2],
    /// The ends of both axes.
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub points: Vec<(f64, f64)>,
    pub known: usize,
    /// A point that is visible from the start, with its label.
    pub given: Option<((f64, f64), String)>,
    pub right: (f64, f64),
    pub name: String,
    /// The y value at which the point slides.
    pub height: f64,
}

impl Asked {
    /// A value's share of the x axis, 0 … 1.
    fn share(&self, value: f64) -> f64 {
        ((value - self.x.0) / (self.x.1 - self.x.0)).clamped(0.0, 1.0)
    }

    pub fn answer(&self, near: f64, tolerance: String, traps: Vec<(f64, String)>) -> Answer {
        let shares = traps.into_iter().map(|(trap, why)| (self.share(trap), why));
        Answer::Mark {
            right: self.share(self.right.0),
            near: near / (self.x.1 - self.x.0),
            // The end of the axis that is further from the answer, so that it gives nothing away.
            start: if self.share(self.right.0) > 0.5 {
                0.0
            } else {
                1.0
            },
            turns: false,
            tolerance,
            traps: shares.collect(),
        }
    }

    pub fn sketch(self, dice: &Dice) -> Sketch {
        let given = self.given.into_iter().map(|(at, name)| Dot {
            at,
            name,
            colour: HERE,
            hidden: false,
        });
        Sketch::Plot(Plot {
            x: Scale::linear(self.x.0, self.x.1),
            y: Scale::linear(self.y.0, self.y.1),
            titles: self.titles.map(|title| title.get(dice.lang)),
            curves: vec![Curve {
                name: String::new(),
                colour: INK,
                points: self.points,
                known: self.known,
            }],
            dots: given
                .chain([Dot {
                    at: self.right,
                    name: self.name,
                    colour: THERE,
                    hidden: true,
                }])
                .collect(),
            line: None,
            dragged: Some(self.height),
        })
    }
}

pub(super) fn within_one_position(dice: &Dice) -> String {
    say!(
        dice,
        "Right within one position.",
        "误差不超过一个位置算对。"
    )
}

/// A whole number of turns never takes a whole number of positions; 44 positions are nearly seven turns.
pub fn returns(dice: &mut Dice) -> Question {
    const REACH: usize = 50;
    let pe = paper(2);
    // ‖PE(pos) − PE(0)‖ of one pair.
    let distance = |pos: usize| {
        let (sin, cos) = pe.sin_cos_at(0, pos as f64);
        sin.hypot(1.0 - cos)
    };
    let first: usize = dice.pick(&[1, 8, 14]);
    let nearest = (first..=REACH).min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    let nearest = nearest.unwrap_or(first);
    let apart = fixed(distance(nearest), 3);
    let asked = Asked {
        titles: [
            Text::new("distance from PE(0)", "与 PE(0) 的距离"),
            labels::POSITION_AXIS,
        ],
        x: (0.0, REACH as f64),
        y: (0.0, 2.2),
        points: (0..=REACH).map(|pos| (pos as f64, distance(pos))).collect(),
        known: 6,
        given: None,
        right: (nearest as f64, distance(nearest)),
        name: nearest.to_string(),
        height: 0.0,
    };
    Question {
        ask: say!(
            dice,
            "Pair 0 alone rotates by one radian per position. Which position from {first} to {REACH} comes closest to position 0? Drag the point.",
            "只看维度对 0，每个位置转一弧度。从位置 {first} 到 {REACH}，哪一个离位置 0 最近？请拖动圆点。"
        ),
        answer: asked.answer(
            1.2,
            within_one_position(dice),
            vec![(
                6.0,
                say!(
                    dice,
                    "One turn takes 6.28 positions, so 6 falls well short of it.",
                    "转一圈要 6.28 个位置，到 6 还差不少。"
                ),
            )],
        ),
        why: say!(
            dice,
            "{nearest} radians are almost exactly a whole number of turns: the distance is {apart}. It is never zero, as 2π is irrational.",
            "{nearest} 弧度几乎正好是整数圈：距离只有 {apart}。但永远不会是零，因为 2π 是无理数。"
        ),
        caption_before: say!(
            dice,
            "The distance from PE(0) for the first positions; the rest is hidden.",
            "前几个位置与 PE(0) 的距离；其余隐藏。"
        ),
        caption_after: say!(
            dice,
            "The distance from PE(0): it comes close to zero again and again, closest at {nearest}.",
            "与 PE(0) 的距离：一再接近零，最近的是 {nearest}。"
        ),
        sketch: asked.sketch(dice),
    }
}

/// Where the stripes of the heatmap begin: the first pair that completes no cycle within the table.
pub fn stripes(dice: &mut Dice) -> Question {
    let d: usize = 512;
    let length: i64 = dice.pick(&[50, 200, 20, 1000]);
    let pe = paper(d);
    let pairs = pe.pairs();
    let cycles = |pair: usize| length as f64 / pe.wavelength(pair);
    let first = (0..pairs).find(|pair| cycles(*pair) < 1.0).unwrap_or(pairs);
    let half = pairs / 2;
    let asked = Asked {
        titles: [
            Text::new("cycles within the table", "表内的周期数"),
            labels::PAIR_AXIS,
        ],
        x: (0.0, pairs as f64),
        y: (0.0, 4.0),
        points: (0..pairs)
            .map(|pair| (pair as f64, cycles(pair)))
            .filter(|(_, cycles)| *cycles <= 4.0)
            .collect(),
        known: 0,
        given: None,
        right: (first as f64, cycles(first.min(pairs - 1))),
        name: first.to_string(),
        height: 1.0,
    };
    Question {
        ask: say!(
            dice,
            "d_model = {d}, {length} positions. From which pair on is the table too short for one whole cycle, so that stripes begin? Drag the point.",
            "d_model = {d}，{length} 个位置。从哪个维度对起，整张表放不下一个完整周期，于是出现条纹？请拖动圆点。"
        ),
        answer: asked.answer(
            12.0,
            say!(dice, "Right within 12 pairs.", "误差不超过 12 对算对。"),
            vec![(
                half as f64,
                say!(
                    dice,
                    "That is the middle of the table; where stripes begin depends on its length.",
                    "那是表的正中间；条纹从哪里开始，取决于表有多长。"
                ),
            )],
        ),
        why: say!(
            dice,
            "Pair i needs 2π·10000^(2i/d) positions for a cycle. From pair {first} on that is more than {length}.",
            "维度对 i 走完一个周期要 2π·10000^(2i/d) 个位置。从第 {first} 对起，就超过 {length} 了。"
        ),
        caption_before: say!(
            dice,
            "The point slides at the height of one whole cycle.",
            "圆点在“一个完整周期”的高度上滑动。"
        ),
        caption_after: say!(
            dice,
            "Cycles within {length} positions: below one from pair {first} on.",
            "{length} 个位置以内的周期数：从第 {first} 对起不足一个。"
        ),
        sketch: asked.sketch(dice),
    }
}

/// The key with the highest logit if W between the encodings of query and key is M_k.
pub fn looks_back(dice: &mut Dice) -> Question {
    const KEYS: usize = 64;
    let pe = paper(64);
    let pos: i64 = dice.pick(&[40, 45, 50]);
    let k: i64 = -dice.pick(&[12, 7, 20]);
    // With PE(pos)ᵀ·W = PE(pos + k)ᵀ the logits are means of cosines around pos + k.
    let logit = |key: i64| {
        let offset = (pos + k - key) as f64;
        let cosines = (0..pe.pairs()).map(|pair| pe.sin_cos_at(pair, offset).1);
        cosines.sum::<f64>() / pe.pairs() as f64
    };
    let (target, back, by) = (pos + k, -k, whole(k));
    let asked = Asked {
        titles: [labels::LOGIT, labels::KEY_AXIS],
        x: (0.0, KEYS as f64 - 1.0),
        y: (0.0, 1.2),
        points: (0..KEYS as i64)
            .map(|key| (key as f64, logit(key)))
            .collect(),
        known: 0,
        given: None,
        right: (target as f64, 1.0),
        name: target.to_string(),
        height: 0.0,
    };
    Question {
        ask: say!(
            dice,
            "Between the encodings of query and key stand weights that rotate every pair of the query by kω with k = {by}. The query is at position {pos}. Drag the point to the key with the highest logit.",
            "查询与键的编码之间，权重把查询的每个维度对转过 kω，k = {by}。查询在位置 {pos}。请把圆点拖到注意力分数最高的键。"
        ),
        answer: asked.answer(
            1.2,
            within_one_position(dice),
            vec![
                (
                    pos as f64,
                    say!(
                        dice,
                        "That would be the identity: every token looks at itself.",
                        "那是单位矩阵的情形：每个词元看自己。"
                    ),
                ),
                (
                    (pos - k) as f64,
                    say!(
                        dice,
                        "That is as far ahead; the offset is negative.",
                        "那是往后同样远的地方；偏移量是负的。"
                    ),
                ),
            ],
        ),
        why: say!(
            dice,
            "The weights make PE({pos}) into PE({target}), and no encoding is more like that than itself: attention looks {back} back, from every position.",
            "权重把 PE({pos}) 变成 PE({target})，而与它最像的就是它自己：无论从哪里出发，注意力都往回看 {back} 个位置。"
        ),
        caption_before: say!(
            dice,
            "The keys by their positions; their logits are hidden.",
            "键按位置排列；注意力分数隐藏。"
        ),
        caption_after: say!(
            dice,
            "The logits of all keys, highest at {target}.",
            "所有键的注意力分数，最高的在 {target}。"
        ),
        sketch: asked.sketch(dice),
    }
}

/// The linear bias of a head of ALiBi (Press et al. 2022).
pub fn alibi(dice: &mut Dice) -> Question {
    const REACH: usize = 32;
    let slope: f64 = dice.pick(&[0.25, 0.125, 0.5]);
    let drop: f64 = dice.pick(&[2.0, 3.0]);
    let distance = drop / slope;
    let (slope_text, drop_text) = (trimmed(slope, 3), trimmed(drop, 1));
    let asked = Asked {
        titles: [labels::ADDED, DISTANCE_BACK],
        x: (0.0, REACH as f64),
        y: (-(REACH as f64) * slope, 0.0),
        points: (0..=REACH)
            .map(|back| (back as f64, -slope * back as f64))
            .collect(),
        known: 3,
        given: None,
        right: (distance, -drop),
        name: trimmed(distance, 1),
        height: -drop,
    };
    let right = trimmed(distance, 1);
    Question {
        ask: say!(
            dice,
            "A head of ALiBi has the slope {slope_text}. How far back is the key whose logit it lowers by {drop_text}? Drag the point.",
            "ALiBi 的一个注意力头斜率为 {slope_text}。分数被减去 {drop_text} 的键，在往回多远处？请拖动圆点。"
        ),
        answer: asked.answer(
            1.2,
            within_one_position(dice),
            vec![(
                drop,
                say!(dice, "That would be the slope 1.", "那是斜率为 1 的情形。"),
            )],
        ),
        why: say!(
            dice,
            "The bias is −slope × distance, so {drop_text} are reached after {right} positions, whatever the words are.",
            "偏置等于 −斜率 × 距离，走 {right} 个位置就减去 {drop_text}，与词是什么无关。"
        ),
        caption_before: say!(
            dice,
            "The bias of the first distances.",
            "前几个距离上的偏置。"
        ),
        caption_after: say!(
            dice,
            "The bias falls along a straight line; at {right} it is −{drop_text}.",
            "偏置沿直线下降；在 {right} 处为 −{drop_text}。"
        ),
        sketch: asked.sketch(dice),
    }
}

/// The distance from which on all keys share the last bucket, in T5's encoder or decoder.
pub fn last_bucket(dice: &mut Dice) -> Question {
    const REACH: usize = 160;
    let causal = dice.pick(&[false, true]);
    let bucket = |back: usize| t5_bucket(-(back as i64), causal);
    let last = bucket(REACH);
    let first = (0..=REACH)
        .find(|back| bucket(*back) == last)
        .unwrap_or(REACH);
    let who = match (dice.lang, causal) {
        (Lang::En, false) => "encoder",
        (Lang::En, true) => "decoder",
        (Lang::Zh, false) => "编码器",
        (Lang::Zh, true) => "解码器",
    };
    let asked = Asked {
        titles: [Text::new("bucket", "桶"), DISTANCE_BACK],
        x: (0.0, REACH as f64),
        y: (0.0, last as f64 + 2.0),
        points: (0..=REACH)
            .map(|back| (back as f64, bucket(back) as f64))
            .collect(),
        known: 12,
        given: None,
        right: (first as f64, last as f64),
        name: first.to_string(),
        height: last as f64,
    };
    Question {
        ask: say!(
            dice,
            "The {who} of T5 sorts distances into buckets, one number learned for each. From which distance back on do all keys share the last bucket? Drag the point.",
            "T5 的{who}把距离分桶，每桶学一个数。从往回多远起，所有的键都落在最后一个桶里？请拖动圆点。"
        ),
        answer: asked.answer(
            6.0,
            say!(dice, "Right within 6 positions.", "误差不超过 6 个位置算对。"),
            vec![(
                128.0,
                say!(
                    dice,
                    "128 is where the logarithm of the formula ends; the last bucket begins before that.",
                    "128 是公式里对数的尽头；最后一个桶在那之前就开始了。"
                ),
            )],
        ),
        why: say!(
            dice,
            "Short distances have buckets of their own, longer ones share on a logarithmic scale; the last bucket begins at {first} and never ends.",
            "短距离各有各的桶，更长的按对数刻度合并；最后一个桶从 {first} 开始，没有尽头。"
        ),
        caption_before: say!(
            dice,
            "The buckets of the first distances; the point slides at the height of the last.",
            "前几个距离的桶；圆点在最后一个桶的高度上滑动。"
        ),
        caption_after: say!(
            dice,
            "Buckets over the distance: steps that get longer, the last from {first} on.",
            "桶随距离的变化：台阶越来越长，最后一级从 {first} 开始。"
        ),
        sketch: asked.sketch(dice),
    }
}
