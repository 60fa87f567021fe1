//! The code of the module beside its formula: a line and its term are highlighted together, each with
//! its shape and the numbers of the selected cell.

mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::Figure;
use crate::text::markup::Node;
use crate::text::markup::html::{button, div, span, words};
use crate::text::markup::math::*;
use crate::text::number::{self, short, whole};
use crate::text::{Lang, Text};
use posenc_encoding::{Layout, MAX_D_MODEL, Sinusoidal};

/// The module's default max_len, as written in the sources.
const MAX_LEN: i64 = 5000;

const TORCH: &str = include_str!("../../../../static/code/pe_torch.py");
const NUMPY: &str = include_str!("../../../../static/code/pe_numpy.py");
const RUST: &str = include_str!("../../../../static/code/pe.rs");

/// A step of the computation: a line of code and the corresponding part of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Term {
    Position,
    Even,
    Frequency,
    Table,
    Sine,
    Cosine,
    Buffer,
    Input,
    Scale,
    Sum,
    Dropout,
}

/// Each term with the substrings that identify its lines; the first match counts.
const TERMS: [(Term, &[&str]); 11] = [
    (Term::Position, &["position = "]),
    (Term::Even, &["even = "]),
    (Term::Frequency, &["div_term = ", "div_term: "]),
    (Term::Table, &["torch.zeros", "np.zeros", "let mut pe"]),
    (Term::Sine, &["0::2", "pair[0]"]),
    (Term::Cosine, &["1::2", "*odd"]),
    (Term::Buffer, &["register_buffer", "self.pe = ", "pe: Vec"]),
    (Term::Input, &["def forward", "def __call__", "fn forward"]),
    (Term::Scale, &["self.scale", "let scale"]),
    (Term::Sum, &["x + self.pe", "*x += pe"]),
    (Term::Dropout, &["self.dropout", "keep"]),
];

/// The terms of the four formulas, in order; each formula and its line have the same number, from 1.
const NUMBERED: [Term; 4] = [Term::Frequency, Term::Sine, Term::Cosine, Term::Sum];

/// Returns the index of a line's term in [`TERMS`].
fn term_of(line: &str) -> Option<usize> {
    TERMS
        .iter()
        .position(|(_, pieces)| pieces.iter().any(|piece| split_at(line, piece).is_some()))
}

pub struct Code {
    lang: Lang,
    source: &'static str,
    pe: Sinusoidal,
    pos: i64,
    dimension: usize,
    /// Index of the highlighted term in [`TERMS`].
    lit: usize,
}

/// Splits a text at the first occurrence of `mark`. `str::split_once` would add two kilobytes to the
/// binary for its search of long texts.
fn split_at<'a>(text: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let starts = |at: &usize| text.as_bytes()[*at..].starts_with(mark.as_bytes());
    let at = (0..text.len()).find(starts)?;
    Some((text.get(..at)?, text.get(at + mark.len()..)?))
}

impl Code {
    fn pair(&self) -> usize {
        self.dimension / 2
    }

    fn rows(&self) -> impl Iterator<Item = (&'static str, Option<usize>)> {
        let lines = self.source.lines();
        lines.map(|line| (line, term_of(line)))
    }

