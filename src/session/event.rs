//! What happens to a figure, in terms that need no browser.

use super::Change;
use super::groups::NamedValues;
use crate::draw::{DrawContext, Point};
use crate::field::Field;
use crate::figure::PointerAction;

/// An event that may change the state of a figure.
pub enum Event<'a> {
    Input(Input<'a>),
    /// The controls have been removed from the page.
    Unmounted,
    /// A script sets fields by name; `view` changes the figure to another view.
    Set(&'a [(&'a str, &'a str)]),
    /// As `Set`, but one of a quick series of changes, such as those of a drag: it is shown at once.
    Follow(&'a [(&'a str, &'a str)]),
    /// An attribute, named in snake case, has been changed, or removed if there is no text.
    Attribute {
        name: &'a str,
        text: Option<&'a str>,
    },
    /// Back to the values that the attributes and the group give.
    Reset,
    /// Moves the playable field by a number of steps.
    Step(i64),
    /// Starts or stops playback.
    Play(bool),
    /// Advances playback to a time in milliseconds; moves advance in [`super::Session::advance_moves`].
    AdvancePlayback(f64),
    /// The values of the group have changed.
    Sync {
        values: &'a NamedValues,
        change: Change,
    },
    /// Sound is switched off, after a time without a change.
    Mute,
    /// The core has been started again after a failure.
    Restarted,
    /// Whether the browser gives a canvas to draw on.
    Canvas(bool),
    /// The reader closes the notice.
    Dismiss,
}

/// What the reader does.
pub enum Input<'a> {
    /// The control of a field has this text. `finished` is true for a browser's "change" and false for its "input".
    Control {
        field: &'static Field,
        text: &'a str,
        control: ControlType,
        finished: bool,
    },
    /// The focus leaves a control.
    FocusOut,
    /// A pointer at a point of the picture that has been drawn in `context`, in CSS pixels from its top left corner.
    Pointer {
        id: i32,
        at: Point,
        action: PointerAction,
        context: &'a DrawContext<'a>,
    },
    /// The press was not meant for the picture: the browser has taken it over, for scrolling or zooming.
    Cancel { id: i32 },
    /// A touch begins; it follows the [`Input::Pointer`] of its press.
    Touch,
    /// A key, named as in `KeyboardEvent.key`, on the picture. `repeat` is true while it is held down.
    Key {
        key: &'a str,
        shift: bool,
        repeat: bool,
    },
    /// A press of an element of the figure with this action and value.
    Act { action: &'a str, value: &'a str },
    /// Pointer or focus enters an element of the figure with this action and value.
    Over { action: &'a str, value: &'a str },
}

/// How a control is operated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlType {
    /// Text is typed, character by character.
    Typed,
    /// A slider passes through values.
    Slider,
    /// One operation sets the value: a list, a checkbox.
    Chosen,
}

impl ControlType {
    /// How what it sets reaches the screen.
    pub fn change(self) -> Change {
        match self {
            ControlType::Slider => Change::Follow,
            ControlType::Typed | ControlType::Chosen => Change::Move,
        }
    }
}
