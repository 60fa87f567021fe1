//! Tests whether a table has a matrix like M_k: fits one to half of the rows and measures its error on the others.

use super::linear::{StreamingLeastSquares, product};
use posenc_encoding::Matrix;

/// The relative error on held-out rows of the matrix that is fitted for offset k: least squares on the even rows, and
/// √(Σ|predicted − actual|² / Σ|actual|²) on the odd rows.
pub fn held_out_error(rows: &Matrix<f64>, k: usize) -> f64 {
    let count = rows.positions - k;
    let mut fit = StreamingLeastSquares::new(rows.dimensions, rows.dimensions);
    for position in (0..count).step_by(2) {
        fit.add(rows.row(position), rows.row(position + k));
    }
    error_on_held_out_rows(rows, &product(rows, &fit.solve()), k)
}

/// The same error if each row itself is the prediction of the row k further.
#[cfg(test)]
pub fn unmoved_error(rows: &Matrix<f64>, k: usize) -> f64 {
    error_on_held_out_rows(rows, rows, k)
}

/// `guesses` contains for each row a prediction of the row k further.
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

    /// An offset of k moves a pair by a chord of length 2·sin(kω/2) on the unit circle; the fitted matrix
    /// predicts that move.
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
