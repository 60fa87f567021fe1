//! Computations other than the encodings themselves.

pub mod attention;
mod clamp;
pub mod codes;
pub mod held_out;
pub mod linear;
pub mod random;
pub mod rotation;

pub use attention::{Attended, Attention};
pub use clamp::Clamp;
pub use linear::{StreamingLeastSquares, least_squares, product};
pub use random::Normals;
pub use rotation::Rotation;
