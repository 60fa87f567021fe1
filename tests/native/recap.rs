//! Every chapter ends with a recap: what it has shown, what the reader can do with that, and the next question.

use crate::lesson;
use std::fs;
use std::path::PathBuf;

/// The beginnings of the three lines, in both languages.
const LANGUAGES: [(&str, [&str; 3]); 2] = [
    ("en", ["You now know", "You can now", "Next"]),
    ("zh", ["本章要点", "学完应能", "接下来"]),
];

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, after) = text.split_once(start)?;
    Some(after.split_once(end)?.0)
}

/// The id and text of each chapter, in order.
fn chapters() -> Vec<(String, String)> {
    let chapter = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let id = between(&text, "<section class=\"chapter\" id=\"", "\"").unwrap();
        (id.to_string(), text)
    };
    lesson::chapters().iter().map(chapter).collect()
}

/// Returns the fault at the end of a chapter that is followed by `next`, if any.
fn problem(text: &str, next: Option<&str>) -> Option<String> {
    let (_, rest) = text.split_once("<aside class=\"recap\">")?;
    let Some((recap, after)) = rest.split_once("</aside>") else {
        return Some("a recap without an end".to_string());
    };
    if after.trim() != "</div>\n</section>" {
        return Some(format!("something follows the recap: {after}"));
    }
    for (lang, begins) in LANGUAGES {
        let Some(part) = between(recap, &format!("<div lang=\"{lang}\">"), "</div>") else {
            return Some(format!("no recap in {lang}"));
        };
        let lines: Vec<&str> = part.trim().lines().collect();
        if lines.len() != begins.len() {
            return Some(format!("{} lines in {lang}", lines.len()));
        }
        for (line, begin) in lines.iter().zip(begins) {
            if !line.starts_with(&format!("<p><b>{begin}</b>")) || !line.ends_with("</p>") {
                return Some(format!("not a line that begins “{begin}”: {line}"));
            }
        }
        let links = recap.matches("<a ").count();
        let asks = lines[2].contains(['?', '？']);
        match next {
            None if links > 0 => return Some(format!("the last chapter leads on: {recap}")),
            None => {}
            Some(_) if links != LANGUAGES.len() || !asks => {
                return Some(format!("no question that leads on: {}", lines[2]));
            }
            Some(id) if !lines[2].contains(&format!("<a href=\"#{id}\">")) => {
                return Some(format!("does not lead to {id}: {}", lines[2]));
            }
            Some(_) => {}
        }
    }
    None
}

#[test]
fn every_chapter_ends_with_three_lines_that_lead_to_the_next() {
    let chapters = chapters();
    assert_eq!(chapters.len(), 20);
    let mut problems = Vec::new();
    for (i, (id, text)) in chapters.iter().enumerate() {
        let next = chapters.get(i + 1).map(|(id, _)| id.as_str());
        if text.matches("<aside class=\"recap\">").count() != 1 {
            problems.push(format!("{id}: not one recap"));
        }
        problems.extend(problem(text, next).map(|what| format!("{id}: {what}")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn the_page_has_the_chapters_in_the_order_of_their_files() {
    let page = fs::read_to_string("index.html").unwrap();
    let mut linked = Vec::new();
    for part in page.split("href=\"static/lesson/").skip(1) {
        linked.push(part.split('"').next().unwrap());
    }
    assert_eq!(linked.pop(), Some("sources.html"));
    assert_eq!(linked.pop(), Some("glossary.html"));
    assert_eq!(linked.len(), chapters().len());
    assert!(linked.is_sorted(), "{linked:?}");
}
