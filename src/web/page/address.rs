//! The state in the address bar: read on load and after every change by the reader, and written back.

use crate::field::{Link, State, Values, ViewName, read_link};
use crate::web::dom::{document, window};
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, History};

pub struct Address {
    link: Link,
    /// The hash as last read or written, without `#`.
    hash: String,
    /// The parameters of the standalone figure, as names and values.
    figure: Vec<(String, String)>,
    /// The hash that [`Address::save_recovery_hash`] last stored.
    recovery_hash: Option<String>,
}

/// The property of the bench's element that has the hash of its current state.
const RECOVERY_HASH: &str = "recoveryHash";

impl Address {
    /// Reads the address. The hash takes precedence over the query, and the query over the `data-state` attribute of
    /// the page.
    pub fn read() -> Address {
        let location = window().location();
        let query = location.search().unwrap_or_default();
        let query = query.strip_prefix('?').unwrap_or(&query);
        let root = document().document_element();
        let file = root.and_then(|root| root.get_attribute("data-state"));
        let query = format!("{}&{query}", file.unwrap_or_default());
        let hash = location.hash().unwrap_or_default();
        let mut link = read_link(&query, &hash);
        let fields = crate::figures::fields(link.state.view()).unwrap_or_default();
        let fields: Vec<_> = fields.iter().map(|field| field.name).collect();
        let misspelt = link.misspelt(&fields);
        link.problems.extend(misspelt);
        Address {
            figure: link.pairs().to_vec(),
            link,
            recovery_hash: None,
            hash: hash.strip_prefix('#').unwrap_or(&hash).to_string(),
        }
    }

    /// Sets the values of the standalone figure that differ from its defaults.
    pub fn figure_changed(&mut self, view: ViewName, changed: Vec<(&'static str, String)>) {
        let owned = |(name, text): (&str, String)| (name.to_string(), text);
        self.figure = changed.into_iter().map(owned).collect();
        // A default must be written as well if the query overrides it.
        let default = crate::figures::fields(view).map(Values::new);
        for name in self.link.queried() {
            let said = self.figure.iter().any(|(figure, _)| figure == name);
            if let Some(default) = default.as_ref().filter(|d| !said && d.has(name)) {
                self.figure.push((name.clone(), default.text(name)));
            }
        }
    }

    /// The parameters of the standalone figure, as names and values.
    pub fn figure(&self) -> &[(String, String)] {
        &self.figure
    }

    pub fn link(&self) -> &Link {
        &self.link
    }

    /// True if the hash differs from the one last read or written.
    pub fn has_changed(&self) -> bool {
        let hash = window().location().hash().unwrap_or_default();
        hash.strip_prefix('#').unwrap_or(&hash) != self.hash
    }

    /// The element of the chapter or figure that the hash names.
    pub fn place(&self) -> Option<Element> {
        let places = self.link.places();
        places.iter().find_map(|place| element(place))
    }

    /// Sets the chapter or figure that the hash names.
    pub fn visit(&mut self, place: &str) {
        self.link.visit(place);
    }

    /// Removes the place from the hash; true if there was one. A bare name that is the id of no element is kept.
    pub fn leave(&mut self) -> bool {
        self.link.leave(is_place)
    }

    /// Sets or removes a parameter that is not a setting.
    pub fn set_parameter(&mut self, name: &str, value: Option<&str>) {
        self.link.note(name, value);
    }

    fn hash_of(&self, state: &State) -> String {
        self.hash_by(&self.link, state)
    }

    fn hash_by(&self, link: &Link, state: &State) -> String {
        match crate::figures::fields(state.view()) {
            Some(fields) if !state.view().is_of_bench() => {
                let owns = |name: &str| fields.iter().any(|field| field.name == name);
                link.figure_hash(state, &self.figure, owns)
            }
            _ => link.hash(state),
        }
    }

    /// The complete URL of a state without a place, so that it opens at the bench or the standalone figure.
    pub fn of(&self, state: &State) -> String {
        let href = window().location().href().unwrap_or_default();
        let page = href.split('#').next().unwrap_or_default();
        let mut link = self.link.clone();
        link.leave(is_place);
        match self.hash_by(&link, state) {
            hash if hash.is_empty() => page.to_string(),
            hash => format!("{page}#{hash}"),
        }
    }

    /// Stores the hash of a state as a property of the bench's element, which is cheap: start.mjs writes it into the
    /// address if the core fails before the address is written.
    pub fn save_recovery_hash(&mut self, root: &Element, state: &State) {
        let hash = self.hash_of(state);
        if self.recovery_hash.as_ref() != Some(&hash) {
            // Setting a property of an element does not fail.
            let _ = Reflect::set(root, &RECOVERY_HASH.into(), &hash.as_str().into());
            self.recovery_hash = Some(hash);
        }
    }

    /// True if the address already has this state.
    pub fn matches(&self, state: &State) -> bool {
        self.hash_of(state) == self.hash
    }

    /// Writes the state into the current history entry, if its hash differs or it has no state.
    pub fn write(&mut self, state: &State) {
        if !self.matches(state) {
            self.set_hash(state, History::replace_state_with_url);
        } else if !entry_has_state() {
            // Fails in srcdoc, blob: and data: pages, where no entry has a state.
            let _ = history().map(|history| history.replace_state(&entry_state(), ""));
        }
    }

    /// Writes the state into a new history entry, so that Back returns to the reader's current position.
    pub fn push(&mut self, state: &State) {
        let left = entry_state();
        // Setting a property of a plain object does not fail.
        let _ = Reflect::set(&left, &SCROLL.into(), &window().scroll_y().ok().into());
        let _ = history().map(|history| history.replace_state(&left, ""));
        self.set_hash(state, History::push_state_with_url);
    }

    fn set_hash(&mut self, state: &State, set: SetEntry) {
        let hash = self.hash_of(state);
        let url = format!("#{hash}");
        let set = history().and_then(|history| set(&history, &entry_state(), "", Some(&url)));
        // Stored so that the event caused by this change is ignored: see `has_changed`.
        self.hash = hash;
        if set.is_err() {
            // Such calls throw in srcdoc, blob: and data: pages.
            let _ = window().location().set_hash(&self.hash);
        }
    }
}

/// `replaceState` or `pushState`.
type SetEntry = fn(&History, &JsValue, &str, Option<&str>) -> Result<(), JsValue>;

fn history() -> Result<History, JsValue> {
    window().history()
}

fn element(id: &str) -> Option<Element> {
    document().get_element_by_id(id)
}

/// A bare name in the address is a place if an element of the page has it as its id.
fn is_place(name: &str) -> bool {
    element(name).is_some()
}

fn state_of_entry() -> Option<JsValue> {
    let state = history().and_then(|history| history.state()).ok();
    state.filter(JsValue::is_object)
}

/// True if the current history entry has a state, which only this page sets: the reader returns to the entry, and the
/// browser restores the scroll position. An entry made by a link or a typed address has no state.
pub fn entry_has_state() -> bool {
    state_of_entry().is_some()
}

/// Key in the state of a history entry: the scroll position when the entry was left for a new one. Chromium does not
/// always restore it (it scrolls to the place that the address names); kit/figure-memory.mjs does.
const SCROLL: &str = "scroll";

/// A copy of the current history entry's state, in which kit/figure-memory.mjs keeps the values of the figures, without
/// the scroll position; empty if the entry has no state.
fn entry_state() -> Object {
    let state = Object::new();
    if let Some(here) = state_of_entry() {
        Object::assign(&state, here.unchecked_ref());
        let _ = Reflect::delete_property(&state, &SCROLL.into());
    }
    state
}
