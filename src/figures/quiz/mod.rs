//! Questions that are answered before a picture shows the answer. The right answer is computed
//! from the numbers of the question; after checking, the picture shows the state that explains it.

mod axes;
mod dials;
mod indices;
mod meaning;
mod practice;
mod product;
mod question;
mod questions;
mod shift;
mod sketch;
mod table;
mod worksheet;

pub use worksheet::Worksheet;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, fields, parse};
use crate::figure::{Arrangement, Figure, Handle};
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::number::short;
use crate::text::{Lang, Text};
use question::{Answer, Question};
use questions::COUNT;
use sketch::{Given, Places};

const CHECK: Text = Text::new("Check", "提交");
const BACK: Text = Text::new("Back", "上一题");
const NEXT: Text = Text::new("Next", "下一题");
const OTHER: Text = Text::new("Another set of numbers", "换一组数");
const YOURS: Text = Text::new("Your answer", "你的答案");
const NOT_A_NUMBER: Text = Text::new("Enter a number, for example 0.5", "请输入一个数，例如 0.5");
const RIGHT: Text = Text::new("✓ Correct.", "✓ 答对了。");
const WRONG: Text = Text::new("✕ Incorrect.", "✕ 不对。");
const DRAG: Text = Text::new(
    "Drag in the picture, or press the arrow keys on it, then check.",
    "在图中拖动，或选中图后按方向键，然后提交。",
);

pub struct Quiz {
    lang: Lang,
    /// Counted from 1.
    number: usize,
    seed: u64,
    question: Question,
    written: String,
    /// The current answer: a number or a mark also before checking, a choice only after it.
    given: Option<Given>,
    checked: bool,
    score: (i64, i64),
}

impl Quiz {
    /// Identifies the question, its numbers and the current answer. The answer is checked if the
    /// field `checked` has the same text.
    fn token(values: &Values) -> String {
        let names = [
            QUESTION.name(),
            SEED.name(),
            ANSWER.name(),
            CHOICE.name(),
            MARK.name(),
        ];
        names.map(|name| values.text(name)).join(" ")
    }

    fn is_right(&self, given: Given) -> bool {
        self.question.answer.is_right(given)
    }

    /// Checks an answer; only the first one to a question changes the score.
    fn check(&self, given: Given, values: &mut Values) {
        values.set_to(CHECKED, &Quiz::token(values));
        let bit = 1 << (self.number - 1);
        let done = values.get(DONE);
        if done & bit == 0 {
            values.set_to(DONE, done | bit);
            values.set_to(ANSWERED, self.score.1 + 1);
            if self.is_right(given) {
                values.set_to(RIGHT_COUNT, self.score.0 + 1);
            }
        }
    }

    fn forget(values: &mut Values) {
        values.set_to(CHECKED, "");
        values.set_to(CHOICE, -1);
        values.set_to(ANSWER, "");
        values.set_to(MARK, -1.0);
    }

    /// The position of the dragged point or hand, as a share of its axis or of a turn.
    fn mark(&self) -> f64 {
        match self.given {
            Some(Given::Mark(share)) => share,
            _ => 0.0,
        }
    }

    fn verdict(&self) -> Option<Node> {
        let given = self.given.filter(|_| self.checked)?;
        let right = self.is_right(given);
        let word = if right { RIGHT } else { WRONG }.get(self.lang);
        let mut parts = vec![span(if right { "good" } else { "bad" }, word)];
        let gap = if self.lang == Lang::En { " " } else { "" };
        if !right && let Some(trap) = self.question.answer.trap(given) {
            let trap = format!("{gap}{trap}");
            // The button of a wrong option shows the reason; this copy is for screen readers.
            parts.push(match given {
                Given::Choice(_) => span("unseen", trap),
                _ => words(trap),
            });
        }
        parts.push(words(format!("{gap}{}", self.question.why)));
        Some(Node::new("p", parts))
    }

