//! Learned absolute tables: BERT (512 rows), GPT-2 (1024 rows), ViT (one row per patch and one for the class token;
//! Dosovitskiy et al. 2021, arXiv 2010.11929, §3.1).

use std::rc::Rc;

use crate::head::added_dot;
use crate::{
    AttentionHead, EncodingInfo, HeadConfig, Matrix, Operation, PositionSignal, SimulatedTable,
    Target,
};

/// A learned table with a row per position (Devlin et al. 2018, arXiv 1810.04805, appendix A.2). Positions beyond the last
/// row have no vector.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    rows: Matrix<f64>,
}

impl Learned {
    /// Creates an encoding from a table of max_len × d_model numbers.
    pub fn new(rows: Matrix<f64>) -> Self {
        Self { rows }
    }

    /// Number of rows.
    pub fn max_len(&self) -> usize {
        self.rows.positions
    }

    /// All rows.
    pub fn table(&self) -> &Matrix<f64> {
        &self.rows
    }

    /// Returns the vector added to the embedding at a position; `None` outside the table.
    pub fn row(&self, position: i64) -> Option<&[f64]> {
        let position = usize::try_from(position).ok()?;
        (position < self.rows.positions).then(|| self.rows.row(position))
    }
}

/// In simulated heads, numbers have the standard deviation 1/√2, so that rows are about as long as sinusoidal ones.
pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "learned",
    source: "Devlin et al. 2018",
    operation: Operation::Adds,
    target: Target::Embedding,
    every_layer: false,
    bounded: true,
    relative: false,
    signal: Some(PositionSignal::Table(|size| {
        Some(Rc::new(SimulatedTable::new(size.max_len, size.d_model)?))
    })),
    shape: None,
    uses_base: false,
    layouts: EncodingInfo::EQUIVALENT_LAYOUTS,
    parameters: |size| size.max_len * size.d_model,
    head,
};

fn head(size: &HeadConfig, standard_normal: &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead> {
    let number = || std::f64::consts::FRAC_1_SQRT_2 * standard_normal();
    Box::new(Learned::new(Matrix {
        positions: size.max_len,
        dimensions: size.width,
        values: std::iter::repeat_with(number)
            .take(size.max_len * size.width)
            .collect(),
    }))
}

impl AttentionHead for Learned {
    fn logit(&self, q: (&[f64], i64), k: (&[f64], i64)) -> Option<f64> {
        added_dot(self, q, k)
    }

    fn defined(&self, position: i64) -> bool {
        self.row(position).is_some()
    }

    fn added(&self, position: i64) -> Option<Vec<f64>> {
        self.row(position).map(<[f64]>::to_vec)
    }
}

/// How the cells of two grids of different size are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum GridAlignment {
    /// The outer edges of both grids coincide; values belong to the centres of cells and are constant beyond the outermost
    /// centres. `align_corners=False` of PyTorch's `interpolate`, which MAE, DeiT, timm and Hugging Face use (there mostly
    /// with `bicubic`).
    #[default]
    Edges,
    /// The centres of the first and of the last cells coincide. `scipy.ndimage.zoom` in the ViT authors' code, and
    /// `align_corners=True`.
    Middles,
}

impl GridAlignment {
    /// Returns the two cells of `from` cells between which a cell of `to` cells lies, and the weight of the second.
    fn between(self, cell: usize, from: usize, to: usize) -> (usize, usize, f64) {
        let at = match self {
            Self::Edges => (cell as f64 + 0.5) * from as f64 / to as f64 - 0.5,
            Self::Middles if to > 1 => (cell * (from - 1)) as f64 / (to - 1) as f64,
            Self::Middles => 0.0,
        };
        let at = at.clamp(0.0, (from - 1) as f64);
        let first = at as usize;
        (first, (first + 1).min(from - 1), at - first as f64)
    }
}

