//! Every chapter except the quiz links to an exercise, which is a question of the quiz.

use crate::lesson;
use posenc::figures::AnyFigure;
use posenc::{Lang, ViewName};
use std::fs;

/// Returns the number of the question to which the exercise of a chapter links.
fn question(text: &str) -> Result<u32, String> {
    let Some((_, rest)) = text.split_once("<div class=\"exercise\">") else {
        return Err("no exercise".into());
    };
    let (exercise, after) = rest
        .split_once("</div>")
        .ok_or("an exercise without an end")?;
    if !after.trim_start().starts_with("<aside class=\"recap\">") {
        return Err("the recap does not follow the exercise".into());
    }
    let mut numbers = Vec::new();
    for (lang, begin) in [("en", "Exercise"), ("zh", "练习")] {
        let start = format!(
            "<p lang=\"{lang}\"><b>{begin}</b> <button class=\"set\" data-figure=\"fig-quiz\" data-set=\"question="
        );
        let (_, rest) = exercise
            .split_once(&start)
            .ok_or(format!("none in {lang}"))?;
        let number = rest.split('"').next().unwrap_or_default();
        numbers.push(number.parse::<u32>().map_err(|error| error.to_string())?);
    }
    if numbers[0] != numbers[1] {
        return Err(format!("two exercises: {numbers:?}"));
    }
    Ok(numbers[0])
}

#[test]
fn every_chapter_has_an_exercise_of_its_own() {
    let mut known = Vec::new();
    let mut problems = Vec::new();
    for path in lesson::chapters() {
        let text = fs::read_to_string(&path).unwrap();
        if text.contains("<pe-figure id=\"fig-quiz\"") {
            continue;
        }
        match question(&text) {
            Err(problem) => problems.push(format!("{}: {problem}", path.display())),
            Ok(number) if known.contains(&number) => {
                problems.push(format!("{}: question {number} again", path.display()));
            }
            Ok(number) => known.push(number),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // The quiz contains all of these questions.
    let mut values = crate::recording::values(ViewName::Quiz, "");
    for number in known {
        values.set("question", &number.to_string());
        assert_eq!(values.whole("question"), i64::from(number));
        let figure = AnyFigure::new(ViewName::Quiz, &values, Lang::En, None).unwrap();
        let heading = figure.actions().unwrap().plain();
        assert!(
            heading.starts_with(&format!("Question {number} of ")),
            "{heading}"
        );
    }
}

#[test]
fn a_chapter_without_one_is_told() {
    let good = concat!(
        "<div class=\"exercise\">\n",
        "<p lang=\"en\"><b>Exercise</b> <button class=\"set\" data-figure=\"fig-quiz\" data-set=\"question=3\">x</button></p>\n",
        "<p lang=\"zh\"><b>练习</b> <button class=\"set\" data-figure=\"fig-quiz\" data-set=\"question=3\">x</button></p>\n",
        "</div>\n<aside class=\"recap\">"
    );
    assert_eq!(question(good), Ok(3));
    for (from, to) in [
        ("exercise", "other"),
        ("<aside", "<p>more</p><aside"),
        ("zh\"><b>练习", "zh\"><b>题"),
        (
            "question=3\">x</button></p>\n</div>",
            "question=4\">x</button></p>\n</div>",
        ),
        ("question=3", "question=three"),
    ] {
        assert!(
            question(&good.replacen(from, to, 1)).is_err(),
            "{from} → {to}"
        );
    }
}
