//! Questions about the numbers of the table.

use crate::draw::Scale;
use crate::figures::quiz::question::*;
use crate::figures::quiz::sketch::{Curve, Dot, Plot, Sketch, Strip, Wave};
use crate::text::labels::{POSITION_AXIS, VALUE_AXIS, pair_tag};
use crate::text::number::{fixed, short};
use crate::text::{Lang, Text};
use posenc_encoding::sin_cos;
use std::f64::consts::TAU;

pub fn start(dice: &mut Dice) -> Question {
    let pe = paper(dice.pick(&[4, 6]));
    let d = pe.d_model();
    let zero = row(&pe, 0);
    let swapped: Vec<f64> = (0..d).map(|dimension| zero[dimension ^ 1]).collect();
    let options = [
        (zero.clone(), String::new()),
        (
            vec![0.0; d],
            say!(
                dice,
                "Every cosine of 0 is 1, so half of the numbers are 1.",
                "cos 0 = 1，所以有一半的数是 1。"
            ),
        ),
        (
            swapped,
            say!(
                dice,
                "That has the cosine first; even dimensions hold the sine.",
                "这里余弦在前；偶数维放的是正弦。"
            ),
        ),
        (
            row(&pe, 1),
            say!(
                dice,
                "That is PE(1); positions start at 0.",
                "这是 PE(1)；位置从 0 开始数。"
            ),
        ),
    ];
    let right = options
        .iter()
        .position(|(numbers, _)| *numbers == zero)
        .unwrap_or_default();
    let options = options.map(|(numbers, why)| (vector(&numbers), why));
    let (shown, sine, cosine) = (
        vector(&zero),
        fixed(pe.value(1, 0), 2),
        fixed(pe.value(1, 1), 2),
    );
    Question {
        ask: say!(
            dice,
            "d_model = {d}. Which vector is PE(0), the encoding of the first position?",
            "d_model = {d}。第一个位置的编码 PE(0) 是哪个向量？"
        ),
        answer: dice.choice(options.into(), right),
        why: say!(
            dice,
            "At position 0 every angle pos·ω is 0, whatever the frequency; sin 0 = 0 and cos 0 = 1 take turns.",
            "在位置 0，无论频率多大，角度 pos·ω 都是 0；sin 0 = 0 与 cos 0 = 1 交替出现。"
        ),
        caption_before: say!(
            dice,
            "The row of position 0, still empty.",
            "位置 0 的一行，尚未填写。"
        ),
        caption_after: say!(
            dice,
            "Row 0 is {shown}. The row that begins {sine}, {cosine} is that of position 1.",
            "第 0 行是 {shown}。以 {sine}、{cosine} 开头的是位置 1。"
        ),
        sketch: Sketch::Strips(vec![Strip {
            title: say!(dice, "PE, one dimension per column", "PE，每列一个维度"),
            rows: vec![(say!(dice, "position 0", "位置 0"), zero)],
            hidden: true,
        }]),
    }
}

pub fn value(dice: &mut Dice) -> Question {
    let pe = paper(4);
    let pos: i64 = dice.pick(&[1, 2, 3, 4, 5, 6]);
    let dimension: usize = dice.pick(&[0, 0, 1]);
    let (right, other) = (pe.value(pos, dimension), pe.value(pos, dimension ^ 1));
    let (name, other_name) = if dimension == 0 {
        ("sin", "cos")
    } else {
        ("cos", "sin")
    };
    let in_degrees = sin_cos((pos as f64).to_radians());
    let in_degrees = if dimension == 0 {
        in_degrees.0
    } else {
        in_degrees.1
    };
    let other_dimension = dimension ^ 1;
    let shown = fixed(right, 2);
    let wave = (0..=140).map(|step| {
        let (sin, cos) = pe.sin_cos_at(0, step as f64 / 20.0);
        (step as f64 / 20.0, if dimension == 0 { sin } else { cos })
    });
    let colour = if dimension == 0 { SINE } else { COSINE };
    Question {
        ask: say!(
            dice,
            "d_model = 4, so ω = 1 for pair 0. Which number stands at position {pos} in dimension {dimension}?",
            "d_model = 4，因此维度对 0 的 ω = 1。位置 {pos}、维度 {dimension} 上是什么数？"
        ),
        answer: Answer::Number {
            right,
            tolerance: 0.03,
            traps: vec![
                (
                    other,
                    say!(
                        dice,
                        "That is the {other_name} of the pair, in dimension {other_dimension}.",
                        "那是这一对的 {other_name}，在维度 {other_dimension} 上。"
                    ),
                ),
                (
                    in_degrees,
                    say!(
                        dice,
                        "That takes the angle for degrees; it is in radians.",
                        "那是把角度当成了度；这里的单位是弧度。"
                    ),
                ),
            ],
        },
        why: say!(
            dice,
            "Dimension {dimension} holds the {name} of pair 0 and pos·ω = {pos} rad: {name} {pos} = {shown}.",
            "维度 {dimension} 是维度对 0 的 {name}，pos·ω = {pos} 弧度：{name} {pos} = {shown}。"
        ),
        caption_before: say!(
            dice,
            "A line at position {pos}; the wave is drawn when you have answered.",
            "位置 {pos} 处的竖线；作答后画出波形。"
        ),
        caption_after: say!(
            dice,
            "The wave of dimension {dimension} goes through {shown} at position {pos}.",
            "维度 {dimension} 的波形在位置 {pos} 处取值 {shown}。"
        ),
        sketch: Sketch::Plot(Plot {
            x: Scale::linear(0.0, 7.0),
            y: Scale::linear(-1.2, 1.2),
            titles: dice.lang.texts([VALUE_AXIS, POSITION_AXIS]),
            curves: vec![Curve {
                name: String::new(),
                colour,
                points: wave.collect(),
                known: 0,
            }],
            dots: vec![Dot {
                at: (pos as f64, right),
                name: shown,
                colour: THERE,
                hidden: true,
            }],
            line: Some((pos as f64, String::new())),
            dragged: None,
        }),
    }
}

