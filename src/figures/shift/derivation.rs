//! Why a shift is a turn: the angle-addition formulas step by step, in letters and numbers, each
//! step with what it means on the unit circle.

use crate::draw::{Circle, DrawContext, DrawResult, Pen, Picture, Theme, Words, dial};
use crate::field::{Field, Values, ViewName};
use crate::figure::Figure;
use crate::math::Clamp;
use crate::text::markup::math::*;
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text, labels, number};
use plotters::style::RGBColor;
use posenc_encoding::{Layout, Sinusoidal};

pub struct Derivation {
    lang: Lang,
    pe: Sinusoidal,
    pos: i64,
    k: i64,
    pair: usize,
    step: usize,
}

/// What each step says. Steps 2 and 3 are the two terms of the sine, 4 and 5 those of the cosine.
const STEPS: [Text; 8] = [
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
        "pos stands in no entry: the same matrix turns every position by the same angle. The faint angles are those of other positions.",
        "矩阵的元素里没有 pos：对任何位置，它转过的角度都一样。淡色的角属于其他位置。",
    ),
];

const LAST: i64 = STEPS.len() as i64 - 1;

/// The lines of formulas by their steps.
const LINES: [&[usize]; 6] = [&[0], &[1], &[2, 3], &[4, 5], &[6], &[7]];

impl Derivation {
    fn omega(&self) -> f64 {
        self.pe.frequency(self.pair)
    }

    /// pos·ω and kω, unreduced.
    fn angles(&self) -> (f64, f64) {
        let omega = self.omega();
        (self.pos as f64 * omega, self.k as f64 * omega)
    }

    /// (sine, cosine) of pos·ω and of kω.
    fn waves(&self) -> [(f64, f64); 2] {
        [self.pos, self.k].map(|by| self.pe.sin_cos(self.pair, by))
    }

    /// The four products: the two of the sine, the two of the cosine.
    fn terms(&self) -> [f64; 4] {
        let [(sin, cos), (sin_k, cos_k)] = self.waves();
        [sin * cos_k, cos * sin_k, cos * cos_k, -sin * sin_k]
    }

