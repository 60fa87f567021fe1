//! Measurements on the position table of Whisper's decoder.

use super::{COMPONENTS, POSITIONS, SEED};
use crate::math::random::Normals;
use posenc_encoding::{Matrix, WhisperComponents, sin_cos};
use std::f64::consts::TAU;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the share of the published table's variance along the first `count` components.
pub fn variance(table: &WhisperComponents, count: usize) -> f64 {
    let square = |i: &usize| {
        let column =
            (0..table.coordinates.positions).map(|position| table.coordinates.at(position, *i));
        column.map(|value| value * value).sum::<f64>()
    };
    let all: f64 = (0..WhisperComponents::COUNT).map(|i| square(&i)).sum();
    WhisperComponents::KEPT * (0..count).map(|i| square(&i)).sum::<f64>() / all
}

/// Returns the cosine of the angle between every two rows.
pub fn similarity_of_rows(table: &WhisperComponents) -> Matrix<f64> {
    let (coordinates, mean) = (&table.coordinates, &table.mean);
    let mean_square = dot(mean, mean);
    let mean_along: Vec<f64> = table.components.iter().map(|it| dot(it, mean)).collect();
    let along: Vec<f64> = (0..coordinates.positions)
        .map(|position| dot(coordinates.row(position), &mean_along))
        .collect();
    similarity(coordinates.positions, |p, q| {
        let own = dot(coordinates.row(p), coordinates.row(q));
        own + along[p] + along[q] + mean_square
    })
}

/// Returns the cosines of all pairs of rows, given their dot products.
pub fn similarity(positions: usize, product: impl Fn(usize, usize) -> f64) -> Matrix<f64> {
    let lengths: Vec<f64> = (0..positions).map(|p| product(p, p).sqrt()).collect();
    let mut table = Matrix::zeros(positions, positions);
    for p in 0..positions {
        for q in p..positions {
            let cosine = product(p, q) / (lengths[p] * lengths[q]);
            *table.at_mut(p, q) = cosine;
            *table.at_mut(q, p) = cosine;
        }
    }
    table
}

/// Random curves that are as smooth as these columns: each has the waves of its column with the same amplitudes, and
/// random phases. (Such surrogate data have the same autocorrelation, so that neighbouring rows are as alike as before.)
pub fn with_random_phases(columns: &Matrix<f64>) -> Matrix<f64> {
    let n = columns.positions;
    let circle: Vec<(f64, f64)> = (0..n)
        .map(|step| sin_cos(TAU * step as f64 / n as f64))
        .collect();
    let mut normals = Normals::seeded(SEED);
    let mut curves = Matrix::zeros(n, columns.dimensions);
    for column in 0..columns.dimensions {
        // A column has mean 0. Its wave of two positions is left out: it has no phase.
        for turns in 1..n.div_ceil(2) {
            let wave = |position: usize| circle[turns * position % n];
            let (mut sine, mut cosine) = (0.0, 0.0);
            for position in 0..n {
                let (sin, cos) = wave(position);
                sine += columns.at(position, column) * sin;
                cosine += columns.at(position, column) * cos;
            }
            // The direction of two normal numbers is uniformly distributed.
            let [x, y] = [(); 2].map(|()| normals.next().unwrap_or_default());
            let amplitude = 2.0 / n as f64 * sine.hypot(cosine) / x.hypot(y).max(1e-9);
            for position in 0..n {
                let (sin, cos) = wave(position);
                *curves.at_mut(position, column) += amplitude * (x * sin + y * cos);
            }
        }
    }
    curves
}

/// The share of the rows whose most similar other row is a neighbour.
pub fn near_neighbours(similarity: &Matrix<f64>) -> f64 {
    let n = similarity.positions;
    let is_near = |p: &usize| {
        let others = (0..n).filter(|q| q != p);
        let most = others.max_by(|a, b| similarity.at(*p, *a).total_cmp(&similarity.at(*p, *b)));
        most.is_some_and(|q| q.abs_diff(*p) == 1)
    };
    (0..n).filter(is_near).count() as f64 / n as f64
}

