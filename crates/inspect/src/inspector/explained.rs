//! Reports what is measured where no single formula holds: frequencies of other rules, rows in another sequence, several
//! axes, and damage.

use super::Inspector;
use super::conclusions::note;
use crate::description::{Frequencies, FrequencyRule, PositionRule, Positions};
use crate::formula::{Formula, Order, Rule, Waves};
use crate::measure::{Copies, Explanation, describe_axes, describe_positions};
use crate::report::{Cell, Code, Finding, Kind, Nearest, Report, Residual};

/// Share of its cells from which a row or a column is wrong as a whole.
const WRONG: f64 = 0.4;
/// Root mean square error, as a share of the amplitude, from which numbers are coarse: that of whole numbers of 16 bits is
/// 2⁻¹⁵/√12 = 8.8e-6.
const COARSE: f64 = 8e-6;
/// Share of the cells that are zero by accident.
const EXPECTED_ZEROS: f64 = 0.005;

impl Inspector {
    /// Returns the formula of what is measured, if all rows and columns follow one, and whether it has an offset.
    pub(super) fn formula_of(&self, explanation: &Explanation) -> Option<(Formula, bool)> {
        let model = &explanation.model;
        let (rule, base) = model.of_base?;
        let arrangement = model.arrangement;
        let order = match (arrangement.waves, model.copies) {
            (Waves::Both, Copies::None) => arrangement.order,
            (Waves::Both, Copies::Quarters) => Order::Quarters,
            (Waves::Both, _)
            | (_, Copies::Halves { negated: true } | Copies::Quarters | Copies::Missing(_)) => {
                return None;
            }
            (_, Copies::Halves { .. }) => Order::Halves,
            (_, Copies::Adjacent) => Order::Interleaved,
            (_, Copies::None) => Order::Single,
        };
        let [positions] = &model.positions[..] else {
            return None;
        };
        let found = describe_positions(positions, model.tolerance)?;
        let step = found
            .step
            .filter(|step| *step > 0.0 && found.row.is_none())?;
        let start = found.start / step;
        let is_whole =
            (start - start.round()).abs() < 0.01 && positions.iter().all(|it| it.is_finite());
        let is_clean = explanation.misfits.bad_share() <= 0.002 && model.without_wave.is_empty();
        if !is_whole || !is_clean || base <= 1.0 || !base.is_finite() {
            return None;
        }
        // Frequencies below 1 in a cache are positions in steps of less than 1.
        let factor = explanation.frequencies.as_ref().and_then(|it| it.factor);
        let step = match arrangement.waves {
            Waves::Both => step,
            _ => step / factor.unwrap_or(1.0),
        };
        let near = |it: &f64| (step / it - 1.0).abs() < 1e-5;
        let (degree, turn) = (std::f64::consts::PI / 180.0, std::f64::consts::TAU);
        let known = [
            degree,
            1.0 / degree,
            turn,
            step.round(),
            1.0 / (1.0 / step).round(),
        ];
        let step = known.into_iter().find(near).unwrap_or(step);
        let offset = model.offset != 0.0;
        let formula = Formula {
            waves: arrangement.waves,
            order,
            rule,
            base,
            divisor: order.divisor(self.view.columns),
            start: start.round() as i64,
            step,
            swapped: arrangement.swapped,
            padded: false,
        };
        Some((formula, offset))
    }

