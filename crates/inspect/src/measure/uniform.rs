//! Measures the waves of a table whose rows are evenly spaced, and finds which columns belong together.

use super::model::{Arrangement, ColumnWave, Copies, Model};
use super::positions::{Reading, decode, median, misfit};
use super::rules::{MeasuredFrequency, describe, progression};
use super::wave::{MAX_RESIDUAL, Wave, measure, measure_slow, some_rows, wrap};
use crate::description::{Frequencies, FrequencyRule};
use crate::formula::{Order, Rule, Waves};
use crate::table::Table;
use crate::view::View;
use posenc_sort::sorted;
use std::f64::consts::{FRAC_PI_2, PI};

/// Columns that are measured in a step, and at most.
const PER_STEP: usize = 16;
const COLUMNS: usize = 2048;
/// Columns that are looked at first, and of which at least so many must be waves.
const SAMPLE: usize = 32;
const WAVES: usize = 4;

/// The measurement of a table, some columns per step.
#[derive(Debug)]
pub(crate) struct Uniform {
    copies: Copies,
    columns: Vec<usize>,
    /// Number of columns of the sample that have been looked at, and of waves among them.
    sampled: usize,
    sampled_waves: usize,
    /// The wave of each column.
    waves: Vec<Option<Wave>>,
    /// Once all waves have been measured, the amplitude and offset that are common to them, and the waves again: slow ones
    /// are measured with these.
    scale: Option<(f64, f64)>,
    scaled: Vec<Option<Wave>>,
}

impl Uniform {
    pub fn new(copies: Copies, columns: &[usize]) -> Uniform {
        Uniform {
            copies,
            columns: columns.to_vec(),
            sampled: 0,
            sampled_waves: 0,
            waves: Vec::new(),
            scale: None,
            scaled: Vec::new(),
        }
    }

    /// Runs one step; returns `false` when all columns have been measured, or are no waves.
    pub fn step(&mut self, table: &Table, view: &View) -> bool {
        let count = self.columns.len();
        if !(2..=COLUMNS).contains(&count) || view.end < 8 {
            return false;
        }
        let sample = if count > SAMPLE { SAMPLE } else { 0 };
        if self.sampled < sample {
            let end = sample.min(self.sampled + PER_STEP);
            let at = (self.sampled..end).map(|it| it * (count - 1) / (sample - 1));
            let some: Vec<usize> = at.map(|at| self.columns[at]).collect();
            let numbers = numbers(table, view, &some, 0..view.end);
            let waves = numbers.iter().filter_map(|it| measure(it, None));
            let is_wave = |it: &Wave| it.residual <= MAX_RESIDUAL * it.amplitude;
            self.sampled_waves += waves.filter(is_wave).count();
            self.sampled = end;
            return end < sample || self.sampled_waves >= WAVES;
        }
        if self.waves.len() < count {
            let from = self.waves.len();
            let some = &self.columns[from..count.min(from + PER_STEP)];
            for column in numbers(table, view, some, 0..view.end) {
                let last = self.waves.last().copied().flatten();
                self.waves
                    .push(measure(&column, last.map(|it| it.frequency)));
            }
            return true;
        }
        if self.scale.is_none() {
            self.scale = common_scale(&self.waves);
        }
        let Some((amplitude, offset)) = self.scale else {
            return false;
        };
        let from = self.scaled.len();
        let end = count.min(from + PER_STEP);
        for (wave, column) in self.waves[from..end].iter().zip(&self.columns[from..end]) {
            self.scaled.push(determined(wave).or_else(|| {
                let rows = some_rows(view.end);
                let column = numbers(table, view, &[*column], rows);
                let slow = measure_slow(&column[0], *wave, amplitude, offset);
                slow.filter(|it| it.residual <= MAX_RESIDUAL * amplitude)
            }));
        }
        end < count
    }

