//! Pointer, wheel and key events on the figures and scrollbars.

use super::{BenchController, element_of};
use crate::field::{State, ViewName};
use crate::figure::{Cursor, PointerAction};
use crate::figures::bench::view::Hit;
use crate::figures::bench::{Hand, Transient};
use crate::session::bench::gestures::{self, Gesture};
use crate::web::pointer;
use wasm_bindgen::JsCast;
use web_sys::{Event, KeyboardEvent, PointerEvent, WheelEvent};

/// Maximum time between two wheel events of the same gesture, in milliseconds.
const SAME_MOVEMENT: f64 = 250.0;

impl BenchController {
    /// The figure on which an event occurred, and the point in it in CSS pixels.
    fn place(&self, event: &Event, at: (i32, i32)) -> Option<(ViewName, (f64, f64))> {
        let stage = element_of(event)?.closest("[data-stage]").ok()??;
        let figure = self
            .page
            .figures
            .iter()
            .find(|figure| figure.stage == stage)?;
        let width = f64::from(figure.size().0);
        let point = pointer::place(figure.canvas(), width, at);
        Some((figure.figure.name(), point))
    }

    fn hit_test(&self, name: ViewName, (x, y): (f64, f64)) -> Option<Hit> {
        let figure = self.page.figure(name);
        figure.hit_test(
            &figure.scene(
                &self.model,
                &self.appearance.theme,
                &self.appearance.colours,
            ),
            x,
            y,
        )
    }

    fn plot_fraction(&self, name: ViewName, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let scene = self.page.figure(name).scene(
            &self.model,
            &self.appearance.theme,
            &self.appearance.colours,
        );
        gestures::plot_fraction(name, &scene, x, y)
    }

    pub(super) fn pointer(&mut self, event: &Event) {
        let Some(pointer) = event.dyn_ref::<PointerEvent>() else {
            return;
        };
        let Some(action) = pointer::action(pointer) else {
            return;
        };
        let is_press = action == PointerAction::Press;
        if action != PointerAction::Release && self.scroll_to(event, pointer, is_press) {
            return;
        }
        let client = (pointer.client_x(), pointer.client_y());
        match (action, self.place(event, client)) {
            (PointerAction::Press, Some((name, at))) => self.press(event, pointer, name, at),
            (PointerAction::Press, None) => {}
            (PointerAction::Release, place) => self.release(event, pointer, place),
            (PointerAction::Hover | PointerAction::Drag, None) => self.leave(event),
            (PointerAction::Drag, Some((name, at))) => self.drag(event, pointer, name, at),
            (PointerAction::Hover, Some((name, at))) => {
                self.pointers.gesture = None;
                self.hover(event, name, at);
            }
        }
    }

    fn press(
        &mut self,
        event: &Event,
        pointer_event: &PointerEvent,
        name: ViewName,
        at: (f64, f64),
    ) {
        if element_of(event).is_some_and(|element| element.tag_name() == "BUTTON") {
            return;
        }
        pointer::capture(self.page.figure(name).canvas(), pointer_event);
        if self.pointers.active_pointers.is_empty() {
            self.pointers.press.begin(self.state.clone());
        }
        if name == ViewName::Heatmap {
            self.pointers
                .active_pointers
                .push((pointer_event.pointer_id(), at));
        }
        let gesture = if self.pointers.active_pointers.len() > 1 {
            // The first touch was the start of a pinch, so its selection is reverted.
            self.revert_drag();
            Some(Gesture::Pinch)
        } else if name == ViewName::Heatmap && self.zooming {
            Some(Gesture::Pan {
                last: at,
                moved: 0.0,
            })
        } else {
            let hit = self.hit_test(name, at);
            let scene = self.page.figure(name).scene(
                &self.model,
                &self.appearance.theme,
                &self.appearance.colours,
            );
            gestures::begin_gesture(&mut self.state, &scene, hit, at)
        };
        let hand = self.hand_at(name, at);
        let prevents_scroll = |gesture: &Gesture| {
            gestures::prevents_scroll(gesture, &self.state, name, hand.is_some())
        };
        self.pointers
            .press
            .set_prevents_scroll(gesture.as_ref().is_some_and(prevents_scroll));
        self.transient.tokens_around = match &gesture {
            Some(Gesture::Drag(drag)) => drag.tokens_around(),
            _ => None,
        };
        self.pointers.gesture = gesture.map(|gesture| (name, gesture));
        if self.is_dragging_hand() {
            self.take_over();
        }
        self.show_cursor(name, at);
        self.redraw(event);
    }

