//! QR codes for pages. The code called here is in the second file of the core (scripts/kit/split.mjs), so it must not
//! be inlined into the exported function.

use crate::export;
use wasm_bindgen::prelude::*;

/// The QR code of `text`: its width in modules, a space, and the SVG path of its dark modules; empty if the text is too
/// long.
#[wasm_bindgen(js_name = qrPath, skip_typescript)]
pub fn qr_path(text: &str) -> String {
    made(text)
}

#[inline(never)]
fn made(text: &str) -> String {
    export::qr_path(text).map_or(String::new(), |code| format!("{} {}", code.side, code.path))
}
