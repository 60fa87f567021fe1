//! Texts of the figure: names of axes, the caption and the note below the picture.

use super::compute::Column;
use super::{SEED, SideBySide, WIDTH};
use crate::field::encoding_name;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text};
use posenc_encoding::{Encoding, Operation, Target};

pub(super) const POSITION: Text = Text::new("position", "位置");

pub(super) const QUERY: Text = Text::new("query m", "查询 m");

pub(super) const KEY: Text = Text::new("key n", "键 n");

/// Beside the curve, where there is little room.
pub(super) const LOGIT_AXIS: Text = Text::new("logit", "分数");
pub(super) const OFFSET: Text = Text::new("offset n − m", "偏移量 n − m");

pub(super) const UNDEFINED: Text = Text::new("none", "无定义");

/// What a column's logits depend on for a given query and key.
pub(super) const OFFSET_ONLY: Text = Text::new("offset only", "只看偏移量");

pub(super) const POSITION_TOO: Text = Text::new("position, too", "也看位置");

pub(super) const NOTHING: Text = Text::new("content only", "只看内容");

pub(super) const NO_KEYS_AHEAD: Text = Text::new("no future keys", "不看后面的键");

pub(super) const MEAN: Text = Text::new("mean ± spread", "均值 ± 离散程度");

impl Column {
    /// The titles of the first panel and of its x axis.
    pub(super) fn titles(&self) -> (Text, Text) {
        let info = self.encoding.info();
        match (info.operation, info.target) {
            (Operation::Multiplies, _) => (
                Text::new("cos of rotations", "转角余弦"),
                Text::new("pair", "维度对"),
            ),
            (_, Target::Embedding) => (
                Text::new("added to x", "加到词嵌入"),
                Text::new("dimension", "维度"),
            ),
            (_, Target::Logits) if self.encoding == Encoding::TransformerXl => {
                (Text::new("term (d)", "第 (d) 项"), KEY)
            }
            (_, Target::Logits) => (Text::new("added to logit", "加到注意力分数"), KEY),
            _ => (Text::new("nothing added", "什么也不加"), Text::new("", "")),
        }
    }
}

impl SideBySide {
    pub(super) fn describe(&self) -> String {
        let comma = match self.lang {
            Lang::En => ", ",
            Lang::Zh => "，",
        };
        let logits = self.columns.iter().map(|column| {
            let name = encoding_name(column.encoding).get(self.lang);
            match column.logit(self.pos, self.key()) {
                Some(logit) => format!("{name} {}", fixed(logit, 2)),
                None => format!("{name} {}", UNDEFINED.get(self.lang)),
            }
        });
        let logits = logits.collect::<Vec<_>>().join(comma);
        let (m, n, k) = (self.pos, self.key(), whole(self.k));
        let ends = self
            .columns
            .iter()
            .map(Column::undefined)
            .max()
            .unwrap_or(0);
        let last = self.max_len.saturating_sub(1);
        let len = self.len;
        let told = match (self.lang, ends) {
            (_, 0) => String::new(),
            (Lang::En, ends) => format!(
                " The learned table ends with row {last}: {ends} of {len} positions have no row, and no logit with any other."
            ),
            (Lang::Zh, ends) => format!(
                "可学习位置表到第 {last} 行为止：{len} 个位置中有 {ends} 个没有对应的行，与任何位置之间都没有注意力分数。"
            ),
        };
        // The maps have the logits of all queries and keys, the curves those of one query and one key everywhere.
        let place = match (self.lang, self.maps) {
            (_, false) => String::new(),
            (Lang::En, _) => format!(" Query {m}, key {n}, offset {k}: {logits}."),
            (Lang::Zh, _) => format!("查询 {m}，键 {n}，偏移量 {k}：{logits}。"),
        };
        match self.lang {
            Lang::En => format!(
                "Where the band has a width, the same query and key at the same offset have different logits at different positions.{place}{told} More has other encodings to choose."
            ),
            Lang::Zh => format!(
                "色带有宽度的地方，同一对查询和键即使偏移量相同，换个位置注意力分数就不同。{place}{told}其他编码可在“更多”里选择。"
            ),
        }
    }

    pub(super) fn elements_below(&self) -> Option<Node> {
        let note = match self.lang {
            Lang::En => format!(
                "The same seeded random q and k for all, {WIDTH} numbers each (seed {SEED}); learned parameters are simulated. W_Q and W_K are the identity; ALiBi with the slope 1/16. Curves: one q and one k, mean and standard deviation over all positions. Dashed: max_len; grey: none."
            ),
            Lang::Zh => format!(
                "各种编码用同一组随机 q 和 k，各 {WIDTH} 个数（种子 {SEED}）；学习的参数为模拟值。W_Q 和 W_K 取单位矩阵；ALiBi 的斜率为 1/16。曲线：同一对 q 和 k，对所有位置取均值和标准差。虚线为 max_len，灰色为无定义。"
            ),
        };
        Some(html::p(note).class("note"))
    }
}
