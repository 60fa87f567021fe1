//! The frequencies of a table's pairs and the positions of its rows, measured in the layout that its report names, as a chart
//! shows them.

use crate::description::{Axes, FrequencyRule, PositionRule};
use crate::formula::{Formula, Order, Waves};
use crate::measure::{
    MAX_RESIDUAL, MeasuredFrequency, Reading, Wave, decode, measure, measure_slow, misfit, wrap,
};
use crate::report::{Code, Report};
use crate::table::Table;
use crate::view::View;
use std::f64::consts::PI;
use std::iter::StepBy;
use std::ops::Range;

/// Maximum numbers of pairs and of rows that are measured.
const PAIRS: usize = 128;
const ROWS: usize = 256;
/// Rows on which a frequency is measured, at least and at most.
const FEWEST: usize = 16;
const MOST: usize = 4096;
/// Pairs and rows per step.
const PAIRS_PER_STEP: usize = 2;
const ROWS_PER_STEP: usize = 32;
/// The largest residual of half of the numbers of a row, as a share of the amplitude.
const MAX_MISFIT: f64 = 0.12;

/// An axis of the positions, in a block of adjacent columns or pairs.
#[derive(Debug)]
struct Axis {
    block: usize,
    /// Rows that are evenly spaced along the axis, and the distance of their positions.
    rows: StepBy<Range<usize>>,
    row_step: f64,
}

/// Measures some pairs and rows per step.
#[derive(Debug)]
pub struct WaveStudy {
    view: View,
    /// The formula of a block, and that of the correct table; number of columns and of pairs of each block.
    formula: Formula,
    correct: Formula,
    width: usize,
    pairs: usize,
    axes: Vec<Axis>,
    /// Amplitude and offset of all columns; `None` if each has its own.
    scale: Option<(f64, f64)>,
    /// Signs of sines and of cosines.
    signs: (f64, f64),
    wrong_columns: Vec<usize>,
    /// Whether the frequencies are those of the formula.
    is_of_formula: bool,
    next: usize,
    frequencies: Vec<MeasuredFrequency>,
    positions: Vec<(usize, f64)>,
}

impl WaveStudy {
    /// Creates a study of the table of a report; `None` if its columns were not recognised as waves.
    pub fn new(table: &Table, report: &Report) -> Option<WaveStudy> {
        if !report.is_recognised() || report.has(Code::Reshaped) {
            return None;
        }
        let formula = report.formula?;
        let view = View::new(table).turned(table, report.transposed);
        let blocks = report.axes.as_ref().map_or(1, |it| it.sizes.len());
        let width = view.columns / blocks;
        let formula = match blocks {
            1 => formula,
            _ => Formula {
                divisor: formula.order.divisor(width),
                ..formula
            },
        };
        let is_measured = report.is_measured();
        let pairs = match formula.order {
            Order::Single => width,
            Order::Quarters => width / 4,
            _ => width / 2,
        };
        let positions = report.positions.filter(|_| is_measured);
        let step = positions.and_then(|it| it.step).map_or(1.0, f64::abs);
        // Of positions that begin again, those before or, if these are few, those after.
        let rows = match positions.map(|it| (it.rule, it.row)) {
            Some((PositionRule::Restarts, Some(row))) if row < FEWEST => row..view.end,
            Some((PositionRule::Repeated, _)) => 0..0,
            Some((_, Some(row))) if row < FEWEST => 0..0,
            Some((_, Some(row))) => 0..row,
            _ => 0..view.end,
        };
        let one = || Axis {
            block: 0,
            rows: (rows.start..rows.end.min(rows.start + MOST)).step_by(1),
            row_step: if step > 0.0 { step } else { 1.0 },
        };
        let axes = report.axes.as_ref().map(axes_of);
        let rule = report.frequencies.as_ref().map(|it| it.rule);
        let (sine, cosine) = report.signs.unwrap_or((1, 1));
        let mut study = WaveStudy {
            correct: formula.corrected(width),
            width,
            pairs,
            axes: axes.unwrap_or_else(|| vec![one()]),
            scale: report
                .scale
                .map(|it| (it.abs(), report.offset.unwrap_or(0.0))),
            signs: (f64::from(sine), f64::from(cosine)),
            wrong_columns: report.wrong_columns.clone(),
            is_of_formula: !is_measured || rule == Some(FrequencyRule::Geometric),
            formula,
            view,
            next: 0,
            frequencies: Vec::new(),
            positions: Vec::new(),
        };
        if blocks > 1 {
            let readings = study.frequencies_for_decoding();
            for at in 0..blocks {
                let axis = &study.axes[at];
                let (first, last) = (axis.rows.clone().next()?, axis.rows.clone().next_back()?);
                let [from, to] = [first, last].map(|row| study.decode(table, row, axis, &readings));
                let step = (to?.0 - from?.0) / axis.rows.len().saturating_sub(1).max(1) as f64;
                study.axes[at].row_step = step.abs().max(f64::MIN_POSITIVE);
            }
        }
        Some(study)
    }

