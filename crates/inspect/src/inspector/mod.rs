//! The whole inspection, in steps of a few milliseconds.

mod conclusions;
mod explained;
mod measured;
mod no_match;
mod refinement;

use crate::arithmetic::Recognition;
use crate::conventions::also;
use crate::fit::{Fitted, RADIANS};
use crate::formula::Rule;
use crate::measure::{Explanation, Measurement};
use crate::report::{Cell, Kind, Report};
use crate::search::Search;
use crate::table::Table;
use crate::verify::{Comparison, Verification};
use crate::view::View;
use no_match::NoMatch;
use refinement::Refinement;
use std::rc::Rc;

/// A formula with a relative residual up to this on the first radians of the columns is accepted; the coarsest
/// arithmetic, bfloat16 throughout, causes half of it.
const MAX_RESIDUAL: f64 = 0.06;
/// With a relative residual up to this, transposed tables are not tried and waves are not measured.
const GOOD_RESIDUAL: f64 = 0.03;
/// Cells that are verified in a step.
const CELLS_PER_STEP: usize = 50_000;
/// Tables with fewer rows are reported as too small.
const FEW_ROWS: usize = 3;

/// Bases that are not refined.
const COMMON: [f64; 8] = [
    10_000.0, 1000.0, 100.0, 500_000.0, 1e6, 1e5, 20_000.0, 50_000.0,
];

enum Stage {
    Survey,
    Search {
        search: Search,
        transposed: bool,
    },
    /// None of the formulas that are searched for fits: measures the waves in the columns.
    Measure(Measurement),
    Choose,
    Refine(Refinement),
    Recognise(Recognition),
    Verify(Verification),
    /// Searches for the first cell that differs from the correct table.
    Compare(Verification, Comparison),
    /// No formula fits: measures the residual of the nearest one, and whether adjacent rows are similar.
    NoMatch(NoMatch),
    Done,
}

/// A formula fitted to the table.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    fitted: Fitted,
    /// Whether an offset is fitted, too.
    with_offset: bool,
    /// Whether the table is taken as transposed.
    transposed: bool,
}

/// Inspects a table, step by step.
pub struct Inspector {
    table: Rc<Table>,
    stage: Stage,
    view: View,
    /// The formulas from all searches.
    candidates: Vec<Candidate>,
    not_finite: Option<(Cell, usize)>,
    /// The verification of the correct table, if it does not hold, while another base is tried.
    unproven: Option<Verification>,
    /// What measured waves explain; `None` before they have been measured.
    found: Option<Option<Box<Explanation>>>,
    report: Option<Report>,
}

impl Inspector {
    /// Creates an inspector of a table, before its first step.
    pub fn new(table: impl Into<Rc<Table>>) -> Inspector {
        let table = table.into();
        let view = View::new(&table);
        Inspector {
            table,
            stage: Stage::Survey,
            view,
            candidates: Vec::new(),
            not_finite: None,
            unproven: None,
            found: None,
            report: None,
        }
    }

    /// Runs all steps and returns the report.
    pub fn run(mut self) -> Report {
        while self.step() {}
        self.into_report()
    }

    /// Returns the table.
    pub fn table(&self) -> &Rc<Table> {
        &self.table
    }

    /// Returns the progress from 0 to 1; 1 when the report is complete.
    pub fn progress(&self) -> f64 {
        match &self.stage {
            Stage::Survey => 0.0,
            Stage::Search { search, .. } => 0.5 * search.progress(),
            Stage::Measure(_) | Stage::Choose | Stage::Refine(_) | Stage::Recognise(_) => 0.5,
            Stage::Verify(verification) => 0.5 + 0.4 * verification.progress(&self.view),
            Stage::Compare(..) | Stage::NoMatch(_) => 0.9,
            Stage::Done => 1.0,
        }
    }

