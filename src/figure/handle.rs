//! What of a picture can be pressed and dragged, declared: a region, and for each field that it sets how a point becomes
//! its value. Hit testing, dragging, the cursor and whether a finger drags or scrolls all follow from the declaration.

use super::PointerAction;
use crate::draw::chart::Chart;
use crate::draw::grid::cell_at;
use crate::draw::{Rect, Scale};
use crate::field::Kind;
use crate::field::Values;
use crate::math::Clamp;
use posenc_encoding::within_turn;

/// Half the size of what a fingertip hits, in CSS pixels.
const GRIP: f64 = 22.0;

/// So far beside a plot it can still be pressed, in CSS pixels.
const MARGIN: f64 = 8.0;

/// Whether a point is on the grip that is drawn around another.
pub fn is_grip(grip: (f64, f64), at: (f64, f64)) -> bool {
    distance(grip, at) <= GRIP
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// A pointer on a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// In CSS pixels from the picture's top left corner.
    pub at: (f64, f64),
    pub action: PointerAction,
    /// The handle that was pressed, as an index of [`Figure::handles`](super::Figure::handles): a drag is its own
    /// wherever the pointer goes.
    pub held: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    Rect(Rect),
    Disc { centre: (f64, f64), radius: f64 },
}

impl Region {
    pub fn contains(&self, at: (f64, f64)) -> bool {
        match *self {
            Region::Rect(rect) => rect.contains(at.0, at.1),
            Region::Disc { centre, radius } => distance(centre, at) <= radius,
        }
    }

    /// The nearest point of a rectangle; a disc is only where a drag begins.
    fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        match *self {
            Region::Rect(rect) => {
                // The edges at the right and the bottom are no part of it.
                let (right, bottom) = (rect.right() - 1e-6, rect.bottom() - 1e-6);
                (x.clamped(rect.x, right), y.clamped(rect.y, bottom))
            }
            Region::Disc { .. } => (x, y),
        }
    }
}

/// How a point becomes the value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Mapping {
    /// The value of a scale across the picture.
    X(Scale),
    /// The same, counted from the value of another field.
    XFrom(Scale, &'static str),
    /// The same with the other sign: a distance back.
    MinusX(Scale),
    /// The value of a scale that goes up or down.
    Y(Scale),
    /// The nearest of these values on a scale across the picture.
    Nearest(Scale, Vec<f64>),
    /// From the cell of a grid that fills the region: so many times its row, so many times its column, and a summand.
    Cell { shape: (usize, usize), of: [i64; 3] },
    /// What is listed for the cell of a grid that fills the region, row by row.
    Listed {
        shape: (usize, usize),
        numbers: Vec<Option<i64>>,
    },
    /// The angle about a point, counter-clockwise from `zero` radians, within one turn, over the angle of one step.
    Angle {
        centre: (f64, f64),
        zero: f64,
        step: f64,
    },
    /// One value wherever the region is pressed, as links write it.
    Text(&'static str),
    /// The figure's own: it overrides [`Figure::pointer`](super::Figure::pointer).
    Own,
}

impl Mapping {
    /// The row of a grid of so many rows and columns.
    pub fn row(shape: (usize, usize)) -> Mapping {
        let of = [1, 0, 0];
        Mapping::Cell { shape, of }
    }

    pub fn column(shape: (usize, usize)) -> Mapping {
        let of = [0, 1, 0];
        Mapping::Cell { shape, of }
    }

    /// How many columns the column is to the right of the row: an offset, where rows and columns are positions.
    pub fn offset(shape: (usize, usize)) -> Mapping {
        let of = [-1, 1, 0];
        Mapping::Cell { shape, of }
    }

    /// The same number wherever the region is pressed.
    pub fn number(value: usize) -> Mapping {
        let (shape, of) = ((1, 1), [0, 0, value as i64]);
        Mapping::Cell { shape, of }
    }

    /// The number at a point; a whole field takes the nearest whole one, and every field the nearest legal one.
    pub fn number_at(&self, region: &Region, at: (f64, f64), values: &Values) -> Option<f64> {
        match self {
            Mapping::X(scale) => Some(scale.value(at.0)),
            Mapping::XFrom(scale, other) => Some(values.whole(other) as f64 + scale.value(at.0)),
            Mapping::MinusX(scale) => Some(-scale.value(at.0)),
            Mapping::Y(scale) => Some(scale.value(at.1)),
            Mapping::Nearest(scale, stops) => {
                let apart = |stop: &&f64| (scale.pixel(**stop) - at.0).abs();
                let nearest = |a: &&f64, b: &&f64| apart(a).total_cmp(&apart(b));
                stops.iter().min_by(nearest).copied()
            }
            Mapping::Cell { shape, of } => {
                let Region::Rect(grid) = *region else {
                    return Some(of[2] as f64);
                };
                let (row, column) = cell_at(grid, *shape, region.nearest(at))?;
                Some((of[0] * row as i64 + of[1] * column as i64 + of[2]) as f64)
            }
            Mapping::Listed { shape, numbers } => {
                let Region::Rect(grid) = *region else {
                    return None;
                };
                let (row, column) = cell_at(grid, *shape, region.nearest(at))?;
                Some((*numbers.get(row * shape.1 + column)?)? as f64)
            }
            Mapping::Angle { centre, zero, step } => {
                let angle = (centre.1 - at.1).atan2(at.0 - centre.0) - zero;
                Some(within_turn(angle) / step)
            }
            Mapping::Text(_) | Mapping::Own => None,
        }
    }

    /// Gives the field the value at a point.
    fn set(&self, region: &Region, at: (f64, f64), field: &str, values: &mut Values) {
        if let Mapping::Text(text) = self {
            values.put(field, text);
        }
        let Some(number) = self.number_at(region, at, values) else {
            return;
        };
        let declared = values
            .fields()
            .iter()
            .find(|declared| declared.name == field);
        match (declared.map(|field| &field.kind), self) {
            (Some(Kind::Whole { .. }), _) => values.set_whole(field, number.round() as i64),
            // Beside the scale its end.
            (_, Mapping::X(scale)) => {
                let (low, high) = scale.ends();
                values.put(field, &number.clamped(low, high).to_string());
            }
            _ => {
                values.put(field, &number.to_string());
            }
        }
    }
}

/// How a handle is taken hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Something is selected in it. A finger that moves up or down scrolls the page.
    Area,
    /// It is grabbed and moves across. A finger that moves up or down scrolls the page.
    Across,
    /// It is grabbed and follows the pointer in every direction, a finger, too.
    Free,
}