    /// Runs one step; returns `false` when the study is complete.
    pub fn step(&mut self, table: &Table) -> bool {
        let some = self.pairs.min(PAIRS);
        let pairs = some * self.axes.len();
        let rows = self.view.end.min(ROWS);
        let from = self.next;
        if from < pairs {
            self.next = pairs.min(from + PAIRS_PER_STEP);
            for at in from..self.next {
                let pair = at % some * (self.pairs - 1) / (some - 1).max(1);
                self.measure_pair(table, at / some, pair);
            }
        } else if self.scale.is_some() && from < pairs + rows {
            self.next = from + ROWS_PER_STEP;
            let readings = self.frequencies_for_decoding();
            for at in from - pairs..rows.min(self.next - pairs) {
                let row = at * (self.view.end - 1) / (rows - 1).max(1);
                for axis in &self.axes {
                    let found = self.decode(table, row, axis, &readings);
                    let found = found.filter(|(_, far)| *far <= MAX_MISFIT);
                    self.positions
                        .extend(found.map(|(position, _)| (row, position)));
                }
            }
        } else {
            return false;
        }
        true
    }

    /// Returns the number of axes of the positions.
    pub fn axis_count(&self) -> usize {
        self.axes.len()
    }

    /// Returns the number of pairs of an axis, of which at most 128 are measured.
    pub fn pair_count(&self) -> usize {
        self.pairs
    }

    /// Returns the number of rows up to the last one that is not zero, of which at most 256 are measured.
    pub fn row_count(&self) -> usize {
        self.view.end
    }

    /// Returns the measured frequencies. A pair has one for each axis, two where sine and cosine have frequencies of their own,
    /// and none where the table does not tell it.
    pub fn frequencies(&self) -> &[MeasuredFrequency] {
        &self.frequencies
    }

    /// Returns the frequency of a pair of the correct table, in radians per position.
    pub fn correct_frequency(&self, pair: usize) -> f64 {
        let columns = self.columns_of(pair);
        let wave = self.correct.column(self.width, columns[0]);
        wave.map_or(0.0, |it| self.correct.frequency(it.exponent))
    }

    /// Returns the rows that have a position, with the position along each axis that their numbers give.
    pub fn positions(&self) -> &[(usize, f64)] {
        &self.positions
    }

    /// The columns of a pair in a block, twice the same if it has only one.
    fn columns_of(&self, pair: usize) -> [usize; 2] {
        match (
            self.formula.pair_columns(self.width, pair),
            self.formula.order,
        ) {
            (Some(both), _) => both,
            (None, Order::Interleaved) => [2 * pair; 2],
            (None, _) => [pair; 2],
        }
    }

    /// The column of the table that is a column of a block.
    fn column_in(&self, block: usize, column: usize) -> usize {
        let blocks = (self.axes.len(), self.width);
        self.formula.column_of_block(blocks, block, column)
    }

    fn frequency_of(&self, column: usize) -> Option<f64> {
        let wave = self.formula.column(self.width, column)?;
        Some(self.formula.frequency(wave.exponent) * self.formula.step)
    }

    fn measure_pair(&mut self, table: &Table, axis: usize, pair: usize) {
        let [first, second] = self.columns_of(pair);
        let axis = &self.axes[axis];
        let (step, rows) = (axis.row_step, axis.rows.len());
        let found = |column: usize| {
            let known = !self
                .wrong_columns
                .contains(&self.column_in(axis.block, column));
            known.then(|| self.measure_column(table, axis, column))?
        };
        let found = match self.formula.rule.by_column() && first != second {
            true => vec![found(first), found(second)],
            false => {
                let both = [found(first), found(second)].into_iter().flatten();
                vec![both.min_by(|a, b| a.error.total_cmp(&b.error))]
            }
        };
        for wave in found.into_iter().flatten() {
            // A frequency above half a turn per row looks like a lower one: the one that is nearest to the formula.
            let near = self.frequency_of(first).unwrap_or(0.0) * step;
            let frequency = match near > PI {
                true => {
                    let [plus, minus] =
                        [1.0, -1.0].map(|sign| near - wrap(near - sign * wave.frequency));
                    if (plus - near).abs() <= (minus - near).abs() {
                        plus
                    } else {
                        minus
                    }
                }
                false => wave.frequency,
            };
            let amplitude = wave.amplitude.abs().max(f64::MIN_POSITIVE);
            let error = wave.frequency_error(rows, self.view.rounding / amplitude);
            self.frequencies.push(MeasuredFrequency {
                pair,
                frequency: frequency / step,
                error: error / step,
            });
        }
    }

