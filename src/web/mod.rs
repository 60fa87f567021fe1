//! The browser: the only folder that names it.

mod address;
mod api;
mod app;
mod canvas;
mod clipboard;
mod controls;
mod dom;
mod figure;
mod frames;
mod lesson;
mod notices;
mod page;
mod patch;
mod player;
mod pointer;
mod quiet;

pub use crate::encoding::pixels::with_opacity;
pub use api::{encode, rotation};
pub use figure::FigureElement;
pub use lesson::{Mounted, figure_attributes};

use wasm_bindgen::JsValue;

/// Puts the bench on the page, if the page has a place for it: whoever only imports the functions
/// of `posenc.js` has none.
pub fn start() {
    std::panic::set_hook(Box::new(|info| {
        web_sys::console::error_1(&JsValue::from_str(&info.to_string()));
        fail("panic");
    }));
    if let Some(root) = dom::mount_point()
        && app::mount(root).is_none()
    {
        fail("canvas");
    }
}

/// Says on the page why the bench does not run; the words are in the page for each reason.
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
