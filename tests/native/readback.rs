//! The decoder of `readback` compared with NumPy's, on the same random words and the same held-out combinations.

use crate::python::python;
use posenc::figures::{AnyFigure, fields};
use posenc::{Lang, Normals, Values, ViewName};
use posenc_sort::argsort;
use std::fmt::Write;

const SEED: u64 = 7;
const WORDS: usize = 64;
const COMBINATIONS: usize = WORDS * WORDS;

/// The big-endian bytes of numbers as hexadecimal digits.
fn hexadecimal(numbers: impl Iterator<Item = f64>) -> String {
    let mut digits = String::new();
    for number in numbers {
        write!(digits, "{:016x}", number.to_bits()).unwrap();
    }
    digits
}

/// The random words of a width, as the figure draws them.
fn words(width: usize) -> String {
    hexadecimal(Normals::seeded(SEED * 65_536 + width as u64).take(WORDS * width))
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

/// The numbers of the caption after its “d_model = 16”: percentages of words and positions and the mean distance, added,
/// then the two percentages side by side.
fn captioned(width: usize) -> Vec<f64> {
    let mut values = Values::new(fields(ViewName::ReadBack).unwrap());
    values.set_any("d_model", &width.to_string());
    let mut figure = AnyFigure::new(ViewName::ReadBack, &values, Lang::En, None).unwrap();
    while figure.work() {}
    let caption = figure.caption();
    let numbers = caption.split(|c: char| !c.is_ascii_digit() && c != '.');
    let numbers: Vec<f64> = numbers.filter_map(|it| it.parse().ok()).collect();
    assert_eq!(numbers[0], width as f64, "{caption}");
    numbers[1..].to_vec()
}

#[test]
fn numpy_reads_the_same_words_and_positions() {
    for width in [16, 64] {
        let code = format!(
            "import sys; sys.path.insert(0, '../../tests/reference')\n\
             import numpy as np\n\
             from readback import beside, encoding, read\n\
             def drawn(digits, width): return np.frombuffer(bytes.fromhex(digits), '>f8').reshape(64, width)\n\
             held_out = np.array([digit == '1' for digit in '{}'])\n\
             added = read(drawn('{}', {width}), encoding({width}), held_out)\n\
             apart = read(*beside(drawn('{}', {half}), encoding({half})), held_out)\n\
             print(100 * added[0], 100 * added[1], added[2], 100 * apart[0], 100 * apart[1])",
            held_out(),
            words(width),
            words(width / 2),
            half = width / 2,
        );
        let Some(text) = python("numpy", true, &code) else {
            return;
        };
        let expected: Vec<f64> = text
            .split_whitespace()
            .map(|it| it.parse().unwrap())
            .collect();
        let found = captioned(width);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            // The caption has one decimal. A tie between scores may be broken differently: one of 1024 is 0.1 %.
            assert!((found - expected).abs() < 0.16, "{width}: {found} {text}");
        }
    }
}