    fn measure_column(&self, table: &Table, axis: &Axis, column: usize) -> Option<Wave> {
        let stored = self.column_in(axis.block, column);
        let number = |row: usize| match self.view.counts(row) {
            true => self.view.at(table, row, stored),
            false => f64::NAN,
        };
        let numbers: Vec<f64> = axis.rows.clone().map(number).collect();
        let wave = measure(&numbers, None)?;
        let fits = |wave: &Wave, amplitude: f64| wave.residual <= MAX_RESIDUAL * amplitude;
        if wave.is_determined && fits(&wave, wave.amplitude) {
            return Some(wave);
        }
        let (amplitude, offset) = self.scale?;
        let slow = measure_slow(&numbers, Some(wave), amplitude, offset)?;
        // Next to the turning point of a cosine, rounding alone looks like a slow wave.
        let wave = self.formula.column(self.width, column)?;
        let rounding = match wave.sine {
            true => 0.0,
            false => (100.0 * self.view.rounding / amplitude).sqrt() / numbers.len() as f64,
        };
        let turns = slow.frequency > (20.0 * slow.error).max(rounding);
        (fits(&slow, amplitude) && turns).then_some(slow)
    }

    /// Returns pairs with their frequencies, from the lowest on.
    fn frequencies_for_decoding(&self) -> Vec<(usize, f64)> {
        let all: Vec<(usize, f64)> = match self.is_of_formula {
            true => {
                let count = self.pairs.min(PAIRS);
                let some = (0..count).map(|at| at * (self.pairs - 1) / (count - 1).max(1));
                let own = |pair| Some((pair, self.frequency_of(self.columns_of(pair)[0])?));
                some.filter_map(own).collect()
            }
            false => {
                let measured = self.frequencies.iter();
                measured.map(|it| (it.pair, it.frequency)).collect()
            }
        };
        posenc_sort::sorted(&all, |(_, frequency)| *frequency)
    }

    /// Returns the position of a row along an axis, and how far its numbers are from those of the position.
    fn decode(
        &self,
        table: &Table,
        row: usize,
        axis: &Axis,
        pairs: &[(usize, f64)],
    ) -> Option<(f64, f64)> {
        let (amplitude, offset) = self.scale?;
        let mut readings = Vec::new();
        for &(pair, frequency) in pairs {
            let [first, second] = self.columns_of(pair);
            let mut numbers = [None, None];
            for column in [first, second] {
                let stored = self.column_in(axis.block, column);
                let wave = self.formula.column(self.width, column);
                let Some(wave) = wave.filter(|_| !self.wrong_columns.contains(&stored)) else {
                    continue;
                };
                let sign = if wave.sine {
                    self.signs.0
                } else {
                    self.signs.1
                };
                let number = (self.view.at(table, row, stored) - offset) / amplitude * sign;
                numbers[usize::from(!wave.sine)] = Some(number);
            }
            let [sine, cosine] = numbers;
            let by_column = self.formula.rule.by_column() && self.formula.waves == Waves::Both;
            readings.push(Reading {
                frequency,
                sine,
                cosine: cosine.filter(|_| !by_column),
            });
        }
        let noise = (self.view.rounding / amplitude).max(1e-7);
        let found = [noise, 0.01].map(|noise| {
            let position = decode(readings.iter(), noise);
            (position, misfit(&readings, position))
        });
        let [exact, coarse] = found;
        Some(if coarse.1 < 0.9 * exact.1 {
            coarse
        } else {
            exact
        })
    }
}

/// The axes in the order of their blocks of columns; the steps of their positions are not known yet.
fn axes_of(axes: &Axes) -> Vec<Axis> {
    let of = |(block, (stride, size)): (usize, (usize, usize))| {
        let end = axes.special_rows + size * stride;
        Axis {
            block,
            rows: (axes.special_rows..end).step_by(stride),
            row_step: 1.0,
        }
    };
    axes.by_block().into_iter().enumerate().map(of).collect()
}
