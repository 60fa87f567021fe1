//! Exported functions with which scripts control the bench, where those of [`access`](super::access) do not suffice.
//! Scripts control the figures of the lesson through their elements.

use crate::field::{SETTINGS, SettingId, ThemeName, Values, ViewName, read_link};
use crate::text::Lang;
use crate::web::api::unknown;
use crate::web::{bench, fail, figure, object};
use js_sys::Object;
use wasm_bindgen::prelude::*;

/// Mounts the bench in its place on the page, if there is one; `again` if it was mounted before and failed.
#[wasm_bindgen(skip_typescript)]
pub fn mount(again: bool) {
    if let Some(root) = crate::web::dom::mount_point()
        && bench::mount(root, again).is_none()
    {
        fail("canvas");
    }
}

/// False if anything is still borrowed after a panic, an exception or a stack overflow; the latter two do not call the
/// panic hook. Must be called only while no other call is running.
#[wasm_bindgen(js_name = isHealthy, skip_typescript)]
pub fn is_healthy() -> bool {
    bench::is_healthy() && figure::is_healthy()
}

/// Makes the next call of an exported function run in a new instance of the module.
#[wasm_bindgen(js_name = startAfresh, skip_typescript)]
pub fn start_afresh() {
    wasm_bindgen::handler::schedule_reinit();
}

/// The settings, as an object; undefined on a page without a bench.
#[wasm_bindgen(js_name = benchState, skip_typescript)]
pub fn state() -> Option<Object> {
    bench::read(object::of_state)
}

/// Changes settings; those that are not named keep their values. Throws an Error that names an unknown setting.
#[wasm_bindgen(js_name = setBenchState, skip_typescript)]
pub fn set_state(changes: &JsValue) -> Result<(), JsValue> {
    let pairs = object::pairs(changes)?;
    if let Some((name, _)) = pairs
        .iter()
        .find(|(name, _)| SettingId::named(name).is_none())
    {
        let names = SETTINGS.iter().map(|setting| setting.name);
        return Err(unknown(name, "no setting", names));
    }
    let pairs: Vec<_> = pairs.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
    bench::apply(&pairs);
    Ok(())
}

/// Overrides theme and type scale; without a theme, restores those of the state. Returns the type scale in use.
#[wasm_bindgen(js_name = presentBench, skip_typescript)]
pub fn set_presentation(theme: Option<String>, scale: f64) -> Option<f64> {
    let theme = theme.and_then(|name| ThemeName::named(&name));
    bench::set_presentation(theme.map(|theme| (theme, scale)))
}

/// Describes what a hash shows, as `{ view, title, hash, state }`, where `hash` is in canonical form, without the
/// parameters that concern only the page. Undefined if the hash names a place, or anything in it is unknown or invalid.
#[wasm_bindgen(js_name = readHash, skip_typescript)]
pub fn read_hash(hash: &str, lang: &str) -> Option<Object> {
    let link = read_link("", hash);
    let view = link.state.view();
    if !link.places().is_empty() {
        return None;
    }
    let (pairs, state) = if view.is_of_bench() {
        let known = |(name, _): &(String, String)| SettingId::named(name).is_some();
        if !link.problems.is_empty() || !link.pairs().iter().all(known) {
            return None;
        }
        (object::changed(&link.state), object::of_state(&link.state))
    } else {
        let values = figure_values(view, link.pairs())?;
        let mut pairs = vec![(SettingId::View.name(), view.name().to_string())];
        pairs.extend(values.changed());
        (pairs, object::of_values(view, &values))
    };
    let hash = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    let title = view.title().get(Lang::of(lang).unwrap_or(Lang::En));
    Some(object::of_pairs([
        ("view", view.name().into()),
        ("title", title.into()),
        ("hash", hash.into()),
        ("state", state.into()),
    ]))
}

/// The values of a figure, if every parameter is known and valid.
fn figure_values(view: ViewName, pairs: &[(String, String)]) -> Option<Values> {
    let mut values = Values::new(crate::figures::fields(view)?);
    let page = [
        SettingId::View,
        SettingId::Lang,
        SettingId::Theme,
        SettingId::Hide,
        SettingId::Lock,
    ]
    .map(SettingId::name);
    let given = || {
        let pairs = pairs.iter();
        pairs.filter(|(name, _)| !page.contains(&name.as_str()))
    };
    if !given().all(|(name, _)| values.has(name)) {
        return None;
    }
    let given: Vec<_> = given().cloned().collect();
    let set = values.set_all(&given);
    if set.iter().any(|(_, problem)| problem.is_some()) {
        return None;
    }
    Some(values)
}
