//! Whether rows have something like an M_k: fitted on half of them and tried on the others.

use super::linear::{Rows, product};
use posenc_encoding::Matrix;

/// The error on held-out rows of the matrix for offset k that is fitted on every other row: the root of the sum of squared
/// differences on the rows between them, as a share of their length.
pub fn held_out_error(rows: &Matrix<f64>, k: usize) -> f64 {
    let count = rows.positions - k;
    let mut fit = Rows::new(rows.dimensions, rows.dimensions);
    for position in (0..count).step_by(2) {
        fit.add(rows.row(position), rows.row(position + k));
    }
    let moved = product(rows, &fit.solve());
    let (mut off, mut all) = (0.0, 0.0);
    for position in (1..count).step_by(2) {
        for (found, wanted) in moved.row(position).iter().zip(rows.row(position + k)) {
            off += (found - wanted) * (found - wanted);
            all += wanted * wanted;
        }
    }
    (off / all).sqrt()
}
