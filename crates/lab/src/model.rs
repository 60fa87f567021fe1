//! An attention-only Transformer: embedding, layers of one causal head each, and unembedding. No normalisation, no MLP, no
//! biases but positional ones.

use std::ops::Range;

use crate::cross_entropy::cross_entropy;
use crate::layer::{Layer, LayerPass, LayerRanges, LayerScratch};
use crate::parameters::ParameterRanges;
use crate::product::{Left, add_product, product, transpose};
use crate::random::{Purpose, Random};
use crate::t5::{add_t5_gradient, t5_biases};
use crate::waves::Waves;
use crate::{Batch, Encoding, Scalar, Score};

/// Sizes of a model, and its positional encoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelConfig {
    /// How positions are encoded.
    pub encoding: Encoding,
    /// Number of tokens in the vocabulary.
    pub vocabulary: usize,
    /// Width of the embeddings and of each head: even, since dimensions come in pairs.
    pub d_model: usize,
    /// Number of attention layers.
    pub layers: usize,
    /// Number of positions (max_len): rows of the learned table, or of the one of sines and cosines.
    pub positions: usize,
    /// Base of the frequencies of the sinusoidal encoding and of RoPE.
    pub base: f64,
    /// ALiBi's slope, which is subtracted from a logit per position of distance.
    pub alibi_slope: f64,
    /// Whether a learned vector is added to all embeddings. It gives queries and keys a part that does not depend on the
    /// token, which RoPE needs in order to attend by position alone.
    pub constant: bool,
}

/// A model and its parameters.
pub struct Model<T> {
    config: ModelConfig,
    ranges: ParameterRanges,
    values: Vec<T>,
    waves: Waves<T>,
    /// ALiBi's bias at each distance.
    alibi: Vec<T>,
}

/// What a forward pass computes and the backward pass needs; the memory is reused for the next batch.
#[derive(Default)]
pub struct Pass<T> {
    /// The residual stream before each layer and after the last: rows × d_model.
    streams: Vec<Vec<T>>,
    layers: Vec<LayerPass<T>>,
    /// rows × vocabulary: the logits, then the gradient of the loss with respect to them.
    logits: Vec<T>,
    /// The gradient with respect to the residual stream.
    gradient: Vec<T>,
    /// T5's bias at each distance, and its gradient.
    biases: Vec<T>,
    d_biases: Vec<T>,
    scratch: LayerScratch<T>,
    transposed: Vec<T>,
}

impl<T: Scalar> Pass<T> {
    /// Returns the attention weights of a layer over a sequence: queries × keys, row-major.
    pub fn attention(&self, layer: usize, sequence: usize, length: usize) -> &[T] {
        self.layers[layer].attention(sequence, length)
    }
}

