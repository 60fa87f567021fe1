//! Means of tables without a closed form: the cells under each pixel are computed and added up.

use std::ops::Range;

use super::HeatmapSampler;
use crate::PositionTable;

/// Numbers that are computed for a picture, about: beyond, not every row is.
const BUDGET: f64 = 4_194_304.0;

impl HeatmapSampler {
    /// The mean over the cells under each pixel, `height` rows of `width` numbers; cells at a pixel's edges count by the
    /// part that is covered. Of more rows than can be computed in a moment every second, third … counts. The window is given in cells, cell p is \[p, p + 1); what lies outside the table is cut off.
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

/// From one row that counts to the next.
fn stride(window: &Range<f64>, max_len: usize, d_model: usize) -> usize {
    let rows = window.end.min(max_len as f64) - window.start.max(0.0);
    (rows * d_model as f64 / BUDGET).ceil().max(1.0) as usize
}

/// What a pixel covers along one axis.
struct Cover(Range<f64>);

impl Cover {
    fn length(&self) -> f64 {
        self.0.end - self.0.start
    }

    /// The cells under the pixel, and how much of each.
    fn cells(&self) -> impl Iterator<Item = (usize, f64)> {
        let Range { start, end } = self.0;
        (start as usize..end.ceil() as usize).map(move |cell| {
            let (from, to) = (start.max(cell as f64), end.min(cell as f64 + 1.0));
            (cell, to - from)
        })
    }
}

/// Equal parts of what lies within the table.
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

    /// Rises from 0 to 1 along the positions, and counts what it is asked for.
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
            // A hundredth of the ramp is a pixel; some of its 10 000 rows are left out.
            assert_close(f64::from(mean[1]), (index as f64 + 0.5) / 100.0, 1e-4);
        }
    }
}
