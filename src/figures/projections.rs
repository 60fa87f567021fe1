//! What W_Q and W_K make of the logits of positions alone: the share of their variance that the offset explains. Numbers
//! that the lesson quotes and no figure shows.

use crate::math::random::Normals;
use posenc_encoding::{Layout, Matrix, Sinusoidal};

/// PE of the positions 0 … n − 1, the first of them at `from`.
fn rows(d: usize, n: usize, from: i64) -> Matrix<f64> {
    let pe = Sinusoidal::new(d, 10_000.0, Layout::Interleaved);
    let mut rows = Matrix::zeros(n, d);
    for position in 0..n {
        for dimension in 0..d {
            *rows.at_mut(position, dimension) = pe.value(from + position as i64, dimension);
        }
    }
    rows
}

/// The products of the rows of two matrices, q down and k across.
fn logits(q: &Matrix<f64>, k: &Matrix<f64>) -> Matrix<f64> {
    let mut table = Matrix::zeros(q.positions, k.positions);
    for row in 0..q.positions {
        for column in 0..k.positions {
            let products = q.row(row).iter().zip(k.row(column)).map(|(q, k)| q * k);
            *table.at_mut(row, column) = products.sum();
        }
    }
    table
}

/// The logits with W_Q and W_K of independent normal numbers.
fn random(d: usize, n: usize, seed: u64) -> Matrix<f64> {
    let (pe, mut normals) = (rows(d, n, 0), Normals::seeded(seed));
    let [mut q, mut k] = [0; 2].map(|_| Matrix::zeros(n, d));
    for dimension in 0..d {
        for projected in [&mut q, &mut k] {
            let weights = normals.matrix(1, d, 1.0);
            for position in 0..n {
                let products = pe.row(position).iter().zip(weights.row(0));
                *projected.at_mut(position, dimension) = products.map(|(pe, w)| pe * w).sum();
            }
        }
    }
    logits(&q, &k)
}

/// The share of the variance of all cells that the means of the diagonals, on which the offset is constant, explain: 1 if
/// the offset determines every cell, 0 if all diagonals have the same mean.
fn share_of_offset(table: &Matrix<f64>) -> f64 {
    let n = table.positions;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let of_all = mean(&table.values);
    let square = |value: f64| (value - of_all).powi(2);
    let all: f64 = table.values.iter().map(|&value| square(value)).sum();
    let explained = (1..2 * n).map(|diagonal| {
        let cells = (0..n).filter(|row| (n..2 * n).contains(&(row + diagonal)));
        let cells: Vec<f64> = cells.map(|row| table.at(row, row + diagonal - n)).collect();
        cells.len() as f64 * square(mean(&cells))
    });
    if all > 0.0 {
        explained.sum::<f64>() / all
    } else {
        0.0
    }
}

/// For random weights, over seeds 1 … 20: `random_least(d, n)`, `random_median(d, n)` and `random_most(d, n)`.
pub fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
    let &[d, n] = arguments else { return None };
    if !["random_least", "random_median", "random_most"].contains(&name) {
        return None;
    }
    let of = |seed| share_of_offset(&random(d as usize, n as usize, seed));
    let mut shares: Vec<f64> = (1..=20).map(of).collect();
    shares.sort_by(f64::total_cmp);
    Some(match name {
        "random_least" => shares[0],
        "random_median" => (shares[9] + shares[10]) / 2.0,
        _ => shares[19],
    })
}

#[test]
fn the_offset_explains_what_depends_on_it_alone() {
    let table = |cell: fn(usize, usize) -> f64| {
        let mut table = Matrix::zeros(9, 9);
        for row in 0..9 {
            for column in 0..9 {
                *table.at_mut(row, column) = cell(row, column);
            }
        }
        table
    };
    let of_offset = table(|p, q| (q as f64 - p as f64).powi(3));
    assert!((share_of_offset(&of_offset) - 1.0).abs() < 1e-12);
    assert!(share_of_offset(&table(|p, q| (p + q) as f64)).abs() < 1e-12);
    assert_eq!(share_of_offset(&table(|_, _| 1.0)), 0.0);
}

#[test]
fn the_offset_explains_identity_and_turned_pairs_entirely() {
    for d in [4, 64, 512] {
        for k in [0, -20] {
            // The query PE(m) rotated by M_k is PE(m + k).
            let table = logits(&rows(d, 64, k), &rows(d, 64, 0));
            assert!((share_of_offset(&table) - 1.0).abs() < 1e-9, "{d} {k}");
            let row = table.row(40);
            let peak = (0..64).max_by(|a, b| row[*a].total_cmp(&row[*b]));
            assert_eq!(peak, Some((40 + k) as usize), "{d}");
        }
    }
    // Without a rotation k ahead looks like k behind, with one it does not.
    let [still, turned] = [0, -20].map(|k| logits(&rows(64, 64, k), &rows(64, 64, 0)));
    assert!((still.at(30, 10) - still.at(30, 50)).abs() < 1e-12);
    assert!(turned.at(30, 10) > turned.at(30, 50) + 5.0);
}

/// Among 64² products of dimensions only 64 combinations depend on the offset alone; how much they weigh varies from draw
/// to draw.
#[test]
fn random_weights_leave_it_little() {
    let of = |name| lesson_number(name, &[64.0, 128.0]).unwrap();
    assert!(of("random_least") < 0.05);
    assert!((0.05..0.12).contains(&of("random_median")));
    assert!(of("random_most") < 0.35);
}
