//! The fixed encoding of a grid of patches (MAE, He et al. 2021, arXiv 2111.06377; `get_2d_sincos_pos_embed` of its
//! code).

use crate::{Layout, Matrix, Sinusoidal};

/// The fixed encoding of a grid of patches (MAE, He et al. 2021, arXiv 2111.06377; `get_2d_sincos_pos_embed` of its
/// code): half of the D dimensions for each axis, each half all sines and then all cosines, with ω_k = 10000^(−k/(D/4)).
///
/// The first half encodes the column and the second the row: the code names them the other way round (`emb_h`,
/// `emb_w`), but its meshgrid puts the width first.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchGrid {
    rows: usize,
    columns: usize,
    axis: Sinusoidal,
}

impl PatchGrid {
    /// Creates an encoding; `d_model` is rounded down to a multiple of 4, at least 4.
    pub fn new(rows: usize, columns: usize, d_model: usize) -> Self {
        let half = (d_model / 4).max(1) * 2;
        Self {
            rows,
            columns,
            axis: Sinusoidal::new(half, 10_000.0, Layout::Concatenated),
        }
    }

    /// Rows and columns of the grid.
    pub fn size(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// Number of dimensions of a patch.
    pub fn d_model(&self) -> usize {
        2 * self.axis.d_model()
    }

    /// Returns the vector of a patch; row and column may be outside the grid.
    pub fn patch(&self, row: usize, column: usize) -> Vec<f64> {
        let mut patch = self.axis.row(column as i64);
        patch.extend(self.axis.row(row as i64));
        patch
    }

    /// Returns the table, (1 + rows·columns) × d_model: zeros for the class token, then the patches row by row.
    pub fn table(&self) -> Matrix<f64> {
        let mut values = vec![0.0; self.d_model()];
        for row in 0..self.rows {
            for column in 0..self.columns {
                values.extend(self.patch(row, column));
            }
        }
        Matrix {
            positions: 1 + self.rows * self.columns,
            dimensions: self.d_model(),
            values,
        }
    }
}

/// Returns the cosine similarity of one row of a table to every row; 0 if one of the two is all zero.
///
/// # Panics
/// If the row is out of bounds.
pub fn cosine_similarities(table: &Matrix<f64>, row: usize) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let this = table.row(row);
    let cosine = |other: usize| {
        let other = table.row(other);
        let lengths = (dot(this, this) * dot(other, other)).sqrt();
        if lengths > 0.0 {
            dot(this, other) / lengths
        } else {
            0.0
        }
    };
    (0..table.positions).map(cosine).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    #[test]
    fn the_column_comes_first() {
        let grid = PatchGrid::new(3, 5, 8);
        // sin 3, sin 0.03, cos 3, cos 0.03, and likewise for row 1.
        let [column, row] =
            [3.0f64, 1.0].map(|at| [at.sin(), (0.01 * at).sin(), at.cos(), (0.01 * at).cos()]);
        for (actual, expected) in grid.patch(1, 3).iter().zip(column.into_iter().chain(row)) {
            assert_close(*actual, expected, 1e-15);
        }
        assert_eq!(grid.table().row(1 + 5 + 3), grid.patch(1, 3));
        assert_eq!(grid.table().row(0), [0.0; 8]);
    }

    #[test]
    fn similarity_depends_on_the_two_offsets() {
        let grid = PatchGrid::new(6, 6, 64);
        let table = grid.table();
        let from = |row: usize, column: usize| cosine_similarities(&table, 1 + 6 * row + column);
        let index = |row: usize, column: usize| 1 + 6 * row + column;
        let (near, far) = (from(1, 1), from(3, 4));
        assert_close(near[index(1, 1)], 1.0, 1e-14);
        assert_close(near[index(3, 2)], far[index(5, 5)], 1e-14);
        assert_close(near[index(0, 3)], near[index(2, 3)], 1e-14);
        assert!(near[index(1, 2)] > near[index(1, 3)]);
        // The similarity of the class token is 0.
        assert_eq!(near[0], 0.0);
        assert_eq!(cosine_similarities(&table, 0), [0.0; 37]);
    }

    #[test]
    fn widths_are_multiples_of_four() {
        for (asked, given) in [(0, 4), (4, 4), (7, 4), (18, 16)] {
            let grid = PatchGrid::new(1, 2, asked);
            assert_eq!((grid.d_model(), grid.patch(0, 1).len()), (given, given));
        }
        assert_eq!(PatchGrid::new(0, 5, 8).table().positions, 1);
    }
}