impl<T: Scalar> Model<T> {
    /// Creates a model with random weights: embeddings and a learned table have the standard deviation 1, matrices
    /// 1/√d_model; the constant is 0.5 everywhere, and T5's biases are 0.
    ///
    /// # Panics
    /// If `d_model` is odd.
    pub fn new(config: ModelConfig, seed: u64) -> Self {
        assert!(config.d_model.is_multiple_of(2), "dimensions come in pairs");
        let ranges = ParameterRanges::new(&config);
        let mut values = vec![T::ZERO; ranges.count];
        let mut random = Random::new(seed, Purpose::Weights);
        let mut fill = |range: &Range<usize>, deviation: f64| {
            for value in &mut values[range.clone()] {
                *value = T::from_f64(deviation * random.normal());
            }
        };
        let of_matrices = 1.0 / (config.d_model as f64).sqrt();
        fill(&ranges.embedding, 1.0);
        for layer in &ranges.layers {
            for projection in &layer.projections {
                fill(projection, of_matrices);
            }
            fill(&layer.output, of_matrices);
        }
        fill(&ranges.unembedding, of_matrices);
        fill(&ranges.table, 1.0);
        values[ranges.constant.clone()].fill(T::from_f64(0.5));
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
            ranges,
            values,
            waves: Waves::new(waves, config.d_model, config.base),
            alibi: (0..alibi)
                .map(|distance| T::from_f64(-config.alibi_slope * distance as f64))
                .collect(),
        }
    }

    /// Adds these rows, positions × d_model, in place of the sines and cosines, to try other codes of positions.
    ///
    /// # Panics
    /// If the model is not sinusoidal, or the rows are not as many or as wide as its own.
    pub fn with_rows(mut self, rows: Vec<T>) -> Self {
        let ModelConfig {
            encoding,
            positions,
            d_model,
            ..
        } = self.config;
        assert!(encoding == Encoding::Sinusoidal && rows.len() == positions * d_model);
        self.waves = Waves::of_rows(rows, d_model);
        self
    }

    /// Returns the sizes and the encoding.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// Returns all parameters, in the order of [`parameters_mut`](Self::parameters_mut).
    pub fn parameters(&self) -> &[T] {
        &self.values
    }

    /// Returns all parameters: the embedding (vocabulary × d_model), then W_Q, W_K, W_V and W_O of each layer, the
    /// unembedding (d_model × vocabulary), the constant, and those of the encoding. Matrices are row-major and multiplied
    /// from the right: y = x·W.
    pub fn parameters_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Returns W_Q and W_K of a layer, d_model × d_model: queries and keys are x·W_Q and x·W_K.
    pub fn query_and_key(&self, layer: usize) -> [&[T]; 2] {
        let [queries, keys, _] = &self.ranges.layers[layer].projections;
        [queries, keys].map(|range| &self.values[range.clone()])
    }

    /// Returns the learned table, positions × d_model; empty for other encodings.
    pub fn table(&self) -> &[T] {
        &self.values[self.ranges.table.clone()]
    }

    /// Returns whether the model has a position for every token of a batch.
    pub fn covers(&self, batch: &Batch) -> bool {
        batch.end() <= self.config.positions
    }

    /// Runs the forward pass and returns the score; afterwards `pass` holds what [`backward`](Self::backward) needs.
    ///
    /// # Panics
    /// If a token is not in the vocabulary, and with some encodings if the model does not [cover](Self::covers) the batch.
    pub fn forward(&self, batch: &Batch, pass: &mut Pass<T>) -> Score {
        let (d_model, vocabulary) = (self.config.d_model, self.config.vocabulary);
        let rows = batch.tokens.len();
        pass.streams.resize_with(self.config.layers + 1, Vec::new);
        pass.layers
            .resize_with(self.config.layers, LayerPass::default);
        for stream in &mut pass.streams {
            stream.resize(rows * d_model, T::ZERO);
        }
        self.embed(batch, &mut pass.streams[0]);
        if self.config.encoding == Encoding::T5 {
            pass.biases.resize(batch.length, T::ZERO);
            let buckets = &self.values[self.ranges.buckets.clone()];
            t5_biases(buckets, &mut pass.biases);
        }
        for (index, ranges) in self.ranges.layers.iter().enumerate() {
            let (before, after) = pass.streams.split_at_mut(index + 1);
            self.layer(ranges, &pass.biases).forward(
                batch,
                (&before[index], &mut after[0]),
                &mut pass.layers[index],
                &mut pass.scratch,
            );
        }
        pass.logits.resize(rows * vocabulary, T::ZERO);
        product(
            &mut pass.logits,
            Left::matrix(&pass.streams[self.config.layers], d_model),
            &self.values[self.ranges.unembedding.clone()],
            vocabulary,
        );
        cross_entropy(&mut pass.logits, batch, vocabulary)
    }

    /// Computes the gradient of the loss with respect to every parameter, for the batch of the last forward pass.
    ///
    /// # Panics
    /// If `gradients` does not have an element for every parameter.
    pub fn backward(&self, batch: &Batch, pass: &mut Pass<T>, gradients: &mut [T]) {
        assert_eq!(gradients.len(), self.values.len());
        let (d_model, vocabulary) = (self.config.d_model, self.config.vocabulary);
        gradients.fill(T::ZERO);
        let last = &pass.streams[self.config.layers];
        let unembedding = self.ranges.unembedding.clone();
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
        for (index, ranges) in self.ranges.layers.iter().enumerate().rev() {
            self.layer(ranges, &pass.biases).backward(
                batch,
                (&pass.streams[index], &mut pass.gradient),
                &pass.layers[index],
                (gradients, &mut pass.d_biases),
                &mut pass.scratch,
            );
        }
        if self.config.encoding == Encoding::T5 {
            let buckets = self.ranges.buckets.clone();
            add_t5_gradient(&mut gradients[buckets], &pass.d_biases);
        }
        self.embed_backward(batch, &pass.gradient, gradients);
    }

    fn layer<'a>(&'a self, ranges: &'a LayerRanges, learned_biases: &'a [T]) -> Layer<'a, T> {
        Layer {
            ranges,
            parameters: &self.values,
            d_model: self.config.d_model,
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
        let embedding = &self.values[self.ranges.embedding.clone()];
        for (row, token) in stream.chunks_exact_mut(d_model).zip(&batch.tokens) {
            row.copy_from_slice(&embedding[token * d_model..][..d_model]);
            if self.config.constant {
                add(row, &self.values[self.ranges.constant.clone()]);
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
            let embedding = self.ranges.embedding.start + token * d_model;
            add(&mut gradients[embedding..][..d_model], row);
            if self.config.constant {
                add(&mut gradients[self.ranges.constant.clone()], row);
            }
        }
        if self.config.encoding == Encoding::Learned {
            let sequences = gradient.chunks_exact(batch.length * d_model);
            for (rows, start) in sequences.zip(&batch.starts) {
                add(&mut gradients[self.rows_of_table(*start, batch)], rows);
            }
        }
    }

    /// Returns the range of the learned table's rows for a sequence, in the vector of all parameters.
    fn rows_of_table(&self, start: usize, batch: &Batch) -> Range<usize> {
        let d_model = self.config.d_model;
        let first = self.ranges.table.start + start * d_model;
        first..first + batch.length * d_model
    }
}

/// Adds `vector` to `to`.
fn add<T: Scalar>(to: &mut [T], vector: &[T]) {
    assert_eq!(to.len(), vector.len());
    for (to, value) in to.iter_mut().zip(vector) {
        *to += *value;
    }
}
