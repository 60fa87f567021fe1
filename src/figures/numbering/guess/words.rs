//! Texts of the figure: the caption and the elements around the picture.

use super::{Guess, PAIRS, runs};
use crate::text::markup::{Node, html};
use crate::text::number::{angle, fixed, noun, whole};
use crate::text::{Lang, Text};
use posenc_encoding::wrap_to_2pi;

pub(super) const TOGETHER: Text = Text::new("together", "合起来");

pub(super) const YOUR_PICK: Text = Text::new("your pick", "你的选择");

pub(super) const HIDDEN: Text = Text::new("hidden", "隐藏的位置");

pub(super) const DRAG: Text = Text::new(
    "Drag to where you think you are",
    "拖到你认为自己所在的地方",
);

/// The name of a fork: each stands for a pair.
pub(super) fn fork(lang: Lang, pair: usize) -> String {
    match lang {
        Lang::En => format!("fork {pair}"),
        Lang::Zh => format!("音叉 {pair}"),
    }
}

impl Guess {
    pub(super) fn describe(&self) -> String {
        let (left, len) = (
            whole(self.possible_count() as i64),
            whole(self.max_len as i64),
        );
        let (forks, by) = (self.revealed, fixed(self.tolerance, 2));
        let stretches = runs(&self.possible).len();
        let count = match (self.lang, forks) {
            (Lang::En, 0) => format!("No fork is revealed: all {len} positions are possible."),
            (Lang::Zh, 0) => format!("还没有揭示任何音叉：{len} 个位置都有可能。"),
            (Lang::En, _) => format!(
                "{forks} of {PAIRS} forks, read to ±{by} rad, {} {left} of {len} positions possible, in {stretches} {}.",
                noun(&forks.to_string(), "leaves", "leave"),
                noun(&stretches.to_string(), "stretch", "stretches")
            ),
            (Lang::Zh, _) => format!(
                "{PAIRS} 支音叉中已揭示 {forks} 支，读数误差 ±{by} 弧度：{len} 个位置中还剩 {left} 个可能，分成 {stretches} 段。"
            ),
        };
        let last = forks.checked_sub(1).map(|place| {
            let pair = self.pair(place);
            let phase = angle(wrap_to_2pi(self.pe.angle(pair, self.hidden as i64)));
            let fork = fork(self.lang, pair);
            match self.lang {
                Lang::En => format!(" The last one, {fork}, has phase {phase} rad."),
                Lang::Zh => format!("最后揭示的是{fork}，相位 {phase} 弧度。"),
            }
        });
        count + &last.unwrap_or_default()
    }

    pub(super) fn elements_above(&self) -> Option<Node> {
        let words = match self.lang {
            Lang::En => ["Reveal the next fork", "This is where I am"],
            Lang::Zh => ["揭示下一支音叉", "我就在这里"],
        };
        let [reveal, answer] = [("reveal", words[0]), ("answer", words[1])]
            .map(|(action, name)| html::button(action, "", name));
        let mut parts = match self.revealed == PAIRS {
            true => vec![reveal.flag("disabled", true), answer.class("primary")],
            false => vec![reveal.class("primary"), answer],
        };
        if self.answered {
            let (class, sign) = if self.picked == self.hidden {
                ("good", "✓")
            } else {
                ("bad", "✕")
            };
            let result = format!("{sign} {}", self.result());
            parts.push(html::span(class, result).attribute("role", "status"));
            let new = Text::new("New round", "新的一轮").get(self.lang);
            parts.push(html::button("round", "", new));
        }
        Some(html::div("row", parts))
    }

    /// The pick in steps of one, and a way back to the start.
    pub(super) fn elements_under_more(&self) -> Option<Node> {
        let words = match self.lang {
            Lang::En => ["One back", "One on", "Hide all forks"],
            Lang::Zh => ["后退一个", "前进一个", "重新隐藏音叉"],
        };
        let last = self.max_len - 1;
        let round = match self.lang {
            Lang::En => format!("round {}, the position seeded by its number", self.round),
            Lang::Zh => format!("第 {} 轮，隐藏的位置以轮次为随机种子", self.round),
        };
        let parts = vec![
            html::button("step", "-1", words[0]).flag("disabled", self.picked == 0),
            html::button("step", "1", words[1]).flag("disabled", self.picked == last),
            html::button("hide", "", words[2]).flag("disabled", self.revealed == 0),
            html::span("note", round),
        ];
        Some(html::div("row", parts))
    }
}
