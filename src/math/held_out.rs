//! Whether rows have something like an M_k: fitted on half of them and tried on the others.

use super::linear::{StreamingLeastSquares, product};
use posenc_encoding::Matrix;

/// The error on held-out rows of the matrix for offset k that is fitted on every other row: the root of the sum of squared
/// differences on the rows between them, as a share of their length.
pub fn held_out_error(rows: &Matrix<f64>, k: usize) -> f64 {
    let count = rows.positions - k;
    let mut fit = StreamingLeastSquares::new(rows.dimensions, rows.dimensions);
    for position in (0..count).step_by(2) {
        fit.add(rows.row(position), rows.row(position + k));
    }
    error_on_held_out_rows(rows, &product(rows, &fit.solve()), k)
}

/// The same error of the guess that nothing changes from a row to the one k further.
pub fn unmoved_error(rows: &Matrix<f64>, k: usize) -> f64 {
    error_on_held_out_rows(rows, rows, k)
}

/// `guesses` has for each row a guess of the row k further.
fn error_on_held_out_rows(rows: &Matrix<f64>, guesses: &Matrix<f64>, k: usize) -> f64 {
    let (mut off, mut all) = (0.0, 0.0);
    for position in (1..rows.positions - k).step_by(2) {
        for (guess, wanted) in guesses.row(position).iter().zip(rows.row(position + k)) {
            off += (guess - wanted) * (guess - wanted);
            all += wanted * wanted;
        }
    }
    (off / all).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pair moves on by a chord of 2·sin(kω/2) on the unit circle, which a matrix makes up for.
    #[test]
    fn a_pair_that_is_left_as_it_is_misses_by_a_chord() {
        let rows = Matrix {
            positions: 40,
            dimensions: 2,
            values: (0..40)
                .flat_map(|position| [f64::sin(position as f64), f64::cos(position as f64)])
                .collect(),
        };
        assert!((unmoved_error(&rows, 3) - 2.0 * 1.5f64.sin()).abs() < 1e-12);
        assert!(held_out_error(&rows, 3) < 1e-2);
    }
}