    /// Returns the model of the measured waves and the rule of their frequencies; `None` if the columns are not waves.
    pub fn model(&self, view: &View) -> Option<(Model, Frequencies)> {
        let (amplitude, offset) = self.scale?;
        let good: Vec<Wave> = self.waves.iter().filter_map(determined).collect();
        let noise = median_of(&good, |it| it.residual);
        let fitting = |waves: &[Option<Wave>]| waves.iter().flatten().count();
        let alike = good
            .iter()
            .filter(|it| (it.amplitude / amplitude - 1.0).abs() < 0.02)
            .count();
        // Each column of a table may have been scaled on its own.
        let own_scale =
            fitting(&self.scaled) < self.scaled.len() * 9 / 10 || 2 * alike < good.len();
        let waves: Vec<Option<Wave>> = match own_scale {
            true => self.waves.iter().map(determined).collect(),
            false => self.scaled.clone(),
        };
        if own_scale && fitting(&waves) < waves.len().div_ceil(3).max(4) {
            return None;
        }
        // Numbers above 1 have a unit of twice the size and more.
        let rounding = match amplitude > 1.01 {
            true => 2.0 * view.rounding,
            false => view.rounding / amplitude,
        };
        let noise = (noise / amplitude).max(rounding);
        let grouping = Grouping::new(&waves, view.end, noise, rounding)?;
        let frequencies = describe(&grouping.list, grouping.pairs.len());
        // The phases of frequencies without a rule must at least begin together.
        let is_listed = frequencies.rule == FrequencyRule::Listed;
        if is_listed && (grouping.falls || grouping.start.fract() != 0.0) {
            return None;
        }
        let scale = (!own_scale).then_some((amplitude, offset));
        let error = |it: &Wave| it.frequency_error(view.end, rounding);
        let expected = grouping.expected(&waves, scale, frequencies.rule, view.end, error);
        let mut model = self.assemble(view, &expected, &grouping, amplitude, &frequencies);
        model.offset = offset;
        model.own_scale = own_scale;
        if !own_scale {
            let columns = self.columns.iter().zip(&waves);
            let without = columns.filter(|(_, wave)| wave.is_none());
            model.without_wave = without.map(|(column, _)| *column).collect();
        }
        Some((model, frequencies))
    }

    fn assemble(
        &self,
        view: &View,
        waves: &[Option<Wave>],
        grouping: &Grouping,
        amplitude: f64,
        frequencies: &Frequencies,
    ) -> Model {
        let is_geometric = matches!(
            frequencies.rule,
            FrequencyRule::Geometric | FrequencyRule::LinearScaled
        );
        let found = progression(&grouping.list).filter(|it| is_geometric && it.slope > 0.0);
        // A table of sines and cosines has the frequency 1 in its first pair: otherwise its positions are scaled.
        let scale = match (found, grouping.waves) {
            (Some(found), Waves::Both) => found.first.exp(),
            _ => 1.0,
        };
        let start = grouping.start * scale;
        let falls = grouping.falls && frequencies.rule != FrequencyRule::Linear;
        let step = if falls { -scale } else { scale };
        let of_base = found.map(|found| {
            let m = grouping.pairs.len() as f64;
            let (paper, tensor2tensor) = (found.base(m), found.base(m - 1.0));
            match tensor2tensor == 10_000.0 && grouping.waves == Waves::Both {
                true => (Rule::Tensor2tensor, tensor2tensor),
                false => (Rule::Paper, paper),
            }
        });
        let mut all = vec![None; view.columns];
        for (column, wave) in self.columns.iter().zip(waves) {
            all[*column] = wave.map(|wave| {
                let frequency = wave.frequency / step;
                ColumnWave {
                    frequency,
                    phase: wave.phase - frequency * start,
                    amplitude: wave.amplitude,
                    offset: wave.offset,
                    axis: 0,
                }
            });
        }
        Model {
            waves: all,
            positions: vec![(0..view.end).map(|row| start + step * row as f64).collect()],
            amplitude,
            offset: 0.0,
            without_wave: Vec::new(),
            own_scale: false,
            tolerance: 1e-3,
            copies: self.copies,
            arrangement: Arrangement {
                waves: grouping.waves,
                order: grouping.order,
                swapped: grouping.swapped,
                blocks: 1,
            },
            of_base,
        }
    }
}

