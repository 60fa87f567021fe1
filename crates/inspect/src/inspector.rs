//! The whole inspection, in steps of a few milliseconds.

use crate::arithmetic::{self, Arithmetic, Rounding};
use crate::fit::{Fitted, RADIANS, Scale, fit};
use crate::formula::{Formula, Order, Rule, Waves};
use crate::half::Precision;
use crate::learned::{looks_computed, nearest_is_neighbour};
use crate::report::{Cell, Code, Finding, Kind, Report, RunnerUp, layout};
use crate::search::Search;
use crate::table::Table;
use crate::verify::Verification;
use crate::view::View;

/// A formula that leaves no more than this on the first radians of every column is taken for the right one: the
/// roughest arithmetic, bfloat16 throughout, leaves half of it. Of its own amplitude.
const FITS: f64 = 0.06;
/// One that leaves no more than this needs no rival among unusual formulas.
const FITS_WELL: f64 = 0.03;
/// Of the cells of a formula that holds so many may be wrong.
const MOST_CORRUPT: f64 = 0.002;
/// Cells that are verified in a step.
const CELLS_PER_STEP: usize = 100_000;
/// Rows that a report calls too few.
const FEW_ROWS: usize = 3;

/// Bases that need no fitting.
const COMMON: [f64; 8] = [
    10_000.0, 1000.0, 100.0, 500_000.0, 1e6, 1e5, 20_000.0, 50_000.0,
];

enum Stage {
    Survey,
    Search { transposed: bool, unusual: bool },
    Choose,
    Tell(Fitted),
    Verify,
    Done,
}

/// Looks at a table, a step at a time.
pub struct Inspector {
    table: Table,
    stage: Stage,
    view: View,
    search: Option<Search>,
    /// Formulas from all searches, with their view and whether they need an offset.
    found: Vec<(Fitted, bool, bool)>,
    verification: Option<Verification>,
    not_finite: Option<(Cell, usize)>,
    report: Option<Report>,
}

impl Inspector {
    /// Before the first step.
    pub fn new(table: Table) -> Inspector {
        let view = View::new(&table, false);
        Inspector {
            table,
            stage: Stage::Survey,
            view,
            search: None,
            found: Vec::new(),
            verification: None,
            not_finite: None,
            report: None,
        }
    }

    /// Takes all steps.
    pub fn run(mut self) -> Report {
        while self.step() {}
        self.into_report()
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// From 0 to 1; 1 when the report is there.
    pub fn progress(&self) -> f64 {
        match &self.stage {
            Stage::Survey => 0.0,
            Stage::Search { .. } => 0.5 * self.search.as_ref().map_or(0.0, Search::progress),
            Stage::Choose | Stage::Tell(_) => 0.5,
            Stage::Verify => {
                let progress = self.verification.as_ref().map(|it| it.progress(&self.view));
                0.5 + 0.5 * progress.unwrap_or_default()
            }
            Stage::Done => 1.0,
        }
    }

    /// What has been found, when all steps have been taken.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    fn into_report(self) -> Report {
        match self.report {
            Some(report) => report,
            None => self.blank(Kind::Unknown),
        }
    }

