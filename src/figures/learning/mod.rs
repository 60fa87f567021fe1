pub mod lab;
pub mod lab_induction;
pub mod lab_length;
pub mod learned;
#[cfg(test)]
pub(in crate::figures) mod once_map;
pub mod patches;
pub mod trained;
mod training;
pub mod whisper;

pub use training::learning_curve;
