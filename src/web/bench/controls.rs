//! The controls of the bench, each where its page has built it.

use crate::field::{Field, Kind, SettingId, State};
use crate::figure::{self, ControlPlace};
use crate::text::Lang;
use crate::text::markup::Node;
use crate::web::dom::El;
use crate::web::patch::{LiveElement, restore};
use web_sys::Element;

/// The control of one setting, kept in step with the state.
pub struct Control {
    key: SettingId,
    lang: Lang,
    element: LiveElement,
    /// What it was last made from.
    shown: Option<Shown>,
    /// It may hold something else than what was last written.
    stale: bool,
}

/// All that a control depends on but its language.
#[derive(PartialEq)]
struct Shown {
    text: String,
    limits: Option<[(i64, i64); 2]>,
    locked: bool,
    fixed: bool,
}

impl Control {
    pub fn new(key: SettingId, lang: Lang) -> Control {
        Control {
            key,
            lang,
            element: LiveElement::new(node(key, &State::default(), lang, false)),
            shown: None,
            stale: false,
        }
    }

    pub fn key(&self) -> SettingId {
        self.key
    }

    pub fn element(&self) -> El {
        El(self.element.element().clone())
    }

    /// Shows the state; a box that is being written in is left alone.
    pub fn show(&mut self, state: &State, written: Option<&Element>) {
        let Field { name, kind, .. } = self.key.field();
        let values = state.values();
        let now = Shown {
            text: state.text(self.key),
            limits: matches!(kind, Kind::Integer { .. })
                .then(|| [values.limits(name), values.reach(name)]),
            locked: state.locks(self.key) || !state.matters(self.key) || state.fixes(self.key),
            fixed: state.fixes(self.key),
        };
        if self.shown.as_ref() != Some(&now) {
            let node = node(self.key, state, self.lang, now.locked);
            self.element.set(node, written);
            self.shown = Some(now);
        }
        let element = self.element.element();
        let is_written = written.is_some_and(|written| element.contains(Some(written)));
        if std::mem::take(&mut self.stale) && !is_written {
            restore(element);
        }
    }

    /// Shows the value again even where it has not changed: the control may hold something bad. Not before the next frame,
    /// as another key may come until then.
    pub fn forget(&mut self) {
        self.stale = true;
    }
}

fn node(key: SettingId, state: &State, lang: Lang, locked: bool) -> Node {
    let control = figure::Control {
        field: key.field(),
        values: state.values(),
        lang,
        locked,
        fixed: state.fixes(key),
        place: ControlPlace::Bench,
    };
    control.node()
}