    fn answers(&self) -> Node {
        let check = button("check", "", CHECK.get(self.lang));
        match &self.question.answer {
            Answer::Choice { options, right } => {
                let options = options.iter().enumerate().map(|(i, (option, reason))| {
                    let chosen = self.checked && self.given == Some(Given::Choice(i));
                    let mark = match self.checked {
                        true if i == *right => Some(("good", RIGHT)),
                        true if chosen => Some(("bad", WRONG)),
                        _ => None,
                    };
                    let class = mark.map_or("", |(class, _)| class);
                    let mark = mark.map(|(class, text)| span(class, text.get(self.lang)));
                    let parts = [words(option.clone())].into_iter().chain(mark);
                    let line = Node::new("span", parts.collect());
                    let wrong = chosen && i != *right;
                    let reason = wrong.then(|| span("reason", reason.clone()));
                    Node::new("button", [line].into_iter().chain(reason).collect())
                        .attribute("type", "button")
                        .attribute("data-do", "choose")
                        .attribute("value", i.to_string())
                        .attribute("aria-pressed", if chosen { "true" } else { "false" })
                        .class(class)
                });
                div("options", options.collect())
            }
            Answer::Number { tolerance, .. } => {
                let input = Node::new("input", vec![])
                    .attribute("type", "text")
                    .attribute("inputmode", "decimal")
                    .attribute("name", "answer")
                    .attribute("aria-label", YOURS.get(self.lang))
                    .attribute("autocomplete", "off")
                    .attribute("value", self.written.clone());
                let blank = if self.written.is_empty() {
                    "________"
                } else {
                    &self.written
                };
                let printed = span("on-paper", format!("{} {blank}", YOURS.get(self.lang)));
                let note = if self.given.is_none() && !self.written.trim().is_empty() {
                    NOT_A_NUMBER.get(self.lang).to_string()
                } else {
                    let tolerance = short(*tolerance, 2);
                    match self.lang {
                        Lang::En => format!("right within ±{tolerance}"),
                        Lang::Zh => format!("误差在 ±{tolerance} 以内算对"),
                    }
                };
                div("row", vec![input, printed, check, span("note", note)])
            }
            Answer::Mark { tolerance, .. } => {
                let gap = if self.lang == Lang::En { " " } else { "" };
                let note = format!("{}{gap}{tolerance}", DRAG.get(self.lang));
                div("row", vec![check, span("note", note)])
            }
        }
    }
}

fields! {
    QUESTION: i64 = Key::whole("question", "Question", "题号", 1, |_| (1, COUNT as i64)).without_control();
    SEED: i64 = Key::whole("seed", "Set of numbers", "第几组数", 1, |_| (1, 9999)).without_control();
    ANSWER: String = Key::text("answer", "Your answer", "你的答案", "", 16).session();
    CHOICE: i64 = Key::whole("choice", "Choice", "选项", -1, |_| (-1, 9)).session();
    MARK: f64 = sketch::MARK;
    CHECKED: String = Key::text("checked", "Checked", "已提交", "", 64).session();
    // One bit for every question of this set that has been answered.
    DONE: i64 = Key::whole("done", "Done", "已答", 0, |_| (0, (1 << COUNT) - 1)).session();
    ANSWERED: i64 = Key::whole("answered", "Answered", "答题数", 0, |_| (0, 1_000_000)).session();
    RIGHT_COUNT: i64 = Key::whole("right", "Right", "答对数", 0, |_| (0, 1_000_000)).session();
}

impl Figure for Quiz {
    const NAME: ViewName = ViewName::Quiz;
    const ARRANGEMENT: Arrangement = Arrangement::ControlsFirst(0.5);
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = Places;

