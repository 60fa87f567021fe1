//! Texts of the figure: names of axes, the caption and the elements below the picture.

use super::{Buckets, CHANGE, CHANGES};
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text};

pub(super) const BEHIND: Text = Text::new("behind", "之前");

pub(super) const AHEAD: Text = Text::new("ahead", "之后");

pub(super) const MASKED: Text = Text::new("masked", "被掩码遮住");

pub(super) const DISTANCE: Text = Text::new("distance of key and query", "键与查询的距离");

pub(super) const QUERY: Text = Text::new("query", "查询");

pub(super) const KEY: Text = Text::new("key", "键");

pub(super) const BUCKET: Text = Text::new("bucket", "桶");

pub(super) const BIAS: Text = Text::new("bias", "偏置");

pub(super) const MAP: Text = Text::new("bucket, growing with the distance", "桶号，随距离增大");

pub(super) const WEIGHT: Text = Text::new("weight", "权重");

pub(super) const BEFORE: Text = Text::new("without bias", "加偏置前");

pub(super) const AFTER: Text = Text::new("with bias", "加偏置后");

impl Buckets {
    pub(super) fn describe(&self) -> String {
        let (k, bucket, head) = (whole(self.k), self.bucket, self.head);
        if self.is_masked(self.k) {
            return match self.lang {
                Lang::En => format!(
                    "A decoder masks the keys ahead. The rule would put offset {k} into bucket 0, but no logit is left for it to change; all buckets serve the past."
                ),
                Lang::Zh => format!(
                    "解码器用掩码遮住查询之后的键。按规则偏移量 {k} 会落入桶 0，但那里已没有注意力分数可改；全部的桶都用于查询之前的键。"
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
        let added = match self.lang {
            _ if !self.shows_weights => String::new(),
            Lang::En => format!(
                " Head {head} adds {bias} to each of their logits, whatever the tokens are.{row}"
            ),
            Lang::Zh => {
                format!("注意力头 {head} 给其中每个注意力分数都加上 {bias}，与词元无关。{row}")
            }
        };
        match self.lang {
            Lang::En => format!("Offset {k} falls into bucket {bucket}, {shared}.{added}"),
            Lang::Zh => format!("偏移量 {k} 落入桶 {bucket}，{shared}。{added}"),
        }
    }

    pub(super) fn elements_below(&self) -> Option<Node> {
        let change = self.biases[self.bucket] - self.simulated;
        let bias = fixed(self.biases[self.bucket], 2);
        let name = match self.lang {
            Lang::En => format!("Bucket {}, head {}", self.bucket, self.head),
            Lang::Zh => format!("注意力头 {}，桶 {}", self.head, self.bucket),
        };
        let slider = Node::new("input", vec![])
            .attribute("type", "range")
            .attribute("name", CHANGES[self.bucket].name())
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
}
