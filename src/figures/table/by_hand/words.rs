//! The calculation in words and formulas, step by step.

use super::{ByHand, CELLS, MEMBERS, STEPS, Step, TOKENS, WIDTH};
use crate::figure::stepper;
use crate::text::markup::math::*;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, trimmed};
use crate::text::{Lang, Text};

pub(super) fn call(name: &str, arguments: Vec<Node>) -> Node {
    let mut inside = Vec::new();
    for argument in arguments {
        if !inside.is_empty() {
            inside.push(mo(","));
        }
        inside.push(argument);
    }
    row(vec![mi(name), mo("\u{2061}"), call_parens(row(inside))])
}

impl ByHand {
    /// A number of a table: a dot before step `made`, highlighted in that step and in those that use it.
    pub(super) fn shown(
        &self,
        text: String,
        class: &'static str,
        made: Step,
        used: &[Step],
    ) -> Node {
        if !self.reached(made) {
            return html::span("note", "·");
        }
        let now = Step::at(self.step);
        let lit = if now == made || used.contains(&now) {
            " lit"
        } else {
            ""
        };
        let node = Node::text("span", text);
        node.class(format!("{class}{lit}").trim_start().to_string())
    }

    /// The table of frequencies, angles and encodings.
    pub(super) fn table(&self) -> Node {
        let dimension = |d: usize| {
            let name = ["sin", "cos"][d % 2];
            html::words(match self.lang {
                // Two lines in a narrow figure.
                Lang::En => format!("dim\u{a0}{d}, {name}"),
                Lang::Zh => format!("维度\u{a0}{d} {name}"),
            })
        };
        let angle = |pair: usize| {
            let omega = sub(mi("ω"), mn(pair.to_string()));
            let parts = [vec![mi("pos").class("here"), mo("·")], vec![omega]];
            let [pos, omega] = parts.map(math);
            // Two lines in a narrow figure.
            Node::new("span", vec![pos, html::words("\u{200b}"), omega])
        };
        let mut rows = vec![vec![
            math(vec![mi("pos").class("here")]),
            angle(0),
            angle(1),
        ]];
        rows[0].extend((0..WIDTH).map(dimension));
        let mut frequencies = vec![math(vec![sub(mi("ω"), mi("i"))])];
        for pair in 0..2 {
            let text = trimmed(self.pe.frequency(pair), 4);
            let used = [0, 1, 2].map(|pos| Step::Angles { pos });
            frequencies.push(self.shown(text, "", Step::Frequency { pair }, &used));
        }
        frequencies.extend([(); WIDTH].map(|_| html::words("")));
        rows.push(frequencies);
        for (pos, token) in TOKENS.into_iter().enumerate() {
            let mut row = vec![html::words(format!("{pos}\u{a0}{token}"))];
            for pair in 0..2 {
                let text = trimmed(self.angle(pos, pair), 4);
                let used = [Step::Values { pos, pair }];
                row.push(self.shown(text, "", Step::Angles { pos }, &used));
            }
            for d in 0..WIDTH {
                let text = fixed(self.value(pos, d), 5);
                let made = Step::Values { pos, pair: d / 2 };
                let used = [Step::Row { pos }, Step::Sum { pos }];
                row.push(self.shown(text, MEMBERS[d % 2], made, &used));
            }
            rows.push(row);
        }
        html::table(rows)
    }

    /// The editable embeddings, and their sums with the encoding.
    pub(super) fn sums(&self) -> [Node; 2] {
        let dimension = |d: usize| match self.lang {
            Lang::En => format!("dim {d}"),
            Lang::Zh => format!("维度 {d}"),
        };
        let head = |en, zh| {
            let mut row = vec![html::words(Text::new(en, zh).get(self.lang))];
            row.extend((0..WIDTH).map(|d| html::words(dimension(d))));
            row
        };
        let mut inputs = vec![head("embedding", "词嵌入")];
        let mut sums = vec![head("sum", "和")];
        for (pos, token) in TOKENS.into_iter().enumerate() {
            let lit = Step::at(self.step) == Step::Sum { pos };
            let cell = |d: usize| {
                let written = &self.written[pos][d];
                let input = Node::new("input", vec![])
                    .attribute("type", "text")
                    .attribute("inputmode", "decimal")
                    .attribute("name", CELLS[pos][d].name())
                    .attribute("aria-label", format!("{token}, {}", dimension(d)))
                    .attribute("autocomplete", "off")
                    .attribute("value", written.clone())
                    .class(if lit { "lit" } else { "" });
                Node::new("span", vec![input, html::span("on-paper", written.clone())])
            };
            let mut row = vec![html::words(token)];
            row.extend((0..WIDTH).map(cell));
            inputs.push(row);
            let sum = |d| {
                let text = fixed(self.sum(pos, d), 3);
                self.shown(text, "", Step::Sum { pos }, &[])
            };
            let mut row = vec![html::words(token)];
            row.extend((0..WIDTH).map(sum));
            sums.push(row);
        }
        [html::table(inputs), html::table(sums)]
    }

