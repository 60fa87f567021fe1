//! Files: a figure as SVG. The same code natively and in a browser.

mod picture;
#[cfg(not(target_arch = "wasm32"))]
mod png;
mod svg;

#[cfg(not(target_arch = "wasm32"))]
pub use picture::{exhibit_svg, svg};
#[cfg(target_arch = "wasm32")]
pub use {
    picture::{exhibit_through, figure_through},
    svg::Svg,
};