/// A part of the picture that sets fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    pub region: Region,
    pub hold: Hold,
    /// In the order in which they are set: the limits of one may depend on those before it.
    pub sets: Vec<(&'static str, Mapping)>,
    /// What moves out of the way, by no more than it must, where the limits of the field set last depend on it.
    pub gives_way: Option<&'static str>,
    /// A toggle that is on while it is held.
    pub while_held: Option<&'static str>,
    /// It is set by a pointer that merely passes over it.
    pub hovered: bool,
}

impl Handle {
    fn new(region: Region, hold: Hold) -> Handle {
        Handle {
            region,
            hold,
            sets: Vec::new(),
            gives_way: None,
            while_held: None,
            hovered: false,
        }
    }

    /// What is grabbed at a point, as wide as a fingertip.
    pub fn grip(centre: (f64, f64)) -> Handle {
        let radius = GRIP;
        Handle::new(Region::Disc { centre, radius }, Hold::Free)
    }

    /// A mark that is selected by pressing no further from it than this.
    pub fn mark(centre: (f64, f64), radius: f64) -> Handle {
        Handle::new(Region::Disc { centre, radius }, Hold::Area)
    }

    /// A part of the picture in which something is selected.
    pub fn area(rect: Rect) -> Handle {
        Handle::new(Region::Rect(rect), Hold::Area)
    }

    /// A plot and a little more, where what lies across is selected.
    pub fn along_x(chart: &Chart, field: &'static str) -> Handle {
        Handle::beside(chart.plot).sets(field, Mapping::X(chart.x))
    }

    /// A plot and a little more.
    pub fn beside(plot: Rect) -> Handle {
        Handle::area(plot.inset(-MARGIN))
    }

