//! Texts and elements of a worksheet.

use super::answers::read;
use super::receipt::Receipt;
use super::sheet::Sheet;
use super::{Part, Worksheet};
use crate::field::Choice;
use crate::figures::quiz::question::Answer;
use crate::figures::quiz::{BACK, NEXT, NOT_A_NUMBER, YOURS};
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::{fixed, short};
use crate::text::{Lang, Text};

const HAND_IN: Text = Text::new("Hand in", "交卷");
const INITIALS: Text = Text::new("Initials (optional)", "姓名缩写（可不填）");
const NAME_ON_PAPER: Text = Text::new(
    "Name ______________________  Date ______________",
    "姓名 ______________________  日期 ______________",
);
const DRAG: Text = Text::new(
    "Drag in the picture, or press the arrow keys on it.",
    "在图中拖动，或选中图后按方向键。",
);
const DRAW: Text = Text::new(
    "On paper: draw the answer into the picture.",
    "在纸上作答时，请把答案画在图中。",
);
const AFTERWARDS: Text = Text::new(
    "Once handed in, answers cannot be changed. The page does not store them.",
    "交卷后不能再改答案。页面不保存答案。",
);
const CODE: Text = Text::new("Completion code", "完成码");
const NO_PROOF: Text = Text::new(
    "The code says which sheet this is and how many answers were right. It proves nothing: answers can be looked up, and a code can be computed.",
    "完成码只说明做的是哪一份练习单、答对了几题，不能证明什么：答案可以查到，完成码也可以自己算出来。",
);
const DOES_NOT_PREVENT: Text = Text::new(
    "An accepted code belongs to this sheet and this score and contains no typing error. It does not prevent cheating: there is no server, so anyone can find the answer key or compute a code.",
    "查验通过只说明这个码对应这份练习单和这个得分，并且没有抄错。它不能防止作弊：这里没有服务器，谁都可以找到答案，或自己算出一个码。",
);
const FOR_STUDENTS: Text = Text::new("Worksheet for students", "练习单（给学生）");
const FOR_TEACHERS: Text = Text::new("Answer key for teachers", "答案（给教师）");
const CHOOSE: Text = Text::new(
    "The number, topic and count chosen below determine the sheet: its exercises are the same on every device.",
    "编号、范围和题数在下方选定，一份练习单就定了：换什么设备，题目都一样。",
);
const REFUSED: Text = Text::new(
    "✕ This is not a valid completion code: a letter or digit is wrong, or the initials differ from those it was made with.",
    "✕ 这不是有效的完成码：有字符抄错了，或者姓名缩写与生成时不同。",
);
const RIGHT: Text = Text::new("Right answer:", "正确答案：");
const AS_DRAWN: Text = Text::new("as the picture shows.", "如图所示。");

/// Describes a sheet in words.
fn described(sheet: Sheet, lang: Lang) -> String {
    let Sheet { seed, count, topic } = sheet;
    let topic = topic.label().get(lang);
    match lang {
        Lang::En if count == 1 => format!("Sheet {seed}, 1 exercise, topic: {topic}"),
        Lang::En => format!("Sheet {seed}, {count} exercises, topic: {topic}"),
        Lang::Zh => format!("练习单 {seed}，{count} 题，范围：{topic}"),
    }
}

fn score(right: usize, count: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{right} of {count} right"),
        Lang::Zh => format!("{count} 题中答对 {right} 题"),
    }
}

fn input(name: &'static str, label: &'static str, value: &str) -> Node {
    Node::new("input", vec![])
        .attribute("type", "text")
        .attribute("name", name)
        .attribute("aria-label", label)
        .attribute("autocomplete", "off")
        .attribute("value", value.to_string())
}

impl Worksheet {
    /// The caption of the answer key and of the teacher's page.
    pub(super) fn about(&self) -> String {
        let sheet = described(self.sheet, self.lang);
        match (self.part, self.lang) {
            (Part::Key, Lang::En) => format!("The answers to every exercise. {sheet}."),
            (Part::Key, Lang::Zh) => format!("各题的答案。{sheet}。"),
            (_, Lang::En) => {
                format!(
                    "Links to a sheet and its answer key, and a check of completion codes. {sheet}."
                )
            }
            (_, Lang::Zh) => format!("练习单和答案的链接，以及完成码的查验。{sheet}。"),
        }
    }

    /// The hash of a link to this sheet.
    fn link(&self, show: &str) -> String {
        let Sheet { seed, count, topic } = self.sheet;
        let topic = topic.name();
        format!(
            "#view=worksheet&seed={seed}&topic={topic}&count={count}{show}&hide=seed,topic,count"
        )
    }

    /// All exercises, or all answers, each a figure of its own.
    fn all(&self, show: &'static str) -> Vec<Node> {
        let Sheet { seed, count, topic } = self.sheet;
        let one = |number: usize| {
            Node::new("pe-figure", vec![])
                .attribute("view", "worksheet")
                .attribute("show", show)
                .attribute("seed", seed.to_string())
                .attribute("topic", topic.name())
                .attribute("count", count.to_string())
                .attribute("number", number.to_string())
                .attribute("controls", "none")
        };
        (1..=count).map(one).collect()
    }

