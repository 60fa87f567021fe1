//! The README and the documents that exist in Chinese correspond in both languages, and the targets of their links exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The level of each heading, in order.
fn headings(text: &str) -> Vec<usize> {
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines
        .map(|line| line.chars().take_while(|c| *c == '#').count())
        .collect()
}

/// The lines outside fences. A fence ends with as many backticks as it began with.
fn prose(text: &str) -> String {
    let mut fence = None;
    let mut prose = String::new();
    for line in text.lines() {
        let backticks = line.trim_start().chars().take_while(|c| *c == '`').count();
        if backticks < 3 && fence.is_none() {
            prose.push_str(line);
            prose.push('\n');
        } else if backticks >= 3 && fence.is_none_or(|length| backticks >= length) {
            fence = fence.is_none().then_some(backticks);
        }
    }
    prose
}

/// The code between fences.
fn code(text: &str) -> Vec<&str> {
    text.split("```").skip(1).step_by(2).collect()
}

fn is_chinese(c: char) -> bool {
    ('一'..='鿿').contains(&c)
}

/// Whether the code is the same. A line's Chinese, in a comment or in text for readers, stands for some English.
fn same_code(english: &[&str], chinese: &[&str]) -> bool {
    let lines = |blocks: &[&str]| -> Vec<String> {
        let lines = blocks.iter().flat_map(|block| block.lines());
        lines.map(str::to_string).collect()
    };
    let (english, chinese) = (lines(english), lines(chinese));
    let same = |(english, chinese): (&String, &String)| {
        let Some(first) = chinese.find(is_chinese) else {
            return english == chinese;
        };
        let (before, rest) = chinese.split_at(first);
        let after = rest.rsplit(is_chinese).next().unwrap_or_default();
        let english = english.strip_prefix(before);
        english.is_some_and(|rest| rest.len() > after.len() && rest.ends_with(after))
    };
    english.len() == chinese.len() && english.iter().zip(&chinese).all(same)
}

/// The targets of the links.
fn links(text: &str) -> BTreeSet<&str> {
    let parts = text.split("](").skip(1);
    parts.filter_map(|part| part.split(')').next()).collect()
}

/// The anchors of a document's headings, in order.
fn anchors(text: &str) -> Vec<String> {
    let prose = prose(text);
    let titles = prose.lines().filter(|line| line.starts_with('#'));
    let kept = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    };
    titles
        .map(|line| line.trim_start_matches('#').trim().to_lowercase())
        .map(|title| title.chars().filter_map(kept).collect())
        .collect()
}

/// The English target that corresponds to a link in a Chinese document. Headings correspond by their index.
fn in_english(link: &str) -> String {
    let english = link.replace(".zh.md", ".md").replace("-zh.png", "-en.png");
    let Some((name, anchor)) = link.split_once(".zh.md#") else {
        return english;
    };
    let read = |ending: &str| fs::read_to_string(format!("docs/{name}{ending}"));
    let (Ok(ours), Ok(theirs)) = (read(".zh.md"), read(".md")) else {
        return english;
    };
    let (ours, theirs) = (anchors(&ours), anchors(&theirs));
    match ours.iter().position(|known| known == anchor) {
        Some(index) if index < theirs.len() => format!("{name}.md#{}", theirs[index]),
        _ => english,
    }
}

/// The documents that exist in both languages, by their English names.
fn in_both_languages() -> Vec<String> {
    let docs = fs::read_dir("docs").unwrap();
    let names = docs.map(|entry| entry.unwrap().path().to_string_lossy().into_owned());
    let chinese = names.filter(|name| name.ends_with(".zh.md"));
    let mut all: Vec<_> = chinese.map(|name| name.replace(".zh.md", ".md")).collect();
    all.push("README.md".into());
    all
}