    /// Returns the report of what is measured; `None` if it does not explain the table.
    pub(super) fn explained(&self, explanation: &Explanation) -> Option<Report> {
        let Explanation {
            model,
            misfits,
            frequencies,
        } = explanation;
        let view = &self.view;
        let arrangement = model.arrangement;
        let axes = describe_axes(&model.positions, model.tolerance);
        if arrangement.blocks > 1 && axes.is_none() {
            return None;
        }
        let positions = match axes {
            None => describe_positions(model.positions.first()?, model.tolerance),
            Some(_) => None,
        };
        // Positions that are all the same tell nothing.
        if positions.is_some_and(|it| it.step == Some(0.0)) {
            return None;
        }
        let mut report = self.blank(Kind::Unknown);
        report.transposed = view.transposed;
        report.residual = Some(Residual {
            max: misfits.max,
            rms: misfits.rms(),
        });
        let missing = match model.copies {
            Copies::Missing(order) => Some(order),
            _ => None,
        };
        report.layout = match (
            arrangement.waves,
            arrangement.order,
            model.copies,
            model.of_base,
        ) {
            (Waves::Both, Order::Halves, _, Some((Rule::Tensor2tensor, _))) => {
                Some("tensor2tensor")
            }
            (Waves::Both, Order::Halves, ..)
            | (_, _, Copies::Halves { .. } | Copies::Missing(Order::Halves), _) => {
                Some("concatenated")
            }
            (Waves::Both, Order::Interleaved, ..)
            | (_, _, Copies::Adjacent | Copies::Missing(_), _) => Some("interleaved"),
            _ => None,
        };
        let of_base = || {
            model
                .of_base
                .map(|(_, base)| Frequencies::of_base(base, false))
        };
        report.frequencies = frequencies.clone().or_else(of_base);
        // The number of pairs that a base belongs to is that of its rule.
        if let (Some(frequencies), Some((Rule::Tensor2tensor, base))) =
            (&mut report.frequencies, model.of_base)
        {
            frequencies.base = Some(base);
        }
        report.base = report.frequencies.as_ref().and_then(|it| it.base);
        report.exponent = model.of_base.map(|(rule, _)| rule);
        report.start = positions
            .map(|it| it.start)
            .filter(|it| it.fract() == 0.0)
            .map(|it| it as i64);
        report.swapped = (arrangement.waves == Waves::Both).then_some(arrangement.swapped);
        let negated = model.copies == Copies::Halves { negated: true };
        let sign = if negated { -1 } else { 1 };
        report.sign = Some(sign);
        report.signs = Some((sign, 1));
        let close =
            2e-3 + 2.0 * view.rounding + 2.0 * (misfits.close().0 / model.amplitude).powi(2);
        let is_one = (model.amplitude - 1.0).abs() <= close;
        report.scale = Some(if is_one { 1.0 } else { model.amplitude });
        let offset = model.offset;
        report.offset = Some(offset);
        if model.own_scale {
            (report.scale, report.offset) = (None, None);
        }
        report.positions = positions;
        report.nearest = Some(Nearest {
            formula: None,
            rms: misfits.rms(),
        });
        let formula = self.corresponding(explanation, &report);
        let kind = Kind::of(&formula);
        (report.kind, report.formula) = (kind, Some(formula));
        report.runner_up = self.runner_up(report.formula.as_ref(), misfits.rms());
        report.axes = axes;
        if report.base == Some(1.0) {
            (report.base, report.exponent) = (None, Some(Rule::None));
        }
        self.add_sequence(&mut report);
        self.add_frequencies(&mut report);
        let is = [
            (Code::Transposed, report.transposed),
            (
                Code::Swapped,
                arrangement.swapped && kind == Kind::Sinusoidal,
            ),
            (Code::Sign, negated),
            (Code::Scaled, !is_one || model.own_scale),
            (Code::Shifted, offset != 0.0 && !model.own_scale),
            (
                Code::Repeated,
                arrangement.waves == Waves::Both
                    && !matches!(model.copies, Copies::None | Copies::Quarters),
            ),
        ];
        for (code, _) in is.into_iter().filter(|(_, is)| *is) {
            report.findings.push(note(code));
        }
        if let Some(order) = missing {
            let column = if order == Order::Halves {
                view.columns / 2
            } else {
                1
            };
            report.wrong_columns = match order {
                Order::Halves => (column..view.columns).collect(),
                _ => (column..view.columns).step_by(2).collect(),
            };
            report.findings.push(Finding {
                code: Code::WrongColumns,
                cell: Some(Cell {
                    expected: model.amplitude,
                    ..self.cell_in(0, column)
                }),
                count: Some(view.columns / 2),
            });
        }
        if !self.add_damage(&mut report, explanation) {
            return None;
        }
        self.note_zeros(&mut report);
        if report.findings.iter().all(|it| it.code.is_note()) && kind == Kind::Sinusoidal {
            report.findings.push(note(Code::Unknown));
        }
        if formula.is_cache() {
            report.findings.push(note(Code::PairOrderHidden));
        }
        if report.squeezed.is_some() {
            report.findings.push(note(Code::Squeezed));
        }
        Some(report)
    }

