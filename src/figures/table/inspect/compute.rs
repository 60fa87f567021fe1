//! The inspection of a table in slices of a few milliseconds: a map of its values, the report, a map of its differences
//! from the nearest correct table, the similarity of its rows, and the errors of the best-fit M_k.

use super::phases::Phases;
use super::{LOOKED_AT, MAX_BLOCKS};
use crate::math::held_out::held_out_error;
use posenc_encoding::Matrix;
use posenc_inspect::{CorrectTable, Inspector, Numbers, Report, RowStudy, Table, WaveStudy};
use posenc_sort::argsort;
use std::rc::Rc;

/// Cells per step that are computed from the formula.
const COMPUTED: usize = 40_000;
/// Largest offset for which M_k is fitted.
pub const REACH: usize = 32;
/// With fewer rows than this, no matrix is fitted.
const FEW: usize = 16;
/// Smallest full scale of the map of differences: rounding to 16 bits, with differences of 0.002, remains pale.
const FAINT: f64 = 0.01;

/// A table in at most [`MAX_BLOCKS`] × [`MAX_BLOCKS`] blocks of cells.
pub struct Map {
    pub rows: usize,
    pub columns: usize,
    /// One number per block, row-major.
    pub blocks: Vec<f64>,
    /// The magnitude that has the strongest colour.
    pub most: f64,
    /// Indices of blocks with a number that is NaN or infinite, at most [`MAX_BLOCKS`] of them.
    pub not_finite: Vec<usize>,
    counts: Vec<u32>,
}

impl Map {
    fn of(table: &Table) -> Map {
        let (rows, columns) = (
            table.rows().min(MAX_BLOCKS),
            table.columns().min(MAX_BLOCKS),
        );
        Map {
            rows,
            columns,
            blocks: vec![0.0; rows * columns],
            most: 1.0,
            not_finite: Vec::new(),
            counts: vec![0; rows * columns],
        }
    }

    /// Returns row and column of the block that contains a cell.
    pub fn block(&self, table: &Table, row: usize, column: usize) -> (usize, usize) {
        let part = |at: usize, blocks: usize, all: usize| at * blocks / all.max(1);
        (
            part(row, self.rows, table.rows()),
            part(column, self.columns, table.columns()),
        )
    }

    fn index(&self, table: &Table, row: usize, column: usize) -> usize {
        let (row, column) = self.block(table, row, column);
        row * self.columns + column
    }

    /// Adds a value to the sum of a block, or records the block if the value is not finite.
    fn add(&mut self, at: usize, value: f64) {
        if value.is_finite() {
            self.blocks[at] += value;
            self.counts[at] += 1;
        } else if self.not_finite.last() != Some(&at) && self.not_finite.len() < MAX_BLOCKS {
            self.not_finite.push(at);
        }
    }

    /// Turns sums into means and sets the colour scale; values up to 1, such as sines, have the scale −1 … 1.
    fn finish(&mut self) {
        for (block, count) in self.blocks.iter_mut().zip(&self.counts) {
            *block /= f64::from(*count).max(1.0);
        }
        self.counts = Vec::new();
        let sizes: Vec<f64> = self.blocks.iter().map(|it| it.abs()).collect();
        let order = argsort(&sizes);
        // The 99th percentile: a few outliers must not make all other cells pale.
        let usual = order
            .get(sizes.len() * 99 / 100)
            .map_or(1.0, |at| sizes[*at]);
        self.most = match usual {
            0.0 => 1.0,
            usual if (0.5..=1.001).contains(&usual) => 1.0,
            usual => usual,
        };
    }

    /// Keeps the difference of largest magnitude in a block.
    fn keep(&mut self, at: usize, difference: f64) {
        if difference.abs() > self.blocks[at].abs() {
            self.blocks[at] = difference;
        }
    }
}

/// The similarity of a table's rows, and the errors of the best-fit M_k.
pub struct Rows {
    pub study: RowStudy,
    /// The error of the best-fit M_k on held-out rows, relative to their length, for k from 1 on.
    pub errors: Vec<f64>,
    coordinates: Option<Matrix<f64>>,
}

