//! How well a linear decoder reads the word and the position back from a token's input: from the sum of embedding and
//! encoding, or from the two concatenated. Numbers that the lesson quotes and no figure shows.
//!
//! The decoder is a ridge regression of one-hot targets, one column for each word and each position, fitted to three
//! quarters of all combinations, drawn at random, and tested on the rest. (If it were every fourth combination that is left
//! out, each word would be seen at the same number of positions and each position with the same number of words. In such a
//! balanced design the two do not disturb each other, and a wide sum is read without a single mistake.) Every input is the
//! sum of a row for its word and a row for its position, so only the inner products of these rows matter: with K their Gram
//! matrix, A the indicators of word and position, and G = AᵀA over the fitted combinations, the scores are
//! K·(G·K + λ)⁻¹·G = (K·G + λ)⁻¹·K·G. That is 128 equations at every width.

use crate::math::linear::{least_squares, product};
use crate::math::random::Normals;
use posenc_encoding::{Layout, Matrix, Sinusoidal};
use posenc_sort::argsort;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

/// The number of words, equal to the number of positions.
const WORDS: usize = 64;
const ROWS: usize = 2 * WORDS;
const RIDGE: f64 = 0.01;
const SEED: u64 = 7;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    /// The embeddings are multiplied by √d_model, so that their components have the deviation 1.
    Added,
    Unscaled,
    /// Each has half of d_model.
    Beside,
}

/// What has been computed, by d_model.
type Known = HashMap<(usize, Way), [f64; 3]>;

/// For each word and each position, whether the combination is held out: a random quarter.
fn held_out() -> Vec<bool> {
    let normals = Normals::seeded(SEED * 65_536);
    let keys: Vec<f64> = normals.take(WORDS * WORDS).collect();
    let mut held_out = vec![false; keys.len()];
    for at in argsort(&keys).into_iter().take(keys.len() / 4) {
        held_out[at] = true;
    }
    held_out
}

/// The inner products of random embeddings, whose components have the deviation 1, and encodings, in this order.
fn inner_products(width: usize) -> Matrix<f64> {
    let mut rows = Normals::seeded(SEED * 65_536 + width as u64).matrix(WORDS, width, 1.0);
    let pe = Sinusoidal::new(width, 10_000.0, Layout::Interleaved);
    rows.values.extend(pe.table_f64(WORDS).values);
    rows.positions = ROWS;
    let mut transposed = Matrix::zeros(width, ROWS);
    for row in 0..ROWS {
        for column in 0..width {
            *transposed.at_mut(column, row) = rows.at(row, column);
        }
    }
    product(&rows, &transposed)
}

/// The scores of every word and position for the row of each word and of each position; those of an input are the sum of
/// the scores of its two rows.
fn scores(d_model: usize, way: Way, held_out: &[bool]) -> Matrix<f64> {
    let products = match way {
        Way::Beside => inner_products(d_model / 2),
        _ => inner_products(d_model),
    };
    let deviation = match way {
        Way::Unscaled => (d_model as f64).sqrt().recip(),
        _ => 1.0,
    };
    let mut kernel = products;
    for a in 0..ROWS {
        for b in 0..ROWS {
            let value = kernel.at_mut(a, b);
            *value *= match (a < WORDS, b < WORDS) {
                (true, true) => deviation * deviation,
                (false, false) => 1.0,
                _ if way == Way::Beside => 0.0,
                _ => deviation,
            };
            // 0.25 in each of the four products of two inputs is a constant component of 1 in every input.
            *value += 0.25;
        }
    }
    let mut together = Matrix::zeros(ROWS, ROWS);
    for word in 0..WORDS {
        for position in (0..WORDS).filter(|position| !held_out[word * WORDS + position]) {
            let (a, b) = (word, WORDS + position);
            for (row, column) in [(a, a), (b, b), (a, b), (b, a)] {
                *together.at_mut(row, column) += 1.0;
            }
        }
    }
    let right = product(&kernel, &together);
    let mut left = right.clone();
    for i in 0..ROWS {
        *left.at_mut(i, i) += RIDGE;
    }
    least_squares(&left, &right)
}

