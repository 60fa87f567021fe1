//! Columns of pixels as runs of dimensions or of pairs.

use std::ops::Range;

use super::super::sinusoidal::Sinusoidal;
use super::bands::nearest;
use super::{snaps_to_pairs, window};

/// What the spans count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Dimension,
    /// Sine and cosine of a pair added.
    Pair,
}

/// The columns one pixel averages.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    last: usize,
    /// Part of the first column that lies left of the pixel.
    before: f64,
    /// Part of the last column that lies right of the pixel.
    after: f64,
    /// One over the number of columns.
    weight: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Spans {
    unit: Unit,
    crisp: bool,
    spans: Vec<Span>,
}

impl Spans {
    pub(super) fn new(encoding: &Sinusoidal, dimensions: Range<f64>, width: usize) -> Self {
        let d_model = encoding.d_model();
        let snapped = snaps_to_pairs(encoding, dimensions.clone(), width);
        let window = window(dimensions, d_model);
        let per_pixel = (window.end - window.start) / width as f64;
        let edge = |pixel: usize| (window.start + pixel as f64 * per_pixel).min(window.end);
        let crisp = per_pixel <= 1.0;
        let spans = if crisp {
            nearest(window, d_model, per_pixel, width)
                .map(|cell| Span::whole(cell as usize, cell as usize, 1))
                .collect()
        } else if snapped {
            let pairs = encoding.pairs();
            let whole = |pixel: usize| (edge(pixel) / 2.0).round() as usize;
            (0..width)
                .map(|pixel| {
                    let first = whole(pixel).min(pairs - 1);
                    let last = (whole(pixel + 1).saturating_sub(1)).clamp(first, pairs - 1);
                    let columns = (2 * last + 2).min(d_model) - 2 * first;
                    Span::whole(first, last, columns)
                })
                .collect()
        } else {
            (0..width)
                .map(|pixel| Span::partial(edge(pixel), edge(pixel + 1), d_model))
                .collect()
        };
        let unit = if snapped { Unit::Pair } else { Unit::Dimension };
        Self { unit, crisp, spans }
    }

    pub(super) fn unit(&self) -> Unit {
        self.unit
    }

    /// Runs of pixels whose columns are about `columns` together, at least one pixel each.
    pub(super) fn tiles(&self, columns: usize) -> Vec<Range<usize>> {
        let mut tiles = Vec::new();
        let mut start = 0;
        for pixel in 1..=self.spans.len() {
            let full = |span: &Span| span.last >= self.spans[start].first + columns;
            if self.spans.get(pixel).is_none_or(full) {
                tiles.push(start..pixel);
                start = pixel;
            }
        }
        tiles
    }

    /// The columns under a run of pixels.
    pub(super) fn columns(&self, pixels: &Range<usize>) -> Range<usize> {
        self.spans[pixels.start].first..self.spans[pixels.end - 1].last + 1
    }

    /// Averages a line of columns, of which the first has the number `start`, into a run of pixels; `weight` scales
    /// them all.
    pub(super) fn average(
        &self,
        pixels: &Range<usize>,
        start: usize,
        line: &[f64],
        weight: f64,
        out: &mut [f32],
    ) {
        let spans = &self.spans[pixels.clone()];
        if self.crisp {
            for (pixel, span) in out.iter_mut().zip(spans) {
                *pixel = (line[span.first - start] * weight) as f32;
            }
            return;
        }
        for (pixel, span) in out.iter_mut().zip(spans) {
            let columns = &line[span.first - start..=span.last - start];
            let sum = sum(columns);
            let cut = span.before * columns[0] + span.after * columns[columns.len() - 1];
            *pixel = ((sum - cut) * (span.weight * weight)) as f32;
        }
    }
}

/// In four sums side by side: one after the other, additions would wait for each other.
fn sum(columns: &[f64]) -> f64 {
    let (fours, rest) = columns.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for four in fours {
        for (sum, column) in sums.iter_mut().zip(four) {
            *sum += column;
        }
    }
    sums[0] + sums[1] + (sums[2] + sums[3]) + rest.iter().sum::<f64>()
}

impl Span {
    fn whole(first: usize, last: usize, columns: usize) -> Self {
        Self {
            first,
            last,
            before: 0.0,
            after: 0.0,
            weight: 1.0 / columns as f64,
        }
    }

    fn partial(left: f64, right: f64, d_model: usize) -> Self {
        let first = (left as usize).min(d_model - 1);
        let last = (right.ceil() as usize - 1).clamp(first, d_model - 1);
        Self {
            first,
            last,
            before: left - first as f64,
            after: last as f64 + 1.0 - right,
            weight: 1.0 / (right - left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Layout;

    fn spans(
        layout: Layout,
        d_model: usize,
        window: Range<f64>,
        width: usize,
    ) -> Vec<(usize, usize)> {
        let spans = Spans::new(&Sinusoidal::new(d_model, 10_000.0, layout), window, width);
        spans
            .spans
            .iter()
            .map(|span| (span.first, span.last))
            .collect()
    }

    #[test]
    fn zoomed_in_each_pixel_has_one_column() {
        assert_eq!(
            spans(Layout::Interleaved, 8, 2.0..4.0, 4),
            [(2, 2), (2, 2), (3, 3), (3, 3)]
        );
    }

    #[test]
    fn zoomed_out_pixels_hold_whole_pairs() {
        assert_eq!(
            spans(Layout::Interleaved, 11, 0.0..11.0, 3),
            [(0, 1), (2, 3), (4, 5)]
        );
        assert_eq!(
            spans(Layout::Concatenated, 10, 0.0..10.0, 3),
            [(0, 3), (3, 6), (6, 9)]
        );
    }

    #[test]
    fn tiles_cover_every_pixel_once() {
        let encoding = Sinusoidal::new(1000, 10_000.0, Layout::Concatenated);
        for width in [1, 7, 300, 3000] {
            let tiles = Spans::new(&encoding, 0.0..1000.0, width).tiles(64);
            let pixels: Vec<usize> = tiles.into_iter().flatten().collect();
            assert_eq!(pixels, Vec::from_iter(0..width));
        }
    }

    #[test]
    fn sums_leave_no_column_out() {
        for count in 0..12 {
            let columns: Vec<f64> = (1..=count).map(f64::from).collect();
            assert_eq!(sum(&columns), f64::from(count * (count + 1) / 2));
        }
    }
}
