//! Tests of whole models, against what has been computed elsewhere.

mod copying;
mod determinism;
mod gradients;
mod induction;
mod pytorch;
mod small_model;
