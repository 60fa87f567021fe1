//! Questions about indices: of a token, a row, a dimension, a patch.

use crate::figures::quiz::axes::Asked;
use crate::figures::quiz::question::*;
use crate::text::number::{fixed, trimmed};
use crate::text::{Lang, Text, labels};
use posenc_encoding::{Layout, Member, Sinusoidal};

/// Positions divided by the last one: the same position has different numbers in sentences of different lengths.
pub fn scaled(dice: &mut Dice) -> Question {
    const SHORT: usize = 5;
    let pos: usize = dice.pick(&[2, 1, 3]);
    let tokens: usize = dice.pick(&[9, 7, 8]);
    let number = |tokens: usize| pos as f64 / (tokens - 1) as f64;
    let (before, after) = (number(SHORT), number(tokens));
    let step = fixed(1.0 / (tokens - 1) as f64, 3);
    let (before_text, after_text) = (trimmed(before, 3), trimmed(after, 3));
    let asked = Asked {
        titles: [
            Text::new("tokens in the sentence", "句中的词元数"),
            Text::new("number of the token", "词元的编号"),
        ],
        x: (0.0, 1.0),
        y: (0.0, 20.0),
        points: (SHORT..=20)
            .map(|tokens| (number(tokens), tokens as f64))
            .collect(),
        known: 1,
        given: Some(((before, SHORT as f64), before_text.clone())),
        right: (after, tokens as f64),
        name: after_text.clone(),
        height: tokens as f64,
    };
    Question {
        ask: say!(
            dice,
            "Tokens are numbered from 0 to 1: position divided by the last position. In a sentence of {SHORT} tokens, position {pos} has the number {before_text}. Drag the point to its number in a sentence of {tokens}.",
            "把位置除以最后一个位置，词元就从 0 编到 1。一句话有 {SHORT} 个词元时，位置 {pos} 的编号是 {before_text}。请把圆点拖到 {tokens} 个词元时它的编号。"
        ),
        answer: asked.answer(
            0.01,
            say!(dice, "Right within 0.01.", "误差不超过 0.01 算对。"),
            vec![
                (
                    before,
                    say!(
                        dice,
                        "The number would be the same only if the length were.",
                        "句子一样长，编号才会一样。"
                    ),
                ),
                (
                    pos as f64 / tokens as f64,
                    say!(
                        dice,
                        "Positions start at 0, so the last one is {tokens} − 1.",
                        "位置从 0 数起，最后一个是 {tokens} − 1。"
                    ),
                ),
            ],
        ),
        why: say!(
            dice,
            "{pos}/({tokens} − 1) = {after_text}. One number stands for different positions, and “next” means {step} here: the length decides what a number says.",
            "{pos}/({tokens} − 1) = {after_text}。同一个编号在不同句子里指不同的位置，这里“下一个”相差 {step}：编号的含义由长度决定。"
        ),
        caption_before: say!(
            dice,
            "The point slides at the height of {tokens} tokens.",
            "圆点在“{tokens} 个词元”的高度上滑动。"
        ),
        caption_after: say!(
            dice,
            "The number of position {pos} in sentences of {SHORT} to 20 tokens.",
            "句子有 {SHORT} 到 20 个词元时，位置 {pos} 的编号。"
        ),
        sketch: asked.sketch(dice),
    }
}

