//! What a heatmap shows: the mean of the cells under each pixel, without the table.
//!
//! Along positions the mean is a geometric sum in closed form, so a pixel costs the same whatever it covers.

mod average;
mod bands;
mod complex;
mod oscillators;
mod spans;

use std::ops::Range;

use self::bands::{Band, Bands};
use self::oscillators::Oscillators;
use self::spans::{Share, Spans};
use crate::{Layout, Sinusoidal};

/// Draws windows of an encoding's table; keeps its buffers from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Raster {
    values: Vec<f32>,
    oscillators: Oscillators,
}

/// Pairs computed together: many enough to make long runs of pixels, few enough for the second-level cache.
const TILE: usize = 512;

impl Raster {
    /// Without any buffer yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The mean over the cells under each pixel, `height` rows of `width` numbers in \[−1, 1\].
    ///
    /// The window is given in cells, its edges anywhere: cell p is \[p, p + 1), so 0.0..64.0 is the whole of 64
    /// positions. What lies outside the encoding ([`MAX_LEN`](crate::MAX_LEN) positions, `d_model` dimensions) is cut
    /// off before the pixels are laid.
    ///
    /// Where a pixel covers at most one cell, it shows the cell under its centre. Where it covers more, cells at its edges
    /// count by the part that is covered, with two exceptions: above 8 positions per pixel its upper and lower edges are
    /// rounded to whole positions, and where [`snaps_to_pairs`] its sides are rounded to whole pairs.
    pub fn render(
        &mut self,
        encoding: &Sinusoidal,
        positions: Range<f64>,
        dimensions: Range<f64>,
        width: usize,
        height: usize,
    ) -> &[f32] {
        self.values.resize(width * height, 0.0);
        if width == 0 || height == 0 {
            return &self.values;
        }
        let bands = Bands::new(positions, height);
        let spans = Spans::new(encoding, dimensions, width);
        let row_of = |band: &Band| {
            let start = bands.first_pixel(band) * width;
            start..start + width
        };
        for band in bands.iter() {
            self.values[row_of(&band)].fill(0.0);
        }
        for first in (0..encoding.pairs()).step_by(TILE) {
            let pairs = first..encoding.pairs().min(first + TILE);
            let columns = spans.order().columns(pairs.clone(), encoding.pairs());
            let shares = Vec::from_iter(columns.map(|columns| spans.share(columns)));
            if shares.iter().all(Share::is_empty) {
                continue;
            }
            self.oscillators
                .start(encoding, spans.order(), pairs, &bands);
            for band in bands.iter() {
                let row = &mut self.values[row_of(&band)];
                for (line, share) in self.oscillators.next_lines(&band).zip(&shares) {
                    share.add(line, band.weight, row);
                }
            }
        }
        bands.repeat_rows(&mut self.values, width);
        &self.values
    }
}

/// Whether [`Raster::render`] rounds the sides of its pixels to whole pairs: from two columns per pixel up in the
/// interleaved layout, where an odd number of columns would mix sines and cosines unevenly.
pub fn snaps_to_pairs(encoding: &Sinusoidal, dimensions: Range<f64>, width: usize) -> bool {
    let window = window(dimensions, encoding.d_model());
    encoding.layout() == Layout::Interleaved && window.end - window.start >= 2.0 * width as f64
}

/// The part of a range that lies within `0..cells`; finite and in order, perhaps empty.
fn window(range: Range<f64>, cells: usize) -> Range<f64> {
    // `max` and `min` prefer a number to NaN, `clamp` does not.
    let limit = cells as f64;
    let start = range.start.max(0.0).min(limit);
    start..range.end.max(start).min(limit)
}