    fn new(values: &Values, lang: Lang, _: Option<Quiz>) -> Quiz {
        let (number, seed) = (values.count(QUESTION), values.count(SEED) as u64);
        let question = Question::new(number - 1, seed, lang);
        let checked = values.get(CHECKED) == Quiz::token(values);
        let written = values.get(ANSWER).to_string();
        let given = match &question.answer {
            Answer::Number { .. } => parse::number(&written)
                .filter(|number| number.is_finite())
                .map(Given::Number),
            Answer::Choice { options, .. } => {
                let choice = usize::try_from(values.get(CHOICE)).ok();
                let choice = choice.filter(|&choice| checked && choice < options.len());
                choice.map(Given::Choice)
            }
            Answer::Mark { start, .. } => {
                let mark = values.get(MARK);
                Some(Given::Mark(if mark < 0.0 { *start } else { mark }))
            }
        };
        Quiz {
            lang,
            number,
            seed,
            question,
            checked: checked && given.is_some(),
            written,
            given,
            score: (values.get(RIGHT_COUNT), values.get(ANSWERED)),
        }
    }

    fn caption(&self) -> String {
        let question = &self.question;
        if self.checked {
            &question.caption_after
        } else {
            &question.caption_before
        }
        .clone()
    }

    fn actions(&self) -> Option<Node> {
        let number = self.number;
        let heading = match self.lang {
            Lang::En => format!("Question {number} of {COUNT}"),
            Lang::Zh => format!("第 {number} 题，共 {COUNT} 题"),
        };
        Some(div(
            "quiz",
            vec![
                span("note", heading),
                p(self.question.ask.clone()),
                self.answers(),
            ],
        ))
    }

    fn below(&self) -> Option<Node> {
        let (right, answered) = self.score;
        let score = match self.lang {
            Lang::En => format!("{right} of {answered} right at the first try"),
            Lang::Zh => format!("已答 {answered} 题，一次答对 {right} 题"),
        };
        let verdict = div("verdict", self.verdict().into_iter().collect());
        let steps = div(
            "row",
            vec![
                button("go", "-1", BACK.get(self.lang)).flag("disabled", self.number == 1),
                button("go", "1", NEXT.get(self.lang)).flag("disabled", self.number == COUNT),
                button("other", "", OTHER.get(self.lang)),
                span("note", if answered > 0 { score } else { String::new() }),
            ],
        );
        let verdict = verdict.attribute("role", "status");
        Some(Node::new("div", vec![verdict, steps]))
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(self.question.sketch.height(width, theme))
    }