/// Returns the differences between a document and its translation.
fn differences(english: &str, chinese: &str, name: &str) -> Vec<&'static str> {
    // A link to a document or picture that exists in both languages may point to either version, and one to the site of
    // another project to its Chinese edition.
    let links = |text: &str, own: &str| -> BTreeSet<String> {
        let targets = links(text).into_iter().map(|link| match link {
            heading if heading.starts_with('#') => in_english(&format!("{own}{heading}")),
            _ => in_english(&link.replace("https://cn.", "https://")),
        });
        targets.collect()
    };
    let other = name.rsplit('/').next().unwrap();
    let translated = other.replace(".md", ".zh.md");
    let to_other = format!("[English]({other})");
    let to_chinese = format!("[中文]({translated})");
    let mut links = [links(english, other), links(chinese, &translated)];
    for links in &mut links {
        links.remove(other);
    }
    let rows = |text: &str| {
        text.lines()
            .filter(|line| line.trim_start().starts_with('|'))
            .count()
    };
    let items = |text: &str| {
        text.lines()
            .filter(|line| line.trim_start().starts_with("- "))
            .count()
    };
    [
        (
            headings(&prose(english)) == headings(&prose(chinese)),
            "headings",
        ),
        (same_code(&code(english), &code(chinese)), "code"),
        (links[0] == links[1], "links"),
        (rows(english) == rows(chinese), "tables"),
        (items(&prose(english)) == items(&prose(chinese)), "lists"),
        (
            english.contains(&to_chinese) && chinese.contains(&to_other),
            "the way to the other language",
        ),
    ]
    .into_iter()
    .filter_map(|(same, what)| (!same).then_some(what))
    .collect()
}

#[test]
fn both_languages_have_the_same_parts() {
    let names = in_both_languages();
    for name in [
        "accessibility",
        "browsers",
        "embedding",
        "hosting",
        "inspect",
        "offline",
        "presenting",
    ] {
        assert!(names.contains(&format!("docs/{name}.md")), "{name}");
    }
    for name in names {
        let [english, chinese] = [name.clone(), name.replace(".md", ".zh.md")]
            .map(|name| fs::read_to_string(name).unwrap());
        let found = differences(&english, &chinese, &name);
        assert!(
            found.is_empty(),
            "{name} and its Chinese differ in {}",
            found.join(", ")
        );
        assert!(chinese.matches(is_chinese).count() > 200, "{name}");
    }
    assert!(
        fs::read_to_string("README.md").unwrap().lines().count() < 100,
        "two screens"
    );
}

/// What shows as a space between Chinese characters: a space, or a line that continues the paragraph, cell or item before it.
fn stray_spaces(text: &str) -> Vec<String> {
    let begins_block = |line: &str| {
        let line = line.trim_start();
        let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
        line.is_empty()
            || line.starts_with(['|', '#'])
            || line.starts_with("<!--")
            || line.starts_with("- ")
            || (number != line && number.starts_with(". "))
    };
    let prose = prose(text);
    let lines: Vec<_> = prose.lines().collect();
    let continued = lines
        .windows(2)
        .filter(|pair| !pair[0].is_empty() && !begins_block(pair[1]));
    let is_spaced = |line: &&str| {
        let chars: Vec<_> = line.chars().collect();
        let mut windows = chars.windows(3);
        windows.any(|it| is_chinese(it[0]) && it[1] == ' ' && is_chinese(it[2]))
    };
    let spaced = lines.iter().copied().filter(is_spaced);
    continued
        .map(|pair| pair[1])
        .chain(spaced)
        .map(str::to_string)
        .collect()
}

#[test]
fn chinese_paragraphs_are_one_line_each() {
    for name in in_both_languages() {
        let name = name.replace(".md", ".zh.md");
        let found = stray_spaces(&fs::read_to_string(&name).unwrap());
        assert!(found.is_empty(), "{name}:\n{}", found.join("\n"));
    }
    let good = "# 一\n\n二 A 三\n\n- 四\n- 五\n1. 六\n\n| 七 |\n|---|\n\n````\n八\n```\n九\n````\n";
    assert_eq!(stray_spaces(good), [""; 0]);
    assert_eq!(
        stray_spaces("一\n二\n\n- 三\n  四\n\n五 六\n"),
        ["二", "  四", "五 六"]
    );
}