pub fn fastest(dice: &mut Dice) -> Question {
    let d: usize = dice.pick(&[128, 64, 256, 512]);
    let pe = paper(d);
    let first: usize = dice.pick(&[0, 1, 2, 3]);
    let pairs = [first, first + d / 16, first + d / 8, d / 2 - 1];
    let speed = |a: &usize, b: &usize| pe.frequency(pairs[*a]).total_cmp(&pe.frequency(pairs[*b]));
    let right = (0..pairs.len()).max_by(speed).unwrap_or_default();
    let [best, slowest] = [pairs[right], d / 2 - 1].map(|pair| short(pe.wavelength(pair), 3));
    let options = pairs.map(|pair| {
        let length = short(pe.wavelength(pair), 3);
        let why = say!(
            dice,
            "Pair {pair} needs {length} positions for a turn.",
            "维度对 {pair} 转一圈要 {length} 个位置。"
        );
        (pair_tag(dice.lang, pair), why)
    });
    let fast = pairs[right];
    let wave = |&pair: &usize| Wave {
        name: pair_tag(dice.lang, pair),
        frequency: pe.frequency(pair),
        right: pair == fast,
    };
    let waves = pairs.iter().map(wave).collect();
    Question {
        ask: say!(
            dice,
            "d_model = {d}. Which of these pairs rotates fastest?",
            "d_model = {d}。下列维度对中，哪一个转得最快？"
        ),
        answer: dice.choice(options.into(), right),
        why: say!(
            dice,
            "The exponent 2i/d grows with i and ω = 10000^(−2i/d) falls: low indices are fast. Pair {fast} turns once in {best} positions.",
            "指数 2i/d 随 i 增大，ω = 10000^(−2i/d) 随之减小：编号小的频率高。维度对 {fast} 每 {best} 个位置转一圈。"
        ),
        caption_before: say!(
            dice,
            "Four lanes for the waves of the four pairs over 64 positions, still empty.",
            "四个维度对在 64 个位置上的波形，尚未画出。"
        ),
        caption_after: say!(
            dice,
            "Over 64 positions pair {fast} swings most often; the last pair, with a wavelength of {slowest}, has hardly left zero.",
            "在 64 个位置内，维度对 {fast} 摆动次数最多；最后一个维度对波长为 {slowest}，几乎还停在零附近。"
        ),
        sketch: Sketch::Waves(POSITION_AXIS.get(dice.lang), waves),
    }
}

/// The end of the axis of wavelengths, which begins at 1.
pub const LONGEST: f64 = 2e5;

pub fn wavelength(dice: &mut Dice) -> Question {
    let pe = paper(512);
    let pair: usize = dice.pick(&[64, 128, 192, 32, 96, 160, 224]);
    let length = pe.wavelength(pair);
    let share = |length: f64| length.ln() / LONGEST.ln();
    let first = pe.wavelength(0);
    let (shown, start) = (short(length, 3), short(first, 3));
    let points = (0..pe.pairs()).map(|pair| (pe.wavelength(pair), pair as f64));
    let pair_axis = Text::new("pair i", "维度对 i").get(dice.lang);
    let length_axis = Text::new("wavelength, positions", "波长（位置数）").get(dice.lang);
    Question {
        ask: say!(
            dice,
            "d_model = 512. Pair 0 has a wavelength of {start} positions. How long is that of pair {pair}? Drag the point.",
            "d_model = 512。维度对 0 的波长是 {start} 个位置。维度对 {pair} 的波长是多少？请拖动圆点。"
        ),
        answer: Answer::Mark {
            right: share(length),
            near: share(1.25),
            start: 0.5,
            turns: false,
            tolerance: say!(
                dice,
                "Right within a factor of 1.25.",
                "相差不超过 1.25 倍算对。"
            ),
            traps: vec![
                (
                    share(length / TAU),
                    say!(
                        dice,
                        "That is 1/ω, the positions of one radian; a full rotation takes 2π times that.",
                        "那是 1/ω，只转了一弧度；转一整圈还要乘以 2π。"
                    ),
                ),
                (
                    share(first),
                    say!(dice, "That is pair 0.", "那是维度对 0。"),
                ),
            ],
        },
        why: say!(
            dice,
            "λ = 2π·10000^(2i/d) grows tenfold every 64 pairs here. Pair {pair} has {shown} positions.",
            "λ = 2π·10000^(2i/d)，这里每隔 64 个维度对增大到十倍。维度对 {pair} 的波长为 {shown} 个位置。"
        ),
        caption_before: say!(
            dice,
            "A logarithmic axis of wavelengths; pair 0 stands at {start}. The point slides at the height of pair {pair}.",
            "波长的对数轴；维度对 0 位于 {start}。圆点在维度对 {pair} 的高度上滑动。"
        ),
        caption_after: say!(
            dice,
            "On a logarithmic axis the wavelengths of all pairs lie on a straight line; pair {pair} is at {shown}.",
            "在对数轴上，全部维度对的波长排成一条直线；维度对 {pair} 在 {shown} 处。"
        ),
        sketch: Sketch::Plot(Plot {
            x: Scale::log(1.0, LONGEST),
            y: Scale::linear(0.0, 256.0),
            titles: [pair_axis, length_axis],
            curves: vec![Curve {
                name: String::new(),
                colour: INK,
                points: points.collect(),
                known: 0,
            }],
            dots: vec![
                Dot {
                    at: (first, 0.0),
                    name: pair_tag(dice.lang, 0),
                    colour: MUTED,
                    hidden: false,
                },
                Dot {
                    at: (length, pair as f64),
                    name: shown,
                    colour: THERE,
                    hidden: true,
                },
            ],
            line: None,
            dragged: Some(pair as f64),
        }),
    }
}