/// Returns a wave if all about it is known.
fn determined(wave: &Option<Wave>) -> Option<Wave> {
    wave.filter(|it| it.is_determined && it.residual <= MAX_RESIDUAL * it.amplitude)
}

/// Returns the median over waves, of which there is at least one.
fn median_of(waves: &[Wave], of: fn(&Wave) -> f64) -> f64 {
    let all: Vec<f64> = waves.iter().map(of).collect();
    median(&all).unwrap_or_default()
}

/// Returns the usual amplitude and offset of waves; `None` if fewer than two are known.
fn common_scale(waves: &[Option<Wave>]) -> Option<(f64, f64)> {
    let good: Vec<Wave> = waves.iter().filter_map(determined).collect();
    if good.len() < 2 {
        return None;
    }
    let (amplitude, offset) = (
        median_of(&good, |it| it.amplitude),
        median_of(&good, |it| it.offset),
    );
    let is_offset = offset.abs() >= 0.01 * amplitude;
    Some((amplitude, if is_offset { offset } else { 0.0 }))
}

/// Returns the numbers of some columns in these rows, and NaN in all others.
fn numbers(
    table: &Table,
    view: &View,
    columns: &[usize],
    rows: impl Iterator<Item = usize>,
) -> Vec<Vec<f64>> {
    let mut numbers = vec![vec![f64::NAN; view.end]; columns.len()];
    let rows: Vec<usize> = rows.filter(|row| view.counts(*row)).collect();
    // Blocks of a cache line each: whole columns, and whole rows, may lie in one set of the cache.
    for rows in rows.chunks(8) {
        for (numbers, column) in numbers.iter_mut().zip(columns) {
            for row in rows {
                numbers[*row] = view.at(table, *row, *column);
            }
        }
    }
    numbers
}

/// Returns the column of a pair whose frequency has the smaller error, and its wave.
fn better(
    waves: &[Option<Wave>],
    (first, second): (usize, usize),
    error: impl Fn(&Wave) -> f64,
) -> Option<(usize, Wave)> {
    [first, second]
        .into_iter()
        .filter_map(|column| Some((column, waves[column]?)))
        .min_by(|a, b| error(&a.1).total_cmp(&error(&b.1)))
}

/// Which measured columns belong together, and where their positions begin.
struct Grouping {
    waves: Waves,
    order: Order,
    swapped: bool,
    /// Whether positions fall along the rows.
    falls: bool,
    /// The position of row 0 in rows.
    start: f64,
    /// The columns of each pair.
    pairs: Vec<(usize, usize)>,
    /// The frequency of each pair.
    list: Vec<MeasuredFrequency>,
}