    /// Returns the formula whose correct table corresponds to what is measured.
    fn corresponding(&self, explanation: &Explanation, report: &Report) -> Formula {
        let model = &explanation.model;
        let arrangement = model.arrangement;
        let (rule, base) = model
            .of_base
            .unwrap_or((Rule::Paper, report.base.unwrap_or(10_000.0)));
        let (waves, order) = match (arrangement.waves, model.copies) {
            (_, Copies::Missing(order)) => (Waves::Both, order),
            (waves, Copies::Halves { .. }) => (waves, Order::Halves),
            (waves, Copies::Quarters) => (waves, Order::Quarters),
            (waves, Copies::Adjacent) => (waves, Order::Interleaved),
            (waves, Copies::None) => (waves, arrangement.order),
        };
        Formula {
            waves,
            order,
            rule,
            base,
            divisor: order.divisor(self.view.columns),
            start: report.start.unwrap_or_default(),
            swapped: arrangement.swapped,
            ..Formula::paper(self.view.columns)
        }
    }

    fn add_sequence(&self, report: &mut Report) {
        let mut add = |code, row: Option<usize>, count| {
            report.findings.push(Finding {
                code,
                cell: row.map(|position| self.cell_in(position, 0)),
                count,
            });
        };
        if let Some(axes) = &report.axes {
            let special = axes.special_rows;
            add(Code::Axes, None, None);
            if special > 0 {
                add(Code::SpecialRows, Some(0), Some(special));
            }
        }
        let Some(Positions {
            rule,
            start,
            step,
            row,
        }) = report.positions
        else {
            return;
        };
        let step = step.unwrap_or(1.0);
        match rule {
            PositionRule::Restarts => add(Code::Restarts, row, None),
            PositionRule::Repeated | PositionRule::Clamped => add(Code::Repeated, row, None),
            PositionRule::Listed => add(Code::PositionStep, row, None),
            PositionRule::Arithmetic => {}
        }
        if step < 0.0 {
            add(Code::Falling, None, None);
        }
        if step.abs() != 1.0 && rule != PositionRule::Listed {
            add(Code::PositionStep, None, None);
        }
        if start != 0.0 && start.fract() == 0.0 && step > 0.0 && rule == PositionRule::Arithmetic {
            add(Code::StartOffset, None, None);
        }
    }

    fn add_frequencies(&self, report: &mut Report) {
        let Some(frequencies) = &report.frequencies else {
            return;
        };
        let rope = report.kind != Kind::Sinusoidal;
        let code = match frequencies.rule {
            FrequencyRule::Geometric if frequencies.is_rounded => Code::HalfPrecisionAngle,
            FrequencyRule::Geometric if rope || frequencies.base == Some(10_000.0) => return,
            FrequencyRule::Geometric if frequencies.base == Some(1.0) => Code::NoDivision,
            FrequencyRule::Geometric => Code::Base,
            FrequencyRule::Proportional => Code::Partial,
            FrequencyRule::LinearScaled if !rope && frequencies.base == Some(10_000.0) => return,
            _ => Code::ScaledFrequencies,
        };
        report.findings.push(note(code));
    }