    /// Takes a step; false when the report is there.
    pub fn step(&mut self) -> bool {
        match self.stage {
            Stage::Survey => self.survey(),
            Stage::Search {
                transposed,
                unusual,
            } => self.search(transposed, unusual),
            Stage::Choose => self.choose(),
            Stage::Tell(fitted) => self.tell(fitted),
            Stage::Verify => self.verify(),
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
        self.begin(false, false);
    }

    fn begin(&mut self, transposed: bool, unusual: bool) {
        if self.view.transposed != transposed {
            self.view = View::new(&self.table, transposed);
        }
        self.search = Some(match unusual {
            false => Search::usual(&self.view),
            true => Search::unusual(&self.table, &self.view),
        });
        self.stage = Stage::Search {
            transposed,
            unusual,
        };
    }

    fn search(&mut self, transposed: bool, unusual: bool) {
        let Some(search) = &mut self.search else {
            self.stage = Stage::Choose;
            return;
        };
        if search.step(&self.table, &self.view) {
            return;
        }
        let ranked = search.ranked().iter();
        self.found
            .extend(ranked.map(|(fitted, with_offset)| (*fitted, *with_offset, transposed)));
        let best = self.found.iter().map(|(fitted, ..)| fitted.relative);
        let best = best.fold(f64::INFINITY, f64::min);
        let trimmed = self.found.iter().map(|(fitted, ..)| fitted.trimmed);
        let best = best.min(2.0 * trimmed.fold(f64::INFINITY, f64::min));
        let turnable = self.table.rows() > 1 && self.table.columns() > 1;
        match (transposed, unusual) {
            _ if best <= FITS_WELL => self.stage = Stage::Choose,
            (false, false) if turnable => self.begin(true, false),
            (true, false) | (false, false) => self.begin(false, true),
            (false, true) if turnable && best > FITS => self.begin(true, true),
            _ => self.stage = Stage::Choose,
        }
    }

    /// Of formulas that fit as well as can be told, the most usual.
    fn choose(&mut self) {
        self.search = None;
        let least = |of: fn(&Fitted) -> f64| {
            let all = self.found.iter().map(|(fitted, ..)| of(fitted));
            all.fold(f64::INFINITY, f64::min)
        };
        let (whole, trimmed) = (least(|it| it.relative), least(|it| it.trimmed));
        // One wrong cell of a small table outweighs a wrong formula: then the worst cells are left out.
        let of: fn(&Fitted) -> f64 = match whole > FITS_WELL && trimmed < 0.25 * whole {
            true => |it| it.trimmed,
            false => |it| it.relative,
        };
        let best = least(of);
        let Some(bound) = (best <= FITS).then(|| self.as_good_as(best)) else {
            let report = self.without_formula();
            self.finish(report);
            return;
        };
        let columns = self.table.columns();
        let rarity = |(fitted, with_offset, transposed): &(Fitted, bool, bool)| {
            let signs = [fitted.scale.sine_sign, fitted.scale.cosine_sign];
            let negative = signs.iter().filter(|it| **it < 0.0).count();
            let width = if *transposed {
                self.table.rows()
            } else {
                columns
            };
            let turned = f64::from(u8::from(*with_offset)) + f64::from(u8::from(*transposed));
            fitted.formula.rarity(width) + 1.5 * negative as f64 + 2.0 * turned
        };
        let good = self.found.iter().filter(|(fitted, ..)| of(fitted) <= bound);
        let chosen = good.min_by(|a, b| rarity(a).total_cmp(&rarity(b)));
        let Some(&(fitted, with_offset, transposed)) = chosen else {
            return;
        };
        if self.view.transposed != transposed {
            self.view = View::new(&self.table, transposed);
        }
        let fitted = self.refine(fitted, with_offset);
        self.stage = Stage::Tell(self.snap_scale(fitted));
    }

    fn tell(&mut self, fitted: Fitted) {
        let arithmetic = arithmetic::recognise(&self.table, &self.view, &fitted);
        self.verification = Some(Verification::new(&self.view, fitted, arithmetic));
        self.stage = Stage::Verify;
    }

    /// What is left over by formulas that fit as well as the best, as far as rounding lets that be told.
    fn as_good_as(&self, best: f64) -> f64 {
        let rounding = self.view.rounding.min(0.002);
        (1.15 * best).max(best + 0.3 * rounding + 1e-9)
    }

    /// A base from a grid becomes the one that fits best, and a round one if that fits as well, maybe by another rule.
    fn refine(&self, fitted: Fitted, with_offset: bool) -> Fitted {
        let formula = fitted.formula;
        let measure = |formula: Formula, radians: f64| {
            fit(&self.table, &self.view, formula, with_offset, radians)
        };
        let is_common = COMMON.contains(&formula.base);
        if is_common || formula.rule == Rule::None {
            return fitted;
        }
        let mut radians = RADIANS;
        let mut best = fitted;
        let mut width = 0.1;
        // Ever longer, as long as the arithmetic of the table lets the formula hold.
        loop {
            let mut longer = measure(best.formula, radians);
            let mut step = width;
            while step > 1e-12 {
                let log = longer.formula.base.ln();
                for log in [log - step, log + step] {
                    let base = log.exp();
                    let tried = measure(Formula { base, ..formula }, radians);
                    if tried.trimmed < longer.trimmed {
                        longer = tried;
                    }
                }
                step *= 0.6;
            }
            if radians > RADIANS && longer.trimmed > 2.0 * best.trimmed + 0.02 {
                radians /= 4.0;
                break;
            }
            best = longer;
            if radians > 1e5 {
                break;
            }
            radians *= 4.0;
            width = (4.0 * best.trimmed / radians).clamp(1e-9, 0.1);
        }
        let columns = self.view.columns;
        let good = (1.3 * best.trimmed).max(best.trimmed + 0.3 * self.view.rounding);
        let mut candidates: Vec<(f64, Formula)> = Vec::new();
        for formula in best.formula.equivalents(columns) {
            for digits in 1..6 {
                let unit = 10.0_f64.powi(formula.base.log10().floor() as i32 + 1 - digits);
                let base = (formula.base / unit).round() * unit;
                let formula = Formula { base, ..formula };
                candidates.push((f64::from(digits) + formula.rarity(columns), formula));
            }
        }
        // Columns of a wider table of the paper.
        let wider = columns as f64 * 10_000.0_f64.ln() / best.formula.base.ln();
        let wider = 2.0 * (wider / 2.0).round();
        if wider > columns as f64 && wider < 1e5 && formula.order == Order::Interleaved {
            let cut = Formula {
                base: 10_000.0,
                divisor: wider as usize,
                ..formula
            };
            candidates.push((3.0 + cut.rarity(columns), cut));
        }
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
        let measured = candidates
            .into_iter()
            .map(|(_, formula)| measure(formula, radians));
        let chosen = measured.into_iter().find(|tried| tried.trimmed <= good);
        chosen.unwrap_or(best)
    }

    /// A scale of almost 1 is 1, and an offset of almost 0 none.
    fn snap_scale(&self, mut fitted: Fitted) -> Fitted {
        let close = 0.5 * self.view.rounding + 2.0 * fitted.trimmed.min(0.02) + 1e-9;
        let scale = &mut fitted.scale;
        if (scale.factor - 1.0).abs() <= close {
            scale.factor = 1.0;
        } else if scale.offset == 0.0 {
            let d = self.view.columns as f64;
            let known = [
                d.sqrt(),
                1.0 / d.sqrt(),
                (2.0 / d).sqrt(),
                0.02,
                0.1,
                0.5,
                2.0,
                0.01,
                0.05,
                0.2,
                10.0,
                std::f64::consts::FRAC_1_SQRT_2,
                std::f64::consts::SQRT_2,
            ];
            let near = |it: &&f64| (scale.factor / **it - 1.0).abs() <= close;
            if let Some(known) = known.iter().find(near) {
                scale.factor = *known;
            }
        }
        if scale.offset.abs() <= close * scale.factor {
            scale.offset = 0.0;
        }
        fitted
    }

    fn verify(&mut self) {
        let Some(verification) = &mut self.verification else {
            self.stage = Stage::Done;
            return;
        };
        if verification.step(&self.table, &self.view, CELLS_PER_STEP) {
            return;
        }
        let report = match self.verification.take() {
            Some(verification) => self.with_formula(&verification),
            None => self.without_formula(),
        };
        self.finish(report);
    }

    fn finish(&mut self, report: Report) {
        self.report = Some(report);
        self.stage = Stage::Done;
    }

    /// What is known of every table.
    fn blank(&self, kind: Kind) -> Report {
        let mut report = Report {
            shape: (self.table.rows(), self.table.columns()),
            squeezed: self.table.squeezed().map(<[u64]>::to_vec),
            storage: self.table.storage(),
            precision: self.view.precision,
            kind,
            formula: None,
            layout: None,
            base: None,
            start: None,
            exponent: None,
            swapped: None,
            sign: None,
            signs: None,
            scale: None,
            offset: None,
            arithmetic: None,
            transposed: false,
            residual: None,
            runner_up: None,
            nearest_is_neighbour: None,
            repeated_position: None,
            first_wrong: None,
            findings: Vec::new(),
        };
        if let Some((cell, count)) = self.not_finite {
            report.findings.push(Finding {
                code: Code::NotFinite,
                cell: Some(cell),
                count: Some(count),
            });
        }
        report
    }

    fn constant(&self) -> Report {
        let mut report = self.blank(Kind::Constant);
        let columns = self.table.columns();
        let first = self.table.values().get(..columns).unwrap_or_default();
        let cell = |row: usize, expected: f64| Cell {
            position: row,
            dimension: 0,
            found: self.table.at(row, 0),
            expected,
        };
        if !first.iter().any(|it| it.is_finite()) {
            report.kind = Kind::Unknown;
            report.findings.push(note(Code::Unknown));
        } else if first.iter().all(|it| *it == 0.0) {
            report.findings.push(Finding {
                code: Code::ZeroRow,
                cell: Some(cell(0, 0.0)),
                count: Some(self.table.rows()),
            });
            if self.table.rows() > 1 {
                report.findings.push(Finding {
                    code: Code::RepeatedRow,
                    cell: Some(cell(1, 0.0)),
                    count: Some(self.table.rows()),
                });
            }
        } else {
            let is_row_of = |formula: &Formula, position: usize| {
                first.iter().enumerate().all(|(column, found)| {
                    let expected = formula.value(columns, position, column);
                    (found - expected).abs() <= 2.0 * self.view.rounding + 1e-4
                })
            };
            let paper = Formula::paper(columns);
            let halves = Formula {
                order: Order::Halves,
                ..paper
            };
            let tensor2tensor = Formula {
                rule: Rule::Tensor2tensor,
                ..halves
            };
            for formula in [paper, halves, tensor2tensor] {
                let position = (0..8192).find(|position| is_row_of(&formula, *position));
                if position.is_some() && report.formula.is_none() {
                    report.formula = Some(formula);
                    report.repeated_position = position;
                    report.layout = layout(&formula);
                }
            }
            let formula = report.formula.unwrap_or(paper);
            let differs = (0..self.table.rows()).find_map(|row| {
                let column = (0..columns).find(|column| {
                    let expected = formula.value(columns, row, *column);
                    (self.table.at(row, *column) - expected).abs() > 2.0 * self.view.rounding + 1e-4
                })?;
                Some(Cell {
                    position: row,
                    dimension: column,
                    found: self.table.at(row, column),
                    expected: formula.value(columns, row, column),
                })
            });
            report.first_wrong = differs;
            report.findings.push(Finding {
                code: Code::RepeatedRow,
                cell: differs.or(Some(cell(1, f64::NAN))),
                count: Some(self.table.rows()),
            });
        }
        report
    }

    /// The formulas that leave least over, those first that are not the same table as `than`.
    fn runner_up(&self, than: Option<&Formula>) -> Option<RunnerUp> {
        let differs = |fitted: &Fitted| than.is_none_or(|than| !self.same(than, &fitted.formula));
        let others = self
            .found
            .iter()
            .filter(|(fitted, _, turned)| *turned == self.view.transposed && differs(fitted));
        let best = others.min_by(|a, b| a.0.relative.total_cmp(&b.0.relative))?;
        let (fitted, ..) = best;
        let amplitude = fitted.scale.factor / std::f64::consts::SQRT_2;
        let rms = fitted.relative * amplitude;
        Some(RunnerUp {
            formula: fitted.formula,
            rms: if rms.is_finite() { rms } else { 0.0 },
        })
    }

    /// Whether two formulas are the same numbers in this table, as far as rounding lets that be told.
    fn same(&self, a: &Formula, b: &Formula) -> bool {
        let (rows, columns) = (self.view.end, self.view.columns);
        let steps = (rows - 1).clamp(1, 16);
        self.view.some_columns(64).into_iter().all(|column| {
            (0..=steps).all(|at| {
                let row = at * (rows - 1) / steps;
                let [a, b] = [a, b].map(|it| it.value(columns, row, column));
                (a - b).abs() <= 2.0 * self.view.rounding + 1e-6
            })
        })
    }

    fn without_formula(&mut self) -> Report {
        if self.view.transposed {
            self.view = View::new(&self.table, false);
        }
        let mut report = self.blank(Kind::Unknown);
        let lies = self.found.iter().filter(|(_, _, turned)| !turned);
        let nearest = lies.min_by(|a, b| a.0.relative.total_cmp(&b.0.relative));
        if let Some(&(fitted, ..)) = nearest {
            let exact = Arithmetic {
                precision: None,
                rounding: Rounding::EXACT,
                hidden: false,
            };
            // Of a few rows only: the nearest formula of a table without one is worth no more.
            let mut verification = Verification::new(&self.view, fitted, exact);
            verification.step(&self.table, &self.view, 4 * CELLS_PER_STEP);
            report.residual = Some(verification.residual());
            report.formula = Some(fitted.formula);
            report.runner_up = self.runner_up(Some(&fitted.formula));
        }
        report.nearest_is_neighbour = nearest_is_neighbour(&self.table, &self.view);
        let alike = report.nearest_is_neighbour.is_some_and(|it| it >= 0.5);
        let rows = self.view.end;
        if alike && rows >= 8 && !looks_computed(&self.table, &self.view) {
            report.kind = Kind::Learned;
            report.findings.push(note(Code::Learned));
        } else {
            report.findings.push(note(Code::Unknown));
        }
        self.note_zeros(&mut report);
        if report.squeezed.is_some() {
            report.findings.push(note(Code::Squeezed));
        }
        report
    }

    fn note_zeros(&self, report: &mut Report) {
        let cell = |row: usize| Cell {
            position: row,
            dimension: 0,
            found: 0.0,
            expected: f64::NAN,
        };
        // The sine of position 0 is 0.
        let belongs = |row: usize| {
            let formula = report.formula.filter(|_| report.kind == Kind::RopeSin);
            formula.is_some_and(|formula| formula.position(row) == 0.0)
        };
        let zero_rows = self.view.zero_rows.iter().copied();
        let zero_rows: Vec<usize> = zero_rows.filter(|row| !belongs(*row)).collect();
        if let Some(row) = zero_rows.first() {
            report.findings.push(Finding {
                code: Code::ZeroRow,
                cell: Some(cell(*row)),
                count: Some(zero_rows.len()),
            });
        }
        if self.view.end < self.view.rows {
            report.findings.push(Finding {
                code: Code::Truncated,
                cell: Some(cell(self.view.end)),
                count: Some(self.view.rows - self.view.end),
            });
        }
    }

    fn with_formula(&mut self, verification: &Verification) -> Report {
        let fitted = *verification.fitted();
        let formula = fitted.formula;
        let arithmetic = *verification.arithmetic();
        let few = verification.beyond <= 1 || verification.share_beyond() <= MOST_CORRUPT;
        if !few || verification.close_rms() > 2.0 * FITS {
            let mut report = self.without_formula();
            // It begins like this formula: whatever it is, it was computed.
            if report.kind == Kind::Learned {
                report.kind = Kind::Unknown;
                report.findings.retain(|it| it.code != Code::Learned);
                report.findings.insert(0, note(Code::Unknown));
            }
            report.residual = Some(verification.residual());
            report.formula = Some(formula);
            report.runner_up = self.runner_up(Some(&formula));
            return report;
        }
        let kind = match formula.waves {
            Waves::Both => Kind::Sinusoidal,
            Waves::Cosines => Kind::RopeCos,
            Waves::Sines => Kind::RopeSin,
        };
        let mut report = self.blank(kind);
        report.transposed = self.view.transposed;
        report.formula = Some(formula);
        report.residual = Some(verification.residual());
        report.runner_up = self.runner_up(Some(&formula));
        report.layout = layout(&formula);
        report.arithmetic = arithmetic.precision;
        report.scale = Some(fitted.scale.factor);
        report.offset = Some(fitted.scale.offset);
        // Formulas that are the same numbers here tell what cannot be known.
        let bound = self.as_good_as(fitted.relative);
        let alike = self.found.iter().map(|(it, ..)| it);
        let alike = alike.filter(|it| it.relative <= bound && self.same(&formula, &it.formula));
        let alike: Vec<Formula> = alike.map(|it| it.formula).collect();
        let known = |same_else: &dyn Fn(&Formula) -> Formula| {
            let others = alike.iter().filter(|it| **it != formula);
            !others.into_iter().any(|it| same_else(it) == *it)
        };
        let base_known = formula.rule != Rule::None
            && known(&|it| Formula {
                base: it.base,
                ..formula
            });
        report.base = base_known.then_some(formula.base);
        let rule_known = known(&|it| Formula {
            rule: it.rule,
            ..formula
        });
        report.exponent = rule_known.then_some(formula.rule);
        let start_known = known(&|it| Formula {
            start: it.start,
            ..formula
        });
        report.start = start_known.then_some(formula.start);
        report.swapped = (formula.waves == Waves::Both).then_some(formula.swapped);
        let Scale {
            sine_sign,
            cosine_sign,
            ..
        } = fitted.scale;
        let negative = match formula.waves {
            Waves::Both => sine_sign < 0.0 || cosine_sign < 0.0,
            Waves::Cosines => cosine_sign < 0.0,
            Waves::Sines => sine_sign < 0.0,
        };
        report.sign = Some(if negative { -1 } else { 1 });
        report.signs = Some((sine_sign as i32, cosine_sign as i32));
        report.first_wrong = self.first_wrong(&formula, verification);
        self.add_findings(&mut report, verification);
        report
    }

    /// The first cell that differs from the correct table of this kind.
    fn first_wrong(&self, formula: &Formula, verification: &Verification) -> Option<Cell> {
        let columns = self.view.columns;
        let correct = formula.corrected(columns);
        let frequencies: Vec<Option<(f64, bool)>> = (0..columns)
            .map(|column| {
                let wave = correct.column(columns, column)?;
                Some((correct.frequency(wave.exponent), wave.sine))
            })
            .collect();
        let cell = |position: usize, dimension: usize| {
            let (expected, angle) = match frequencies.get(dimension)? {
                None => (0.0, 0.0),
                Some((frequency, sine)) => {
                    let angle = correct.position(position) * frequency;
                    (if *sine { angle.sin() } else { angle.cos() }, angle)
                }
            };
            let found = self.view.at(&self.table, position, dimension);
            let differs = (found - expected).abs() > verification.tolerance(angle);
            (differs || !found.is_finite()).then_some(Cell {
                position,
                dimension,
                found,
                expected,
            })
        };
        // A table that is right is right in all cells, and the verification has seen that; else the first rows tell.
        let same = correct == *formula
            && verification.fitted().scale == Scale::ONE
            && verification.arithmetic().rounding == Rounding::EXACT;
        if same && verification.beyond == 0 && self.not_finite.is_none() {
            let rest = self.view.zero_rows.first().copied();
            let rest = rest.or((self.view.end < self.view.rows).then_some(self.view.end));
            return rest.and_then(|row| (0..columns).find_map(|column| cell(row, column)));
        }
        let cells =
            (0..self.view.rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        cells
            .into_iter()
            .find_map(|(row, column)| cell(row, column))
    }

    fn add_findings(&self, report: &mut Report, verification: &Verification) {
        let fitted = verification.fitted();
        let formula = fitted.formula;
        let arithmetic = verification.arithmetic();
        let scale = fitted.scale;
        let odd = self.view.columns % 2 == 1;
        let rope = formula.waves != Waves::Both;
        let half = matches!(arithmetic.precision, Some(Precision::Bf16 | Precision::F16));
        let degree = std::f64::consts::PI / 180.0;
        let in_degrees = [degree, 1.0 / degree].contains(&formula.step);
        let cut = formula.divisor > self.view.columns + 1 && !rope;
        let first_wrong = report.first_wrong;
        let half_minus_one =
            formula.rule == Rule::Tensor2tensor && formula.order == Order::Interleaved;
        let base_is_another = report.base.is_some_and(|base| base != 10_000.0);
        let is = [
            (Code::Transposed, report.transposed),
            (Code::ExponentColumn, formula.rule.by_column()),
            (Code::ExponentDoubled, formula.rule.doubled()),
            (Code::ExponentHalfMinusOne, half_minus_one),
            (Code::NoDivision, formula.rule == Rule::None),
            (Code::Base, base_is_another && !rope),
            (Code::Swapped, formula.swapped),
            (Code::StartOffset, formula.start != 0),
            (Code::Degrees, in_degrees),
            (Code::PositionStep, formula.step != 1.0 && !in_degrees),
            (Code::Sign, report.sign == Some(-1)),
            (Code::Scaled, scale.factor != 1.0),
            (Code::Shifted, scale.offset != 0.0),
            (Code::HalfPrecisionAngle, half),
        ];
        for (code, _) in is.into_iter().filter(|(_, is)| *is) {
            report.findings.push(Finding {
                code,
                cell: first_wrong,
                count: None,
            });
        }
        if cut {
            report.findings.push(Finding {
                code: Code::Truncated,
                cell: first_wrong,
                count: Some(formula.divisor),
            });
        }
        self.note_zeros(report);
        if verification.beyond > 0 {
            report.findings.push(Finding {
                code: Code::CorruptCell,
                cell: verification.first_beyond,
                count: Some(verification.beyond),
            });
        }
        let wrong_divisor = odd && formula.divisor != formula.corrected(self.view.columns).divisor;
        let unusual_padding = formula.padded && formula.rule != Rule::Tensor2tensor
            || formula.rule == Rule::Tensor2tensor && odd && !formula.padded;
        let wrong_width = wrong_divisor || (odd && unusual_padding);
        let mistakes = wrong_width || report.findings.iter().any(|it| !it.code.is_note());
        if !mistakes && !rope {
            report.findings.push(note(Code::Correct));
        }
        if odd && !rope {
            report.findings.push(Finding {
                code: Code::OddWidth,
                cell: first_wrong.filter(|_| wrong_width),
                count: None,
            });
        }
        let residual = report.residual.map_or(0.0, |residual| residual.max);
        let single = arithmetic.precision == Some(Precision::F32);
        let is = [
            (
                Code::SinglePrecisionAngle,
                single && residual > 1e-5 && !mistakes,
            ),
            (Code::ArithmeticHidden, arithmetic.hidden),
            (Code::PairOrderHidden, rope),
            (Code::Squeezed, report.squeezed.is_some()),
            (
                Code::TooSmall,
                self.view.end < FEW_ROWS || report.base.is_none() && formula.rule != Rule::None,
            ),
        ];
        for (code, _) in is.into_iter().filter(|(_, is)| *is) {
            report.findings.push(note(code));
        }
    }
}

fn note(code: Code) -> Finding {
    Finding {
        code,
        cell: None,
        count: None,
    }
}
