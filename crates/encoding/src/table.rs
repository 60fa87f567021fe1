//! The interface of all position tables, through which they are shown and exported.
//!
//! Each encoding computes its own numbers and names its own columns.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::ops::Range;

use crate::{HeatmapSampler, Layout, MAX_LEN, SimulatedTable};

/// The configuration of a table, see [`Encoding::table`](crate::Encoding::table).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableConfig {
    /// Number of positions, the rows.
    pub max_len: usize,
    /// Number of dimensions, the columns.
    pub d_model: usize,
    /// Base of the frequencies, for encodings that have frequencies.
    pub base: f64,
    /// Order of the dimensions, for encodings whose dimensions are pairs.
    pub layout: Layout,
}

/// Why an encoding has no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoTable {
    /// The encoding adds no vectors.
    None,
    /// [`SimulatedTable::new`] has none of this size: usually it would exceed [`SimulatedTable::MAX_VALUES`].
    TooManySimulated,
    /// The table would be too large.
    TooLarge,
    /// The only table is that of a trained model, which has these numbers of positions and dimensions.
    OtherShape([usize; 2]),
    /// The table has still to be loaded: see [`set_deferred`](crate::set_deferred).
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

/// Ranges in which to show the numbers of a table, as largest absolute values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueRange {
    /// Value of the strongest colour.
    pub colour_limit: f64,
    /// End of an axis of values.
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

/// A table of numbers by position and dimension. Only [`d_model`](Self::d_model) and [`value`](Self::value) are required.
/// Implementations may override the other methods with faster ones, which must agree with `value`.
pub trait PositionTable: Debug {
    /// Number of dimensions, the columns.
    fn d_model(&self) -> usize;

    /// Number of positions, the rows.
    fn max_len(&self) -> usize {
        MAX_LEN
    }

    /// Returns the number of a cell; `None` outside the table.
    fn value(&self, position: i64, dimension: usize) -> Option<f64>;

    /// Writes a block of rows, row-major; by default, NaN where [`value`](Self::value) is `None`.
    ///
    /// # Panics
    /// Unless `out` has exactly `positions.len() × d_model` elements.
    fn rows_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        let d_model = self.d_model();
        assert_eq!(out.len(), positions.len() * d_model);
        for (position, row) in positions.zip(out.chunks_exact_mut(d_model)) {
            for (dimension, number) in row.iter_mut().enumerate() {
                *number = self.value(position as i64, dimension).unwrap_or(f64::NAN);
            }
        }
    }

    /// Writes a block of rows like [`rows_f64`](Self::rows_f64), each number rounded to `f32`.
    ///
    /// # Panics
    /// Unless `out` has exactly `positions.len() × d_model` elements.
    fn rows_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        let mut wide = vec![0.0; out.len()];
        self.rows_f64(positions, &mut wide);
        for (number, wide) in out.iter_mut().zip(wide) {
            *number = wide as f32;
        }
    }

    /// Returns the means that a heatmap shows, `height` rows of `width` numbers, for a window like that of
    /// [`HeatmapSampler::render`]. By default the cells of the window are computed; if they are too many, those of every
    /// second, third, … row.
    fn means<'a>(
        &self,
        sampler: &'a mut HeatmapSampler,
        positions: Range<f64>,
        dimensions: Range<f64>,
        (width, height): (usize, usize),
    ) -> &'a [f32] {
        sampler.average(self, positions, dimensions, (width, height))
    }

    /// Returns limits for colour scales and axes; 1 by default, as for sines.
    fn value_range(&self) -> ValueRange {
        ValueRange::default()
    }

    /// Returns the name of a column in exported files.
    fn column_name(&self, dimension: usize) -> String {
        dimension.to_string()
    }

    /// Returns names and values that describe, in exported files, how the numbers are computed.
    fn details(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}
