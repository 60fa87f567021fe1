//! A worksheet: some questions of the quiz with the numbers of a seed, to be answered one by one on the page, or all of
//! them on paper. Answers are graded when all are handed in, and are not stored anywhere else. The answer key and the check
//! of completion codes are states of the same figure, which no control of the sheet leads to.

mod answers;
mod receipt;
mod sheet;
mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Arrangement, Figure, Handle};
use crate::figures::quiz::question::{Answer, Question};
use crate::figures::quiz::sketch::{self, Given, Places};
use crate::text::Lang;
use crate::text::markup::Node;
use answers::read;
use receipt::Receipt;
use sheet::{SEEDS, Sheet, Topic};

choices! {
    /// What the figure shows.
    enum Part {
        Sheet "sheet" "the exercises" "练习";
        Key "key" "the answer key" "答案";
        Teacher "teacher" "the teacher’s page" "教师页";
        /// One exercise as printed, and the same with its answer.
        Exercise "exercise" "one exercise, for paper" "单题（打印用）";
        Answer "answer" "one answer, for the key" "单题答案";
    }
}

pub struct Worksheet {
    lang: Lang,
    part: Part,
    sheet: Sheet,
    /// The index of the exercise that is shown, and its question.
    number: usize,
    question: Question,
    /// The answers, as written in the field `answers`; empty for exercises that are not answered.
    answers: Vec<String>,
    /// The number of right answers, once they have been handed in.
    right: Option<usize>,
    initials: String,
    /// The completion code that was entered.
    code: String,
}

impl Worksheet {
    /// The answer to the question that is shown; for a mark that has not been dragged, its start.
    fn given(&self) -> Option<Given> {
        let answer = &self.question.answer;
        match self.part {
            Part::Answer => Some(answer.solution()),
            Part::Key | Part::Teacher => None,
            Part::Sheet | Part::Exercise => {
                let given = read(answer, &self.answers[self.number]);
                let start = match answer {
                    Answer::Mark { start, .. } => Some(Given::Mark(*start)),
                    _ => None,
                };
                given.or(start)
            }
        }
    }

    fn is_open(&self) -> bool {
        self.part == Part::Sheet && self.right.is_none()
    }

    fn receipt(&self) -> Option<Receipt> {
        let right = self.right?;
        let initials = receipt::initials(&self.initials);
        let sheet = self.sheet;
        Some(Receipt {
            sheet,
            right,
            initials,
        })
    }
}

fields! {
    SEED: i64 = Key::whole("seed", "Sheet", "练习单编号", 1, |_| (1, SEEDS as i64));
    TOPIC: Topic = Key::choice("topic", "Topic", "范围");
    COUNT: i64 = Key::whole("count", "Exercises", "题数", 10, |values| {
        (1, values.get(TOPIC).question_count() as i64)
    })
    .under_more();
    SHOW: Part = Key::choice("show", "Shows", "显示").without_control();
    NUMBER: i64 = Key::whole("number", "Exercise", "题号", 1, |values| (1, values.get(COUNT))).session();
    // The current input for the exercise that is shown.
    ANSWER: String = Key::text("answer", "Your answer", "你的答案", "", 16).session();
    MARK: f64 = sketch::MARK;
    // The sheet, and the answers to its exercises, separated by semicolons.
    ANSWERS: String = Key::text("answers", "Answers", "各题答案", "", 600).session();
    DONE: bool = Key::toggle("done", "Handed in", "已交卷", false).session();
    RIGHT: i64 = Key::whole("right", "Right", "答对数", 0, |values| (0, values.get(COUNT))).session();
    INITIALS: String = Key::text("initials", "Initials", "姓名缩写", "", 16).session();
    CODE: String = Key::text("code", "Completion code", "完成码", "", 48).session();
}

impl Figure for Worksheet {
    const NAME: ViewName = ViewName::Worksheet;
    const ARRANGEMENT: Arrangement = Arrangement::ControlsFirst(0.5);
    const FIELDS: &'static [Field] = FIELDS;

    type Layout = Places;

    fn new(values: &Values, lang: Lang, _: Option<Worksheet>) -> Worksheet {
        let sheet = Sheet::of(values);
        let part = values.get(SHOW);
        let number = values.count(NUMBER) - 1;
        let question = sheet.question(sheet.questions()[number], lang);
        let kept = answers::kept(sheet, values);
        let right = kept.is_some() && values.get(DONE);
        let right = right.then(|| values.count(RIGHT));
        let mut answers = kept.unwrap_or_else(|| vec![String::new(); sheet.count]);
        if right.is_none() {
            match &question.answer {
                Answer::Number { .. } => {
                    answers[number] = values.get(ANSWER).replace(';', "");
                }
                Answer::Mark { .. } if values.get(MARK) >= 0.0 => {
                    answers[number] = values.text(MARK.name());
                }
                _ => {}
            }
        }
        Worksheet {
            lang,
            part,
            sheet,
            number,
            question,
            answers,
            right,
            initials: values.get(INITIALS).to_string(),
            code: values.get(CODE).to_string(),
        }
    }

