//! The formula worked out number by number for three words and d_model = 4.

use crate::draw::chart::{Chart, Scale as Axis};
use crate::draw::pen::text_width;
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::Figure;
use crate::math::Clamp;
use crate::text::markup::math::*;
use crate::text::markup::{Node, html};
use crate::text::number::{fixed, trimmed};
use crate::text::{Lang, Text};
use posenc_encoding::sin_cos;
use posenc_encoding::{Layout, Sinusoidal};
use std::f64::consts::TAU;

const TOKENS: [&str; 3] = ["The", "cat", "sat"];
const WIDTH: usize = 4;
/// The fields of the embeddings, by token and dimension.
const CELLS: [[&str; WIDTH]; 3] = [
    ["x00", "x01", "x02", "x03"],
    ["x10", "x11", "x12", "x13"],
    ["x20", "x21", "x22", "x23"],
];
/// Two frequencies, then five steps a position.
const STEPS: usize = 2 + 5 * TOKENS.len();

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    Frequency { pair: usize },
    Angles { pos: usize },
    Values { pos: usize, pair: usize },
    Row { pos: usize },
    Sum { pos: usize },
}

impl Step {
    fn at(step: usize) -> Step {
        let Some(step) = step.checked_sub(2) else {
            return Step::Frequency { pair: step };
        };
        let pos = step / 5;
        match step % 5 {
            0 => Step::Angles { pos },
            3 => Step::Row { pos },
            4 => Step::Sum { pos },
            pair => Step::Values {
                pos,
                pair: pair - 1,
            },
        }
    }

    fn pos(self) -> Option<usize> {
        match self {
            Step::Frequency { .. } => None,
            Step::Angles { pos }
            | Step::Values { pos, .. }
            | Step::Row { pos }
            | Step::Sum { pos } => Some(pos),
        }
    }
}

pub struct ByHand {
    lang: Lang,
    pe: Sinusoidal,
    step: usize,
    embeddings: [[f64; WIDTH]; 3],
    /// The embeddings as they are written in their fields.
    written: [[String; WIDTH]; 3],
}

const fn cell(name: &'static str, en: &'static str, zh: &'static str, default: f64) -> Field {
    Field::real(name, en, zh, default, (-10.0, 10.0), 3).linked()
}

/// The class of a dimension's numbers.
const MEMBERS: [&str; 2] = ["sine", "cosine"];

impl ByHand {
    fn value(&self, pos: usize, dimension: usize) -> f64 {
        self.pe.value(pos as i64, dimension)
    }

    /// Not reduced: positions are small.
    fn angle(&self, pos: usize, pair: usize) -> f64 {
        pos as f64 * self.pe.frequency(pair)
    }

    fn sum(&self, pos: usize, dimension: usize) -> f64 {
        self.embeddings[pos][dimension] + self.value(pos, dimension)
    }

    fn reached(&self, step: Step) -> bool {
        (0..=self.step).any(|earlier| Step::at(earlier) == step)
    }

