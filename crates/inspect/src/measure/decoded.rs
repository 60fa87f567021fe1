//! Looks for a known rule of frequencies with which every row has a position, wherever in a sequence the rows are.

use super::model::{Arrangement, ColumnWave, Copies, Model, Pair};
use super::positions::{Reading, decode, describe, median, misfit};
use crate::formula::{Rule, Waves};
use crate::table::Table;
use crate::view::View;
use posenc_sort::nth;
use std::f64::consts::FRAC_PI_2;

/// Bases in use.
const BASES: [f64; 14] = [
    10_000.0, 500_000.0, 1e6, 100.0, 1000.0, 1e5, 5e6, 1e7, 1e8, 20_000.0, 50_000.0, 150_000.0,
    5000.0, 10.0,
];
/// Numbers of rows and of pairs in each block on which rules are compared.
const ROWS: usize = 9;
const PAIRS: usize = 24;
/// Rows whose positions are decoded in a step.
const PER_STEP: usize = 256;
/// The largest share of the amplitude that half of the numbers of a row may differ by.
const MAX_MISFIT: f64 = 0.06;
/// The largest ratio of adjacent frequencies that says something of positions.
const MAX_RATIO: f64 = 30.0;

/// A rule of frequencies and how well it fits.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    arrangement: Arrangement,
    rule: Rule,
    base: f64,
    amplitude: f64,
    misfit: f64,
}

/// The search for a rule, an arrangement of the columns per step.
#[derive(Debug)]
pub(crate) struct Decoding {
    copies: Copies,
    columns: Vec<usize>,
    arrangements: Vec<Arrangement>,
    rows: Vec<usize>,
    best: Option<Candidate>,
    /// For each axis, the positions of the rows that have been decoded with the rule that fits best.
    positions: Vec<Vec<f64>>,
}

impl Decoding {
    pub fn new(view: &View, copies: Copies, columns: &[usize]) -> Decoding {
        let counted: Vec<usize> = (0..view.end).filter(|row| view.counts(*row)).collect();
        let last = counted.len().saturating_sub(1);
        let rows = (0..ROWS).filter_map(|at| counted.get(at * last / (ROWS - 1)).copied());
        let mut rows: Vec<usize> = rows.collect();
        rows.dedup();
        let mut arrangements = Arrangement::all(columns.len());
        arrangements.reverse();
        Decoding {
            copies,
            columns: columns.to_vec(),
            arrangements,
            rows,
            best: None,
            positions: Vec::new(),
        }
    }

    /// Runs one step; returns `false` when all arrangements have been compared and all rows have been decoded.
    pub fn step(&mut self, table: &Table, view: &View) -> bool {
        match self.arrangements.pop() {
            Some(arrangement) => self.compare(table, view, arrangement),
            None => return self.decode(table, view),
        }
        true
    }

    /// Looks for the rule that fits best with an arrangement.
    fn compare(&mut self, table: &Table, view: &View, arrangement: Arrangement) {
        let amplitude = self.amplitude(table, view, &arrangement);
        for rule in [Rule::Paper, Rule::Tensor2tensor] {
            if rule == Rule::Tensor2tensor && arrangement.waves != Waves::Both {
                continue;
            }
            let count = arrangement.pairs(self.columns.len()).len() / arrangement.blocks;
            // Frequencies far apart have a position for any angles.
            let is_close = |base: &f64| base.ln() < (count - 1).max(1) as f64 * MAX_RATIO.ln();
            for base in BASES.into_iter().filter(is_close) {
                let mut candidate = Candidate {
                    arrangement,
                    rule,
                    base,
                    amplitude,
                    misfit: 0.0,
                };
                let rows = Rows::new(self, &candidate);
                let misfits: Vec<f64> = self
                    .rows
                    .iter()
                    .map(|row| rows.decode(table, view, *row).1)
                    .collect();
                candidate.misfit = median(&misfits).unwrap_or(f64::INFINITY);
                let limit = self
                    .best
                    .map_or(MAX_MISFIT, |best| 0.7 * best.misfit - 1e-6);
                if candidate.misfit < limit {
                    self.best = Some(candidate);
                }
            }
        }
    }

    /// Decodes the positions of some rows with the rule that fits best; returns `false` when all are done, or no rule fits.
    fn decode(&mut self, table: &Table, view: &View) -> bool {
        let Some(candidate) = self.best else {
            return false;
        };
        let blocks = candidate.arrangement.blocks;
        let mut positions = std::mem::take(&mut self.positions);
        positions.resize(blocks, Vec::new());
        let rows = Rows::new(self, &candidate);
        let from = positions[0].len();
        let end = view.end.min(from + PER_STEP);
        for row in from..end {
            // In a table of sines, the row of position 0 is zero.
            let counts = view.counts(row) || candidate.arrangement.waves == Waves::Sines;
            let (found, misfit) = match counts {
                true => rows.decode(table, view, row),
                false => (vec![f64::NAN; blocks], 0.0),
            };
            for (axis, position) in positions.iter_mut().zip(found) {
                axis.push(if misfit > 2.0 * MAX_MISFIT {
                    f64::NAN
                } else {
                    position
                });
            }
        }
        self.positions = positions;
        end < view.end
    }

    fn amplitude(&self, table: &Table, view: &View, arrangement: &Arrangement) -> f64 {
        let pairs = arrangement.pairs(self.columns.len());
        let at = |row: usize, column: Option<usize>| {
            column.map_or(0.0, |column| view.at(table, row, self.columns[column]))
        };
        let sizes = self.rows.iter().flat_map(|row| {
            pairs
                .iter()
                .map(move |pair| at(*row, pair.sine).hypot(at(*row, pair.cosine)))
        });
        let mut sizes: Vec<f64> = sizes.filter(|it| it.is_finite()).collect();
        let at = match arrangement.waves {
            Waves::Both => sizes.len() / 2,
            _ => sizes.len() * 49 / 50,
        };
        nth(&mut sizes, at).unwrap_or(1.0).max(f64::MIN_POSITIVE)
    }

