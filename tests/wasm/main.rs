//! Tests that need WebAssembly and a browser: SIMD, canvases and the functions that pages call.

#![cfg(target_arch = "wasm32")]

#[path = "../../crates/encoding/src/assert_close.rs"]
mod assert_close;

mod figures;
mod files;
mod interface;
mod lab;
mod patch;
mod raster;
mod table;

use posenc::Layout;
use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);

const LAYOUTS: [Layout; 3] = [
    Layout::Interleaved,
    Layout::Concatenated,
    Layout::Tensor2tensor,
];
