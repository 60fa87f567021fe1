//! The state in the address bar: read once and whenever somebody changes it, and written back.

use super::dom::{document, window};
use crate::exhibit::{self, Values};
use crate::settings::{Link, State, ViewName, read_link};
use js_sys::Reflect;
use wasm_bindgen::JsValue;
use web_sys::Element;

pub struct Address {
    link: Link,
    /// The hash as we last read or wrote it.
    hash: String,
    /// What has to be said of the figure that is shown alone.
    figure: Vec<(String, String)>,
    /// The hash that was last left with the page.
    kept: Option<String>,
}

/// The property of the bench's element that holds the hash it would have.
const KEPT: &str = "kept";

impl Address {
    /// The hash over the query over what the page's file says of itself.
    pub fn read() -> Address {
        let location = window().location();
        let query = location.search().unwrap_or_default();
        let query = query.strip_prefix('?').unwrap_or(&query);
        let root = document().document_element();
        let file = root.and_then(|root| root.get_attribute("data-state"));
        let query = format!("{}&{query}", file.unwrap_or_default());
        let hash = location.hash().unwrap_or_default();
        let mut link = read_link(&query, &hash);
        let fields = exhibit::fields(link.state.view()).unwrap_or_default();
        let fields: Vec<_> = fields.iter().map(|field| field.name).collect();
        let misspelt = link.misspelt(&fields);
        link.problems.extend(misspelt);
        Address {
            figure: link.pairs().to_vec(),
            link,
            kept: None,
            hash: hash.strip_prefix('#').unwrap_or(&hash).to_string(),
        }
    }

    /// The figure that is shown alone has these values, others being its defaults.
    pub fn figure_changed(&mut self, view: ViewName, changed: Vec<(&'static str, String)>) {
        let owned = |(name, text): (&str, String)| (name.to_string(), text);
        self.figure = changed.into_iter().map(owned).collect();
        // What the query says otherwise.
        let default = exhibit::fields(view).map(Values::new);
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

    /// Names another place on the page.
    pub fn visit(&mut self, place: &str) {
        self.link.visit(place);
    }

    /// Says something that is no setting, or takes it out.
    pub fn note(&mut self, name: &str, value: Option<&str>) {
        self.link.note(name, value);
    }

    fn hash_of(&self, state: &State) -> String {
        match exhibit::fields(state.view()) {
            Some(fields) if !state.view().is_of_bench() => {
                let owns = |name: &str| fields.iter().any(|field| field.name == name);
                self.link.figure_hash(state, &self.figure, owns)
            }
            _ => self.link.hash(state),
        }
    }

    /// The whole address of a state.
    pub fn of(&self, state: &State) -> String {
        let href = window().location().href().unwrap_or_default();
        let page = href.split('#').next().unwrap_or_default();
        match self.hash_of(state) {
            hash if hash.is_empty() => page.to_string(),
            hash => format!("{page}#{hash}"),
        }
    }

    /// Leaves the hash of a state with the bench's element, at once and at hardly any cost: should everything fail
    /// before it is written, recovery.mjs finds it there.
    pub fn keep(&mut self, root: &Element, state: &State) {
        let hash = self.hash_of(state);
        if self.kept.as_ref() != Some(&hash) {
            // An element takes any property.
            let _ = Reflect::set(root, &KEPT.into(), &hash.as_str().into());
            self.kept = Some(hash);
        }
    }

    /// Writes the state, if that says anything new.
    pub fn write(&mut self, state: &State) {
        let hash = self.hash_of(state);
        if hash == self.hash {
            return;
        }
        // replaceState leaves no trail of entries, but throws in srcdoc, blob: and data: pages.
        let url = format!("#{hash}");
        let replaced = window()
            .history()
            .and_then(|history| history.replace_state_with_url(&JsValue::NULL, "", Some(&url)));
        if replaced.is_err() {
            let _ = window().location().set_hash(&hash);
        }
        self.hash = hash;
    }
}
