//! Positional encodings.

mod frequency;
mod layout;
mod quad;
mod raster;
mod rows;
mod sinusoidal;
mod table;

pub use layout::{Column, Layout, Member};
pub use raster::{Raster, snaps_to_pairs};
pub use sinusoidal::{MAX_D_MODEL, MAX_LEN, Sinusoidal};