    /// Returns the model of the rule that fits best, when all rows have been decoded; `None` if none does.
    pub fn model(&mut self, view: &View) -> Option<Model> {
        let candidate = self.best?;
        let Candidate {
            arrangement,
            rule,
            base,
            amplitude,
            ..
        } = candidate;
        let mut positions = std::mem::take(&mut self.positions);
        let tolerance =
            (20.0 * candidate.misfit + 8.0 * view.rounding / amplitude).clamp(1e-4, 0.25);
        for axis in &mut positions {
            straighten(axis, tolerance);
        }
        let rows = Rows::new(self, &candidate);
        let mut waves = vec![None; view.columns];
        for pair in arrangement.pairs(self.columns.len()) {
            let frequency = rows.frequency(&pair);
            for (column, phase) in [(pair.sine, -FRAC_PI_2), (pair.cosine, 0.0)] {
                if let Some(column) = column {
                    waves[self.columns[column]] = Some(ColumnWave {
                        frequency,
                        phase,
                        amplitude,
                        offset: 0.0,
                        axis: pair.block,
                    });
                }
            }
        }
        Some(Model {
            waves,
            positions,
            amplitude,
            offset: 0.0,
            without_wave: Vec::new(),
            own_scale: false,
            tolerance,
            copies: self.copies,
            arrangement,
            of_base: Some((rule, base)),
        })
    }
}

/// Rounds positions if nearly all are whole, or replaces them by the sequence that they are.
fn straighten(axis: &mut [f64], tolerance: f64) {
    let known = axis.iter().filter(|it| it.is_finite()).count();
    let whole = |it: &&f64| (*it - it.round()).abs() <= tolerance;
    if axis
        .iter()
        .filter(|it| it.is_finite())
        .filter(whole)
        .count()
        >= known - known / 20
    {
        for it in axis.iter_mut() {
            *it = it.round();
        }
    } else if let Some(sequence) = describe(axis, tolerance).filter(|it| it.row.is_none())
        && let Some(first) = axis.iter().position(|it| it.is_finite())
    {
        for (row, it) in axis.iter_mut().enumerate().filter(|(_, it)| it.is_finite()) {
            *it = sequence.start + sequence.step.unwrap_or_default() * (row as f64 - first as f64);
        }
    }
}

/// What decodes the rows of a table, given a rule.
struct Rows<'a> {
    columns: &'a [usize],
    candidate: &'a Candidate,
    /// Number of pairs of a block.
    pairs: usize,
    /// Some pairs of each block, from the lowest frequency to the highest.
    blocks: Vec<Vec<Pair>>,
}

impl Rows<'_> {
    fn new<'a>(decoding: &'a Decoding, candidate: &'a Candidate) -> Rows<'a> {
        let all = candidate.arrangement.pairs(decoding.columns.len());
        let pairs = all.len() / candidate.arrangement.blocks;
        let blocks = all.chunks(pairs).map(|block| {
            let count = pairs.min(PAIRS);
            let some = (0..count)
                .rev()
                .map(|at| block[at * (pairs - 1) / (count - 1).max(1)]);
            some.collect()
        });
        Rows {
            columns: &decoding.columns,
            candidate,
            pairs,
            blocks: blocks.collect(),
        }
    }

    fn frequency(&self, pair: &Pair) -> f64 {
        let count = match self.candidate.rule {
            Rule::Tensor2tensor => self.pairs.saturating_sub(1).max(1),
            _ => self.pairs,
        };
        self.candidate
            .base
            .powf(-(pair.index as f64) / count as f64)
    }

    /// Returns the positions of a row along each axis, and the largest of the misfits.
    fn decode(&self, table: &Table, view: &View, row: usize) -> (Vec<f64>, f64) {
        let mut worst: f64 = 0.0;
        let mut found = Vec::new();
        for block in &self.blocks {
            let number = |column: Option<usize>| {
                let value = view.at(table, row, self.columns[column?]);
                Some(value / self.candidate.amplitude)
            };
            let readings: Vec<Reading> = block
                .iter()
                .map(|pair| Reading {
                    frequency: self.frequency(pair),
                    sine: number(pair.sine),
                    cosine: number(pair.cosine),
                })
                .collect();
            let exact = view.rounding.max(1e-7);
            let own = row as f64;
            let far = misfit(&readings, own);
            if far <= 2.0 * exact {
                found.push(own);
                worst = worst.max(far);
                continue;
            }
            let positions = [
                decode(readings.iter(), exact),
                decode(readings.iter(), 0.01),
                // Without every other pair, in case that one is wrong.
                decode(readings.iter().step_by(2), exact),
                decode(readings.iter().skip(1).step_by(2), exact),
                own,
                own + 1.0,
            ];
            let misfits = positions.map(|it| (it, misfit(&readings, it)));
            // The number of the row is taken if noise alone speaks against it.
            let [.., as_row, _] = misfits;
            let best = misfits
                .into_iter()
                .reduce(|a, b| if b.1 < 0.9 * a.1 { b } else { a });
            let best = best.map(|best| {
                if as_row.1 <= 1.5 * best.1 {
                    as_row
                } else {
                    best
                }
            });
            let (position, misfit) = best.unwrap_or((f64::NAN, f64::INFINITY));
            found.push(position);
            worst = worst.max(misfit);
        }
        (found, worst)
    }
}
