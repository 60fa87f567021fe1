//! Texts of the figure: names of axes, the caption and the note below the picture.

use super::{D_HEAD, D_MODEL, FourTerms};
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, noun, tiny, whole};
use crate::text::{Lang, Text};

/// What is multiplied in each term.
pub(super) const NAMES: [Text; 4] = [
    Text::new("(a) content · content", "(a) 内容 · 内容"),
    Text::new("(b) content · offset", "(b) 内容 · 偏移量"),
    Text::new("(c) u · content", "(c) u · 内容"),
    Text::new("(d) v · offset", "(d) v · 偏移量"),
];

pub(super) const QUERY: Text = Text::new("query m", "查询 m");

pub(super) const KEY: Text = Text::new("key n (below 0: memory)", "键 n（小于 0：记忆段）");

pub(super) const AHEAD: Text = Text::new("masked", "被掩码遮住");

impl FourTerms {
    pub(super) fn describe(&self) -> String {
        let printed = self.printed();
        let [a, b, c, d] = printed.map(|term| fixed(term, 2));
        let sum = fixed(printed.iter().sum(), 2);
        let bracket = |text: String| match text.starts_with('−') {
            true => format!("({text})"),
            false => text,
        };
        let added = format!(
            "{a} + {} + {} + {} = {sum}",
            bracket(b),
            bracket(c),
            bracket(d)
        );
        let (m, n, offset) = (self.query, whole(self.key), whole(self.offset()));
        let [a, b, c, d] = self.largest_changes.map(|change| match change {
            0.0 => "0".to_string(),
            change => fixed(change, 2),
        });
        let far = self.far;
        match self.lang {
            Lang::En => {
                let told = if far == 0 {
                    " u and v are learned, the same for every query.".to_string()
                } else {
                    format!(
                        " With all keys {far} {} farther away, (a) and (c) have changed by {a} and {c}, (b) and (d) by up to {b} and {d}: (c) is constant down each column, it sees the key alone; (d) is constant along each diagonal, it sees the offset alone.",
                        noun(&far.to_string(), "position", "positions")
                    )
                };
                format!("Query {m}, key {n}, offset {offset}: {added}.{told}")
            }
            Lang::Zh => {
                let told = if far == 0 {
                    "u 和 v 由学习得到，对所有查询都相同。".to_string()
                } else {
                    format!(
                        "所有键都推远 {far} 个位置后，(a) 和 (c) 的变化为 {a} 和 {c}，(b) 和 (d) 的变化最大为 {b} 和 {d}：(c) 在每一列上处处相同，只看键；(d) 在每条对角线上处处相同，只看偏移量。"
                    )
                };
                format!("查询 {m}，键 {n}，偏移量 {offset}：{added}。{told}")
            }
        }
    }

    pub(super) fn elements_below(&self) -> Option<Node> {
        let (direct, residual) = (fixed(self.direct, 2), tiny(self.residual));
        let note = match self.lang {
            Lang::En => format!(
                "Computed directly it is {direct}; the two differ by at most {residual} in any cell. q, k, W, u and v are seeded normal numbers, of no trained model; d_head = {D_HEAD}, d_model = {D_MODEL}, every term divided by √d_head."
            ),
            Lang::Zh => format!(
                "直接计算得 {direct}；所有单元格中两者最多相差 {residual}。q、k、W、u、v 都是按种子生成的正态随机数，不来自训练好的模型；d_head = {D_HEAD}，d_model = {D_MODEL}，每一项都已除以 √d_head。"
            ),
        };
        Some(html::p(note).class("note"))
    }
}
