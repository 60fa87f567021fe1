//! Measures the waves of a table, and describes what is measured.

mod decoded;
mod model;
mod positions;
mod rules;
mod scaled;
mod uniform;
mod wave;

pub(crate) use model::Copies;
pub(crate) use positions::{
    Reading, axes as describe_axes, decode, describe as describe_positions, misfit,
};
pub use rules::MeasuredFrequency;
pub(crate) use rules::describe as describe_frequencies;
pub(crate) use wave::{MAX_RESIDUAL, Wave, measure, measure_slow, wrap};

use crate::description::{Frequencies, FrequencyRule, PositionRule};
use crate::formula::Waves;
use crate::table::Table;
use crate::view::View;
use decoded::Decoding;
use model::{Misfits, Model, without_copies};
use positions::median;
use uniform::Uniform;

/// Cells that are compared in a step.
const CELLS_PER_STEP: usize = 50_000;
/// Share of cells up to which a model explains a table.
const EXPLAINED: f64 = 0.005;
/// Share of cells beyond which it does not.
const UNEXPLAINED: f64 = 0.3;
/// Rows, or columns along an axis, from which noise is not taken for positions; with fewer, numbers have to be exact up to
/// rounding and this share of the amplitude, but for this share of the cells.
const FEW: usize = 8;
const EXACT: f64 = 1e-3;
const FEW_BAD: f64 = 0.1;
/// The largest root mean square error of the other cells, as a share of the amplitude.
const MAX_RMS: f64 = 0.1;

/// A model with its differences from the table.
#[derive(Clone, Debug)]
pub(crate) struct Explanation {
    pub model: Model,
    pub misfits: Misfits,
    /// The rule of the frequencies, where they are measured.
    pub frequencies: Option<Frequencies>,
}

#[derive(Debug)]
enum Stage {
    Decode(Decoding),
    Measure(Uniform),
    Compare(Box<Explanation>),
    Done,
}

/// The measurement of a table, in steps of a few milliseconds.
#[derive(Debug)]
pub(crate) struct Measurement {
    copies: Copies,
    columns: Vec<usize>,
    stage: Stage,
    best: Option<Box<Explanation>>,
}

impl Measurement {
    pub fn new(table: &Table, view: &View) -> Measurement {
        let (copies, columns) = without_copies(table, view);
        Measurement {
            copies,
            stage: Stage::Decode(Decoding::new(view, copies, &columns)),
            columns,
            best: None,
        }
    }

