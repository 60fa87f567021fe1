//! Shows, hides and locks the parts of the bench according to the state.

use super::elements::BenchElements;
use crate::field::{SettingId, State};
use crate::figure;
use crate::figures;
use crate::web::dom::{append, el, set_attr, toggle_attr};
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

    /// Creates the standalone figure if the state's view is a figure of the lesson, with the values in the address;
    /// otherwise removes it.
    pub fn show_alone(&self, state: &State, pairs: &[(String, String)]) {
        let view = state.view();
        let figure = self.alone.0.first_element_child();
        let Some(fields) = figures::fields(view).filter(|_| !view.is_of_bench()) else {
            // Removing an attribute does not fail.
            let _ = self.root.remove_attribute("data-alone");
            self.alone.0.set_text_content(None);
            return;
        };
        set_attr(&self.root, "data-alone", view.name());
        let owns = |name: &str| fields.iter().any(|field| field.name == name);
        let mut described = vec![("view".to_string(), view.name().to_string())];
        for (name, value) in pairs.iter().filter(|(name, _)| owns(name)) {
            described.push((name.replace('_', "-"), value.clone()));
        }
        if !state.hide().is_empty() {
            let left: Vec<_> = figure::visible_control_names(state.hide(), fields).collect();
            described.push(("controls".into(), left.join(" ")));
        }
        let mut lock = state.lock().clone();
        lock.keep(owns);
        if !lock.is_empty() {
            described.push(("lock".into(), lock.text()));
        }
        let key = described
            .iter()
            .fold(String::new(), |key, (n, v)| key + n + "=" + v + " ");
        if figure
            .and_then(|f| f.get_attribute("data-alone"))
            .as_deref()
            == Some(&key)
        {
            return;
        }
        self.alone.0.set_text_content(None);
        let figure = el("pe-figure").attr("data-alone", &key);
        for (name, value) in &described {
            set_attr(&figure.0, name, value);
        }
        append(&self.alone.0, &figure.0);
    }
}

fn all(inside: &Element, selector: &str) -> Vec<Element> {
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
