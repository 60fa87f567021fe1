//! The page's bench as scripts work it; the figures of the lesson are worked through their elements.

use super::{app, fail, object};
use crate::settings::{Key, ViewName};
use js_sys::{Error, Object};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

/// Puts the bench on the page, in the place that it has for it.
#[wasm_bindgen(skip_typescript)]
pub fn mount() {
    if let Some(root) = super::dom::mount_point()
        && app::mount(root).is_none()
    {
        fail("canvas");
    }
}

/// The settings, as an object; nothing on a page without a bench.
#[wasm_bindgen(js_name = benchState, skip_typescript)]
pub fn state() -> Option<Object> {
    app::read(object::of_state)
}

/// Changes settings; those that are not named stay. Throws an Error that names what is no setting.
#[wasm_bindgen(js_name = setBenchState, skip_typescript)]
pub fn set_state(changes: &JsValue) -> Result<(), JsValue> {
    let pairs = object::pairs(changes)?;
    if let Some((name, _)) = pairs.iter().find(|(name, _)| Key::named(name).is_none()) {
        return Err(Error::new(&format!("{name} is no setting")).into());
    }
    let pairs: Vec<_> = pairs.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
    app::apply(&pairs);
    Ok(())
}

#[wasm_bindgen(js_name = resetBench, skip_typescript)]
pub fn reset() {
    app::reset();
}

#[wasm_bindgen(js_name = playBench, skip_typescript)]
pub fn play(on: bool) {
    app::play(on);
}

/// Moves the position by so many steps, from the end to the beginning again.
#[wasm_bindgen(js_name = stepBench, skip_typescript)]
pub fn step(by: i32) {
    app::step(i64::from(by));
}

/// The address of the page as it is now.
#[wasm_bindgen(js_name = benchLink, skip_typescript)]
pub fn link() -> Option<String> {
    app::link()
}

/// One of the bench's pictures as SVG.
#[wasm_bindgen(js_name = benchSvg, skip_typescript)]
pub fn svg(view: &str) -> Option<String> {
    app::svg(ViewName::named(view)?)
}

/// One of the bench's pictures on a canvas of its own, with so many pixels per CSS pixel.
#[wasm_bindgen(js_name = benchPicture, skip_typescript)]
pub fn picture(view: &str, scale: f64) -> Option<HtmlCanvasElement> {
    app::picture(ViewName::named(view)?, scale)
}
