//! One layer of causal attention with one head (Vaswani et al. 2017, §3.2.1), forwards and backwards:
//! y = x + softmax(q·kᵀ/√d + bias)·v·W_O. Vectors are rows here.

use std::ops::Range;

use crate::encoding::Waves;
use crate::product::{Left, add_product, product, transpose};
use crate::{Batch, Scalar};

/// Where the four matrices of a layer, each d_model × d_model, stand among the parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AttentionWeights {
    /// W_Q, W_K and W_V: of queries, keys and values.
    pub projections: [Range<usize>; 3],
    /// W_O: back from the head to the residual stream.
    pub output: Range<usize>,
}

/// What the positions do to the attention of a layer.
pub(crate) struct PositionalAttention<'a, T> {
    /// What queries and keys are turned by.
    pub rotation: Option<&'a Waves<T>>,
    /// What is added to the logit at each distance, query minus key.
    pub biases: Option<&'a [T]>,
}

/// What a layer computes on the way forward and needs on the way back. Rows are the tokens of all sequences.
#[derive(Default)]
pub(crate) struct AttentionPass<T> {
    /// Queries, keys and values: rows × d_model. Queries and keys are turned already.
    projected: [Vec<T>; 3],
    /// The softmax of each sequence: rows × length.
    attention: Vec<T>,
    /// Means of the values: rows × d_model.
    mixed: Vec<T>,
}

/// Memory for what is needed only for a moment, shared by all layers.
#[derive(Default)]
pub(crate) struct AttentionScratch<T> {
    transposed: Vec<T>,
    d_mixed: Vec<T>,
    d_projected: [Vec<T>; 3],
    d_attention: Vec<T>,
}

impl<T: Scalar> AttentionPass<T> {
    /// The attention of a sequence: queries × keys, each row with the sum 1.
    pub fn attention(&self, sequence: usize, length: usize) -> &[T] {
        &self.attention[sequence * length * length..][..length * length]
    }

    /// Adds the layer to the residual stream: `output` is `input` + attention.
    pub fn forward(
        &mut self,
        (weights, values): (&AttentionWeights, &[T]),
        position: &PositionalAttention<'_, T>,
        batch: &Batch,
        (input, output): (&[T], &mut [T]),
        scratch: &mut AttentionScratch<T>,
    ) {
        let (rows, length) = (batch.tokens.len(), batch.length);
        let d_model = input.len() / rows;
        for (projected, weights) in self.projected.iter_mut().zip(&weights.projections) {
            projected.resize(input.len(), T::ZERO);
            let weights = &values[weights.clone()];
            product(projected, Left::matrix(input, d_model), weights, d_model);
        }
        self.attention.resize(rows * length, T::ZERO);
        self.mixed.resize(input.len(), T::ZERO);
        scratch.transposed.resize(length * d_model, T::ZERO);

        let [queries, keys, values_of_head] = &mut self.projected;
        let scale = scale::<T>(d_model);
        let size = length * d_model;
        for (sequence, start) in batch.starts.iter().enumerate() {
            let of_sequence = sequence * size..(sequence + 1) * size;
            let queries = &mut queries[of_sequence.clone()];
            let keys = &mut keys[of_sequence.clone()];
            if let Some(waves) = position.rotation {
                waves.rotate(queries, *start);
                waves.rotate(keys, *start);
            }
            let attention = &mut self.attention[sequence * length * length..][..length * length];
            transpose(&mut scratch.transposed, keys, d_model);
            product(
                attention,
                Left::matrix(queries, d_model),
                &scratch.transposed,
                length,
            );
            for (query, logits) in attention.chunks_exact_mut(length).enumerate() {
                let (seen, masked) = logits.split_at_mut(query + 1);
                for logit in &mut *seen {
                    *logit *= scale;
                }
                if let Some(biases) = position.biases {
                    for (logit, bias) in seen.iter_mut().rev().zip(biases) {
                        *logit += *bias;
                    }
                }
                softmax(seen);
                masked.fill(T::ZERO);
            }
            product(
                &mut self.mixed[of_sequence.clone()],
                Left::matrix(attention, length),
                &values_of_head[of_sequence],
                d_model,
            );
        }
        output.copy_from_slice(input);
        let weights = &values[weights.output.clone()];
        add_product(output, Left::matrix(&self.mixed, d_model), weights, d_model);
    }

