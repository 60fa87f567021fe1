//! What happens to the bench, in terms that need no browser.

use crate::draw::Point;
use crate::field::{Field, State, ViewName};
use crate::figure::PointerAction;
use crate::figures::bench::{BenchFigure, Model, Scene};
use crate::session::{Change, ControlType};

/// A view as it is on the screen, lent for hit tests.
pub trait Picture {
    fn figure(&self) -> &BenchFigure;

    fn scene<'a>(&'a self, model: &'a Model) -> Scene<'a>;
}

/// A point of a picture, in CSS pixels from its top left corner.
pub struct PicturePoint<'a> {
    pub picture: &'a dyn Picture,
    pub at: Point,
}

/// An event that may change the state of the bench. Locked settings stay as they are, except when a script sets them.
pub enum Event<'a> {
    /// A pointer, with the id of `PointerEvent.pointerId`; without a point if it is over no picture.
    Pointer {
        action: PointerAction,
        id: i32,
        point: Option<PicturePoint<'a>>,
    },
    /// The browser has taken over a press, for scrolling.
    Cancel {
        id: i32,
    },
    /// The pointer leaves the bench.
    Leave,
    /// The wheel has turned by this length at a time in milliseconds.
    Wheel {
        point: PicturePoint<'a>,
        pixels: f64,
        time: f64,
    },
    /// A key, named as in `KeyboardEvent.key`, on a picture. `repeat` is true while it is held down.
    Key {
        view: ViewName,
        key: &'a str,
        shift: bool,
        repeat: bool,
    },
    /// A key on a scrollbar of the heatmap.
    ScrollKey {
        vertical: bool,
        key: &'a str,
    },
    /// A scrollbar is pressed or dragged at this fraction of its length.
    Scroll {
        vertical: bool,
        fraction: f64,
    },
    /// The control of a setting has this text. `finished` is true for a browser's "change" and false for its "input".
    Control {
        field: &'static Field,
        text: &'a str,
        control: ControlType,
        finished: bool,
    },
    /// Starts or stops playback.
    Play(bool),
    /// Moves pos by a number of positions, as far as there are any.
    Shift(i64),
    /// Moves pos by a number of positions, from the last on to the first.
    Step(i64),
    /// Moves pos to pos + k, as M_k does.
    ApplyShift,
    /// Selects the zoom tool, or else the tool that selects.
    Tool {
        zooms: bool,
    },
    /// Scales the visible part of the heatmap about the selection.
    Zoom(f64),
    ShowEverything,
    /// Adds the pair with this number to the compared ones, or removes one.
    Compare(&'a str),
    CompareLess(usize),
    /// Back to a state, except for the settings of the page; a script resets what is locked as well.
    Reset {
        to: &'a State,
        by_script: bool,
    },
    /// A press of a button of the first steps.
    NextStep,
    ShowAnswer,
    Jump,
    EndTour,
    /// Settings are set from outside by name: by a script, which may change what is locked, or else for the reader.
    Set {
        pairs: &'a [(&'a str, String)],
        change: Change,
        by_script: bool,
    },
}

impl Event<'_> {
    /// Whether playback stops first.
    pub(super) fn stops_playback(&self) -> bool {
        matches!(
            self,
            Event::Play(false)
                | Event::Shift(_)
                | Event::Step(_)
                | Event::ApplyShift
                | Event::Reset { .. }
                | Event::Set { .. }
        )
    }
}
