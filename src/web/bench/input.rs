//! Pointers, wheel and keys on the figures and scrollbars.

use super::gestures::{self, Drag};
use super::settling::SETTLE;
use super::{App, element_of};
use crate::field::{State, ViewName};
use crate::figures::bench::view::Target;
use crate::figures::bench::{Hand, Transient};
use crate::web::dom::change_attr;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent, PointerEvent, WheelEvent};

/// Milliseconds between two turns of the wheel that belong together.
const SAME_MOVEMENT: f64 = 250.0;

impl App {
    /// The figure that an event happened on, and where in it.
    fn place(&self, event: &Event, at: (i32, i32)) -> Option<(ViewName, (f64, f64))> {
        let stage = element_of(event)?.closest("[data-stage]").ok()??;
        let figure = self
            .page
            .figures
            .iter()
            .find(|figure| figure.stage == stage)?;
        let bounds = figure.stage.get_bounding_client_rect();
        let point = (f64::from(at.0) - bounds.x(), f64::from(at.1) - bounds.y());
        Some((figure.figure.name(), point))
    }

    fn target(&self, name: ViewName, (x, y): (f64, f64)) -> Option<Target> {
        let figure = self.page.figure(name);
        figure.target(&figure.scene(&self.model, &self.theme, &self.colours), x, y)
    }

    fn share(&self, name: ViewName, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let scene = self
            .page
            .figure(name)
            .scene(&self.model, &self.theme, &self.colours);
        gestures::share(name, &scene, x, y)
    }

