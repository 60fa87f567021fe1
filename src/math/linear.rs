//! Linear algebra on matrices, with nalgebra.

use nalgebra::DMatrix;
use posenc_encoding::Matrix;

fn to_nalgebra(matrix: &Matrix<f64>) -> DMatrix<f64> {
    DMatrix::from_row_slice(matrix.positions, matrix.dimensions, &matrix.values)
}

fn from_nalgebra(matrix: &DMatrix<f64>) -> Matrix<f64> {
    Matrix {
        positions: matrix.nrows(),
        dimensions: matrix.ncols(),
        // Transposed because nalgebra stores matrices column by column.
        values: matrix.transpose().as_slice().to_vec(),
    }
}

/// A · B.
pub fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    let (a, b) = (to_nalgebra(a), to_nalgebra(b));
    let mut product = DMatrix::zeros(a.nrows(), b.ncols());
    // One matrix-vector product per column: a matrix-matrix product would link nalgebra's kernels for large matrices.
    for (mut sums, column) in product.column_iter_mut().zip(b.column_iter()) {
        sums.gemv(1.0, &a, &column, 0.0);
    }
    from_nalgebra(&product)
}

/// The X that minimises |A·X − B|²; if columns of A are linearly dependent, the one of minimum norm.
pub fn least_squares(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    // The order of the singular values does not matter.
    let svd = to_nalgebra(a).svd_unordered(true, true);
    let smallest = 1e-12 * svd.singular_values.max();
    match svd.solve(&to_nalgebra(b), smallest) {
        Ok(x) => from_nalgebra(&x),
        // `solve` fails only if the singular vectors have not been computed.
        Err(_) => Matrix::zeros(a.dimensions, b.dimensions),
    }
}

/// Least squares by TSQR: takes a few rows at a time and keeps only R and Qᵀ·B of the rows so far. Unlike the normal
/// equations, it does not square the condition number: an exact fit is accurate to the last digits.
#[derive(Clone, Debug)]
pub struct StreamingLeastSquares {
    unknowns: usize,
    targets: usize,
    /// R followed by the rows of A that have not been reduced yet, row-major; `right` holds Qᵀ·B and the same rows of B.
    left: Vec<f64>,
    right: Vec<f64>,
}

impl StreamingLeastSquares {
    /// For `unknowns` columns of A and `targets` columns of B.
    pub fn new(unknowns: usize, targets: usize) -> StreamingLeastSquares {
        StreamingLeastSquares {
            unknowns,
            targets,
            left: Vec::new(),
            right: Vec::new(),
        }
    }

    /// Adds a row of A and the same row of B.
    pub fn add(&mut self, a: &[f64], b: &[f64]) {
        self.left.extend_from_slice(a);
        self.right.extend_from_slice(b);
        if self.left.len() >= (self.unknowns + self.unknowns / 2 + 8) * self.unknowns {
            self.reduce();
        }
    }

    fn reduce(&mut self) {
        let rows = self.left.len() / self.unknowns;
        let left = DMatrix::from_row_slice(rows, self.unknowns, &self.left);
        let mut right = DMatrix::from_row_slice(rows, self.targets, &self.right);
        let qr = left.qr();
        qr.q_tr_mul(&mut right);
        let r = from_nalgebra(&qr.r());
        self.right = from_nalgebra(&right.rows(0, r.positions).into_owned()).values;
        self.left = r.values;
    }

    /// The X that minimises |A·X − B|²; if columns of A are linearly dependent, the one of minimum norm.
    /// Zeros if there are no rows.
    pub fn solve(&self) -> Matrix<f64> {
        let mut all = self.clone();
        if all.left.is_empty() {
            return Matrix::zeros(self.unknowns, self.targets);
        }
        all.reduce();
        let matrix = |values: Vec<f64>, dimensions: usize| Matrix {
            positions: values.len() / dimensions.max(1),
            dimensions,
            values,
        };
        let (left, right) = (
            matrix(all.left, self.unknowns),
            matrix(all.right, self.targets),
        );
        least_squares(&left, &right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Normals;

    fn far(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
        let differences = a.values.iter().zip(&b.values).map(|(a, b)| (a - b).abs());
        differences.fold(0.0, f64::max)
    }

    /// A bound on the rounding error of the solution for matrices of this size, whatever the order in which a
    /// processor's instructions take the sums: the condition number of random matrices this tall is below 5, and the
    /// error grows with its square.
    fn rounding(rows: usize, columns: usize) -> f64 {
        25.0 * (rows * columns) as f64 * f64::EPSILON
    }

    #[test]
    fn what_is_linear_is_found_again() {
        let mut normals = Normals::seeded(3);
        let (a, x) = (normals.matrix(40, 6, 1.0), normals.matrix(6, 3, 1.0));
        let b = product(&a, &x);
        assert!(far(&least_squares(&a, &b), &x) < rounding(40, 6));
    }

    #[test]
    fn the_residual_is_at_right_angles_to_the_columns() {
        let mut normals = Normals::seeded(4);
        let (a, b) = (normals.matrix(30, 4, 1.0), normals.matrix(30, 1, 1.0));
        let fitted = product(&a, &least_squares(&a, &b));
        for column in 0..4 {
            let along: f64 = (0..30)
                .map(|row| a.at(row, column) * (b.at(row, 0) - fitted.at(row, 0)))
                .sum();
            assert!(along.abs() < rounding(30, 4));
        }
    }

    #[test]
    fn columns_that_repeat_are_no_trouble() {
        let a = Matrix {
            positions: 3,
            dimensions: 2,
            values: vec![1.0, 1.0, 2.0, 2.0, 3.0, 3.0],
        };
        let b = Matrix {
            positions: 3,
            dimensions: 1,
            values: vec![2.0, 4.0, 6.0],
        };
        let x = least_squares(&a, &b);
        assert!((x.at(0, 0) - 1.0).abs() < 1e-12 && (x.at(1, 0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn row_by_row_is_as_good_as_at_once() {
        let mut normals = Normals::seeded(5);
        let (a, b) = (normals.matrix(30, 4, 1.0), normals.matrix(30, 2, 1.0));
        let mut rows = StreamingLeastSquares::new(4, 2);
        for row in 0..30 {
            rows.add(a.row(row), b.row(row));
        }
        assert!(far(&rows.solve(), &least_squares(&a, &b)) < rounding(30, 4));
    }

    #[test]
    fn no_rows_give_no_numbers() {
        assert_eq!(StreamingLeastSquares::new(3, 2).solve().values, [0.0; 6]);
    }
}
