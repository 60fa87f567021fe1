//! A head of causal attention over one sequence (Vaswani et al. 2017, arXiv 1706.03762, §3.2.1): attention = softmax(q·kᵀ/√d
//! + bias), mixed = attention·v. Vectors are rows.

use crate::Scalar;
use crate::product::{Left, product, transpose};
use crate::softmax::{softmax, softmax_gradient};

/// Queries, keys and values of a sequence, each length × d.
#[derive(Clone, Copy)]
pub(crate) struct Projected<'a, T> {
    pub queries: &'a [T],
    pub keys: &'a [T],
    pub values: &'a [T],
    /// Width of the head.
    pub d: usize,
}

impl<T: Scalar> Projected<'_, T> {
    fn length(&self) -> usize {
        self.queries.len() / self.d
    }

    fn scale(&self) -> T {
        T::from_f64(1.0 / (self.d as f64).sqrt())
    }

    /// Computes `attention`, length × length and 0 above the diagonal, and `mixed`, length × d. `biases` are added to the
    /// logits by distance, query minus key. `transposed`, length × d, is scratch memory.
    pub fn attend(
        &self,
        biases: Option<&[T]>,
        (attention, mixed): (&mut [T], &mut [T]),
        transposed: &mut [T],
    ) {
        let (length, scale) = (self.length(), self.scale());
        transpose(transposed, self.keys, self.d);
        let queries = Left::matrix(self.queries, self.d);
        product(attention, queries, transposed, length);
        for (query, logits) in attention.chunks_exact_mut(length).enumerate() {
            let (seen, masked) = logits.split_at_mut(query + 1);
            for logit in &mut *seen {
                *logit *= scale;
            }
            for (logit, bias) in seen.iter_mut().rev().zip(biases.unwrap_or_default()) {
                *logit += *bias;
            }
            softmax(seen);
            masked.fill(T::ZERO);
        }
        product(mixed, Left::matrix(attention, length), self.values, self.d);
    }

    /// Computes the gradients of queries, keys and values from that of `mixed`, and adds those of the biases. `d_attention`,
    /// length × length, and `transposed`, length × d, are scratch memory.
    pub fn attend_backward(
        &self,
        attention: &[T],
        d_mixed: &[T],
        [d_queries, d_keys, d_values]: [&mut [T]; 3],
        d_biases: &mut [T],
        (d_attention, transposed): (&mut [T], &mut [T]),
    ) {
        let (length, scale) = (self.length(), self.scale());
        let of_keys = Left::transposed(attention, length);
        product(d_values, of_keys, d_mixed, self.d);
        transpose(transposed, self.values, self.d);
        product(
            d_attention,
            Left::matrix(d_mixed, self.d),
            transposed,
            length,
        );
        let rows = d_attention.chunks_exact_mut(length);
        for (query, (d_logits, attention)) in rows.zip(attention.chunks_exact(length)).enumerate() {
            // Masked keys have no attention and therefore no gradient.
            softmax_gradient(d_logits, attention);
            let by_distance = d_logits[..=query].iter().rev();
            for (d_bias, d_logit) in d_biases.iter_mut().zip(by_distance) {
                *d_bias += *d_logit;
            }
            for d_logit in d_logits {
                *d_logit *= scale;
            }
        }
        let of_queries = Left::matrix(d_attention, length);
        product(d_queries, of_queries, self.keys, self.d);
        let of_keys = Left::transposed(d_attention, length);
        product(d_keys, of_keys, self.queries, self.d);
    }
}
