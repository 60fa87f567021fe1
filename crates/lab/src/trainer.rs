//! Training, step by step.

use std::ops::Range;

use posenc_encoding::Matrix;

use crate::adam::{Adam, AdamConfig};
use crate::random::{Purpose, Random};
use crate::{Batch, Encoding, Model, ModelConfig, PairAnalysis, Pass, Score, TOKENS, Task};

/// Tokens of the vocabulary that do not occur in sequences.
const UNUSED_TOKENS: usize = 4;
/// Number of positions of a model, in lengths of its training sequences.
const LENGTHS: usize = 8;
/// Number of sequences in an evaluation.
pub const EVALUATED: usize = 32;

/// Everything that a training run depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainerConfig {
    /// What is learned.
    pub task: Task,
    /// The model that learns it.
    pub model: ModelConfig,
    /// How it learns.
    pub adam: AdamConfig,
    /// Tokens per training sequence.
    pub length: usize,
    /// Sequences per step.
    pub sequences: usize,
    /// Training sequences begin at a random position up to this one; 0 by default. (Ruoss et al. 2023, arXiv 2305.16843,
    /// draw positions at random so that models generalise to longer sequences; a random start is the simplest way.)
    pub last_start: usize,
    /// Seed of weights and sequences; the same seed gives the same losses, bit for bit, on every platform.
    pub seed: u64,
}

impl TrainerConfig {
    /// Returns the configuration of one layer that learns to copy the token `k` positions back, in 400 steps.
    pub fn copy(k: usize, encoding: Encoding, seed: u64) -> Self {
        Self {
            task: Task::Copy { k },
            model: ModelConfig {
                encoding,
                vocabulary: TOKENS + UNUSED_TOKENS,
                d_model: 32,
                layers: 1,
                positions: 32 * LENGTHS,
                base: 10_000.0,
                alibi_slope: 1.0,
                constant: encoding == Encoding::Rope,
            },
            adam: AdamConfig {
                learning_rate: 0.01,
                betas: (0.9, 0.98),
                epsilon: 1e-8,
                max_norm: 1.0,
                warm_up: 50,
                steps: 400,
                last_share: 0.05,
            },
            length: 32,
            sequences: 16,
            last_start: 0,
            seed,
        }
    }

    /// Returns the configuration of two layers that learn [`Task::Induction`] with distinct tokens, in 1500 steps.
    pub fn induction(periods: (usize, usize), encoding: Encoding, seed: u64) -> Self {
        let copy = Self::copy(0, encoding, seed);
        Self {
            task: Task::Induction {
                periods,
                distinct: true,
            },
            model: ModelConfig {
                layers: 2,
                constant: false,
                ..copy.model
            },
            adam: AdamConfig {
                steps: 1500,
                ..copy.adam
            },
            ..copy
        }
    }
}

/// A model that is being trained, in single precision. It is not generic, so that it is compiled in this crate, which is
/// optimised for speed, and not in one that is optimised for size.
pub struct Trainer {
    config: TrainerConfig,
    model: Model<f32>,
    adam: Adam<f32>,
    random: Random,
    batch: Batch,
    pass: Pass<f32>,
    gradients: Vec<f32>,
    last: Option<Score>,
    steps_to_99: Option<usize>,
}

impl Trainer {
    /// Creates a model and its optimiser, before the first step.
    ///
    /// # Panics
    /// If training sequences end beyond the model's positions, `d_model` is odd, there are no sequences, or they have no
    /// tokens to predict.
    pub fn new(config: TrainerConfig) -> Self {
        let end = config.last_start + config.length;
        assert!(end <= config.model.positions, "{end} positions");
        assert!(config.sequences > 0 && config.task.asks_within(config.length));
        let model = Model::new(config.model, config.seed);
        let count = model.parameters().len();
        Self {
            config,
            model,
            adam: Adam::new(config.adam, count),
            random: Random::new(config.seed, Purpose::Training),
            batch: Batch::default(),
            pass: Pass::default(),
            gradients: vec![0.0; count],
            last: None,
            steps_to_99: None,
        }
    }

    /// Returns the trainer of a model that adds these rows in place of sines and cosines ([`Model::with_rows`]); to be called
    /// before the first step.
    pub fn with_rows(mut self, rows: Vec<f32>) -> Self {
        self.model = self.model.with_rows(rows);
        self
    }

    /// Returns the configuration.
    pub fn config(&self) -> &TrainerConfig {
        &self.config
    }

    /// Returns the model in its current state.
    pub fn model(&self) -> &Model<f32> {
        &self.model
    }

    /// Returns the number of steps taken.
    pub fn step(&self) -> usize {
        self.adam.step()
    }

