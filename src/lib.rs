//! Sinusoidal positional encodings, computed, drawn and turned.
//!
//! Each module may name only those listed before it in `ARCHITECTURE.md`; a test holds them to it.

mod attention;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
#[cfg(test)]
mod close;
mod codes;
pub mod exhibit;
mod export;
mod lang;
mod linear;
pub mod markup;
mod model;
pub mod number;
mod order;
mod random;
mod readback;
mod rotation;
mod settings;
pub mod text;
mod theme;
mod view;
#[cfg(target_arch = "wasm32")]
pub mod web;

use posenc_encoding::{self as encoding, angle, matrix};

pub use attention::{Attended, Attention};
pub use encoding::{
    Bench, Cells, Column, Encoding, HeadSize, Layout, MAX_D_MODEL, MAX_LEN, Member, ModelSize,
    Raster, Scheme, Sinusoidal, TableSize, snaps_to_pairs,
};
pub use export::{Dtype, Format, LARGEST_FILE, Table, TableFile, file_of_made};
#[cfg(not(target_arch = "wasm32"))]
pub use export::{bench_svg, code_svg, exhibit_svg, formula_svg, svg};
pub use lang::{Lang, Text};
pub use linear::{Rows, least_squares, product};
pub use matrix::Matrix;
pub use model::Model;
pub use random::Normals;
pub use rotation::Rotation;
pub use settings::{
    Fault, Key, Kind, Link, Names, Problem, SETTINGS, Setting, Span, State, ThemeName, ViewName,
    markdown_table, read_link,
};
pub use theme::{ColourMap, Theme, css};
pub use view::{
    Figure, Frame, Heatmap, Image, Part, Picture, Rect, Scene, Target, View, Waves, formula,
};
