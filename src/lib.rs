//! Sinusoidal positional encodings, exact and fast.

mod angle;
#[cfg(test)]
mod close;
mod double_double;
mod encoding;
mod f64x2;
mod matrix;
mod rotation;

pub use encoding::{
    Column, Layout, MAX_D_MODEL, MAX_LEN, Member, Raster, Sinusoidal, snaps_to_pairs,
};
pub use matrix::Matrix;
pub use rotation::Rotation;
