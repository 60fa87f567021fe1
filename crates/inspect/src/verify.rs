//! Compares all cells of a table with one formula, in slices of rows.

use crate::arithmetic::{Arithmetic, Rounding, storage_bound};
use crate::fit::{Fitted, Scale};
use crate::formula::{Formula, Waves};
use crate::precision::Precision;
use crate::report::{Cell, Report, Residual};
use crate::table::Table;
use crate::tolerance::Tolerance;
use crate::view::View;

/// Of a column: the factor (or divisor) of the position, and whether it is a sine; `None` for a column of zeros.
type Wave = Option<(f64, bool)>;

/// The largest share of wrong cells in a table that follows a formula.
const MAX_CORRUPT: f64 = 0.002;

/// Looks for cells that are not those of a formula as code and the file round them; if there is none, the formula is proven.
#[derive(Debug)]
pub(crate) struct Proof {
    tolerance: Tolerance,
    /// Number of rounding errors of the angles in each column.
    roundings: Vec<f64>,
    /// Number of cells that are another number, and the first of them.
    pub differing: usize,
    pub first: Option<Cell>,
}

impl Proof {
    fn new(tolerance: Tolerance, waves: &[Wave]) -> Proof {
        let roundings = waves.iter().map(|wave| match wave {
            Some((frequency, _)) => Tolerance::roundings(*frequency),
            None => 0.0,
        });
        Proof {
            tolerance,
            roundings: roundings.collect(),
            differing: 0,
            first: None,
        }
    }

    /// Returns whether a cell is the expected one, the sine or cosine of an angle, and counts it if not.
    fn accepts(&mut self, cell: &Cell, angle: f64) -> bool {
        let roundings = self
            .roundings
            .get(cell.dimension)
            .copied()
            .unwrap_or_default();
        let Cell {
            found, expected, ..
        } = *cell;
        let accepted = self.tolerance.accepts(found, expected, angle, roundings);
        if !accepted {
            self.differing += 1;
            self.first.get_or_insert(*cell);
        }
        accepted
    }
}

/// Accumulates the residuals, row by row.
#[derive(Debug)]
pub(crate) struct Verification {
    fitted: Fitted,
    arithmetic: Arithmetic,
    waves: Vec<Wave>,
    next: usize,
    cells: usize,
    squares: f64,
    largest: f64,
    /// Sum of squared residuals of the cells within the rounding bound.
    close_squares: f64,
    /// Number of cells whose residual exceeds the rounding bound, and the first of them.
    pub beyond: usize,
    pub first_beyond: Option<Cell>,
    stored: f64,
    per_radian: f64,
    /// Of the correct table but for its base and width; `None` for other formulas, and for angles in half precision.
    pub proof: Option<Proof>,
}

impl Verification {
    pub fn new(table: &Table, view: &View, fitted: Fitted, arithmetic: Arithmetic) -> Verification {
        let factor = fitted.scale.factor.abs();
        let per_radian = match arithmetic.precision {
            Some(Precision::F64) => 1e-13,
            // Frequencies computed by `exp` are less accurate than those computed by `pow`.
            Some(Precision::F32) | None => 0.5_f64.powi(20),
            Some(_) => 0.5,
        };
        let waves = (0..view.columns).map(|column| {
            let wave = fitted.formula.column(view.columns, column)?;
            let factor = arithmetic.rounding.factor(&fitted.formula, wave.exponent);
            Some((factor, wave.sine))
        });
        let waves: Vec<Wave> = waves.collect();
        let formula = fitted.formula;
        let corrected = Formula {
            base: formula.base,
            divisor: formula.divisor,
            ..formula.corrected(view.columns)
        };
        let is_right = formula == corrected
            && formula.waves == Waves::Both
            && fitted.scale == Scale::ONE
            && arithmetic.rounding == Rounding::EXACT;
        let tolerance = Tolerance::new(table, view, &arithmetic);
        let proof = is_right.then(|| Proof::new(tolerance, &waves));
        Verification {
            waves,
            next: 0,
            cells: 0,
            squares: 0.0,
            largest: 0.0,
            close_squares: 0.0,
            beyond: 0,
            first_beyond: None,
            // Sines in single precision may be off by a unit in the last place, and are rounded again when they are scaled.
            stored: 4.0 * storage_bound(view, &fitted) + 1e-14 * factor,
            per_radian: per_radian * factor,
            proof,
            fitted,
            arithmetic,
        }
    }