    /// Returns the score of the last step; `None` before the first.
    pub fn last(&self) -> Option<Score> {
        self.last
    }

    /// Returns the first step whose score has an accuracy of 0.99 or more; `None` as long as there is none.
    pub fn steps_to_99(&self) -> Option<usize> {
        self.steps_to_99
    }

    /// Trains one step on new sequences. The score is that of the model before the step, which has never seen them.
    pub fn advance(&mut self) -> Score {
        let Self { batch, random, .. } = self;
        batch.length = self.config.length;
        batch.starts.clear();
        let starts = (0..self.config.sequences).map(|_| random.below(self.config.last_start + 1));
        batch.starts.extend(starts);
        self.config.task.fill(batch, random);
        let score = self.step_on_batch();
        self.last = Some(score);
        if score.accuracy >= 0.99 {
            self.steps_to_99.get_or_insert(self.step());
        }
        score
    }

    fn step_on_batch(&mut self) -> Score {
        let score = self.model.forward(&self.batch, &mut self.pass);
        self.model
            .backward(&self.batch, &mut self.pass, &mut self.gradients);
        self.adam
            .update(self.model.parameters_mut(), &self.gradients);
        score
    }

    /// Evaluates the model on held-out sequences of this length that begin at this position, always the same ones; `None`
    /// if they end beyond the model's positions, or have no tokens to predict.
    pub fn evaluate(&self, length: usize, start: usize) -> Option<Score> {
        self.evaluate_on(self.config.task, length, start)
    }

    /// Evaluates the model like [`evaluate`](Self::evaluate), on a task that may differ from that of the training.
    pub fn evaluate_on(&self, task: Task, length: usize, start: usize) -> Option<Score> {
        self.evaluate_some(task, length, start, 0..EVALUATED)
    }

    /// Evaluates the model like [`evaluate_on`](Self::evaluate_on), on a range of the [`EVALUATED`] sequences, for callers
    /// that work in slices.
    pub fn evaluate_some(
        &self,
        task: Task,
        length: usize,
        start: usize,
        sequences: Range<usize>,
    ) -> Option<Score> {
        if sequences.is_empty() || !task.asks_within(length) {
            return None;
        }
        let batch = self.evaluation(task, length, start, sequences);
        let covered = self.model.covers(&batch);
        covered.then(|| self.model.forward(&batch, &mut Pass::default()))
    }

    /// Returns the attention weights of a layer over the first sequence of [`evaluate`](Self::evaluate): queries × keys,
    /// each row with the sum 1; `None` if the sequence is empty or ends beyond the model's positions.
    ///
    /// # Panics
    /// If the model does not have this layer.
    pub fn attention(&self, layer: usize, length: usize, start: usize) -> Option<Matrix<f32>> {
        let (_, mut layers) = self.attention_on(self.config.task, length, start)?;
        Some(layers.swap_remove(layer))
    }

    /// Returns the tokens of the first sequence of [`evaluate_on`](Self::evaluate_on), and the attention weights of all
    /// layers over it.
    pub fn attention_on(
        &self,
        task: Task,
        length: usize,
        start: usize,
    ) -> Option<(Vec<usize>, Vec<Matrix<f32>>)> {
        if length == 0 {
            return None;
        }
        let batch = self.evaluation(task, length, start, 0..1);
        self.model.covers(&batch).then(|| {
            let mut pass = Pass::default();
            self.model.forward(&batch, &mut pass);
            let layers = (0..self.config.model.layers).map(|layer| Matrix {
                positions: length,
                dimensions: length,
                values: pass.attention(layer, 0, length).to_vec(),
            });
            let layers = layers.collect();
            (batch.tokens, layers)
        })
    }

    /// Returns how W_Q and W_K of the first layer transform the pairs, compared with M_k; `None` unless the encoding is
    /// sinusoidal and the task is to copy.
    pub fn pairs(&self) -> Option<PairAnalysis> {
        let Task::Copy { k } = self.config.task else {
            return None;
        };
        if self.config.model.encoding != Encoding::Sinusoidal {
            return None;
        }
        let ModelConfig { d_model, base, .. } = self.config.model;
        let wide = |matrix: &[f32]| -> Vec<f64> { matrix.iter().map(|w| f64::from(*w)).collect() };
        let [queries, keys] = self.model.query_and_key(0).map(wide);
        Some(PairAnalysis::new([&queries, &keys], d_model, base, k))
    }