    /// Returns the report; `None` until all steps have been run.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    fn into_report(self) -> Report {
        match self.report {
            Some(report) => report,
            None => self.blank(Kind::Unknown),
        }
    }

    /// Runs one step; returns `false` when the report is complete.
    pub fn step(&mut self) -> bool {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Survey => self.survey(),
            Stage::Search { search, transposed } => self.search(search, transposed),
            Stage::Measure(measurement) => self.measure(measurement),
            Stage::Choose => self.choose(),
            Stage::Refine(refinement) => self.refine(refinement),
            Stage::Recognise(recognition) => self.recognise(recognition),
            Stage::Verify(verification) => self.verify(verification),
            Stage::Compare(verification, comparison) => self.compare(verification, comparison),
            Stage::NoMatch(no_match) => self.no_match(no_match),
            Stage::Done => {}
        }
        !matches!(self.stage, Stage::Done)
    }

    fn survey(&mut self) {
        let table = &self.table;
        let columns = table.columns();
        let mut bad = table
            .values()
            .iter()
            .enumerate()
            .filter(|(_, it)| !it.is_finite());
        if let Some((at, found)) = bad.next() {
            let cell = Cell {
                position: at / columns,
                dimension: at % columns,
                found: *found,
                expected: f64::NAN,
            };
            self.not_finite = Some((cell, 1 + bad.count()));
        }
        let first = table.values().get(..columns).unwrap_or_default();
        let mut rows = table.values().chunks(columns);
        if table.rows() > 1 && rows.all(|row| row == first) {
            let report = self.constant();
            self.finish(report);
            return;
        }
        let all_zero = table.values().iter().all(|it| *it == 0.0);
        let none_finite = !table.values().iter().any(|it| it.is_finite());
        if all_zero || none_finite {
            let report = self.constant();
            self.finish(report);
            return;
        }
        if self.table.rows() == 1 && self.report_without_waves() {
            return;
        }
        self.begin(false);
    }

    fn turn(&mut self, transposed: bool) {
        if self.view.transposed != transposed {
            self.view = self.view.turned(&self.table, transposed);
        }
    }

    fn begin(&mut self, transposed: bool) {
        self.turn(transposed);
        let search = Search::new(&self.view);
        self.stage = Stage::Search { search, transposed };
    }

    fn search(&mut self, mut search: Search, transposed: bool) {
        if search.step(&self.table, &self.view) {
            self.stage = Stage::Search { search, transposed };
            return;
        }
        self.add_candidates(&search, transposed);
        match transposed {
            _ if self.best_residual() <= GOOD_RESIDUAL => self.stage = Stage::Choose,
            false if self.is_turnable() => self.begin(true),
            _ => self.begin_without_formula(false),
        }
    }

    /// Adds the formulas of a completed search.
    fn add_candidates(&mut self, search: &Search, transposed: bool) {
        let ranked = search.ranked().iter();
        self.candidates.extend(ranked.map(|&fitted| Candidate {
            fitted,
            with_offset: false,
            transposed,
        }));
    }

    fn best_residual(&self) -> f64 {
        let best = self.candidates.iter().map(|it| it.fitted.relative);
        let best = best.fold(f64::INFINITY, f64::min);
        let trimmed = self.candidates.iter().map(|it| it.fitted.trimmed);
        best.min(2.0 * trimmed.fold(f64::INFINITY, f64::min))
    }

    fn is_turnable(&self) -> bool {
        self.table.rows() > 1 && self.table.columns() > 1
    }

    /// Chooses the most usual of the formulas that fit equally well, within rounding.
    fn choose(&mut self) {
        let least = |of: fn(&Fitted) -> f64| {
            let all = self.candidates.iter().map(|it| of(&it.fitted));
            all.fold(f64::INFINITY, f64::min)
        };
        let (whole, trimmed) = (least(|it| it.relative), least(|it| it.trimmed));
        // In a small table, one wrong cell can outweigh a wrong formula: then compare without the worst cells.
        let of: fn(&Fitted) -> f64 = match whole > GOOD_RESIDUAL && trimmed < 0.25 * whole {
            true => |it| it.trimmed,
            false => |it| it.relative,
        };
        let best = least(of);
        let Some(bound) = (best <= MAX_RESIDUAL).then(|| self.as_good_as(best)) else {
            self.begin_no_match(None);
            return;
        };
        let columns = self.table.columns();
        let rarity = |candidate: &Candidate| {
            let fitted = &candidate.fitted;
            let signs = [fitted.scale.sine_sign, fitted.scale.cosine_sign];
            let negative = signs.iter().filter(|it| **it < 0.0).count();
            let width = if candidate.transposed {
                self.table.rows()
            } else {
                columns
            };
            let unusual = u8::from(candidate.with_offset) + u8::from(candidate.transposed);
            fitted.formula.rarity(width) + 1.5 * negative as f64 + 2.0 * f64::from(unusual)
        };
        let candidates = self.candidates.iter();
        let good = candidates.filter(|it| of(&it.fitted) <= bound);
        let chosen = good.min_by(|a, b| rarity(a).total_cmp(&rarity(b)));
        let Candidate {
            fitted,
            with_offset,
            transposed,
        } = *chosen.expect("the bound is above the smallest residual");
        self.turn(transposed);
        let is_common = COMMON.contains(&fitted.formula.base);
        if is_common || fitted.formula.rule == Rule::None {
            self.begin_recognition(fitted);
        } else {
            self.stage = Stage::Refine(Refinement {
                best: fitted,
                with_offset,
                radians: RADIANS,
                width: 0.1,
            });
        }
    }

    fn begin_recognition(&mut self, fitted: Fitted) {
        let fitted = self.snap_scale(fitted);
        let recognition = Recognition::new(&self.table, &self.view, &fitted);
        self.stage = Stage::Recognise(recognition);
    }

    fn recognise(&mut self, mut recognition: Recognition) {
        self.stage = match recognition.step(&self.table, &self.view) {
            Some(arithmetic) => {
                let fitted = *recognition.fitted();
                let verification = Verification::new(&self.table, &self.view, fitted, arithmetic);
                Stage::Verify(verification)
            }
            None => Stage::Recognise(recognition),
        };
    }

    /// Returns the largest residual that, given rounding and angles in single precision, cannot be distinguished from the
    /// best one.
    fn as_good_as(&self, best: f64) -> f64 {
        let rounding = self.view.rounding.min(0.002);
        (1.15 * best).max(best + 0.3 * rounding + 1e-6)
    }

    fn verify(&mut self, mut verification: Verification) {
        if verification.step(&self.table, &self.view, CELLS_PER_STEP) {
            self.stage = Stage::Verify(verification);
            return;
        }
        if let Some(correct) = self.unproven.take() {
            match verification.is_proven() {
                true => self.conclude(verification),
                false => self.conclude(correct),
            }
            return;
        }
        let fitted = *verification.fitted();
        let may_be_another_base = verification.proof.is_some()
            && !verification.is_proven()
            && COMMON.contains(&fitted.formula.base);
        if may_be_another_base {
            self.unproven = Some(verification);
            self.stage = Stage::Refine(Refinement {
                best: fitted,
                with_offset: false,
                radians: RADIANS,
                width: 0.1,
            });
        } else {
            self.conclude(verification);
        }
    }

    fn conclude(&mut self, verification: Verification) {
        let holds = verification.is_few(verification.beyond);
        if !holds || verification.close_rms() > 2.0 * MAX_RESIDUAL {
            if self.is_unmeasured() {
                self.begin_without_formula(self.view.transposed);
                return;
            }
            self.begin_no_match(Some(verification));
        } else {
            let not_finite = self.not_finite.is_some();
            let comparison = Comparison::new(&self.table, &self.view, &verification, not_finite);
            self.stage = Stage::Compare(verification, comparison);
        }
    }

    fn compare(&mut self, verification: Verification, mut comparison: Comparison) {
        if comparison.step(&self.table, &self.view, CELLS_PER_STEP) {
            self.stage = Stage::Compare(verification, comparison);
            return;
        }
        let report = self.with_formula(&verification, comparison.found());
        self.finish(report);
    }

    fn finish(&mut self, mut report: Report) {
        report.also = also(&report, self.view.columns);
        self.report = Some(report);
        self.stage = Stage::Done;
    }
}
