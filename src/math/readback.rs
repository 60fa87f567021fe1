//! How well a linear decoder reads the word and the position back from a token's input: from the
//! sum of embedding and encoding, or from the two concatenated.
//!
//! The decoder is a ridge regression of one-hot targets, one column for each word and each
//! position, fitted to three quarters of all combinations, drawn at random, and tested on the rest.
//! (If it were every fourth combination that is left out, each word would be seen at the same number
//! of positions and each position with the same number of words. In such a balanced design the two
//! do not disturb each other, and a wide sum is read without a single mistake.) Every input is
//! the sum of a row for its word and a row for its position, so only the inner products of these
//! rows matter: with K their Gram matrix, A the indicators of word and position, and G = AᵀA over
//! the fitted combinations, the scores are K·(G·K + λ)⁻¹·G = (K·G + λ)⁻¹·K·G. That is 128 equations
//! at every width.

use crate::math::linear::Solving;
use crate::math::random::Normals;
use posenc_encoding::Matrix;
use posenc_encoding::{Layout, Sinusoidal};
use posenc_sort::argsort;

/// The number of words, equal to the number of positions.
pub const WORDS: usize = 64;
pub const POSITIONS: usize = WORDS;
const ROWS: usize = WORDS + POSITIONS;
const RIDGE: f64 = 0.01;
/// The number of columns solved in one step.
const STEP: usize = 16;

/// Which combinations of word and position are held out: a random quarter.
pub struct Split(Vec<bool>);

impl Split {
    pub fn seeded(seed: u64) -> Split {
        // Products of width `d_model` use this seed + `d_model`.
        let normals = Normals::seeded(seed * 65_536);
        let keys: Vec<f64> = normals.take(WORDS * POSITIONS).collect();
        let mut held_out = vec![false; keys.len()];
        for at in argsort(&keys).into_iter().take(keys.len() / 4) {
            held_out[at] = true;
        }
        Split(held_out)
    }

    fn held_out(&self, word: usize, position: usize) -> bool {
        self.0[word * POSITIONS + position]
    }

    /// Whether the decoder is fitted to inputs with both of these rows, a word and a position in either order.
    fn together(&self, a: usize, b: usize) -> bool {
        !self.held_out(a.min(b), a.max(b) - WORDS)
    }
}

/// The inner products of all rows: embeddings of standard deviation 1, and the
/// encodings of the positions.
pub struct GramMatrix {
    pub d_model: usize,
    rows: Matrix<f64>,
    products: Matrix<f64>,
    done: usize,
}

impl GramMatrix {
    /// `seed` determines the embeddings; `shuffled` permutes the channels of all rows in the same way.
    pub fn new(d_model: usize, seed: u64, shuffled: bool) -> GramMatrix {
        let mut normals = Normals::seeded(seed * 65_536 + d_model as u64);
        let mut rows = normals.matrix(WORDS, d_model, 1.0);
        let pe = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
        rows.positions = ROWS;
        rows.values.extend(pe.table_f64(POSITIONS).values);
        if shuffled {
            let keys: Vec<f64> = normals.take(d_model).collect();
            let order = argsort(&keys);
            for row in rows.values.chunks_mut(d_model) {
                let shuffled: Vec<f64> = order.iter().map(|i| row[*i]).collect();
                row.copy_from_slice(&shuffled);
            }
        }
        GramMatrix {
            d_model,
            rows,
            products: Matrix::zeros(ROWS, ROWS),
            done: 0,
        }
    }

    /// Does about `budget` multiplications; returns true while products remain to be computed.
    pub fn step(&mut self, budget: usize) -> bool {
        let rows = (budget / (ROWS / 2 * self.d_model)).max(1);
        let end = (self.done + rows).min(ROWS);
        for a in self.done..end {
            for b in 0..=a {
                let value = dot(self.rows.row(a), self.rows.row(b));
                *self.products.at_mut(a, b) = value;
                *self.products.at_mut(b, a) = value;
            }
        }
        self.done = end;
        if end == ROWS {
            self.rows.values = Vec::new();
        }
        end < ROWS
    }

    pub fn ready(&self) -> bool {
        self.done == ROWS
    }

    /// Mean absolute cosines between two words, and between a word and a position.
    pub fn cosines(&self) -> [f64; 2] {
        let size = |a: usize, b: usize| {
            let norms = self.products.at(a, a) * self.products.at(b, b);
            self.products.at(a, b).abs() / norms.sqrt()
        };
        let (mut words, mut mixed) = (0.0, 0.0);
        for word in 0..WORDS {
            words += (0..word).map(|other| size(word, other)).sum::<f64>();
            mixed += (WORDS..ROWS).map(|row| size(word, row)).sum::<f64>();
        }
        [
            words / (WORDS * (WORDS - 1) / 2) as f64,
            mixed / (WORDS * POSITIONS) as f64,
        ]
    }

