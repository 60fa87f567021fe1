//! What is to be done on the page after an event.

use super::Change;
use crate::field::Diagnostic;
use crate::figure::Cursor;

/// The effects of an event. By the time they are returned the session is in its new state, so that whatever they cause
/// may send it the next event.
#[derive(Debug, Default, PartialEq)]
pub struct Effects {
    /// The view or the values have changed.
    pub changed: Option<Change>,
    /// The view has changed: everything that shows the previous one is to be removed.
    pub view_changed: bool,
    /// Problems that are new.
    pub errors: Vec<Diagnostic>,
    /// The fields that have been set, even to the values that they had.
    pub fields_set: Vec<&'static str>,
    /// Settings of the page around the pictures have been set: its language, its theme, what is hidden.
    pub affects_page: bool,
    /// The figure is to be computed and drawn again.
    pub redraw: bool,
    /// Controls may show an entered text that differs from the value in use.
    pub restores_controls: bool,
    /// The new content is to be announced to users of screen readers.
    pub announces: bool,
    /// The browser must not handle the event itself.
    pub prevents_default: bool,
    /// The cursor at the pointer.
    pub cursor: Option<Cursor>,
}
