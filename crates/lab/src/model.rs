//! A Transformer of attention alone: embedding, layers of one causal head each, and the way back to tokens. No norm, no
//! MLP, no biases but those of positions.

use std::ops::Range;

use crate::attention::{
    AttentionPass, AttentionScratch, AttentionWeights, PositionalAttention, softmax,
};
use crate::encoding::{BUCKETS, Waves, add_t5_gradient, t5_biases};
use crate::product::{Left, add_product, product, transpose};
use crate::random::{Purpose, Random};
use crate::{Batch, Encoding, Scalar};

/// Sizes of a model, and its encoding of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelConfig {
    /// How positions are encoded.
    pub encoding: Encoding,
    /// Tokens that the model knows.
    pub vocabulary: usize,
    /// Width of the embeddings and of each head: even, since dimensions come in pairs.
    pub d_model: usize,
    /// Layers of attention.
    pub layers: usize,
    /// Positions that sequences may cover: rows of a learned table, and of the one of sines and cosines.
    pub positions: usize,
    /// Base of the frequencies of the sinusoidal encoding and of RoPE.
    pub base: f64,
    /// How much ALiBi takes from a logit per position of distance.
    pub alibi_slope: f64,
    /// Whether a learned vector is added to all embeddings. Queries and keys have something in common then, which RoPE
    /// needs to attend by position whatever the tokens are.
    pub constant: bool,
}

/// Where the parameters stand in one vector of all; what an encoding does not have is empty.
#[derive(Clone, Debug, PartialEq)]
struct Parameters {
    /// vocabulary × d_model.
    embedding: Range<usize>,
    layers: Vec<AttentionWeights>,
    /// d_model × vocabulary.
    unembedding: Range<usize>,
    /// d_model.
    constant: Range<usize>,
    /// positions × d_model.
    table: Range<usize>,
    /// T5's, shared by all layers (Raffel et al. 2020, §2.1).
    buckets: Range<usize>,
    count: usize,
}

impl Parameters {
    fn new(config: &ModelConfig) -> Self {
        let d_model = config.d_model;
        let mut count = 0;
        let mut take = |size: usize| {
            count += size;
            count - size..count
        };
        let when = |condition, size| if condition { size } else { 0 };
        let encoding = config.encoding;
        Self {
            embedding: take(config.vocabulary * d_model),
            layers: (0..config.layers)
                .map(|_| AttentionWeights {
                    projections: [(); 3].map(|()| take(d_model * d_model)),
                    output: take(d_model * d_model),
                })
                .collect(),
            unembedding: take(d_model * config.vocabulary),
            constant: take(when(config.constant, d_model)),
            table: take(when(
                encoding == Encoding::Learned,
                config.positions * d_model,
            )),
            buckets: take(when(encoding == Encoding::T5, BUCKETS)),
            count,
        }
    }
}

/// A model and its parameters.
pub struct Model<T> {
    config: ModelConfig,
    parameters: Parameters,
    values: Vec<T>,
    waves: Waves<T>,
    /// ALiBi's bias at each distance.
    alibi: Vec<T>,
}

/// How well a model did on a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Mean cross-entropy in nats over the tokens asked for.
    pub loss: f64,
    /// Share of them for which the likeliest token is the right one.
    pub accuracy: f64,
}

/// What a model computes from a batch and needs for the gradients, kept so that the next batch takes the same memory.
#[derive(Default)]
pub struct Pass<T> {
    /// The residual stream before each layer and after the last: rows × d_model.
    streams: Vec<Vec<T>>,
    layers: Vec<AttentionPass<T>>,
    /// rows × vocabulary: logits, then the gradient of the loss by them.
    logits: Vec<T>,
    /// The gradient of the residual stream.
    gradient: Vec<T>,
    /// T5's bias at each distance, and its gradient.
    biases: Vec<T>,
    d_biases: Vec<T>,
    scratch: AttentionScratch<T>,
    transposed: Vec<T>,
}

impl<T: Scalar> Pass<T> {
    /// The attention of a layer over a sequence: queries × keys, row by row.
    pub fn attention(&self, layer: usize, sequence: usize, length: usize) -> &[T] {
        self.layers[layer].attention(sequence, length)
    }
}

