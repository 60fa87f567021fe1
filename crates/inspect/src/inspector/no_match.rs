//! Measurements of a table that follows no formula.

use super::{CELLS_PER_STEP, Inspector, Stage};
use crate::arithmetic::{Arithmetic, Rounding};
use crate::learned::NearestRows;
use crate::verify::Verification;

/// Steps in which a table that follows no formula is compared with the nearest one: this covers only the first rows.
const STEPS_NO_MATCH: usize = 4;

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
        if let Some(report) = self.report_found() {
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
