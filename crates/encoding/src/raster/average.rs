//! Means of tables without a closed form, by computing the cells under each pixel.

use std::ops::Range;

use super::HeatmapSampler;
use crate::PositionTable;

/// Approximate number of cells computed per image, kept by skipping rows.
const BUDGET: f64 = 4_194_304.0;

impl HeatmapSampler {
    /// Returns the mean of the cells under each pixel, `height` rows of `width` numbers; cells at a pixel's edges are
    /// weighted by the covered fraction. If the window has more than [`BUDGET`] cells, only every second, third, … row is
    /// used. The window is in cells, cell p being \[p, p + 1), and is clipped to the table.
    pub(crate) fn average<C: PositionTable + ?Sized>(
        &mut self,
        table: &C,
        positions: Range<f64>,
        dimensions: Range<f64>,
        (width, height): (usize, usize),
    ) -> &[f32] {
        let d_model = table.d_model();
        let columns: Vec<_> = covers(dimensions, width, d_model).collect();
        let stride = stride(&positions, table.max_len(), d_model);
        let mut row = vec![0.0; d_model];
        let mut sums = vec![0.0; d_model];
        self.values.clear();
        for rows in covers(positions, height, table.max_len()) {
            sums.fill(0.0);
            let mut counted = 0.0;
            for (position, share) in rows.cells().step_by(stride) {
                counted += share;
                table.rows_f64(position..position + 1, &mut row);
                for (sum, value) in sums.iter_mut().zip(&row) {
                    *sum += share * value;
                }
            }
            let length = if stride == 1 { rows.length() } else { counted };
            self.values.extend(columns.iter().map(|columns| {
                let sum: f64 = columns.cells().map(|(c, share)| share * sums[c]).sum();
                (sum / (length * columns.length())) as f32
            }));
        }
        &self.values
    }
}

/// Returns the distance between the rows that are used.
fn stride(window: &Range<f64>, max_len: usize, d_model: usize) -> usize {
    let rows = window.end.min(max_len as f64) - window.start.max(0.0);
    (rows * d_model as f64 / BUDGET).ceil().max(1.0) as usize
}

/// The range of cells that a pixel covers along one axis.
struct Cover(Range<f64>);

impl Cover {
    fn length(&self) -> f64 {
        self.0.end - self.0.start
    }

    /// Returns the cells under the pixel and the covered fraction of each.
    fn cells(&self) -> impl Iterator<Item = (usize, f64)> {
        let Range { start, end } = self.0;
        (start as usize..end.ceil() as usize).map(move |cell| {
            let (from, to) = (start.max(cell as f64), end.min(cell as f64 + 1.0));
            (cell, to - from)
        })
    }
}

/// Clips the window to the table and divides it equally among the pixels.
fn covers(window: Range<f64>, pixels: usize, cells: usize) -> impl Iterator<Item = Cover> {
    let (start, end) = (window.start.max(0.0), window.end.min(cells as f64));
    let edge = move |pixel: usize| start + (end - start) * pixel as f64 / pixels as f64;
    (0..pixels).map(move |pixel| Cover(edge(pixel)..edge(pixel + 1)))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::MAX_LEN;
    use crate::assert_close::assert_close;

    /// A table that rises from 0 to 1 along positions and counts the calls of `value`.
    #[derive(Debug)]
    struct Ramp(Cell<usize>);

    impl PositionTable for Ramp {
        fn d_model(&self) -> usize {
            64
        }

        fn value(&self, position: i64, _: usize) -> Option<f64> {
            self.0.set(self.0.get() + 1);
            Some(position as f64 / MAX_LEN as f64)
        }
    }

    #[test]
    fn a_long_table_takes_no_longer_than_a_moment() {
        let (ramp, mut sampler) = (Ramp(Cell::new(0)), HeatmapSampler::new());
        let (rows, columns) = (0.0..MAX_LEN as f64, 0.0..64.0);
        let means = sampler.average(&ramp, rows, columns, (2, 100)).to_vec();
        assert!(ramp.0.get() <= 5_000_000, "{}", ramp.0.get());
        for (index, mean) in means.chunks(2).enumerate() {
            // A pixel covers a hundredth of the ramp; some of its 10 000 rows are skipped.
            assert_close(f64::from(mean[1]), (index as f64 + 0.5) / 100.0, 1e-4);
        }
    }
}
