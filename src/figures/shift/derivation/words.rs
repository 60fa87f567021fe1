//! The captions of the steps, and the lines of formulas with one or two steps each.

use super::{Derivation, LAST, LINES};
use crate::text::markup::math::*;
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text, number};

/// The caption of each step. Steps 2 and 3 are the two terms of the sine, 4 and 5 those of the cosine.
pub(super) const STEPS: [Text; 8] = [
    Text::new(
        "A pair is a point of the unit circle: cosine across, sine up, at the angle pos·ω.",
        "一个维度对就是单位圆上的一点：横坐标是余弦，纵坐标是正弦，角度为 pos·ω。",
    ),
    Text::new(
        "The position k further stands at the angle pos·ω + kω.",
        "再往后 k 个位置，角度为 pos·ω + kω。",
    ),
    Text::new(
        "Its sine is a height. First part: go cos kω along the arrow of PE(pos); that rises by sin(pos·ω)·cos kω.",
        "它的正弦就是高度。第一部分：沿 PE(pos) 的箭头走 cos kω，升高 sin(pos·ω)·cos kω。",
    ),
    Text::new(
        "Second part: from there go sin kω at a right angle; that rises by cos(pos·ω)·sin kω. The two heights add up to the sine.",
        "第二部分：再垂直转弯走 sin kω，又升高 cos(pos·ω)·sin kω。两段高度之和就是这个正弦。",
    ),
    Text::new(
        "The cosine is the reach across. First part of the same way: cos(pos·ω)·cos kω.",
        "余弦是横向距离。同一条路的第一部分：cos(pos·ω)·cos kω。",
    ),
    Text::new(
        "The second part leads across by −sin(pos·ω)·sin kω: hence the minus sign.",
        "第二部分横向走了 −sin(pos·ω)·sin kω：负号就是这样来的。",
    ),
    Text::new(
        "Both lines at once: a matrix times the pair at pos. The four factors that came with kω are its entries.",
        "两行合写：一个矩阵乘以 pos 处的维度对。四个含 kω 的因子就是矩阵的元素。",
    ),
    Text::new(
        "pos stands in no entry: the same matrix rotates every position by the same angle. The faint angles are those of other positions.",
        "矩阵的元素里没有 pos：对任何位置，它转过的角度都一样。淡色的角属于其他位置。",
    ),
];

pub(super) fn pos() -> Node {
    mi("pos").class("here")
}

pub(super) fn k() -> Node {
    mi("k").class("there")
}

pub(super) fn omega() -> Node {
    sub(mi("ω"), mi("i"))
}

pub(super) fn angle(of: Node) -> Node {
    row(vec![of, space(), omega()])
}

/// (pos + k)ω.
pub(super) fn both() -> Node {
    row(vec![fixed("("), pos(), mo("+"), k(), fixed(")"), omega()])
}

pub(super) fn space() -> Node {
    Node::new("mspace", vec![]).attribute("width", "0.17em")
}

pub(super) fn wave(name: &'static str, of: Node) -> Node {
    row(vec![mi(name), mo("\u{2061}"), space(), of])
}

pub(super) fn at_pos(name: &'static str) -> Node {
    wave(name, angle(pos()))
}

pub(super) fn turn(name: &'static str) -> Node {
    wave(name, angle(k()))
}

pub(super) fn at_both(name: &'static str) -> Node {
    wave(name, both())
}

pub(super) fn written(value: f64) -> String {
    if value.abs() >= 10.0 {
        return number::short(value, 6);
    }
    number::entry(value).trim().to_string()
}

pub(super) fn num(value: f64) -> Node {
    mn(written(value))
}

/// Makes a node show a step when pointer or focus enters it.
pub(super) fn over(step: usize, node: Node) -> Node {
    node.attribute("data-over", "step")
        .attribute("value", step.to_string())
}

