//! What is computed beside the encodings themselves.

pub mod attention;
pub mod codes;
pub mod linear;
pub mod order;
pub mod random;
pub mod readback;
pub mod rotation;

pub use attention::{Attended, Attention};
pub use linear::{Rows, least_squares, product};
pub use random::Normals;
pub use rotation::Rotation;