impl Rows {
    fn of(table: &Table) -> Rows {
        Rows {
            study: RowStudy::new(table.rows(), table.columns()),
            errors: Vec::new(),
            coordinates: None,
        }
    }

    /// Returns the largest offset that is fitted; 0 if there are too few rows.
    pub fn reach(&self) -> usize {
        match self.study.rows() {
            rows if rows < FEW => 0,
            rows => REACH.min(rows / 2),
        }
    }

    /// Returns the number of principal components along which M_k is fitted, on at least twice as many rows.
    pub fn components(&self) -> usize {
        let rows = self.study.rows();
        let found = self.study.coordinates().len();
        found.min((rows - self.reach()) / 4)
    }

    /// Fits the matrix for the next offset; returns false if none is left.
    fn fit(&mut self) -> bool {
        let (rows, components) = (self.study.rows(), self.components());
        if components == 0 || self.errors.len() == self.reach() {
            return false;
        }
        let study = &self.study;
        let coordinates = self.coordinates.get_or_insert_with(|| {
            let columns = study.coordinates();
            Matrix::from_fn(rows, components, |row, i| columns[i][row])
        });
        self.errors
            .push(held_out_error(coordinates, self.errors.len() + 1));
        true
    }
}

enum Stage {
    Values,
    Inspect,
    Phases,
    Differences,
    Rows,
    CorrectRows,
    Done,
}

pub struct Study {
    pub inspector: Inspector,
    stage: Stage,
    /// The next row of the map that is being computed.
    next: usize,
    pub values: Map,
    phases: Option<Phases>,
    /// The table minus the nearest correct one.
    pub differences: Map,
    pub rows: Rows,
    /// The share of the rows whose most similar row is a neighbour.
    pub near: Option<f64>,
    correct: Option<CorrectTable>,
    /// As `rows`, for the nearest correct table.
    pub correct_rows: Rows,
    /// Frequencies and positions, which are measured only if they are shown, and whether they are complete.
    waves: Option<(Option<WaveStudy>, bool)>,
}

impl Study {
    pub fn new(table: impl Into<Rc<Table>>) -> Study {
        let inspector = Inspector::new(table);
        let table = inspector.table();
        Study {
            stage: Stage::Values,
            next: 0,
            values: Map::of(table),
            phases: None,
            differences: Map::of(table),
            rows: Rows::of(table),
            near: None,
            correct: None,
            correct_rows: Rows::of(table),
            waves: None,
            inspector,
        }
    }

    pub fn table(&self) -> &Rc<Table> {
        self.inspector.table()
    }

    pub fn report(&self) -> Option<&Report> {
        self.inspector.report()
    }

    pub fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    /// Whether the map of values and the map of differences are complete.
    pub fn maps(&self) -> [bool; 2] {
        match self.stage {
            Stage::Values => [false, false],
            Stage::Inspect | Stage::Phases | Stage::Differences => [true, false],
            _ => [true, true],
        }
    }

    /// The angles of the table's pairs, or `Some(None)` if it has none; `None` until this is known.
    pub fn phases(&self) -> Option<Option<&Phases>> {
        match self.stage {
            Stage::Values | Stage::Inspect | Stage::Phases => None,
            _ => Some(self.phases.as_ref()),
        }
    }

    /// Progress, 0 … 1.
    pub fn progress(&self) -> f64 {
        let rows = self.table().rows().max(1) as f64;
        let of_rows = |rows: &Rows| rows.errors.len() as f64 / rows.reach().max(1) as f64;
        match self.stage {
            Stage::Values => 0.05 * self.next as f64 / rows,
            Stage::Inspect => 0.05 + 0.55 * self.inspector.progress(),
            Stage::Phases => 0.6,
            Stage::Differences => 0.6 + 0.2 * self.next as f64 / rows,
            Stage::Rows => 0.8 + 0.1 * of_rows(&self.rows),
            Stage::CorrectRows => 0.9 + 0.1 * of_rows(&self.correct_rows),
            Stage::Done => 1.0,
        }
    }

