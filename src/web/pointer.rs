//! Pointers on pictures, those of the bench and of figures alike: what an event does and where, and what a press holds.

use crate::figure::{Cursor, PointerAction};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, PointerEvent};

/// A press on a picture, until the pointer is lifted. `V` is what it may change.
pub struct PointerPress<V> {
    /// As it was when the pointer came down.
    before: Option<V>,
    /// The pointer came down on a handle, so that a finger does not scroll the page.
    prevents_scroll: bool,
}

impl<V> Default for PointerPress<V> {
    fn default() -> PointerPress<V> {
        PointerPress {
            before: None,
            prevents_scroll: false,
        }
    }
}

impl<V> PointerPress<V> {
    /// Begins a press on a canvas, which captures the pointer.
    pub fn begin(&mut self, canvas: &Element, pointer: &PointerEvent, before: V) {
        self.before = Some(before);
        self.join(canvas, pointer);
    }

    /// Another finger comes down.
    pub fn join(&self, canvas: &Element, pointer: &PointerEvent) {
        // Refused for a pointer that is gone already; then there is no drag.
        let _ = canvas.set_pointer_capture(pointer.pointer_id());
    }

    pub fn set_prevents_scroll(&mut self, prevents_scroll: bool) {
        self.prevents_scroll = prevents_scroll;
    }

    pub fn end(&mut self) {
        *self = PointerPress::default();
    }

    /// Cancels a press that was not meant for the picture, such as one that the browser has taken over for scrolling.
    /// Returns the values from before the press, to be restored.
    pub fn cancel(&mut self) -> Option<V> {
        self.prevents_scroll = false;
        self.before.take()
    }

    /// A finger on a handle drags it; elsewhere it scrolls the page, as `touch-action` says.
    pub fn touchstart(&self, event: &Event) {
        if self.prevents_scroll {
            event.prevent_default();
        }
    }
}

/// What an event of a pointer does on a picture; `None` for a press that is not the main button's.
pub fn action(pointer: &PointerEvent) -> Option<PointerAction> {
    match pointer.type_().as_str() {
        "pointerdown" => (pointer.button() == 0).then_some(PointerAction::Press),
        "pointermove" if pointer.buttons() != 0 => Some(PointerAction::Drag),
        "pointerup" => Some(PointerAction::Release),
        _ => Some(PointerAction::Hover),
    }
}

/// Converts viewport coordinates to those of a picture that is drawn `width` CSS pixels wide; the page may show it
/// enlarged, as slides do.
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

/// Shows what can be done at the point under the pointer.
pub fn show_cursor(canvas: &Element, cursor: Cursor) {
    if let Some(canvas) = canvas.dyn_ref::<HtmlElement>()
        && canvas.style().get_property_value("cursor").as_deref() != Ok(cursor.name())
    {
        // A known property takes a known value.
        let _ = canvas.style().set_property("cursor", cursor.name());
    }
}
