//! Questions about the table in code: its size compared with an embedding, and common mistakes in it.

use crate::figures::quiz::question::*;
use crate::figures::quiz::sketch::{Sketch, Strip};
use crate::math::random::Normals;
use crate::text::number::fixed;
use crate::text::{Lang, Text};
use posenc_encoding::sin_cos;

/// PE(pos) compared with an embedding that was multiplied by √d_model, as in Vaswani et al. 2017, §3.4.
pub fn scale(dice: &mut Dice) -> Question {
    const SHOWN: usize = 6;
    const SEED: u64 = 5;
    let d: usize = dice.pick(&[512, 128, 1024]);
    let pos: i64 = dice.pick(&[5, 12, 30]);
    let pe = paper(d);
    let length = (pe.pairs() as f64).sqrt();
    let right = length / (d as f64).sqrt();
    let (length_text, right_text) = (fixed(length, 1), fixed(right, 2));
    let word = Normals::seeded(SEED).matrix(1, SHOWN, 1.0).values;
    let encoding = row(&pe, pos)[..SHOWN].to_vec();
    let strip = |title: String, name: String, numbers: Vec<f64>, hidden| Strip {
        title,
        rows: vec![(name, numbers)],
        hidden,
    };
    Question {
        ask: say!(
            dice,
            "d_model = {d}. The numbers of an embedding have mean 0 and standard deviation 1/√d_model. The paper multiplies it by √d_model and adds PE(pos). How many times as long as the multiplied embedding is PE(pos)?",
            "d_model = {d}。词嵌入各数的均值为 0，标准差为 1/√d_model。论文先把它乘以 √d_model，再加上 PE(pos)。PE(pos) 的长度是乘过之后的词嵌入的几倍？"
        ),
        answer: Answer::Number {
            right,
            tolerance: 0.02,
            traps: vec![
                (
                    length,
                    say!(
                        dice,
                        "That is without the factor: the embedding alone has a length of about 1.",
                        "那是不乘这个系数的情形：词嵌入本身的长度约为 1。"
                    ),
                ),
                (
                    1.0,
                    say!(
                        dice,
                        "Squares of sine and cosine sum to 1 for two dimensions, so the mean square is a half.",
                        "正弦与余弦的平方和为 1，占两个维度，所以均方是二分之一。"
                    ),
                ),
                (
                    2f64.sqrt(),
                    say!(
                        dice,
                        "That is the other way round: how many times as long as PE(pos) the embedding is.",
                        "正好反了：那是词嵌入的长度是 PE(pos) 的几倍。"
                    ),
                ),
            ],
        },
        why: say!(
            dice,
            "PE(pos) has the length √(d_model/2) = {length_text}, the multiplied embedding about √d_model: 1/√2 = {right_text} at any width. Without the factor the embedding would be {length_text} times shorter than what is added to it.",
            "PE(pos) 的长度是 √(d_model/2) = {length_text}，乘过之后的词嵌入约为 √d_model，所以无论多少维都是 1/√2 = {right_text}。不乘这个系数，加上去的编码就是词嵌入的 {length_text} 倍长。"
        ),
        caption_before: say!(
            dice,
            "The first {SHOWN} of {d} dimensions of a multiplied embedding, drawn at random (seed {SEED}); those of PE({pos}) are hidden.",
            "乘过之后的词嵌入的前 {SHOWN} 维（共 {d} 维），随机生成（种子 {SEED}）；PE({pos}) 的前几维隐藏。"
        ),
        caption_after: say!(
            dice,
            "Both are of one size: {SHOWN} of {d} dimensions of a multiplied embedding, drawn at random (seed {SEED}), and of PE({pos}).",
            "两者大小相当：乘过之后的词嵌入（随机生成，种子 {SEED}）与 PE({pos}) 的前 {SHOWN} 维，共 {d} 维。"
        ),
        sketch: Sketch::Strips(vec![
            strip(
                say!(dice, "embedding × √d_model", "词嵌入 × √d_model"),
                say!(dice, "word", "词"),
                word,
                false,
            ),
            strip(
                say!(dice, "the encoding", "位置编码"),
                format!("PE({pos})"),
                encoding,
                true,
            ),
        ]),
    }
}

/// A common mistake in code that computes the table.
struct Mistake {
    name: Text,
    /// What the table would show if it had this mistake.
    would_show: Text,
    why: Text,
    /// Computes a row of `WIDTH` dimensions with this mistake.
    row: fn(pos: i64) -> Vec<f64>,
}

const WIDTH: usize = 4;