    fn caption(&self) -> String {
        match self.part {
            Part::Sheet | Part::Exercise => self.question.caption_before.clone(),
            Part::Answer => self.question.caption_after.clone(),
            Part::Key | Part::Teacher => self.about(),
        }
    }

    fn actions(&self) -> Option<Node> {
        Some(self.asked())
    }

    fn below(&self) -> Option<Node> {
        self.rest()
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        match self.part {
            Part::Key | Part::Teacher => None,
            _ => Some(self.question.sketch.height(width, theme)),
        }
    }

    fn layout(&self, context: &DrawContext) -> Places {
        self.question.sketch.places(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, places: &Places) {
        let state = (self.given(), self.part == Part::Answer);
        self.question.sketch.draw(pen, context, places, state);
    }

    fn handles(&self, context: &DrawContext, places: &Places) -> Vec<Handle> {
        match self.given() {
            Some(Given::Mark(share)) if self.is_open() => {
                let sketch = &self.question.sketch;
                sketch.handles(context, places, Some(share))
            }
            _ => Vec::new(),
        }
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        let Some(Given::Mark(share)) = self.given().filter(|_| self.is_open()) else {
            return false;
        };
        let moved = self.question.answer.moved(share, key, shift);
        if let Some(share) = moved {
            values.set_to(MARK, share);
        }
        moved.is_some()
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        // Includes what has been entered since this figure was computed.
        let mut now = Worksheet::new(values, self.lang, None);
        if now.part != Part::Sheet {
            return;
        }
        let at = now.number as i64 + 1;
        match action {
            "choose" if now.is_open() => {
                if let Some(Given::Choice(choice)) = read(&now.question.answer, value) {
                    now.answers[now.number] = choice.to_string();
                    now.keep(values);
                }
            }
            "go" => now.open(at + value.parse::<i64>().unwrap_or_default(), values),
            "open" => now.open(value.parse().unwrap_or(at), values),
            "hand-in" if now.is_open() => {
                now.open(at, values);
                values.set_to(RIGHT, now.judge() as i64);
                values.set_to(DONE, true);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::parse;

    struct Visit(Values);

    impl Visit {
        fn new(changes: &str) -> Visit {
            Visit(Values::with(Worksheet::FIELDS, changes))
        }

        fn sheet(&self) -> Worksheet {
            Worksheet::new(&self.0, Lang::En, None)
        }

        fn act(&mut self, action: &str, value: &str) {
            self.sheet().act(action, value, &mut self.0);
        }

        /// Answers the exercise that is shown, as a reader does.
        fn answer(&mut self, given: Given) {
            match given {
                Given::Number(number) => {
                    self.0.set("answer", &number.to_string());
                }
                Given::Choice(choice) => self.act("choose", &choice.to_string()),
                Given::Mark(share) => {
                    self.0.set("mark", &share.to_string());
                }
            }
        }

        fn plain(&self) -> String {
            let sheet = self.sheet();
            let parts = [sheet.actions(), sheet.below()].into_iter().flatten();
            parts.map(|part| part.plain()).collect::<Vec<_>>().join(" ")
        }

        fn code(&self) -> String {
            self.sheet().receipt().unwrap().code()
        }
    }

    /// A sheet that is handed in with right answers to all exercises but the first `wrong`.
    fn handed_in(changes: &str, wrong: usize) -> Visit {
        let mut visit = Visit::new(changes);
        let count = visit.sheet().sheet.count;
        for number in 1..=count {
            visit.act("open", &number.to_string());
            if number > wrong {
                let solution = visit.sheet().question.answer.solution();
                visit.answer(solution);
            }
        }
        visit.act("hand-in", "");
        visit
    }

    #[test]
    fn a_completion_code_goes_from_the_sheet_to_the_teacher() {
        for (changes, wrong) in [
            ("seed=7", 0),
            ("seed=812 count=26", 9),
            ("topic=rotation count=8 seed=9999", 8),
        ] {
            let mut visit = handed_in(changes, wrong);
            let count = visit.sheet().sheet.count;
            let score = format!("{} of {count} right", count - wrong);
            assert!(visit.plain().contains(&score), "{}", visit.plain());
            assert!(visit.plain().contains("It proves nothing"));
            assert!(visit.plain().contains(&visit.code()));
            visit.0.set("initials", "a.b");
            let code = visit.code();
            assert!(code.starts_with("AB-"), "{code}");

            let mut teacher = Visit::new(&format!("{changes} show=teacher"));
            assert!(teacher.plain().contains("does not prevent cheating"));
            assert!(!teacher.plain().contains('✓') && !teacher.plain().contains('✕'));
            teacher.0.set("code", &code);
            assert!(
                teacher
                    .plain()
                    .contains(&format!("✓ {score}. Initials: AB.")),
                "{}",
                teacher.plain()
            );
            teacher.0.set("code", &code.replacen("AB", "AC", 1));
            assert!(
                teacher
                    .plain()
                    .contains("✕ This is not a valid completion code")
            );
            teacher.0.set_to(SEED, 5);
            teacher.0.set("code", &code);
            assert!(
                teacher
                    .plain()
                    .contains("✕ This code belongs to another sheet")
            );
        }
    }

    #[test]
    fn answers_are_kept_from_one_exercise_to_the_next() {
        let mut visit = Visit::new("seed=3 count=26");
        for number in 1..=26 {
            visit.act("open", &number.to_string());
            let solution = visit.sheet().question.answer.solution();
            visit.answer(solution);
        }
        visit.act("open", "1");
        let kept = visit.sheet();
        assert!(
            kept.answers.iter().all(|answer| !answer.is_empty()),
            "{:?}",
            kept.answers
        );
        for number in 1..=26 {
            visit.act("open", &number.to_string());
            let sheet = visit.sheet();
            assert!(
                sheet.question.answer.is_right(sheet.given().unwrap()),
                "{number}"
            );
        }
        // Another sheet starts without these answers.
        visit.act("hand-in", "");
        assert_eq!(visit.sheet().right, Some(26));
        visit.0.set_to(SEED, 4);
        assert_eq!(visit.sheet().right, None);
        let others = visit
            .sheet()
            .answers
            .iter()
            .filter(|it| !it.is_empty())
            .count();
        assert!(others <= 1, "{others}");
        visit.act("go", "-1");
        assert!(visit.sheet().is_open());
    }

    #[test]
    fn what_was_handed_in_stays_as_it_is() {
        let mut visit = handed_in("seed=11 count=26", 26);
        let before = visit.code();
        for number in 1..=26 {
            visit.act("open", &number.to_string());
            let solution = visit.sheet().question.answer.solution();
            visit.answer(solution);
            assert!(!visit.sheet().key("ArrowUp", true, &mut visit.0.clone()));
        }
        visit.act("hand-in", "");
        assert_eq!(visit.code(), before);
    }

    /// The answers of the key are accepted.
    #[test]
    fn the_key_is_right() {
        for seed in 1..30 {
            for (number, index) in (1..).zip(0..26) {
                let visit =
                    Visit::new(&format!("seed={seed} count=26 number={number} show=answer"));
                let sheet = visit.sheet();
                assert_eq!(sheet.sheet.questions()[number - 1], index);
                let given = sheet.given().unwrap();
                assert!(sheet.question.answer.is_right(given), "{seed}, {number}");
                let said = visit.plain();
                if let Answer::Number { .. } = sheet.question.answer {
                    let (_, number) = said.split_once("Right answer: ").unwrap();
                    let end = number.find(|c: char| !c.is_ascii_digit() && !"−.".contains(c));
                    let number = parse::number(&number[..end.unwrap_or(number.len())]).unwrap();
                    assert!(
                        sheet.question.answer.is_right(Given::Number(number)),
                        "{said}"
                    );
                }
                assert!(said.contains(&sheet.question.why));
            }
        }
    }

    #[test]
    fn the_sheet_does_not_say_its_answers() {
        for seed in 1..10 {
            for number in 1..=26 {
                for show in ["sheet", "exercise"] {
                    let visit =
                        Visit::new(&format!("seed={seed} count=26 number={number} show={show}"));
                    let sheet = visit.sheet();
                    let parts = [sheet.actions(), sheet.below()].into_iter().flatten();
                    let all: String = parts.map(|part| part.to_string()).collect();
                    assert!(!all.contains(&sheet.question.why));
                    assert!(!all.contains("href") && !all.contains("show=\"key\""));
                    assert!(!all.contains("show=\"answer\"") && !all.contains("good"));
                }
            }
        }
    }

    #[test]
    fn the_numbers_of_a_sheet_are_those_of_no_quiz() {
        let sheet = Visit::new("seed=2 count=26").sheet();
        let asked: Vec<String> = (0..26)
            .map(|index| sheet.sheet.question(index, Lang::En).ask)
            .collect();
        for seed in 1..200 {
            let quiz = |index| Question::new(index, seed, Lang::En).ask;
            assert!((0..26).any(|index| quiz(index) != asked[index]), "{seed}");
        }
    }

    #[test]
    fn no_text_in_the_answers_fails() {
        for answers in [
            "",
            ";;;;",
            "7.10.0;x;y;99;-1;NaN;inf;1e999",
            "7.10.0",
            "😀;😀",
            "7.10.0;2;2;2;2;2;2;2;2;2;2;2;2;2",
        ] {
            let mut visit = Visit::new("seed=7 number=4");
            visit.0.set("answers", answers);
            visit.plain();
            visit.act("choose", "77");
            visit.act("open", "-5");
            visit.act("go", "x");
            visit.act("hand-in", "");
            assert!(visit.sheet().right.unwrap() <= 10);
        }
    }
}
