//! Rows of the table, in bulk.

use std::ops::Range;

use super::rows::fill;
use super::sinusoidal::Sinusoidal;
use crate::matrix::Matrix;

impl Sinusoidal {
    /// PE(position), all dimensions.
    pub fn row(&self, position: i64) -> Vec<f64> {
        let mut row = vec![0.0; self.d_model()];
        fill(self, position..position + 1, &mut row);
        row
    }

    /// Rows of the table without the rows before them: `positions.len() × d_model` numbers, row-major, each rounded
    /// once, from `f64`.
    ///
    /// # Panics
    /// Unless `out` has exactly that many places.
    pub fn block_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        assert_eq!(out.len(), positions.len() * self.d_model());
        fill(self, signed(positions), out);
    }

    /// The same in `f64`.
    ///
    /// # Panics
    /// Unless `out` has exactly `positions.len() × d_model` places.
    pub fn block_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        assert_eq!(out.len(), positions.len() * self.d_model());
        fill(self, signed(positions), out);
    }

    /// Positions 0 to `max_len − 1`.
    pub fn table_f32(&self, max_len: usize) -> Matrix<f32> {
        let mut table = Matrix::zeros(max_len, self.d_model());
        self.block_f32(0..max_len, &mut table.values);
        table
    }

    /// Positions 0 to `max_len − 1` in `f64`.
    pub fn table_f64(&self, max_len: usize) -> Matrix<f64> {
        let mut table = Matrix::zeros(max_len, self.d_model());
        self.block_f64(0..max_len, &mut table.values);
        table
    }
}

fn signed(positions: Range<usize>) -> Range<i64> {
    positions.start as i64..positions.end as i64
}