    fn layout(&self, context: &DrawContext) -> Places {
        self.question.sketch.places(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, places: &Places) {
        let state = (self.given, self.checked);
        self.question.sketch.draw(pen, context, places, state);
    }

    fn handles(&self, context: &DrawContext, places: &Places) -> Vec<Handle> {
        let Answer::Mark { .. } = self.question.answer else {
            return Vec::new();
        };
        let marked = match self.given {
            Some(Given::Mark(share)) => Some(share),
            _ => None,
        };
        self.question.sketch.handles(context, places, marked)
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        if key == "Enter" && matches!(self.question.answer, Answer::Mark { .. }) {
            self.act("check", "", values);
            return true;
        }
        let moved = self.question.answer.moved(self.mark(), key, shift);
        if let Some(share) = moved {
            values.set_to(MARK, share);
        }
        moved.is_some()
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        // The current values, which may be later than the picture.
        let now = Quiz::new(values, self.lang, None);
        match action {
            "choose" => {
                values.set(CHOICE.name(), value);
                now.check(Given::Choice(values.count(CHOICE)), values);
            }
            "check" => {
                if let Some(given) = now.given {
                    if let Given::Mark(share) = given {
                        values.set_to(MARK, share);
                    }
                    now.check(given, values);
                }
            }
            "go" => {
                let by: i64 = value.parse().unwrap_or_default();
                values.set_to(QUESTION, self.number as i64 + by);
                Quiz::forget(values);
            }
            "other" => {
                values.set_to(SEED, self.seed as i64 % 9999 + 1);
                values.set_to(DONE, 0);
                Quiz::forget(values);
            }
            _ => {}
        }
    }

    /// `chord(pos)`: the distance between positions 0 and pos on pair 0, whose ω is 1.
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let ("chord", &[pos]) = (name, arguments) else {
            return None;
        };
        let (sin, cos) = question::paper(2).sin_cos(0, pos as i64);
        Some(sin.hypot(1.0 - cos))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Visit(Values);

    impl Visit {
        fn new(question: i64) -> Visit {
            let mut values = Values::new(Quiz::FIELDS);
            values.set_to(QUESTION, question);
            Visit(values)
        }

        fn quiz(&self) -> Quiz {
            Quiz::new(&self.0, Lang::En, None)
        }

        fn act(&mut self, action: &str, value: &str) {
            self.quiz().act(action, value, &mut self.0);
        }

        fn below(&self) -> String {
            self.quiz().below().unwrap().plain()
        }

        /// The index of the right option.
        fn right(&self) -> usize {
            match self.quiz().question.answer {
                Answer::Choice { right, .. } => right,
                _ => panic!("no choice"),
            }
        }
    }

    #[test]
    fn the_first_answer_to_a_question_counts() {
        let mut visit = Visit::new(1);
        let right = visit.right();
        visit.act("choose", &((right + 1) % 4).to_string());
        assert!(
            visit.below().starts_with("✕ Incorrect."),
            "{}",
            visit.below()
        );
        visit.act("choose", &right.to_string());
        assert!(visit.below().starts_with("✓ Correct."));
        assert!(visit.below().contains("0 of 1 right"));
        visit.act("go", "1");
        assert!(visit.quiz().verdict().is_none());
        visit.0.set("answer", "0.84");
        assert!(visit.quiz().verdict().is_none());
        visit.act("check", "");
        assert!(visit.below().starts_with("✓ Correct.") && visit.below().contains("1 of 2 right"));
        visit.act("go", "-1");
        visit.act("choose", &right.to_string());
        assert!(visit.below().contains("1 of 2 right"));
    }

    #[test]
    fn a_number_is_judged_when_it_is_checked() {
        let mut visit = Visit::new(6);
        visit.0.set("answer", "sixteen");
        visit.act("check", "");
        assert!(visit.quiz().verdict().is_none());
        assert!(
            visit
                .quiz()
                .actions()
                .unwrap()
                .plain()
                .contains(NOT_A_NUMBER.en)
        );
        visit.0.set("answer", "22.6");
        visit.act("check", "");
        assert!(visit.below().contains("That is √512"), "{}", visit.below());
        visit.0.set("answer", "16");
        assert!(visit.quiz().verdict().is_none());
    }

    /// What is typed after the last picture is what is judged.
    #[test]
    fn the_answer_that_is_marked_as_checked_is_the_one_that_is_judged() {
        for (drawn, typed, score) in [("0.84", "0.5", "0 of 1"), ("0.5", "0.84", "1 of 1")] {
            let mut visit = Visit::new(2);
            visit.0.set("answer", drawn);
            let before = visit.quiz();
            visit.0.set("answer", typed);
            before.act("check", "", &mut visit.0);
            assert!(visit.below().contains(score), "{}", visit.below());
        }
    }

    #[test]
    fn the_hand_can_be_turned_by_keys_alone() {
        let mut visit = Visit::new(5);
        let press = |visit: &mut Visit, key, shift| {
            assert!(visit.quiz().key(key, shift, &mut visit.0));
        };
        // k·ω is 54.4°.
        for _ in 0..5 {
            press(&mut visit, "ArrowUp", true);
        }
        press(&mut visit, "Enter", false);
        assert!(visit.below().starts_with("✓ Correct."), "{}", visit.below());
        press(&mut visit, "ArrowRight", true);
        assert!(visit.quiz().verdict().is_none());
        press(&mut visit, "ArrowRight", true);
        press(&mut visit, "Enter", false);
        assert!(
            visit.below().starts_with("✕ Incorrect."),
            "{}",
            visit.below()
        );
    }

    #[test]
    fn another_set_asks_with_other_numbers() {
        let mut visit = Visit::new(5);
        let asks: Vec<String> = (0..20)
            .map(|_| {
                visit.act("other", "");
                visit.quiz().question.ask
            })
            .collect();
        assert!(asks.iter().any(|ask| *ask != asks[0]));
    }
}