impl<T: Scalar> Model<T> {
    /// A model with random weights: embeddings have the standard deviation 1, matrices 1/√d_model; the constant is 0.5
    /// everywhere, and T5's biases are 0.
    ///
    /// # Panics
    /// If the width is odd.
    pub fn new(config: ModelConfig, seed: u64) -> Self {
        assert!(config.d_model.is_multiple_of(2), "dimensions come in pairs");
        let parameters = Parameters::new(&config);
        let mut values = vec![T::ZERO; parameters.count];
        let mut random = Random::new(seed, Purpose::Weights);
        let mut fill = |range: &Range<usize>, deviation: f64| {
            for value in &mut values[range.clone()] {
                *value = T::from_f64(deviation * random.normal());
            }
        };
        let of_matrices = 1.0 / (config.d_model as f64).sqrt();
        fill(&parameters.embedding, 1.0);
        for layer in &parameters.layers {
            for projection in &layer.projections {
                fill(projection, of_matrices);
            }
            fill(&layer.output, of_matrices);
        }
        fill(&parameters.unembedding, of_matrices);
        fill(&parameters.table, 1.0);
        values[parameters.constant.clone()].fill(T::from_f64(0.5));
        let waves = match config.encoding {
            Encoding::Sinusoidal | Encoding::Rope => config.positions,
            _ => 0,
        };
        let alibi = match config.encoding {
            Encoding::Alibi => config.positions,
            _ => 0,
        };
        Self {
            config,
            parameters,
            values,
            waves: Waves::new(waves, config.d_model, config.base),
            alibi: (0..alibi)
                .map(|distance| T::from_f64(-config.alibi_slope * distance as f64))
                .collect(),
        }
    }

    /// Its sizes.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// All parameters.
    pub fn parameters(&self) -> &[T] {
        &self.values
    }

    /// The same, to be changed: the embedding, then W_Q, W_K, W_V and W_O of each layer, the unembedding (d_model ×
    /// vocabulary), and what the encoding has, all row-major and multiplied from the right: y = x·W.
    pub fn parameters_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// W_Q and W_K of a layer, d_model × d_model: queries and keys are x·W_Q and x·W_K.
    pub fn query_and_key(&self, layer: usize) -> [&[T]; 2] {
        let [queries, keys, _] = &self.parameters.layers[layer].projections;
        [queries, keys].map(|range| &self.values[range.clone()])
    }

    /// Whether the model has a position for every token of a batch.
    pub fn covers(&self, batch: &Batch) -> bool {
        batch.end() <= self.config.positions
    }

    /// Predicts a batch; afterwards `pass` holds what [`backward`](Self::backward) needs.
    ///
    /// # Panics
    /// Unless the model [covers](Self::covers) the batch and knows its tokens.
    pub fn forward(&self, batch: &Batch, pass: &mut Pass<T>) -> Score {
        let (d_model, vocabulary) = (self.config.d_model, self.config.vocabulary);
        let rows = batch.tokens.len();
        pass.streams.resize_with(self.config.layers + 1, Vec::new);
        pass.layers
            .resize_with(self.config.layers, AttentionPass::default);
        for stream in &mut pass.streams {
            stream.resize(rows * d_model, T::ZERO);
        }
        self.embed(batch, &mut pass.streams[0]);
        if self.config.encoding == Encoding::T5 {
            pass.biases.resize(batch.length, T::ZERO);
            let buckets = &self.values[self.parameters.buckets.clone()];
            t5_biases(buckets, &mut pass.biases);
        }
        for (layer, weights) in self.parameters.layers.iter().enumerate() {
            let (before, after) = pass.streams.split_at_mut(layer + 1);
            pass.layers[layer].forward(
                (weights, &self.values),
                &self.positional(&pass.biases),
                batch,
                (&before[layer], &mut after[0]),
                &mut pass.scratch,
            );
        }
        pass.logits.resize(rows * vocabulary, T::ZERO);
        product(
            &mut pass.logits,
            Left::matrix(&pass.streams[self.config.layers], d_model),
            &self.values[self.parameters.unembedding.clone()],
            vocabulary,
        );
        cross_entropy(&mut pass.logits, batch, vocabulary)
    }

