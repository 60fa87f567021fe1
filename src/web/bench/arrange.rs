//! Shows, hides and locks the parts of the bench according to the state.

use super::elements::BenchElements;
use crate::field::{SettingId, State, ViewName};
use crate::figure;
use crate::figures;
use crate::web::dom::{append, change_or_remove_attr, el, set_attr, toggle_attr};
use posenc_encoding::PositionSignal;
use wasm_bindgen::JsCast;
use web_sys::Element;

impl BenchElements {
    /// Hides the parts that the state's view and its list of hidden controls exclude, and disables locked buttons.
    pub fn arrange(&self, state: &State) {
        set_attr(&self.root, "data-only", state.view().name());
        let mut bare = true;
        for element in all(&self.root, "[data-control]") {
            let name = element.get_attribute("data-control").unwrap_or_default();
            let hidden = state.hide().contain(&name) || idle(state, &name);
            toggle_attr(&element, "hidden", hidden);
            // Beside a standalone figure of the lesson, only these two controls are shown.
            let shown = state.view().is_of_bench() || ["lang", "theme"].contains(&name.as_str());
            let above = element.closest(".masthead").ok().flatten().is_some();
            bare &= hidden || !shown || !above;
            if ["play", "zoom"].contains(&name.as_str()) {
                for button in all(&element, "button, select") {
                    set_disabled(&button, state.locks_control(&name));
                }
            } else if name == "reset" {
                set_disabled(&element, state.locks_control(&name));
            }
        }
        // On a narrow page, "More" opens a sheet with all controls except k, if there are any.
        let sheet = all(&self.root, ".controls > .control:not([data-control=k])");
        let sheet = sheet.iter().any(|control| !control.has_attribute("hidden"));
        toggle_attr(&self.more.0, "hidden", !sheet);
        let beside_k = &self.play.beside_k.0;
        toggle_attr(beside_k, "hidden", state.hide().contain("play"));
        set_disabled(beside_k, state.locks_control("play"));
        let alone = state.hide().contain("lesson");
        toggle_attr(&self.root, "data-without-lesson", alone);
        // A masthead without controls is hidden.
        toggle_attr(&self.root, "data-bare", bare);
    }

    /// Moves the standalone figure, with its values, here from the elements that are being replaced.
    pub fn adopt_figure(&self, other: &BenchElements) {
        if let Some(figure) = other.alone.0.first_element_child() {
            append(&self.alone.0, &figure);
        }
    }

    /// Creates the standalone figure if the state's view is a figure of the lesson, unless it is there with these values;
    /// otherwise removes it.
    pub fn show_alone(&self, state: &State, pairs: &[(String, String)]) {
        let view = state.view();
        let Some(fields) = figures::fields(view).filter(|_| !view.is_of_bench()) else {
            // Removing an attribute does not fail.
            let _ = self.root.remove_attribute("data-alone");
            self.alone.0.set_text_content(None);
            return;
        };
        set_attr(&self.root, "data-alone", view.name());
        let owns = |name: &str| fields.iter().any(|field| field.name == name);
        let key = standalone_key(view, pairs);
        let shown = self.alone.0.first_element_child();
        let shown = shown.filter(|figure| figure.get_attribute("data-alone") == Some(key.clone()));
        let figure = shown.clone().unwrap_or_else(|| {
            let figure = el("pe-figure").attr("data-alone", &key);
            set_attr(&figure.0, "view", view.name());
            for (name, value) in pairs.iter().filter(|(name, _)| owns(name)) {
                set_attr(&figure.0, &name.replace('_', "-"), value);
            }
            figure.0
        });
        let controls = (!state.hide().is_empty()).then(|| {
            let left: Vec<_> = figure::visible_control_names(state.hide(), fields).collect();
            left.join(" ")
        });
        let mut lock = state.lock().clone();
        lock.keep(owns);
        let lock = (!lock.is_empty()).then(|| lock.text());
        change_or_remove_attr(&figure, "controls", controls.as_deref());
        change_or_remove_attr(&figure, "lock", lock.as_deref());
        if shown.is_none() {
            self.alone.0.set_text_content(None);
            append(&self.alone.0, &figure);
        }
    }

    /// Notes the values that the standalone figure has by now, so that an address with other values replaces it.
    pub fn note_alone(&self, view: ViewName, pairs: &[(String, String)]) {
        if let Some(figure) = self.alone.0.first_element_child() {
            set_attr(&figure, "data-alone", &standalone_key(view, pairs));
        }
    }
}

/// The view and the values of a standalone figure as one text.
fn standalone_key(view: ViewName, pairs: &[(String, String)]) -> String {
    let fields = figures::fields(view).unwrap_or_default();
    // The last of several counts, as for the figure.
    let named = |name: &str| pairs.iter().rev().find(|pair| pair.0 == name);
    let values = fields.iter().filter_map(|field| named(field.name));
    values.fold(view.name().to_string(), |key, (name, value)| {
        key + " " + name + "=" + value
    })
}

pub(super) fn all(inside: &Element, selector: &str) -> Vec<Element> {
    let found = inside.query_selector_all(selector);
    let found = found.map(|list| (0..list.length()).filter_map(|i| list.get(i)).collect());
    let nodes: Vec<web_sys::Node> = found.unwrap_or_default();
    nodes
        .into_iter()
        .filter_map(|node| node.dyn_into().ok())
        .collect()
}

/// Whether a tool beside a view has no effect in this state, so that it is hidden. The settings above the views are
/// only disabled in that case.
fn idle(state: &State, name: &str) -> bool {
    let key = match name {
        "zoom" => SettingId::Positions,
        "compare" => SettingId::Compare,
        "layout" => SettingId::Layout,
        "colour" => SettingId::Colour,
        // The choice between sine and cosine applies only to tables of sinusoids.
        "member" => return !matches!(state.signal(), PositionSignal::Sinusoids(_)),
        _ => return false,
    };
    !state.matters(key)
}

pub(super) fn set_disabled(element: &Element, disabled: bool) {
    toggle_attr(element, "disabled", disabled);
}
