//! The [`Figure`] trait: a list of [`Field`]s, everything that is computed from their values, a picture, and elements
//! around it. A figure does not depend on where it is shown.

mod control;
mod controls;
mod displacement;
mod handle;
mod opened_file;
mod region;
mod ring;
mod stepper;

pub use control::{Control, ControlPlace, from_slider};
pub use controls::{ControlPolicy, controls, visible_control_names};
pub use displacement::{Displacement, Outline, Remaining};
pub use handle::{
    Binding, Cursor, DragMode, Handle, Mapping, Pointer, Ring, apply_pointer, hit_test,
};
pub use opened_file::{FileState, OpenedFile};
pub use region::Region;
pub use ring::{ActiveHandle, draw_rings};
pub use stepper::stepper;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Field, Key, Values, ViewName};
use crate::math::Clamp;
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use posenc_encoding::Matrix;

/// The action of a pointer at a point of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointerAction {
    /// It moves without a button pressed.
    Hover,
    Press,
    /// It moves while pressed.
    Drag,
    Release,
}

/// Layout of a figure's picture and elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrangement {
    /// The picture, with all other elements below it.
    Stacked,
    /// In a wide figure, the picture takes this fraction of the width, and the elements are beside it.
    Beside(f64),
    /// As `Beside`, with the elements first in document order.
    ControlsFirst(f64),
}

impl Arrangement {
    /// The minimum width of a wide figure, in CSS pixels at a theme scale of 1.
    const WIDE: f64 = 600.0;

    /// The width of the picture in a figure of this width if the elements are beside it; both in CSS pixels.
    pub fn beside(self, width: f64, theme: &Theme) -> Option<f64> {
        match self {
            Arrangement::Beside(part) | Arrangement::ControlsFirst(part)
                if width >= Arrangement::WIDE * theme.scale =>
            {
                Some((width * part).round())
            }
            _ => None,
        }
    }
}

/// A picture as a pointer finds it.
pub struct Picture<'a, Layout> {
    pub context: &'a DrawContext<'a>,
    pub layout: &'a Layout,
    pub handles: &'a [Handle],
}

/// A figure of the lesson, computed from its values.
pub trait Figure: Sized {
    const NAME: ViewName;
    const FIELDS: &'static [Field];
    /// The whole numbers that the left and right keys and the up and down keys change, if any.
    const ARROWS: [Option<Key<i64>>; 2] = [None; 2];
    /// The whole number that plus and minus change, if any.
    const PLUS_AND_MINUS: Option<Key<i64>> = None;
    const ARRANGEMENT: Arrangement = Arrangement::Stacked;

    /// Computes everything that is shown, within a few milliseconds; longer computations are left to [`Figure::work`].
    /// `previous` is the same figure before the change, whose results can be reused.
    fn new(values: &Values, lang: Lang, previous: Option<Self>) -> Self;

    /// The name of what is shown in this state.
    fn title(&self) -> Text {
        Self::NAME.title()
    }

    /// Describes the picture in this state, with its numbers, in a sentence or two.
    fn caption(&self) -> String;

    /// Buttons and related elements: directly below the picture, or before it if the figure's arrangement says so.
    fn actions(&self) -> Option<Node> {
        None
    }

    /// Elements that are rarely needed: under "More", after the controls there.
    fn more(&self) -> Option<Node> {
        None
    }

    /// Elements below the controls.
    fn below(&self) -> Option<Node> {
        None
    }

    /// The picture's height at a width, both in CSS pixels; `None` for a figure without a picture.
    fn height(&self, width: f64, theme: &Theme) -> Option<f64>;

    /// Where everything is in the picture; `()` if there is nothing to share.
    type Layout;

    /// Made for each frame and each event, and lent to all that need it.
    fn layout(&self, context: &DrawContext) -> Self::Layout;

    fn draw(&self, pen: &Pen, context: &DrawContext, layout: &Self::Layout);

    /// The regions of the picture that can be pressed and dragged, in the order of precedence.
    fn handles(&self, _context: &DrawContext, _layout: &Self::Layout) -> Vec<Handle> {
        Vec::new()
    }

    /// Handles a pointer event on the picture. Few figures need more than their handles do.
    fn pointer(&self, picture: &Picture<Self::Layout>, pointer: Pointer, values: &mut Values) {
        apply_pointer(picture.handles, pointer, values);
    }