const MISTAKES: [Mistake; 4] = [
    Mistake {
        name: Text::new(
            "The exponent has the dimension where 2i belongs",
            "指数里本该是 2i，却用了维度的编号",
        ),
        would_show: Text::new(
            "Dimension 1 would be ten times slower than dimension 0 then.",
            "那样第 1 维会比第 0 维慢十倍。",
        ),
        why: Text::new(
            "Dimension 1 is cos(pos/10) where the paper has cos(pos). A cosine of another angle is no partner for the sine: no matrix rotates such a pair.",
            "第 1 维是 cos(pos/10)，论文里是 cos(pos)。角度不同的余弦配不成对：没有矩阵能旋转这样的一对。",
        ),
        row: |pos| {
            // The exponent grows by 1/4 per column: ω = 1, 1/10, 1/100, 1/1000.
            let sin_cos = [0, 1, 2, 3].map(|column| sin_cos(pos as f64 / 10f64.powi(column)));
            vec![sin_cos[0].0, sin_cos[1].1, sin_cos[2].0, sin_cos[3].1]
        },
    },
    Mistake {
        name: Text::new("Sine and cosine have changed places", "正弦和余弦放反了"),
        would_show: Text::new(
            "Row 0 would begin with 1 then, the cosine of 0.",
            "那样第 0 行会以 1（0 的余弦）开头。",
        ),
        why: Text::new(
            "Row 0 is 1, 0, 1, 0: cosines stand in the even dimensions. In code, pe[:, 0::2] takes the sine.",
            "第 0 行是 1, 0, 1, 0：偶数维里放的是余弦。代码里应当是 pe[:, 0::2] 取正弦。",
        ),
        row: |pos| {
            let right = correct(pos);
            vec![right[1], right[0], right[3], right[2]]
        },
    },
    Mistake {
        name: Text::new("Positions start at 1", "位置从 1 数起"),
        would_show: Text::new(
            "Row 0 would not consist of zeros and ones then.",
            "那样第 0 行就不会只有 0 和 1。",
        ),
        why: Text::new(
            "Row 0 is PE(1), so everything is one position late. In code, arange(max_len) counts from 0.",
            "第 0 行是 PE(1)，全部错后一个位置。代码里 arange(max_len) 从 0 数起。",
        ),
        row: |pos| correct(pos + 1),
    },
    Mistake {
        name: Text::new(
            "The division by 10000^(2i/d) is missing",
            "漏掉了除以 10000^(2i/d)",
        ),
        would_show: Text::new(
            "Both pairs would hold the same numbers then.",
            "那样两个维度对的数会完全一样。",
        ),
        why: Text::new(
            "Both pairs hold sin(pos) and cos(pos): all clocks run at one speed, and positions soon look alike.",
            "两个维度对都是 sin(pos) 和 cos(pos)：所有的钟一样快，位置很快就分不清了。",
        ),
        row: |pos| {
            let right = correct(pos);
            vec![right[0], right[1], right[0], right[1]]
        },
    },
];

/// The row without a mistake, as in the paper.
fn correct(pos: i64) -> Vec<f64> {
    row(&paper(WIDTH), pos)
}

/// A table with one of the `MISTAKES`, which is to be found.
pub fn mistake(dice: &mut Dice) -> Question {
    let right = dice.pick(&[0, 1, 2, 3]);
    let made = &MISTAKES[right];
    let say = |text: Text| text.get(dice.lang).to_string();
    let options = MISTAKES.map(|it| (say(it.name), say(it.would_show)));
    let why = say(made.why);
    let rows = |of: fn(i64) -> Vec<f64>| {
        (0..3)
            .map(|pos| (say!(dice, "position {pos}", "位置 {pos}"), of(pos)))
            .collect()
    };
    let sketch = Sketch::Strips(vec![
        Strip {
            title: say!(dice, "what the code gave", "代码给出的表"),
            rows: rows(made.row),
            hidden: false,
        },
        Strip {
            title: say!(dice, "the paper’s table", "论文的表"),
            rows: rows(correct),
            hidden: true,
        },
    ]);
    Question {
        ask: say!(
            dice,
            "Somebody’s code gave this table for d_model = {WIDTH}. What went wrong?",
            "某人的代码在 d_model = {WIDTH} 时给出了这张表。错在哪里？"
        ),
        answer: dice.choice(options.into(), right),
        why,
        caption_before: say!(
            dice,
            "Three rows of a table with a mistake; the paper’s are still empty.",
            "一张有错的表的三行；论文的三行尚未填写。"
        ),
        caption_after: say!(
            dice,
            "Three rows of a table with a mistake, and the paper’s.",
            "一张有错的表的三行，以及论文的三行。"
        ),
        sketch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The four tables by their formulas, with the standard library's functions.
    #[test]
    fn each_table_has_its_mistake() {
        let frequency = |dimension: usize| 10_000f64.powf(-((dimension / 2 * 2) as f64) / 4.0);
        let of = |dimension: usize, angle: f64| {
            if dimension.is_multiple_of(2) {
                angle.sin()
            } else {
                angle.cos()
            }
        };
        for pos in 0..3 {
            let at = pos as f64;
            for (dimension, expected) in [0, 1, 2, 3].map(|dimension| {
                let angle = at * frequency(dimension);
                let swapped = of(dimension + 1, angle);
                let from_one = of(dimension, (at + 1.0) * frequency(dimension));
                let column = of(
                    dimension,
                    at * 10_000f64.powf(-(dimension as f64) / WIDTH as f64),
                );
                (dimension, [column, swapped, from_one, of(dimension, at)])
            }) {
                for (mistake, expected) in MISTAKES.into_iter().zip(expected) {
                    let value = (mistake.row)(pos)[dimension];
                    assert!((value - expected).abs() < 1e-12, "{pos}, {dimension}");
                }
            }
        }
    }
}