    /// Adds what is wrong with rows, columns and cells; returns `false` if it is so much that the model means nothing.
    fn add_damage(&self, report: &mut Report, explanation: &Explanation) -> bool {
        let Explanation { model, misfits, .. } = explanation;
        let view = &self.view;
        let modelled: Vec<usize> = (0..view.columns)
            .filter(|it| model.waves[*it].is_some())
            .collect();
        let has_position = |row: usize| model.positions.iter().all(|axis| axis[row].is_finite());
        let rows = (0..view.end).filter(|row| view.counts(*row));
        let known = rows.clone().filter(|row| has_position(*row)).count();
        let is_bad = |column: &usize| misfits.bad_in_column[*column] as f64 > WRONG * known as f64;
        let bad_columns: Vec<usize> = modelled.iter().copied().filter(is_bad).collect();
        let mut wrong_columns = model.without_wave.clone();
        wrong_columns.extend(&bad_columns);
        let is_wrong = |row: &usize| {
            let bad = misfits.bad_in_row[*row].saturating_sub(bad_columns.len());
            !has_position(*row) || bad as f64 > WRONG * modelled.len() as f64
        };
        let wrong_rows: Vec<usize> = rows.filter(is_wrong).collect();
        if 4 * wrong_rows.len() > view.end || 2 * wrong_columns.len() > modelled.len() {
            return false;
        }
        let cell = |row: usize, column: usize| Cell {
            expected: model.at(row, column).unwrap_or(f64::NAN),
            ..self.cell_in(row, column)
        };
        let mut add = |code, cell, count| {
            report.findings.push(Finding {
                code,
                cell,
                count: Some(count),
            });
        };
        let leading = wrong_rows
            .iter()
            .enumerate()
            .take_while(|(at, row)| at == *row)
            .count();
        let is_axes = model.arrangement.blocks > 1;
        if leading > 0 && !is_axes {
            add(Code::SpecialRows, Some(cell(0, 0)), leading);
        }
        if let Some(row) = wrong_rows.get(leading) {
            add(
                Code::WrongRows,
                Some(cell(*row, 0)),
                wrong_rows.len() - leading,
            );
        }
        if let Some(column) = wrong_columns.first() {
            add(
                Code::WrongColumns,
                Some(cell(0, *column)),
                wrong_columns.len(),
            );
        }
        let in_rows: usize = wrong_rows.iter().map(|row| misfits.bad_in_row[*row]).sum();
        let in_columns: usize = wrong_columns
            .iter()
            .map(|column| misfits.bad_in_column[*column])
            .sum();
        let left = misfits.bad.saturating_sub(in_rows + in_columns);
        let many = if wrong_columns.is_empty() { 50 } else { 500 };
        if many * left > misfits.cells && 10 * misfits.zeros < 9 * misfits.bad {
            return false;
        }
        let (rms, max) = misfits.close();
        if misfits.bad_share() > EXPECTED_ZEROS
            && 10 * misfits.zeros > 9 * misfits.bad
            && wrong_columns.is_empty()
        {
            let (row, column) = misfits.first_bad.unwrap_or_default();
            add(Code::Dropout, Some(cell(row, column)), misfits.zeros);
        } else if left > 0 && in_rows + in_columns == 0 || left > misfits.cells / 1000 {
            let (row, column) = misfits.first_bad.unwrap_or_default();
            let code = match left <= 1 || left <= misfits.cells / 500 {
                true => Code::CorruptCell,
                false => Code::Unknown,
            };
            add(code, Some(cell(row, column)), left);
        }
        // Errors of angles in single precision grow along the rows, and most are far smaller than the largest.
        let is_coarse = rms > COARSE * model.amplitude && max < 5.0 * rms;
        if is_coarse && rms > 2.0 * view.rounding {
            report.findings.push(note(Code::Coarse));
        }
        report.wrong_rows = wrong_rows;
        report.wrong_columns.extend(wrong_columns);
        true
    }

    /// The cell in a row and a column, of which nothing is expected.
    fn cell_in(&self, row: usize, column: usize) -> Cell {
        Cell {
            position: row,
            dimension: column,
            found: self.view.at(&self.table, row, column),
            expected: f64::NAN,
        }
    }
}
