//! The texts of the lesson.

use std::fs;
use std::path::PathBuf;

/// The files of the lesson's chapters, in order.
pub fn chapters() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir("static/lesson")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with("glossary.html") && !path.ends_with("sources.html"))
        .collect();
    paths.sort();
    paths
}