    /// Runs one step; returns `false` when it is complete.
    pub fn step(&mut self, table: &Table, view: &View) -> bool {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Decode(mut decoding) => match decoding.step(table, view) {
                true => Stage::Decode(decoding),
                false => decoding
                    .model(view)
                    .and_then(|model| compare(table, view, model, None))
                    .unwrap_or_else(|| self.measure()),
            },
            Stage::Measure(mut uniform) => match uniform.step(table, view) {
                true => Stage::Measure(uniform),
                false => uniform
                    .model(view)
                    .and_then(|(model, rule)| compare(table, view, model, Some(rule)))
                    .unwrap_or(Stage::Done),
            },
            Stage::Compare(mut explanation) => {
                match explanation
                    .misfits
                    .step(table, view, &explanation.model, CELLS_PER_STEP)
                {
                    true => Stage::Compare(explanation),
                    false => self.choose(view, explanation),
                }
            }
            Stage::Done => return false,
        };
        true
    }

    fn measure(&self) -> Stage {
        Stage::Measure(Uniform::new(self.copies, &self.columns))
    }

    /// Returns whether the numbers, and not only the freedom to choose a position for every row, speak for a model.
    fn is_credible(&self, view: &View, Explanation { model, misfits, .. }: &Explanation) -> bool {
        let width = self.columns.len() / model.arrangement.blocks;
        let (rms, max) = misfits.close();
        if view.end < FEW || width < FEW {
            let size = model.amplitude.max(1.0);
            let exact = 2.0 * view.rounding * size + EXACT * model.amplitude;
            return max <= exact && misfits.bad_share() <= FEW_BAD;
        }
        rms <= MAX_RMS * model.amplitude
    }

    fn choose(&mut self, view: &View, explanation: Box<Explanation>) -> Stage {
        // Frequencies are measured only where no known rule explains the table.
        let is_measured = explanation.frequencies.is_some();
        // Positions along several axes mean something only if they are those of a grid.
        let model = &explanation.model;
        let is_grid = || describe_axes(&model.positions, model.tolerance).is_some();
        let is_credible = is_measured || self.is_credible(view, &explanation);
        let share = match is_credible && (model.arrangement.blocks == 1 || is_grid()) {
            true => explanation.misfits.bad_share(),
            false => 1.0,
        };
        // Frequencies of no rule fit many tables: a known rule with damaged cells is the better explanation.
        let is_free = explanation.frequencies.as_ref().is_some_and(|it| {
            let both = model.arrangement.waves == Waves::Both;
            let is_listed = it.rule == FrequencyRule::Listed && it.base.is_none();
            is_listed || it.rule == FrequencyRule::Proportional && both
        });
        // Cosines or sines alone may be decoded to a position that only looks like that of the row.
        let is_uneven = |model: &Model| {
            let found = model.positions.first();
            let found = found.and_then(|it| describe_positions(it, model.tolerance));
            model.arrangement.blocks == 1 && found.is_some_and(|it| it.rule == PositionRule::Listed)
        };
        let better = self.best.as_ref().is_none_or(|best| match is_free {
            true => best.misfits.bad_share() > share + 0.1,
            false if is_uneven(&best.model) && model.waves.iter().all(Option::is_some) => {
                best.misfits.bad_share() + EXPLAINED > share
            }
            false => best.misfits.bad_share() > 2.0 * share,
        });
        let most = if is_free {
            UNEXPLAINED / 4.0
        } else {
            UNEXPLAINED
        };
        let is_uneven = is_uneven(&explanation.model);
        if better && share < most {
            self.best = Some(explanation);
        }
        match !is_measured && (share > EXPLAINED || is_uneven) {
            true => self.measure(),
            false => Stage::Done,
        }
    }

    /// Returns what explains the table; `None` if nothing does.
    pub fn take(&mut self) -> Option<Box<Explanation>> {
        self.best.take()
    }
}

/// Begins to compare all cells with a model, with a limit from a sample of their differences; `None` if these show that the
/// model does not explain the table.
fn compare(
    table: &Table,
    view: &View,
    mut model: Model,
    frequencies: Option<Frequencies>,
) -> Option<Stage> {
    model.copy_waves();
    model.start_at_whole();
    let every = (view.end * view.columns / 4096).max(1);
    let cells = (0..view.end * view.columns)
        .step_by(every)
        .map(|at| (at / view.columns, at % view.columns));
    // The number in the table and that of the model.
    let pairs = |model: &Model| -> Vec<(f64, f64)> {
        let pairs = cells.clone().filter_map(|(row, column)| {
            Some((view.at(table, row, column), model.at(row, column)?))
        });
        pairs.filter(|it| it.0.is_finite()).collect()
    };
    if frequencies.is_none() && model.arrangement.waves != Waves::Both {
        // Of cosines or sines alone, the amplitude is the largest number of a few rows so far.
        let near = 0.1 * model.amplitude;
        let pairs = pairs(&model).into_iter();
        let close = pairs.filter(|(found, expected)| (found - expected).abs() <= near);
        let (product, square) = close.fold((0.0, 0.0), |(product, square), (found, expected)| {
            (product + found * expected, square + expected * expected)
        });
        if square > 0.0 {
            model.scale(product / square);
        }
    }
    let far: Vec<f64> = pairs(&model)
        .into_iter()
        .map(|(a, b)| (a - b).abs())
        .collect();
    let typical = median(&far).unwrap_or_default();
    let limit = (10.0 * typical)
        .max(4e-3 * model.amplitude)
        .max(4.0 * view.rounding)
        .min(0.3 * model.amplitude);
    // Too many of the sample are off for those of all cells to be few.
    let bad = far.iter().filter(|it| **it > limit).count();
    if bad as f64 > (UNEXPLAINED + 0.1) * far.len() as f64 {
        return None;
    }
    let misfits = Misfits::new(view, limit);
    Some(Stage::Compare(Box::new(Explanation {
        model,
        misfits,
        frequencies,
    })))
}