pub fn norm(dice: &mut Dice) -> Question {
    let d: usize = dice.pick(&[512, 128, 32, 8, 200, 288]);
    let pos: i64 = dice.pick(&[7, 30, 64, 100]);
    let pe = paper(d);
    let lengths = |position: f64| {
        let squares = (0..pe.pairs()).map(|pair| {
            let (sin, cos) = pe.sin_cos_at(pair, position);
            (sin * sin, cos * cos)
        });
        let (sines, cosines) =
            squares.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        [(sines + cosines).sqrt(), f64::sqrt(sines)]
    };
    let all: Vec<[f64; 2]> = (0..=100)
        .map(|position| lengths(f64::from(position)))
        .collect();
    let right = all[pos as usize][0];
    let curve = |which: usize| -> Vec<(f64, f64)> {
        let positions = all.iter().enumerate();
        positions
            .map(|(position, lengths)| (position as f64, lengths[which]))
            .collect()
    };
    let (shown, pairs, width) = (short(right, 4), d / 2, d as f64);
    Question {
        ask: say!(
            dice,
            "d_model = {d}. How long is the vector PE({pos}), that is, the root of the sum of its squares?",
            "d_model = {d}。向量 PE({pos}) 的长度（各分量平方和的平方根）是多少？"
        ),
        answer: Answer::Number {
            right,
            tolerance: 0.1,
            traps: vec![
                (
                    width.sqrt(),
                    say!(
                        dice,
                        "That is √{d}, as if every dimension gave 1; it takes two of them.",
                        "那是 √{d}，相当于每个维度贡献 1；其实两个维度合起来才是 1。"
                    ),
                ),
                (
                    width / 2.0,
                    say!(
                        dice,
                        "That is the sum of the squares; the length is its root.",
                        "那是平方和；长度是它的平方根。"
                    ),
                ),
                (
                    1.0,
                    say!(
                        dice,
                        "That is the length of a single pair.",
                        "那是单个维度对的长度。"
                    ),
                ),
            ],
        },
        why: say!(
            dice,
            "Each of the {pairs} pairs gives sin² + cos² = 1, so the length is √{pairs} = {shown}, at every position.",
            "{pairs} 个维度对各贡献 sin² + cos² = 1，所以长度是 √{pairs} = {shown}，在每个位置都一样。"
        ),
        caption_before: say!(
            dice,
            "Axes for the length over the position. A number that you enter appears as a dashed line.",
            "长度随位置变化的坐标轴。输入的数会显示为一条虚线。"
        ),
        caption_after: say!(
            dice,
            "The length is {shown} at every position; with the sines alone it would change from one position to the next.",
            "长度在每个位置都是 {shown}；若只有正弦，长度会随位置变化。"
        ),
        sketch: Sketch::Plot(Plot {
            x: Scale::linear(0.0, 100.0),
            y: Scale::linear(0.0, 1.85 * right),
            titles: dice
                .lang
                .texts([Text::new("length", "长度"), POSITION_AXIS]),
            curves: vec![
                Curve {
                    name: BOTH.get(dice.lang).into(),
                    colour: INK,
                    points: curve(0),
                    known: 0,
                },
                Curve {
                    name: SINE_ALONE.get(dice.lang).into(),
                    colour: SINE,
                    points: curve(1),
                    known: 0,
                },
            ],
            dots: vec![Dot {
                at: (pos as f64, right),
                name: shown,
                colour: THERE,
                hidden: true,
            }],
            line: Some((pos as f64, String::new())),
            dragged: None,
        }),
    }
}
