//! Files: a figure as SVG, the table as CSV or NPY. The same code natively and in a browser.

mod csv;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod npy;
mod picture;
mod report;
mod svg;
mod table;
#[cfg(not(target_arch = "wasm32"))]
mod words;

pub use report::report_json;
pub use table::{Dtype, Format, LARGEST_FILE, Table, TableFile, file_of_made};

#[cfg(not(target_arch = "wasm32"))]
pub use {
    native::{bench_svg, figure_svg, svg},
    words::{code_svg, formula_svg},
};
#[cfg(target_arch = "wasm32")]
pub use {
    picture::{bench_through, figure_through},
    svg::{Svg, with_family},
    table::Numbers,
};
