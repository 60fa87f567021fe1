//! Linear algebra on tables, by nalgebra.

use crate::matrix::Matrix;
use nalgebra::DMatrix;

fn to_nalgebra(matrix: &Matrix<f64>) -> DMatrix<f64> {
    DMatrix::from_row_slice(matrix.positions, matrix.dimensions, &matrix.values)
}

fn from_nalgebra(matrix: &DMatrix<f64>) -> Matrix<f64> {
    Matrix {
        positions: matrix.nrows(),
        dimensions: matrix.ncols(),
        // Row by row: nalgebra keeps columns together.
        values: matrix.transpose().as_slice().to_vec(),
    }
}

/// A · B.
pub fn product(a: &Matrix<f64>, b: &Matrix<f64>) -> Matrix<f64> {
    from_nalgebra(&(to_nalgebra(a) * to_nalgebra(b)))
}

/// The X for which |A·X − B|² + ridge·|X|² is smallest, by the normal equations. Without a ridge,
/// columns that say nothing new get as little as possible.
pub fn least_squares(a: &Matrix<f64>, b: &Matrix<f64>, ridge: f64) -> Matrix<f64> {
    let (a, b) = (to_nalgebra(a), to_nalgebra(b));
    let mut gram = a.tr_mul(&a);
    for i in 0..gram.nrows() {
        gram[(i, i)] += ridge;
    }
    let right = a.tr_mul(&b);
    let x = match gram.clone().cholesky() {
        Some(factor) if ridge > 0.0 => factor.solve(&right),
        _ => {
            let svd = a.svd(true, true);
            let smallest = 1e-12 * svd.singular_values.max();
            svd.solve(&b, smallest).unwrap_or(right)
        }
    };
    from_nalgebra(&x)
}

/// Least squares that takes its rows one at a time: R and Qᵀ·B of those so far, by Givens rotations.
/// Unlike the normal equations it squares nothing, so what fits exactly fits to the last digits.
#[derive(Clone, Debug)]
pub struct Rows {
    /// R and Qᵀ·B side by side, one row per unknown.
    triangle: Matrix<f64>,
}

impl Rows {
    /// For `unknowns` columns of A and `targets` columns of B.
    pub fn new(unknowns: usize, targets: usize) -> Rows {
        Rows {
            triangle: Matrix::zeros(unknowns, unknowns + targets),
        }
    }

    /// Takes a row of A and the same row of B.
    pub fn add(&mut self, a: &[f64], b: &[f64]) {
        let mut row: Vec<f64> = a.iter().chain(b).copied().collect();
        let width = self.triangle.dimensions;
        for (j, above) in self.triangle.values.chunks_exact_mut(width).enumerate() {
            let length = above[j].hypot(row[j]);
            if row[j] == 0.0 || length == 0.0 {
                continue;
            }
            let (cos, sin) = (above[j] / length, row[j] / length);
            for (above, below) in above[j..].iter_mut().zip(&mut row[j..]) {
                (*above, *below) = (cos * *above + sin * *below, cos * *below - sin * *above);
            }
        }
    }

    /// The X for which |A·X − B|² is smallest; where columns say nothing new, the smallest such X.
    pub fn solve(&self) -> Matrix<f64> {
        let unknowns = self.triangle.positions;
        let part = |from: usize, to: usize| Matrix {
            positions: unknowns,
            dimensions: to - from,
            values: (0..unknowns)
                .flat_map(|row| self.triangle.row(row)[from..to].iter().copied())
                .collect(),
        };
        let (r, right) = (part(0, unknowns), part(unknowns, self.triangle.dimensions));
        least_squares(&r, &right, 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Normals;

    fn far(a: &Matrix<f64>, b: &Matrix<f64>) -> f64 {
        let differences = a.values.iter().zip(&b.values).map(|(a, b)| (a - b).abs());
        differences.fold(0.0, f64::max)
    }

    #[test]
    fn what_is_linear_is_found_again() {
        let mut normals = Normals::seeded(3);
        let (a, x) = (normals.matrix(40, 6, 1.0), normals.matrix(6, 3, 1.0));
        let b = product(&a, &x);
        assert!(far(&least_squares(&a, &b, 0.0), &x) < 1e-12);
        assert!(far(&least_squares(&a, &b, 1e-9), &x) < 1e-8);
    }

    #[test]
    fn the_residual_is_at_right_angles_to_the_columns() {
        let mut normals = Normals::seeded(4);
        let (a, b) = (normals.matrix(30, 4, 1.0), normals.matrix(30, 1, 1.0));
        let fitted = product(&a, &least_squares(&a, &b, 0.0));
        for column in 0..4 {
            let along: f64 = (0..30)
                .map(|row| a.at(row, column) * (b.at(row, 0) - fitted.at(row, 0)))
                .sum();
            assert!(along.abs() < 1e-12);
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
        let x = least_squares(&a, &b, 0.0);
        assert!((x.at(0, 0) - 1.0).abs() < 1e-12 && (x.at(1, 0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn row_by_row_is_as_good_as_at_once() {
        let mut normals = Normals::seeded(5);
        let (a, b) = (normals.matrix(30, 4, 1.0), normals.matrix(30, 2, 1.0));
        let mut rows = Rows::new(4, 2);
        for row in 0..30 {
            rows.add(a.row(row), b.row(row));
        }
        assert!(far(&rows.solve(), &least_squares(&a, &b, 0.0)) < 1e-13);
    }

    #[test]
    fn no_rows_give_no_numbers() {
        assert_eq!(Rows::new(3, 2).solve().values, [0.0; 6]);
    }
}
