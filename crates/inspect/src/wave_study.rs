//! The frequencies of a table's pairs and the positions of its rows, measured in the layout that its report names, as a chart
//! shows them.

use crate::description::{FrequencyRule, PositionRule};
use crate::formula::{Formula, Order, Waves};
use crate::measure::{
    MAX_RESIDUAL, MeasuredFrequency, Reading, Wave, decode, measure, measure_slow, misfit, wrap,
};
use crate::report::Report;
use crate::table::Table;
use crate::view::View;
use std::f64::consts::PI;
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

/// Measures some pairs and rows per step.
#[derive(Debug)]
pub struct WaveStudy {
    view: View,
    formula: Formula,
    correct: Formula,
    pairs: usize,
    /// Amplitude and offset of all columns; `None` if each has its own.
    scale: Option<(f64, f64)>,
    /// Signs of sines and of cosines.
    signs: (f64, f64),
    wrong_columns: Vec<usize>,
    /// Rows that are evenly spaced, and the distance of their positions.
    rows: Range<usize>,
    row_step: f64,
    /// Whether the frequencies are those of the formula.
    is_of_formula: bool,
    next: usize,
    frequencies: Vec<MeasuredFrequency>,
    positions: Vec<(usize, f64)>,
}

impl WaveStudy {
    /// Creates a study of the table of a report; `None` if no waves were recognised, or if positions have several axes.
    pub fn new(table: &Table, report: &Report) -> Option<WaveStudy> {
        let formula = report.formula.filter(|_| report.is_recognised())?;
        if report.axes.is_some() {
            return None;
        }
        let view = View::new(table).turned(table, report.transposed);
        let columns = view.columns;
        let is_measured = report.is_measured();
        let pairs = match formula.order {
            Order::Single => columns,
            Order::Quarters => columns / 4,
            _ => columns / 2,
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
        let rule = report.frequencies.as_ref().map(|it| it.rule);
        let (sine, cosine) = report.signs.unwrap_or((1, 1));
        Some(WaveStudy {
            correct: formula.corrected(columns),
            pairs,
            scale: report
                .scale
                .map(|it| (it.abs(), report.offset.unwrap_or(0.0))),
            signs: (f64::from(sine), f64::from(cosine)),
            wrong_columns: report.wrong_columns.clone(),
            rows: rows.start..rows.end.min(rows.start + MOST),
            row_step: if step > 0.0 { step } else { 1.0 },
            is_of_formula: !is_measured || rule == Some(FrequencyRule::Geometric),
            formula,
            view,
            next: 0,
            frequencies: Vec::new(),
            positions: Vec::new(),
        })
    }

    /// Runs one step; returns `false` when the study is complete.
    pub fn step(&mut self, table: &Table) -> bool {
        let pairs = self.pairs.min(PAIRS);
        let rows = self.view.end.min(ROWS);
        let from = self.next;
        if from < pairs && self.rows.is_empty() {
            self.next = pairs;
        } else if from < pairs {
            self.next = pairs.min(from + PAIRS_PER_STEP);
            for at in from..self.next {
                self.measure_pair(table, at * (self.pairs - 1) / (pairs - 1).max(1));
            }
        } else if self.scale.is_some() && from < pairs + rows {
            self.next = from + ROWS_PER_STEP;
            let readings = self.frequencies_for_decoding();
            for at in from - pairs..rows.min(self.next - pairs) {
                let row = at * (self.view.end - 1) / (rows - 1).max(1);
                self.decode_row(table, row, &readings);
            }
        } else {
            return false;
        }
        true
    }

    /// Returns the number of pairs, of which at most 128 are measured.
    pub fn pair_count(&self) -> usize {
        self.pairs
    }

    /// Returns the number of rows up to the last one that is not zero, of which at most 256 are measured.
    pub fn row_count(&self) -> usize {
        self.view.end
    }

    /// Returns the measured frequencies. Where sine and cosine of a pair have frequencies of their own it has two, and none
    /// where the table does not tell it.
    pub fn frequencies(&self) -> &[MeasuredFrequency] {
        &self.frequencies
    }

    /// Returns the frequency of a pair of the correct table, in radians per position.
    pub fn correct_frequency(&self, pair: usize) -> f64 {
        let columns = self.columns_of(pair);
        let wave = self.correct.column(self.view.columns, columns[0]);
        wave.map_or(0.0, |it| self.correct.frequency(it.exponent))
    }

    /// Returns the rows that have a position, with the position that their numbers give.
    pub fn positions(&self) -> &[(usize, f64)] {
        &self.positions
    }

    /// The columns of a pair, twice the same if it has only one.
    fn columns_of(&self, pair: usize) -> [usize; 2] {
        let columns = self.view.columns;
        match (self.formula.pair_columns(columns, pair), self.formula.order) {
            (Some(both), _) => both,
            (None, Order::Interleaved) => [2 * pair; 2],
            (None, _) => [pair; 2],
        }
    }

    fn frequency_of(&self, column: usize) -> Option<f64> {
        let wave = self.formula.column(self.view.columns, column)?;
        Some(self.formula.frequency(wave.exponent) * self.formula.step)
    }

    fn measure_pair(&mut self, table: &Table, pair: usize) {
        let [first, second] = self.columns_of(pair);
        let found = |column: usize| {
            let known = !self.wrong_columns.contains(&column);
            known.then(|| self.measure_column(table, column))?
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
            let near = self.frequency_of(first).unwrap_or(0.0) * self.row_step;
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
            let error = wave.frequency_error(self.rows.len(), self.view.rounding / amplitude);
            self.frequencies.push(MeasuredFrequency {
                pair,
                frequency: frequency / self.row_step,
                error: error / self.row_step,
            });
        }
    }

    fn measure_column(&self, table: &Table, column: usize) -> Option<Wave> {
        let number = |row: usize| match self.view.counts(row) {
            true => self.view.at(table, row, column),
            false => f64::NAN,
        };
        let numbers: Vec<f64> = self.rows.clone().map(number).collect();
        let wave = measure(&numbers, None)?;
        let fits = |wave: &Wave, amplitude: f64| wave.residual <= MAX_RESIDUAL * amplitude;
        if wave.is_determined && fits(&wave, wave.amplitude) {
            return Some(wave);
        }
        let (amplitude, offset) = self.scale?;
        let slow = measure_slow(&numbers, Some(wave), amplitude, offset)?;
        // Next to the turning point of a cosine, rounding alone looks like a slow wave.
        let wave = self.formula.column(self.view.columns, column)?;
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

    fn decode_row(&mut self, table: &Table, row: usize, pairs: &[(usize, f64)]) {
        let Some((amplitude, offset)) = self.scale else {
            return;
        };
        let mut readings = Vec::new();
        for &(pair, frequency) in pairs {
            let [first, second] = self.columns_of(pair);
            let mut numbers = [None, None];
            for column in [first, second] {
                let wave = self.formula.column(self.view.columns, column);
                let Some(wave) = wave.filter(|_| !self.wrong_columns.contains(&column)) else {
                    continue;
                };
                let sign = if wave.sine {
                    self.signs.0
                } else {
                    self.signs.1
                };
                let number = (self.view.at(table, row, column) - offset) / amplitude * sign;
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
        let [(position, far), (other, other_far)] = found;
        let (position, far) = match other_far < 0.9 * far {
            true => (other, other_far),
            false => (position, far),
        };
        if far <= MAX_MISFIT {
            self.positions.push((row, position));
        }
    }
}
