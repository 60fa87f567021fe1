//! Pointer events on the pictures of the bench and of figures: their action, their position, and the state of a press.

use crate::figure::{Cursor, PointerAction};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, PointerEvent};

/// A press on a picture, until the pointer is released. `V` is the type of the values that it may change.
pub struct PointerPress<V> {
    /// The values before the press.
    before: Option<V>,
    /// The pointer was pressed on a handle, so the touch must not scroll the page.
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
    /// Starts a press on a canvas and captures the pointer.
    pub fn begin(&mut self, canvas: &Element, pointer: &PointerEvent, before: V) {
        self.before = Some(before);
        self.join(canvas, pointer);
    }

    /// Captures the pointer of a further touch.
    pub fn join(&self, canvas: &Element, pointer: &PointerEvent) {
        // Fails for a pointer that is no longer active, which cannot drag.
        let _ = canvas.set_pointer_capture(pointer.pointer_id());
    }

    pub fn set_prevents_scroll(&mut self, prevents_scroll: bool) {
        self.prevents_scroll = prevents_scroll;
    }

    pub fn end(&mut self) {
        *self = PointerPress::default();
    }

    /// Cancels a press that was not meant for the picture, such as one that the browser has taken over for scrolling.
    /// Returns the values from before the press, if it is not over, for restoring them.
    pub fn cancel(&mut self) -> Option<V> {
        self.prevents_scroll = false;
        self.before.take()
    }

    /// Prevents scrolling if the touch drags a handle; elsewhere it scrolls the page, as `touch-action` permits.
    pub fn touchstart(&self, event: &Event) {
        if self.prevents_scroll {
            event.prevent_default();
        }
    }
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