    /// Adds the gradients of the weights and, by distance, of the biases; turns `gradient`, that of the layer's output,
    /// into that of its input.
    pub fn backward(
        &self,
        (weights, values): (&AttentionWeights, &[T]),
        position: &PositionalAttention<'_, T>,
        batch: &Batch,
        (input, gradient): (&[T], &mut [T]),
        (gradients, d_biases): (&mut [T], Option<&mut [T]>),
        scratch: &mut AttentionScratch<T>,
    ) {
        let (rows, length) = (batch.tokens.len(), batch.length);
        let d_model = input.len() / rows;
        let size = length * d_model;
        let AttentionScratch {
            transposed,
            d_mixed,
            d_projected,
            d_attention,
        } = scratch;

        add_product(
            &mut gradients[weights.output.clone()],
            Left::transposed(&self.mixed, d_model),
            gradient,
            d_model,
        );
        d_mixed.resize(input.len(), T::ZERO);
        transposed.resize(d_model * d_model, T::ZERO);
        transpose(transposed, &values[weights.output.clone()], d_model);
        product(
            d_mixed,
            Left::matrix(gradient, d_model),
            transposed,
            d_model,
        );

        for d_projected in &mut *d_projected {
            d_projected.resize(input.len(), T::ZERO);
        }
        d_attention.resize(length * length, T::ZERO);
        transposed.resize(size, T::ZERO);
        let mut d_biases = d_biases;
        let [d_queries, d_keys, d_values] = d_projected;
        let [queries, keys, values_of_head] = &self.projected;
        let scale = scale::<T>(d_model);
        for (sequence, start) in batch.starts.iter().enumerate() {
            let of_sequence = sequence * size..(sequence + 1) * size;
            let d_mixed = &d_mixed[of_sequence.clone()];
            let attention = self.attention(sequence, length);
            product(
                &mut d_values[of_sequence.clone()],
                Left::transposed(attention, length),
                d_mixed,
                d_model,
            );
            transpose(transposed, &values_of_head[of_sequence.clone()], d_model);
            product(
                d_attention,
                Left::matrix(d_mixed, d_model),
                transposed,
                length,
            );
            let rows = attention.chunks_exact(length);
            for (query, (d_logits, attention)) in
                d_attention.chunks_exact_mut(length).zip(rows).enumerate()
            {
                // Masked keys have no attention and therefore no gradient.
                softmax_gradient(d_logits, attention);
                if let Some(d_biases) = d_biases.as_deref_mut() {
                    for (d_bias, d_logit) in
                        d_biases.iter_mut().zip(d_logits[..=query].iter().rev())
                    {
                        *d_bias += *d_logit;
                    }
                }
                for d_logit in d_logits {
                    *d_logit *= scale;
                }
            }
            let d_queries = &mut d_queries[of_sequence.clone()];
            let d_keys = &mut d_keys[of_sequence.clone()];
            product(
                d_queries,
                Left::matrix(d_attention, length),
                &keys[of_sequence.clone()],
                d_model,
            );
            product(
                d_keys,
                Left::transposed(d_attention, length),
                &queries[of_sequence],
                d_model,
            );
            if let Some(waves) = position.rotation {
                waves.rotate_back(d_queries, *start);
                waves.rotate_back(d_keys, *start);
            }
        }

        transposed.resize(d_model * d_model, T::ZERO);
        for (d_projected, weights) in d_projected.iter().zip(&weights.projections) {
            add_product(
                &mut gradients[weights.clone()],
                Left::transposed(input, d_model),
                d_projected,
                d_model,
            );
            transpose(transposed, &values[weights.clone()], d_model);
            add_product(
                gradient,
                Left::matrix(d_projected, d_model),
                transposed,
                d_model,
            );
        }
    }
}

/// 1/√d_head; the one head is as wide as the model.
fn scale<T: Scalar>(d_model: usize) -> T {
    T::from_f64(1.0 / (d_model as f64).sqrt())
}

/// Turns logits into their softmax and returns ln Σ eˣ.
pub(crate) fn softmax<T: Scalar>(logits: &mut [T]) -> T {
    let largest = |a: T, b: &T| if *b > a { *b } else { a };
    let most = logits.iter().skip(1).fold(logits[0], largest);
    let mut sum = T::ZERO;
    for logit in &mut *logits {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    let inverse = T::ONE / sum;
    for logit in logits {
        *logit *= inverse;
    }
    most + sum.ln()
}

/// Turns the gradient of a softmax into that of its logits.
fn softmax_gradient<T: Scalar>(gradient: &mut [T], softmax: &[T]) {
    let mut mean = T::ZERO;
    for (gradient, share) in gradient.iter().zip(softmax) {
        mean += *gradient * *share;
    }
    for (gradient, share) in gradient.iter_mut().zip(softmax) {
        *gradient = *share * (*gradient - mean);
    }
}
