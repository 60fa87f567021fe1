//! All cells of a table against one formula, in slices of rows.

use crate::arithmetic::{Arithmetic, storage_bound};
use crate::fit::Fitted;
use crate::half::Precision;
use crate::report::{Cell, Residual};
use crate::table::Table;
use crate::view::View;

/// Of a column: what positions are multiplied by, and the kind of wave; `None` is zero everywhere.
type Wave = Option<(f64, bool)>;

/// Goes through the rows, adding up what is left over.
#[derive(Debug)]
pub(crate) struct Verification {
    fitted: Fitted,
    arithmetic: Arithmetic,
    waves: Vec<Wave>,
    next: usize,
    cells: usize,
    squares: f64,
    largest: f64,
    /// The same of the cells within the bound.
    close_squares: f64,
    /// Cells beyond what rounding explains, and the first of them.
    pub beyond: usize,
    pub first_beyond: Option<Cell>,
    stored: f64,
    per_radian: f64,
}

impl Verification {
    pub fn new(view: &View, fitted: Fitted, arithmetic: Arithmetic) -> Verification {
        let factor = fitted.scale.factor.abs();
        let per_radian = match arithmetic.precision {
            Some(Precision::F64) => 1e-13,
            // Frequencies from an exponential are less accurate than from a power.
            Some(Precision::F32) | None => 0.5_f64.powi(20),
            Some(_) => 0.5,
        };
        let waves = (0..view.columns).map(|column| {
            let wave = fitted.formula.column(view.columns, column)?;
            let factor = arithmetic.rounding.factor(&fitted.formula, wave.exponent);
            Some((factor, wave.sine))
        });
        Verification {
            waves: waves.collect(),
            next: 0,
            cells: 0,
            squares: 0.0,
            largest: 0.0,
            close_squares: 0.0,
            beyond: 0,
            first_beyond: None,
            // Sines of single precision may be off by a unit, and are rounded once more when they are scaled.
            stored: 4.0 * storage_bound(view, &fitted) + 1e-14 * factor,
            per_radian: per_radian * factor,
            fitted,
            arithmetic,
        }
    }

    /// Takes about so many cells; false when all are done.
    pub fn step(&mut self, table: &Table, view: &View, cells: usize) -> bool {
        let rows = (cells / view.columns.max(1)).max(1);
        let end = self.next.saturating_add(rows).min(view.end);
        for row in self.next..end {
            if view.counts(row) {
                self.row(table, view, row);
            }
        }
        self.next = end;
        end < view.end
    }

    /// From 0 to 1.
    pub fn progress(&self, view: &View) -> f64 {
        self.next as f64 / view.end.max(1) as f64
    }

    fn row(&mut self, table: &Table, view: &View, row: usize) {
        let Verification {
            fitted, arithmetic, ..
        } = self;
        let position = fitted.formula.position(row);
        let rounding = arithmetic.rounding;
        let scale = fitted.scale;
        for (column, wave) in self.waves.iter().enumerate() {
            let found = view.at(table, row, column);
            if !found.is_finite() {
                continue;
            }
            let (expected, angle) = match wave {
                None => (scale.offset, 0.0),
                Some((factor, sine)) => {
                    let angle = rounding.angle(position, *factor);
                    let value = if *sine { angle.sin() } else { angle.cos() };
                    (scale.apply(*sine, value), angle)
                }
            };
            let far = (found - expected).abs();
            self.cells += 1;
            self.squares += far * far;
            self.largest = self.largest.max(far);
            if far <= self.stored + self.per_radian * (angle.abs() + 0.25).min(4096.0) {
                self.close_squares += far * far;
            } else {
                self.beyond += 1;
                self.first_beyond.get_or_insert(Cell {
                    position: row,
                    dimension: column,
                    found,
                    expected,
                });
            }
        }
    }

    /// What is left over of all cells.
    pub fn residual(&self) -> Residual {
        Residual {
            max: self.largest,
            rms: (self.squares / self.cells.max(1) as f64).sqrt(),
        }
    }

    /// Root mean square over the cells within what rounding explains, over that of the formula.
    pub fn close_rms(&self) -> f64 {
        let close = (self.cells - self.beyond).max(1) as f64;
        (self.close_squares / close).sqrt() / (self.fitted.scale.factor / std::f64::consts::SQRT_2)
    }

    /// Cells beyond what rounding explains, as a share.
    pub fn share_beyond(&self) -> f64 {
        self.beyond as f64 / self.cells.max(1) as f64
    }

    pub fn fitted(&self) -> &Fitted {
        &self.fitted
    }

    pub fn arithmetic(&self) -> &Arithmetic {
        &self.arithmetic
    }

    /// How far a cell of this angle may be from the correct table.
    pub fn tolerance(&self, angle: f64) -> f64 {
        // Against the correct table half precision is no excuse.
        let per_radian = self.per_radian.min(0.5_f64.powi(20));
        self.stored + per_radian * (angle.abs() + 0.25)
    }
}
