//! Texts of the figure: titles, the caption and the elements around the picture.

use super::compute::other_order;
use super::{EXAMPLES, MAX_TOKENS, Order, ROUNDING, SEED, WIDTH};
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::{short, tiny};
use crate::text::{Lang, Text};

pub(super) const TITLES: [Text; 2] = [
    Text::new("Original order", "原来的顺序"),
    Text::new("↑ Your order: drag the words", "↑ 你的顺序：拖动这些词"),
];

pub(super) const WEIGHTS: [Text; 2] = [
    Text::new("Attention, original", "注意力权重：原顺序"),
    Text::new("Attention, yours", "注意力权重：你的顺序"),
];

impl Order {
    pub(super) fn describe(&self) -> String {
        let [token, mean] = self
            .difference()
            .map(|d| if d < ROUNDING { tiny(d) } else { short(d, 3) });
        if self.same_order() {
            return match self.lang {
                Lang::En if self.tokens.len() == 1 => {
                    "One token has only one order. Write more words."
                }
                Lang::Zh if self.tokens.len() == 1 => {
                    "只有一个词元，也就只有一种顺序。请多写几个词。"
                }
                Lang::En => "Both sentences read the same, and so do the outputs. Move a word.",
                Lang::Zh => "两行读起来一样，输出自然也一样。请移动一个词。",
            }
            .into();
        }
        let same = self.difference()[0] < ROUNDING;
        match (self.lang, same, self.pe, self.causal) {
            (Lang::En, true, _, _) => format!(
                "The words moved, and each took its output along unchanged: the largest difference is {token}, that of the mean {mean}, nothing but rounding. To this layer both orders are one sentence."
            ),
            (Lang::Zh, true, _, _) => format!(
                "词换了位置，各自的输出也原样跟着走：最大差异 {token}，平均值的差异 {mean}，都只是舍入误差。对这一层来说，两种语序是同一句话。"
            ),
            (Lang::En, false, false, _) => format!(
                "Under the mask a word sees only itself and those before it, so even without positional encoding moving words changes their outputs, by up to {token}, and the mean by {mean}."
            ),
            (Lang::Zh, false, false, _) => format!(
                "加了掩码，每个词只看得到自己和前面的词；所以即使没有位置编码，换位置也会改变输出，最多相差 {token}，平均值相差 {mean}。"
            ),
            (Lang::En, false, true, false) => format!(
                "With its position added a word no longer gives the same output elsewhere: the largest difference is {token}, and even the mean differs by {mean}. The two orders have become two sentences."
            ),
            (Lang::Zh, false, true, false) => format!(
                "加上位置编码后，同一个词换个位置，输出就不同了：最大差异 {token}，连平均值也相差 {mean}。两种语序成了两句不同的话。"
            ),
            (Lang::En, false, true, true) => format!(
                "Positional encoding and mask both tell the orders apart: the largest difference is {token}, that of the mean {mean}."
            ),
            (Lang::Zh, false, true, true) => {
                format!("位置编码和掩码都能分辨两种语序：最大差异 {token}，平均值的差异 {mean}。")
            }
        }
    }

    pub(super) fn sentence_field(&self) -> Node {
        let label = Text::new("Sentence, in your own words", "句子，可以自己写").get(self.lang);
        let input = Node::new("input", vec![])
            .attribute("type", "text")
            .attribute("name", "words")
            .attribute("aria-label", label)
            .attribute("autocomplete", "off")
            .attribute("value", self.sentence.clone());
        let printed = span("on-paper", format!("“{}”", self.sentence));
        let examples = EXAMPLES.iter().map(|(words, _)| {
            let name = if words.is_ascii() {
                words.to_string()
            } else {
                words.replace(' ', "")
            };
            button("example", *words, name)
        });
        let mut nodes = vec![
            div("field", vec![span("name", label), input, printed]),
            div("row", examples.collect()),
        ];
        if self.cut > 0 {
            let all = self.tokens.len() + self.cut;
            nodes.push(
                p(match self.lang {
                    Lang::En => format!("The first {MAX_TOKENS} of {all} tokens are used."),
                    Lang::Zh => format!("共 {all} 个词元，只用前 {MAX_TOKENS} 个。"),
                })
                .class("note"),
            );
        }
        Node::new("div", nodes)
    }

    pub(super) fn numbers(&self) -> Node {
        let text = |en, zh| words(Text::new(en, zh).get(self.lang));
        let row = |pe: bool| {
            let name = if pe {
                Text::new("with positional encoding", "有位置编码")
            } else {
                Text::new("without positional encoding", "无位置编码")
            };
            let number = |d: f64| {
                let (class, shown) = if d < ROUNDING {
                    ("", tiny(d))
                } else {
                    ("here", short(d, 3))
                };
                span(class, shown)
            };
            let name = span(if pe == self.pe { "lit" } else { "" }, name.get(self.lang));
            let [token, mean] = self.differences[usize::from(pe)];
            vec![name, number(token), number(mean)]
        };
        let head = vec![
            text(
                "Largest difference between the orders",
                "两种顺序的最大差异",
            ),
            text("a token’s output", "各词元的输出"),
            text("mean output", "输出的平均值"),
        ];
        let note = match self.lang {
            Lang::En => format!(
                "One head, d_model = {WIDTH}. Its weights are random (seed {SEED}); embeddings are random too, seeded by the letters of the token, so that equal words have equal ones."
            ),
            Lang::Zh => format!(
                "单个注意力头，d_model = {WIDTH}。权重为随机数（种子 {SEED}）；词嵌入也是随机数，以词元的文字为种子，所以相同的词有相同的词嵌入。"
            ),
        };
        let parts = vec![
            table(vec![head, row(false), row(true)]),
            p(note).class("note"),
        ];
        Node::new("div", parts)
    }

    /// The button that exchanges two words, or that undoes all moves.
    pub(super) fn exchange(&self) -> Option<Node> {
        if !self.same_order() {
            let name = Text::new("Original order", "恢复原来的顺序").get(self.lang);
            return Some(button("move", "restore", name));
        }
        let other = other_order(&self.sentence, self.tokens.len());
        let pair = other
            .iter()
            .enumerate()
            .map(|(a, b)| [&self.tokens[a], &self.tokens[*b]]);
        let [a, b] = pair.into_iter().find(|[a, b]| a != b)?;
        let name = match self.lang {
            Lang::En => format!("Swap “{a}” and “{b}”"),
            Lang::Zh => format!("交换“{a}”和“{b}”"),
        };
        Some(button("move", "exchange", name).class("primary"))
    }

    /// Buttons that move the selected word, like dragging it.
    pub(super) fn moves(&self) -> Node {
        let name = &self.tokens[self.order[self.chosen]];
        let [left, right] = match self.lang {
            Lang::En => [format!("← Move “{name}”"), format!("Move “{name}” →")],
            Lang::Zh => [format!("← 移动“{name}”"), format!("移动“{name}” →")],
        };
        let next = Text::new("Next word", "下一个词")
            .get(self.lang)
            .to_string();
        let moves = [("left", left), ("right", right), ("next", next)];
        let buttons = moves
            .into_iter()
            .map(|(value, words)| button("move", value, words));
        div("row", buttons.collect())
    }
}
