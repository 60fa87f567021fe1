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

    /// Averages a line of columns, of which the first has the number `start`, into a run of pixels.
    pub(super) fn average(
        &self,
        pixels: &Range<usize>,
        start: usize,
        line: &[f64],
        out: &mut [f32],
    ) {
        let spans = &self.spans[pixels.clone()];
        if self.crisp {
            for (pixel, span) in out.iter_mut().zip(spans) {
                *pixel = line[span.first - start] as f32;
            }
            return;
        }
        for (pixel, span) in out.iter_mut().zip(spans) {
            let columns = &line[span.first - start..=span.last - start];
            let sum: f64 = columns.iter().sum();
            let cut = span.before * columns[0] + span.after * columns[columns.len() - 1];
            *pixel = ((sum - cut) * span.weight) as f32;
        }
    }
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
