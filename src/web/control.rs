//! Events of form controls and keys, both of the bench and of figures.

use crate::field::Field;
use crate::figure::from_slider;
use crate::session::ControlType;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, HtmlSelectElement, KeyboardEvent};

/// The field of a control and the value that it shows, as text; `None` for any other element.
pub fn read(
    element: &Element,
    fields: &'static [Field],
) -> Option<(&'static Field, String, ControlType)> {
    let name = element.get_attribute("name")?;
    let field = fields.iter().find(|field| field.name == name)?;
    if let Some(list) = element.dyn_ref::<HtmlSelectElement>() {
        return Some((field, list.value(), ControlType::Chosen));
    }
    let input = element.dyn_ref::<HtmlInputElement>()?;
    let (text, control) = match input.type_().as_str() {
        "checkbox" => {
            let state = if input.checked() { "on" } else { "off" };
            (state.into(), ControlType::Chosen)
        }
        "radio" => (input.value(), ControlType::Chosen),
        "range" => (from_slider(field, &input.value()), ControlType::Slider),
        _ => (input.value(), ControlType::Typed),
    };
    Some((field, text, control))
}

/// Whether a pressed key is no shortcut of the browser, and no input method is using it, whose keys all have the code 229
/// (<https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode>).
pub fn is_plain(key: &KeyboardEvent) -> bool {
    !(key.ctrl_key() || key.meta_key() || key.alt_key() || key.key_code() == 229)
}
