//! Drawing with plotters on any backend: scales, axes, charts, dials and colours. Nothing here knows an encoding's name.

pub mod axis;
pub mod chart;
mod circle;
mod context;
pub mod diagonals;
pub mod dial;
pub mod pen;
pub mod picture;
mod rect;
pub mod theme;

pub use circle::Circle;
pub use context::{DrawContext, Frame};
pub use pen::{DrawResult, FONT, Pen, Words};
pub use picture::{Image, Part, Picture};
pub use rect::Rect;
pub use theme::{ColourMap, Theme, css};
