//! Form controls of the bench, updated in place.

use crate::field::{Field, Kind, SettingId, State};
use crate::figure::{self, ControlPlace};
use crate::text::Lang;
use crate::text::markup::Node;
use crate::web::dom::El;
use crate::web::patch::LiveElement;
use web_sys::Element;

/// The control of one setting, synchronised with the state.
pub struct Control {
    key: SettingId,
    lang: Lang,
    element: LiveElement,
    /// What the element was last rendered from.
    shown: Option<Shown>,
    /// The element may show something else than was last rendered.
    stale: bool,
}

/// Everything that a control depends on, except for its language.
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

    /// Renders the state; an input that is being typed in is not overwritten.
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
            self.element.restore();
        }
    }

    /// Makes the next frame show the value again even if it has not changed, since the control may show an invalid
    /// text. Not done at once, since another key may be pressed before the frame.
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