/// The share of training texts that reach a row of a learned table.
pub fn trained_rows(dice: &mut Dice) -> Question {
    let rows: i64 = dice.pick(&[512, 1024, 256]);
    let one_in: i64 = dice.pick(&[4, 8]);
    // All lengths from 1 to `rows` are equally frequent; texts longer than `row` have a token there. In percent.
    let share = |row: i64| 100.0 * (rows - row) as f64 / rows as f64;
    let (sought, percent) = (rows - rows / one_in, 100.0 / one_in as f64);
    let percent_text = trimmed(percent, 1);
    let asked = Asked {
        titles: [
            Text::new("texts that reach the row, %", "用到这一行的文本，%"),
            Text::new("row of the table", "表的行"),
        ],
        x: (0.0, rows as f64),
        y: (0.0, 110.0),
        points: (0..=64)
            .map(|i| (rows * i / 64, share(rows * i / 64)))
            .map(|(row, share)| (row as f64, share))
            .collect(),
        known: 0,
        given: None,
        right: (sought as f64, share(sought)),
        name: sought.to_string(),
        height: percent,
    };
    Question {
        ask: say!(
            dice,
            "A learned table has {rows} rows. The training texts have 1 to {rows} tokens, all lengths equally often. A row gets a gradient only from texts that reach it. Drag the point to the row that one text in {one_in} reaches.",
            "一张可学习位置表有 {rows} 行。训练文本有 1 到 {rows} 个词元，各种长度一样常见。只有用到某一行的文本才会更新它。请把圆点拖到每 {one_in} 段文本只有一段用到的那一行。"
        ),
        answer: asked.answer(
            rows as f64 / 40.0,
            say!(
                dice,
                "Right within a fortieth of the table.",
                "误差不超过表长的四十分之一算对。"
            ),
            vec![(
                (rows / one_in) as f64,
                say!(
                    dice,
                    "That row is reached by most texts: all that are longer.",
                    "那一行大多数文本都用到：更长的文本都包含它。"
                ),
            )],
        ),
        why: say!(
            dice,
            "Row {sought} is reached by texts of more than {sought} tokens, {percent_text} % of them. Late rows are trained least; a row that no text reaches stays as it was drawn.",
            "超过 {sought} 个词元的文本才用到第 {sought} 行，占 {percent_text}%。越靠后的行练得越少；没有文本用到的行，一直是初始的随机数。"
        ),
        caption_before: say!(
            dice,
            "The point slides at the height of {percent_text} %.",
            "圆点在 {percent_text}% 的高度上滑动。"
        ),
        caption_after: say!(
            dice,
            "The share of the texts that reach a row falls evenly to zero.",
            "用到某一行的文本所占的比例，一路均匀降到零。"
        ),
        sketch: asked.sketch(dice),
    }
}

/// The dimension of a cosine in the concatenated layout, all sines before all cosines.
pub fn halves(dice: &mut Dice) -> Question {
    let d: usize = dice.pick(&[16, 32]);
    let pair: usize = dice.pick(&[2, 1, 3]);
    let pos = 3;
    let pe = Sinusoidal::new(d, 10_000.0, Layout::Concatenated);
    let dimension = |layout: Layout| layout.dimension(d, pair, Member::Cosine).unwrap_or(0);
    let (interleaved, column) = (dimension(Layout::Interleaved), dimension(pe.layout()));
    let half = d / 2;
    let asked = Asked {
        titles: [
            Text::new("PE(3), in two halves", "PE(3)，前后两半"),
            labels::DIMENSION_AXIS,
        ],
        x: (0.0, d as f64 - 1.0),
        y: (-1.2, 1.2),
        points: (0..d)
            .map(|column| (column as f64, pe.value(pos, column)))
            .collect(),
        known: half,
        given: None,
        right: (column as f64, pe.value(pos, column)),
        name: column.to_string(),
        height: pe.value(pos, column),
    };
    Question {
        ask: say!(
            dice,
            "d_model = {d}. In the paper’s order, sine and cosine in turn, dimension {interleaved} is the cosine of pair {pair}. Other code puts all sines first, then all cosines. Drag the point to that cosine’s dimension there.",
            "d_model = {d}。论文把正弦和余弦交替排列，第 {interleaved} 维是维度对 {pair} 的余弦。另一种代码先放全部正弦，再放全部余弦。请把圆点拖到这个余弦在那里的维度。"
        ),
        answer: asked.answer(
            0.5,
            say!(
                dice,
                "Right within half a dimension.",
                "误差不超过半个维度算对。"
            ),
            vec![
                (
                    interleaved as f64,
                    say!(
                        dice,
                        "That is where the paper’s order has it; here it holds a sine.",
                        "那是论文的排列；这里放的是一个正弦。"
                    ),
                ),
                (
                    (half + interleaved) as f64,
                    say!(
                        dice,
                        "In the second half each pair takes one place, not two.",
                        "后一半里每个维度对只占一格，不是两格。"
                    ),
                ),
            ],
        ),
        why: say!(
            dice,
            "The {half} sines take dimensions 0 to {half} − 1, and the cosine of pair {pair} stands at {half} + {pair} = {column}. Both orders hold the same numbers, but weights trained with one fit the other only if every matrix that reads or writes these columns is permuted as well.",
            "{half} 个正弦占去第 0 到 {half} − 1 维，维度对 {pair} 的余弦在第 {half} + {pair} = {column} 维。两种排列的数完全相同；但按一种排列训练的权重要用于另一种，凡是读写这些列的矩阵都得跟着重排。"
        ),
        caption_before: say!(
            dice,
            "PE(3): the sines of all pairs are seen, the cosines are hidden.",
            "PE(3)：各个维度对的正弦可见，余弦隐藏。"
        ),
        caption_after: say!(
            dice,
            "PE(3), the sines in the first half, the cosines in the second.",
            "PE(3)：前一半是正弦，后一半是余弦。"
        ),
        sketch: asked.sketch(dice),
    }
}

