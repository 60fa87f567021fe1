//! Pointer events on the pictures of the bench and of figures: their action, their position, and a press.

use crate::figure::{Cursor, PointerAction};
use crate::session::Press;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, PointerEvent};

/// A press on a picture of the bench, until the pointer is released. `V` is the type of the values that it may change.
pub struct PointerPress<V>(Press<V>);

impl<V> Default for PointerPress<V> {
    fn default() -> PointerPress<V> {
        PointerPress(Press::default())
    }
}

impl<V> PointerPress<V> {
    /// Starts a press on a canvas and captures the pointer.
    pub fn begin(&mut self, canvas: &Element, pointer: &PointerEvent, before: V) {
        self.0.begin(before);
        capture(canvas, pointer);
    }

    /// Captures the pointer of a further touch.
    pub fn join(&self, canvas: &Element, pointer: &PointerEvent) {
        capture(canvas, pointer);
    }

    pub fn set_prevents_scroll(&mut self, prevents_scroll: bool) {
        self.0.set_prevents_scroll(prevents_scroll);
    }

    pub fn end(&mut self) {
        self.0.end();
    }

    /// Cancels the press, and returns the values from before it, if it is not over.
    pub fn cancel(&mut self) -> Option<V> {
        self.0.cancel()
    }

    /// Prevents scrolling if the touch drags a handle.
    pub fn touchstart(&self, event: &Event) {
        if self.0.prevents_scroll() {
            event.prevent_default();
        }
    }
}

/// Makes a canvas receive the events of a pressed pointer, wherever it moves.
pub fn capture(canvas: &Element, pointer: &PointerEvent) {
    // Fails for a pointer that is no longer active, which cannot drag.
    let _ = canvas.set_pointer_capture(pointer.pointer_id());
}

/// The action of a pointer event on a picture; `None` if another button than the main one is pressed.
pub fn action(pointer: &PointerEvent) -> Option<PointerAction> {
    match pointer.type_().as_str() {
        "pointerdown" => (pointer.button() == 0).then_some(PointerAction::Press),
        "pointermove" if pointer.buttons() != 0 => Some(PointerAction::Drag),
        "pointerup" => Some(PointerAction::Release),
        _ => Some(PointerAction::Hover),
    }
}

/// Converts viewport coordinates to those of a picture that is drawn `width` CSS pixels wide; the page may enlarge it
/// with a CSS transform, as slides do.
pub fn place(canvas: &Element, width: f64, (x, y): (i32, i32)) -> (f64, f64) {
    let bounds = canvas.get_bounding_client_rect();
    let scale = match bounds.width() {
        shown if shown > 0.0 => width / shown,
        _ => 1.0,
    };
    (
        (f64::from(x) - bounds.x()) * scale,
        (f64::from(y) - bounds.y()) * scale,
    )
}

/// Sets the cursor of a canvas, if it differs.
pub fn show_cursor(canvas: &Element, cursor: Cursor) {
    if let Some(canvas) = canvas.dyn_ref::<HtmlElement>()
        && canvas.style().get_property_value("cursor").as_deref() != Ok(cursor.name())
    {
        // Does not fail for a valid property and value.
        let _ = canvas.style().set_property("cursor", cursor.name());
    }
}