    /// Returns the shape of a line's result, and one of its numbers.
    fn live(&self, term: Term) -> String {
        let (d, len) = (whole(self.pe.d_model() as i64), whole(MAX_LEN));
        let (pos, pair) = (self.pos, self.pair());
        let pairs = whole(self.pe.pairs() as i64);
        let omega = short(self.pe.frequency(pair), 7);
        let (sin, cos) = self.pe.sin_cos(pair, pos);
        let member = |dimension: usize, name: &str, value: f64| {
            let value = number::fixed(value, 7);
            format!("pe[{pos}, {dimension}] = {name}({pos} · {omega}) = {value}")
        };
        match term {
            Term::Position => format!("[{len}, 1]  position[{pos}] = {pos}"),
            Term::Even => format!("[{pairs}]  even[{pair}] = {}", 2 * pair),
            Term::Frequency => format!("[{pairs}]  div_term[{pair}] = {omega}"),
            Term::Table => format!("[{len}, {d}]"),
            Term::Sine => member(2 * pair, "sin", sin),
            Term::Cosine if 2 * pair + 1 < self.pe.d_model() => member(2 * pair + 1, "cos", cos),
            Term::Cosine => Text::new("the last sine has no cosine", "最后一个正弦没有对应的余弦")
                .get(self.lang)
                .into(),
            Term::Buffer if self.source == RUST => format!("[{len}, {d}]"),
            Term::Buffer => format!("[1, {len}, {d}]"),
            Term::Input if self.source == RUST => format!("[L, {d}]"),
            Term::Input => format!("[batch, L, {d}]"),
            Term::Scale => {
                let root = (self.pe.d_model() as f64).sqrt();
                format!("√{d} = {}", short(root, 5))
            }
            Term::Sum if self.source == RUST => format!("[L, {d}] + [L, {d}]"),
            Term::Sum => format!("[batch, L, {d}] + [1, L, {d}]"),
            Term::Dropout => "p = 0.1".into(),
        }
    }

    /// Returns a part of the formula that is highlighted together with its lines.
    fn part(&self, term: Term, nodes: Vec<Node>) -> Node {
        let index = TERMS.iter().position(|(each, _)| *each == term);
        let index = index.unwrap_or_default();
        row(nodes)
            .class(if index == self.lit {
                "term lit"
            } else {
                "term"
            })
            .attribute("data-over", "term")
            .attribute("value", index.to_string())
    }

    fn formula(&self) -> Node {
        let pos = || self.part(Term::Position, vec![mi("pos")]);
        let even = || self.part(Term::Even, vec![mn("2"), mi("i")]);
        let d_model = || sub(mi("d"), Node::text("mtext", "model"));
        let omega = || self.part(Term::Frequency, vec![sub(mi("ω"), mi("i"))]);
        let angle = || row(vec![pos(), mo("·"), omega()]);
        let entry = |dimension: Vec<Node>| {
            let mut inside = vec![mi("PE"), fixed("["), pos(), mo(",")];
            inside.extend(dimension);
            inside.push(fixed("]"));
            row(inside)
        };
        let formulas = vec![
            math(vec![
                sub(mi("ω"), mi("i")),
                mo("="),
                self.part(
                    Term::Frequency,
                    vec![
                        mi("exp"),
                        call_parens(row(vec![
                            mo("−"),
                            even(),
                            mo("·"),
                            mi("ln"),
                            Node::text("mtext", "\u{2009}"),
                            mn("10000"),
                            mo("/"),
                            d_model(),
                        ])),
                    ],
                ),
            ]),
            math(vec![
                entry(vec![even()]),
                mo("="),
                self.part(
                    Term::Sine,
                    vec![mi("sin").class("sine"), call_parens(angle())],
                ),
            ]),
            math(vec![
                entry(vec![even(), mo("+"), mn("1")]),
                mo("="),
                self.part(
                    Term::Cosine,
                    vec![mi("cos").class("cosine"), call_parens(angle())],
                ),
            ]),
            math(vec![
                mi("y"),
                mo("="),
                self.part(
                    Term::Dropout,
                    vec![
                        mi("dropout"),
                        call_parens(row(vec![
                            self.part(Term::Scale, vec![Node::new("msqrt", vec![d_model()])]),
                            mo("·"),
                            self.part(Term::Input, vec![mi("x")]),
                            self.part(
                                Term::Sum,
                                vec![
                                    mo("+").attribute("form", "infix"),
                                    self.part(
                                        Term::Buffer,
                                        vec![self.part(Term::Table, vec![mi("PE")])],
                                    ),
                                    fixed("["),
                                    mn("0"),
                                    mo("…"),
                                    mi("L"),
                                    mo("−"),
                                    mn("1"),
                                    fixed("]"),
                                ],
                            ),
                        ])),
                    ],
                ),
            ]),
        ];
        let numbered = (1..).zip(formulas).map(|(number, formula)| {
            Node::new("span", vec![formula]).attribute("data-number", number.to_string())
        });
        div("formulas", numbered.collect())
    }