    /// The gradient of the loss of the batch that has just been predicted, by every parameter.
    ///
    /// # Panics
    /// Unless there is a place for each of them.
    pub fn backward(&self, batch: &Batch, pass: &mut Pass<T>, gradients: &mut [T]) {
        assert_eq!(gradients.len(), self.values.len());
        let (d_model, vocabulary) = (self.config.d_model, self.config.vocabulary);
        gradients.fill(T::ZERO);
        let last = &pass.streams[self.config.layers];
        let unembedding = self.parameters.unembedding.clone();
        add_product(
            &mut gradients[unembedding.clone()],
            Left::transposed(last, d_model),
            &pass.logits,
            vocabulary,
        );
        pass.transposed.resize(unembedding.len(), T::ZERO);
        transpose(&mut pass.transposed, &self.values[unembedding], vocabulary);
        pass.gradient.resize(last.len(), T::ZERO);
        product(
            &mut pass.gradient,
            Left::matrix(&pass.logits, vocabulary),
            &pass.transposed,
            d_model,
        );
        pass.d_biases.clear();
        pass.d_biases.resize(pass.biases.len(), T::ZERO);
        for (layer, weights) in self.parameters.layers.iter().enumerate().rev() {
            let learned = self.config.encoding == Encoding::T5;
            pass.layers[layer].backward(
                (weights, &self.values),
                &self.positional(&pass.biases),
                batch,
                (&pass.streams[layer], &mut pass.gradient),
                (gradients, learned.then_some(&mut pass.d_biases[..])),
                &mut pass.scratch,
            );
        }
        if self.config.encoding == Encoding::T5 {
            let buckets = self.parameters.buckets.clone();
            add_t5_gradient(&mut gradients[buckets], &pass.d_biases);
        }
        self.embed_backward(batch, &pass.gradient, gradients);
    }

    fn positional<'a>(&'a self, learned_biases: &'a [T]) -> PositionalAttention<'a, T> {
        PositionalAttention {
            rotation: (self.config.encoding == Encoding::Rope).then_some(&self.waves),
            biases: match self.config.encoding {
                Encoding::Alibi => Some(&self.alibi),
                Encoding::T5 => Some(learned_biases),
                _ => None,
            },
        }
    }

    fn embed(&self, batch: &Batch, stream: &mut [T]) {
        let d_model = self.config.d_model;
        let embedding = &self.values[self.parameters.embedding.clone()];
        for (row, token) in stream.chunks_exact_mut(d_model).zip(&batch.tokens) {
            row.copy_from_slice(&embedding[token * d_model..][..d_model]);
            if self.config.constant {
                add(row, &self.values[self.parameters.constant.clone()]);
            }
        }
        let sequences = stream.chunks_exact_mut(batch.length * d_model);
        for (rows, start) in sequences.zip(&batch.starts) {
            match self.config.encoding {
                Encoding::Sinusoidal => add(rows, self.waves.rows(*start, batch.length)),
                Encoding::Learned => add(rows, &self.values[self.rows_of_table(*start, batch)]),
                Encoding::None | Encoding::Rope | Encoding::Alibi | Encoding::T5 => {}
            }
        }
    }

    fn embed_backward(&self, batch: &Batch, gradient: &[T], gradients: &mut [T]) {
        let d_model = self.config.d_model;
        for (row, token) in gradient.chunks_exact(d_model).zip(&batch.tokens) {
            let embedding = self.parameters.embedding.start + token * d_model;
            add(&mut gradients[embedding..][..d_model], row);
            if self.config.constant {
                add(&mut gradients[self.parameters.constant.clone()], row);
            }
        }
        if self.config.encoding == Encoding::Learned {
            let sequences = gradient.chunks_exact(batch.length * d_model);
            for (rows, start) in sequences.zip(&batch.starts) {
                add(&mut gradients[self.rows_of_table(*start, batch)], rows);
            }
        }
    }

    /// Of the learned table, where a sequence stands.
    fn rows_of_table(&self, start: usize, batch: &Batch) -> Range<usize> {
        let d_model = self.config.d_model;
        let first = self.parameters.table.start + start * d_model;
        first..first + batch.length * d_model
    }
}

/// Adds one vector to another.
fn add<T: Scalar>(to: &mut [T], vector: &[T]) {
    assert_eq!(to.len(), vector.len());
    for (to, value) in to.iter_mut().zip(vector) {
        *to += *value;
    }
}

/// The mean cross-entropy over the tokens asked for; turns logits into its gradient.
fn cross_entropy<T: Scalar>(logits: &mut [T], batch: &Batch, vocabulary: usize) -> Score {
    let asked = batch.asked() as f64;
    let share = T::from_f64(1.0 / asked);
    let (mut loss, mut right) = (0.0, 0);
    for (logits, target) in logits.chunks_exact_mut(vocabulary).zip(&batch.targets) {
        let Some(target) = *target else {
            logits.fill(T::ZERO);
            continue;
        };
        let of_target = logits[target];
        let better = |token: usize| token != target && logits[token] >= of_target;
        right += usize::from(!(0..vocabulary).any(better));
        loss += (softmax(logits) - of_target).to_f64();
        logits[target] = logits[target] - T::ONE;
        for logit in logits {
            *logit *= share;
        }
    }
    Score {
        loss: loss / asked,
        accuracy: right as f64 / asked,
    }
}
