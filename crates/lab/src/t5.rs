//! T5's learned biases, one for each bucket of distances (Raffel et al. 2020, arXiv 1910.10683, §2.1).

use posenc_encoding::t5_bucket;

use crate::Scalar;

pub(crate) use posenc_encoding::T5_BUCKETS;

/// Computes the bias at each distance, query minus key, from the biases of all buckets.
pub(crate) fn t5_biases<T: Scalar>(buckets: &[T], biases: &mut [T]) {
    for (distance, bias) in biases.iter_mut().enumerate() {
        *bias = buckets[bucket(distance)];
    }
}

/// Adds the gradients of the biases at each distance to those of the buckets.
pub(crate) fn add_t5_gradient<T: Scalar>(buckets: &mut [T], biases: &[T]) {
    for (distance, bias) in biases.iter().enumerate() {
        buckets[bucket(distance)] += *bias;
    }
}

/// Returns the bucket of a distance in a causal model, which has no buckets for later keys.
fn bucket(distance: usize) -> usize {
    t5_bucket(-(distance as i64), true)
}