impl Derivation {
    pub(super) fn line(&self, line: usize) -> Node {
        let pieces = |pieces: Vec<Node>| Node::new("span", pieces).class("pieces");
        let [(sin, cos), (sin_k, cos_k)] = self.waves();
        let (a, b) = self.angles();
        let [s1, s2, c1, c2] = self.terms();
        let there = self.pe.sin_cos(self.pair, self.pos + self.k);
        let column = |above: Node, below: Node| matrix(vec![vec![above], vec![below]]);
        let letters = |of: fn(&'static str) -> Node| column(of("sin"), of("cos"));
        let numbers =
            |(sin, cos): (f64, f64)| column(num(sin).class("sine"), num(cos).class("cosine"));
        match line {
            0 => pieces(vec![
                math(vec![
                    row(vec![mi("PE"), call_parens(pos())]),
                    mo("="),
                    letters(at_pos),
                ]),
                math(vec![mo("="), numbers((sin, cos))]),
            ]),
            1 => pieces(vec![
                math(vec![both(), mo("="), angle(pos()), mo("+"), angle(k())]),
                math(vec![
                    mo("="),
                    num(a),
                    mo(if b < 0.0 { "−" } else { "+" }),
                    num(b.abs()),
                    mo("="),
                    num(a + b).class("there"),
                ]),
            ]),
            2 | 3 => {
                let sine = line == 2;
                let (name, first, second) = if sine {
                    (
                        "sin",
                        [at_pos("sin"), turn("cos")],
                        [at_pos("cos"), turn("sin")],
                    )
                } else {
                    (
                        "cos",
                        [at_pos("cos"), turn("cos")],
                        [at_pos("sin"), turn("sin")],
                    )
                };
                let step = if sine { 2 } else { 4 };
                let term = |step: usize, parts: Vec<Node>| {
                    let lit = if self.step == step { "lit" } else { "" };
                    over(step, row(parts)).class(lit)
                };
                let [p, q] = first;
                let [r, s] = second;
                let sign = if sine { "+" } else { "−" };
                let (x, y, sum) = if sine {
                    (s1, s2, there.0)
                } else {
                    (c1, c2, there.1)
                };
                pieces(vec![
                    math(vec![
                        mi(name).class(if sine { "sine" } else { "cosine" }),
                        mo("\u{2061}"),
                        call_parens(both()),
                    ]),
                    math(vec![mo("="), term(step, vec![p, mo("·"), q])]),
                    math(vec![
                        mo(sign).attribute("form", "infix"),
                        term(step + 1, vec![r, mo("·"), s]),
                    ]),
                    math(vec![
                        mo("="),
                        num(x),
                        mo(if y < 0.0 { "−" } else { "+" }),
                        num(y.abs()),
                        mo("="),
                        num(sum).class("there"),
                    ]),
                ])
            }
            4 => {
                let entry = |step: usize, node: Node| {
                    let lit = self.step == step || self.step == 7;
                    over(step, row(vec![node])).class(if lit { "lit" } else { "" })
                };
                let minus = row(vec![mo("−"), turn("sin")]);
                let m = matrix(vec![
                    vec![entry(2, turn("cos")), entry(3, turn("sin"))],
                    vec![entry(5, minus), entry(4, turn("cos"))],
                ]);
                pieces(vec![
                    math(vec![letters(at_both)]),
                    math(vec![mo("="), m, letters(at_pos)]),
                    math(vec![
                        mo("="),
                        matrix(vec![
                            vec![num(cos_k), num(sin_k)],
                            vec![num(-sin_k), num(cos_k)],
                        ]),
                        numbers((sin, cos)),
                        mo("="),
                        numbers(there),
                    ]),
                ])
            }
            _ => pieces(vec![
                math(vec![
                    row(vec![mi("PE"), call_parens(row(vec![pos(), mo("+"), k()]))]),
                    mo("="),
                    sub(mi("M"), mi("k")),
                    row(vec![mi("PE"), call_parens(pos())]),
                ]),
                Node::text(
                    "span",
                    match self.lang {
                        Lang::En => "for every pos, with the same matrix",
                        Lang::Zh => "对所有 pos 成立，矩阵相同",
                    },
                ),
            ]),
        }
    }

    pub(super) fn describe(&self) -> String {
        STEPS[self.step].get(self.lang).to_string()
    }

    pub(super) fn elements_above(&self) -> Option<Node> {
        let count = match self.lang {
            Lang::En => format!("step {} of {}", self.step + 1, STEPS.len()),
            Lang::Zh => format!("第 {} 步，共 {} 步", self.step + 1, STEPS.len()),
        };
        let step = |by: i64, words: Text| {
            let to = self.step as i64 + by;
            html::button("step", to.to_string(), words.get(self.lang))
                .flag("disabled", !(0..=LAST).contains(&to))
        };
        Some(html::div(
            "row",
            vec![
                step(-1, Text::new("Back", "上一步")),
                step(1, Text::new("Next", "下一步")),
                html::span("note", count),
            ],
        ))
    }

    pub(super) fn elements_below(&self) -> Option<Node> {
        let lines = LINES.iter().enumerate().map(|(line, steps)| {
            let class = if steps.contains(&self.step) {
                "line lit"
            } else if steps[0] > self.step {
                "line ahead"
            } else {
                "line"
            };
            over(steps[0], Node::new("div", vec![self.line(line)])).class(class)
        });
        Some(Node::new("div", lines.collect()).class("wide lines"))
    }
}