    /// Compares about `cells` more cells; returns `false` when all are done, or so many are wrong that the formula cannot hold.
    pub fn step(&mut self, table: &Table, view: &View, cells: usize) -> bool {
        let rows = (cells / view.columns.max(1)).max(1);
        let end = self.next.saturating_add(rows).min(view.end);
        for row in self.next..end {
            if view.counts(row) {
                self.row(table, view, row);
            }
        }
        self.next = end;
        let all = (view.end * view.columns) as f64;
        end < view.end && self.beyond as f64 <= MAX_CORRUPT * all
    }

    /// Returns the share of the rows that have been compared, from 0 to 1.
    pub fn progress(&self, view: &View) -> f64 {
        self.next as f64 / view.end.max(1) as f64
    }

    fn row(&mut self, table: &Table, view: &View, row: usize) {
        let position = self.fitted.formula.position(row);
        let rounding = self.arithmetic.rounding;
        let scale = self.fitted.scale;
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
            let cell = Cell {
                position: row,
                dimension: column,
                found,
                expected,
            };
            let proven = self
                .proof
                .as_mut()
                .is_some_and(|it| it.accepts(&cell, angle));
            if proven || far <= self.stored + self.per_radian * (angle.abs() + 0.25).min(4096.0) {
                self.close_squares += far * far;
            } else {
                self.beyond += 1;
                self.first_beyond.get_or_insert(cell);
            }
        }
    }

    /// Returns the residual over all cells that have been compared.
    pub fn residual(&self) -> Residual {
        Residual {
            max: self.largest,
            rms: (self.squares / self.cells.max(1) as f64).sqrt(),
        }
    }

    /// Returns the root mean square residual of the cells within the rounding bound, divided by that of the scaled wave.
    pub fn close_rms(&self) -> f64 {
        let close = (self.cells - self.beyond).max(1) as f64;
        (self.close_squares / close).sqrt() / (self.fitted.scale.factor / std::f64::consts::SQRT_2)
    }

    /// Returns whether so few cells can be wrong in a table that follows a formula.
    pub fn is_few(&self, cells: usize) -> bool {
        cells <= 1 || cells as f64 <= MAX_CORRUPT * self.cells as f64
    }

    /// Returns whether all cells but a few are proven to be those of the formula.
    pub fn is_proven(&self) -> bool {
        let proof = self.proof.as_ref();
        proof.is_some_and(|proof| self.is_few(proof.differing))
    }

    /// Returns the proof, if the formula is that of the correct table.
    pub fn proof_of_correct(&self, columns: usize) -> Option<&Proof> {
        let formula = self.fitted.formula;
        let proof = self.proof.as_ref();
        proof.filter(|_| formula == formula.corrected(columns))
    }

    pub fn fitted(&self) -> &Fitted {
        &self.fitted
    }

    pub fn arithmetic(&self) -> &Arithmetic {
        &self.arithmetic
    }
}

/// The correct table that corresponds to a formula with a mistake in it: the paper's in the same order, or tensor2tensor's;
/// for a RoPE cache, the one with the same base.
#[derive(Debug)]
pub struct CorrectTable {
    waves: Vec<Wave>,
    /// The position of row 0.
    start: f64,
    grid: Option<Grid>,
}

/// Rows that are the positions of a grid, each axis with a block of the columns.
#[derive(Debug)]
struct Grid {
    special_rows: usize,
    /// Of each column, the rows with the same position in sequence, and the number of positions until they begin again.
    axes: Vec<(usize, usize)>,
}

impl CorrectTable {
    /// Creates the correct table for a formula and a number of columns, which are dimensions also if the file is transposed.
    pub fn new(formula: &Formula, columns: usize) -> CorrectTable {
        let correct = formula.corrected(columns);
        let waves = (0..columns).map(|column| {
            let wave = correct.column(columns, column)?;
            Some((correct.frequency(wave.exponent), wave.sine))
        });
        CorrectTable {
            waves: waves.collect(),
            start: correct.position(0),
            grid: None,
        }
    }