    pub(super) fn pointerdown(&mut self, event: &Event) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>().filter(|p| p.button() == 0) else {
            return;
        };
        if self.scroll_to(event, pointer) {
            return;
        }
        if element_of(event).is_some_and(|element| element.tag_name() == "BUTTON") {
            return;
        }
        let Some((name, at)) = self.place(event, (pointer.client_x(), pointer.client_y())) else {
            return;
        };
        if self.pointers.fingers.is_empty() {
            self.pointers.before_drag = Some(self.state.clone());
        }
        let canvas = self.page.figure(name).canvas().clone();
        // Refused for a pointer that is gone already; then there is no drag.
        let _ = canvas.set_pointer_capture(pointer.pointer_id());
        if name == ViewName::Heatmap {
            self.pointers.fingers.push((pointer.pointer_id(), at));
        }
        let drag = if self.pointers.fingers.len() > 1 {
            // The first finger meant to zoom, not to select.
            self.revert_drag();
            Some(Drag::Pinch)
        } else if name == ViewName::Heatmap && self.zooming {
            Some(Drag::Pan {
                last: at,
                moved: 0.0,
            })
        } else {
            let target = self.target(name, at);
            let scene = self
                .page
                .figure(name)
                .scene(&self.model, &self.theme, &self.colours);
            gestures::press(&mut self.state, &scene, target, at)
        };
        let hand = self.hand_at(name, at);
        self.pointers.gripped = drag
            .as_ref()
            .is_some_and(|drag| gestures::grips(drag, &self.state, name, hand.is_some()));
        self.pointers.drag = drag.map(|drag| (name, drag));
        self.settling = None;
        self.show_cursor();
        self.redraw(event);
    }

    pub(super) fn pointermove(&mut self, event: &Event) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        if self.scroll_to(event, pointer) {
            return;
        }
        let place = self.place(event, (pointer.client_x(), pointer.client_y()));
        let Some((name, at)) = place else {
            return self.leave(event);
        };
        let target = self.target(name, at);
        match &mut self.pointers.drag {
            Some((dragged, Drag::Pinch)) if *dragged == name => {
                self.pinch(pointer.pointer_id(), at)
            }
            Some((dragged, drag)) if *dragged == name => {
                let scene = self
                    .page
                    .figure(name)
                    .scene(&self.model, &self.theme, &self.colours);
                let before = self.state.clone();
                let transient = gestures::drag(drag, &mut self.state, &scene, target, at);
                self.moved(before, transient);
            }
            _ => {
                let hovered = match target {
                    Some(Target::Cell {
                        position,
                        dimension,
                    }) => Some((position, dimension)),
                    _ => None,
                };
                let transient = Transient {
                    hand: self.hand_at(name, at),
                    pair: target.and_then(|target| target.pair(&self.model)),
                    ..self.transient
                };
                if hovered == self.pointers.hovered && transient == self.transient {
                    return;
                }
                self.pointers.hovered = hovered;
                self.transient = transient;
                self.show_cursor();
            }
        }
        self.redraw(event);
    }

    /// A drag has moved something. While the other hand is to be guessed, the hand of pos stays, and what the other one shows
    /// is no setting.
    fn moved(&mut self, before: State, transient: Transient) {
        let guessing = transient.hand.is_some() && self.transient.guessing;
        if !guessing {
            self.transient = transient;
            return;
        }
        let k = self.state.k() as f64 + transient.offset_glide;
        let hand = transient.hand;
        self.state = before;
        if hand == Some(Hand::There) {
            self.guess(k);
        }
    }

    /// The pointer is on no picture.
    fn leave(&mut self, event: &Event) {
        let hovered = self.pointers.hovered.take().is_some();
        let pointed = (self.transient.hand.take(), self.transient.pair.take()) != (None, None);
        if hovered || pointed {
            self.show_cursor();
            self.redraw(event);
        }
    }

    fn hand_at(&self, name: ViewName, at: (f64, f64)) -> Option<Hand> {
        let figure = self.page.figure(name);
        let scene = figure.scene(&self.model, &self.theme, &self.colours);
        figure.figure.hand_at(&scene, at)
    }

    /// Whether something can be taken hold of under the pointer.
    fn show_cursor(&self) {
        let grabs = self.transient.hand.is_some();
        let holds = matches!(self.pointers.drag, Some((_, Drag::Hand(_))));
        let state = if holds {
            "grabbing"
        } else if grabs {
            "grab"
        } else {
            ""
        };
        change_attr(self.page.root(), "data-grip", state);
    }

    fn pinch(&mut self, id: i32, at: (f64, f64)) {
        let [a, b] = match self.pointers.fingers[..] {
            [a, b, ..] => [a, b],
            _ => return,
        };
        let (before, _) = gestures::fingers(a.1, b.1);
        for finger in &mut self.pointers.fingers {
            if finger.0 == id {
                finger.1 = at;
            }
        }
        let (after, middle) =
            gestures::fingers(self.pointers.fingers[0].1, self.pointers.fingers[1].1);
        if let Some(share) = self.share(ViewName::Heatmap, middle) {
            gestures::zoom(&mut self.state, &self.model, before / after, Some(share));
        }
    }

    /// The selection as it was before the pointer came down.
    fn revert_drag(&mut self) {
        if let Some(before) = self.pointers.before_drag.take() {
            self.state = before;
        }
    }

    /// The browser took the pointer over, to scroll the page: nothing was meant for us.
    pub(super) fn pointercancel(&mut self, event: &Event) {
        if self.pointers.drag.take().is_some() && self.pointers.fingers.len() < 2 {
            self.revert_drag();
            self.redraw(event);
        }
        self.pointerup(event);
    }

    /// A finger on a handle drags it; elsewhere it scrolls the page, as `touch-action` says.
    pub(super) fn touchstart(&mut self, event: &Event) {
        if self.pointers.drag.is_some() && self.pointers.gripped {
            event.prevent_default();
        }
    }

    pub(super) fn pointerleave(&mut self, event: &Event) {
        self.leave(event);
    }

    pub(super) fn pointerup(&mut self, event: &Event) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        self.pointers
            .fingers
            .retain(|finger| finger.0 != pointer.pointer_id());
        let drag = self.pointers.drag.take();
        if let Some((name, Drag::Pan { last, moved })) = drag
            && moved < 4.0
            && let Some(share) = self.share(name, last)
        {
            // A tap with the zoom tool looks closer.
            gestures::zoom(&mut self.state, &self.model, 0.5, Some(share));
            self.redraw(event);
        }
        if let Some((_, Drag::Hand(_))) = drag {
            self.show_answer();
            self.settle(SETTLE);
            self.redraw(event);
        }
        self.show_cursor();
    }

    /// A scrollbar centres the window on the pointer; true if the event was on one.
    fn scroll_to(&mut self, event: &Event, pointer: &PointerEvent) -> bool {
        let Some(track) = element_of(event).and_then(|e| e.closest("[data-scroll]").ok().flatten())
        else {
            return false;
        };
        if event.type_() == "pointerdown" {
            let _ = track.set_pointer_capture(pointer.pointer_id());
        } else if pointer.buttons() == 0 {
            return true;
        }
        self.pointers.hovered = None;
        let bounds = track.get_bounding_client_rect();
        let (rows, columns) = (self.state.positions(), self.state.dimensions());
        if track.get_attribute("data-scroll").as_deref() == Some("vertical") {
            let share = (f64::from(pointer.client_y()) - bounds.y()) / bounds.height().max(1.0);
            let centre = share * self.state.max_len() as f64;
            let moved = rows.moved(
                centre - rows.start() - rows.width() / 2.0,
                self.state.max_len(),
            );
            self.state.set_window(moved, columns);
        } else {
            let share = (f64::from(pointer.client_x()) - bounds.x()) / bounds.width().max(1.0);
            let centre = share * self.state.d_model() as f64;
            let moved = columns.moved(
                centre - columns.start() - columns.width() / 2.0,
                self.state.d_model(),
            );
            self.state.set_window(rows, moved);
        }
        self.redraw(event);
        true
    }

    pub(super) fn wheel(&mut self, event: &Event) {
        let Some(wheel) = event.dyn_ref::<WheelEvent>() else {
            return;
        };
        let Some((name, at)) = self.place(event, (wheel.client_x(), wheel.client_y())) else {
            return;
        };
        let Some(share) = self.share(name, at) else {
            return;
        };
        let pixels = match wheel.delta_mode() {
            WheelEvent::DOM_DELTA_LINE => 30.0 * wheel.delta_y(),
            WheelEvent::DOM_DELTA_PAGE => 300.0 * wheel.delta_y(),
            _ => wheel.delta_y(),
        };
        let factor = (pixels * 0.002).clamp(-1.0, 1.0).exp();
        let mut state = self.state.clone();
        self.pointers.hovered = None;
        if name == ViewName::Heatmap {
            gestures::zoom(&mut state, &self.model, factor, Some(share));
        } else {
            gestures::zoom_positions(&mut state, factor, share.0);
        }
        state.hold(&self.state);
        let zoomed = state != self.state;
        self.state = state;
        // Where there is nothing left to zoom, the page scrolls, but not in the same movement.
        if zoomed || event.time_stamp() < self.pointers.wheeled_at + SAME_MOVEMENT {
            event.prevent_default();
            self.pointers.wheeled_at = event.time_stamp();
        }
        if zoomed {
            self.redraw(event);
        }
    }

    pub(super) fn keydown(&mut self, event: &Event) {
        let Some(key) = event.dyn_ref::<KeyboardEvent>() else {
            return;
        };
        if key.ctrl_key() || key.meta_key() || key.alt_key() {
            return;
        }
        let Some(element) = element_of(event) else {
            return;
        };
        if element.has_attribute("data-compare") && key.key() == "Enter" {
            event.prevent_default();
            self.compare();
            self.redraw(event);
            return;
        }
        if key.key() == "Escape" {
            if self.close_popup() {
                event.prevent_default();
            }
            return;
        }
        let used = if let Some(side) = element.get_attribute("data-scroll") {
            self.scroll_by_key(&side, &key.key())
        } else if let Some((name, _)) = self.place(event, (0, 0)) {
            gestures::key(
                name,
                &key.key(),
                key.shift_key(),
                &mut self.state,
                &self.model,
            )
        } else {
            false
        };
        if used {
            event.prevent_default();
            self.speak = true;
            self.editing.stop();
            self.pointers.hovered = None;
            self.redraw(event);
        }
    }

    fn scroll_by_key(&mut self, side: &str, key: &str) -> bool {
        let step = match key {
            "ArrowLeft" | "ArrowUp" => -0.1,
            "ArrowRight" | "ArrowDown" => 0.1,
            "PageUp" => -1.0,
            "PageDown" => 1.0,
            "Home" => f64::MIN,
            "End" => f64::MAX,
            _ => return false,
        };
        let (rows, columns) = (self.state.positions(), self.state.dimensions());
        if side == "vertical" {
            self.state.set_window(
                rows.moved(step * rows.width(), self.state.max_len()),
                columns,
            );
        } else {
            self.state.set_window(
                rows,
                columns.moved(step * columns.width(), self.state.d_model()),
            );
        }
        true
    }
}
