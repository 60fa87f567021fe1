//! Least-squares shift matrix of a table, and its residual per position.

use super::{SEED, Table};
use crate::math::linear::StreamingLeastSquares;
#[cfg(test)]
use crate::math::linear::{least_squares, product};
use crate::math::random::Normals;
use posenc_encoding::{Layout, Matrix, Sinusoidal};
use std::f64::consts::FRAC_1_SQRT_2;

/// A table, the matrix that fits it best, and the residuals, computed incrementally.
pub(super) struct Fit {
    pub(super) key: (Table, usize, i64, usize),
    pub(super) pe: Sinusoidal,
    pub(super) normals: Normals,
    /// Rows 0 … max_len + k − 1, as far as they are computed.
    pub(super) rows: Matrix<f64>,
    pub(super) solver: StreamingLeastSquares,
    pub(super) rows_added: usize,
    /// X of PE(pos)ᵀ·X ≈ PE(pos + k)ᵀ.
    pub(super) matrix: Option<Matrix<f64>>,
    /// The largest error over the dimensions, per position.
    pub(super) errors: Vec<f64>,
}

impl Fit {
    pub(super) fn new(key: (Table, usize, i64, usize)) -> Fit {
        let (table, d, ..) = key;
        let width = if table == Table::Both { d } else { 2 * d };
        Fit {
            key,
            pe: Sinusoidal::new(width, 10_000.0, Layout::Interleaved),
            normals: Normals::seeded(SEED),
            rows: Matrix::zeros(0, d),
            solver: StreamingLeastSquares::new(d, d),
            rows_added: 0,
            matrix: None,
            errors: Vec::new(),
        }
    }

    /// Number of positions fitted, and of rows needed for that.
    pub(super) fn lengths(&self) -> (usize, usize) {
        let (_, _, k, len) = self.key;
        (len, len + k as usize)
    }

    pub(super) fn next_row(&mut self) {
        let (table, d, ..) = self.key;
        let position = self.rows.positions as f64;
        for j in 0..d {
            let value = match table {
                Table::Random => FRAC_1_SQRT_2 * self.normals.next().unwrap_or_default(),
                Table::Both => {
                    let (sin, cos) = self.pe.sin_cos_at(j / 2, position);
                    if j % 2 == 0 { sin } else { cos }
                }
                Table::Sine => self.pe.sin_cos_at(j, position).0,
                Table::MismatchedFrequencies => {
                    let (sin, cos) = self.pe.sin_cos_at(j, position);
                    if j % 2 == 0 { sin } else { cos }
                }
            };
            self.rows.values.push(value);
        }
        self.rows.positions += 1;
    }

    /// The row at `position` mapped by the matrix.
    pub(super) fn predicted_row(&self, position: usize) -> Option<Vec<f64>> {
        let matrix = self.matrix.as_ref()?;
        let mut predicted = vec![0.0; matrix.dimensions];
        for (i, value) in self.rows.row(position).iter().enumerate() {
            for (sum, weight) in predicted.iter_mut().zip(matrix.row(i)) {
                *sum += value * weight;
            }
        }
        Some(predicted)
    }

    pub(super) fn error(&self, position: usize) -> f64 {
        let predicted = self.predicted_row(position).unwrap_or_default();
        let target = self.rows.row(position + self.key.2 as usize);
        let errors = predicted.iter().zip(target).map(|(a, b)| (a - b).abs());
        errors.fold(0.0, f64::max)
    }

    /// The largest error of the best affine map: a matrix, and a constant vector that is added.
    #[cfg(test)]
    pub(super) fn affine_error(&self) -> f64 {
        let (_, d, k, len) = self.key;
        let rows = |from: usize, columns: usize| {
            Matrix::from_fn(len, columns, |position, j| match j {
                _ if j == d => 1.0,
                _ => self.rows.at(from + position, j),
            })
        };
        let (from, to) = (rows(0, d + 1), rows(k as usize, d));
        let predicted = product(&from, &least_squares(&from, &to));
        let errors = predicted.values.iter().zip(&to.values);
        errors.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
    }

    /// Runs a slice of a few milliseconds; false if nothing was left to do.
    pub(super) fn work(&mut self) -> bool {
        let (_, d, k, _) = self.key;
        let (len, all) = self.lengths();
        if self.rows.positions < all {
            for _ in 0..(20_000 / d).min(all - self.rows.positions) {
                self.next_row();
            }
        } else if self.rows_added < len {
            let until = (self.rows_added + 150_000 / (d * d)).min(len);
            for position in self.rows_added..until.max(self.rows_added + 1) {
                let to = self.rows.row(position + k as usize);
                self.solver.add(self.rows.row(position), to);
            }
            self.rows_added = until;
        } else if self.matrix.is_none() {
            self.matrix = Some(self.solver.solve());
        } else if self.errors.len() < len {
            let until = (self.errors.len() + 1_000_000 / (d * d)).min(len);
            for position in self.errors.len()..until {
                self.errors.push(self.error(position));
            }
        } else {
            return false;
        }
        true
    }

    /// The position with the largest error, and the error; `None` until all errors are computed.
    pub(super) fn worst(&self) -> Option<(usize, f64)> {
        if self.errors.len() < self.lengths().0 {
            return None;
        }
        let errors = self.errors.iter().copied().enumerate();
        errors.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}
