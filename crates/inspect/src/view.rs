//! A table as stored or transposed, with the rows of zeros that comparisons leave out.

use crate::precision::Precision;
use crate::table::Table;
use posenc_sort::nth;

/// Cells larger than this multiple of the 95th percentile of the absolute values are treated as errors.
const OUTLIER: f64 = 4.0;
/// Cells that are sampled, up to twice as many, to determine their magnitude and precision.
const SAMPLED: usize = 20_000;

/// Orientation, extent and precision of a table, as needed to search for its formula.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub transposed: bool,
    pub rows: usize,
    pub columns: usize,
    /// Rows of zeros before `end`, in ascending order.
    pub zero_rows: Vec<usize>,
    /// The first of the rows of zeros at the end; the number of rows if there are none.
    pub end: usize,
    /// Cells with a larger absolute value are left out while formulas are fitted.
    limit: f64,
    /// The coarsest format that represents all sampled cells exactly.
    pub precision: Precision,
    /// The largest error that rounding alone causes in a stored number below 1.
    pub rounding: f64,
}

impl View {
    pub fn new(table: &Table) -> View {
        let every = (table.values().len() / SAMPLED).max(1);
        let some = table.values().iter().copied().step_by(every);
        let finite = some.filter(|it| it.is_finite());
        let sizes = finite.clone().filter(|it| *it != 0.0).map(f64::abs);
        let mut sizes: Vec<f64> = sizes.collect();
        let place = sizes.len() * 19 / 20;
        let large = nth(&mut sizes, place);
        let holds = |precision: &Precision| finite.clone().all(|it| precision.round(it) == it);
        let precision = Precision::ALL.into_iter().find(holds);
        let precision = precision.unwrap_or(Precision::F64);
        let decimal = table.storage().decimal_error(large.unwrap_or(1.0));
        let rounding = decimal.max(precision.half_unit());
        let view = View {
            transposed: false,
            rows: 0,
            columns: 0,
            zero_rows: Vec::new(),
            end: 0,
            limit: OUTLIER * large.unwrap_or(1.0),
            precision,
            rounding,
        };
        view.turned(table, false)
    }

    /// Returns the view of the same table as stored or transposed.
    pub fn turned(&self, table: &Table, transposed: bool) -> View {
        let (rows, columns) = match transposed {
            false => (table.rows(), table.columns()),
            true => (table.columns(), table.rows()),
        };
        let at = |row, column| at(table, transposed, row, column);
        let is_zero = |row: &usize| (0..columns).all(|column| at(*row, column) == 0.0);
        let zeros: Vec<usize> = (0..rows).filter(is_zero).collect();
        let mut end = rows;
        while end > 0 && zeros.binary_search(&(end - 1)).is_ok() {
            end -= 1;
        }
        View {
            transposed,
            rows,
            columns,
            zero_rows: zeros.into_iter().filter(|row| *row < end).collect(),
            end,
            ..*self
        }
    }

    pub fn at(&self, table: &Table, row: usize, column: usize) -> f64 {
        at(table, self.transposed, row, column)
    }

    /// Returns the number in a cell; `None` if it is NaN, infinite or far larger than nearly all others.
    pub fn credible(&self, table: &Table, row: usize, column: usize) -> Option<f64> {
        let value = self.at(table, row, column);
        (value.abs() <= self.limit).then_some(value)
    }

    /// Returns whether a row takes part in comparisons: it is not a row of zeros.
    pub fn counts(&self, row: usize) -> bool {
        row < self.end && self.zero_rows.binary_search(&row).is_err()
    }

    /// Returns all columns, or `most` of them in adjacent pairs spread over the whole width, plus the last column if the
    /// width is odd.
    pub fn some_columns(&self, most: usize) -> Vec<usize> {
        if self.columns <= most {
            return (0..self.columns).collect();
        }
        let pairs = most / 2;
        let last = self.columns / 2 - 1;
        let mut columns: Vec<usize> = (0..pairs)
            .flat_map(|at| {
                let pair = at * last / (pairs - 1);
                [2 * pair, 2 * pair + 1]
            })
            .collect();
        if self.columns % 2 == 1 {
            columns.push(self.columns - 1);
        }
        columns
    }
}

fn at(table: &Table, transposed: bool, row: usize, column: usize) -> f64 {
    match transposed {
        false => table.at(row, column),
        true => table.at(column, row),
    }
}
