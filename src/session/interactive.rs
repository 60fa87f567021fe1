//! What a session asks of the picture that shows its values.

use crate::draw::{DrawContext, Point};
use crate::field::Values;
use crate::figure::{Cursor, Displacement, PointerAction};
use crate::figures::AnyFigure;

pub trait Interactive {
    /// Handles a pointer event at a point in CSS pixels from the picture's top left corner, and returns the cursor
    /// there.
    fn pointer(
        &self,
        context: &DrawContext,
        at: Point,
        action: PointerAction,
        values: &mut Values,
    ) -> Cursor;

    /// Whether a touch that begins here drags a handle in every direction instead of scrolling the page.
    fn drags_freely(&self, context: &DrawContext, at: Point) -> bool;

    /// Handles a key; false if it has no effect.
    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool;

    /// Handles an action of an element beside the picture.
    fn act(&self, action: &str, value: &str, values: &mut Values);

    /// What a drag holds between two values.
    fn held(&self) -> Displacement;

    /// Takes out of a drag what it moves of fields that are `locked`.
    fn hold_locked(&self, context: &DrawContext, locked: &dyn Fn(&str) -> bool);

    /// Whether the hover or drag state has changed since the picture was drawn, although no value has.
    fn needs_redraw(&self) -> bool;
}

impl Interactive for AnyFigure {
    fn pointer(
        &self,
        context: &DrawContext,
        at: Point,
        action: PointerAction,
        values: &mut Values,
    ) -> Cursor {
        AnyFigure::pointer(self, context, at, action, values)
    }

    fn drags_freely(&self, context: &DrawContext, at: Point) -> bool {
        AnyFigure::drags_freely(self, context, at)
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        AnyFigure::key(self, key, shift, values)
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        AnyFigure::act(self, action, value, values);
    }

    fn held(&self) -> Displacement {
        AnyFigure::held(self)
    }

    fn hold_locked(&self, context: &DrawContext, locked: &dyn Fn(&str) -> bool) {
        AnyFigure::hold_locked(self, context, locked);
    }

    fn needs_redraw(&self) -> bool {
        AnyFigure::needs_redraw(self)
    }
}
