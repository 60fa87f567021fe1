//! Source files have at most 500 lines, so that each covers one topic. Test files, which are lists of cases, may be longer.

use std::fs;
use std::path::{Path, PathBuf};

const MAX_LINES: usize = 500;
/// One class whose file has a name that other pages import.
const ELEMENT: (&str, usize) = ("static/posenc.js", 600);
const FOLDERS: [&str; 5] = ["src", "crates", "static", "scripts", "tests/web"];
const CODE: [&str; 6] = ["rs", "mjs", "js", "ts", "py", "sh"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if path.is_dir() {
            // Installed packages, build products, measurements, and the tests of crates.
            if !["node_modules", "out", "target", "tests"].contains(&name.as_str()) {
                sources(&path, found);
            }
        } else if is_source(&path, &name) {
            found.push(path);
        }
    }
}

fn is_source(path: &Path, name: &str) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    // The commands in `scripts` have no extension.
    let code = extension.map_or(path.parent() == Some(Path::new("scripts")), |extension| {
        CODE.contains(&extension)
    });
    code && !name.ends_with(".test.mjs")
}

fn lines(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().lines().count()
}

#[test]
fn no_source_file_is_longer_than_500_lines() {
    let mut files = Vec::new();
    for folder in FOLDERS {
        sources(Path::new(folder), &mut files);
    }
    assert!(files.len() > 250, "{} files", files.len());
    for file in ["static/kit/share.mjs", "scripts/test", "scripts/setup.sh"] {
        assert!(files.iter().any(|path| path == Path::new(file)), "{file}");
    }
    let long: Vec<_> = files
        .iter()
        .filter(|path| match path.to_str() {
            Some(name) if name == ELEMENT.0 => lines(path) > ELEMENT.1,
            _ => lines(path) > MAX_LINES,
        })
        .map(|path| path.to_str().unwrap())
        .collect();
    assert!(long.is_empty(), "divide {long:?}");
}