    /// Creates the correct table for a report: the paper's if no formula was recognised.
    pub fn of(report: &Report, columns: usize) -> CorrectTable {
        let formula = report.formula.unwrap_or(Formula::paper(columns));
        let Some(axes) = &report.axes else {
            return CorrectTable::new(&formula, columns);
        };
        let blocks = axes.by_block();
        let width = columns / blocks.len().max(1);
        let of_block = CorrectTable::new(&formula, width);
        let (mut waves, mut axis_of) = (vec![None; columns], vec![(1, 1); columns]);
        for (block, axis) in blocks.iter().enumerate() {
            for (column, wave) in of_block.waves.iter().enumerate() {
                let at = formula.column_of_block((blocks.len(), width), block, column);
                if let (Some(own), Some(along)) = (waves.get_mut(at), axis_of.get_mut(at)) {
                    (*own, *along) = (*wave, *axis);
                }
            }
        }
        CorrectTable {
            waves,
            start: of_block.start,
            grid: Some(Grid {
                special_rows: axes.special_rows,
                axes: axis_of,
            }),
        }
    }

    /// Returns the number in a row and a dimension: 0 beyond the last dimension, and NaN in a row that has no position.
    pub fn at(&self, row: usize, dimension: usize) -> f64 {
        self.value_and_angle(row, dimension).0
    }

    fn value_and_angle(&self, row: usize, dimension: usize) -> (f64, f64) {
        let Some(Some((frequency, sine))) = self.waves.get(dimension) else {
            return (0.0, 0.0);
        };
        let position = match &self.grid {
            None => row as f64,
            Some(grid) => match (row.checked_sub(grid.special_rows), grid.axes.get(dimension)) {
                (Some(row), Some((stride, size))) => (row / stride % size) as f64,
                _ => f64::NAN,
            },
        };
        let angle = (self.start + position) * frequency;
        (if *sine { angle.sin() } else { angle.cos() }, angle)
    }
}

/// Searches for the first cell that differs from the correct table.
#[derive(Debug)]
pub(crate) struct Comparison {
    correct: CorrectTable,
    proof: Proof,
    next: usize,
}

impl Comparison {
    /// Creates the search; `not_finite` tells whether a cell is NaN or infinite. If the formula is the correct one, the
    /// search begins at the first row that the verification found wrong or left out.
    pub fn new(
        table: &Table,
        view: &View,
        verification: &Verification,
        not_finite: bool,
    ) -> Comparison {
        let formula = verification.fitted.formula;
        let proof = verification.proof_of_correct(view.columns);
        let first = proof.filter(|_| !not_finite).map(|proof| {
            let rows = [
                proof.first.map(|cell| cell.position),
                view.zero_rows.first().copied(),
            ];
            rows.into_iter().flatten().min().unwrap_or(view.end)
        });
        let correct = CorrectTable::new(&formula, view.columns);
        let tolerance = Tolerance::new(table, view, &verification.arithmetic);
        Comparison {
            proof: Proof::new(tolerance, &correct.waves),
            correct,
            next: first.unwrap_or_default(),
        }
    }

    /// Returns the first cell that differs; `None` before it is found.
    pub fn found(&self) -> Option<Cell> {
        self.proof.first
    }

    /// Compares about `cells` more cells; returns `false` when the cell is found, or when all are done.
    pub fn step(&mut self, table: &Table, view: &View, cells: usize) -> bool {
        let rows = (cells / view.columns.max(1)).max(1);
        let end = self.next.saturating_add(rows).min(view.rows);
        for position in self.next..end {
            for dimension in 0..view.columns {
                let (expected, angle) = self.correct.value_and_angle(position, dimension);
                let cell = Cell {
                    position,
                    dimension,
                    found: view.at(table, position, dimension),
                    expected,
                };
                if !self.proof.accepts(&cell, angle) {
                    return false;
                }
            }
        }
        self.next = end;
        end < view.rows
    }
}
