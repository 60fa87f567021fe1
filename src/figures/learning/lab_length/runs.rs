//! The training runs of all encodings and seeds, and their results.

use super::{LAST_START, LENGTHS, STEPS, TESTED};
use posenc_lab::{EVALUATED, Encoding, Trainer, TrainerConfig};

/// The result of a finished run: its accuracy at each test length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Outcome {
    pub encoding: Encoding,
    pub seed: u64,
    pub accuracies: [f64; LENGTHS.len()],
}

/// The run in progress, the only one whose weights are kept.
pub(super) struct CurrentRun {
    pub trainer: Trainer,
    /// The number of sequences tested so far at the current length; `sum` is the sum of their accuracies.
    pub tested: usize,
    pub accuracies: Vec<f64>,
    pub sum: f64,
}

impl CurrentRun {
    pub fn new(k: usize, encoding: Encoding, seed: u64, random: bool) -> CurrentRun {
        let mut config = TrainerConfig::copy(k, encoding, seed);
        config.last_start = if random { LAST_START } else { 0 };
        CurrentRun {
            trainer: Trainer::new(config),
            tested: 0,
            accuracies: Vec::with_capacity(LENGTHS.len()),
            sum: 0.0,
        }
    }

    pub fn train(&mut self, steps: usize) {
        for _ in 0..steps {
            self.trainer.advance();
        }
    }

    /// Tests the next few sequences; returns the outcome once all lengths have been tested.
    pub fn test(&mut self) -> Option<Outcome> {
        let length = LENGTHS[self.accuracies.len()];
        let sequences = self.tested..(self.tested + TESTED / length).min(EVALUATED);
        let (count, config) = (sequences.len(), self.trainer.config());
        self.tested = sequences.end;
        let score = self
            .trainer
            .evaluate_some(config.task, length, 0, sequences)
            .expect("the model covers four times its length");
        self.sum += count as f64 * score.accuracy;
        if self.tested == EVALUATED {
            self.accuracies.push(self.sum / EVALUATED as f64);
            (self.tested, self.sum) = (0, 0.0);
        }
        let accuracies = self.accuracies.as_slice().try_into().ok()?;
        Some(Outcome {
            encoding: config.model.encoding,
            seed: config.seed,
            accuracies,
        })
    }
}

/// The runs with one setting of random starts.
#[derive(Default)]
pub(super) struct Runs {
    pub finished: Vec<Outcome>,
    pub current: Option<CurrentRun>,
}

impl Runs {
    /// The number of steps taken in all runs.
    pub fn taken(&self) -> usize {
        let current = self.current.as_ref().map_or(0, |run| run.trainer.step());
        STEPS * self.finished.len() + current
    }

    /// The finished runs of an encoding with the first `seeds` seeds.
    pub fn of(&self, encoding: Encoding, seeds: usize) -> impl Iterator<Item = &Outcome> {
        let finished = self.finished.iter();
        finished.filter(move |it| it.encoding == encoding && it.seed <= seeds as u64)
    }

    /// Returns worst, median and best over the runs of an encoding; `None` before the first is finished.
    pub fn spread(&self, encoding: Encoding, seeds: usize) -> Option<Spread> {
        let runs = self.of(encoding, seeds);
        let all: Vec<_> = runs.map(|outcome| outcome.accuracies).collect();
        (!all.is_empty()).then(|| {
            let each = |value: fn(&[f64]) -> f64| {
                std::array::from_fn(|length| {
                    let mut sorted: Vec<f64> = all.iter().map(|run| run[length]).collect();
                    sorted.sort_by(f64::total_cmp);
                    value(&sorted)
                })
            };
            Spread {
                worst: each(|sorted| sorted[0]),
                median: each(median),
                best: each(|sorted| sorted[sorted.len() - 1]),
            }
        })
    }
}

/// Accuracies at each test length, over the seeds.
#[derive(Clone, Copy)]
pub(super) struct Spread {
    pub worst: [f64; LENGTHS.len()],
    pub median: [f64; LENGTHS.len()],
    pub best: [f64; LENGTHS.len()],
}

/// The median of sorted numbers; `sorted` must not be empty.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        (sorted[middle - 1] + sorted[middle]) / 2.0
    } else {
        sorted[middle]
    }
}
