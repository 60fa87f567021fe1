//! Questions about dot products of encodings.

use crate::draw::Scale;
use crate::figures::quiz::question::*;
use crate::figures::quiz::sketch::{Curve, Dot, Plot, Sketch};
use crate::text::number::fixed;
use crate::text::{Lang, Text};
use posenc_encoding::Sinusoidal;

/// PE(m)·PE(n) for m − n = 0 … count − 1.
fn products(pe: &Sinusoidal, count: usize) -> Vec<f64> {
    let product = |offset: usize| {
        (0..pe.pairs())
            .map(|pair| pe.sin_cos_at(pair, offset as f64).1)
            .sum()
    };
    (0..count).map(product).collect()
}

/// The index up to which every number is below the one before.
fn falls_until(values: &[f64]) -> usize {
    values.windows(2).take_while(|two| two[1] < two[0]).count()
}

pub fn decay(dice: &mut Dice) -> Question {
    const REACH: usize = 121;
    // With a larger d_model the product rises too, but by less than is visible.
    let d: usize = dice.pick(&[64, 32, 128, 96]);
    let pe = paper(d);
    let values: Vec<f64> = products(&pe, REACH)
        .iter()
        .map(|value| value / pe.pairs() as f64)
        .collect();
    let until = falls_until(&values);
    let constant = values.iter().all(|value| *value == values[0]);
    let right = if constant {
        2
    } else {
        usize::from(until + 1 < values.len())
    };
    let options = vec![
        (
            say!(dice, "It always falls", "一直下降"),
            say!(
                dice,
                "The cosines of fast pairs come back up again and again, and so does their sum.",
                "高频维度对的余弦会一再回升，它们的和也随之回升。"
            ),
        ),
        (
            say!(
                dice,
                "It falls at first, then goes up and down",
                "先下降，然后有升有降"
            ),
            String::new(),
        ),
        (
            say!(dice, "It stays the same", "保持不变"),
            say!(
                dice,
                "It stays the same when both move together; here they move apart.",
                "两者一起移动时才不变；这里二者越离越远。"
            ),
        ),
    ];
    let points = values
        .iter()
        .enumerate()
        .map(|(offset, value)| (offset as f64, *value));
    let at = (until as f64, values[until]);
    Question {
        ask: say!(
            dice,
            "d_model = {d}. Positions m and n move apart. What does the dot product PE(m)·PE(n) do?",
            "d_model = {d}。位置 m 与 n 逐渐拉开，点积 PE(m)·PE(n) 会怎样？"
        ),
        answer: dice.choice(options, right),
        why: say!(
            dice,
            "It is the sum of cos(ω(m − n)) over all pairs: it falls without a break only up to offset {until} at this width.",
            "它是所有维度对的 cos(ω(m − n)) 之和：d_model 取这个值时，只在偏移量 {until} 以内才持续下降。"
        ),
        caption_before: say!(
            dice,
            "The first four values of PE(m)·PE(n), divided by the value at offset 0.",
            "PE(m)·PE(n) 的前四个值（除以偏移量为 0 时的值）。"
        ),
        caption_after: say!(
            dice,
            "PE(m)·PE(n) over the offset, divided by its value at 0: after offset {until} it rises again.",
            "PE(m)·PE(n) 随偏移量的变化（除以偏移量为 0 时的值）：过了偏移量 {until} 又开始回升。"
        ),
        sketch: Sketch::Plot(Plot {
            x: Scale::linear(0.0, REACH as f64 - 1.0),
            y: Scale::linear(0.0, 1.05),
            titles: dice
                .lang
                .texts([Text::new("PE(m)·PE(n)", "PE(m)·PE(n)"), OFFSET_AXIS]),
            curves: vec![Curve {
                name: String::new(),
                colour: INK,
                points: points.collect(),
                known: 4,
            }],
            dots: vec![Dot {
                at,
                name: until.to_string(),
                colour: THERE,
                hidden: true,
            }],
            line: None,
            dragged: None,
        }),
    }
}