    pub(super) fn asked(&self) -> Node {
        match self.part {
            Part::Key => div("quiz", vec![p(described(self.sheet, self.lang))]),
            Part::Teacher => self.for_teachers(),
            Part::Sheet | Part::Exercise | Part::Answer => self.exercise(),
        }
    }

    pub(super) fn rest(&self) -> Option<Node> {
        match self.part {
            Part::Sheet => Some(Node::new(
                "div",
                vec![self.steps(), self.end(), self.paper()],
            )),
            Part::Key => Some(div("answers", self.all("answer"))),
            Part::Teacher | Part::Exercise | Part::Answer => None,
        }
    }

    /// The question that is shown, with the controls to answer it.
    fn exercise(&self) -> Node {
        let (number, count) = (self.number + 1, self.sheet.count);
        let heading = match (self.part, self.lang) {
            (Part::Sheet, Lang::En) => {
                format!("Sheet {}, exercise {number} of {count}", self.sheet.seed)
            }
            (Part::Sheet, Lang::Zh) => {
                format!("练习单 {}，第 {number} 题，共 {count} 题", self.sheet.seed)
            }
            (_, Lang::En) => format!("Exercise {number}"),
            (_, Lang::Zh) => format!("第 {number} 题"),
        };
        let mut parts = vec![span("note", heading), p(self.question.ask.clone())];
        parts.extend(self.answers());
        if self.part == Part::Answer {
            parts.push(p(self.question.why.clone()));
        }
        let class = match self.part {
            Part::Sheet => "quiz on-screen",
            _ => "quiz",
        };
        div(class, parts)
    }

    fn answers(&self) -> Vec<Node> {
        let given = &self.answers[self.number];
        match (&self.question.answer, self.part) {
            (Answer::Choice { options, .. }, Part::Sheet) => {
                let options = options.iter().enumerate().map(|(i, (option, _))| {
                    let chosen = *given == i.to_string();
                    Node::new("button", vec![Node::text("span", option.clone())])
                        .attribute("type", "button")
                        .attribute("data-do", "choose")
                        .attribute("value", i.to_string())
                        .attribute("aria-pressed", if chosen { "true" } else { "false" })
                        .flag("disabled", !self.is_open())
                });
                vec![div("options", options.collect())]
            }
            (Answer::Choice { options, right }, part) => {
                let options = options.iter().enumerate().map(|(i, (option, _))| {
                    let marked = part == Part::Answer && i == *right;
                    let box_ = if marked { "● " } else { "○ " };
                    let class = if marked { "good" } else { "" };
                    Node::text("li", format!("{box_}{option}")).class(class)
                });
                vec![Node::new("ul", options.collect()).class("boxes")]
            }
            (Answer::Number { right, .. }, Part::Answer) => {
                vec![p(format!("{} {}", RIGHT.get(self.lang), fixed(*right, 2)))]
            }
            (Answer::Number { tolerance, .. }, part) => {
                let tolerance = short(*tolerance, 2);
                let within = match self.lang {
                    Lang::En => format!("right within ±{tolerance}"),
                    Lang::Zh => format!("误差在 ±{tolerance} 以内算对"),
                };
                let blank = if given.is_empty() { "________" } else { given };
                let blank = format!("{} {blank}", YOURS.get(self.lang));
                if part == Part::Exercise {
                    return vec![p(blank), span("note", within)];
                }
                let wrong =
                    read(&self.question.answer, given).is_none() && !given.trim().is_empty();
                let note = if wrong {
                    NOT_A_NUMBER.get(self.lang).to_string()
                } else {
                    within
                };
                let field = input("answer", YOURS.get(self.lang), given)
                    .attribute("inputmode", "decimal")
                    .flag("disabled", !self.is_open());
                vec![div("row", vec![field, span("note", note)])]
            }
            (Answer::Mark { .. }, Part::Answer) => {
                vec![p(format!(
                    "{} {}",
                    RIGHT.get(self.lang),
                    AS_DRAWN.get(self.lang)
                ))]
            }
            (Answer::Mark { tolerance, .. }, part) => {
                let how = if part == Part::Exercise { DRAW } else { DRAG };
                let gap = if self.lang == Lang::En { " " } else { "" };
                vec![span(
                    "note",
                    format!("{}{gap}{tolerance}", how.get(self.lang)),
                )]
            }
        }
    }

    fn is_answered(&self, at: usize) -> bool {
        !self.answers[at].trim().is_empty()
    }

