//! Texts of the figure: names of axes, the caption and the elements around the picture.

use super::{Rope, norm};
use crate::text::labels::LOGIT;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text};

pub(super) const OFFSET: Text = Text::new("offset m − n", "偏移量 m − n");
/// Below the logit of the second row.
pub(super) const SAME_ANGLES: Text = Text::new("same angles", "夹角相同");
pub(super) const SUM: Text = Text::new("sum = logit", "合计 = 注意力分数");

fn lead(lang: Lang, value: i64) -> String {
    let value = whole(value);
    match lang {
        Lang::En => format!("Lock m − n = {value}"),
        Lang::Zh => format!("锁定 m − n = {value}"),
    }
}

impl Rope {
    pub(super) fn describe(&self) -> String {
        let (m, n, offset) = (whole(self.m), whole(self.n), whole(self.m - self.n));
        if self.pairing {
            let [adjacent, permuted, unpermuted] = self.logits().map(|logit| fixed(logit, 3));
            return match self.lang {
                Lang::En => format!(
                    "Adjacent pairs give the logit {adjacent} at m = {m}, n = {n}. Pairs of halves give {permuted} when the rows of both matrices, for q and for k, are moved along the lines, and {unpermuted} when they are left where they were."
                ),
                Lang::Zh => format!(
                    "m = {m}、n = {n} 时，相邻成对的注意力分数为 {adjacent}。改为前后两半成对：把算 q 和算 k 的两个矩阵的行都沿连线移过去，仍为 {permuted}；行不动，则为 {unpermuted}。"
                ),
            };
        }
        let logit = fixed(self.logit(), 3);
        let [q, k] = [&self.q, &self.k].map(|x| fixed(norm(x), 2));
        let what = match (self.lang, self.locked) {
            (Lang::En, true) => {
                "Both positions move together: every arrow rotates, no angle between q and k changes, and the logit stays"
            }
            (Lang::En, false) => {
                "Moving one position alone changes the angles between q and k; the logit is"
            }
            (Lang::Zh, true) => {
                "两个位置一起移动：箭头都在转，q 与 k 的夹角却都不变，注意力分数保持"
            }
            (Lang::Zh, false) => "只移动一个位置，q 与 k 的夹角就会改变；此时注意力分数为",
        };
        match self.lang {
            Lang::En => format!(
                "{what} {logit} at offset {offset}. At every position |q| = {q} and |k| = {k}: rotation keeps lengths."
            ),
            Lang::Zh => format!(
                "{what} {logit}（偏移量 {offset}）。在任何位置都有 |q| = {q}、|k| = {k}：旋转不改变长度。"
            ),
        }
    }

    pub(super) fn elements_above(&self) -> Option<Node> {
        let pressed = if self.locked { "true" } else { "false" };
        let lock = html::button("lock", "", lead(self.lang, self.m - self.n))
            .attribute("aria-pressed", pressed);
        Some(html::div("row", vec![lock]))
    }

    pub(super) fn elements_below(&self) -> Option<Node> {
        let [arrows, moved, number] = match (self.lang, self.pairing) {
            (_, true) => {
                let names = match self.lang {
                    Lang::En => [
                        "pairing",
                        "adjacent",
                        "halves, rows moved",
                        "halves, rows not moved",
                    ],
                    Lang::Zh => ["配对方式", "相邻", "两半，行已移动", "两半，行未移动"],
                };
                let heading = LOGIT.get(self.lang);
                let logits = self.logits().map(|logit| fixed(logit, 3));
                let values = std::iter::once(heading.to_string()).chain(logits);
                let rows = names.into_iter().zip(values);
                let row =
                    |(name, value): (&str, String)| vec![html::words(name), html::words(value)];
                return Some(html::table(rows.map(row).collect()));
            }
            (Lang::En, _) => [
                "Arrows are rotated by m·ω and n·ω",
                "; in the second row both positions are moved by as much",
                ". The number below a dial is what the pair adds to the logit.",
            ],
            (Lang::Zh, _) => [
                "箭头转过了 m·ω 和 n·ω",
                "；第二行里，两个位置移动了同样多",
                "。表盘下的数，是这一维度对贡献给注意力分数的部分。",
            ],
        };
        let moved = if self.further() == 0 { "" } else { moved };
        Some(html::p(format!("{arrows}{moved}{number}")).class("note"))
    }
}