pub fn leading(rows: &Matrix<f64>, directions: usize) -> Matrix<f64> {
    Matrix::from_fn(rows.positions, directions, |position, i| {
        rows.at(position, i)
    })
}

/// Random rows. They need no principal components: all directions are equivalent.
pub fn noise() -> Matrix<f64> {
    Normals::seeded(SEED).matrix(POSITIONS, COMPONENTS, 1.0)
}

/// Random curves with the waves of the learned table.
pub fn smooth(directions: usize) -> Matrix<f64> {
    with_random_phases(&leading(&WhisperComponents::new().coordinates, directions))
}

/// The cosines between rows.
pub fn cosines(rows: &Matrix<f64>) -> Matrix<f64> {
    similarity(rows.positions, |p, q| {
        let products = rows.row(p).iter().zip(rows.row(q));
        products.map(|(a, b)| a * b).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NumPy (`tests/reference/whisper.py`) for the reconstructed table. In the published one, the most similar row is a
    /// neighbour for 99.3 % of the rows, and rows 1, 10 and 100 apart have mean cosines of 0.824, 0.506 and 0.186.
    #[test]
    fn rows_are_as_alike_as_numpy_finds() {
        let similarity = similarity_of_rows(&WhisperComponents::new());
        assert!((near_neighbours(&similarity) - 0.9911).abs() < 5e-5);
        for (apart, wanted) in [(1, 0.8413), (10, 0.5181), (100, 0.1901)] {
            let pairs = (0..similarity.positions - apart).map(|p| similarity.at(p, p + apart));
            let mean = pairs.sum::<f64>() / (similarity.positions - apart) as f64;
            assert!((mean - wanted).abs() < 5e-4, "{apart}: {mean}");
        }
    }

    /// The power of a wave in each column, and how alike rows are some positions apart, counted round the end.
    #[test]
    fn random_phases_keep_every_amplitude() {
        let columns = WhisperComponents::new().coordinates;
        let curves = with_random_phases(&columns);
        let n = columns.positions;
        let power = |columns: &Matrix<f64>, column: usize, turns: usize| {
            let sums = (0..n).fold((0.0, 0.0), |sums, position| {
                let angle = TAU * (turns * position) as f64 / n as f64;
                let value = columns.at(position, column);
                (sums.0 + value * angle.sin(), sums.1 + value * angle.cos())
            });
            sums.0.hypot(sums.1)
        };
        for (column, turns) in [(0, 2), (3, 14), (15, 1), (9, 200)] {
            let [old, new] = [&columns, &curves].map(|it| power(it, column, turns));
            assert!((old - new).abs() < 1e-9 * old, "{column}, {turns}");
        }
        let product = |columns: &Matrix<f64>, apart: usize| -> f64 {
            (0..n)
                .map(|p| dot(columns.row(p), columns.row((p + apart) % n)))
                .sum()
        };
        for apart in [0, 1, 7] {
            let [old, new] = [&columns, &curves].map(|it| product(it, apart));
            assert!((old - new).abs() < 1e-2 * product(&columns, 0), "{apart}");
        }
    }

    #[test]
    fn the_rebuilt_rows_have_these_angles() {
        let table = WhisperComponents::new();
        let (rows, similarity) = (table.rows(), similarity_of_rows(&table));
        // The components are orthogonal up to their 8-bit quantization.
        for (p, q) in [(0, 1), (7, 300), (447, 446)] {
            let (a, b) = (rows.row(p), rows.row(q));
            let cosine = dot(a, b) / (dot(a, a) * dot(b, b)).sqrt();
            assert!((similarity.at(p, q) - cosine).abs() < 5e-3, "{p}, {q}");
        }
    }

    /// NumPy's singular values of the published table.
    #[test]
    fn few_components_hold_most_of_it() {
        let table = WhisperComponents::new();
        for (count, share) in [(2, 0.3407), (4, 0.5268), (13, 0.8695), (16, 0.9345)] {
            let found = variance(&table, count);
            assert!((found - share).abs() < 1e-3, "{count}: {found}");
        }
    }
}