/// Image patches that are numbered row by row.
pub fn patch_below(dice: &mut Dice) -> Question {
    let side: i64 = dice.pick(&[14, 16, 12]);
    let (row, column) = (1, dice.pick(&[3, 5, 8]));
    let index = |row: i64, column: i64| row * side + column;
    let (here, below) = (index(row, column), index(row + 1, column));
    let beside = here + 1;
    let asked = Asked {
        titles: [
            Text::new("row of the picture", "图像的行"),
            Text::new("place in the sequence", "在序列中的位置"),
        ],
        x: (0.0, (4 * side) as f64),
        y: (0.0, 4.0),
        points: (0..4 * side)
            .map(|index| (index as f64, (index / side) as f64))
            .collect(),
        known: here as usize + 1,
        given: Some(((here as f64, row as f64), here.to_string())),
        right: (below as f64, (row + 1) as f64),
        name: below.to_string(),
        height: (row + 1) as f64,
    };
    Question {
        ask: say!(
            dice,
            "A picture of {side} × {side} patches is read row by row, from 0. The patch in row {row}, column {column} has place {here} in the sequence. Drag the point to the place of the patch beneath it.",
            "一幅 {side} × {side} 个图块的图像从 0 起逐行读入。第 {row} 行第 {column} 列的图块在序列中排第 {here}。请把圆点拖到它正下方那一块的位置。"
        ),
        answer: asked.answer(
            1.2,
            say!(dice, "Right within one place.", "误差不超过一个位置算对。"),
            vec![(
                beside as f64,
                say!(
                    dice,
                    "That is its neighbour to the right.",
                    "那是它右边的邻居。"
                ),
            )],
        ),
        why: say!(
            dice,
            "A whole row lies between them: {here} + {side} = {below}. For an encoding of one dimension the patch beside is one step away and the one beneath {side}, although both touch.",
            "两者隔着整整一行：{here} + {side} = {below}。在一维编码看来，右边的图块相距一步，正下方的相距 {side} 步，尽管两块都与它相邻。"
        ),
        caption_before: say!(
            dice,
            "The rows of the picture over the places in the sequence, up to patch {here}.",
            "序列中每个位置在图像的哪一行，画到图块 {here} 为止。"
        ),
        caption_after: say!(
            dice,
            "Each row takes {side} places; the patch beneath {here} is {below}.",
            "每行占 {side} 个位置；{here} 的正下方是 {below}。"
        ),
        sketch: asked.sketch(dice),
    }
}