#[test]
fn what_a_translation_lacks_is_told() {
    let english = "# A\n\n[中文](a.zh.md)\n\n## B\n\n- [c](c.md)\n\n| d |\n\n```sh\n# e\n```\n";
    let good = "# A\n\n[English](a.md)\n\n## B\n\n- [c](c.zh.md)\n\n| d |\n\n```sh\n# e\n```\n";
    assert_eq!(differences(english, good, "docs/a.md"), [""; 0]);
    for (part, what) in [
        ("## B\n", "headings"),
        ("# e", "code"),
        ("(c.zh.md)", "links"),
        ("| d |", "tables"),
        ("- ", "lists"),
    ] {
        let worse = good.replacen(part, "", 1);
        assert!(
            differences(english, &worse, "docs/a.md").contains(&what),
            "{what}"
        );
    }
    let without = good.replace("[English](a.md)", "");
    assert_eq!(
        differences(english, &without, "docs/a.md"),
        ["the way to the other language"]
    );
}

#[test]
fn only_words_for_readers_may_be_translated_in_code() {
    let english = ["a  # one", "<b c=\"2\">text</b>"];
    let chinese = ["a  # 一", "<b c=\"2\">文字</b>"];
    assert!(same_code(&english, &chinese));
    for worse in [["b  # 一", chinese[1]], [chinese[0], "<b c=\"3\">文字</b>"]] {
        assert!(!same_code(&english, &worse), "{worse:?}");
    }
    assert!(!same_code(&english, &chinese[..1]));
    assert!(!same_code(&english, &["a  # one ", chinese[1]]));
}

#[test]
fn headings_are_found_in_both_languages() {
    assert_eq!(
        anchors("# A b\n```sh\n# no\n```\n## Jupyter, VS Code\n## 练习单\n"),
        ["a-b", "jupyter-vs-code", "练习单"]
    );
    assert_eq!(
        in_english("presenting.zh.md#练习单"),
        "presenting.md#worksheets"
    );
    assert_eq!(
        in_english("presenting.zh.md#打印"),
        "presenting.md#on-paper"
    );
    assert_eq!(
        in_english("presenting.zh.md#nowhere"),
        "presenting.md#nowhere"
    );
    assert_eq!(in_english("c.zh.md"), "c.md");
}

#[test]
fn chinese_documents_lead_to_chinese_ones() {
    for name in in_both_languages() {
        let chinese = name.replace(".md", ".zh.md");
        let text = fs::read_to_string(&chinese).unwrap();
        let folder = Path::new(&chinese).parent().unwrap();
        // The first link in each document leads to the other language.
        for (_, rest) in text
            .match_indices("](")
            .skip(1)
            .map(|(at, _)| text[at..].split_at(2))
        {
            let link = rest.split([')', '#']).next().unwrap();
            let translated = link.replace(".md", ".zh.md");
            assert!(
                link.contains(".zh.md")
                    || !link.ends_with(".md")
                    || !folder.join(&translated).exists(),
                "{chinese}: {link} is there in Chinese"
            );
        }
    }
}

#[test]
fn browsers_with_two_engines_are_asked_for_the_newer_one() {
    for file in ["index.html", "docs/browsers.md"] {
        let text = fs::read_to_string(file).unwrap();
        assert!(
            text.contains("<meta name=\"renderer\" content=\"webkit\">"),
            "{file}"
        );
    }
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
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let (target, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match target {
                "" => file.clone(),
                _ => file.parent().unwrap().join(target),
            };
            let has_heading = || {
                let text = fs::read_to_string(&target).unwrap();
                anchors(&text).iter().any(|known| known == heading)
            };
            assert!(
                target.exists() && (heading.is_empty() || has_heading()),
                "{}: {link} is not there",
                file.display()
            );
        }
    }
}
