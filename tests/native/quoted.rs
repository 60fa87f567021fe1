//! Numbers that are quoted from a source are the same in both languages, and the words of a citation are those of the entry
//! that it leads to.

use crate::lesson;
use crate::sources::{Source, source};
use std::collections::BTreeMap;
use std::fs;

/// What a number is multiplied by, by the word after it.
const UNITS: [(&str, f64); 7] = [
    ("thousand", 1e3),
    ("million", 1e6),
    ("billion", 1e9),
    ("千", 1e3),
    ("百万", 1e6),
    ("万", 1e4),
    ("亿", 1e8),
];

/// Citations whose words are neither an author and a year nor the number of an issue.
const NAMED: [(&str, [&str; 2]); 3] = [
    ("eleutherai-2021", ["its model card", "见其模型卡"]),
    ("meta-2024", ["Meta’s code", "Meta 的代码"]),
    (
        "qwen-2024",
        ["configuration of Qwen2-VL", "Qwen2-VL 的配置文件"],
    ),
];

/// Returns the number with its unit, K or the word after it, to six digits; a percentage is a number of its own.
fn number(text: &str, after: &str) -> String {
    let digits: String = text
        .chars()
        .filter(|c| !matches!(c, ' ' | '\u{a0}' | '%' | 'K'))
        .collect();
    let value: f64 = digits.parse().unwrap_or(f64::NAN);
    let after = after.trim_start_matches([' ', '-', '\u{a0}']);
    let unit = UNITS.iter().find(|(word, _)| after.starts_with(word));
    let thousands = if text.ends_with('K') { 1e3 } else { 1.0 };
    let value = value * thousands * unit.map_or(1.0, |(_, unit)| *unit);
    let percent = if text.contains('%') { " %" } else { "" };
    format!("{value:.5e}{percent}")
}

/// The language of the innermost block that begins before a place.
fn is_chinese(before: &str) -> bool {
    before.rfind("lang=\"zh\"") > before.rfind("lang=\"en\"")
}

/// Returns the quoted numbers of a text in English and in Chinese, sorted, by the words that name their source.
fn quoted(text: &str) -> BTreeMap<&str, [Vec<String>; 2]> {
    let mut found: BTreeMap<&str, [Vec<String>; 2]> = BTreeMap::new();
    for (at, opens) in text.match_indices("<data value=\"from ") {
        let rest = &text[at + opens.len()..];
        let (from, rest) = rest.split_once("\">").unwrap();
        let (digits, after) = rest.split_once("</data>").unwrap();
        let numbers = &mut found.entry(from).or_default()[usize::from(is_chinese(&text[..at]))];
        numbers.push(number(digits, after));
        numbers.sort();
    }
    found
}

fn sources(list: &str) -> BTreeMap<&str, Source<'_>> {
    let found = list.lines().filter_map(source);
    found.map(|source| (source.id, source)).collect()
}

/// Returns what the words of a link to a source should be.
fn citations(source: &Source, chinese: bool) -> Vec<String> {
    let named = NAMED.iter().find(|(id, _)| *id == source.id);
    if let Some((_, words)) = named {
        return vec![words[usize::from(chinese)].to_string()];
    }
    // Issues are cited by their number, with or without the name of the project.
    if source.address.contains("/issues/") || source.address.contains("/pull/") {
        let number = source.address.rsplit('/').next().unwrap();
        return vec![format!("#{number}")];
    }
    let Source { who, year, .. } = source;
    let author = match chinese {
        false => format!("{who} {year}"),
        true => format!(
            "{}，{year}",
            who.replace(" et al.", " 等").replace(" and ", " 和 ")
        ),
    };
    // After another year of the same authors, the year alone.
    vec![author, year.to_string()]
}

/// Returns the citations of a text whose words are not those of their entry.
fn misnamed(text: &str, sources: &BTreeMap<&str, Source>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (at, opens) in text.match_indices("<a href=\"#ref-") {
        let rest = &text[at + opens.len()..];
        let Some((id, rest)) = rest.split_once("\">") else {
            continue;
        };
        let words = rest.split("</a>").next().unwrap_or_default();
        let Some(source) = sources.get(id) else {
            continue;
        };
        let expected = citations(source, is_chinese(&text[..at]));
        let fits =
            |it: &String| words == it || (it.starts_with('#') && words.ends_with(it.as_str()));
        if !expected.iter().any(fits) {
            wrong.push(format!(
                "“{words}” leads to {} {}, and should be “{}”",
                source.who, source.year, expected[0]
            ));
        }
    }
    wrong
}

#[test]
fn quoted_numbers_are_the_same_in_both_languages() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in lesson::chapters() {
        let text = fs::read_to_string(&path).unwrap();
        for (from, [en, zh]) in quoted(&text) {
            count += en.len();
            if en != zh {
                let chapter = path.file_stem().unwrap().display();
                wrong.push(format!(
                    "{chapter}, quoted from {from}: {en:?} in English, {zh:?} in Chinese"
                ));
            }
        }
    }
    assert!(count > 30, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn citations_have_the_author_and_year_of_their_entry() {
    let list = fs::read_to_string("static/lesson/sources.html").unwrap();
    let sources = sources(&list);
    let mut wrong = Vec::new();
    for path in lesson::chapters().into_iter().chain(["index.html".into()]) {
        let text = fs::read_to_string(&path).unwrap();
        let chapter = path.file_stem().unwrap().display();
        wrong.extend(
            misnamed(&text, &sources)
                .into_iter()
                .map(|what| format!("{chapter}: {what}")),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn wrong_quotations_are_found() {
    let en = |number: &str| {
        format!("<div lang=\"en\"><data value=\"from A 2020\">{number}</data> thousand</div>")
    };
    let zh = |number: &str| {
        format!("<div lang=\"zh\"><data value=\"from A 2020\">{number}</data> 万个</div>")
    };
    for (a, b, same) in [
        ("2048", "204.8", true),
        ("2048", "2048", false),
        ("12", "1.2", true),
    ] {
        let text = en(a) + &zh(b);
        let [english, chinese] = &quoted(&text)["A 2020"];
        assert_eq!(english == chinese, same, "{a} {b}");
    }
    let list = "<li id=\"ref-su-2021\"><cite>Su et al. 2021: <a href=\"https://a.org\" target=\"_blank\" rel=\"noopener\">R</a></cite></li>";
    for (words, count) in [
        ("Su et al. 2021", 0),
        ("Su et al. 2022", 1),
        ("Press et al. 2021", 1),
        ("2021", 0),
    ] {
        let text = format!("<p lang=\"en\"><a href=\"#ref-su-2021\">{words}</a>");
        assert_eq!(misnamed(&text, &sources(list)).len(), count, "{words}");
    }
}
