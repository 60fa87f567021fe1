//! QR codes for pages. What is called here is in the second file of the core (scripts/kit/split.mjs), so it may not be taken into the
//! function that is exported.

use crate::export;
use wasm_bindgen::prelude::*;

/// The QR code that says `text`, as its width in modules, a blank, and the path of its dark modules; empty where the text is too long.
#[wasm_bindgen(js_name = qrPath, skip_typescript)]
pub fn qr_path(text: &str) -> String {
    made(text)
}

#[inline(never)]
fn made(text: &str) -> String {
    export::qr_path(text).map_or(String::new(), |code| format!("{} {}", code.side, code.path))
}
