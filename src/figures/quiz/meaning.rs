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
    const COUNT: usize = 5;
    let words: [&str; COUNT] = match dice.lang {
        Lang::En => ["we", "saw", "two", "old", "dogs"],
        Lang::Zh => ["我们", "看见", "两只", "小", "狗"],
    };
    let (first, second) = dice.pick(&[(1, 3), (0, 2), (2, 4), (0, 3), (1, 4)]);
    let seed = SEED;
    let mut normals = Normals::seeded(seed);
    let inputs = normals.matrix(COUNT, WIDTH, 1.0);
    let weights: [Matrix<f64>; 3] =
        [0.8, 0.8, 0.35].map(|deviation| normals.matrix(WIDTH, WIDTH, deviation));
    // The token at each position of the second sentence; exchanging two is its own inverse.
    let mut order: [usize; COUNT] = std::array::from_fn(|place| place);
    order.swap(first, second);
    let reordered =
        |rows: &Matrix<f64>| Matrix::from_fn(COUNT, WIDTH, |row, d| rows.at(order[row], d));
    let attention = Attention::new(weights);
    let before = attention.attend(&inputs, true).outputs;
    let after = reordered(&attention.attend(&reordered(&inputs), true).outputs);
    let changes = |word: usize| {
        let pairs = before.row(word).iter().zip(after.row(word));
        pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) > 1e-12
    };
    let changed: Vec<usize> = (0..COUNT).filter(|&word| changes(word)).collect();
    let sets: [Vec<usize>; 4] = [
        (first..=second).collect(),
        vec![first, second],
        (0..COUNT).collect(),
        vec![],
    ];
    let right = sets
        .iter()
        .position(|set| *set == changed)
        .unwrap_or_default();
    let options = vec![
        (
            say!(
                dice,
                "Those of the two words and of the words between them",
                "这两个词和它们中间的词"
            ),
            String::new(),
        ),
        (
            say!(dice, "Those of the two words", "只有这两个词"),
            say!(
                dice,
                "A word between them had one of the two before it, and now has the other.",
                "中间的词原来前面有其中一个，现在换成了另一个。"
            ),
        ),
        (
            say!(dice, "Those of all words", "所有的词"),
            say!(
                dice,
                "A word before both still sees what it saw, and for a word after both the same words stand before it, in an order that it cannot see.",
                "在两者之前的词，看到的没有变；在两者之后的词，前面还是那些词，只是次序不同，而它看不出次序。"
            ),
        ),
        (
            say!(dice, "None", "都不变"),
            say!(
                dice,
                "That would be so without the mask. With it, who stands before a word depends on the order.",
                "没有掩码才会这样。有了掩码，一个词前面有哪些词，就与次序有关了。"
            ),
        ),
    ];
    let (old, new) = (words.join(" "), order.map(|token| words[token]).join(" "));
    let [a, b] = [words[first], words[second]];
    let strip = |title: &str, rows: &Matrix<f64>, hidden| Strip {
        title: title.into(),
        rows: (words.iter().enumerate())
            .map(|(row, name)| (name.to_string(), rows.row(row).to_vec()))
            .collect(),
        hidden,
    };
    let sketch = Sketch::Strips(vec![strip(&old, &before, false), strip(&new, &after, true)]);
    Question {
        ask: say!(
            dice,
            "Self-attention without positional encoding, but with a causal mask, reads “{old}”, then “{new}”: “{a}” and “{b}” have changed places. Which words get another output?",
            "一层自注意力没有位置编码，但有因果掩码。它先读“{old}”，再读“{new}”：“{a}”和“{b}”换了位置。哪些词的输出变了？"
        ),
        answer: dice.choice(options, right),
        why: say!(
            dice,
            "With the mask an output is a weighted sum over the word and those before it. Only for “{a}”, “{b}” and what stands between them has this set changed; its order makes no difference.",
            "有掩码时，每个输出是对这个词和它前面的词加权求和。只有“{a}”“{b}”和它们中间的词，能看到的词变了；次序本身不起作用。"
        ),
        caption_before: say!(
            dice,
            "The outputs for “{old}”, a row per word; those for “{new}” are still empty. Word vectors and weights are random (seed {seed}).",
            "“{old}”的输出，每个词一行；“{new}”的输出尚未填写。词嵌入和权重是随机的（种子 {seed}）。"
        ),
        caption_after: say!(
            dice,
            "The same words in the same rows of both tables: from “{a}” to “{b}” the rows differ. Word vectors and weights are random (seed {seed}).",
            "两张表里，同一行是同一个词：从“{a}”到“{b}”的各行不同。词嵌入和权重是随机的（种子 {seed}）。"
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
