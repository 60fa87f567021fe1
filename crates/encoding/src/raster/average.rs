//! Means of tables without a closed form: the cells under each pixel are computed and added up.

use std::ops::Range;

use super::Raster;
use crate::PositionTable;

impl Raster {
    /// The mean over the cells under each pixel, `height` rows of `width` numbers; cells at a pixel's edges count by the
    /// part that is covered. The window is given in cells, cell p is \[p, p + 1); what lies outside the table is cut off.
    pub(crate) fn average<C: PositionTable + ?Sized>(
        &mut self,
        table: &C,
        positions: Range<f64>,
        dimensions: Range<f64>,
        (width, height): (usize, usize),
    ) -> &[f32] {
        let d_model = table.d_model();
        let columns: Vec<_> = covers(dimensions, width, d_model).collect();
        let mut row = vec![0.0; d_model];
        let mut sums = vec![0.0; d_model];
        self.values.clear();
        for rows in covers(positions, height, table.max_len()) {
            sums.fill(0.0);
            for (position, share) in rows.cells() {
                table.rows_f64(position..position + 1, &mut row);
                for (sum, value) in sums.iter_mut().zip(&row) {
                    *sum += share * value;
                }
            }
            self.values.extend(columns.iter().map(|columns| {
                let sum: f64 = columns.cells().map(|(c, share)| share * sums[c]).sum();
                (sum / (rows.length() * columns.length())) as f32
            }));
        }
        &self.values
    }
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
