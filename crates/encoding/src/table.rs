//! The table of an encoding, as everything that shows or exports one asks for it.
//!
//! Each encoding computes its own numbers and names its own columns, so that none can be shown under another's name.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::ops::Range;

use crate::{HeatmapSampler, Layout, MAX_LEN, SimulatedTable};

/// What a table is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableConfig {
    /// Number of positions, the rows.
    pub max_len: usize,
    /// Number of dimensions, the columns.
    pub d_model: usize,
    /// Base of the frequencies, for encodings that have some.
    pub base: f64,
    /// Order of the dimensions, for encodings made of pairs.
    pub layout: Layout,
}

/// Why an encoding has no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoTable {
    /// It adds no vectors.
    None,
    /// It would have more numbers than are simulated, [`SimulatedTable::MAX_VALUES`].
    TooManySimulated,
    /// It would be too large.
    TooLarge,
    /// It has been learned with these positions and dimensions, and there is no other.
    OtherShape([usize; 2]),
    /// The page is still loading it: see [`set_deferred`](crate::set_deferred).
    Loading,
}

impl Display for NoTable {
    fn fmt(&self, out: &mut Formatter) -> fmt::Result {
        match self {
            NoTable::None => out.write_str("this one has no table"),
            NoTable::TooManySimulated => {
                let most = SimulatedTable::MAX_VALUES;
                write!(out, "up to {most} numbers are simulated")
            }
            NoTable::OtherShape([positions, dimensions]) => write!(
                out,
                "this table has {positions} positions and {dimensions} dimensions, and there is no other"
            ),
            NoTable::Loading => out.write_str("this table is still loading"),
            NoTable::TooLarge => out.write_str("a table of this size is too large"),
        }
    }
}

impl Error for NoTable {}

/// Largest absolute values to show of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueRange {
    /// Of the strongest colour.
    pub colour_limit: f64,
    /// Of an axis.
    pub axis_limit: f64,
}

impl Default for ValueRange {
    fn default() -> Self {
        Self {
            colour_limit: 1.0,
            axis_limit: 1.0,
        }
    }
}

/// A table of numbers by position and dimension. Only [`value`](Self::value) must be written; what makes rows in bulk
/// quicker, or means without the cells, overrides the rest and must agree with it.
pub trait PositionTable: Debug {
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

    /// The means that a heatmap shows, `height` rows of `width` numbers, as [`HeatmapSampler::render`] describes them. Unless it
    /// is overridden, the cells of the window are computed for them, of very many rows every second, third …
    fn means<'a>(
        &self,
        sampler: &'a mut HeatmapSampler,
        positions: Range<f64>,
        dimensions: Range<f64>,
        (width, height): (usize, usize),
    ) -> &'a [f32] {
        sampler.average(self, positions, dimensions, (width, height))
    }

    /// Limits of the values for colour scales and axes; 1 for sines.
    fn value_range(&self) -> ValueRange {
        ValueRange::default()
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
