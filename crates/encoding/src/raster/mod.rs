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
use self::spans::{SpanSlice, Spans};
use crate::{Layout, Sinusoidal};

/// Samples windows of an encoding's table at the pixels of a heatmap; keeps its buffers from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct HeatmapSampler {
    values: Vec<f32>,
    /// The second image of [`HeatmapSampler::render_vectors`].
    cosines: Vec<f32>,
    oscillators: Oscillators,
}

/// Pairs computed together: many enough to make long runs of pixels, few enough for the second-level cache.
const TILE: usize = 512;

impl HeatmapSampler {
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
        self.resize(width * height, 0);
        if width > 0 && height > 0 {
            let spans = Spans::new(encoding, dimensions, width);
            self.sum(encoding, positions, &spans, (width, height));
        }
        &self.values
    }

    /// The mean of (sin, cos) of pos·ω_i over the cells under each pixel, sines and cosines apart, each `height` rows of
    /// `width` numbers. A cell is a pair at a position: the length of the mean says how far the angles agree, from 1
    /// (all the same) to 0.
    ///
    /// Pair i is \[i, i + 1) of the window's `pairs`, so 0.0..32.0 is the whole of 32. Along positions and for the edges
    /// of pixels it is as [`render`](Self::render) has it, without any rounding to whole pairs. A sine without its cosine
    /// has its angle all the same; where an odd width ends with a column that is always zero, that is a zero vector.
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

    /// Makes room for so many values and cosines.
    fn resize(&mut self, values: usize, cosines: usize) {
        self.values.resize(values, 0.0);
        self.cosines.resize(cosines, 0.0);
    }

    /// Adds up what the spans take from each band; sines and cosines apart where there is room for cosines.
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
        for first in (0..encoding.pairs()).step_by(TILE) {
            let pairs = first..encoding.pairs().min(first + TILE);
            // With vectors both lines of a run go to the columns of its pairs, each in its own image.
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

/// Whether [`HeatmapSampler::render`] rounds the sides of its pixels to whole pairs: from two columns per pixel up in the
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
