//! Questions about order and positions in attention.

use crate::draw::Scale;
use crate::figures::extrapolation::perplexity::TRAINED_ON_512;
use crate::figures::quiz::question::*;
use crate::figures::quiz::sketch::{Curve, Dot, Plot, Sketch, Strip};
use crate::math::attention::Attention;
use crate::math::random::Normals;
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text};
use posenc_encoding::Matrix;

pub fn swap(dice: &mut Dice) -> Question {
    const WIDTH: usize = 4;
    const SEED: u64 = 171;
    let words = match dice.lang {
        Lang::En => ["cat", "chases", "dog"],
        Lang::Zh => ["猫", "追", "狗"],
    };
    let order = dice.pick(&[[2, 1, 0], [1, 0, 2], [2, 0, 1]]);
    let seed = SEED;
    let mut normals = Normals::seeded(seed);
    let inputs = normals.matrix(words.len(), WIDTH, 1.0);
    let weights: [Matrix<f64>; 3] =
        [0.8, 0.8, 0.35].map(|deviation| normals.matrix(WIDTH, WIDTH, deviation));
    let mut moved = inputs.clone();
    for (row, &token) in order.iter().enumerate() {
        moved.values[row * WIDTH..][..WIDTH].copy_from_slice(inputs.row(token));
    }
    let attention = Attention::new(weights);
    let [before, after] = [&inputs, &moved].map(|inputs| attention.attend(inputs, false).outputs);
    let far = |place: &dyn Fn(usize) -> usize| {
        let rows =
            (0..words.len()).flat_map(|row| after.row(row).iter().zip(before.row(place(row))));
        rows.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
    };
    let right = match (far(&|row| row) < 1e-12, far(&|row| order[row]) < 1e-12) {
        (true, _) => 1,
        (_, true) => 0,
        _ => 2,
    };
    let options = vec![
        (
            say!(
                dice,
                "Each word keeps its output; only the rows change places",
                "每个词的输出不变，只是行的次序变了"
            ),
            String::new(),
        ),
        (
            say!(dice, "Every row stays as it is", "每一行都保持原样"),
            say!(
                dice,
                "Rows move with their words (equivariance). Only what is pooled over all rows, such as their mean, stays as it is (invariance).",
                "行会跟着词移动（等变）；只有对所有行汇总的结果（如均值）才保持不变（不变性）。"
            ),
        ),
        (
            say!(dice, "The words get other outputs", "各个词得到不同的输出"),
            say!(
                dice,
                "For that, attention would have to know who stands where; without positions it sees the words as a set.",
                "那样注意力就得知道谁在什么位置；没有位置编码，它看到的只是一个集合。"
            ),
        ),
    ];
    let (old, new) = (words.join(" "), order.map(|token| words[token]).join(" "));
    let strip = |title: &str, rows: &Matrix<f64>, names: [&str; 3], hidden| Strip {
        title: title.into(),
        rows: names
            .map(String::from)
            .into_iter()
            .enumerate()
            .map(|(row, name)| (name, rows.row(row).to_vec()))
            .collect(),
        hidden,
    };
    let sketch = Sketch::Strips(vec![
        strip(&old, &before, words, false),
        strip(&new, &after, order.map(|token| words[token]), true),
    ]);
    Question {
        ask: say!(
            dice,
            "Self-attention without positional encoding and without a mask reads “{old}”, then “{new}”. What becomes of its outputs?",
            "没有位置编码、也没有掩码的自注意力先读“{old}”，再读“{new}”。输出会怎样？"
        ),
        answer: dice.choice(options, right),
        why: say!(
            dice,
            "Each output is a weighted sum over all words, and a sum does not ask for their order: permuting the inputs permutes the outputs.",
            "每个输出都是对所有词的加权和，而求和与次序无关：输入怎样重排，输出就怎样重排。"
        ),
        caption_before: say!(
            dice,
            "The outputs for “{old}”, a row per word; those for “{new}” are still empty. Word vectors and weights are random (seed {seed}).",
            "“{old}”的输出，每个词一行；“{new}”的输出尚未填写。词嵌入和权重是随机的（种子 {seed}）。"
        ),
        caption_after: say!(
            dice,
            "Both tables hold the same three rows, moved with their words. Word vectors and weights are random (seed {seed}).",
            "两张表是同样的三行，跟着各自的词换了位置。词嵌入和权重是随机的（种子 {seed}）。"
        ),
        sketch,
    }
}

