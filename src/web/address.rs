//! The state in the address bar: read once and whenever somebody changes it, and written back.

use super::dom::window;
use crate::exhibit;
use crate::settings::{Link, State, read_link};
use wasm_bindgen::JsValue;

pub struct Address {
    link: Link,
    /// The hash as we last read or wrote it.
    hash: String,
    /// The values of the figure that is shown alone, as far as they differ from its defaults.
    pub figure: Vec<(&'static str, String)>,
}

impl Address {
    pub fn read() -> Address {
        let location = window().location();
        let query = location.search().unwrap_or_default();
        let hash = location.hash().unwrap_or_default();
        Address {
            link: read_link(&query, &hash),
            hash: hash.strip_prefix('#').unwrap_or(&hash).to_string(),
            figure: Vec::new(),
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
