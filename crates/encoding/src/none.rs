//! No encoding at all, which everything is compared with (NoPE: Kazemnejad et al. 2023, arXiv 2305.19466). Only a
//! causal mask can tell positions apart.

use crate::head::scaled_dot;
use crate::{AttentionHead, EncodingInfo, Operation, Target};

pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "none",
    source: "Kazemnejad et al. 2023",
    operation: Operation::Nothing,
    target: Target::Nothing,
    every_layer: false,
    bounded: true,
    relative: true,
    signal: None,
    shape: None,
    uses_base: false,
    layouts: EncodingInfo::ORDERS,
    parameters: |_| 0,
    head: |_, _| Box::new(Nothing),
};

struct Nothing;

impl AttentionHead for Nothing {
    fn logit(&self, (q, _): (&[f64], i64), (k, _): (&[f64], i64)) -> Option<f64> {
        Some(scaled_dot(q, k))
    }
}
