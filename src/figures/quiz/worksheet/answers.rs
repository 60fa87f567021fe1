//! The answers to all exercises of a sheet: their storage in one field, and their grading.

use super::sheet::Sheet;
use super::{ANSWER, ANSWERS, DONE, MARK, NUMBER, Worksheet};
use crate::field::{Values, parse};
use crate::figures::quiz::question::Answer;
use crate::figures::quiz::sketch::Given;

/// Identifies the sheet in the field `answers`; answers to another sheet are ignored.
fn mark_of(sheet: Sheet) -> String {
    let Sheet { seed, count, topic } = sheet;
    format!("{seed}.{count}.{}", topic as usize)
}

/// Parses an answer; `None` if the text is not a legal one.
pub(super) fn read(answer: &Answer, text: &str) -> Option<Given> {
    match answer {
        Answer::Number { .. } => parse::number(text)
            .filter(|number| number.is_finite())
            .map(Given::Number),
        Answer::Choice { options, .. } => text
            .parse()
            .ok()
            .filter(|choice| *choice < options.len())
            .map(Given::Choice),
        Answer::Mark { .. } => parse::number(text)
            .filter(|share| (0.0..=1.0).contains(share))
            .map(Given::Mark),
    }
}

/// The answers in the field `answers`, one text for each exercise; `None` if they are of another sheet.
pub(super) fn kept(sheet: Sheet, values: &Values) -> Option<Vec<String>> {
    let mut texts = values.get(ANSWERS).split(';');
    if texts.next() != Some(&mark_of(sheet)) {
        return None;
    }
    let mut answers: Vec<String> = texts.take(sheet.count).map(String::from).collect();
    answers.resize(sheet.count, String::new());
    Some(answers)
}

impl Worksheet {
    /// The number of right answers.
    pub(super) fn judge(&self) -> usize {
        let questions = self.sheet.questions();
        let answers = questions.iter().zip(&self.answers);
        let right = answers.filter(|(index, text)| {
            let answer = self.sheet.question(**index, self.lang).answer;
            read(&answer, text).is_some_and(|given| answer.is_right(given))
        });
        right.count()
    }

    /// Writes all answers to the field `answers`, including the one that is being entered.
    pub(super) fn keep(&self, values: &mut Values) {
        let parts = [mark_of(self.sheet)]
            .into_iter()
            .chain(self.answers.iter().cloned());
        let text: Vec<String> = parts.collect();
        values.set_to(ANSWERS, &text.join(";"));
        // The field may still be set for another sheet.
        values.set_to(DONE, self.right.is_some());
    }

    /// Shows exercise `number`, counted from 1, with its current answer.
    pub(super) fn open(&self, number: i64, values: &mut Values) {
        self.keep(values);
        values.set_to(NUMBER, number);
        let at = values.count(NUMBER) - 1;
        let text = &self.answers[at];
        let question = self.sheet.question(self.sheet.questions()[at], self.lang);
        let is_mark = matches!(question.answer, Answer::Mark { .. });
        let (answer, mark) = match &question.answer {
            Answer::Number { .. } => (text.as_str(), "-1"),
            _ if is_mark && !text.is_empty() => ("", text.as_str()),
            _ => ("", "-1"),
        };
        values.set_to(ANSWER, answer);
        values.set(MARK.name(), mark);
    }
}
