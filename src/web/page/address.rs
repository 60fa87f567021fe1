//! The state in the address bar: read once and whenever somebody changes it, and written back.

use crate::field::{Link, State, Values, ViewName, read_link};
use crate::web::dom::{document, window};
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, History};

pub struct Address {
    link: Link,
    /// The hash as we last read or wrote it.
    hash: String,
    /// What has to be said of the figure that is shown alone.
    figure: Vec<(String, String)>,
    /// The hash that [`Address::save_recovery_hash`] last stored.
    recovery_hash: Option<String>,
}

/// The property of the bench's element that holds the hash of its current state.
const RECOVERY_HASH: &str = "recoveryHash";

impl Address {
    /// Reads the hash, which takes precedence over the query, and that over the `data-state` attribute of the page's file.
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

    /// The figure that is shown alone has these values, others being its defaults.
    pub fn figure_changed(&mut self, view: ViewName, changed: Vec<(&'static str, String)>) {
        let owned = |(name, text): (&str, String)| (name.to_string(), text);
        self.figure = changed.into_iter().map(owned).collect();
        // What the query says otherwise.
        let default = crate::figures::fields(view).map(Values::new);
        for name in self.link.queried() {
            let said = self.figure.iter().any(|(figure, _)| figure == name);
            if let Some(default) = default.as_ref().filter(|d| !said && d.has(name)) {
                self.figure.push((name.clone(), default.text(name)));
            }
        }
    }

    pub fn link(&self) -> &Link {
        &self.link
    }

    /// True if the address now says something that we have neither read nor written.
    pub fn is_news(&self) -> bool {
        let hash = window().location().hash().unwrap_or_default();
        hash.strip_prefix('#').unwrap_or(&hash) != self.hash
    }

    /// The chapter or figure of this page that the address names.
    pub fn place(&self) -> Option<Element> {
        let places = self.link.places();
        places.iter().find_map(|place| element(place))
    }

    /// Names another place on the page.
    pub fn visit(&mut self, place: &str) {
        self.link.visit(place);
    }

    /// Names no place on the page any more; true if it did. A bare name that belongs to no element is left alone.
    pub fn leave(&mut self) -> bool {
        self.link.leave(is_place)
    }

    /// Sets or removes a parameter that is no setting.
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

    /// The whole address of a state, without a place: who is given it is to see the bench, or the figure shown alone.
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

    /// Stores the hash of a state on the bench's element, at hardly any cost: start.mjs writes it into the address if the
    /// core fails before the address is written.
    pub fn save_recovery_hash(&mut self, root: &Element, state: &State) {
        let hash = self.hash_of(state);
        if self.recovery_hash.as_ref() != Some(&hash) {
            // An element takes any property.
            let _ = Reflect::set(root, &RECOVERY_HASH.into(), &hash.as_str().into());
            self.recovery_hash = Some(hash);
        }
    }

    /// True if the address has this state.
    pub fn matches(&self, state: &State) -> bool {
        self.hash_of(state) == self.hash
    }

    /// Writes the state into the current entry of the history, if that says anything new.
    pub fn write(&mut self, state: &State) {
        if !self.matches(state) {
            self.set_hash(state, History::replace_state_with_url);
        } else if !entry_has_state() {
            // Refused in srcdoc, blob: and data: pages, where no entry has a state.
            let _ = history().map(|history| history.replace_state(&entry_state(), ""));
        }
    }

    /// Writes the state into a new entry of the history: Back leads to where the reader is now.
    pub fn push(&mut self, state: &State) {
        let left = entry_state();
        // A plain object takes any property.
        let _ = Reflect::set(&left, &SCROLL.into(), &window().scroll_y().ok().into());
        let _ = history().map(|history| history.replace_state(&left, ""));
        self.set_hash(state, History::push_state_with_url);
    }

    fn set_hash(&mut self, state: &State, set: SetEntry) {
        let hash = self.hash_of(state);
        let url = format!("#{hash}");
        let set = history().and_then(|history| set(&history, &entry_state(), "", Some(&url)));
        // So that the event which this causes is ignored: see `is_news`.
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

/// A bare name in the address is a place if something on the page has it as its id.
fn is_place(name: &str) -> bool {
    element(name).is_some()
}

fn state_of_entry() -> Option<JsValue> {
    let state = history().and_then(|history| history.state()).ok();
    state.filter(JsValue::is_object)
}

/// True if the current entry of the history has a state, which only this page gives it: the reader comes back to the
/// entry, and the browser scrolls to where they were. A link, or an address that was typed, makes an entry without one.
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
