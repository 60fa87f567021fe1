//! Caption of the dial with its numbers, shown in the place of the tour after the tour is closed.

use crate::figures::bench::Model;
use crate::text::labels;
use crate::web::dom::{CachedText, El, el, toggle_attr};

pub struct DialCaption {
    pub line: El,
    words: CachedText,
    shown: bool,
}

impl DialCaption {
    pub fn new() -> DialCaption {
        let line = el("p").class("idea").attr("hidden", "");
        DialCaption {
            words: CachedText::new(&line),
            line,
            shown: false,
        }
    }

    /// Shows the caption if the encoding rotates and `has_room`; true if its visibility has changed.
    pub fn write(&mut self, model: &Model, has_room: bool) -> bool {
        let turn = model.rotated_pair().filter(|_| has_room);
        if let Some((pair, _)) = turn {
            let k = model.state.k();
            let words = labels::rotation_by(model.lang, k, pair.index, pair.rotation_angle);
            self.words.set(&words);
        }
        let was_shown = std::mem::replace(&mut self.shown, turn.is_some());
        let changed = was_shown != self.shown;
        if changed {
            toggle_attr(&self.line.0, "hidden", !self.shown);
        }
        changed
    }
}
