//! Citations in the lesson link to its list of sources, and each source links to its publication.

use crate::lesson;
use std::collections::BTreeSet;
use std::fs;

/// Names in <cite> that are titles, models or data sets, and not citations.
const TITLES: [&str; 6] = [
    "Attention Is All You Need",
    "Qwen2-VL",
    "Qwen2.5-VL",
    "Qwen3-VL",
    "T5",
    "WikiText-103",
];

/// The texts between `before` and the next `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Vec<&'a str> {
    let parts = text.split(before).skip(1);
    parts.filter_map(|part| part.split(after).next()).collect()
}

fn cited(text: &str) -> Vec<&str> {
    between(text, "<a href=\"#ref-", "\"")
}

pub struct Source<'a> {
    pub id: &'a str,
    /// The authors.
    pub who: &'a str,
    pub year: &'a str,
    pub address: &'a str,
    title: &'a str,
}

/// Parses an entry of the list, which is one line; `None` for other lines.
pub fn source(line: &str) -> Option<Source<'_>> {
    let rest = line.strip_prefix("<li id=\"ref-")?;
    let (id, rest) = rest.split_once("\"><cite>")?;
    let (by, rest) = rest.split_once(": <a href=\"")?;
    let (who, year) = by.rsplit_once(' ')?;
    let (address, rest) = rest.split_once("\" target=\"_blank\" rel=\"noopener\">")?;
    let title = rest.strip_suffix("</a></cite></li>")?;
    Some(Source {
        id,
        who,
        year,
        address,
        title,
    })
}

/// Returns the faults of a text's citations.
fn problems(text: &str, known: &BTreeSet<&str>) -> Vec<String> {
    let mut found = Vec::new();
    for cite in between(text, "<cite>", "</cite>") {
        let links = cited(cite);
        if links.is_empty() && !TITLES.contains(&cite) {
            found.push(format!("leads nowhere: {cite}"));
        }
        if cite.contains("arXiv") {
            found.push(format!("the list has the number: {cite}"));
        }
        // Each source in a citation has a link of its own; a year indicates a source.
        for part in cite.split([';', '；']) {
            let digits = part.split(|c: char| !c.is_ascii_digit());
            if !links.is_empty() && !part.contains("<a") && digits.map(str::len).any(|n| n == 4) {
                found.push(format!("no link: {part}"));
            }
        }
    }
    let unknown = cited(text).into_iter().filter(|id| !known.contains(id));
    found.extend(unknown.map(|id| format!("no source is called {id}")));
    found
}

#[test]
fn every_citation_leads_to_a_source_and_every_source_is_cited() {
    let list = fs::read_to_string("static/lesson/sources.html").unwrap();
    let lines = list.lines().filter(|line| line.starts_with("<li"));
    let sources: Vec<_> = lines
        .map(|line| source(line).unwrap_or_else(|| panic!("no source: {line}")))
        .collect();
    let known: BTreeSet<&str> = sources.iter().map(|source| source.id).collect();
    assert_eq!(known.len(), sources.len(), "each has an id of its own");
    assert!(known.len() > 40, "{}", known.len());

    let mut found = Vec::new();
    let mut used = BTreeSet::new();
    let chapters = lesson::chapters().into_iter();
    for path in chapters.chain(["index.html".into()]) {
        let text = fs::read_to_string(&path).unwrap();
        let wrong = problems(&text, &known).into_iter();
        found.extend(wrong.map(|what| format!("{}: {what}", path.display())));
        used.extend(cited(&text).into_iter().map(str::to_string));
        // Both languages have the same citations.
        let of = |opens: &str| {
            let parts = between(&text, opens, "</div>").into_iter();
            let ids = parts.flat_map(cited).map(str::to_string);
            ids.collect::<BTreeSet<_>>()
        };
        let (en, zh) = (of("<div lang=\"en\">"), of("<div lang=\"zh\">"));
        if en != zh {
            found.push(format!("{}: {en:?} are not {zh:?}", path.display()));
        }
    }
    for source in &sources {
        let id = source.id;
        if !used.contains(id) {
            found.push(format!("{id} is not cited"));
        }
        let year = source.year.parse().unwrap_or(0);
        let complete = !source.who.is_empty() && !source.title.is_empty();
        if !complete || !(2016..=2026).contains(&year) || !source.address.starts_with("https://") {
            found.push(format!("{id}: {} {}", source.who, source.address));
        }
        // arXiv numbers begin with the year and month of the first version.
        if let Some(number) = source.address.strip_prefix("https://arxiv.org/abs/") {
            let first: u32 = number.get(..2).and_then(|y| y.parse().ok()).unwrap_or(0);
            let shape = number.len() == 10 && number.as_bytes()[4] == b'.';
            // A paper is cited by its year of publication, which may be the next.
            if !shape || !(first + 2000..=first + 2001).contains(&year) {
                found.push(format!("{id}: {number} of {year}"));
            }
        }
    }
    let mut order: Vec<String> = sources
        .iter()
        .map(|source| format!("{} {}", source.who, source.year).to_lowercase())
        .collect();
    if !order.is_sorted() {
        let before = order.clone();
        order.sort();
        let at = (0..order.len()).find(|&i| order[i] != before[i]).unwrap();
        found.push(format!("{} belongs where {} is", order[at], before[at]));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn wrong_citations_are_found() {
    let known = BTreeSet::from(["su-2021"]);
    let right = "<cite>(<a href=\"#ref-su-2021\">Su et al. 2021</a>, §3.4)</cite> <cite>T5</cite>";
    assert_eq!(problems(right, &known), Vec::<String>::new());
    for (wrong, count) in [
        ("<cite>(Su et al. 2021)</cite>", 1),
        ("<cite>(<a href=\"#ref-he-2020\">He</a>)</cite>", 1),
        (
            "<cite>(<a href=\"#ref-su-2021\">Su</a>, arXiv 2104.09864)</cite>",
            1,
        ),
        (
            "<cite>(<a href=\"#ref-su-2021\">Su</a>; He et al. 2020)</cite>",
            1,
        ),
    ] {
        assert_eq!(problems(wrong, &known).len(), count, "{wrong}");
    }
    assert!(source("<li id=\"ref-a\"><cite>A 2020: B</cite></li>").is_none());
}
