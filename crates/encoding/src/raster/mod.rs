//! Sampling of tables for heatmaps: the mean of the cells under each pixel, without computing the table.
//!
//! Along positions the mean is a geometric sum in closed form, so that its cost does not depend on how many positions a
//! pixel covers.

mod average;
mod bands;
mod complex;
mod oscillators;
mod spans;

use std::ops::Range;

use self::bands::{Band, Bands};
use self::oscillators::Oscillators;
use self::spans::{SpanSlice, Spans};
use crate::{Layout, Sinusoidal};

/// Samples windows of an encoding's table at the pixels of a heatmap; reuses its buffers between calls.
#[derive(Clone, Debug, Default)]
pub struct HeatmapSampler {
    values: Vec<f32>,
    /// The second image of [`HeatmapSampler::render_vectors`]; empty for other images.
    cosines: Vec<f32>,
    oscillators: Oscillators,
}

/// Pairs computed together: enough for long runs of pixels, few enough for the second-level cache.
const PAIRS_PER_TILE: usize = 512;

impl HeatmapSampler {
    /// Creates a sampler with empty buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the mean of the cells under each pixel, `height` rows of `width` numbers in \[−1, 1\].
    ///
    /// The edges of the window are in cells and may be fractional: cell p is \[p, p + 1), so 0.0..64.0 is exactly 64
    /// positions. The window is clipped to the encoding ([`MAX_LEN`](crate::MAX_LEN) positions, `d_model` dimensions)
    /// before it is divided into pixels.
    ///
    /// Along an axis on which a pixel covers at most one cell, it shows the cell under its centre. If it covers more,
    /// cells at its edges are weighted by the covered fraction, with two exceptions: above 8 positions per pixel its
    /// upper and lower edges are rounded to whole positions, and if [`snaps_to_pairs`] returns true, its left and right
    /// edges are rounded to whole pairs.
    pub fn render(
        &mut self,
        encoding: &Sinusoidal,
        positions: Range<f64>,
        dimensions: Range<f64>,
        width: usize,
        height: usize,
    ) -> &[f32] {
        self.resize(width * height, 0);
        if width > 0 && height > 0 {
            let spans = Spans::new(encoding, dimensions, width);
            self.sum(encoding, positions, &spans, (width, height));
        }
        &self.values
    }

    /// Returns the means of sin(pos·ω_i) and of cos(pos·ω_i) over the cells under each pixel, as two images of `height`
    /// rows of `width` numbers. A cell is a pair at a position: the length of the mean vector measures how far the angles
    /// agree, from 1 (all equal) to 0.
    ///
    /// Pair i is \[i, i + 1) of the window's `pairs`, so 0.0..32.0 is exactly 32 pairs. Positions and the edges of pixels
    /// are treated as in [`render`](Self::render), without rounding to whole pairs. A sine without a cosine is a complete
    /// pair here; a column of zeros (at the end of an odd `d_model`) is a zero vector.
    pub fn render_vectors(
        &mut self,
        encoding: &Sinusoidal,
        positions: Range<f64>,
        pairs: Range<f64>,
        width: usize,
        height: usize,
    ) -> (&[f32], &[f32]) {
        self.resize(width * height, width * height);
        if width > 0 && height > 0 {
            let spans = Spans::of_pairs(encoding.d_model(), pairs, width);
            self.sum(encoding, positions, &spans, (width, height));
        }
        (&self.values, &self.cosines)
    }

    /// Resizes the two images.
    fn resize(&mut self, values: usize, cosines: usize) {
        self.values.resize(values, 0.0);
        self.cosines.resize(cosines, 0.0);
    }

    /// Accumulates the image from the sums of all bands; in two images unless `cosines` is empty.
    #[inline(never)]
    fn sum(
        &mut self,
        encoding: &Sinusoidal,
        positions: Range<f64>,
        spans: &Spans,
        (width, height): (usize, usize),
    ) {
        let vectors = !self.cosines.is_empty();
        let bands = Bands::new(positions, height);
        let row_of = |band: &Band| {
            let start = bands.first_pixel(band) * width;
            start..start + width
        };
        for band in bands.iter() {
            self.values[row_of(&band)].fill(0.0);
            if vectors {
                self.cosines[row_of(&band)].fill(0.0);
            }
        }
        for first in (0..encoding.pairs()).step_by(PAIRS_PER_TILE) {
            let pairs = first..encoding.pairs().min(first + PAIRS_PER_TILE);
            // For vectors, sines and cosines have the same columns, each in its own image.
            let all = if vectors { 0 } else { encoding.pairs() };
            let columns = spans.layout().columns(pairs.clone(), all);
            let slices = Vec::from_iter(columns.map(|columns| spans.slice(columns)));
            if slices.iter().all(SpanSlice::is_empty) {
                continue;
            }
            self.oscillators
                .start(encoding, spans.layout(), pairs, &bands);
            for band in bands.iter() {
                let at = row_of(&band);
                let lines = self.oscillators.next_lines(&band).zip(&slices);
                for (member, (line, slice)) in lines.enumerate() {
                    let image = match (vectors, member) {
                        (true, 1) => &mut self.cosines,
                        _ => &mut self.values,
                    };
                    slice.add(line, band.weight, &mut image[at.clone()]);
                }
            }
        }
        bands.repeat_rows(&mut self.values, width);
        if vectors {
            bands.repeat_rows(&mut self.cosines, width);
        }
    }
}

/// Returns whether [`HeatmapSampler::render`] rounds the left and right edges of pixels to whole pairs. This is so from two
/// columns per pixel on in the interleaved layout, in which an odd number of columns has unequally many sines and cosines.
pub fn snaps_to_pairs(encoding: &Sinusoidal, dimensions: Range<f64>, width: usize) -> bool {
    let window = window(dimensions, encoding.d_model());
    encoding.layout() == Layout::Interleaved && window.end - window.start >= 2.0 * width as f64
}

/// Clips a range to `0..cells`; the result is finite and ordered, and may be empty.
fn window(range: Range<f64>, cells: usize) -> Range<f64> {
    // `max` and `min` ignore NaN, `clamp` does not.
    let limit = cells as f64;
    let start = range.start.max(0.0).min(limit);
    start..range.end.max(start).min(limit)
}
