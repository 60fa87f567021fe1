//! Measurements of a table that follows no formula.

use super::conclusions::note;
use super::{CELLS_PER_STEP, FEW_ROWS, Inspector, Stage};
use crate::arithmetic::{Arithmetic, Rounding};
use crate::description::{Frequencies, PositionRule, Positions};
use crate::formula::Formula;
use crate::learned::NearestRows;
use crate::report::{Code, Kind, Nearest, Report, layout};
use crate::verify::Verification;

/// Steps in which a table that follows no formula is compared with the nearest one: this covers only the first rows.
const STEPS_NO_MATCH: usize = 4;

/// Cells of a table that may have been reshaped, and how far apart they are: a prime number that is no divisor of the number of
/// cells, so that they are in all rows and columns.
const SAMPLE: usize = 4096;
const STRIDES: [usize; 2] = [7919, 7927];

/// Measurements of a table that follows no formula.
pub(super) struct NoMatch {
    /// For the formula that fits the first radians, or else the nearest one; `steps` of it have been run.
    pub verification: Option<Verification>,
    steps: usize,
    /// A formula fits the first radians, so the table was computed and not learned.
    pub is_computed: bool,
    pub neighbours: NearestRows,
}

impl Inspector {
    /// `prefix_match` is the completed verification of a formula that fits the first radians, but not the whole table.
    pub(super) fn begin_no_match(&mut self, prefix_match: Option<Verification>) {
        if let Some(report) = self.report_found().or_else(|| self.reshaped()) {
            self.finish(report);
            return;
        }
        // What has been verified is kept in its orientation.
        if prefix_match.is_none() {
            self.turn(false);
        }
        let is_computed = prefix_match.is_some();
        let nearest = || {
            let untransposed = self.candidates.iter().filter(|it| !it.transposed);
            let fitted = untransposed.map(|it| it.fitted);
            let nearest = fitted.min_by(|a, b| a.relative.total_cmp(&b.relative));
            let exact = Arithmetic {
                precision: None,
                rounding: Rounding::EXACT,
                ambiguous: false,
            };
            nearest.map(|fitted| Verification::new(&self.table, &self.view, fitted, exact))
        };
        self.stage = Stage::NoMatch(NoMatch {
            verification: prefix_match.or_else(nearest),
            steps: if is_computed { STEPS_NO_MATCH } else { 0 },
            is_computed,
            neighbours: NearestRows::new(&self.view),
        });
    }

    /// Returns the report of a table that was to be transposed and was reshaped: its numbers are in the order of the
    /// transposed table.
    fn reshaped(&self) -> Option<Report> {
        let (rows, columns) = (self.table.rows(), self.table.columns());
        if rows < FEW_ROWS || columns < FEW_ROWS {
            return None;
        }
        let values = self.table.values();
        // Cells all over the table.
        let count = values.len().min(SAMPLE);
        let stride = STRIDES
            .into_iter()
            .find(|it| !values.len().is_multiple_of(*it))?;
        let residual = |formula: &Formula| {
            let far = (0..count).map(|at| at * stride % values.len());
            let far = far.map(|at| values[at] - formula.value(columns, at % rows, at / rows));
            far.fold((0.0, 0.0), |(most, squares): (f64, f64), it| {
                (most.max(it.abs()), squares + it * it)
            })
        };
        let bound = 2.0 * self.view.rounding + 1e-3;
        let all = Formula::in_each_layout(columns).map(|it| (it, residual(&it)));
        let holds =
            |(_, (most, squares)): &(Formula, (f64, f64))| *most <= bound && squares.is_finite();
        let (formula, (_, squares)) = all.into_iter().find(holds)?;
        let mut report = self.blank(Kind::Sinusoidal);
        report.layout = layout(&formula);
        (report.base, report.start) = (Some(formula.base), Some(formula.start));
        report.exponent = Some(formula.rule);
        (report.swapped, report.sign, report.scale) = (Some(false), Some(1), Some(1.0));
        report.nearest = Some(Nearest {
            formula: Some(formula),
            rms: (squares / count as f64).sqrt(),
        });
        report.frequencies = Some(Frequencies::of_base(formula.base, false));
        report.positions = Some(Positions {
            rule: PositionRule::Arithmetic,
            start: 0.0,
            step: Some(1.0),
            row: None,
        });
        report.formula = Some(formula);
        report.findings.push(note(Code::Reshaped));
        Some(report)
    }

    pub(super) fn no_match(&mut self, mut no_match: NoMatch) {
        let NoMatch {
            verification,
            steps,
            neighbours,
            ..
        } = &mut no_match;
        let more = match verification.as_mut().filter(|_| *steps < STEPS_NO_MATCH) {
            Some(verification) => {
                *steps += 1;
                verification.step(&self.table, &self.view, CELLS_PER_STEP);
                true
            }
            None => neighbours.step(&self.table, &self.view),
        };
        if more {
            self.stage = Stage::NoMatch(no_match);
        } else {
            let report = self.report_no_match(&no_match);
            self.finish(report);
        }
    }
}