    /// Does the next slice of work; returns false if none was left.
    pub fn step(&mut self) -> bool {
        match self.stage {
            Stage::Values => self.read_values(),
            Stage::Inspect => {
                if !self.inspector.step() {
                    let report = self.inspector.report();
                    self.phases = report.and_then(|it| Phases::new(self.inspector.table(), it));
                    self.stage = Stage::Phases;
                }
            }
            Stage::Phases => {
                let table = self.inspector.table();
                let more = self.phases.as_mut().map(|it| it.step(table));
                if more != Some(true) {
                    self.begin_differences();
                }
            }
            Stage::Differences => self.compare(),
            Stage::Rows => {
                let table = self.inspector.table();
                let numbers = match self.is_transposed() {
                    false => Numbers::Table(table),
                    true => Numbers::Transposed(table),
                };
                if !self.rows.study.step(&numbers) && !self.rows.fit() {
                    self.near = Some(self.rows.study.nearest_is_neighbour());
                    self.stage = Stage::CorrectRows;
                }
            }
            Stage::CorrectRows => {
                let numbers = self.correct.as_ref().map(Numbers::Correct);
                let more = numbers.is_some_and(|it| self.correct_rows.study.step(&it));
                if !more && !self.correct_rows.fit() {
                    self.stage = Stage::Done;
                }
            }
            Stage::Done => return false,
        }
        true
    }

    /// Measures some frequencies and positions; returns false if none are left.
    pub fn measure(&mut self) -> bool {
        let table = Rc::clone(self.table());
        let Some(report) = self.inspector.report() else {
            return false;
        };
        let (waves, done) = self
            .waves
            .get_or_insert_with(|| (WaveStudy::new(&table, report), false));
        *done = !waves.as_mut().is_some_and(|it| it.step(&table));
        !*done
    }

    /// The measured frequencies and positions, or `Some(None)` if the table has none; `None` until they are complete.
    pub fn waves(&self) -> Option<Option<&WaveStudy>> {
        let (waves, done) = self.waves.as_ref()?;
        done.then_some(waves.as_ref())
    }

    /// Whether the columns of the table are positions.
    pub fn is_transposed(&self) -> bool {
        self.report().is_some_and(|report| report.transposed)
    }

    fn read_values(&mut self) {
        let table = Rc::clone(self.table());
        let rows = (LOOKED_AT / table.columns()).max(1);
        let end = (self.next + rows).min(table.rows());
        for row in self.next..end {
            for column in 0..table.columns() {
                let at = self.values.index(&table, row, column);
                self.values.add(at, table.at(row, column));
            }
        }
        self.next = end;
        if end == table.rows() {
            self.values.finish();
            self.stage = Stage::Inspect;
        }
    }

    fn begin_differences(&mut self) {
        let table = self.table();
        let (mut positions, mut width) = (table.rows(), table.columns());
        if self.is_transposed() {
            (positions, width) = (width, positions);
        }
        let report = self.inspector.report();
        self.correct = report.map(|report| CorrectTable::of(report, width));
        self.rows.study = RowStudy::new(positions, width);
        self.correct_rows.study = RowStudy::new(positions, width);
        self.next = 0;
        self.stage = Stage::Differences;
    }

    fn compare(&mut self) {
        let (table, transposed) = (Rc::clone(self.table()), self.is_transposed());
        let rows = (COMPUTED / table.columns()).max(1);
        let end = (self.next + rows).min(table.rows());
        let Some(correct) = &self.correct else { return };
        for row in self.next..end {
            for column in 0..table.columns() {
                let expected = match transposed {
                    false => correct.at(row, column),
                    true => correct.at(column, row),
                };
                let difference = table.at(row, column) - expected;
                if difference.is_finite() {
                    let at = self.differences.index(&table, row, column);
                    self.differences.keep(at, difference);
                }
            }
        }
        self.next = end;
        if end == table.rows() {
            let farthest = self.differences.blocks.iter().map(|it| it.abs());
            self.differences.most = farthest.fold(FAINT, f64::max);
            self.stage = Stage::Rows;
        }
    }
}
