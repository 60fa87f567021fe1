//! A small Transformer and its training, to compare what it learns with each positional encoding: small enough for a page,
//! and deterministic, so that a seed determines the result.
//!
//! ```
//! use posenc_lab::{Encoding, Trainer, TrainerConfig};
//!
//! let mut trainer = Trainer::new(TrainerConfig::copy(3, Encoding::Rope, 17));
//! while trainer.step() < 150 {
//!     trainer.advance();
//! }
//! let score = trainer.evaluate(32, 0).unwrap();
//! assert!(score.accuracy > 0.99);
//! ```

mod adam;
mod batch;
mod cross_entropy;
mod encoding;
mod head;
mod layer;
mod model;
mod pair_analysis;
mod parameters;
mod product;
mod random;
mod scalar;
mod softmax;
mod t5;
mod task;
mod trainer;
mod waves;

pub use adam::{Adam, AdamConfig};
pub use batch::Batch;
pub use cross_entropy::Score;
pub use encoding::Encoding;
pub use model::{Model, ModelConfig, Pass};
pub use pair_analysis::{PairAnalysis, PairRotation};
pub use scalar::Scalar;
pub use task::{TOKENS, Task};
pub use trainer::{EVALUATED, Trainer, TrainerConfig};
