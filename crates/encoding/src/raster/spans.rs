//! Which columns (dimensions or pairs) each pixel of a row averages.

use std::ops::Range;

use super::bands::nearest_cells;
use super::oscillators::ColumnLayout;
use super::{snaps_to_pairs, window};
use crate::Sinusoidal;

/// The columns one pixel averages.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    last: usize,
    /// Fraction of the first column that is to the left of the pixel.
    before: f64,
    /// Fraction of the last column that is to the right of the pixel.
    after: f64,
    /// Reciprocal of the number of cells averaged, fractions included; an added column counts as its two dimensions.
    weight: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Spans {
    layout: ColumnLayout,
    /// Whether a pixel covers at most one column and shows that under its centre.
    nearest: bool,
    spans: Vec<Span>,
}

impl Spans {
    pub(super) fn new(encoding: &Sinusoidal, dimensions: Range<f64>, width: usize) -> Self {
        let d_model = encoding.d_model();
        let snapped = snaps_to_pairs(encoding, dimensions.clone(), width);
        let window = window(dimensions, d_model);
        let per_pixel = (window.end - window.start) / width as f64;
        let edge = |pixel: usize| (window.start + pixel as f64 * per_pixel).min(window.end);
        let nearest = per_pixel <= 1.0;
        let spans = if nearest {
            nearest_cells(window, d_model, per_pixel, width)
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
        let layout = if snapped {
            ColumnLayout::Added
        } else {
            ColumnLayout::of(encoding.layout())
        };
        Self {
            layout,
            nearest,
            spans,
        }
    }

    /// Creates spans of pairs, for any layout: a column is a pair.
    pub(super) fn of_pairs(d_model: usize, pairs: Range<f64>, width: usize) -> Self {
        let cells = d_model.div_ceil(2);
        let window = window(pairs, cells);
        let per_pixel = (window.end - window.start) / width as f64;
        let edge = |pixel: usize| (window.start + pixel as f64 * per_pixel).min(window.end);
        let nearest = per_pixel <= 1.0;
        let spans = if nearest {
            nearest_cells(window, cells, per_pixel, width)
                .map(|cell| Span::whole(cell as usize, cell as usize, 1))
                .collect()
        } else {
            (0..width)
                .map(|pixel| Span::partial(edge(pixel), edge(pixel + 1), cells))
                .collect()
        };
        Self {
            layout: ColumnLayout::Apart,
            nearest,
            spans,
        }
    }

    pub(super) fn layout(&self) -> ColumnLayout {
        self.layout
    }

    /// Returns the parts of the spans within a run of columns.
    pub(super) fn slice(&self, columns: Range<usize>) -> SpanSlice {
        let first_pixel = self.spans.partition_point(|span| span.last < columns.start);
        let end = self.spans.partition_point(|span| span.first < columns.end);
        let spans = self.spans[first_pixel..end.max(first_pixel)].iter();
        SpanSlice {
            nearest: self.nearest,
            first_pixel,
            spans: spans.map(|span| span.within(&columns)).collect(),
        }
    }
}

/// The parts of spans within a run of columns; indices are relative to its first column.
#[derive(Clone, Debug)]
pub(super) struct SpanSlice {
    nearest: bool,
    first_pixel: usize,
    spans: Vec<Span>,
}

impl SpanSlice {
    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Adds the run's contribution to the means of a row of pixels; `weight` multiplies its columns.
    pub(super) fn add(&self, columns: &[f64], weight: f64, row: &mut [f32]) {
        let pixels = row[self.first_pixel..].iter_mut().zip(&self.spans);
        if self.nearest {
            for (pixel, span) in pixels {
                *pixel = (columns[span.first] * weight) as f32;
            }
            return;
        }
        for (pixel, span) in pixels {
            let columns = &columns[span.first..=span.last];
            let sum = sum(columns);
            let cut = span.before * columns[0] + span.after * columns[columns.len() - 1];
            *pixel += ((sum - cut) * (span.weight * weight)) as f32;
        }
    }
}

/// Adds numbers in four independent partial sums, since the additions of a single sum would wait for each other.
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

    fn within(&self, columns: &Range<usize>) -> Self {
        let begins = self.first >= columns.start;
        let ends = self.last < columns.end;
        Self {
            first: self.first.max(columns.start) - columns.start,
            last: self.last.min(columns.end - 1) - columns.start,
            before: if begins { self.before } else { 0.0 },
            after: if ends { self.after } else { 0.0 },
            weight: self.weight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Layout;
    use crate::assert_close::assert_close;

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
    fn slices_add_up_to_the_whole() {
        let encoding = Sinusoidal::new(1000, 10_000.0, Layout::Concatenated);
        for width in [1, 7, 300, 3000] {
            let spans = Spans::new(&encoding, 0.0..1000.0, width);
            let mut row = vec![0.0; width];
            for start in (0..1000).step_by(64) {
                let columns = start..(start + 64).min(1000);
                let slice = spans.slice(columns.clone());
                slice.add(&vec![1.0; columns.len()], 1.0, &mut row);
            }
            for pixel in row {
                assert_close(f64::from(pixel), 1.0, 1e-6);
            }
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