    fn listing(&self) -> Node {
        let comment = if self.source == RUST { "// " } else { "# " };
        let mut seen = Vec::new();
        // Imports and the head of the class are copied, but not shown.
        let mut is_head = self.source != RUST;
        let rows = self.rows().map(|(text, term)| {
            is_head &= term.is_none();
            let mut number = None;
            let (code, said) = match split_at(text, &format!("  {comment}")) {
                Some((code, said)) => (code, Some(said)),
                None => match split_at(text, comment) {
                    // A formatter leaves a single space before a comment.
                    Some((code, said)) if !code.trim().is_empty() => (code.trim_end(), Some(said)),
                    _ => (text, None),
                },
            };
            let body = code.trim_start();
            let (indent, body) = code.split_at(code.len() - body.len());
            let mut indented = vec![span("indent", indent)];
            // A line may not end between a sign and its number.
            match split_at(body, "(-") {
                Some((before, signed)) => {
                    let end = signed.find(' ').unwrap_or(signed.len());
                    let (signed, after) = signed.split_at(end);
                    let signed = span("joined", format!("(-{signed}"));
                    indented.extend([words(before), signed, words(after)]);
                }
                None => indented.push(words(body)),
            }
            let mut parts = vec![Node::new("span", indented).class("code")];
            let mut notes = Vec::new();
            if let Some(said) = said {
                notes.push(span("said", format!("{comment}{said}")));
            }
            if let Some(term) = term
                && !seen.contains(&term)
            {
                seen.push(term);
                number = NUMBERED.iter().position(|each| *each == TERMS[term].0);
                if number.is_some() && TERMS[term].0 != Term::Sum {
                    notes.push(span("live", self.live(TERMS[term].0)));
                }
            }
            if !notes.is_empty() {
                parts.push(Node::new("span", notes).class("notes"));
            }
            if code.is_empty() {
                parts = vec![words("\u{a0}")];
            }
            match term {
                Some(term) => {
                    let line = div(if term == self.lit { "line lit" } else { "line" }, parts)
                        .attribute("data-over", "term")
                        .attribute("value", term.to_string())
                        .attribute("tabindex", "0");
                    match number {
                        Some(at) => line.attribute("data-number", (at + 1).to_string()),
                        None => line,
                    }
                }
                None if is_head => div("line head", parts),
                None if code.is_empty() => div("line gap", parts),
                None => div("line", parts),
            }
        });
        div("listing", rows.collect())
    }
}

choices! {
    enum Language {
        Pytorch "pytorch" "PyTorch" "PyTorch";
        Numpy "numpy" "NumPy" "NumPy";
        Rust "rust" "Rust" "Rust";
    }
}

fields! {
    CODE: Language = Key::choice("code", "Written in", "编程语言");
    D_MODEL: i64 = Key::size("d_model", "width", "模型维度", 512, |_| (1, MAX_D_MODEL as i64));
    POS: i64 = Key::whole("pos", "position", "位置", 3, |_| (0, MAX_LEN - 1));
    DIMENSION: i64 = Key::whole("dimension", "Dimension", "维度", 4, |v| (0, v.get(D_MODEL) - 1));
    TERM: i64 = Key::whole("term", "line", "行", 2, |_| (0, TERMS.len() as i64 - 1)).session();
}

impl Figure for Code {
    const NAME: ViewName = ViewName::Code;
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = ();

    fn new(values: &Values, lang: Lang, _: Option<Code>) -> Code {
        Code {
            lang,
            source: match values.get(CODE) {
                Language::Pytorch => TORCH,
                Language::Numpy => NUMPY,
                Language::Rust => RUST,
            },
            pe: Sinusoidal::new(values.count(D_MODEL), 10_000.0, Layout::Interleaved),
            pos: values.get(POS),
            dimension: values.count(DIMENSION),
            lit: values.count(TERM),
        }
    }

