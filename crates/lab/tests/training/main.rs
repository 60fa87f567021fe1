//! Tests of whole models: their gradients, their losses compared with PyTorch's, and what they learn.

mod copying;
mod determinism;
mod gradients;
mod induction;
mod pytorch;
mod small_model;
