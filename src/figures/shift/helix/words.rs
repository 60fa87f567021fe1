//! The caption of the helix.

use super::{Helix, View};
use crate::text::number::{noun, short, whole};
use crate::text::{Lang, labels};

impl Helix {
    pub(super) fn describe(&self) -> String {
        let (pair, length) = (self.pair, short(self.pe.wavelength(self.pair), 4));
        let turn = labels::turn(self.lang, self.angle(self.k as f64));
        let (k, steps) = (whole(self.k), whole(self.k.abs()));
        let seen = match (self.lang, self.from) {
            (Lang::En, View::End) => "Seen from its end, the helix is the dial. ",
            (Lang::Zh, View::End) => "从一端看，螺旋线就是表盘。",
            (Lang::En, View::Side) => "Seen from the side, the helix is the sine. ",
            (Lang::Zh, View::Side) => "从侧面看，螺旋线就是正弦。",
            (Lang::En, View::Above) => "Seen from above, the helix is the cosine. ",
            (Lang::Zh, View::Above) => "从上方看，螺旋线就是余弦。",
            (_, View::Any) => "",
        };
        match self.lang {
            Lang::En => {
                let way = if self.k < 0 { "back" } else { "on" };
                let positions = noun(&steps, "position", "positions");
                format!(
                    "{seen}Pair {pair} over its positions: (cos, sin, pos) winds once in {length} positions. A shift by k = {k} is a screw: a turn by {turn}, and {steps} {positions} {way} along the axis, the same from everywhere."
                )
            }
            Lang::Zh => {
                let way = if self.k < 0 { "后退" } else { "前进" };
                format!(
                    "{seen}维度对 {pair} 随位置变化，(cos, sin, pos) 每 {length} 个位置绕一圈。移动 k = {k} 就是拧一下螺旋：转 {turn}，同时沿轴{way} {steps} 个位置，从哪里出发都一样。"
                )
            }
        }
    }
}