    fn caption(&self) -> String {
        let term = TERMS[self.lit].0;
        let says = self.says(term).get(self.lang);
        let live = self.live(term);
        // Without the shape before it.
        let live = live.rsplit("  ").next().unwrap_or_default();
        match self.lang {
            Lang::En => format!("{says} Here {live}."),
            Lang::Zh => format!("{says}此处为 {live}。"),
        }
    }

    fn actions(&self) -> Option<Node> {
        Some(self.formula())
    }

    fn below(&self) -> Option<Node> {
        let copy = Text::new("Copy the code", "复制代码").get(self.lang);
        let runs = Text::new(
            "Pick a line or a term; the copy has the imports, too.",
            "指向一行代码或公式中的一项；复制的代码带有导入语句。",
        );
        Some(div(
            "",
            vec![
                self.listing(),
                div(
                    "row",
                    vec![button("copy", "", copy), span("note", runs.get(self.lang))],
                ),
            ],
        ))
    }

    fn height(&self, _: f64, _: &Theme) -> Option<f64> {
        None
    }

    fn layout(&self, _: &DrawContext) {}

    fn draw(&self, _: &Pen, _: &DrawContext, _: &()) {}

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        if action == "term" {
            values.set(TERM.name(), value);
        }
    }

    fn copied(&self) -> Option<String> {
        Some(self.source.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(set: &[(&str, &str)]) -> Code {
        let mut values = Values::new(Code::FIELDS);
        for (name, text) in set {
            assert_eq!(values.set(name, text), None);
        }
        Code::new(&values, Lang::En, None)
    }

    #[test]
    fn every_language_has_a_line_for_every_term() {
        for code in ["pytorch", "numpy", "rust"] {
            let shown = shown(&[("code", code)]);
            for (index, (term, _)) in TERMS.iter().enumerate() {
                let lines = shown.rows().filter(|(_, term)| *term == Some(index));
                assert!(lines.count() > 0, "{code} has no {term:?}");
            }
        }
    }

    #[test]
    fn a_line_and_its_term_light_up_together() {
        let mut values = Values::new(Code::FIELDS);
        let before = Code::new(&values, Lang::En, None);
        for (index, (term, _)) in TERMS.iter().enumerate() {
            before.act("term", &index.to_string(), &mut values);
            let code = Code::new(&values, Lang::En, None);
            let formula = code.actions().unwrap().to_string();
            let listing = code.below().unwrap().to_string();
            assert!(formula.contains("class=\"term lit\""), "{term:?}");
            assert!(listing.contains("class=\"line lit\""), "{term:?}");
        }
    }

    #[test]
    fn the_listing_is_the_source() {
        for code in ["pytorch", "numpy", "rust"] {
            let shown = shown(&[("code", code)]);
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let listing = shown.listing();
            let Node::Element(list) = &listing else {
                panic!("a list of lines");
            };
            for (line, node) in shown.source.lines().zip(&list.children) {
                let node = squeezed(&node.plain());
                assert!(node.starts_with(&squeezed(line)), "{node}");
            }
        }
    }

    #[test]
    fn the_numbers_are_those_of_the_cell() {
        // NumPy: 10000 ** (-4 / 512), and the sine and cosine of three times that.
        let code = shown(&[]);
        assert!(
            code.live(Term::Frequency).ends_with("= 0.930572"),
            "{}",
            code.live(Term::Frequency)
        );
        assert!(
            code.live(Term::Sine).ends_with("0.3427818"),
            "{}",
            code.live(Term::Sine)
        );
        assert!(
            code.live(Term::Cosine).ends_with("−0.9394150"),
            "{}",
            code.live(Term::Cosine)
        );
        assert_eq!(code.live(Term::Scale), "√512 = 22.627");
    }

    #[test]
    fn an_odd_width_has_a_sine_without_a_cosine() {
        let code = shown(&[("d_model", "1"), ("dimension", "0")]);
        assert!(code.live(Term::Cosine).contains("no cosine"));
        assert!(code.live(Term::Sine).contains("pe[3, 0]"));
    }
}
