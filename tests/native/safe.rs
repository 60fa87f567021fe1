//! The page never turns text into markup or scripts: text from an address, an attribute or a message remains text. At run
//! time the page's own policy blocks the rest (scripts/kit/site.mjs).

use std::fs;
use std::path::{Path, PathBuf};

const NEVER: &[&str] = &[
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "setHTMLUnsafe",
    "createContextualFragment",
    "DOMParser",
    "document.write",
    ".srcdoc",
    "eval(",
    "new Function",
    "javascript:",
    "set_inner_html",
    "set_outer_html",
    "insert_adjacent_html",
    "js_sys::eval",
];

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let entries = fs::read_dir(path).unwrap();
    entries
        .flat_map(|entry| files(&entry.unwrap().path()))
        .collect()
}

#[test]
fn no_text_becomes_markup_or_a_script() {
    let roots = ["index.html", "src", "static"];
    let files: Vec<_> = roots.iter().flat_map(|root| files(root.as_ref())).collect();
    assert!(files.len() > 150, "{}", files.len());
    for path in files {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        for never in NEVER {
            assert!(!text.contains(never), "{}: {never}", path.display());
        }
    }
}

#[test]
fn the_texts_have_no_scripts_and_no_styles_of_their_own() {
    for path in files("static/lesson".as_ref()) {
        let text = fs::read_to_string(&path).unwrap();
        for never in [
            "<script",
            "<style",
            " style=",
            " onclick=",
            " onload=",
            "<iframe",
            "<object",
            "<embed",
        ] {
            assert!(!text.contains(never), "{}: {never}", path.display());
        }
    }
}
