//! The encodings of patches that are compared.

use super::{SEED, TRAINED, WIDTH};
use crate::math::random::Normals;
use posenc_encoding::{GridAlignment, Layout, Matrix, PatchGrid, Sinusoidal, resize_grid};

/// A simulated learned table: random rows, averaged over adjacent patches because training tends to make those similar.
pub(super) fn learned() -> Matrix<f64> {
    let mut table = Normals::seeded(SEED).matrix(1 + TRAINED * TRAINED, WIDTH, 1.0);
    let before = table.clone();
    let near = |at: usize| at.saturating_sub(1)..(at + 2).min(TRAINED);
    for patch in 0..TRAINED * TRAINED {
        let (row, column) = (patch / TRAINED, patch % TRAINED);
        for dimension in 0..WIDTH {
            let (mut sum, mut count) = (0.0, 0.0);
            for (r, c) in near(row).flat_map(|r| near(column).map(move |c| (r, c))) {
                sum += before.at(1 + r * TRAINED + c, dimension);
                count += 1.0;
            }
            *table.at_mut(1 + patch, dimension) = sum / count;
        }
    }
    table
}

/// The fixed 2-D, the flat 1-D and the learned table.
pub(super) fn tables(side: usize) -> [Matrix<f64>; 3] {
    let fixed = PatchGrid::new(side, side, WIDTH).table();
    let pe = Sinusoidal::new(WIDTH, 10_000.0, Layout::Interleaved);
    let flat = Matrix {
        positions: fixed.positions,
        dimensions: WIDTH,
        values: (0..fixed.positions as i64)
            .flat_map(|position| pe.row(position))
            .collect(),
    };
    let (old, new) = ((TRAINED, TRAINED), (side, side));
    let learned = resize_grid(&learned(), old, new, GridAlignment::Edges);
    // Never `None`: the table has exactly the rows of its grid.
    let learned = learned.unwrap_or_else(|| flat.clone());
    [fixed, flat, learned]
}

pub(super) fn cosine(table: &Matrix<f64>, a: usize, b: usize) -> f64 {
    let dot = |a: usize, b: usize| -> f64 {
        let pairs = table.row(a).iter().zip(table.row(b));
        pairs.map(|(a, b)| a * b).sum()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

pub(super) fn beside(table: &Matrix<f64>, side: usize) -> f64 {
    let patches = (0..side * side).filter(|patch| patch % side + 1 < side);
    let sum: f64 = patches
        .map(|patch| cosine(table, 1 + patch, 2 + patch))
        .sum();
    sum / (side * (side - 1)) as f64
}
