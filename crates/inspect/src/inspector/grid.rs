//! Tries unusual formulas, in place of a measurement: the page has no room for the latter.

use super::{Inspector, MAX_RESIDUAL, Stage};
use crate::report::Report;
use crate::search::Search;

/// A search for unusual formulas in progress.
pub(super) type Unusual = Search;

impl Inspector {
    pub(super) fn may_be_unusual(&self) -> bool {
        false
    }

    pub(super) fn report_found(&self) -> Option<Report> {
        None
    }

    pub(super) fn begin_unusual(&mut self, transposed: bool) {
        self.turn(transposed);
        self.stage = Stage::Unusual(Search::unusual(&self.table, &self.view));
    }

    pub(super) fn unusual(&mut self, mut search: Unusual) {
        if search.step(&self.table, &self.view) {
            self.stage = Stage::Unusual(search);
            return;
        }
        let transposed = self.view.transposed;
        self.add_candidates(&search, transposed);
        let is_found = self.best_residual() <= MAX_RESIDUAL;
        match !is_found && !transposed && self.is_turnable() {
            true => self.begin_unusual(true),
            false => self.stage = Stage::Choose,
        }
    }
}
