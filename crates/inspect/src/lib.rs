//! Which encoding a table of positions is, and what is wrong with it.
//!
//! Files are read ([`read`]: .npy, .safetensors, text), and what is in them is recognised.

#![forbid(unsafe_code)]

mod csv;
mod fault;
mod file;
mod half;
mod json;
mod npy;
mod safetensors;
mod table;

pub use fault::{Candidate, Fault};
pub use file::{FileKind, kind, read};
pub use half::Precision;
pub use npy::NpyHeader;
pub use safetensors::{SafetensorsHeader, TensorPlace};
pub use table::{MAX_CELLS, Storage, Table};
