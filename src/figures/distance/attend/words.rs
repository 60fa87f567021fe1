//! The texts of the figure: labels and caption.

use super::{Attend, compute::Weights};
use crate::text::number::{fixed, whole};
use crate::text::{Lang, Text};

pub(super) const LOGIT: Text = Text::new("logit, mean of pairs", "注意力分数（各对平均）");
pub(super) const KEY: Text = Text::new("position n of the key", "键的位置 n");
pub(super) const QUERY: Text = Text::new("query", "查询");
pub(super) const ASKED: Text = Text::new("pos+k", "pos+k");
/// What the colours measure.
pub(super) const BAR: Text = Text::new("value", "值");
pub(super) const SHARE: Text = Text::new("what each pair contributes", "每个维度对的贡献");

impl Attend {
    pub(super) fn describe(&self) -> String {
        let (pos, k) = (whole(self.pos as i64), whole(self.k));
        let all = self.shares.pairs();
        let (count, of) = (self.summed.to_string(), all.to_string());
        let sum = match (self.lang, self.summed == all) {
            _ if self.summed == 1 => match self.lang {
                Lang::En => "Pair 0, the fastest, alone".into(),
                Lang::Zh => "只取频率最高的维度对 0".into(),
            },
            (Lang::En, false) => format!("The mean of the {count} fastest of {of} pairs"),
            (Lang::En, true) => format!("The mean of all {of} pairs"),
            (Lang::Zh, false) => format!("{of} 个维度对中频率最高的 {count} 个，取平均"),
            (Lang::Zh, true) => format!("全部 {of} 个维度对取平均"),
        };
        let named = |key: Option<usize>| {
            let key = key?;
            Some((whole(key as i64), fixed(self.logits[key], 4)))
        };
        let peak = self.peak();
        let (first, second) = match peak {
            Some(peak) => (Some(peak), self.highest(Some(peak))),
            None => (self.highest(None), None),
        };
        let heights = match (self.lang, named(first), named(second)) {
            (Lang::En, Some((key, height)), Some((_, lower))) => {
                format!("key {key} gets {height}, the next highest {lower}")
            }
            (Lang::Zh, Some((key, height)), Some((_, lower))) => {
                format!("键 {key} 得 {height}，其余的键最高为 {lower}")
            }
            (Lang::En, Some((key, height)), None) => {
                format!("the highest is key {key} with {height}")
            }
            (Lang::Zh, Some((key, height)), None) => format!("最高的是键 {key}，为 {height}"),
            (_, None, _) => String::new(),
        };
        let why = match (self.lang, self.shares.weights, peak) {
            (Lang::En, Weights::Identity, _) => format!(
                "Only at key {pos} itself are all pairs at their highest, so only that peak stays."
            ),
            (Lang::Zh, Weights::Identity, _) => {
                format!("只有在键 {pos} 处，各维度对才同时达到最大，所以只有这个峰留得住。")
            }
            (Lang::En, Weights::Rotated, Some(peak)) => format!(
                "Wᵀ is M_k, k = {k}, and rotates every pair of the query by kωᵢ: now all of them are at their highest at key {}.",
                whole(peak as i64)
            ),
            (Lang::Zh, Weights::Rotated, Some(peak)) => format!(
                "Wᵀ 就是 Mₖ（k = {k}），把查询的每个维度对转 kωᵢ：现在它们在键 {} 处同时达到最大。",
                whole(peak as i64)
            ),
            (Lang::En, Weights::Rotated, None) => {
                format!(
                    "Wᵀ is M_k, k = {k}, and rotates every pair of the query by kωᵢ: they all agree at pos + k, where no key is."
                )
            }
            (Lang::Zh, Weights::Rotated, None) => {
                format!(
                    "Wᵀ 就是 Mₖ（k = {k}），把查询的每个维度对转 kωᵢ：它们会在 pos + k 处同时达到最大，而那里没有键。"
                )
            }
            (Lang::En, Weights::Random, _) => format!(
                "A random W (draw {}) leaves each pair its wavelength but changes its height and phase: they agree at no key.",
                self.seed
            ),
            (Lang::Zh, Weights::Random, _) => format!(
                "随机的 W（第 {} 次抽取）不改变各对的波长，却打乱了它们的高低和起点：没有哪个键能让它们一致。",
                self.seed
            ),
        };
        match self.lang {
            Lang::En => format!("{sum}: {heights}. {why} Positions only, without content."),
            Lang::Zh => format!("{sum}：{heights}。{why}这里只看位置，不含词元内容。"),
        }
    }
}
