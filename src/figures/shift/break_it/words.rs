//! The caption, and the elements above and below the picture.

use super::{BreakIt, ROUNDING, Table};
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::{fixed, tiny, whole};
use crate::text::{Lang, Text};

pub(super) fn error_words(error: f64) -> String {
    // Two decimals would write it as 0.00.
    if error < 0.005 {
        tiny(error)
    } else {
        fixed(error, 2)
    }
}

pub(super) const ERROR: Text = Text::new("largest error", "最大误差");

pub(super) const FITTED: Text = Text::new("best matrix", "最佳矩阵");

impl BreakIt {
    pub(super) fn describe(&self) -> String {
        let (_, d, k, len) = self.fit.key;
        let len = whole(len as i64);
        let Some((worst, error)) = self.revealed() else {
            let about = self.table.about(self.lang);
            return match self.lang {
                Lang::En => format!(
                    "{about}. A matrix of {d} × {d} is to take PE(pos) to PE(pos + {k}). Answer, and the best one is shown."
                ),
                Lang::Zh => format!(
                    "{about}。要一个 {d} × {d} 矩阵把 PE(pos) 变成 PE(pos + {k})。答过之后，给出最好的那个。"
                ),
            };
        };
        let (pos, here) = (
            whole(self.pos as i64),
            error_words(self.fit.errors[self.pos]),
        );
        let (worst, miss) = (whole(worst as i64), error_words(error));
        match (self.lang, error < ROUNDING) {
            (Lang::En, true) => format!(
                "One {d} × {d} matrix serves all {len} positions: the largest error is {miss}. At position {pos} the ring lies on PE(pos + {k})."
            ),
            (Lang::Zh, true) => format!(
                "同一个 {d} × {d} 矩阵适用于全部 {len} 个位置，最大误差只有 {miss}。在位置 {pos}，圆环与 PE(pos + {k}) 重合。"
            ),
            (Lang::En, false) => format!(
                "The best {d} × {d} matrix still has an error of {miss} at position {worst}, and of {here} at position {pos}. No matrix serves all {len} positions."
            ),
            (Lang::Zh, false) => format!(
                "最好的 {d} × {d} 矩阵在位置 {worst} 仍差 {miss}，在位置 {pos} 差 {here}。没有一个矩阵能适用于全部 {len} 个位置。"
            ),
        }
    }

    pub(super) fn elements_above(&self) -> Option<Node> {
        let (k, len) = (self.fit.key.2, whole(self.fit.key.3 as i64));
        let ask = match self.lang {
            Lang::En => format!("One matrix for k = {k} at all {len} positions?"),
            Lang::Zh => format!("k = {k} 时，有没有一个矩阵适用于全部 {len} 个位置？"),
        };
        let button = |value: &'static str, words: Text, misses: bool| {
            let pressed = self.guess == Some(misses);
            button("guess", value, words.get(self.lang))
                .attribute("aria-pressed", if pressed { "true" } else { "false" })
        };
        let row = vec![
            Node::text("span", ask),
            button("kept", BreakIt::FITS, false),
            button("misses", BreakIt::MISSES, true),
        ];
        Some(div("row", row))
    }

    pub(super) fn elements_below(&self) -> Option<Node> {
        let (_, error) = self.revealed()?;
        let right = self.guess == Some(error >= ROUNDING);
        let (class, verdict) = match (right, self.lang) {
            (true, Lang::En) => ("good", "✓ As predicted. "),
            (true, Lang::Zh) => ("good", "✓ 与预测一致。"),
            (false, Lang::En) => ("bad", "✕ Not as predicted. "),
            (false, Lang::Zh) => ("bad", "✕ 与预测不符。"),
        };
        let odd = self.table == Table::Both && self.fit.key.1 % 2 == 1 && error >= ROUNDING;
        let why = match (odd, self.lang) {
            (false, lang) => self.table.why(lang),
            (true, Lang::En) => {
                "The width is odd: the last sine has no cosine, and it alone is not reached."
            }
            (true, Lang::Zh) => "模型维度是奇数：最后一个正弦没有配对的余弦，误差全部来自这一维。",
        };
        Some(Node::new("p", vec![span(class, verdict), words(why)]))
    }
}
