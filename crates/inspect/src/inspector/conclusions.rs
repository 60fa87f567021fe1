//! Builds the report and its findings.

use super::no_match::NoMatch;
use super::{COMMON, FEW_ROWS, Inspector};
use crate::description::{Frequencies, PositionRule, Positions};
use crate::fit::{Fitted, Scale};
use crate::formula::{Formula, Order, Rule, Waves};
use crate::learned::looks_computed;
use crate::precision::Precision;
use crate::report::{Cell, Code, Finding, Kind, Nearest, Report, RunnerUp, layout};
use crate::verify::Verification;

/// Bases of models that rotate a part of each head.
const HEAD_BASES: [f64; 5] = [10_000.0, 500_000.0, 1e6, 5e6, 1e7];

impl Inspector {
    /// Returns a report with what is known of any table.
    pub(super) fn blank(&self, kind: Kind) -> Report {
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
            nearest: None,
            also: Vec::new(),
            frequencies: None,
            positions: None,
            axes: None,
            nearest_is_neighbour: None,
            repeated_position: None,
            first_wrong: None,
            wrong_rows: Vec::new(),
            wrong_columns: Vec::new(),
            findings: Vec::new(),
        };
        if let Some((mut cell, count)) = self.not_finite {
            if self.view.transposed {
                (cell.position, cell.dimension) = (cell.dimension, cell.position);
            }
            report.findings.push(Finding {
                code: Code::NotFinite,
                cell: Some(cell),
                count: Some(count),
            });
        }
        report
    }

    /// Returns the report of a table that is no table of waves.
    pub(super) fn not_waves(&self, kind: Kind, frequencies: Option<Frequencies>) -> Report {
        let mut report = self.blank(kind);
        report.base = frequencies.as_ref().and_then(|it| it.base);
        report.frequencies = frequencies;
        if report.squeezed.is_some() {
            report.findings.push(note(Code::Squeezed));
        }
        report
    }

    pub(super) fn constant(&self) -> Report {
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
            for formula in Formula::in_each_layout(columns) {
                let position = (0..8192).find(|position| is_row_of(&formula, *position));
                if position.is_some() && report.formula.is_none() {
                    report.formula = Some(formula);
                    report.repeated_position = position;
                    report.layout = layout(&formula);
                }
            }
            let formula = report.formula.unwrap_or(Formula::paper(columns));
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
        if report.squeezed.is_some() {
            report.findings.push(note(Code::Squeezed));
        }
        report
    }

    /// Returns the formula with the smallest residual among those that differ from `than` in this table, if it is no better
    /// than a root mean square residual of `least`.
    pub(super) fn runner_up(&self, than: Option<&Formula>, least: f64) -> Option<RunnerUp> {
        let differs = |fitted: &Fitted| than.is_none_or(|than| !self.same(than, &fitted.formula));
        let candidates = self.candidates.iter();
        let others = candidates.filter(|it| it.transposed == self.view.transposed);
        let others = others.map(|it| it.fitted).filter(differs);
        let others = others.map(|fitted| RunnerUp {
            formula: fitted.formula,
            rms: fitted.rms(),
        });
        let worse = others.filter(|it| it.rms >= least);
        worse.min_by(|a, b| a.rms.total_cmp(&b.rms))
    }

    /// Returns whether two formulas give the same numbers in this table, within rounding.
    pub(super) fn same(&self, a: &Formula, b: &Formula) -> bool {
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

    pub(super) fn report_no_match(&self, no_match: &NoMatch) -> Report {
        let mut report = self.blank(Kind::Unknown);
        report.transposed = self.view.transposed;
        if let Some(verification) = &no_match.verification {
            let formula = verification.fitted().formula;
            report.residual = Some(verification.residual());
            report.formula = Some(formula);
        }
        // The residuals of all formulas on the same cells.
        let nearest = self.runner_up(None, 0.0);
        report.nearest = nearest.map(|it| Nearest {
            formula: Some(it.formula),
            rms: it.rms,
        });
        report.runner_up = nearest.and_then(|it| self.runner_up(Some(&it.formula), it.rms));
        report.nearest_is_neighbour = no_match.neighbours.share();
        let alike = report.nearest_is_neighbour.is_some_and(|it| it >= 0.5);
        let rows = self.view.end;
        let is_computed = no_match.is_computed || looks_computed(&self.table, &self.view);
        if alike && rows >= 8 && !is_computed {
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

    pub(super) fn note_zeros(&self, report: &mut Report) {
        let cell = |row: usize| Cell {
            position: row,
            dimension: 0,
            found: 0.0,
            expected: f64::NAN,
        };
        // Sines alone are zero at position 0.
        let formula = report.formula.filter(|_| report.is_recognised());
        let belongs = |row: usize| {
            let columns = 0..self.view.columns;
            let mut rest = columns.filter(|it| !report.wrong_columns.contains(it));
            formula.is_some_and(|it| rest.all(|at| it.value(self.view.columns, row, at) == 0.0))
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

    pub(super) fn with_formula(
        &self,
        verification: &Verification,
        first_wrong: Option<Cell>,
    ) -> Report {
        let fitted = *verification.fitted();
        let formula = fitted.formula;
        let arithmetic = *verification.arithmetic();
        let mut report = self.blank(Kind::of(&formula));
        report.transposed = self.view.transposed;
        report.formula = Some(formula);
        report.residual = Some(verification.residual());
        let rms = verification.residual().rms.min(fitted.rms());
        report.nearest = Some(Nearest {
            formula: Some(formula),
            rms,
        });
        report.runner_up = self.runner_up(Some(&formula), rms);
        report.layout = layout(&formula);
        report.arithmetic = arithmetic.precision;
        report.scale = Some(fitted.scale.factor);
        report.offset = Some(fitted.scale.offset);
        // Formulas that give the same numbers here show which parameters cannot be determined.
        let bound = self.as_good_as(fitted.relative);
        let alike = self.candidates.iter().map(|it| &it.fitted);
        let alike = alike.filter(|it| it.relative <= bound && self.same(&formula, &it.formula));
        let alike: Vec<Formula> = alike.map(|it| it.formula).collect();
        let known = |same_else: &dyn Fn(&Formula) -> Formula| {
            let others = alike.iter().filter(|it| **it != formula);
            !others.into_iter().any(|it| same_else(it) == *it)
        };
        // The bases of a grid may be the fitted one but for its last digits.
        let bases = alike.iter().map(|it| it.base);
        let bases = bases.filter(|base| (base / formula.base - 1.0).abs() > 1e-3);
        let of = |base: f64| Formula { base, ..formula };
        let is_fitted = !COMMON.contains(&formula.base);
        let neighbours = [0.99, 1.01].map(|factor| of(factor * formula.base));
        let base_known = formula.rule != Rule::None
            && !bases.into_iter().any(|base| alike.contains(&of(base)))
            && !(is_fitted && neighbours.iter().any(|it| self.same(&formula, it)));
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
        report.first_wrong = first_wrong;
        let is_cache = formula.is_cache();
        let scaled = is_cache && formula.step != 1.0;
        report.frequencies = report.base.map(|base| Frequencies {
            factor: scaled.then_some(1.0 / formula.step),
            ..Frequencies::of_base(base, scaled)
        });
        let step = if is_cache { 1.0 } else { formula.step };
        report.positions = report.start.map(|start| Positions {
            rule: PositionRule::Arithmetic,
            start: start as f64 * step,
            step: Some(step),
            row: None,
        });
        self.add_findings(&mut report, verification);
        report
    }

    pub(super) fn add_findings(&self, report: &mut Report, verification: &Verification) {
        let fitted = verification.fitted();
        let formula = fitted.formula;
        let arithmetic = verification.arithmetic();
        let scale = fitted.scale;
        let odd = self.view.columns % 2 == 1;
        let rope = formula.is_cache();
        let half = matches!(arithmetic.precision, Some(Precision::Bf16 | Precision::F16));
        let degree = std::f64::consts::PI / 180.0;
        let in_degrees = [degree, 1.0 / degree].contains(&formula.step);
        let cut = formula.divisor > self.view.columns + 1 && !rope;
        let first_wrong = report.first_wrong;
        let half_minus_one =
            formula.rule == Rule::Tensor2tensor && formula.order == Order::Interleaved;
        let base_is_another = formula.base != 10_000.0 && formula.rule != Rule::None;
        let is = [
            (Code::Transposed, report.transposed),
            (Code::ExponentColumn, formula.rule.by_column()),
            (Code::ExponentDoubled, formula.rule.doubled()),
            (Code::ExponentHalfMinusOne, half_minus_one),
            (Code::NoDivision, formula.rule == Rule::None),
            (Code::Base, base_is_another && !rope),
            (Code::Swapped, formula.swapped && !rope),
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
        // A head of which only the first dimensions are rotated, with the whole head's width in the exponent.
        let mut whole = HEAD_BASES.iter().map(|it| it.ln() / formula.base.ln());
        let wider = whole.find(|it| *it > 1.5 && *it < 9.0 && (it - it.round()).abs() < 1e-5);
        if let Some(times) = wider.filter(|_| rope && !COMMON.contains(&formula.base)) {
            report.findings.push(Finding {
                code: Code::Partial,
                cell: None,
                count: Some(times.round() as usize * self.view.columns),
            });
        }
        self.note_zeros(report);
        let proof = verification.proof_of_correct(self.view.columns);
        let (differing, first) = match proof {
            Some(proof) => (proof.differing, proof.first),
            None => (verification.beyond, verification.first_beyond),
        };
        if differing > 0 {
            report.findings.push(Finding {
                code: match verification.is_few(differing) {
                    true => Code::CorruptCell,
                    false => Code::Unknown,
                },
                cell: first,
                count: Some(differing),
            });
        }
        let wrong_divisor = odd && formula.divisor != formula.corrected(self.view.columns).divisor;
        let unusual_padding = formula.padded && formula.rule != Rule::Tensor2tensor
            || formula.rule == Rule::Tensor2tensor && odd && !formula.padded;
        let wrong_width = wrong_divisor || (odd && unusual_padding);
        let mistakes = wrong_width || report.findings.iter().any(|it| !it.code.is_note());
        if !mistakes && !rope {
            let is_proven = proof.is_some_and(|proof| proof.differing == 0);
            report.findings.push(note(match is_proven {
                true => Code::Correct,
                false => Code::Unknown,
            }));
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
            (Code::ArithmeticHidden, arithmetic.ambiguous),
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

pub(super) fn note(code: Code) -> Finding {
    Finding {
        code,
        cell: None,
        count: None,
    }
}
