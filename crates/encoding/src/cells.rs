//! The table of an encoding, as everything that shows or exports one asks for it.
//!
//! Each encoding computes its own numbers and names its own columns, so that none can be shown under another's name.

use std::fmt::Debug;
use std::ops::Range;

use super::layout::{Column, Layout, Member};
use super::raster::Raster;
use super::simulated::Simulated;
use super::sinusoidal::{MAX_LEN, Sinusoidal};

/// What a table is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableSize {
    pub max_len: usize,
    pub d_model: usize,
    /// Base of the frequencies, for encodings that have some.
    pub base: f64,
    /// Order of the dimensions, for encodings made of pairs.
    pub layout: Layout,
}

/// A table of numbers by position and dimension. Only [`value`](Self::value) must be written; what makes rows in bulk
/// quicker, or means without the cells, overrides the rest and must agree with it.
pub trait Cells: Debug {
    /// Number of dimensions, the columns.
    fn d_model(&self) -> usize;

    /// Number of positions, the rows.
    fn max_len(&self) -> usize {
        MAX_LEN
    }

    /// The number of a cell; `None` where the table has none.
    fn value(&self, position: i64, dimension: usize) -> Option<f64>;

    /// Rows in bulk, row-major. NaN stands where the table has no number.
    ///
    /// # Panics
    /// Unless `out` has exactly `positions.len() × d_model` places.
    fn rows_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        let d_model = self.d_model();
        assert_eq!(out.len(), positions.len() * d_model);
        for (position, row) in positions.zip(out.chunks_exact_mut(d_model)) {
            for (dimension, number) in row.iter_mut().enumerate() {
                *number = self.value(position as i64, dimension).unwrap_or(f64::NAN);
            }
        }
    }

    /// The same, each number rounded to `f32`.
    ///
    /// # Panics
    /// Unless `out` has exactly `positions.len() × d_model` places.
    fn rows_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        let mut wide = vec![0.0; out.len()];
        self.rows_f64(positions, &mut wide);
        for (number, wide) in out.iter_mut().zip(wide) {
            *number = wide as f32;
        }
    }

    /// The means that a heatmap shows, as [`Raster::render`] describes them.
    fn means<'a>(
        &self,
        raster: &'a mut Raster,
        positions: Range<f64>,
        dimensions: Range<f64>,
        (width, height): (usize, usize),
    ) -> &'a [f32] {
        raster.average(self, positions, dimensions, (width, height))
    }

    /// What a column is called in files.
    fn column_name(&self, dimension: usize) -> String {
        dimension.to_string()
    }

    /// What else a file has to say of how the numbers are made: names and values.
    fn details(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

impl Cells for Sinusoidal {
    fn d_model(&self) -> usize {
        self.d_model()
    }

    fn value(&self, position: i64, dimension: usize) -> Option<f64> {
        (dimension < self.d_model()).then(|| self.value(position, dimension))
    }

    fn rows_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        self.block_f64(positions, out);
    }

    fn rows_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        self.block_f32(positions, out);
    }

    fn means<'a>(
        &self,
        raster: &'a mut Raster,
        positions: Range<f64>,
        dimensions: Range<f64>,
        (width, height): (usize, usize),
    ) -> &'a [f32] {
        raster.render(self, positions, dimensions, width, height)
    }

    fn column_name(&self, dimension: usize) -> String {
        match self.column(dimension) {
            Column::Wave { pair, member } => {
                let wave = match member {
                    Member::Sine => "sin",
                    Member::Cosine => "cos",
                };
                format!("{dimension}:{wave}{pair}")
            }
            Column::Zero => format!("{dimension}:zero"),
        }
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        vec![
            ("base", self.base().to_string()),
            ("layout", self.layout().name().into()),
        ]
    }
}

impl Cells for Simulated {
    fn d_model(&self) -> usize {
        self.d_model()
    }

    fn max_len(&self) -> usize {
        self.max_len()
    }

    fn value(&self, position: i64, dimension: usize) -> Option<f64> {
        self.value(position, dimension)
    }

    fn rows_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        for (number, stored) in out.iter_mut().zip(self.rows(positions)) {
            *number = f64::from(*stored);
        }
    }

    fn rows_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        out.copy_from_slice(self.rows(positions));
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        let how = format!("uniform from -1 to 1, PCG32 seed {}", Self::SEED);
        vec![("simulated", how)]
    }
}
