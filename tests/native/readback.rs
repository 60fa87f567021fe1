//! The numbers of the chapter on adding compared with NumPy's, on the same random words and the same held-out combinations.

use crate::python::python;
use posenc::Normals;
use posenc_sort::argsort;
use std::collections::BTreeSet;
use std::fs;

const SEED: u64 = 7;
const WORDS: usize = 64;
const COMBINATIONS: usize = WORDS * WORDS;

/// Writes the random words of a width, as they are drawn for the chapter, for NumPy; returns the path.
fn words(width: usize) -> String {
    let words = Normals::seeded(SEED * 65_536 + width as u64).take(WORDS * width);
    let bytes: Vec<u8> = words.flat_map(f64::to_le_bytes).collect();
    let path = format!("{}/words-{width}", env!("CARGO_TARGET_TMPDIR"));
    fs::write(&path, bytes).unwrap();
    path
}

/// A digit for each combination of word and position: 1 if it is held out.
fn held_out() -> String {
    let keys: Vec<f64> = Normals::seeded(SEED * 65_536).take(COMBINATIONS).collect();
    let mut held_out = vec!['0'; COMBINATIONS];
    for at in argsort(&keys).into_iter().take(COMBINATIONS / 4) {
        held_out[at] = '1';
    }
    held_out.into_iter().collect()
}

/// The numbers that the chapter quotes: the name of each, its width, and its text.
fn quoted() -> BTreeSet<(String, usize, String)> {
    let chapter = fs::read_to_string("static/lesson/12-adding.html").unwrap();
    let numbers = chapter.split("<data value=\"read_").skip(1);
    let parts = numbers.map(|rest| {
        let (name, rest) = rest.split_once('(').unwrap();
        let (width, rest) = rest.split_once(")\">").unwrap();
        let text = rest.split('<').next().unwrap();
        (name.into(), width.parse().unwrap(), text.into())
    });
    parts.collect()
}

#[test]
fn numpy_reads_the_same_words_and_positions() {
    let quoted = quoted();
    let widths: BTreeSet<usize> = quoted.iter().map(|(_, width, _)| *width).collect();
    assert!(widths.len() >= 3, "{widths:?}");
    for width in widths {
        let code = format!(
            "import sys; sys.path.insert(0, '../../tests/reference')\n\
             import numpy as np\n\
             from readback import beside, encoding, read\n\
             def drawn(path, width): return np.fromfile(path, '<f8').reshape(64, width)\n\
             held_out = np.array([digit == '1' for digit in '{}'])\n\
             words, half = drawn({:?}, {width}), drawn({:?}, {width} // 2)\n\
             print(*read(words, encoding({width}), held_out))\n\
             print(*read(*beside(half, encoding({width} // 2)), held_out))\n\
             print(*read(words / {width} ** 0.5, encoding({width}), held_out))",
            held_out(),
            words(width),
            words(width / 2),
        );
        let Some(text) = python("numpy", true, &code) else {
            return;
        };
        let expected: Vec<f64> = text
            .split_whitespace()
            .map(|it| it.parse().unwrap())
            .collect();
        for (name, _, text) in quoted.iter().filter(|(_, of, _)| *of == width) {
            let at = match name.as_str() {
                "word" => 0,
                "position" => 1,
                "distance" => 2,
                "word_beside" => 3,
                "position_beside" => 4,
                "word_unscaled" => 6,
                "position_unscaled" => 7,
                other => panic!("{other}"),
            };
            let found: f64 = match text.strip_suffix('%') {
                Some(percents) => percents.parse::<f64>().unwrap() / 100.0,
                None => text.parse().unwrap(),
            };
            // A tie between scores may be broken differently: one of 1024 is 0.001.
            let digits = text.split_once('.').map_or(0, |(_, after)| after.len());
            let unit = 10f64.powi(-(digits as i32)) * if text.ends_with('%') { 0.01 } else { 1.0 };
            let off = (found - expected[at]).abs();
            assert!(
                off < 0.5 * unit + 0.0016,
                "{name}({width}) {text}: {expected:?}"
            );
        }
    }
}
