//! Measures the waves of a table that no usual formula fits.

use super::{Candidate, Inspector, Stage};
use crate::fit::{RADIANS, fit};
use crate::linear;
use crate::measure::Measurement;
use crate::report::Report;

impl Inspector {
    /// Returns whether the table has not been measured yet.
    pub(super) fn is_unmeasured(&self) -> bool {
        self.found.is_none()
    }

    /// Returns the report of what has been measured, if that explains the table.
    pub(super) fn report_found(&self) -> Option<Report> {
        self.explained(self.found.as_ref()?.as_ref()?)
    }

    /// Reports a table that is no table of waves, and returns whether it is none.
    pub(super) fn report_without_waves(&mut self) -> bool {
        let found = linear::recognise(&self.table);
        if let Some((kind, frequencies)) = found {
            let report = self.not_waves(kind, frequencies);
            self.finish(report);
            return true;
        }
        false
    }

    pub(super) fn begin_without_formula(&mut self, transposed: bool) {
        self.turn(transposed);
        if !self.report_without_waves() {
            self.begin_measurement();
        }
    }

    fn begin_measurement(&mut self) {
        let measurement = Measurement::new(&self.table, &self.view);
        self.stage = Stage::Measure(measurement);
    }

    pub(super) fn measure(&mut self, mut measurement: Measurement) {
        if measurement.step(&self.table, &self.view) {
            self.stage = Stage::Measure(measurement);
            return;
        }
        let found = measurement.take();
        let transposed = self.view.transposed;
        if let Some((formula, with_offset)) = found.as_ref().and_then(|it| self.formula_of(it)) {
            let fitted = fit(&self.table, &self.view, formula, with_offset, RADIANS);
            self.candidates.push(Candidate {
                fitted,
                with_offset,
                transposed,
            });
            self.found = Some(found);
            self.stage = Stage::Choose;
        } else if let Some(report) = found.as_ref().and_then(|it| self.explained(it)) {
            self.finish(report);
        } else if !transposed && self.is_turnable() {
            self.turn(true);
            self.begin_measurement();
        } else {
            self.found = Some(None);
            self.stage = Stage::Choose;
        }
    }
}