pub fn offset(dice: &mut Dice) -> Question {
    let d: usize = dice.pick(&[64, 128, 32]);
    let pe = paper(d);
    let p: i64 = dice.pick(&[3, 2, 4]);
    let q = p + dice.pick(&[5, 4, 7]);
    let shift: i64 = dice.pick(&[100, 40, 1000]);
    let dot = |a: i64, b: i64| -> f64 {
        row(&pe, a)
            .iter()
            .zip(row(&pe, b))
            .map(|(x, y)| x * y)
            .sum()
    };
    let wanted = dot(p, q);
    let others = [
        (p + shift, q + shift),
        (2 * p, 2 * q),
        (p, q + 3),
        (0, p + q),
    ];
    let miss = |&(a, b): &(i64, i64)| (dot(a, b) - wanted).abs();
    let closest = (0..others.len()).min_by(|&a, &b| miss(&others[a]).total_cmp(&miss(&others[b])));
    let right = closest.unwrap_or_default();
    let apart = q - p;
    let options = others.map(|(a, b)| {
        let (value, gap) = (fixed(dot(a, b), 2), b - a);
        let why = say!(
            dice,
            "These are {gap} apart, not {apart}, and give {value}.",
            "这两个位置相距 {gap} 而不是 {apart}，点积为 {value}。"
        );
        (format!("PE({a})·PE({b})"), why)
    });
    let shown = fixed(wanted, 2);
    let (a, b) = others[right];
    let values = products(&pe, 31);
    let points = values
        .iter()
        .enumerate()
        .map(|(offset, value)| (offset as f64, *value));
    let mut dots = vec![Dot {
        at: (apart as f64, wanted),
        name: shown.clone(),
        colour: THERE,
        hidden: false,
    }];
    dots.extend(
        others
            .iter()
            .filter(|(a, b)| b - a != apart)
            .map(|&(a, b)| Dot {
                at: ((b - a) as f64, dot(a, b)),
                name: String::new(),
                colour: MUTED,
                hidden: true,
            }),
    );
    Question {
        ask: say!(
            dice,
            "d_model = {d}. PE({p})·PE({q}) = {shown}. Which of these is the same?",
            "d_model = {d}。PE({p})·PE({q}) = {shown}。下列哪一个与它相等？"
        ),
        answer: dice.choice(options.into(), right),
        why: say!(
            dice,
            "PE(m)·PE(n) = Σ cos(ω(m − n)) depends on the offset alone, and {b} − {a} = {q} − {p} = {apart}.",
            "PE(m)·PE(n) = Σ cos(ω(m − n)) 只取决于偏移量，而 {b} − {a} = {q} − {p} = {apart}。"
        ),
        caption_before: say!(
            dice,
            "PE({p})·PE({q}) at its offset, {apart}.",
            "PE({p})·PE({q}) 位于偏移量 {apart} 处。"
        ),
        caption_after: say!(
            dice,
            "The dot product over the offset. All positions that are {apart} apart share the value {shown}; grey points are the other answers.",
            "点积随偏移量的变化。凡是相距 {apart} 的两个位置，点积都是 {shown}；灰点是其余选项。"
        ),
        sketch: Sketch::Plot(Plot {
            x: Scale::linear(0.0, 30.0),
            y: Scale::linear(0.0, 1.1 * values[0]),
            titles: dice
                .lang
                .texts([Text::new("PE(m)·PE(n)", "PE(m)·PE(n)"), OFFSET_AXIS]),
            curves: vec![Curve {
                name: String::new(),
                colour: INK,
                points: points.collect(),
                known: 0,
            }],
            dots,
            line: None,
            dragged: None,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dot_product_falls_without_a_break_only_at_first() {
        // Offsets by NumPy.
        for (d, until) in [(512, 43), (64, 5)] {
            assert_eq!(falls_until(&products(&paper(d), 121)), until);
        }
    }
}
