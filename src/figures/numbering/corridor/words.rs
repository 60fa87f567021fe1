//! Texts of the figure: names of axes, the caption and the elements above the picture.

use super::Corridor;
use crate::text::markup::{Node, html};
use crate::text::number::{short, whole};
use crate::text::{Lang, Text};

pub(super) const DISTANCE: Text = Text::new("distance of codes", "编码距离");

pub(super) const NEAREST: Text = Text::new("nearest at distance", "最近的别处相距");

pub(super) const SAME: Text = Text::new("same readings", "读数相同");

pub(super) const ALONG: Text = Text::new("position along the corridor", "走廊里的位置");

impl Corridor {
    pub(super) fn describe(&self) -> String {
        let (pos, len) = (self.pos, whole(self.max_len as i64));
        let (count, digits) = (self.same.len(), self.decimals);
        let signature = match (self.lang, self.same.first()) {
            (Lang::En, None) => format!(
                "Read to {digits} {}, no other of the {len} positions has the signature of position {pos}.",
                if digits == 1 { "decimal" } else { "decimals" }
            ),
            (Lang::Zh, None) => format!(
                "读到小数点后 {digits} 位时，{len} 个位置中没有别的位置与位置 {pos} 的签名相同。"
            ),
            (Lang::En, Some(first)) => format!(
                "Read to {digits} {}, {count} other of the {len} positions {} the signature of position {pos}{} position {first}.",
                if digits == 1 { "decimal" } else { "decimals" },
                if count == 1 { "shares" } else { "share" },
                if count == 1 {
                    ":"
                } else {
                    ", the first of them"
                }
            ),
            (Lang::Zh, Some(first)) => format!(
                "读到小数点后 {digits} 位时，{len} 个位置中另有 {count} 个与位置 {pos} 的签名相同，第一个是位置 {first}。"
            ),
        };
        let nearest = self.nearest().map_or(String::new(), |(places, distance)| {
            let distance = short(distance, 3);
            match (self.lang, places.as_slice()) {
                (Lang::En, [p, q]) => format!(
                    " The nearest codes are those of positions {p} and {q}, at a distance of {distance}."
                ),
                (Lang::En, places) => format!(
                    " The nearest code is that of position {}, at a distance of {distance}.",
                    places[0]
                ),
                (Lang::Zh, [p, q]) => {
                    format!("编码最接近的是位置 {p} 和 {q}，相距 {distance}。")
                }
                (Lang::Zh, places) => {
                    format!("编码最接近的是位置 {}，相距 {distance}。", places[0])
                }
            }
        });
        let heard = match (self.lang, self.sounding) {
            (_, false) => "",
            (Lang::En, true) => {
                " Each pair has a tone, a high one if it is fast, which is loudest where its sine is 1 and silent where it is −1."
            }
            (Lang::Zh, true) => "每个维度对发一个音，频率高的音高；正弦为 1 时最响，为 −1 时无声。",
        };
        signature + &nearest + heard
    }

    pub(super) fn elements_above(&self) -> Option<Node> {
        let (words, volume) = match (self.lang, self.sounding) {
            (Lang::En, false) => ("Listen", "Volume"),
            (Lang::En, true) => ("Stop the sound", "Volume"),
            (Lang::Zh, false) => ("听一听", "音量"),
            (Lang::Zh, true) => ("停止发声", "音量"),
        };
        let pressed = if self.sounding { "true" } else { "false" };
        let slider = Node::new("input", vec![])
            .attribute("type", "range")
            .attribute("name", "volume")
            .attribute("min", "0")
            .attribute("max", "1")
            .attribute("step", "0.01")
            .attribute("value", format!("{:.2}", self.volume));
        Some(html::div(
            "row on-screen",
            vec![
                html::button("sound", "", words).attribute("aria-pressed", pressed),
                Node::new("label", vec![html::words(format!("{volume} ")), slider]).class("note"),
            ],
        ))
    }
}
