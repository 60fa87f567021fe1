//! Texts of the figure: names of rows, the caption and the note.

use super::Strip;
use crate::text::Lang;
use crate::text::markup::{Node, html};
use posenc_encoding::{MropeAxis, MropePosition};

pub(super) const TEXT: usize = 3;

pub(super) const SIDE: usize = 2;

pub(super) const AXES: [(MropeAxis, &str); 3] = [
    (MropeAxis::Time, "t"),
    (MropeAxis::Height, "h"),
    (MropeAxis::Width, "w"),
];

impl Strip {
    pub(super) fn describe(&self) -> String {
        let token = self.chosen();
        let MropePosition {
            time,
            height,
            width,
        } = token.position;
        let at_two = [0, 1].map(|video| {
            let times = self.times(video);
            let found = times.iter().find(|(second, _)| *second == 2.0);
            found.map_or(0.0, |(_, time)| *time)
        });
        let first = match (self.lang, self.seconds) {
            (Lang::En, true) => format!(
                "Two seconds in, the time t is {} at either frame rate.",
                at_two[0]
            ),
            (Lang::Zh, true) => format!("视频第 2 秒，两种帧率下时间 t 都是 {}。", at_two[0]),
            (Lang::En, false) => format!(
                "Two seconds in, the time t is {} at one frame a second and {} at two: steps of two frames are counted, whatever time they take.",
                at_two[0], at_two[1]
            ),
            (Lang::Zh, false) => format!(
                "视频第 2 秒，每秒 1 帧时 t 为 {}，每秒 2 帧时为 {}：每两帧为一步，数的是步，不管一步有多久。",
                at_two[0], at_two[1]
            ),
        };
        let second = match (self.lang, token.segment) {
            (Lang::En, 1) => format!(
                " The shaded patch adds h = {height} for its row and w = {width} for its column; each number rotates its own pairs."
            ),
            (Lang::Zh, 1) => {
                format!("灰底的图块另有行号 h = {height}、列号 w = {width}；三个数各转各的维度对。")
            }
            (Lang::En, _) => format!(
                " The shaded text token has t = h = w = {time}: every pair is rotated as by RoPE at position {time}, with a difference of {}.",
                self.max_difference
            ),
            (Lang::Zh, _) => format!(
                "灰底的文字词元 t = h = w = {time}：每个维度对都与位置 {time} 上的 RoPE 转得一样，相差 {}。",
                self.max_difference
            ),
        };
        first + &second
    }

    pub(super) fn elements_above(&self) -> Option<Node> {
        let note = match self.lang {
            Lang::En => {
                "Three text tokens, a clip of four seconds, three text tokens. Two frames make one step of 2 × 2 tokens. Click a token, or choose with ← → and ↑ ↓."
            }
            Lang::Zh => {
                "三个文字词元、四秒视频、三个文字词元。每两帧合为一步，一步有 2 × 2 个词元。点击词元，或用 ← → 与 ↑ ↓ 选择。"
            }
        };
        Some(html::p(note).class("note"))
    }
}
