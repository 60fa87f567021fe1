//! Files: a figure as SVG, the table as CSV or NPY. The same code natively and in a browser.

mod csv;
mod npy;
mod picture;
#[cfg(not(target_arch = "wasm32"))]
mod png;
mod svg;
mod table;

pub use table::{Dtype, Format, LARGEST_FILE, Table, TableFile};

#[cfg(not(target_arch = "wasm32"))]
pub use picture::{exhibit_svg, svg};
#[cfg(target_arch = "wasm32")]
pub use {
    picture::{exhibit_through, figure_through},
    svg::Svg,
};