impl Grouping {
    /// `noise` is the error of a number as a share of the amplitude, and `rounding` the part that the file causes.
    fn new(waves: &[Option<Wave>], rows: usize, noise: f64, rounding: f64) -> Option<Grouping> {
        let half = waves.len() / 2;
        let error = |wave: &Wave| wave.frequency_error(rows, rounding);
        let sure = |column: usize| waves[column].filter(|it| error(it) < 0.01 * it.frequency);
        let differ = |&(a, b): &(usize, usize)| match (sure(a), sure(b)) {
            (Some(a), Some(b)) => {
                (a.frequency - b.frequency).abs()
                    > 8.0 * (error(&a) + error(&b)) + 1e-4 * a.frequency
            }
            _ => false,
        };
        let interleaved: Vec<(usize, usize)> =
            (0..half).map(|pair| (2 * pair, 2 * pair + 1)).collect();
        let halves: Vec<(usize, usize)> = (0..half).map(|pair| (pair, pair + half)).collect();
        let orders = [(Order::Interleaved, interleaved), (Order::Halves, halves)];
        let is_even = waves.len().is_multiple_of(2);
        let fits = |(_, pairs): &(Order, Vec<(usize, usize)>)| {
            20 * pairs.iter().filter(|it| differ(it)).count() <= pairs.len()
        };
        let quarter = |&(a, b): &(usize, usize)| Some(wrap(sure(a)?.phase - sure(b)?.phase));
        let found = orders
            .into_iter()
            .filter(|_| is_even)
            .filter(fits)
            .find_map(|(order, pairs)| {
                let turns: Vec<f64> = pairs.iter().filter_map(quarter).collect();
                let ahead = turns
                    .iter()
                    .filter(|it| (**it - FRAC_PI_2).abs() < 0.2)
                    .count();
                let behind = turns
                    .iter()
                    .filter(|it| (**it + FRAC_PI_2).abs() < 0.2)
                    .count();
                (2 * (ahead + behind) > turns.len()).then_some((order, pairs, ahead > behind))
            });
        let is_both = found.is_some();
        let (order, pairs, is_ahead) = found.unwrap_or_else(|| {
            let single = (0..waves.len()).map(|column| (column, column));
            (Order::Single, single.collect(), false)
        });
        let measured = |pair: usize, columns: (usize, usize)| {
            let (_, better) = better(waves, columns, error)?;
            Some(MeasuredFrequency {
                pair,
                frequency: better.frequency,
                error: error(&better),
            })
        };
        let list: Vec<MeasuredFrequency> = pairs
            .iter()
            .enumerate()
            .filter_map(|(pair, columns)| measured(pair, *columns))
            .collect();
        if list.len() < 2 {
            return None;
        }
        // The phases at row 0, as those of cosines, if columns, signs and directions are as assumed.
        let readings = |cosine_first: bool, falls: bool, is_sine: bool| {
            let of = |it: &MeasuredFrequency| {
                let (first, second) = pairs[it.pair];
                let wave = waves[if cosine_first { first } else { second }]?;
                let quarter = if is_sine { FRAC_PI_2 } else { 0.0 };
                let phase = if falls {
                    -(wave.phase + quarter)
                } else {
                    wave.phase + quarter
                };
                let (sine, cosine) = phase.sin_cos();
                let known = it.frequency > 4.0 * it.error && it.frequency < 3.1;
                known.then_some(Reading {
                    frequency: it.frequency,
                    sine: Some(sine),
                    cosine: Some(cosine),
                })
            };
            let all: Vec<Reading> = list.iter().filter_map(of).collect();
            sorted(&all, |it| it.frequency)
        };
        // Cosine first, falling, sine alone; the position of row 0; the misfit.
        type Fit = ((bool, bool, bool), f64, f64);
        let choices: &[(bool, bool, bool)] = match (is_both, is_ahead) {
            (true, false) => &[(false, false, false), (true, true, false)],
            (true, true) => &[(true, false, false), (false, true, false)],
            (false, _) => &[(false, false, false), (false, false, true)],
        };
        let fits = choices.iter().map(|choice| {
            let readings = readings(choice.0, choice.1, choice.2);
            let noise = noise.max(1e-6);
            // Without every other pair, and at 0, in case that a pair is wrong.
            let starts = [
                decode(readings.iter(), noise),
                decode(readings.iter().step_by(2), noise),
                decode(readings.iter().skip(1).step_by(2), noise),
                0.0,
            ];
            let starts = starts.map(|found| {
                let near = (found - found.round()).abs() < 0.01;
                let start = if near { found.round() } else { found };
                (*choice, start, misfit(&readings, start))
            });
            let [first, others @ ..] = starts;
            let better = |a: Fit, b: Fit| if b.2 < 0.9 * a.2 { b } else { a };
            others.into_iter().fold(first, better)
        });
        let (choice, start, far) = fits.reduce(|a, b| if b.2 < 0.5 * a.2 { b } else { a })?;
        let (cosine_first, falls, is_sine) = choice;
        // Columns that are neither all cosines nor all sines of the same positions.
        if !is_both && far > 0.2 {
            return None;
        }
        Some(Grouping {
            waves: match (is_both, is_sine) {
                (true, _) => Waves::Both,
                (_, true) => Waves::Sines,
                _ => Waves::Cosines,
            },
            order,
            swapped: is_both && cosine_first,
            falls,
            start: if far < 0.2 { start } else { 0.0 },
            pairs,
            list,
        })
    }