    /// The formula in symbols, with the parts that the current step uses highlighted.
    pub(super) fn general(&self) -> Node {
        let now = Step::at(self.step);
        let lit = |on: bool| if on { "lit" } else { "" };
        let pos = || mi("pos").class("here");
        let omega = || sub(mi("ω"), mi("i"));
        let even = || row(vec![mn("2"), mi("i")]);
        let entry = |odd: bool| {
            let dimension = if odd {
                row(vec![even(), mo("+"), mn("1")])
            } else {
                even()
            };
            let class = MEMBERS[usize::from(odd)];
            let name = ["sin", "cos"][usize::from(odd)];
            math(vec![
                call("PE", vec![pos(), dimension.class(class)]),
                mo("="),
                mi(name).class(class),
                mo("\u{2061}"),
                call_parens(row(vec![pos(), mo("·"), omega()])),
            ])
            .class(lit(matches!(now, Step::Values { .. })))
        };
        let exponent = row(vec![even(), mo("/"), sub(mi("d"), mi("model"))]);
        let frequency = math(vec![
            omega(),
            mo("="),
            mn("1"),
            mo("/"),
            sup(mn("10000"), exponent),
        ]);
        let frequency = frequency.class(lit(matches!(now, Step::Frequency { .. })));
        let pieces = vec![frequency, entry(false), entry(true)];
        html::div("pieces gaps", pieces)
    }

    /// The equation of the current step, in numbers.
    pub(super) fn equation(&self) -> Node {
        let number = |value: f64, digits| mn(trimmed(value, digits));
        let pos_number = |pos: usize| mn(pos.to_string()).class("here");
        let pieces = match Step::at(self.step) {
            Step::Frequency { pair } => {
                let power = row(vec![
                    mn("2"),
                    mo("·"),
                    mn(pair.to_string()),
                    mo("/"),
                    mn("4"),
                ]);
                let result = number(self.pe.frequency(pair), 4).class("lit");
                vec![math(vec![
                    sub(mi("ω"), mn(pair.to_string())),
                    mo("="),
                    mn("1"),
                    mo("/"),
                    sup(mn("10000"), power),
                    mo("="),
                    result,
                ])]
            }
            Step::Angles { pos } => [0, 1]
                .map(|pair| {
                    math(vec![
                        mi("pos").class("here"),
                        mo("·"),
                        sub(mi("ω"), mn(pair.to_string())),
                        mo("="),
                        pos_number(pos),
                        mo("·"),
                        number(self.pe.frequency(pair), 4),
                        mo("="),
                        number(self.angle(pos, pair), 4).class("lit"),
                    ])
                })
                .into(),
            Step::Values { pos, pair } => [0, 1]
                .map(|odd| {
                    let d = 2 * pair + odd;
                    let value = self.value(pos, d);
                    let dimension = mn(d.to_string()).class(MEMBERS[odd]);
                    math(vec![
                        call("PE", vec![pos_number(pos), dimension]),
                        mo("="),
                        mi(["sin", "cos"][odd]).class(MEMBERS[odd]),
                        mo("\u{2061}"),
                        call_parens(number(self.angle(pos, pair), 4)),
                        mo(if value == value.round() { "=" } else { "≈" }),
                        row(vec![mn(fixed(value, 5))]).class(format!("{} lit", MEMBERS[odd])),
                    ])
                })
                .into(),
            Step::Row { pos } => {
                let rows = |made: &dyn Fn(usize) -> Node| {
                    matrix((0..WIDTH).map(|d| vec![made(d)]).collect())
                };
                let angle = |d: usize| {
                    row(vec![
                        mi(["sin", "cos"][d % 2]).class(MEMBERS[d % 2]),
                        mo("\u{2061}"),
                        call_parens(number(self.angle(pos, d / 2), 4)),
                    ])
                };
                let value = |d: usize| mn(fixed(self.value(pos, d), 5)).class(MEMBERS[d % 2]);
                vec![math(vec![
                    call("PE", vec![pos_number(pos)]),
                    mo("="),
                    rows(&angle),
                    mo(if pos == 0 { "=" } else { "≈" }),
                    row(vec![rows(&value)]).class("lit"),
                ])]
            }
            Step::Sum { pos } => {
                let column =
                    |of: &dyn Fn(usize) -> Node| matrix((0..WIDTH).map(|d| vec![of(d)]).collect());
                let word = column(&|d| number(self.embeddings[pos][d], 3));
                let code = column(&|d| mn(fixed(self.value(pos, d), 5)).class(MEMBERS[d % 2]));
                let sum = column(&|d| mn(fixed(self.sum(pos, d), 3)));
                let name = Node::text("mtext", format!("“{}”", TOKENS[pos]));
                vec![math(vec![
                    under(word, name),
                    mo("+"),
                    under(code, call("PE", vec![pos_number(pos)])),
                    mo("≈"),
                    row(vec![sum]).class("lit"),
                ])]
            }
        };
        html::div("equation steps", vec![html::div("pieces gaps", pieces)])
    }

