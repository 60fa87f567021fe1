//! The reading times below the headings of chapters and of the two parts of the lesson, and those in the README:
//! `UPDATE=1 cargo test --test native reading_time` writes them, except into the README.

use crate::lesson;
use std::fs;
use std::path::{Path, PathBuf};

/// English words and Chinese characters per minute: a text that is worked through, not a novel.
const SPEEDS: [(&str, f64); 2] = [("en", 150.0), ("zh", 300.0)];

/// What takes time besides the text, in minutes.
const EXTRAS: [(&str, f64); 3] = [
    ("<pe-figure", 1.5),
    ("<div class=\"predict\"", 0.5),
    ("<div class=\"exercise\">", 1.0),
];

/// The limit for the essential chapters, in minutes: two sittings.
const MAX_MINUTES: f64 = 60.0;

/// The limits for the English words and the figures of the essential chapters.
const MAX_WORDS: usize = 4000;
const MAX_FIGURES: usize = 14;

/// Elements within a line of text; what stands on both sides of their tags is one word.
const INLINE: [&str; 13] = [
    "a", "b", "cite", "code", "data", "em", "math", "small", "span", "strong", "sub", "sup", "var",
];

/// The text in one language: everything in elements with `lang`, but for descriptions in figures, which the figure
/// replaces. Formulas belong to no language and are left out.
fn text_in(html: &str, lang: &str) -> String {
    let marked = format!("lang=\"{lang}\"");
    // Of each open element, its name and whether its text counts.
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut text = String::new();
    for part in html.split('<').skip(1) {
        let (tag, after) = part.split_once('>').unwrap();
        let name = tag.trim_start_matches('/').split(' ').next().unwrap();
        if tag.starts_with('/') {
            assert_eq!(open.pop().map(|it| it.0), Some(name), "</{name}>");
        } else {
            let inside = open.last().is_some_and(|it| it.1);
            let in_figure = open.iter().any(|it| it.0 == "pe-figure");
            open.push((name, (inside || tag.contains(&marked)) && !in_figure));
        }
        if !INLINE.contains(&name) {
            text.push(' ');
        }
        if open.last().is_some_and(|it| it.1) {
            text.push_str(after);
        }
    }
    text
}

fn is_ideograph(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

/// The words of a text, numbers included, each Chinese character being one.
fn words(text: &str) -> usize {
    let ideographs = text.chars().filter(|c| is_ideograph(*c)).count();
    let others = text
        .split(|c: char| c.is_whitespace() || is_ideograph(c))
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count();
    ideographs + others
}

/// The minutes that a chapter takes in each language.
fn minutes(html: &str) -> [f64; 2] {
    let extras = EXTRAS.map(|(tag, minutes)| html.matches(tag).count() as f64 * minutes);
    SPEEDS.map(|(lang, speed)| {
        words(&text_in(html, lang)) as f64 / speed + extras.iter().sum::<f64>()
    })
}

/// The line of a chapter, rounded up.
fn line(times: [f64; 2]) -> String {
    let [en, zh] = times.map(f64::ceil);
    format!(
        "<p class=\"time\"><span lang=\"en\">{en} minutes</span><span lang=\"zh\">{zh} 分钟</span></p>"
    )
}

/// How long a part takes, in each language.
fn about(times: [f64; 2]) -> [String; 2] {
    let [en, zh] = times.map(|minutes| 5.0 * (minutes / 5.0).round());
    [format!("about {en} minutes"), format!("约 {zh} 分钟")]
}

fn line_of_essentials(times: [f64; 2]) -> String {
    let [en, zh] = about(times);
    format!(
        "<p class=\"time\"><span lang=\"en\">{en}, in two sittings</span><span lang=\"zh\">{zh}，分两次读</span></p>"
    )
}

fn line_of_shelf(times: [f64; 2]) -> String {
    let [en, zh] = about(times);
    format!("<p class=\"time\"><span lang=\"en\">{en}</span><span lang=\"zh\">{zh}</span></p>")
}

/// The text with these lines in place of its lines for times, in order.
fn timed(text: &str, lines: &[String]) -> String {
    let mut lines = lines.iter();
    let all = text
        .lines()
        .map(|text| match text.starts_with("<p class=\"time\">") {
            true => lines
                .next()
                .expect("as many times as lines for them")
                .clone(),
            false => text.to_string(),
        });
    let all: Vec<_> = all.collect();
    assert!(lines.next().is_none(), "a line for every time");
    all.join("\n") + "\n"
}

/// Whether a file contains these lines.
fn says(path: &Path, lines: &[String]) -> bool {
    let text = fs::read_to_string(path).unwrap();
    let expected = timed(&text, lines);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, &expected).unwrap();
    }
    text == expected
}

