//! No encoding at all, which everything is compared with (NoPE: Kazemnejad et al. 2023, arXiv 2305.19466). Only a
//! causal mask can tell positions apart.

use super::relative::{Facts, Operation, Scheme, Target, scaled_dot};

pub(super) const FACTS: Facts = Facts {
    name: "none",
    source: "Kazemnejad et al. 2023",
    operation: Operation::Nothing,
    target: Target::Nothing,
    every_layer: false,
    bounded: true,
    relative: true,
    bench: None,
    parameters: |_| 0,
    build: |_, _| Box::new(Nothing),
};

struct Nothing;

impl Scheme for Nothing {
    fn logit(&self, (q, _): (&[f64], i64), (k, _): (&[f64], i64)) -> Option<f64> {
        Some(scaled_dot(q, k))
    }
}
