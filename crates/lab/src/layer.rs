//! The forward and backward pass of an attention layer with one head of width d_model and a residual connection:
//! y = x + attention·(x·W_V)·W_O. Rows are the tokens of all sequences.

use std::ops::Range;

use crate::head::Projected;
use crate::product::{Left, add_product, product, transpose};
use crate::waves::Waves;
use crate::{Batch, Scalar};

/// The ranges of a layer's four matrices, each d_model × d_model, in the vector of all parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LayerRanges {
    /// W_Q, W_K and W_V: from the residual stream to queries, keys and values.
    pub projections: [Range<usize>; 3],
    /// W_O: from the head to the residual stream.
    pub output: Range<usize>,
}

/// A layer of a model.
#[derive(Clone, Copy)]
pub(crate) struct Layer<'a, T> {
    pub ranges: &'a LayerRanges,
    /// All parameters of the model.
    pub parameters: &'a [T],
    pub d_model: usize,
    /// RoPE's rotation of queries and keys.
    pub rotation: Option<&'a Waves<T>>,
    /// Bias of the logits at each distance, query minus key.
    pub biases: Option<&'a [T]>,
}

/// What a layer computes in the forward pass and needs in the backward pass.
#[derive(Default)]
pub(crate) struct LayerPass<T> {
    /// Queries, keys and values: rows × d_model. Queries and keys have been rotated already.
    projected: [Vec<T>; 3],
    /// Attention weights of each sequence: rows × length.
    attention: Vec<T>,
    /// Means of the values, weighted by attention: rows × d_model.
    mixed: Vec<T>,
}

/// Scratch memory, shared by all layers.
#[derive(Default)]
pub(crate) struct LayerScratch<T> {
    transposed: Vec<T>,
    d_mixed: Vec<T>,
    d_projected: [Vec<T>; 3],
    d_attention: Vec<T>,
}

impl<T: Scalar> LayerPass<T> {
    /// Returns the attention weights of a sequence: queries × keys.
    pub fn attention(&self, sequence: usize, length: usize) -> &[T] {
        &self.attention[sequence * length * length..][..length * length]
    }
}

impl<T: Scalar> Layer<'_, T> {
    /// Computes the residual stream after the layer from the one before it.
    pub fn forward(
        &self,
        batch: &Batch,
        (input, output): (&[T], &mut [T]),
        pass: &mut LayerPass<T>,
        scratch: &mut LayerScratch<T>,
    ) {
        let (d_model, length) = (self.d_model, batch.length);
        let LayerPass {
            projected,
            attention,
            mixed,
        } = pass;
        for (projected, range) in projected.iter_mut().zip(&self.ranges.projections) {
            projected.resize(input.len(), T::ZERO);
            let weights = &self.parameters[range.clone()];
            product(projected, Left::matrix(input, d_model), weights, d_model);
        }
        attention.resize(batch.tokens.len() * length, T::ZERO);
        mixed.resize(input.len(), T::ZERO);
        scratch.transposed.resize(length * d_model, T::ZERO);
        let attention = attention.chunks_exact_mut(length * length);
        let mixed_rows = mixed.chunks_exact_mut(length * d_model);
        for (sequence, place) in attention.zip(mixed_rows).enumerate() {
            let range = self.rows(batch, sequence);
            if let Some(waves) = self.rotation {
                for projected in &mut projected[..2] {
                    waves.rotate(&mut projected[range.clone()], batch.starts[sequence]);
                }
            }
            let projected = self.projected(projected, range);
            projected.attend(self.biases, place, &mut scratch.transposed);
        }
        output.copy_from_slice(input);
        let weights = &self.parameters[self.ranges.output.clone()];
        add_product(output, Left::matrix(mixed, d_model), weights, d_model);
    }

    /// Adds the gradients of the weights to `gradients`, which has an element for every parameter of the model, and those of
    /// the biases, by distance, to `d_biases`. Replaces `d_stream`, the gradient of the output, by that of the input.
    pub fn backward(
        &self,
        batch: &Batch,
        (input, d_stream): (&[T], &mut [T]),
        pass: &LayerPass<T>,
        (gradients, d_biases): (&mut [T], &mut [T]),
        scratch: &mut LayerScratch<T>,
    ) {
        let (d_model, length) = (self.d_model, batch.length);
        let LayerScratch {
            transposed,
            d_mixed,
            d_projected,
            d_attention,
        } = scratch;

        let range = self.ranges.output.clone();
        let mixed = Left::transposed(&pass.mixed, d_model);
        add_product(&mut gradients[range.clone()], mixed, d_stream, d_model);
        d_mixed.resize(input.len(), T::ZERO);
        transposed.resize(range.len(), T::ZERO);
        transpose(transposed, &self.parameters[range], d_model);
        product(
            d_mixed,
            Left::matrix(d_stream, d_model),
            transposed,
            d_model,
        );

        for d_projected in &mut *d_projected {
            d_projected.resize(input.len(), T::ZERO);
        }
        d_attention.resize(length * length, T::ZERO);
        transposed.resize(length * d_model, T::ZERO);
        for (sequence, start) in batch.starts.iter().enumerate() {
            let range = self.rows(batch, sequence);
            let [d_queries, d_keys, d_values] = d_projected
                .each_mut()
                .map(|d_projected| &mut d_projected[range.clone()]);
            self.projected(&pass.projected, range.clone())
                .attend_backward(
                    pass.attention(sequence, length),
                    &d_mixed[range],
                    [&mut *d_queries, &mut *d_keys, d_values],
                    d_biases,
                    (d_attention, transposed),
                );
            if let Some(waves) = self.rotation {
                waves.rotate_back(d_queries, *start);
                waves.rotate_back(d_keys, *start);
            }
        }

        transposed.resize(d_model * d_model, T::ZERO);
        for (d_projected, range) in d_projected.iter().zip(&self.ranges.projections) {
            let input = Left::transposed(input, d_model);
            add_product(&mut gradients[range.clone()], input, d_projected, d_model);
            transpose(transposed, &self.parameters[range.clone()], d_model);
            let d_projected = Left::matrix(d_projected, d_model);
            add_product(d_stream, d_projected, transposed, d_model);
        }
    }

    /// Returns the range of a sequence's vectors in a matrix of rows × d_model.
    fn rows(&self, batch: &Batch, sequence: usize) -> Range<usize> {
        let size = batch.length * self.d_model;
        sequence * size..(sequence + 1) * size
    }

    fn projected<'a>(&self, projected: &'a [Vec<T>; 3], range: Range<usize>) -> Projected<'a, T> {
        let [queries, keys, values] = projected.each_ref().map(|all| &all[range.clone()]);
        Projected {
            queries,
            keys,
            values,
            d: self.d_model,
        }
    }
}
