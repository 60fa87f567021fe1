//! The Positional Encoding Explorer: computes positional encodings and draws interactive figures of them.
//!
//! The mathematics of the encodings is the crate `posenc-encoding`. Each folder here may use only those listed before
//! it in `ARCHITECTURE.md`; a test enforces this.

#[cfg(test)]
#[path = "../crates/encoding/src/assert_close.rs"]
mod assert_close;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
mod draw;
mod export;
mod field;
pub mod figure;
pub mod figures;
mod math;
pub mod session;
pub mod text;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use draw::{
    Backend, ColourMap, DrawContext, Frame, Image, Part, Pen, PhaseMap, Point, Rect, Theme, Vec2,
    css,
};
#[cfg(not(target_arch = "wasm32"))]
pub use export::{
    Animation, Pixels, Rasterizer, bench_svg, code_svg, figure_svg, formula_svg, svg,
};
pub use export::{Dtype, Format, LARGEST_FILE, Table, TableFile, file_of_made, qr_path};
#[cfg(target_arch = "wasm32")]
pub use export::{OnBench, Pictured, picture_size};
pub use field::{
    Diagnostic, DiagnosticKind, Edit, Field, Kind, Link, Names, Persistence, SETTINGS, SettingId,
    Span, State, ThemeName, Values, ViewName, markdown_table, read_link,
};
pub use figures::bench::{
    BenchFigure, Hand, HeatmapView, Hit, LayoutCache, Model, Placed, Scene, Transient, View,
    WavesView, formula,
};
pub use math::{
    Attended, Attention, Normals, Rotation, StreamingLeastSquares, least_squares, product,
};
pub use posenc_encoding::Matrix;
pub use posenc_encoding::{
    AttentionHead, Column, Encoding, HeadConfig, HeatmapSampler, Layout, MAX_D_MODEL, MAX_LEN,
    Member, ModelSize, PositionSignal, PositionTable, Sinusoidal, TableConfig, snaps_to_pairs,
};
pub use text::{Lang, Text};