    fn line(&self, line: usize) -> Node {
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
}

fn pos() -> Node {
    mi("pos").class("here")
}

fn k() -> Node {
    mi("k").class("there")
}

fn omega() -> Node {
    sub(mi("ω"), mi("i"))
}

fn angle(of: Node) -> Node {
    row(vec![of, space(), omega()])
}

/// (pos + k)ω.
fn both() -> Node {
    row(vec![fixed("("), pos(), mo("+"), k(), fixed(")"), omega()])
}

fn space() -> Node {
    Node::new("mspace", vec![]).attribute("width", "0.17em")
}

fn wave(name: &'static str, of: Node) -> Node {
    row(vec![mi(name), mo("\u{2061}"), space(), of])
}

fn at_pos(name: &'static str) -> Node {
    wave(name, angle(pos()))
}

fn turn(name: &'static str) -> Node {
    wave(name, angle(k()))
}

fn at_both(name: &'static str) -> Node {
    wave(name, both())
}

fn written(value: f64) -> String {
    if value.abs() >= 10.0 {
        return number::short(value, 6);
    }
    number::entry(value).trim().to_string()
}

fn num(value: f64) -> Node {
    mn(written(value))
}

/// A part that shows its step when it is reached.
fn over(step: usize, node: Node) -> Node {
    node.attribute("data-over", "step")
        .attribute("value", step.to_string())
}

/// Whether there is room for terms in letters beside the circle; if not, their numbers stand alone.
fn is_wide(width: f64, theme: &Theme) -> bool {
    width > 36.0 * theme.label_size()
}

/// The radius, and the room for words to its right.
fn sizes(width: f64, theme: &Theme) -> (f64, f64) {
    let size = theme.label_size();
    let words = if is_wide(width, theme) { 14.5 } else { 5.0 } * size;
    let radius = (width - words - 7.6 * size) / 2.0;
    (radius.clamped(20.0, 125.0 * theme.scale), words)
}

/// The circle, and where the words to its right begin.
fn plan(context: &DrawContext) -> (Circle, f64) {
    let (width, size) = (context.frame.width, context.theme.label_size());
    let (radius, words) = sizes(width, context.theme);
    let taken = 2.0 * radius + words + 7.6 * size;
    let left = ((width - taken) / 2.0).max(0.0);
    let centre = (left + 2.3 * size + radius, 2.4 * size + radius);
    (Circle { centre, radius }, centre.0 + radius + 5.2 * size)
}

impl Derivation {
    /// The way to PE(pos+k) along PE(pos) and at a right angle to it, and its parts beside the
    /// circle: the heights at the right, the reaches below.
    fn draw_way<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, (circle, words)) = (context.theme, plan(context));
        let (size, wide) = (theme.label_size(), 1.5 * theme.stroke());
        let (x, y) = circle.centre;
        let [(sin, cos), (_, cos_k)] = self.waves();
        let (sin_there, cos_there) = self.pe.sin_cos(self.pair, self.pos + self.k);
        let foot = circle.point(sin * cos_k, cos * cos_k);
        let tip = circle.point(sin_there, cos_there);
        let [first, second] = [theme.accent, theme.there];
        pen.arrow(circle.centre, foot, first, wide)?;
        if self.step % 2 == 1 || self.step == 6 {
            pen.arrow(foot, tip, second, wide)?;
        }
        let thin = 0.6 * theme.stroke();
        let terms = self.terms();
        let wide_enough = is_wide(context.frame.width, theme);
        let label = |at: (f64, f64), name: &str, value: f64, colour: RGBColor| {
            let value = written(value);
            let text = if wide_enough {
                format!("{name} = {value}")
            } else {
                value
            };
            pen.words(at, &text, Words::new(size, colour).bold().starting())
        };
        if matches!(self.step, 2 | 3 | 6) {
            let up = |value: f64| y - circle.radius * value;
            let bars = [words - 0.9 * size, words - 0.1 * size];
            pen.dashes(foot, (bars[0], foot.1), first, thin)?;
            pen.arrow((bars[0], y), (bars[0], up(terms[0])), first, wide)?;
            let mut labels = vec![(up(terms[0] / 2.0), terms[0], "sin pos·ω · cos kω", first)];
            if self.step != 2 {
                pen.dashes(tip, (bars[1], tip.1), second, thin)?;
                let ends = ((bars[1], foot.1), (bars[1], tip.1));
                pen.arrow(ends.0, ends.1, second, wide)?;
                let middle = up(terms[0] + terms[1] / 2.0);
                labels.push((middle, terms[1], "cos pos·ω · sin kω", second));
            }
            if let [upper, lower] = &mut labels[..] {
                if upper.0 > lower.0 {
                    std::mem::swap(upper, lower);
                }
                let push = (1.5 * size - (lower.0 - upper.0)).max(0.0) / 2.0;
                upper.0 -= push;
                lower.0 += push;
            }
            for (at, value, name, colour) in labels {
                label((words + 0.7 * size, at), name, value, colour)?;
            }
        }
        if matches!(self.step, 4..=6) {
            let across = |value: f64| x + circle.radius * value;
            let rows = [2.1, 3.5].map(|row| y + circle.radius + row * size);
            pen.dashes(foot, (foot.0, rows[0]), first, thin)?;
            pen.arrow((x, rows[0]), (across(terms[2]), rows[0]), first, wide)?;
            let beside = words - 0.9 * size;
            label((beside, rows[0]), "cos pos·ω · cos kω", terms[2], first)?;
            if self.step != 4 {
                pen.dashes(tip, (tip.0, rows[1]), second, thin)?;
                pen.arrow((foot.0, rows[1]), (tip.0, rows[1]), second, wide)?;
                label((beside, rows[1]), "−sin pos·ω · sin kω", terms[3], second)?;
            }
        }
        Ok(())
    }
}

