//! The button that links the bench to an encoding's own figure in the lesson.

use crate::field::own_figure;
use crate::text::{Lang, labels};
use crate::web::dom::{El, append, button};
use posenc_encoding::Encoding;
use web_sys::Element;

/// Button to the encoding's own figure in the lesson, shown in the first view that has no picture.
pub struct OwnFigureButton {
    button: El,
    shown: Option<Encoding>,
}

impl OwnFigureButton {
    pub fn new(lang: Lang) -> OwnFigureButton {
        let button = button("visit", labels::OWN_FIGURE.get(lang)).class("instead");
        OwnFigureButton {
            button,
            shown: None,
        }
    }

    pub fn show_in(&mut self, stage: &Element, encoding: Encoding) {
        let there = self.button.0.parent_element().as_ref() == Some(stage);
        if there && self.shown == Some(encoding) {
            return;
        }
        self.hide();
        if let Some(figure) = own_figure(encoding) {
            append(
                stage,
                &self
                    .button
                    .clone()
                    .attr("value", &format!("fig-{}", figure.name()))
                    .0,
            );
            self.shown = Some(encoding);
        }
    }

    pub fn hide(&mut self) {
        if self.shown.take().is_some() {
            self.button.0.remove();
        }
    }
}
