//! Pointer events on the pictures of the bench and of figures: their action and their position.

use crate::draw::Point;
use crate::figure::{Cursor, PointerAction};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, PointerEvent};

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
pub fn place(canvas: &Element, width: f64, (x, y): (i32, i32)) -> Point {
    let bounds = canvas.get_bounding_client_rect();
    let scale = match bounds.width() {
        shown if shown > 0.0 => width / shown,
        _ => 1.0,
    };
    Point::new(
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