    /// A number of a table: empty before its step, lit in it and in those that build on it.
    fn shown(&self, text: String, class: &'static str, made: Step, used: &[Step]) -> Node {
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

    /// Frequencies, angles and encodings.
    fn table(&self) -> Node {
        let dimension = |d: usize| {
            let name = ["sin", "cos"][d % 2];
            html::words(match self.lang {
                Lang::En => format!("dim {d}, {name}"),
                Lang::Zh => format!("维度 {d}，{name}"),
            })
        };
        let angle = |pair: usize| {
            let omega = sub(mi("ω"), mn(pair.to_string()));
            math(vec![mi("pos").class("here"), mo("·"), omega])
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

    /// Embeddings, to be edited, and their sums with the encoding.
    fn sums(&self) -> [Node; 2] {
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
                    .attribute("name", CELLS[pos][d])
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

    /// The formula in letters; what the step uses is lit.
    fn general(&self) -> Node {
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

    /// The step's own equation in numbers.
    fn equation(&self) -> Node {
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

    fn buttons(&self) -> Node {
        let (first, last) = (self.step == 0, self.step == STEPS - 1);
        let text = |en, zh| Text::new(en, zh).get(self.lang);
        let count = match self.lang {
            Lang::En => format!("Step {} of {STEPS}", self.step + 1),
            Lang::Zh => format!("第 {} 步，共 {STEPS} 步", self.step + 1),
        };
        html::div(
            "row",
            vec![
                html::button("step", "back", text("← Back", "← 上一步")).flag("disabled", first),
                html::button("step", "on", text("Forward →", "下一步 →")).flag("disabled", last),
                Node::text("span", count).attribute("role", "status"),
                html::button("step", "first", text("Start again", "从头开始")),
                html::button("step", "last", text("Show everything", "全部显示")),
                html::button("restore", "", text("Original embeddings", "恢复词嵌入")),
            ],
        )
    }

    /// The two planes, one per pair: cosine across, sine up.
    fn planes(&self, width: f64, theme: &Theme) -> ([Rect; 2], f64) {
        let size = theme.label_size();
        let beside = width >= 520.0;
        let each = if beside { width / 2.0 } else { width };
        let plot = (each - 5.3 * size).clamped(1.0, 22.0 * size);
        let (wide, high) = (plot + 5.3 * size, plot + 3.9 * size);
        let room = |x, y| Rect::new(x, y + 1.4 * size, wide, high);
        if beside {
            ([room(0.0, 0.0), room(each, 0.0)], high + 1.4 * size)
        } else {
            let step = high + 1.8 * size;
            ([room(0.0, 0.0), room(0.0, step)], step + high + 1.4 * size)
        }
    }

    /// The pair's name, and what the arrows are, in their colours.
    fn legend<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        (mut x, y): (f64, f64),
        title: &str,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let now = Step::at(self.step);
        let mut words = vec![(title.to_string(), theme.ink)];
        if let Some(pos) = now.pos() {
            words.push((format!("  {}", TOKENS[pos]), theme.muted));
            if !matches!(now, Step::Angles { .. }) {
                words.push((format!("+ PE({pos})"), theme.here));
            }
            if now == (Step::Sum { pos }) {
                let input = Text::new("= input", "= 输入").get(self.lang);
                words.push((input.into(), theme.there));
            }
        }
        for (text, colour) in words {
            let width = text_width(&text, size);
            pen.words((x, y), &text, Words::new(size, colour).starting().bold())?;
            x += 1.1 * width + 0.5 * size;
        }
        Ok(())
    }

    /// A token's embedding and its encoding in the plane of a pair: (cosine, sine).
    fn arrow(&self, pos: usize, pair: usize) -> [(f64, f64); 2] {
        let (x, d) = (&self.embeddings[pos], 2 * pair);
        let code = (self.value(pos, d + 1), self.value(pos, d));
        [(x[d + 1], x[d]), code]
    }

    /// Lowest and highest of all that the planes show.
    fn span(&self) -> (f64, f64) {
        let all = || self.embeddings.iter().flatten().copied();
        let low = all().fold(0.0, |low, x| f64::min(low, x - 1.0));
        let high = all().fold(0.0, |high, x| f64::max(high, x + 1.0));
        (low - 0.1, high + 0.1)
    }
}

fn call(name: &str, arguments: Vec<Node>) -> Node {
    let mut inside = Vec::new();
    for argument in arguments {
        if !inside.is_empty() {
            inside.push(mo(","));
        }
        inside.push(argument);
    }
    row(vec![mi(name), mo("\u{2061}"), call_parens(row(inside))])
}

impl Figure for ByHand {
    const NAME: ViewName = ViewName::ByHand;
    const FIELDS: &'static [Field] = &[
        Field::whole("step", "step", "步骤", 0, |_| (0, STEPS as i64 - 1)).linked(),
        cell("x00", "The, dimension 0", "The，维度 0", 0.1),
        cell("x01", "The, dimension 1", "The，维度 1", 0.2),
        cell("x02", "The, dimension 2", "The，维度 2", 0.3),
        cell("x03", "The, dimension 3", "The，维度 3", 0.4),
        cell("x10", "cat, dimension 0", "cat，维度 0", 0.5),
        cell("x11", "cat, dimension 1", "cat，维度 1", 0.6),
        cell("x12", "cat, dimension 2", "cat，维度 2", 0.7),
        cell("x13", "cat, dimension 3", "cat，维度 3", 0.8),
        cell("x20", "sat, dimension 0", "sat，维度 0", 0.9),
        cell("x21", "sat, dimension 1", "sat，维度 1", 1.0),
        cell("x22", "sat, dimension 2", "sat，维度 2", 1.1),
        cell("x23", "sat, dimension 3", "sat，维度 3", 1.2),
    ];
    const ARROWS: [&'static str; 2] = ["step", ""];

    fn new(values: &Values, lang: Lang, _: Option<ByHand>) -> ByHand {
        let written = CELLS.map(|row| {
            row.map(|name| {
                let text = values.text(name);
                text.trim_end_matches('0').trim_end_matches('.').to_string()
            })
        });
        ByHand {
            lang,
            pe: Sinusoidal::new(WIDTH, 10_000.0, Layout::Interleaved),
            step: values.count("step"),
            embeddings: CELLS.map(|row| row.map(|name| values.real(name))),
            written,
        }
    }

    fn caption(&self) -> String {
        let angle = |pos, pair| trimmed(self.angle(pos, pair), 4);
        match (self.lang, Step::at(self.step)) {
            (Lang::En, Step::Frequency { pair: 0 }) => "Four dimensions make two pairs, i = 0 and i = 1. Pair 0 has frequency 1: one radian per position.".into(),
            (Lang::Zh, Step::Frequency { pair: 0 }) => "4 个维度组成两个维度对，i = 0 和 i = 1。维度对 0 的频率为 1，即每个位置转 1 弧度。".into(),
            (Lang::En, Step::Frequency { .. }) => "Pair 1 has frequency 1/100, a hundred times slower. i counts pairs, not dimensions: 2i and 2i + 1 are the dimensions.".into(),
            (Lang::Zh, Step::Frequency { .. }) => "维度对 1 的频率为 1/100，慢一百倍。i 数的是维度对而不是维度：2i 和 2i + 1 才是维度。".into(),
            (Lang::En, Step::Angles { pos: 0 }) => "The angle is position times frequency. At position 0 it is 0 for every pair.".into(),
            (Lang::Zh, Step::Angles { pos: 0 }) => "角度等于位置乘频率。在位置 0，每个维度对的角度都是 0。".into(),
            (Lang::En, Step::Angles { pos }) => format!("At position {pos} pair 0 stands at {} radians, pair 1 still at {}.", angle(pos, 0), angle(pos, 1)),
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

    fn above(&self) -> Option<Node> {
        let [embeddings, sums] = self.sums();
        let tables = vec![self.table(), embeddings, sums];
        let nodes = vec![
            self.buttons(),
            self.general(),
            self.equation(),
            html::div("by-hand", tables),
        ];
        Some(Node::new("div", nodes))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(self.planes(width, theme).1)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (low, high) = self.span();
        let now = Step::at(self.step);
        let rooms = self.planes(context.frame.width, theme).0;
        for (pair, room) in rooms.into_iter().enumerate() {
            let chart = Chart::new(
                context,
                room,
                Axis::linear(low, high),
                Axis::linear(low, high),
            );
            let (even, odd) = (2 * pair, 2 * pair + 1);
            let [up, across, title] = match self.lang {
                Lang::En => [
                    format!("dimension {even}, sine"),
                    format!("dimension {odd}, cosine"),
                    format!("Pair {pair}"),
                ],
                Lang::Zh => [
                    format!("维度 {even}，正弦"),
                    format!("维度 {odd}，余弦"),
                    format!("维度对 {pair}"),
                ],
            };
            chart.axes(pen, context, [&up, &across])?;
            self.legend(
                pen,
                context,
                (chart.plot.x, chart.plot.y - 0.9 * size),
                &title,
            )?;
            let origin = chart.at((0.0, 0.0));
            pen.disc(origin, 1.2 * theme.stroke(), theme.muted)?;
            for pos in 0..TOKENS.len() {
                let [word, code] = self.arrow(pos, pair);
                let made = self.reached(Step::Values { pos, pair });
                let (from, to) = (chart.at(word), chart.at((word.0 + code.0, word.1 + code.1)));
                if now.pos() != Some(pos) {
                    if made {
                        pen.line(&[from, to], theme.rule, theme.stroke())?;
                        pen.disc(to, theme.stroke(), theme.rule)?;
                    }
                    pen.disc(from, 1.2 * theme.stroke(), theme.muted)?;
                    continue;
                }
                // Wherever the position is, the encoding ends on this circle.
                let circle = (0..=72).map(|i| {
                    let (sin, cos) = sin_cos(TAU * f64::from(i) / 72.0);
                    (word.0 + cos, word.1 + sin)
                });
                chart.curve(pen, circle, theme.rule, theme.hairline())?;
                pen.arrow(origin, from, theme.muted, 0.75 * theme.stroke())?;
                if made {
                    let corner = (to.0, from.1);
                    pen.line(&[from, corner], theme.cosine, theme.stroke())?;
                    pen.line(&[corner, to], theme.sine, theme.stroke())?;
                    pen.arrow(from, to, theme.here, theme.stroke())?;
                }
                if self.reached(Step::Sum { pos }) {
                    pen.arrow(origin, to, theme.there, 1.25 * theme.stroke())?;
                }
            }
        }
        Ok(())
    }

    fn on_bench(&self, _: &Values) -> Vec<(&'static str, String)> {
        [
            ("d_model", "4"),
            ("max_len", "3"),
            ("pair", "0"),
            ("pos", "1"),
        ]
        .map(|(name, text)| (name, text.to_string()))
        .to_vec()
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        let step = self.step as i64;
        match (action, value) {
            ("step", "back") => values.set_whole("step", step - 1),
            ("step", "on") => values.set_whole("step", step + 1),
            ("step", "first") => values.set_whole("step", 0),
            ("step", "last") => values.set_whole("step", STEPS as i64 - 1),
            ("restore", _) => {
                let defaults = Values::new(Self::FIELDS);
                for name in CELLS.into_iter().flatten() {
                    values.set(name, &defaults.text(name));
                }
            }
            _ => {}
        }
    }
}

/// `by_hand_sum(pos, dimension)`: embedding plus encoding of the default sentence.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    let figure = ByHand::new(&Values::new(ByHand::FIELDS), Lang::En, None);
    match (name, arguments) {
        ("by_hand_sum", &[pos, d]) => Some(figure.sum(pos as usize, d as usize)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close::assert_close;

    fn at(step: usize) -> (Values, ByHand) {
        let mut values = Values::new(ByHand::FIELDS);
        values.set_whole("step", step as i64);
        let figure = ByHand::new(&values, Lang::En, None);
        (values, figure)
    }

    fn plain(node: &Node) -> String {
        node.plain().replace('\u{2061}', "")
    }

    /// Python's math: sin 1 = 0.8414709848, cos 1 = 0.5403023059, sin 2 = 0.9092974268,
    /// cos 2 = −0.4161468365, and so on at a hundredth of the angle.
    #[test]
    fn the_worked_example_is_right() {
        let (_, figure) = at(0);
        let expected = [
            [0.0, 1.0, 0.0, 1.0],
            [0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004],
            [0.9092974268, -0.4161468365, 0.0199986667, 0.9998000067],
        ];
        let sums = [
            ["0.100", "1.200", "0.300", "1.400"],
            ["1.341", "1.140", "0.710", "1.800"],
            ["1.809", "0.584", "1.120", "2.200"],
        ];
        for pos in 0..3 {
            for d in 0..WIDTH {
                assert_close(figure.value(pos, d), expected[pos][d], 5e-11);
                assert_eq!(fixed(figure.sum(pos, d), 3), sums[pos][d]);
            }
        }
    }

    #[test]
    fn each_step_has_its_equation() {
        let equation = |step| plain(&at(step).1.equation());
        for (step, text) in [
            (0, "ω0=1/100002·0/4=1"),
            (1, "ω1=1/100002·1/4=0.01"),
            (2, "pos·ω0=0·1=0pos·ω1=0·0.01=0"),
            (3, "PE(0,0)=sin(0)=0.00000PE(0,1)=cos(0)=1.00000"),
            (9, "PE(1,2)=sin(0.01)≈0.01000PE(1,3)=cos(0.01)≈0.99995"),
            (14, "PE(2,2)=sin(0.02)≈0.02000PE(2,3)=cos(0.02)≈0.99980"),
            (
                15,
                "PE(2)=sin(2)cos(2)sin(0.02)cos(0.02)≈0.90930−0.416150.020000.99980",
            ),
            (
                16,
                "0.911.11.2“sat”+0.90930−0.416150.020000.99980PE(2)≈1.8090.5841.1202.200",
            ),
        ] {
            assert_eq!(equation(step), text);
        }
    }

    #[test]
    fn numbers_appear_in_their_step_and_are_lit_where_used() {
        let markup = |step| at(step).1.above().unwrap().to_string();
        let lit = "<span class=\"sine lit\">0.84147</span>";
        assert!(!markup(7).contains("0.84147"));
        assert!(markup(8).contains(lit) && markup(10).contains(lit));
        assert!(markup(13).contains("<span class=\"sine\">0.84147</span>"));
        let waiting = |step| markup(step).matches(">·</span>").count();
        assert_eq!((waiting(0), waiting(STEPS - 1)), (1 + 6 + 12 + 12, 0));
    }

    #[test]
    fn the_buttons_and_keys_walk_through_the_steps() {
        let (mut values, figure) = at(0);
        figure.act("step", "back", &mut values);
        assert_eq!(values.whole("step"), 0);
        figure.act("step", "last", &mut values);
        assert_eq!(Step::at(values.count("step")), Step::Sum { pos: 2 });
        assert!(figure.key("ArrowLeft", false, &mut values));
        assert_eq!(Step::at(values.count("step")), Step::Row { pos: 2 });
        assert!(figure.key("Home", false, &mut values));
        assert_eq!(values.whole("step"), 0);
    }

    #[test]
    fn embeddings_can_be_written_and_bad_ones_are_put_right() {
        let (mut values, _) = at(STEPS - 1);
        assert_eq!(values.set("x10", "−１．５"), None);
        assert!(values.set("x11", "cat").is_some());
        assert!(values.set("x12", "1e99").is_some());
        assert!(values.set("x13", "").is_some());
        let figure = ByHand::new(&values, Lang::En, None);
        assert_eq!(figure.embeddings[1], [-1.5, 0.6, 10.0, 0.8]);
        assert_eq!(figure.written[1], ["-1.5", "0.6", "10", "0.8"]);
        assert_eq!(fixed(figure.sum(1, 0), 3), "−0.659");
        figure.act("restore", "", &mut values);
        assert_eq!(values.changed(), [("step", "16".to_string())]);
    }

    #[test]
    fn adding_moves_every_word_alike_by_one_unit_a_pair() {
        let (mut values, before) = at(STEPS - 1);
        values.set("x10", "-7");
        values.set("x13", "9.5");
        let after = ByHand::new(&values, Lang::En, None);
        for pair in 0..2 {
            let [_, (x, y)] = before.arrow(1, pair);
            assert_close(x.hypot(y), 1.0, 1e-15);
            for d in [2 * pair, 2 * pair + 1] {
                let moved = |e: &ByHand| e.sum(1, d) - e.embeddings[1][d];
                assert_close(moved(&after), moved(&before), 1e-14);
            }
        }
    }
}
