//! Exported files: figures as SVG, and tables as CSV or NPY, by the same code natively and in a browser. Pixels and
//! animations are made here natively only: a browser draws and packs them itself.

#[cfg(not(target_arch = "wasm32"))]
mod animation;
mod csv;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod npy;
mod picture;
mod qr;
#[cfg(not(target_arch = "wasm32"))]
mod raster;
mod report;
mod svg;
mod table;
mod table_file;
#[cfg(not(target_arch = "wasm32"))]
mod words;

pub use csv::of_measurements as csv_of_measurements;
pub use qr::qr_path;
pub use report::report_json;
pub use table::{Dtype, LARGEST_FILE, Table};
pub use table_file::{Format, TableFile, file_of_made};

#[cfg(not(target_arch = "wasm32"))]
pub use {
    animation::Animation,
    native::{bench_svg, figure_svg, svg},
    raster::{Pixels, Rasterizer},
    words::{code_svg, formula_svg},
};
#[cfg(target_arch = "wasm32")]
pub use {
    picture::{OnBench, Pictured, paint_on_panel, picture_size, picture_svg},
    svg::with_family,
    table::Numbers,
};