pub fn beyond(dice: &mut Dice) -> Question {
    let max_len: i64 = dice.pick(&[5000, 512, 2048]);
    let (pos, last, pe) = (max_len + 1, max_len - 1, paper(512));
    let length = row(&pe, pos)
        .iter()
        .map(|value| value * value)
        .sum::<f64>()
        .sqrt();
    let computable = (length - f64::sqrt(pe.pairs() as f64)).abs() < 1e-9;
    let right = match (computable, pos < max_len) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 2,
    };
    let options = vec![
        (
            say!(
                dice,
                "It has no encoding: the formula ends there",
                "没有编码：公式到此为止"
            ),
            say!(
                dice,
                "The formula takes any position; only a table ends.",
                "公式对任何位置都能算；有尽头的只是表。"
            ),
        ),
        (
            say!(
                dice,
                "The formula gives it, but the table has no such row, and a model trained on less may do worse",
                "公式能算，但表里没有这一行，而且在较短文本上训练的模型可能变差"
            ),
            String::new(),
        ),
        (
            say!(
                dice,
                "It works as before, since sines are periodic",
                "照样能用，因为正弦是周期函数"
            ),
            say!(
                dice,
                "Periodic or not, a model has never seen these rows with these texts.",
                "周期与否，模型都没有在文本中见过这些行。"
            ),
        ),
    ];
    let (first, final_) = (TRAINED_ON_512[0], TRAINED_ON_512[4]);
    let (start, end) = (fixed(first.1, 2), fixed(final_.1, 2));
    let (from, to) = (whole(first.0 as i64), whole(final_.0 as i64));
    let titles = [
        Text::new("perplexity", "困惑度"),
        Text::new("tokens of the input", "输入的词元数"),
    ];
    Question {
        ask: say!(
            dice,
            "A table of PE is made with max_len = {max_len}; its last row is {last}. What about position {pos}?",
            "按 max_len = {max_len} 做好一张 PE 表，最后一行是 {last}。位置 {pos} 怎么办？"
        ),
        answer: dice.choice(options, right),
        why: say!(
            dice,
            "Computable is not usable: the usual code slices a fixed table and fails, and where rows are computed, quality may still fall, as it did here.",
            "能算不等于能用：常见代码从固定的表中切片，会直接报错；即使把新的行算出来，质量也可能下降，这里就是如此。"
        ),
        caption_before: say!(
            dice,
            "Perplexity of a sinusoidal model trained on sequences of {from} tokens (Press et al. 2022): {start} at that length.",
            "训练序列长度为 {from} 个词元的正弦编码模型的困惑度（Press 等，2022）：在该长度上为 {start}。"
        ),
        caption_after: say!(
            dice,
            "Trained on sequences of {from} tokens, the model’s perplexity goes from {start} to {end} at {to} (Press et al. 2022); lower is better. The rows were there, the quality was not.",
            "模型的训练序列长度为 {from} 个词元，困惑度从 {start} 升到 {to} 个词元时的 {end}（Press 等，2022），越低越好。编码有了，质量却没有。"
        ),
        sketch: Sketch::Plot(Plot {
            x: Scale::linear(500.0, 1030.0),
            y: Scale::linear(0.0, 52.0),
            titles: titles.map(|text| text.get(dice.lang)),
            curves: vec![Curve {
                name: String::new(),
                colour: INK,
                points: TRAINED_ON_512.into(),
                known: 0,
            }],
            dots: vec![
                Dot {
                    at: first,
                    name: start,
                    colour: MUTED,
                    hidden: false,
                },
                Dot {
                    at: final_,
                    name: end,
                    colour: THERE,
                    hidden: true,
                },
            ],
            line: None,
            dragged: None,
        }),
    }
}
