//! The README says the same in both languages, and what the documents lead to is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// How deep each heading is, in order.
fn headings(text: &str) -> Vec<usize> {
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines
        .map(|line| line.chars().take_while(|c| *c == '#').count())
        .collect()
}

/// What stands between fences.
fn code(text: &str) -> Vec<&str> {
    text.split("```").skip(1).step_by(2).collect()
}

/// The addresses of its links.
fn links(text: &str) -> BTreeSet<&str> {
    let parts = text.split("](").skip(1);
    parts.filter_map(|part| part.split(')').next()).collect()
}

#[test]
fn both_languages_have_the_same_parts() {
    let [english, chinese] =
        ["README.md", "README.zh.md"].map(|name| fs::read_to_string(name).unwrap());
    assert!(english.lines().count() < 100, "two screens");
    // Comments in code are no headings.
    let prose = |text: &str| -> String { text.split("```").step_by(2).collect() };
    assert_eq!(headings(&prose(&english)), headings(&prose(&chinese)));
    assert_eq!(code(&english), code(&chinese));
    let without = |text, other| {
        let mut links = links(text);
        assert!(links.remove(other), "no link to {other}");
        links
    };
    assert_eq!(
        without(&english, "README.zh.md"),
        without(&chinese, "README.md")
    );
}

#[test]
fn what_the_documents_lead_to_is_there() {
    let mut files: Vec<_> = [
        "README.md",
        "README.zh.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
    ]
    .map(|name| Path::new(name).to_path_buf())
    .into();
    let docs = fs::read_dir("docs").unwrap();
    let docs = docs.map(|entry| entry.unwrap().path());
    files.extend(docs.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    assert!(files.len() > 12);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for link in links(&text) {
            if link.contains("://") || link.starts_with('#') || link.contains(' ') {
                continue;
            }
            let target = link.split('#').next().unwrap();
            let folder = file.parent().unwrap();
            assert!(
                folder.join(target).exists(),
                "{}: {link} is not there",
                file.display()
            );
        }
    }
}