/// The shares of words and of positions read correctly in the combinations held out, and the mean distance between the
/// position read and the true one.
fn read(d_model: usize, way: Way) -> [f64; 3] {
    let held_out = held_out();
    let scores = scores(d_model, way, &held_out);
    let best = |word: usize, position: usize, from: usize| {
        let (a, b) = (scores.row(word), scores.row(WORDS + position));
        let score = |i: usize| a[from + i] + b[from + i];
        let best = (0..WORDS).max_by(|i, j| score(*i).total_cmp(&score(*j)));
        best.unwrap_or_default()
    };
    let mut sums = [0.0; 3];
    let asked = (0..WORDS * WORDS).filter(|&at| held_out[at]);
    for (word, position) in asked.map(|at| (at / WORDS, at % WORDS)) {
        let read = best(word, position, WORDS);
        sums[0] += f64::from(u8::from(best(word, position, 0) == word));
        sums[1] += f64::from(u8::from(read == position));
        sums[2] += read.abs_diff(position) as f64;
    }
    sums.map(|sum| sum / (WORDS * WORDS / 4) as f64)
}

/// The shares read correctly from the sum, `read_word(d)` and `read_position(d)`, and the mean distance
/// `read_distance(d)`; the shares from the concatenation, `read_word_beside(d)` and `read_position_beside(d)`; and from
/// the sum with unscaled embeddings, `read_word_unscaled(d)` and `read_position_unscaled(d)`.
pub fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Default::default);
    let (&[d], Some(rest)) = (arguments, name.strip_prefix("read_")) else {
        return None;
    };
    let (what, way) = match rest.split_once('_') {
        None => (rest, Way::Added),
        Some((what, "beside")) => (what, Way::Beside),
        Some((what, "unscaled")) => (what, Way::Unscaled),
        Some(_) => return None,
    };
    let what = ["word", "position", "distance"]
        .iter()
        .position(|it| *it == what)?;
    let mut known = KNOWN.lock().ok()?;
    let key = (d as usize, way);
    let shares = known.entry(key).or_insert_with(|| read(key.0, key.1));
    Some(shares[what])
}

fn number(name: &str, d: f64) -> f64 {
    lesson_number(name, &[d]).unwrap()
}

/// The ranges over six seeds of the same experiment in NumPy, `tests/reference/readback.py`, somewhat widened.
#[test]
fn a_wide_sum_keeps_the_word_and_nearly_the_position() {
    for (d, word, position, distance) in [
        (4.0, 0.17..0.29, 0.00..0.05, 18.0..24.0),
        (16.0, 0.89..0.99, 0.07..0.17, 9.0..13.0),
        (64.0, 0.99..1.01, 0.34..0.46, 0.5..0.8),
        (128.0, 0.99..1.01, 0.75..0.92, 0.08..0.25),
        (512.0, 0.99..1.01, 0.85..1.00, 0.0..0.15),
    ] {
        let found = ["read_word", "read_position", "read_distance"].map(|name| number(name, d));
        assert!(word.contains(&found[0]), "{d}: {found:?}");
        assert!(position.contains(&found[1]), "{d}: {found:?}");
        assert!(distance.contains(&found[2]), "{d}: {found:?}");
    }
    // What is wrong in a wide sum is wrong by one position.
    let wrong = 1.0 - number("read_position", 128.0);
    assert!((wrong - number("read_distance", 128.0)).abs() < 0.02);
}

#[test]
fn side_by_side_the_word_gives_up_half_its_room() {
    assert!((0.58..0.80).contains(&number("read_word_beside", 16.0)));
    assert!((0.47..0.66).contains(&number("read_position_beside", 16.0)));
    assert!((0.82..1.00).contains(&number("read_position_beside", 512.0)));
}

#[test]
fn words_as_large_as_the_encoding_hide_positions_in_narrow_sums() {
    assert!((0.70..0.94).contains(&number("read_word_unscaled", 16.0)));
    assert!((0.56..0.70).contains(&number("read_position_unscaled", 16.0)));
    assert!((0.55..0.70).contains(&number("read_position_unscaled", 64.0)));
    let [scaled, unscaled] = ["read_position", "read_position_unscaled"];
    assert!((number(scaled, 128.0) - number(unscaled, 128.0)).abs() < 0.03);
}