impl Figure for Derivation {
    const NAME: ViewName = ViewName::Derivation;
    const FIELDS: &'static [Field] = &[
        Field::size("d_model", "width", "编码宽度", 16, |_| (2, 512)),
        Field::size("pos", "position", "位置", 1, |_| (0, 4096)),
        Field::size("k", "offset", "偏移量", 3, |_| (-4096, 4096)),
        Field::whole("pair", "index i", "维度对", 1, |v| {
            (0, v.whole("d_model") / 2 - 1)
        }),
        Field::whole("step", "step", "步骤", 0, |_| (0, LAST)).passing(),
    ];
    const ARROWS: [&'static str; 2] = ["pos", "k"];

    fn new(values: &Values, lang: Lang, _: Option<Derivation>) -> Derivation {
        Derivation {
            lang,
            pe: Sinusoidal::new(values.count("d_model"), 10_000.0, Layout::Interleaved),
            pos: values.whole("pos"),
            k: values.whole("k"),
            pair: values.count("pair"),
            step: values.count("step"),
        }
    }

    fn caption(&self) -> String {
        STEPS[self.step].get(self.lang).to_string()
    }

    fn above(&self) -> Option<Node> {
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

    fn below(&self) -> Option<Node> {
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

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "step" {
            values.set("step", value);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(2.0 * sizes(width, theme).0 + 7.4 * theme.label_size())
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (theme, (circle, words)) = (context.theme, plan(context));
        let size = theme.label_size();
        let (start, by) = (self.pe.angle(self.pair, self.pos), self.angles().1);
        let end = start + by;
        if self.step == 7 {
            // Other positions, about a fifth of a turn apart.
            let apart = (self.pe.wavelength(self.pair) / 5.0).round().max(1.0) as i64;
            for other in 1..5 {
                let from = self.pe.angle(self.pair, self.pos + other * apart);
                for (angle, colour) in [(from, theme.here), (from + by, theme.there)] {
                    let line = [circle.centre, circle.at(angle, 1.0)];
                    pen.faint_line(&line, colour, 0.3, 0.75 * theme.stroke())?;
                }
                dial::turn(pen, theme, circle, 0.5, (from, by), theme.rule)?;
            }
        }
        let apart = circle.at(start, 1.0);
        let tip = circle.at(end, 1.0);
        let together = (apart.0 - tip.0).hypot(apart.1 - tip.1) < 1.3 * size;
        let two = self.step >= 1 && !together;
        let named = [(start, "pos"), (end, "pos+k")];
        let named = if two { &named[..] } else { &named[..1] };
        dial::axes(pen, context, self.lang, circle, named)?;
        let arrow = 1.3 * theme.stroke();
        let corner = |row: f64, text: &str, colour: RGBColor| {
            let at = (words - 0.9 * size, (0.9 + 1.5 * row) * size);
            pen.words(at, text, Words::new(size, colour).bold().starting())
        };
        let name = format!("{}, ω = {}", labels::pair_tag(self.lang, self.pair), {
            number::short(self.omega(), 4)
        });
        corner(0.0, &name, theme.muted)?;
        if self.step <= 1 {
            let zero = circle.at(0.0, 1.0);
            pen.line(&[circle.centre, zero], theme.muted, theme.hairline())?;
            dial::turn(pen, theme, circle, 0.3, (0.0, start), theme.here)?;
        }
        if self.step >= 1 {
            if !(2..=6).contains(&self.step) {
                let share = if self.step == 1 { 0.3 } else { 0.5 };
                dial::turn(pen, theme, circle, share, (start, by), theme.there)?;
                let turned = format!("kω = {}", labels::turn(self.lang, by));
                corner(1.0, &turned, theme.there)?;
            }
            pen.arrow(circle.centre, circle.at(end, 1.0), theme.there, arrow)?;
        }
        pen.arrow(circle.centre, circle.at(start, 1.0), theme.here, arrow)?;
        if (2..=6).contains(&self.step) {
            self.draw_way(pen, context)?;
        }
        if two {
            dial::name(pen, context, circle, end, "pos+k", theme.there)?;
        }
        dial::name(pen, context, circle, start, "pos", theme.here)
    }
}

#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    let &[d, pos, k, pair] = arguments else {
        return None;
    };
    let derivation = Derivation {
        lang: Lang::En,
        pe: Sinusoidal::new(d as usize, 10_000.0, Layout::Interleaved),
        pos: pos as i64,
        k: k as i64,
        pair: pair as usize,
        step: 0,
    };
    let term = ["sine_first", "sine_second", "cosine_first", "cosine_second"]
        .iter()
        .position(|n| *n == name)?;
    Some(derivation.terms()[term])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(changes: &str) -> Derivation {
        let values = Values::with(Derivation::FIELDS, changes);
        Derivation::new(&values, Lang::En, None)
    }

    #[test]
    fn the_terms_add_up() {
        for changes in ["", "d_model=512 pos=4000 k=-77 pair=9", "pos=7 k=0 pair=7"] {
            let it = shown(changes);
            let [s1, s2, c1, c2] = it.terms();
            let (sin, cos) = it.pe.sin_cos(it.pair, it.pos + it.k);
            assert!((s1 + s2 - sin).abs() < 1e-15 && (c1 + c2 - cos).abs() < 1e-15);
        }
    }

    #[test]
    fn the_lines_show_the_numbers() {
        // Python: sin 2 cos 3 = −0.900198, cos 2 sin 3 = −0.058727, sin 5 = −0.958924.
        let below = shown("d_model=4 pos=2 k=3 pair=0").below().unwrap();
        let plain = below.plain().replace('\u{2061}', "");
        assert!(plain.contains("=−0.900−0.059=−0.959"), "{plain}");
    }

    #[test]
    fn steps_go_on_and_back_and_stop() {
        let mut values = Values::new(Derivation::FIELDS);
        shown("").act("step", "1", &mut values);
        assert_eq!(values.whole("step"), 1);
        for step in 0..=LAST {
            let buttons = shown(&format!("step={step}")).above().unwrap().to_string();
            assert_eq!(buttons.contains("disabled"), step == 0 || step == LAST);
        }
    }

    #[test]
    fn every_step_has_its_line() {
        let steps: Vec<usize> = LINES.concat();
        assert_eq!(steps, (0..STEPS.len()).collect::<Vec<_>>());
    }
}