    pub(super) fn buttons(&self) -> Node {
        let text = |en, zh| Text::new(en, zh).get(self.lang);
        let mut row = stepper(self.lang, self.step + 1, STEPS);
        row.push(html::button(
            "step",
            "first",
            text("Start again", "从头开始"),
        ));
        row.push(html::button(
            "step",
            "last",
            text("Show everything", "全部显示"),
        ));
        html::div("row", row)
    }

    pub(super) fn describe(&self) -> String {
        let angle = |pos, pair| trimmed(self.angle(pos, pair), 4);
        match (self.lang, Step::at(self.step)) {
            (Lang::En, Step::Frequency { pair: 0 }) => "Four dimensions make two pairs, i = 0 and i = 1. Pair 0 has frequency 1: one radian per position.".into(),
            (Lang::Zh, Step::Frequency { pair: 0 }) => "4 个维度组成两个维度对，i = 0 和 i = 1。维度对 0 的频率为 1，即每个位置转 1 弧度。".into(),
            (Lang::En, Step::Frequency { .. }) => "Pair 1 has frequency 1/100, a hundred times slower. i counts pairs, not dimensions: 2i and 2i + 1 are the dimensions.".into(),
            (Lang::Zh, Step::Frequency { .. }) => "维度对 1 的频率为 1/100，慢一百倍。i 数的是维度对而不是维度：2i 和 2i + 1 才是维度。".into(),
            (Lang::En, Step::Angles { pos: 0 }) => "The angle is position times frequency. At position 0 it is 0 for every pair.".into(),
            (Lang::Zh, Step::Angles { pos: 0 }) => "角度等于位置乘频率。在位置 0，每个维度对的角度都是 0。".into(),
            (Lang::En, Step::Angles { pos }) => format!("At position {pos} pair 0 stands at {} rad, pair 1 still at {} rad.", angle(pos, 0), angle(pos, 1)),
            (Lang::Zh, Step::Angles { pos }) => format!("在位置 {pos}，维度对 0 已转到 {} 弧度，维度对 1 才到 {} 弧度。", angle(pos, 0), angle(pos, 1)),
            (Lang::En, Step::Values { pos, pair }) => {
                let d = 2 * pair;
                let value = fixed(self.value(pos, d + 1), 5);
                let close = if pair == 1 && pos > 0 { format!(" The cosine of {} is {value}: near 1, and different at every position.", angle(pos, pair)) } else { String::new() };
                format!("One angle, two entries: its sine in the even dimension {d}, its cosine in the odd dimension {}.{close}", d + 1)
            }
            (Lang::Zh, Step::Values { pos, pair }) => {
                let d = 2 * pair;
                let value = fixed(self.value(pos, d + 1), 5);
                let close = if pair == 1 && pos > 0 { format!("{} 的余弦是 {value}：接近 1，但每个位置各不相同。", angle(pos, pair)) } else { String::new() };
                format!("一个角度给出两个值：正弦放在偶数维度 {d}，余弦放在奇数维度 {}。{close}", d + 1)
            }
            (Lang::En, Step::Row { pos: 0 }) => "PE(0) is 0, 1, 0, 1, for any base: sines of 0 are 0 and cosines are 1.".into(),
            (Lang::Zh, Step::Row { pos: 0 }) => "PE(0) 是 0、1、0、1，与底数无关：0 的正弦是 0，余弦是 1。".into(),
            (Lang::En, Step::Row { pos }) => format!("The four numbers are the signature of position {pos}, whatever word stands there. None lies outside −1 … 1."),
            (Lang::Zh, Step::Row { pos }) => format!("这四个数就是位置 {pos} 的签名，与放在这里的是哪个词无关。每个数都在 −1 到 1 之间。"),
            (Lang::En, Step::Sum { pos }) => format!("“{}” moves by PE({pos}), one unit in the plane of each pair. Another word would move by the same arrow: adding shifts, it does not rotate.", TOKENS[pos]),
            (Lang::Zh, Step::Sum { pos }) => format!("“{}”平移了 PE({pos})，在每个维度对的平面上都恰好移动 1 个单位。换成别的词，平移的箭头也一样：相加是平移，不是旋转。", TOKENS[pos]),
        }
    }
}
