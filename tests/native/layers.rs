//! Modules may refer only to modules of lower layers, and only the web folder refers to the browser.

use std::fs;
use std::path::{Path, PathBuf};

/// From bottom to top. Modules in the same layer do not refer to each other.
const LAYERS: &[&[&str]] = &[
    &["assert_close"],
    &["math", "text"],
    &["field"],
    &["draw"],
    &["figure"],
    &["figures"],
    &["session"],
    &["export"],
    &["cli", "web"],
    &["main"],
];

fn layer(module: &str) -> usize {
    let found = LAYERS.iter().position(|layer| layer.contains(&module));
    found.unwrap_or_else(|| panic!("{module} is in no layer of tests/native/layers.rs"))
}

pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

/// The top-level module of a source file.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix("src").unwrap();
    let first = inside
        .components()
        .next()
        .unwrap()
        .as_os_str()
        .to_str()
        .unwrap();
    first.trim_end_matches(".rs").to_string()
}

/// The names that follow `crate::` in the code, including grouped imports.
fn named_modules(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let word = |text: &str| -> String {
            text.trim_start()
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        };
        match rest.strip_prefix('{') {
            Some(group) => {
                let group = group.split(';').next().unwrap_or_default();
                let mut depth = 0;
                let mut item = String::new();
                for c in group.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => names.push(word(&std::mem::take(&mut item))),
                        _ => {}
                    }
                    if c != ',' || depth > 0 {
                        item.push(c);
                    }
                }
                names.push(word(&item));
            }
            None => names.push(word(rest)),
        }
    }
    names.retain(|name| name.chars().next().is_some_and(char::is_lowercase));
    names
}

#[test]
fn no_module_names_one_above_it() {
    let files = sources(Path::new("src"));
    assert!(files.len() > 30);
    for path in files {
        let module = module_of(&path);
        if module == "lib" {
            continue;
        }
        let code = fs::read_to_string(&path).unwrap();
        for name in named_modules(&code) {
            let below = name == module || layer(&name) < layer(&module);
            assert!(below, "{} names {name}", path.display());
        }
    }
}

#[test]
fn only_the_web_folder_names_the_browser() {
    const BROWSER: [&str; 5] = [
        "web_sys",
        "js_sys",
        "wasm_bindgen",
        "plotters_canvas",
        "gloo_",
    ];
    for path in sources(Path::new("src")) {
        let code = fs::read_to_string(&path).unwrap();
        if module_of(&path) != "web" {
            for name in BROWSER {
                assert!(!code.contains(name), "{} names {name}", path.display());
            }
        }
    }
}

#[test]
fn colours_are_written_in_the_theme_alone() {
    for path in sources(Path::new("src")) {
        let code = fs::read_to_string(&path).unwrap();
        // Black and white, for numbers on cells of any colour, are exceptions.
        let code = code
            .replace("RGBColor(0, 0, 0)", "")
            .replace("RGBColor(255, 255, 255)", "");
        let literal = code
            .split("RGBColor(")
            .skip(1)
            .any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        assert!(
            path.ends_with("draw/theme.rs") || !literal,
            "{}",
            path.display()
        );
    }
}

/// The names in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_table_of_folders_has_each_in_one_row() {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let rows: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| `")
                .and(line.get(2..)?.split_once(" | "))
        })
        .collect();
    let listed: Vec<&str> = rows.iter().flat_map(|(names, _)| quoted(names)).collect();
    for entry in fs::read_dir("src").unwrap() {
        let module = module_of(&entry.unwrap().path());
        if module != "lib" {
            let count = listed.iter().filter(|name| **name == module).count();
            assert_eq!(count, 1, "{module} stands in {count} rows");
        }
    }
    let listed = listed.into_iter().filter(|name| !name.contains('/'));
    let named = listed.map(layer);
    assert!(named.is_sorted(), "the rows go from the bottom up");
}

#[test]
fn grouped_imports_are_seen() {
    let code = "use crate::{text::Lang, draw::{Frame, Rect}};\nuse crate::field::State;";
    assert_eq!(named_modules(code), ["text", "draw", "field"]);
}
