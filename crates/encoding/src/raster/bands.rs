//! Which positions each row of pixels averages.

use std::ops::Range;

use super::window;
use crate::MAX_LEN;

/// Up to this number of positions per pixel, positions at the edges of a pixel are weighted by the covered fraction.
const FRACTIONS_UP_TO: f64 = 8.0;

/// The positions that one row of pixels averages, or a single position that several rows of pixels show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Band {
    index: usize,
    /// Whether the next band starts [`Bands::step`] + 1 whole positions later, instead of [`Bands::step`].
    pub(super) longer: bool,
    /// Fraction of the first position that is before the band.
    pub(super) before: f64,
    /// Fraction of the next band's first position that belongs to this band.
    pub(super) after: f64,
    /// Reciprocal of the number of positions, fractions included.
    pub(super) weight: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Bands {
    /// The position where the first band starts.
    pub(super) start: i64,
    /// Smallest number of whole positions from one band to the next.
    pub(super) step: i64,
    /// Whether positions may belong to two bands in part.
    pub(super) fractions: bool,
    bands: Vec<Band>,
    /// The band of every row of pixels.
    rows: Vec<usize>,
}

impl Bands {
    pub(super) fn new(positions: Range<f64>, height: usize) -> Self {
        let window = window(positions, MAX_LEN);
        let per_pixel = (window.end - window.start) / height as f64;
        if per_pixel <= 1.0 {
            Self::single(window, per_pixel, height)
        } else {
            Self::averaged(window, per_pixel, height)
        }
    }

    fn single(window: Range<f64>, per_pixel: f64, height: usize) -> Self {
        let cells: Vec<i64> = nearest_cells(window, MAX_LEN, per_pixel, height).collect();
        let (first, last) = (cells[0], cells[height - 1]);
        let band = |index| Band {
            index,
            longer: false,
            before: 0.0,
            after: 0.0,
            weight: 1.0,
        };
        Self {
            start: first,
            step: 1,
            fractions: false,
            bands: (0..=(last - first) as usize).map(band).collect(),
            rows: cells.iter().map(|cell| (cell - first) as usize).collect(),
        }
    }

    fn averaged(window: Range<f64>, per_pixel: f64, height: usize) -> Self {
        let fractions = per_pixel <= FRACTIONS_UP_TO;
        let step = per_pixel.floor() as i64;
        let edge = |row: usize| (window.start + row as f64 * per_pixel).min(window.end);
        let whole = |edge: f64| {
            if fractions {
                edge.floor()
            } else {
                edge.round()
            }
        };
        let start = whole(window.start);
        let mut position = start;
        let mut before = if fractions { window.start - start } else { 0.0 };
        let mut bands = Vec::with_capacity(height);
        for index in 0..height {
            let edge = edge(index + 1);
            // There are two lengths only, even if rounding errors of the edge suggest a third.
            let longer = whole(edge) - position > step as f64;
            let length = step as f64 + if longer { 1.0 } else { 0.0 };
            position += length;
            let after = if fractions {
                (edge - position).clamp(0.0, 1.0)
            } else {
                0.0
            };
            bands.push(Band {
                index,
                longer,
                before,
                after,
                weight: 1.0 / (length - before + after),
            });
            before = after;
        }
        Self {
            start: start as i64,
            step,
            fractions,
            bands,
            rows: (0..height).collect(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Band> {
        self.bands.iter().copied()
    }

    /// Returns the first row of pixels that shows this band, in which its sums are accumulated.
    pub(super) fn first_pixel(&self, band: &Band) -> usize {
        self.rows.partition_point(|&row| row < band.index)
    }

    /// Copies every band's first row of pixels to its other rows.
    pub(super) fn repeat_rows(&self, values: &mut [f32], width: usize) {
        for row in 1..self.rows.len() {
            if self.rows[row] == self.rows[row - 1] {
                values.copy_within((row - 1) * width..row * width, row * width);
            }
        }
    }
}

/// Returns the cell under the centre of each pixel.
pub(super) fn nearest_cells(
    window: Range<f64>,
    cells: usize,
    per_pixel: f64,
    pixels: usize,
) -> impl Iterator<Item = i64> {
    let last = (window.end.ceil() as i64 - 1).clamp(0, cells as i64 - 1);
    (0..pixels).map(move |pixel| {
        let centre = window.start + (pixel as f64 + 0.5) * per_pixel;
        (centre.floor() as i64).min(last)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_cells_repeat_over_their_pixels() {
        let bands = Bands::new(3.0..5.0, 6);
        assert_eq!((bands.start, bands.step), (3, 1));
        assert_eq!(bands.rows, [0, 0, 0, 1, 1, 1]);
        let mut values = [1.0, 0.0, 0.0, 2.0, 0.0, 0.0];
        bands.repeat_rows(&mut values, 1);
        assert_eq!(values, [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    }

    #[test]
    fn fractions_add_up_to_the_window() {
        let bands = Bands::new(0.3..17.9, 7);
        assert!(bands.fractions);
        let positions: f64 = bands.iter().map(|band| 1.0 / band.weight).sum();
        crate::assert_close::assert_close(positions, 17.6, 1e-12);
    }

    #[test]
    fn many_positions_are_split_at_whole_ones() {
        let bands = Bands::new(0.0..100.0, 7);
        assert!(!bands.fractions);
        let lengths: Vec<i64> = bands
            .iter()
            .map(|band| bands.step + i64::from(band.longer))
            .collect();
        assert_eq!(lengths, [14, 15, 14, 14, 14, 15, 14]);
    }
}
