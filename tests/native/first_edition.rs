//! Links of the first edition (0.1.0) still have their meaning: `tests/corpus/links-first-edition.tsv` records how its code
//! interpreted each. Links with a misspelt value are not included, since today the nearest valid value is used; nor are
//! links with a name that had no meaning then and is a setting today, or with a number that was out of range then and is not
//! today.

use posenc::figures::fields;
use posenc::{Persistence, Values, read_link};
use std::fs;

/// Returns the address that the page writes, the settings kept for the visit only, and the names in its diagnostics.
fn read(link: &str) -> (String, String, String) {
    let (query, hash) = match link.strip_prefix('?') {
        Some(rest) => rest.split_once('#').unwrap_or((rest, "")),
        None => ("", link.strip_prefix('#').unwrap_or(link)),
    };
    let link = read_link(&format!("?{query}"), &format!("#{hash}"));
    let mut state = link.state.clone();
    let mut problems = link.problems.clone();
    let view = state.view();
    let Some(fields) = fields(view).filter(|_| !view.is_of_bench()) else {
        return (link.hash(&state), String::new(), names(problems));
    };
    let owns = |name: &str| fields.iter().any(|field| field.name == name);
    problems.extend(state.keep_names(owns));
    let mut values = Values::new(fields);
    let default = values.clone();
    for field in fields {
        let mut given = link.pairs().iter().rev();
        if let Some((_, text)) = given.find(|(name, _)| name == field.name) {
            problems.extend(values.set(field.name, text));
        }
    }
    let owned = |(name, text): (&str, String)| (name.to_string(), text);
    let mut written: Vec<_> = values.changed().into_iter().map(owned).collect();
    for name in link.queried() {
        if owns(name) && !written.iter().any(|(known, _)| known == name) {
            written.push((name.clone(), default.text(name)));
        }
    }
    let unwritten = values
        .public()
        .filter(|field| field.persistence == Persistence::Session)
        .map(|field| (field.name, values.text(field.name)))
        .filter(|(name, text)| *text != default.text(name));
    let unwritten = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(unwritten)
        .finish();
    let address = link.figure_hash(&state, &written, owns);
    (address, unwritten, names(problems))
}

/// Returns each name once: a setting and a field of the same name may both report the same value.
fn names(problems: Vec<posenc::Diagnostic>) -> String {
    let mut names: Vec<_> = problems.iter().map(|problem| problem.name).collect();
    names.sort_unstable();
    names.dedup();
    names.join(",")
}

#[test]
fn links_of_the_first_edition_lead_where_they_led() {
    let corpus = fs::read_to_string("tests/corpus/links-first-edition.tsv").unwrap();
    let mut count = 0;
    let mut wrong = String::new();
    for line in corpus.lines().filter(|line| !line.starts_with("# ")) {
        let mut columns = line.split('\t');
        let mut column = || columns.next().unwrap_or_default().to_string();
        let link = column();
        let then = (column(), column(), column());
        let now = read(&link);
        if now != then {
            wrong += &format!("{link}\n  then {then:?}\n  now  {now:?}\n");
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count >= 200, "{count} links");
}