    /// The buttons that lead to the other exercises.
    fn steps(&self) -> Node {
        let count = self.sheet.count;
        let each = (0..count).map(|at| {
            let number = at + 1;
            let label = match (self.lang, self.is_answered(at)) {
                (Lang::En, true) => format!("Exercise {number}, answered"),
                (Lang::En, false) => format!("Exercise {number}, not answered"),
                (Lang::Zh, true) => format!("第 {number} 题，已答"),
                (Lang::Zh, false) => format!("第 {number} 题，未答"),
            };
            button("open", number.to_string(), number.to_string())
                .class(if self.is_answered(at) { "answered" } else { "" })
                .attribute("aria-label", label)
                .attribute(
                    "aria-current",
                    if at == self.number { "step" } else { "false" },
                )
        });
        let back = button("go", "-1", BACK.get(self.lang)).flag("disabled", self.number == 0);
        let next =
            button("go", "1", NEXT.get(self.lang)).flag("disabled", self.number + 1 == count);
        let mut parts = vec![back, next];
        parts.extend(each);
        div("row exercises", parts)
    }

    /// The button to hand in; then score and completion code.
    fn end(&self) -> Node {
        let lang = self.lang;
        let count = self.sheet.count;
        let open = self.is_open().then(|| {
            let answered = (0..count).filter(|at| self.is_answered(*at)).count();
            let answered = match lang {
                Lang::En => format!("{answered} of {count} answered"),
                Lang::Zh => format!("已答 {answered} 题，共 {count} 题"),
            };
            let initials = vec![
                span("note", format!("{} ", INITIALS.get(lang))),
                input("initials", INITIALS.get(lang), &self.initials),
            ];
            let row = vec![
                button("hand-in", "", HAND_IN.get(lang)),
                span("note", answered),
                Node::new("label", initials),
            ];
            let note = Node::text("p", AFTERWARDS.get(lang)).class("note");
            Node::new("div", vec![div("row", row), note])
        });
        let done = self.receipt().map(|receipt| {
            let code = Node::text("output", receipt.code()).class("code");
            let gap = if lang == Lang::En { ". " } else { "。" };
            let score = score(receipt.right, count, lang);
            let told = format!("{score}{gap}{} ", CODE.get(lang));
            let note = Node::text("p", NO_PROOF.get(lang)).class("note");
            Node::new(
                "div",
                vec![Node::new("p", vec![Node::text("b", told), code]), note],
            )
        });
        let told = Node::new("div", done.into_iter().collect()).attribute("role", "status");
        div("end on-screen", open.into_iter().chain([told]).collect())
    }

    /// The printed version: all exercises instead of the one on screen.
    fn paper(&self) -> Node {
        let mut parts = vec![
            p(described(self.sheet, self.lang)),
            p(NAME_ON_PAPER.get(self.lang)),
        ];
        parts.extend(self.all("exercise"));
        div("paper", parts)
    }

    fn for_teachers(&self) -> Node {
        let lang = self.lang;
        let link = |words: Text, show: &str| {
            let hash = self.link(show);
            let anchor = Node::text("a", hash.clone()).attribute("href", hash);
            Node::new(
                "p",
                vec![Node::text("b", format!("{} ", words.get(lang))), anchor],
            )
        };
        let verdict =
            div("verdict", self.verdict().into_iter().collect()).attribute("role", "status");
        let entered = Node::new(
            "label",
            vec![
                Node::text("b", format!("{} ", CODE.get(lang))),
                input("code", CODE.get(lang), &self.code),
            ],
        );
        div(
            "quiz",
            vec![
                p(CHOOSE.get(lang)),
                link(FOR_STUDENTS, ""),
                link(FOR_TEACHERS, "&show=key"),
                div("row", vec![entered]),
                verdict,
                Node::text("p", DOES_NOT_PREVENT.get(lang)).class("note"),
            ],
        )
    }

    /// The result of checking the completion code that was entered.
    fn verdict(&self) -> Option<Node> {
        let lang = self.lang;
        if self.code.trim().is_empty() {
            return None;
        }
        let Some(receipt) = Receipt::read(&self.code) else {
            return Some(Node::text("p", REFUSED.get(lang)).class("bad"));
        };
        let score = score(receipt.right, receipt.sheet.count, lang);
        let whose = match (receipt.initials.as_str(), lang) {
            ("", _) => String::new(),
            (initials, Lang::En) => format!(" Initials: {initials}."),
            (initials, Lang::Zh) => format!("姓名缩写：{initials}。"),
        };
        let sheet = described(receipt.sheet, lang);
        let is_this = receipt.sheet == self.sheet;
        let words = match (is_this, lang) {
            (true, Lang::En) => format!("✓ {score}.{whose} {sheet}."),
            (true, Lang::Zh) => format!("✓ {score}。{whose}{sheet}。"),
            (false, Lang::En) => {
                format!("✕ This code belongs to another sheet: {score}.{whose} {sheet}.")
            }
            (false, Lang::Zh) => format!("✕ 这是另一份练习单的完成码：{score}。{whose}{sheet}。"),
        };
        Some(Node::text("p", words).class(if is_this { "good" } else { "bad" }))
    }
}
