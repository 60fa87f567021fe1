//! The browser: DOM, canvas, events and the JavaScript API. No other folder of the crate uses browser APIs.

mod api;
mod bench;
mod canvas;
mod clipboard;
mod control;
mod debounce;
mod dom;
mod figure;
mod files;
mod frames;
mod image_cache;
mod inspect;
mod media_query;
mod object;
mod page;
mod patch;
pub mod picture;
mod pointer;
mod qr;
mod style_strings;
mod transition;

pub use api::{encode, encode_at, rotation};
pub use bench::BenchCanvas;
pub use figure::Mounted;
pub use files::{TableFile, table_csv, table_npy};
pub use inspect::Inspection;
pub use patch::{LiveElement, Patch};
pub use posenc_encoding::with_opacity;
pub use qr::qr_path;

use wasm_bindgen::JsValue;

/// Called when the module starts. A panic is reported to the page, where recovery.mjs restarts the core.
pub fn start() {
    // If the core is divided into two files, the first exports, under this name, the function table that the second
    // fills (scripts/kit/split.mjs).
    let divided = js_sys::Reflect::has(&wasm_bindgen::exports(), &"figures".into());
    posenc_encoding::set_deferred(divided.unwrap_or_default());
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&JsValue::from_str(&info.to_string()));
        if let (Some(window), Ok(event)) = (web_sys::window(), web_sys::Event::new("posenc:panic"))
        {
            // Dispatching a fresh event does not fail.
            let _ = window.dispatch_event(&event);
        }
    }));
}

/// Shows on the page why the bench cannot run. The page contains a text for each reason.
fn fail(reason: &str) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    if dom::mount_point().is_none() {
        return;
    }
    if let Some(root) = document.document_element() {
        let _ = root.set_attribute("data-posenc", "failed");
        let _ = root.set_attribute("data-failure", reason);
    }
}