/// Resizes a table to another grid of patches by bilinear interpolation. Rows before the grid, as that of the class token,
/// are copied. Sizes are (rows, columns) of the grid.
///
/// Returns `None` if the table has fewer rows than the old grid has patches, or the old grid is empty.
pub fn resize_grid(
    table: &Matrix<f64>,
    from: (usize, usize),
    to: (usize, usize),
    alignment: GridAlignment,
) -> Option<Matrix<f64>> {
    let patches = from.0 * from.1;
    let before = table.positions.checked_sub(patches)?;
    if patches == 0 {
        return None;
    }
    let mut values = table.values[..before * table.dimensions].to_vec();
    for row in 0..to.0 {
        let (top, bottom, down) = alignment.between(row, from.0, to.0);
        for column in 0..to.1 {
            let (left, right, across) = alignment.between(column, from.1, to.1);
            let corner = |row: usize, column: usize| table.row(before + row * from.1 + column);
            let (a, b) = (corner(top, left), corner(top, right));
            let (c, d) = (corner(bottom, left), corner(bottom, right));
            values.extend((0..table.dimensions).map(|dimension| {
                let upper = a[dimension] + across * (b[dimension] - a[dimension]);
                let lower = c[dimension] + across * (d[dimension] - c[dimension]);
                upper + down * (lower - upper)
            }));
        }
    }
    Some(Matrix {
        positions: before + to.0 * to.1,
        dimensions: table.dimensions,
        values,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    const BOTH: [GridAlignment; 2] = [GridAlignment::Edges, GridAlignment::Middles];

    /// Returns a row for the class token, and patches that hold their row and column.
    fn plane(rows: usize, columns: usize) -> Matrix<f64> {
        let mut values = vec![-7.0, 9.0];
        for row in 0..rows {
            for column in 0..columns {
                values.extend([row as f64, column as f64]);
            }
        }
        Matrix {
            positions: 1 + rows * columns,
            dimensions: 2,
            values,
        }
    }

    #[test]
    fn beyond_the_last_row_there_is_none() {
        let learned = Learned::new(plane(2, 2));
        assert_eq!(learned.row(0), Some(&[-7.0, 9.0][..]));
        assert_eq!(learned.row(4), Some(&[1.0, 1.0][..]));
        assert_eq!((learned.row(5), learned.row(-1)), (None, None));
    }

    #[test]
    fn the_same_size_is_the_same_table() {
        for alignment in BOTH {
            assert_eq!(
                resize_grid(&plane(3, 4), (3, 4), (3, 4), alignment),
                Some(plane(3, 4))
            );
        }
    }

    #[test]
    fn a_plane_stays_a_plane() {
        // Between the centres of the outermost cells interpolation is exact.
        let resized = |alignment| resize_grid(&plane(3, 4), (3, 4), (6, 8), alignment).unwrap();
        let (edges, middles) = (
            resized(GridAlignment::Edges),
            resized(GridAlignment::Middles),
        );
        for row in 0..6 {
            for column in 0..8 {
                let cell = 1 + 8 * row + column;
                let at =
                    |cell: usize, last: f64| ((cell as f64 + 0.5) / 2.0 - 0.5).clamp(0.0, last);
                assert_close(edges.at(cell, 0), at(row, 2.0), 1e-15);
                assert_close(edges.at(cell, 1), at(column, 3.0), 1e-15);
                assert_close(middles.at(cell, 0), row as f64 * 2.0 / 5.0, 1e-15);
                assert_close(middles.at(cell, 1), column as f64 * 3.0 / 7.0, 1e-15);
            }
        }
        assert_eq!(edges.row(0), [-7.0, 9.0]);
    }

    #[test]
    fn any_size_has_a_table_and_no_grid_has_none() {
        for alignment in BOTH {
            for to in [(0, 0), (1, 1), (1, 9), (5, 2)] {
                let table = resize_grid(&plane(3, 4), (3, 4), to, alignment).unwrap();
                assert_eq!(table.positions, 1 + to.0 * to.1);
                assert_eq!(table.values.len(), 2 * table.positions);
            }
            assert_eq!(resize_grid(&plane(1, 1), (0, 4), (2, 2), alignment), None);
            assert_eq!(resize_grid(&plane(1, 1), (2, 2), (2, 2), alignment), None);
        }
    }
}
