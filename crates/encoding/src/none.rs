//! NoPE, the baseline without any positional encoding (Kazemnejad et al. 2023, arXiv 2305.19466): the logit is the scaled
//! dot product, and only a causal mask distinguishes positions.

use crate::head::scaled_dot;
use crate::{AttentionHead, EncodingInfo, HeadConfig, Operation, Target};

pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "none",
    source: "Kazemnejad et al. 2023",
    operation: Operation::None,
    target: Target::None,
    every_layer: false,
    bounded: true,
    relative: true,
    signal: None,
    shape: None,
    uses_base: false,
    layouts: EncodingInfo::EQUIVALENT_LAYOUTS,
    parameters: |_| 0,
    head,
};

fn head(_: &HeadConfig, _: &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead> {
    Box::new(NoPe)
}

struct NoPe;

impl AttentionHead for NoPe {
    fn logit(&self, (q, _): (&[f64], i64), (k, _): (&[f64], i64)) -> Option<f64> {
        Some(scaled_dot(q, k))
    }
}