    fn evaluation(
        &self,
        task: Task,
        length: usize,
        start: usize,
        sequences: Range<usize>,
    ) -> Batch {
        let mut batch = Batch {
            length,
            starts: vec![start; sequences.end],
            ..Batch::default()
        };
        let mut random = Random::new(self.config.seed, Purpose::Evaluation);
        task.fill(&mut batch, &mut random);
        batch.starts.drain(..sequences.start);
        batch.tokens.drain(..sequences.start * length);
        batch.targets.drain(..sequences.start * length);
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_changes_nothing_of_the_training() {
        let config = TrainerConfig::copy(2, Encoding::Learned, 5);
        let (mut evaluated, mut alone) = (Trainer::new(config), Trainer::new(config));
        for _ in 0..3 {
            assert_eq!(evaluated.evaluate(40, 7), evaluated.evaluate(40, 7));
            evaluated.attention(0, 32, 0);
            assert_eq!(evaluated.advance(), alone.advance());
            assert_eq!(evaluated.last(), alone.last());
        }
        assert_eq!(evaluated.step(), 3);
        assert_eq!(evaluated.model().parameters(), alone.model().parameters());
    }

    #[test]
    fn parts_of_an_evaluation_are_the_whole() {
        let mut trainer = Trainer::new(TrainerConfig::copy(2, Encoding::T5, 5));
        for _ in 0..30 {
            trainer.advance();
        }
        let task = trainer.config().task;
        let whole = trainer.evaluate(40, 0).unwrap();
        let parts = (0..4).map(|part| {
            let sequences = part * EVALUATED / 4..(part + 1) * EVALUATED / 4;
            trainer.evaluate_some(task, 40, 0, sequences).unwrap()
        });
        let parts: Vec<_> = parts.collect();
        assert!(parts.iter().any(|part| part.loss != parts[0].loss));
        let mean = |value: fn(&Score) -> f64| parts.iter().map(value).sum::<f64>() / 4.0;
        assert!((mean(|score| score.accuracy) - whole.accuracy).abs() < 1e-12);
        assert!((mean(|score| score.loss) - whole.loss).abs() < 1e-5);
        assert_eq!(trainer.evaluate_some(task, 40, 0, 3..3), None);
    }

    #[test]
    fn nothing_is_said_beyond_the_positions_of_the_model() {
        let trainer = Trainer::new(TrainerConfig::copy(2, Encoding::Sinusoidal, 5));
        let positions = trainer.config().model.positions;
        assert!(trainer.evaluate(32, positions - 32).is_some());
        assert!(trainer.evaluate(32, positions - 31).is_none());
        assert!(trainer.attention(0, positions, 0).is_some());
        assert!(trainer.attention(0, positions, 1).is_none());
        // Sequences that are too short for the task are not evaluated, either.
        assert!(trainer.evaluate(2, 0).is_none());
    }

    #[test]
    fn attention_is_causal_and_adds_up_to_1() {
        for encoding in Encoding::ALL {
            let mut trainer = Trainer::new(TrainerConfig::induction((4, 16), encoding, 5));
            trainer.advance();
            for layer in 0..2 {
                let map = trainer.attention(layer, 20, 3).unwrap();
                for query in 0..20 {
                    let (seen, masked) = map.row(query).split_at(query + 1);
                    let sum: f32 = seen.iter().sum();
                    assert!((sum - 1.0).abs() < 1e-5 && seen.iter().all(|share| *share >= 0.0));
                    assert!(masked.iter().all(|share| *share == 0.0));
                }
            }
        }
    }

    #[test]
    fn relative_encodings_do_not_see_where_a_sequence_starts() {
        for (encoding, sees) in [
            (Encoding::None, false),
            (Encoding::Sinusoidal, true),
            (Encoding::Learned, true),
            (Encoding::Rope, false),
            (Encoding::Alibi, false),
            (Encoding::T5, false),
        ] {
            let mut trainer = Trainer::new(TrainerConfig::copy(3, encoding, 5));
            for _ in 0..20 {
                trainer.advance();
            }
            let [here, there] = [0, 100].map(|start| trainer.attention(0, 32, start).unwrap());
            let pairs = here.values.iter().zip(&there.values);
            let largest = pairs.fold(0.0, |most, (a, b)| (a - b).abs().max(most));
            // Sines and cosines of RoPE are rounded, by up to 2⁻²⁵.
            assert_eq!(largest > 1e-4, sees, "{}: {largest}", encoding.name());
        }
    }

    #[test]
    fn training_can_start_at_random_positions() {
        let mut config = TrainerConfig::copy(3, Encoding::Learned, 5);
        config.last_start = 9;
        let mut trainer = Trainer::new(config);
        let mut seen = [false; 10];
        for _ in 0..20 {
            trainer.advance();
            for start in &trainer.batch.starts {
                seen[*start] = true;
            }
        }
        assert_eq!(seen, [true; 10]);
    }
}
