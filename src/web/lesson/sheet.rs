//! The one style sheet that the shadows of all figures share.

use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::ShadowRoot;

const CSS: &str = include_str!("../../../static/figure.css");

#[wasm_bindgen]
extern "C" {
    type CSSStyleSheet;
    #[wasm_bindgen(constructor, catch)]
    fn new() -> Result<CSSStyleSheet, JsValue>;
    #[wasm_bindgen(method, catch, js_name = replaceSync)]
    fn replace_sync(this: &CSSStyleSheet, css: &str) -> Result<(), JsValue>;

    type Adopting;
    #[wasm_bindgen(method, setter, js_name = adoptedStyleSheets)]
    fn set_adopted_style_sheets(this: &Adopting, sheets: &Array);
}

thread_local! {
    static SHEET: Option<CSSStyleSheet> = CSSStyleSheet::new()
        .and_then(|sheet| sheet.replace_sync(CSS).map(|()| sheet))
        .ok();
}

/// Without it a figure is plain but works.
pub fn adopt(shadow: &ShadowRoot) {
    SHEET.with(|sheet| {
        if let Some(sheet) = sheet {
            let shadow: &Adopting = shadow.unchecked_ref();
            shadow.set_adopted_style_sheets(&Array::of1(sheet));
        }
    });
}
