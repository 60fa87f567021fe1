//! The order of a model's parameters.

use std::ops::Range;

use crate::layer::LayerRanges;
use crate::t5::T5_BUCKETS;
use crate::{Encoding, ModelConfig};

/// Ranges of the parameters in one vector; empty for parameters that the model does not have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ParameterRanges {
    /// vocabulary × d_model.
    pub embedding: Range<usize>,
    pub layers: Vec<LayerRanges>,
    /// d_model × vocabulary.
    pub unembedding: Range<usize>,
    /// d_model.
    pub constant: Range<usize>,
    /// positions × d_model.
    pub table: Range<usize>,
    /// T5's bias of each bucket, shared by all layers (Raffel et al. 2020, §2.1).
    pub buckets: Range<usize>,
    pub count: usize,
}

impl ParameterRanges {
    pub fn new(config: &ModelConfig) -> Self {
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
                .map(|_| LayerRanges {
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
            buckets: take(when(encoding == Encoding::T5, T5_BUCKETS)),
            count,
        }
    }
}