    /// The cells of a grid, of which each sets a field to its row and another to its column.
    pub fn cells(grid: Rect, shape: (usize, usize), [row, column]: [&'static str; 2]) -> Handle {
        let row = (row, Mapping::row(shape));
        Handle::area(grid)
            .sets(row.0, row.1)
            .sets(column, Mapping::column(shape))
    }

    /// The rows of a table of so many.
    pub fn rows(table: Rect, count: usize, field: &'static str) -> Handle {
        Handle::area(table).sets(field, Mapping::row((count, 1)))
    }

    pub fn columns(table: Rect, count: usize, field: &'static str) -> Handle {
        Handle::area(table).sets(field, Mapping::column((1, count)))
    }

    pub fn sets(mut self, field: &'static str, mapping: Mapping) -> Handle {
        self.sets.push((field, mapping));
        self
    }

    /// Also gives a field one value, as links write it.
    pub fn sets_text(self, field: &'static str, text: &'static str) -> Handle {
        self.sets(field, Mapping::Text(text))
    }

    pub fn giving_way(self, field: &'static str) -> Handle {
        Handle {
            gives_way: Some(field),
            ..self
        }
    }

    pub fn while_held(self, toggle: &'static str) -> Handle {
        Handle {
            while_held: Some(toggle),
            ..self
        }
    }

    /// The same, grabbed and moved as told.
    pub fn held(self, hold: Hold) -> Handle {
        Handle { hold, ..self }
    }

    pub fn hovered(self) -> Handle {
        Handle {
            hovered: true,
            ..self
        }
    }

    fn set_all(&self, at: (f64, f64), values: &mut Values) {
        if let Some(toggle) = self.while_held {
            values.set_on(toggle, true);
        }
        for (field, mapping) in &self.sets {
            mapping.set(&self.region, at, field, values);
        }
        if let (Some(other), Some((field, mapping))) = (self.gives_way, self.sets.last())
            && let Some(wanted) = mapping.number_at(&self.region, at, values)
        {
            let beyond = wanted.round() as i64 - values.whole(field);
            values.set_whole(other, values.whole(other) - beyond);
            mapping.set(&self.region, at, field, values);
        }
    }

    fn sets_the_same(&self, other: &Handle) -> bool {
        let fields = |handle: &Handle| {
            handle
                .sets
                .iter()
                .map(|(field, _)| *field)
                .collect::<Vec<_>>()
        };
        fields(self) == fields(other)
    }
}

/// The handle at a point: the first in the list, or where that is a mark, the nearest of its kind.
pub fn hit(handles: &[Handle], at: (f64, f64)) -> Option<usize> {
    let first = handles
        .iter()
        .position(|handle| handle.region.contains(at))?;
    let mark = |index: usize| match &handles[index] {
        Handle { hold, .. } if *hold != handles[first].hold => None,
        Handle { region, .. } if !region.contains(at) => None,
        Handle {
            region: Region::Disc { centre, .. },
            ..
        } => Some((index, distance(*centre, at))),
        _ => None,
    };
    if mark(first).is_none() {
        return Some(first);
    }
    let marks = (first..handles.len()).filter_map(mark);
    Some(marks.min_by(|a, b| a.1.total_cmp(&b.1))?.0)
}

/// What a pointer does to the values: the handle that was pressed follows it, and from one area a drag goes on to
/// others that set the same fields.
pub fn point(handles: &[Handle], pointer: Pointer, values: &mut Values) {
    let under = || hit(handles, pointer.at).map(|index| &handles[index]);
    if pointer.action == PointerAction::Hover {
        if let Some(handle) = under().filter(|handle| handle.hovered) {
            handle.set_all(pointer.at, values);
        }
        return;
    }
    let Some(held) = pointer.held.and_then(|index| handles.get(index)) else {
        return;
    };
    if pointer.action == PointerAction::Release {
        if let Some(toggle) = held.while_held {
            values.set_on(toggle, false);
        }
        return;
    }
    let is_next = |other: &&Handle| {
        held.hold == Hold::Area && other.hold == Hold::Area && other.sets_the_same(held)
    };
    let next = under().filter(is_next);
    next.unwrap_or(held).set_all(pointer.at, values);
}

/// What a pointer looks like, named as style sheets name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cursor {
    Default,
    /// Something can be selected here.
    Crosshair,
    Grab,
    Grabbing,
}

impl Cursor {
    pub fn name(self) -> &'static str {
        match self {
            Cursor::Default => "default",
            Cursor::Crosshair => "crosshair",
            Cursor::Grab => "grab",
            Cursor::Grabbing => "grabbing",
        }
    }
}
