//! What can be said of a table that follows no formula.

use crate::table::Table;
use crate::view::View;

/// Rows whose neighbours are sought, and rows that are sought among.
const ASKED: usize = 32;
const AMONG: usize = 512;

/// The share of rows, of those asked, whose nearest other row is one of the two beside it; `None` of fewer than four
/// rows. In noise it is 2 in the number of rows.
pub(crate) fn nearest_is_neighbour(table: &Table, view: &View) -> Option<f64> {
    let rows = view.end.min(AMONG);
    if rows < 4 {
        return None;
    }
    let columns = view.some_columns(256);
    let row = |row: usize| {
        columns
            .iter()
            .map(move |column| view.at(table, row, *column))
    };
    let distance = |a: usize, b: usize| {
        let squares = row(a).zip(row(b)).map(|(a, b)| (a - b) * (a - b));
        squares.filter(|it| it.is_finite()).sum::<f64>()
    };
    let asked = rows.min(ASKED);
    let alike = (0..asked).filter(|at| {
        let a = at * (rows - 1) / (asked - 1).max(1);
        let others = (0..rows).filter(|b| *b != a);
        let nearest = others.min_by(|b, c| distance(a, *b).total_cmp(&distance(a, *c)));
        nearest.is_some_and(|b| a.abs_diff(b) == 1)
    });
    Some(alike.count() as f64 / asked as f64)
}

/// Whether it looks computed: all rows have the same length, within a thousandth, or many columns go just as far as
/// the one that goes farthest, as waves do.
pub(crate) fn looks_computed(table: &Table, view: &View) -> bool {
    let rows = (0..view.end.min(AMONG)).filter(|row| view.counts(*row));
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