    fn drag(&mut self, event: &Event, pointer: &PointerEvent, name: ViewName, at: (f64, f64)) {
        let hit = self.hit_test(name, at);
        match &mut self.pointers.gesture {
            Some((dragged, Gesture::Pinch)) if *dragged == name => {
                self.pinch(pointer.pointer_id(), at)
            }
            Some((dragged, gesture)) if *dragged == name => {
                let scene = self.page.figure(name).scene(
                    &self.model,
                    &self.appearance.theme,
                    &self.appearance.colours,
                );
                let before = self.state.clone();
                let transient = gestures::drag(gesture, &mut self.state, &scene, hit, at);
                self.moved(before, transient);
            }
            _ => return self.hover(event, name, at),
        }
        self.redraw(event);
    }

    fn hover(&mut self, event: &Event, name: ViewName, at: (f64, f64)) {
        self.show_cursor(name, at);
        let hit = self.hit_test(name, at);
        let hovered = match hit {
            Some(Hit::Cell {
                position,
                dimension,
            }) => Some((position, dimension)),
            _ => None,
        };
        let transient = Transient {
            hand: self.hand_at(name, at),
            pair: hit.and_then(|hit| hit.pair(&self.model)),
            ..self.transient
        };
        if hovered != self.pointers.hovered || transient != self.transient {
            self.pointers.hovered = hovered;
            self.transient = transient;
            self.redraw(event);
        }
    }

    /// Applies the result of a drag. While the tour asks for a guess of pos + k, the hand of pos does not move and the
    /// guess changes no setting.
    fn moved(&mut self, before: State, transient: Transient) {
        let guessing = transient.hand.is_some() && self.transient.guessing;
        if !guessing {
            self.transient = transient;
            return;
        }
        let k = self.state.k() as f64 + transient.displacement.k.left;
        let hand = transient.hand;
        self.state = before;
        if hand == Some(Hand::Target) {
            self.guess(k);
        }
    }

    /// Handles a pointer that is over none of the figures.
    pub(super) fn leave(&mut self, event: &Event) {
        let hovered = self.pointers.hovered.take().is_some();
        let pointed = (self.transient.hand.take(), self.transient.pair.take()) != (None, None);
        if hovered || pointed {
            self.redraw(event);
        }
    }

    fn hand_at(&self, name: ViewName, at: (f64, f64)) -> Option<Hand> {
        let figure = self.page.figure(name);
        let scene = figure.scene(
            &self.model,
            &self.appearance.theme,
            &self.appearance.colours,
        );
        figure.figure.hand_at(&scene, at)
    }

    /// Sets the cursor for the gesture in progress, or else for what is at a point of a figure.
    fn show_cursor(&self, name: ViewName, at: (f64, f64)) {
        let figure = self.page.figure(name);
        let pans = name == ViewName::Heatmap && self.zooming;
        let cursor = match &self.pointers.gesture {
            Some((_, Gesture::Drag(drag))) if drag.hand().is_none() => Cursor::Crosshair,
            Some((_, Gesture::Drag(_) | Gesture::Pan { .. })) => Cursor::Grabbing,
            Some((_, Gesture::Pinch)) => Cursor::Default,
            None => {
                let scene = figure.scene(
                    &self.model,
                    &self.appearance.theme,
                    &self.appearance.colours,
                );
                match figure.figure.cursor(&scene, at) {
                    Cursor::Crosshair if pans => Cursor::Grab,
                    cursor => cursor,
                }
            }
        };
        pointer::show_cursor(figure.canvas(), cursor);
    }

