//! Statistics of a table that follows no formula: whether it looks learned or computed.

use crate::table::Table;
use crate::view::View;

/// Maximum number of rows examined, from row 0.
const ROWS: usize = 512;
/// Rows whose nearest row is searched for in one step.
const PER_STEP: usize = 4;

/// Counts, a few rows per step, the rows whose nearest other row (Euclidean distance) is adjacent.
#[derive(Debug)]
pub(crate) struct Neighbours {
    rows: usize,
    columns: Vec<usize>,
    asked: usize,
    alike: usize,
}

impl Neighbours {
    pub fn new(view: &View) -> Neighbours {
        Neighbours {
            rows: view.end.min(ROWS),
            columns: view.some_columns(512),
            asked: 0,
            alike: 0,
        }
    }

    /// Runs one step; returns `false` when all rows are done.
    pub fn step(&mut self, table: &Table, view: &View) -> bool {
        let row = |row: usize| {
            let columns = self.columns.iter();
            columns.map(move |column| view.at(table, row, *column))
        };
        let distance = |a: usize, b: usize| {
            let squares = row(a).zip(row(b)).map(|(a, b)| (a - b) * (a - b));
            squares.filter(|it| it.is_finite()).sum::<f64>()
        };
        let end = (self.asked + PER_STEP).min(self.rows);
        let alike = (self.asked..end).filter(|a| {
            let others = (0..self.rows).filter(|b| b != a);
            let others = others.map(|b| (b, distance(*a, b)));
            let nearest = others.min_by(|(_, b), (_, c)| b.total_cmp(c));
            nearest.is_some_and(|(b, _)| a.abs_diff(b) == 1)
        });
        self.alike += alike.count();
        self.asked = end;
        end < self.rows
    }

    /// Returns the share of the rows whose nearest other row is adjacent; `None` for fewer than four rows. In noise,
    /// the expected share is 2 / rows.
    pub fn share(&self) -> Option<f64> {
        (self.asked >= 4).then(|| self.alike as f64 / self.asked as f64)
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