    /// Returns the waves that the columns have if all are those of the same positions, with the amplitude and offset of all
    /// if they have the same; `rows` are those that were measured, `error` is the error bar of a frequency.
    fn expected(
        &self,
        waves: &[Option<Wave>],
        scale: Option<(f64, f64)>,
        rule: FrequencyRule,
        rows: usize,
        error: impl Fn(&Wave) -> f64,
    ) -> Vec<Option<Wave>> {
        let found = progression(&self.list);
        let is_free = matches!(rule, FrequencyRule::Linear | FrequencyRule::Listed);
        let mut expected = waves.to_vec();
        for it in &self.list {
            // A wave of more than half a turn per row looks like one of less, in either direction.
            let of_rule = found.map(|found| found.at(it.pair));
            let quick = of_rule.is_some_and(|it| it > PI);
            let (first, second) = self.pairs[it.pair];
            let phase = |column: usize, wave: &Wave| {
                let is_sine = match self.waves {
                    Waves::Both => (column == first) != self.swapped,
                    waves => waves == Waves::Sines,
                };
                let [one, other] = [1.0, -1.0].map(|to| self.phase(wave.frequency, is_sine, to));
                let far = |phase: f64| wrap(wave.phase - phase).abs();
                match (quick || is_free) && far(other) < far(one) {
                    true => other,
                    false => one,
                }
            };
            // Frequency and phase were measured together. With another phase another frequency fits best.
            let with_phase = |column: usize, wave: &Wave| {
                let difference = wrap(wave.phase - phase(column, wave));
                wave.frequency + difference * self.leverage(rows)
            };
            let better = better(waves, (first, second), &error);
            let of_pair = match (of_rule.filter(|_| !quick), better) {
                (Some(of_rule), _) => of_rule,
                (None, Some((column, wave))) if !quick => with_phase(column, &wave),
                _ => it.frequency,
            };
            for column in [first, second] {
                let Some(wave) = &mut expected[column] else {
                    continue;
                };
                // The phase far before row 0 needs a precise frequency.
                let is_precise = match quick {
                    true => self.start.fract() == 0.0,
                    false => self.start == 0.0 || wave.is_determined || found.is_some(),
                };
                if !is_precise {
                    continue;
                }
                let own = MeasuredFrequency {
                    frequency: wave.frequency,
                    error: error(wave),
                    ..*it
                };
                let is_own = own.is(of_pair) && (wave.is_determined || found.is_none());
                wave.frequency = match is_own {
                    true if quick => wave.frequency,
                    true => with_phase(column, wave),
                    false => of_pair,
                };
                wave.phase = phase(column, wave);
                if let Some((amplitude, offset)) = scale {
                    (wave.amplitude, wave.offset) = (amplitude, offset);
                }
            }
        }
        expected
    }

    /// Returns by how much the frequency changes, for a difference of 1 in the phase at position 0, in the least squares over
    /// these rows.
    fn leverage(&self, rows: usize) -> f64 {
        let (n, start) = (
            rows as f64,
            if self.falls { -self.start } else { self.start },
        );
        let mean = (n - 1.0) / 2.0 + start;
        mean / (mean * mean + (n * n - 1.0) / 12.0)
    }

    /// Returns the phase in row 0 of a sine or cosine that turns in the direction of the positions, or in the other.
    fn phase(&self, frequency: f64, is_sine: bool, direction: f64) -> f64 {
        let quarter = if is_sine { FRAC_PI_2 } else { 0.0 };
        let falling = if self.falls { -1.0 } else { 1.0 };
        wrap(falling * (frequency * self.start - direction * quarter))
    }
}