    /// Handles a key, named as in `KeyboardEvent.key`, pressed on the picture; returns false if it has no effect there.
    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        arrows(Self::ARROWS, key, shift, values)
            || plus_and_minus(Self::PLUS_AND_MINUS, key, values)
    }

    /// Handles a press of an element with `data-do="action"` and this `value`, or pointer or focus
    /// entering one with `data-over`.
    fn act(&self, _action: &str, _value: &str, _values: &mut Values) {}

    /// Does a few milliseconds of the work that takes longer than a frame. Returns false if nothing was left to do;
    /// true after the last slice too, so that its results are written and drawn.
    fn work(&mut self) -> bool {
        false
    }

    /// Sets the progress, 0 … 1, of the animation from the previous state to the current one; returns false if there is
    /// none. Without calls the figure shows its final state.
    fn animate(&mut self, _progress: f64) -> bool {
        false
    }

    /// Duration of the animation, in milliseconds.
    fn animation_duration(&self) -> f64 {
        600.0
    }

    /// What a drag holds between two values; it settles when it is released.
    fn held(&self) -> Displacement {
        Displacement::default()
    }

    /// Replaces what a drag holds.
    fn hold(&self, _held: Displacement) {}

    /// Sets how far what is drawn is from pos, k and pair; false if the figure can be drawn at whole numbers only.
    fn displace(&mut self, _displacement: Displacement) -> bool {
        false
    }

    /// Whether the hover or drag state has changed since the figure was computed, although no value has.
    fn needs_redraw(&self) -> bool {
        false
    }

    /// Whether intermediate results of its work are drawn, such as those of a training run.
    const SHOWS_PROGRESS: bool = false;

    /// Whether it shows the contents of a file that a reader chooses or drops on it. Elements for that have
    /// `data-file`: "forget" closes the file, "tensor" is a list of tensors.
    const ACCEPTS_FILES: bool = false;

    /// Sets the file that the reader has opened, if any. Called after every [`Figure::new`].
    fn set_file(&mut self, _file: Option<&OpenedFile>) {}

    /// The table that the figure has computed, if it is about one.
    fn table(&self) -> Option<ComputedTable> {
        None
    }

    /// The measurements of the figure's work; `None` before there are any.
    fn measurements(&self) -> Option<Measurements> {
        None
    }

    /// Text that the copy button puts on the clipboard.
    fn copied(&self) -> Option<String> {
        None
    }

    /// The sound to play now, if any.
    fn sound(&self) -> Option<Sound> {
        None
    }

    /// The settings with which the bench shows the same.
    fn bench_settings(&self, values: &Values) -> Vec<(&'static str, String)> {
        values.for_bench()
    }

    /// Returns a number that the text of the lesson quotes, by its name and arguments; `None` if this figure does not
    /// compute it.
    #[cfg(test)]
    fn lesson_number(_name: &str, _arguments: &[f64]) -> Option<f64> {
        None
    }
}

/// Passes a pointer event to a figure.
#[cfg(test)]
pub fn pass_pointer(
    figure: &impl Figure,
    context: &DrawContext,
    pointer: Pointer,
    values: &mut Values,
) {
    let layout = &figure.layout(context);
    let handles = &figure.handles(context, layout);
    let picture = Picture {
        context,
        layout,
        handles,
    };
    figure.pointer(&picture, pointer, values);
}

/// A table that a figure has computed, and its parameters as names and values.
#[derive(Clone, Debug)]
pub struct ComputedTable {
    pub table: Matrix<f64>,
    pub parameters: Vec<(&'static str, String)>,
}

/// Measured numbers, a row per case, and the parameters as names and values.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurements {
    pub parameters: Vec<(&'static str, String)>,
    pub columns: Vec<String>,
    /// Each as long as `columns`.
    pub rows: Vec<Vec<f64>>,
}

/// Tones as pairs of frequency in hertz and loudness in 0 … 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    pub tones: Vec<(f64, f64)>,
    /// 0 … 1.
    pub volume: f64,
}

pub fn arrows(arrows: [Option<Key<i64>>; 2], key: &str, shift: bool, values: &mut Values) -> bool {
    change(arrows.map(|field| field.map(Key::name)), key, shift, values)
}

/// 1 for the key plus, on which "=" is without Shift, -1 for the key minus.
pub fn plus_or_minus(key: &str) -> Option<i64> {
    match key {
        "+" | "=" => Some(1),
        "-" | "−" => Some(-1),
        _ => None,
    }
}

pub fn plus_and_minus(field: Option<Key<i64>>, key: &str, values: &mut Values) -> bool {
    let Some((field, by)) = field.zip(plus_or_minus(key)) else {
        return false;
    };
    values.set_to(field, values.get(field).saturating_add(by));
    true
}

fn change(
    [across, down]: [Option<&'static str>; 2],
    key: &str,
    shift: bool,
    values: &mut Values,
) -> bool {
    let step = if shift { 10 } else { 1 };
    let (field, by) = match key {
        "ArrowLeft" => (across, -step),
        "ArrowRight" => (across, step),
        "ArrowUp" => (down, -step),
        "ArrowDown" => (down, step),
        "Home" => (across, i64::MIN),
        "End" => (across, i64::MAX),
        _ => return false,
    };
    let Some(name) = field else {
        return false;
    };
    let (low, high) = values.limits(name);
    let value = values.whole(name).saturating_add(by).clamped(low, high);
    values.set_whole(name, value);
    true
}