    fn pinch(&mut self, id: i32, at: (f64, f64)) {
        let [a, b] = match self.pointers.active_pointers[..] {
            [a, b, ..] => [a, b],
            _ => return,
        };
        let (before, _) = gestures::pinch_geometry(a.1, b.1);
        for active in &mut self.pointers.active_pointers {
            if active.0 == id {
                active.1 = at;
            }
        }
        let (after, middle) = gestures::pinch_geometry(
            self.pointers.active_pointers[0].1,
            self.pointers.active_pointers[1].1,
        );
        if let Some(fraction) = self.plot_fraction(ViewName::Heatmap, middle) {
            gestures::zoom(&mut self.state, &self.model, before / after, Some(fraction));
        }
    }

    /// Restores the state from before the press.
    fn revert_drag(&mut self) {
        if let Some(before) = self.pointers.press.cancel() {
            self.state = before;
        }
    }

    pub(super) fn pointercancel(&mut self, event: &Event) {
        if self.pointers.gesture.take().is_some() && self.pointers.active_pointers.len() < 2 {
            self.revert_drag();
            self.redraw(event);
        }
        if let Some(pointer) = event.dyn_ref::<PointerEvent>() {
            self.release(event, pointer, None);
        }
    }

    fn release(
        &mut self,
        event: &Event,
        pointer: &PointerEvent,
        place: Option<(ViewName, (f64, f64))>,
    ) {
        let id = pointer.pointer_id();
        self.pointers
            .active_pointers
            .retain(|active| active.0 != id);
        let dragged_hand = self.is_dragging_hand();
        let gesture = self.pointers.gesture.take();
        if self.transient.tokens_around.take().is_some() {
            self.redraw(event);
        }
        if self.pointers.active_pointers.is_empty() {
            self.pointers.press.end();
        }
        if let Some((name, Gesture::Pan { last, moved })) = gesture
            && moved < 4.0
            && let Some(fraction) = self.plot_fraction(name, last)
        {
            // A tap with the zoom tool zooms in.
            gestures::zoom(&mut self.state, &self.model, 0.5, Some(fraction));
            self.redraw(event);
        }
        if dragged_hand {
            self.show_answer();
            self.settle();
            self.redraw(event);
        }
        if let Some((name, at)) = place {
            self.show_cursor(name, at);
        }
    }

    /// Centres the visible window on the pointer if the event is on a scrollbar; true if it is.
    fn scroll_to(&mut self, event: &Event, pointer: &PointerEvent, is_press: bool) -> bool {
        let Some(track) = element_of(event).and_then(|e| e.closest("[data-scroll]").ok().flatten())
        else {
            return false;
        };
        if is_press {
            let _ = track.set_pointer_capture(pointer.pointer_id());
        } else if pointer.buttons() == 0 {
            return true;
        }
        self.pointers.hovered = None;
        let bounds = track.get_bounding_client_rect();
        let (rows, columns) = (self.state.positions(), self.state.dimensions());
        if track.get_attribute("data-scroll").as_deref() == Some("vertical") {
            let fraction = (f64::from(pointer.client_y()) - bounds.y()) / bounds.height().max(1.0);
            let centre = fraction * self.state.max_len() as f64;
            let moved = rows.moved(
                centre - rows.start() - rows.width() / 2.0,
                self.state.max_len(),
            );
            self.state.set_window(moved, columns);
        } else {
            let fraction = (f64::from(pointer.client_x()) - bounds.x()) / bounds.width().max(1.0);
            let centre = fraction * self.state.d_model() as f64;
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
        let Some(fraction) = self.plot_fraction(name, at) else {
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
            gestures::zoom(&mut state, &self.model, factor, Some(fraction));
        } else {
            gestures::zoom_positions(&mut state, factor, fraction.0);
        }
        state.revert_locked(&self.state);
        let zoomed = state != self.state;
        self.state = state;
        // At the limit of the zoom the wheel scrolls the page, but not within the same wheel gesture.
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
        let tab_key = matches!(key.key().as_str(), "ArrowLeft" | "ArrowRight");
        if tab_key && element.get_attribute("role").as_deref() == Some("tab") {
            self.page.formula.show_other();
            event.prevent_default();
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
            self.pending.announce = true;
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
