//! Drawing with plotters: scales, charts, grids, dials and colours. Nothing here depends on a particular encoding.

mod backend;
pub mod chart;
mod circle;
mod clock;
pub mod colour_map;
mod context;
pub mod diagonals;
pub mod dial;
pub mod grid;
mod image;
pub mod pen;
mod phase_map;
mod rect;
mod scale;
mod space;
mod spacing;
mod subscript;
pub mod text_style;
pub mod theme;

pub use backend::Backend;
pub use circle::Circle;
pub use clock::Clock;
pub use colour_map::ColourMap;
pub use context::{DrawContext, Frame};
pub use image::{Image, Part};
pub use kurbo::{Point, Vec2};
pub use pen::Pen;
pub use phase_map::{HOLE, PhaseMap};
pub use rect::Rect;
pub use scale::Scale;
pub use space::{KeptPlace, Space};
pub use spacing::keep_apart;
pub use subscript::subscripted;
pub use text_style::{FONT, TextStyle};
pub use theme::{Theme, css};