/// The files of the chapters, each with whether it is an essential one.
fn chapters() -> Vec<(PathBuf, bool)> {
    let page = fs::read_to_string("index.html").unwrap();
    let (essentials, _) = page.split_once("id=\"shelf\"").unwrap();
    let chapters = lesson::chapters().into_iter().map(|path| {
        let is_essential = essentials.contains(path.file_name().unwrap().to_str().unwrap());
        (path, is_essential)
    });
    chapters.collect()
}

#[test]
fn chapters_and_parts_say_how_long_they_take() {
    let mut parts = [[0.0; 2]; 2];
    let mut wrong = Vec::new();
    for (path, is_essential) in chapters() {
        let times = minutes(&fs::read_to_string(&path).unwrap());
        // Unrounded: rounding up each chapter would add about half a minute for each.
        let part = &mut parts[usize::from(!is_essential)];
        for (sum, time) in part.iter_mut().zip(times) {
            *sum += time;
        }
        if !says(&path, &[line(times)]) {
            wrong.push(path);
        }
    }
    let lines = [line_of_essentials(parts[0]), line_of_shelf(parts[1])];
    if !says("index.html".as_ref(), &lines) {
        wrong.push("index.html".into());
    }
    let names = ["README.md", "README.zh.md"];
    for (name, part) in names.into_iter().zip(about(parts[0])) {
        if !fs::read_to_string(name).unwrap().contains(&part) {
            wrong.push(format!("{name}, which should say “{part}”").into());
        }
    }
    assert!(
        wrong.is_empty(),
        "UPDATE=1 cargo test --test native reading_time: {wrong:?}"
    );
    assert!(
        parts[0].iter().all(|minutes| *minutes <= MAX_MINUTES),
        "the essentials take {:?} minutes",
        parts[0]
    );
}

#[test]
fn the_essentials_are_short() {
    let chapters = chapters()
        .into_iter()
        .filter(|(_, is_essential)| *is_essential);
    let chapters: String = chapters
        .map(|(path, _)| fs::read_to_string(path).unwrap())
        .collect();
    let english = words(&text_in(&chapters, "en"));
    assert!(english <= MAX_WORDS, "{english} words");
    let figures = chapters.matches("<pe-figure").count();
    assert!(figures <= MAX_FIGURES, "{figures} figures");
}

#[test]
fn all_of_a_chapter_is_counted_in_its_language() {
    let html = "<h2><span lang=\"en\">One</span><span lang=\"zh\">一</span></h2>\
        <div lang=\"en\"><p>two <b>three</b> 4, x<sub>5</sub> –</p><div class=\"wide\"><table><tr><td>six</td><td>seven</td></tr></table></div>\
        <p>eight</p></div><math><mi>x</mi></math><div lang=\"zh\"><p>二三 RoPE 五</p></div>\
        <pe-figure view=\"a\"><p lang=\"en\">left out</p></pe-figure>\
        <div class=\"predict\"><div lang=\"en\"><p>nine</p></div></div>\
        <div class=\"exercise\"><p lang=\"en\">ten <a lang=\"zh\">六</a></p></div>";
    let english = text_in(html, "en");
    assert_eq!(words(&english), 11, "{english}");
    let chinese = text_in(html, "zh");
    assert_eq!(words(&chinese), 6, "{chinese}");
    assert_eq!(minutes(html), [3.0 + 11.0 / 150.0, 3.0 + 6.0 / 300.0]);
    assert!(line([3.0 + 11.0 / 150.0, 3.0]).contains(">4 minutes<"));
    assert_eq!(about([97.4, 103.0]), ["about 95 minutes", "约 105 分钟"]);
}
