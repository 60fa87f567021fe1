//! The reading times below the headings of chapters: `UPDATE=1 cargo test --test native reading_time` writes them.

use crate::lesson;
use std::fs;
use std::path::{Path, PathBuf};

/// English words per minute, for a demanding text; a figure takes a minute of its own.
const WORDS: usize = 200;

/// The limit in minutes for the essential chapters, so that they fit into a school lesson.
const MAX_MINUTES: usize = 60;

/// The text without its tags.
fn plain(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or("", |(_, after)| after));
        text.push(' ');
    }
    text
}

/// The number of words of the English texts.
fn words(html: &str) -> usize {
    let english = html.split("<div lang=\"en\">").skip(1);
    let texts = english.map(|rest| rest.split("</div>").next().unwrap());
    texts
        .map(|text| {
            plain(text)
                .split_whitespace()
                .filter(|word| word.chars().any(char::is_alphabetic))
                .count()
        })
        .sum()
}

fn minutes(html: &str) -> usize {
    words(html).div_ceil(WORDS) + html.matches("<pe-figure").count()
}

fn line(minutes: usize) -> String {
    format!(
        "<p class=\"time\"><span lang=\"en\">{minutes} minutes</span><span lang=\"zh\">{minutes} 分钟</span></p>"
    )
}

/// The text with these times in its lines for them, in order.
fn timed(text: &str, times: &[usize]) -> String {
    let mut times = times.iter();
    let lines = text
        .lines()
        .map(|text| match text.starts_with("<p class=\"time\">") {
            true => line(*times.next().expect("as many times as lines for them")),
            false => text.to_string(),
        });
    let lines: Vec<_> = lines.collect();
    assert!(times.next().is_none(), "a line for every time");
    lines.join("\n") + "\n"
}

/// Whether a file contains these times.
fn says(path: &Path, times: &[usize]) -> bool {
    let text = fs::read_to_string(path).unwrap();
    let expected = timed(&text, times);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, &expected).unwrap();
    }
    text == expected
}

#[test]
fn chapters_and_parts_say_how_long_they_take() {
    let page = fs::read_to_string("index.html").unwrap();
    let (essentials, _) = page.split_once("id=\"shelf\"").unwrap();
    let mut parts = [0, 0];
    let mut wrong = Vec::new();
    for path in lesson::chapters() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let time = minutes(&fs::read_to_string(&path).unwrap());
        parts[usize::from(!essentials.contains(name))] += time;
        if !says(&path, &[time]) {
            wrong.push(path);
        }
    }
    let page = PathBuf::from("index.html");
    if !says(&page, &parts) {
        wrong.push(page);
    }
    assert!(
        wrong.is_empty(),
        "UPDATE=1 cargo test --test native reading_time: {wrong:?}"
    );
    assert!(
        parts[0] <= MAX_MINUTES,
        "the essentials take {} minutes",
        parts[0]
    );
}

#[test]
fn words_and_figures_are_counted() {
    let html = "<div lang=\"en\">\n<p>One <b>two</b> 3, x<sub>4</sub> five</p>\n</div><div lang=\"zh\">六</div><pe-figure>";
    assert_eq!(words(html), 4);
    assert_eq!(minutes(html), 2);
}
