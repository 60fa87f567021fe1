//! A small Transformer and its training, to see what it makes of each positional encoding: written for this, so that it
//! weighs little in a page, and deterministic, so that a seed says everything.

mod adam;
mod attention;
mod batch;
mod encoding;
mod model;
mod pair_analysis;
mod product;
mod random;
mod scalar;
mod task;
mod trainer;

pub use adam::{Adam, AdamConfig};
pub use batch::Batch;
pub use encoding::Encoding;
pub use model::{Model, ModelConfig, Pass, Score};
pub use pair_analysis::{PairAnalysis, PairRotation};
pub use scalar::Scalar;
pub use task::{TOKENS, Task};
pub use trainer::{Trainer, TrainerConfig};