    /// Mean norms of embeddings with this standard deviation, of the encoding's rows, and of their sums.
    pub fn norms(&self, deviation: f64) -> [f64; 3] {
        let at = |a: usize, b: usize| self.products.at(a, b);
        let (mut word, mut position, mut sum) = (0.0, 0.0, 0.0);
        for a in 0..WORDS {
            let own = deviation * deviation * at(a, a);
            word += own.sqrt() / WORDS as f64;
            for b in WORDS..ROWS {
                let square = own + 2.0 * deviation * at(a, b) + at(b, b);
                sum += square.max(0.0).sqrt() / (WORDS * POSITIONS) as f64;
            }
        }
        for b in WORDS..ROWS {
            position += at(b, b).sqrt() / POSITIONS as f64;
        }
        [word, position, sum]
    }
}

/// The inner product. It has four independent sums because a single one would
/// wait for each addition.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a, b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a
        .remainder()
        .iter()
        .zip(b.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in a.zip(b) {
        for i in 0..4 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// The accuracy of a decoder on the held-out combinations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Read {
    /// The share of words read correctly, 0 … 1; `position` is that of positions.
    pub word: f64,
    pub position: f64,
    /// The mean distance between the position read and the true one, in positions.
    pub distance: f64,
}

/// A decoder that is being fitted.
pub struct RidgeDecoder(Solving);

impl RidgeDecoder {
    /// `deviation` is the standard deviation of the embeddings. The encoding is added to them if
    /// `added`, and otherwise concatenated, so that the width is twice that of the products.
    pub fn new(products: &GramMatrix, split: &Split, deviation: f64, added: bool) -> RidgeDecoder {
        let kernel = |a: usize, b: usize| {
            let value = products.products.at(a, b);
            // 0.25 in each of the four products of two inputs is a constant component of 1 in every input.
            0.25 + match (a < WORDS, b < WORDS) {
                (true, true) => deviation * deviation * value,
                (false, false) => value,
                _ if added => deviation * value,
                _ => 0.0,
            }
        };
        // For each row, those of the other kind that the decoder is fitted to together with it.
        let fitted: Vec<Vec<usize>> = (0..ROWS)
            .map(|i| {
                let others = if i < WORDS { WORDS..ROWS } else { 0..WORDS };
                others.filter(|other| split.together(i, *other)).collect()
            })
            .collect();
        let mut right = Matrix::zeros(ROWS, ROWS);
        for row in 0..ROWS {
            let k: Vec<f64> = (0..ROWS).map(|b| kernel(row, b)).collect();
            for (i, others) in fitted.iter().enumerate() {
                let sum: f64 = others.iter().map(|other| k[*other]).sum();
                *right.at_mut(row, i) = others.len() as f64 * k[i] + sum;
            }
        }
        let mut left = right.clone();
        for i in 0..ROWS {
            *left.at_mut(i, i) += RIDGE;
        }
        RidgeDecoder(Solving::new(&left, &right))
    }

    /// Solves for the next columns; returns true while columns remain.
    pub fn step(&mut self) -> bool {
        self.0.step(STEP)
    }

    pub fn read(self, split: &Split) -> Read {
        let scores = self.0.solution();
        let best = |word: usize, position: usize, from: usize| {
            let a = &scores.row(word)[from..][..WORDS];
            let b = &scores.row(WORDS + position)[from..][..WORDS];
            let (mut best, mut most) = (0, f64::NEG_INFINITY);
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                if a + b > most {
                    (best, most) = (i, a + b);
                }
            }
            best
        };
        let (mut words, mut positions, mut distance, mut asked) = (0, 0, 0, 0);
        for word in 0..WORDS {
            for position in (0..POSITIONS).filter(|it| split.held_out(word, *it)) {
                let read = best(word, position, WORDS);
                words += usize::from(best(word, position, 0) == word);
                positions += usize::from(read == position);
                distance += read.abs_diff(position);
                asked += 1;
            }
        }
        let share = |count: usize| count as f64 / asked as f64;
        Read {
            word: share(words),
            position: share(positions),
            distance: share(distance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::linear::{least_squares, product};

    fn products(d_model: usize, shuffled: bool) -> GramMatrix {
        let mut products = GramMatrix::new(d_model, 7, shuffled);
        while products.step(100_000) {}
        products
    }

    fn fitted(products: &GramMatrix, deviation: f64, added: bool) -> Read {
        let split = Split::seeded(7);
        let mut fit = RidgeDecoder::new(products, &split, deviation, added);
        while fit.step() {}
        fit.read(&split)
    }

    /// The same result by a regression on the inputs themselves.
    fn plainly(d_model: usize, deviation: f64) -> Read {
        let rows = GramMatrix::new(d_model, 7, false).rows;
        let split = Split::seeded(7);
        let combinations = |held: bool| {
            let all = (0..WORDS).flat_map(|w| (0..POSITIONS).map(move |p| (w, p)));
            all.filter(|(w, p)| split.held_out(*w, *p) == held)
                .collect::<Vec<_>>()
        };
        let inputs = |of: &[(usize, usize)]| {
            let mut values = Vec::new();
            for (word, position) in of {
                let (e, pe) = (rows.row(*word), rows.row(WORDS + position));
                values.extend(e.iter().zip(pe).map(|(e, pe)| deviation * e + pe));
                values.push(1.0);
            }
            Matrix {
                positions: of.len(),
                dimensions: d_model + 1,
                values,
            }
        };
        let (fit, ask) = (combinations(false), combinations(true));
        let mut targets = Matrix::zeros(fit.len(), ROWS);
        for (row, (word, position)) in fit.iter().enumerate() {
            *targets.at_mut(row, *word) = 1.0;
            *targets.at_mut(row, WORDS + position) = 1.0;
        }
        // A ridge penalty is equivalent to further rows √ridge·I with targets 0.
        let mut fitted = inputs(&fit);
        let width = fitted.dimensions;
        for i in 0..width {
            fitted
                .values
                .extend((0..width).map(|j| if i == j { RIDGE.sqrt() } else { 0.0 }));
        }
        fitted.positions += width;
        targets.values.resize(fitted.positions * ROWS, 0.0);
        targets.positions = fitted.positions;
        let weights = least_squares(&fitted, &targets);
        let scores = product(&inputs(&ask), &weights);
        let (mut words, mut positions, mut distance) = (0.0, 0.0, 0.0);
        for (row, (word, position)) in ask.iter().enumerate() {
            let best = |from: usize, to: usize| {
                let scores = &scores.row(row)[from..to];
                (0..to - from)
                    .max_by(|a, b| scores[*a].total_cmp(&scores[*b]))
                    .unwrap()
            };
            let read = best(WORDS, ROWS);
            words += f64::from(u8::from(best(0, WORDS) == *word));
            positions += f64::from(u8::from(read == *position));
            distance += read.abs_diff(*position) as f64;
        }
        let asked = ask.len() as f64;
        Read {
            word: words / asked,
            position: positions / asked,
            distance: distance / asked,
        }
    }

    #[test]
    fn inner_products_give_the_regression_of_the_inputs() {
        for (d_model, deviation) in [(4, 1.0), (16, 1.0), (16, 0.25), (64, 0.125)] {
            let (short, long) = (
                fitted(&products(d_model, false), deviation, true),
                plainly(d_model, deviation),
            );
            // Ties may be broken differently.
            assert!((short.word - long.word).abs() < 0.01, "{short:?} {long:?}");
            assert!(
                (short.position - long.position).abs() < 0.01,
                "{short:?} {long:?}"
            );
            assert!(
                (short.distance - long.distance).abs() < 0.1,
                "{short:?} {long:?}"
            );
        }
    }

    #[test]
    fn a_quarter_is_held_out_and_every_seed_holds_out_another() {
        let [split, other] = [7, 8].map(|seed| Split::seeded(seed).0);
        assert_eq!(
            split.iter().filter(|held| **held).count(),
            WORDS * POSITIONS / 4
        );
        assert_ne!(split, other);
        // Not balanced: words differ in how many of their positions are held out.
        let counts = split
            .chunks(POSITIONS)
            .map(|word| word.iter().filter(|held| **held).count());
        let counts: Vec<usize> = counts.collect();
        assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() > 8);
    }

    #[test]
    fn the_order_of_the_channels_changes_nothing() {
        let (plain, shuffled) = (products(32, false), products(32, true));
        assert_ne!(
            GramMatrix::new(32, 7, true).rows,
            GramMatrix::new(32, 7, false).rows
        );
        for (a, b) in plain.products.values.iter().zip(&shuffled.products.values) {
            assert!((a - b).abs() < 1e-12);
        }
        let (plain, shuffled) = (fitted(&plain, 1.0, true), fitted(&shuffled, 1.0, true));
        assert!((plain.position - shuffled.position).abs() < 0.005);
        assert_eq!(plain.word, shuffled.word);
    }

    #[test]
    fn random_directions_are_nearly_at_right_angles() {
        for d_model in [64, 256, 1024] {
            // For uniformly distributed directions, the mean of |cos| is √(2/πd).
            let wanted = (std::f64::consts::FRAC_2_PI / d_model as f64).sqrt();
            for mean in products(d_model, false).cosines() {
                assert!((0.85..1.15).contains(&(mean / wanted)), "{d_model} {mean}");
            }
        }
    }

    #[test]
    fn sums_have_norms_of_their_own() {
        let [word, position, sum] = products(64, false).norms(1.0);
        assert!((position - 32f64.sqrt()).abs() < 1e-12);
        assert!((word - 8.0).abs() < 0.2);
        assert!((sum - (64.0 + 32f64).sqrt()).abs() < 0.2);
    }
}
