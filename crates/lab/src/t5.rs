//! T5's learned biases, one for each bucket of distances (Raffel et al. 2020, arXiv 1910.10683, §2.1).

use posenc_encoding::t5_bucket;

use crate::Scalar;

pub(crate) use posenc_encoding::T5_BUCKETS;

/// What is added to the logit of a key at each distance behind its query, by the numbers of all buckets.
pub(crate) fn t5_biases<T: Scalar>(buckets: &[T], biases: &mut [T]) {
    for (distance, bias) in biases.iter_mut().enumerate() {
        *bias = buckets[bucket(distance)];
    }
}

/// The gradient of the buckets, given that of each distance.
pub(crate) fn add_t5_gradient<T: Scalar>(buckets: &mut [T], biases: &[T]) {
    for (distance, bias) in biases.iter().enumerate() {
        buckets[bucket(distance)] += *bias;
    }
}

/// A causal model's buckets are all for the past.
fn bucket(distance: usize) -> usize {
    t5_bucket(-(distance as i64), true)
}
