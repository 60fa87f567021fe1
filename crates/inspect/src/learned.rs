//! Statistics of a table that follows no formula: whether it looks learned or computed.

use crate::rows::dot;
use crate::table::Table;
use crate::view::View;

/// Maximum number of rows examined, from row 0.
const ROWS: usize = 512;
/// Rows whose nearest row is searched for in one step.
const PER_STEP: usize = 4;

/// Counts, a few rows per step, the rows whose nearest other row (Euclidean distance) is adjacent.
#[derive(Debug)]
pub(crate) struct NearestRows {
    rows: usize,
    columns: Vec<usize>,
    /// The numbers of the rows minus the means of their columns, row-major, and the sum of the squares of each row; NaN for one
    /// with numbers that are not finite.
    numbers: Vec<f64>,
    squares: Vec<f64>,
    /// Index of the next row to examine.
    next: usize,
    examined: usize,
    adjacent: usize,
}

impl NearestRows {
    pub fn new(view: &View) -> NearestRows {
        NearestRows {
            rows: view.end.min(ROWS),
            columns: view.some_columns(512),
            numbers: Vec::new(),
            squares: Vec::new(),
            next: 0,
            examined: 0,
            adjacent: 0,
        }
    }

    /// Runs one step; returns `false` when all rows are done.
    pub fn step(&mut self, table: &Table, view: &View) -> bool {
        let width = self.columns.len();
        if self.numbers.is_empty() {
            let cells =
                (0..self.rows).flat_map(|row| self.columns.iter().map(move |it| (row, *it)));
            let numbers = cells.map(|(row, column)| view.at(table, row, column));
            self.numbers = numbers.collect();
            subtract_means(&mut self.numbers, width);
            let rows = self.numbers.chunks(width);
            self.squares = rows.map(|row| dot(row, row)).collect();
        }
        let row = |row: usize| &self.numbers[row * width..(row + 1) * width];
        // Rows without a finite number in common are infinitely far apart, and rows of zeros are padding.
        let distance = |a: usize, b: usize| {
            let both = self.squares[a] + self.squares[b];
            if both.is_finite() {
                return (both - 2.0 * dot(row(a), row(b))).max(0.0);
            }
            let both = row(a).iter().zip(row(b));
            let squares = both.map(|(a, b)| (a - b) * (a - b));
            let finite = squares.filter(|it| it.is_finite());
            finite.reduce(|sum, it| sum + it).unwrap_or(f64::INFINITY)
        };
        let end = (self.next + PER_STEP).min(self.rows);
        for a in (self.next..end).filter(|a| view.counts(*a)) {
            let others = (0..self.rows).filter(|b| *b != a && view.counts(*b));
            let others = others.map(|b| (b, distance(a, b)));
            let nearest = others.min_by(|(_, b), (_, c)| b.total_cmp(c));
            let Some((b, _)) = nearest.filter(|(_, distance)| distance.is_finite()) else {
                continue;
            };
            self.examined += 1;
            self.adjacent += usize::from(a.abs_diff(b) == 1);
        }
        self.next = end;
        end < self.rows
    }

    /// Returns the share of the rows whose nearest other row is adjacent; `None` for fewer than four rows. In noise,
    /// the expected share is 2 / rows.
    pub fn share(&self) -> Option<f64> {
        (self.examined >= 4).then(|| self.adjacent as f64 / self.examined as f64)
    }
}

/// Subtracts the mean of each column, of which products of rows would otherwise lose their last digits.
fn subtract_means(numbers: &mut [f64], width: usize) {
    for column in 0..width {
        let finite = numbers.iter().skip(column).step_by(width);
        let finite = finite.filter(|it| it.is_finite());
        let (sum, count) = finite.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
        let mean = sum / f64::max(count, 1.0);
        for it in numbers.iter_mut().skip(column).step_by(width) {
            *it -= mean;
        }
    }
}

/// Returns whether the table looks computed: all rows have the same norm, within a thousandth, or at least a quarter of
/// the columns reach 98 % of the largest absolute value, as sines and cosines do.
pub(crate) fn looks_computed(table: &Table, view: &View) -> bool {
    let rows = (0..view.end.min(ROWS)).filter(|row| view.counts(*row));
    let lengths = rows.clone().map(|row| {
        let squares = (0..view.columns).map(|column| view.at(table, row, column).powi(2));
        squares.filter(|it| it.is_finite()).sum::<f64>().sqrt()
    });
    let (low, high) = lengths.fold((f64::INFINITY, 0.0_f64), |(low, high), it| {
        (low.min(it), high.max(it))
    });
    let columns = view.some_columns(256).into_iter();
    let reach = columns.map(|column| {
        let sizes = rows.clone().map(|row| view.at(table, row, column).abs());
        sizes.filter(|it| it.is_finite()).fold(0.0, f64::max)
    });
    let reach: Vec<f64> = reach.collect();
    let farthest = reach.iter().copied().fold(0.0, f64::max);
    let as_far = reach.iter().filter(|it| **it >= 0.98 * farthest).count();
    high - low <= 1e-3 * high || 4 * as_far >= reach.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Precision, Storage};

    fn share(rows: &[[f64; 2]]) -> Option<f64> {
        let storage = Storage::Binary(Precision::F64);
        let table = Table::new((rows.len(), 2), rows.concat(), storage).unwrap();
        let view = View::new(&table);
        let mut neighbours = NearestRows::new(&view);
        while neighbours.step(&table, &view) {}
        neighbours.share()
    }

    #[test]
    fn rows_without_numbers_and_padding_are_nobody_s_neighbours() {
        let line = [1.0, 2.0, 3.0, 4.0, 5.0].map(|it| [it, 0.5 * it]);
        assert_eq!(share(&line), Some(1.0));
        let with = |more: [f64; 2]| [&line[..2], &[more][..], &line[2..]].concat();
        assert_eq!(share(&with([f64::NAN; 2])), Some(0.8));
        assert_eq!(share(&with([0.0; 2])), Some(0.8));
        assert_eq!(share(&[[f64::NAN; 2]; 6]), None);
        // In products of these numbers, their differences would be lost.
        assert_eq!(
            share(&line.map(|row| row.map(|it| 1e9 + 0.01 * it))),
            Some(1.0)
        );
    }
}
