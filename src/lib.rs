//! Sinusoidal positional encodings, computed, drawn and turned.
//!
//! Each module may name only those listed before it in `ARCHITECTURE.md`; a test holds them to it.

mod angle;
mod attention;
#[cfg(test)]
mod close;
mod codes;
mod double_double;
mod encoding;
pub mod exhibit;
#[cfg(not(target_arch = "wasm32"))]
mod export;
mod f64x2;
mod lang;
mod linear;
pub mod markup;
mod matrix;
mod model;
pub mod number;
mod random;
mod readback;
mod rotation;
mod settings;
mod t5;
pub mod text;
mod theme;
mod view;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use attention::{Attended, Attention};
pub use encoding::{
    Column, Layout, MAX_D_MODEL, MAX_LEN, Member, Raster, Sinusoidal, snaps_to_pairs,
};
#[cfg(not(target_arch = "wasm32"))]
pub use export::{exhibit_svg, svg};
pub use lang::{Lang, Text};
pub use linear::{Rows, least_squares, product};
pub use matrix::Matrix;
pub use model::Model;
pub use random::Normals;
pub use rotation::Rotation;
pub use settings::{
    Fault, Hide, Key, Kind, Link, Problem, SETTINGS, Setting, Span, State, ThemeName, ViewName,
    markdown_table, read_link,
};
pub use theme::{ColourMap, Theme, css};
pub use view::{
    Figure, Frame, Heatmap, Image, Part, Picture, Rect, Scene, Target, View, Waves, formula,
};
