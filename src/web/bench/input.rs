//! Pointer, wheel and key events on the figures and scrollbars.

use super::{BenchController, element_of};
use crate::figure::PointerAction;
use crate::session::bench::{Event, PicturePoint};
use crate::web::{control, pointer};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event as DomEvent, KeyboardEvent, PointerEvent, WheelEvent};

impl BenchController {
    /// The index of the figure on which an event occurred.
    fn figure_of(&self, event: &DomEvent) -> Option<usize> {
        let stage = element_of(event)?.closest("[data-stage]").ok()??;
        let mut figures = self.page.figures.iter();
        figures.position(|figure| figure.stage == stage)
    }

    pub(super) fn pointer(&mut self, event: &DomEvent) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        let Some(action) = pointer::action(pointer) else {
            return;
        };
        let is_press = action == PointerAction::Press;
        let element = element_of(event);
        let index = self.figure_of(event);
        // Scrollbars are in the stage of their figure.
        if index.is_some()
            && action != PointerAction::Release
            && let Some(track) = element
                .as_ref()
                .and_then(|e| e.closest("[data-scroll]").ok()?)
        {
            return self.scroll(&track, pointer, is_press);
        }
        if is_press && element.is_some_and(|element| element.tag_name() == "BUTTON") {
            return;
        }
        let figure = index.map(|index| &self.page.figures[index]);
        if let Some(figure) = figure.filter(|_| is_press) {
            pointer::capture(figure.canvas(), pointer);
        }
        let picture = figure.map(|figure| figure.shown_in(&self.appearance));
        let point = picture.as_ref().map(|picture| PicturePoint {
            picture,
            at: picture.point((pointer.client_x(), pointer.client_y())),
        });
        let effects = self.session.handle(Event::Pointer {
            action,
            id: pointer.pointer_id(),
            point,
        });
        if let (Some(figure), Some(cursor)) = (figure, effects.cursor) {
            pointer::show_cursor(figure.canvas(), cursor);
        }
        self.apply(effects, Some(event));
    }

    pub(super) fn pointercancel(&mut self, event: &DomEvent) {
        if let Some(pointer) = event.dyn_ref::<PointerEvent>() {
            let id = pointer.pointer_id();
            let effects = self.session.handle(Event::Cancel { id });
            self.apply(effects, Some(event));
        }
    }

    /// Centres the visible window on the pointer, which is on a scrollbar.
    fn scroll(&mut self, track: &Element, pointer: &PointerEvent, is_press: bool) {
        if is_press {
            let _ = track.set_pointer_capture(pointer.pointer_id());
        } else if pointer.buttons() == 0 {
            return;
        }
        let bounds = track.get_bounding_client_rect();
        let vertical = is_vertical(track);
        let (at, length) = match vertical {
            true => (f64::from(pointer.client_y()) - bounds.y(), bounds.height()),
            false => (f64::from(pointer.client_x()) - bounds.x(), bounds.width()),
        };
        let fraction = at / length.max(1.0);
        let effects = self.session.handle(Event::Scroll { vertical, fraction });
        self.apply(effects, Some(pointer));
    }

    pub(super) fn wheel(&mut self, event: &DomEvent) {
        let Some(wheel) = event.dyn_ref::<WheelEvent>() else {
            return;
        };
        let Some(index) = self.figure_of(event) else {
            return;
        };
        let picture = self.page.figures[index].shown_in(&self.appearance);
        let pixels = match wheel.delta_mode() {
            WheelEvent::DOM_DELTA_LINE => 30.0 * wheel.delta_y(),
            WheelEvent::DOM_DELTA_PAGE => 300.0 * wheel.delta_y(),
            _ => wheel.delta_y(),
        };
        let effects = self.session.handle(Event::Wheel {
            point: PicturePoint {
                picture: &picture,
                at: picture.point((wheel.client_x(), wheel.client_y())),
            },
            pixels,
            time: event.time_stamp(),
        });
        self.apply(effects, Some(event));
    }

    pub(super) fn keydown(&mut self, event: &DomEvent) {
        let Some(key_event) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if !control::is_plain(key_event) {
            return;
        }
        let Some(element) = element_of(event) else {
            return;
        };
        let key = &key_event.key();
        if element.has_attribute("data-compare") && key == "Enter" {
            event.prevent_default();
            return self.compare();
        }
        if key == "Escape" {
            if self.close_popup() {
                event.prevent_default();
            }
            return;
        }
        let tab_key = matches!(key.as_str(), "ArrowLeft" | "ArrowRight");
        if tab_key && element.get_attribute("role").as_deref() == Some("tab") {
            self.page.formula.show_other();
            event.prevent_default();
            return;
        }
        let input = if element.has_attribute("data-scroll") {
            let vertical = is_vertical(&element);
            Event::ScrollKey { vertical, key }
        } else if let Some(index) = self.figure_of(event) {
            Event::Key {
                view: self.page.figures[index].figure.name(),
                key,
                shift: key_event.shift_key(),
                repeat: key_event.repeat(),
            }
        } else {
            return;
        };
        let effects = self.session.handle(input);
        self.apply(effects, Some(event));
    }
}

/// Whether a scrollbar of the heatmap is that of the positions.
fn is_vertical(track: &Element) -> bool {
    track.get_attribute("data-scroll").as_deref() == Some("vertical")
}
