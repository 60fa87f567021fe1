//! Settings as plain JavaScript objects, which embedding pages read and write.

use crate::field::{Kind, SettingId, State, Values, ViewName, parse};
use js_sys::{Array, Error, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// Maximum length of a text value in bytes; no setting accepts a longer one.
const LONGEST: usize = 10_000;

/// The name and the values of a figure.
pub fn of_values(view: ViewName, values: &Values) -> Object {
    let object = Object::new();
    put(&object, "view", view.name().into());
    put_all(&object, values);
    object
}

/// The settings of the bench.
pub fn of_state(state: &State) -> Object {
    let object = Object::new();
    put_all(&object, state.values());
    object
}

/// Writes numbers as numbers, toggles as booleans and the rest as text.
fn put_all(object: &Object, values: &Values) {
    for field in values.public() {
        let text = values.text(field.name);
        let value = match field.kind {
            Kind::Toggle(_) => (text == "on").into(),
            kind if kind.is_number() => number(&text),
            _ => text.into(),
        };
        put(object, field.name, value);
    }
}

/// The settings that differ from their defaults, except those that concern only the page around the figures.
pub fn changed(state: &State) -> Vec<(&'static str, String)> {
    let page = [
        SettingId::Lang,
        SettingId::Theme,
        SettingId::Hide,
        SettingId::Lock,
    ]
    .map(SettingId::name);
    let mut changed = state.values().changed();
    changed.retain(|(name, _)| !page.contains(name));
    changed
}

pub fn of_pairs<const N: usize>(pairs: [(&str, JsValue); N]) -> Object {
    let object = Object::new();
    for (name, value) in pairs {
        put(&object, name, value);
    }
    object
}

fn number(text: &str) -> JsValue {
    parse::number(text).map_or(text.into(), JsValue::from)
}

fn put(object: &Object, name: &str, value: JsValue) {
    // Setting a property of a plain object does not fail.
    let _ = Reflect::set(object, &name.into(), &value);
}

/// The names and values of an object's own properties; `dModel` and `d-model` become `d_model`. Throws an Error that
/// names a property whose value is no number, text or boolean, or too long.
pub fn pairs(object: &JsValue) -> Result<Vec<(String, String)>, JsValue> {
    if !object.is_object() || Array::is_array(object) {
        return Err(Error::new("settings must be an object such as { k: 3 }").into());
    }
    let mut pairs = Vec::new();
    for entry in Object::entries(object.unchecked_ref()) {
        let entry: Array = entry.unchecked_into();
        let name = snake(&entry.get(0).as_string().unwrap_or_default());
        let value = entry.get(1);
        let text = match (value.as_f64(), value.as_bool(), value.as_string()) {
            (Some(number), _, _) => number.to_string(),
            (_, Some(on), _) => if on { "on" } else { "off" }.into(),
            (_, _, Some(text)) if text.len() <= LONGEST => text,
            _ => {
                let words = format!(
                    "{name} must be a number, a boolean or a text of at most {LONGEST} characters"
                );
                return Err(Error::new(&words).into());
            }
        };
        pairs.push((name, text));
    }
    Ok(pairs)
}

fn snake(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars().take(100) {
        match c {
            '-' => snake.push('_'),
            c if c.is_ascii_uppercase() => {
                snake.push('_');
                snake.push(c.to_ascii_lowercase());
            }
            c => snake.push(c),
        }
    }
    snake
}
