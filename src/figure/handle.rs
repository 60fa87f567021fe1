//! The interactive regions of a picture: where each is, which fields it sets, and how a point becomes their values. Hit
//! testing, dragging, the cursor and whether a finger drags or scrolls all follow from these declarations.

use super::PointerAction;
use super::region::Region;
use crate::draw::chart::Chart;
use crate::draw::grid::cell_at;
use crate::draw::pen::angle;
use crate::draw::{Point, Rect, Scale};
use crate::field::{Choice, Key, Kind, Values};
use crate::math::Clamp;
use plotters::style::RGBColor;
use posenc_encoding::{wrap_to_2pi, wrap_to_pi};

/// Width of the margin around a plot in which the plot can still be pressed, in CSS pixels.
const PLOT_MARGIN: f64 = 8.0;

/// A pointer event on a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// In CSS pixels from the picture's top left corner.
    pub at: Point,
    pub action: PointerAction,
    /// The handle that was pressed, as an index of [`Figure::handles`](super::Figure::handles). It keeps the drag when the
    /// pointer leaves its region.
    pub pressed: Option<usize>,
}

/// Maps a point to the value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Mapping {
    /// The value of a horizontal scale.
    X(Scale),
    /// The value of a horizontal scale plus that of another field.
    XFrom(Scale, &'static str),
    /// The negated value of a horizontal scale, for a distance backwards.
    MinusX(Scale),
    /// The value of a vertical scale.
    Y(Scale),
    /// The nearest of these values on a horizontal scale.
    Nearest(Scale, Vec<f64>),
    /// `per_row · row + per_column · column + plus`, for a cell of a grid that fills the region.
    Cell {
        /// Rows and columns of the grid.
        shape: (usize, usize),
        per_row: i64,
        per_column: i64,
        plus: i64,
    },
    /// The number listed for a cell of a grid that fills the region, row by row; `None` leaves the field unchanged.
    Lookup {
        /// Rows and columns of the grid.
        shape: (usize, usize),
        numbers: Vec<Option<i64>>,
    },
    /// The angle around `centre`, counter-clockwise from `zero` radians, within one turn, divided by the angle of one step.
    Angle { centre: Point, zero: f64, step: f64 },
    /// As `Angle`, plus the number of full turns that brings it nearest to the current value of the field: a drag can
    /// go around more than once, and back.
    Turn { centre: Point, zero: f64, step: f64 },
    /// The same number wherever the region is pressed.
    Constant(i64),
    /// The same value wherever the region is pressed, as written in links.
    Text(&'static str),
    /// The figure computes the value itself: it overrides [`Figure::pointer`](super::Figure::pointer).
    Custom,
}

impl Mapping {
    /// The row of a cell in a grid of this shape.
    pub fn row(shape: (usize, usize)) -> Mapping {
        Mapping::cell(shape, [1, 0, 0])
    }

    /// The column of a cell in a grid of this shape.
    pub fn column(shape: (usize, usize)) -> Mapping {
        Mapping::cell(shape, [0, 1, 0])
    }

    /// Column minus row: the offset, where rows and columns are positions.
    pub fn offset(shape: (usize, usize)) -> Mapping {
        Mapping::cell(shape, [-1, 1, 0])
    }

    /// [`Mapping::Cell`] with the factors of row and column and the summand.
    pub fn cell(shape: (usize, usize), [per_row, per_column, plus]: [i64; 3]) -> Mapping {
        Mapping::Cell {
            shape,
            per_row,
            per_column,
            plus,
        }
    }

    /// The number at a point, neither rounded nor clamped to the field's limits; `None` if the point has none, and for
    /// [`Mapping::Text`] and [`Mapping::Custom`].
    pub fn number_at(
        &self,
        region: &Region,
        at: Point,
        (values, field): (&Values, &str),
    ) -> Option<f64> {
        match self {
            Mapping::X(scale) => Some(scale.value(at.x)),
            Mapping::XFrom(scale, other) => Some(values.whole(other) as f64 + scale.value(at.x)),
            Mapping::MinusX(scale) => Some(-scale.value(at.x)),
            Mapping::Y(scale) => Some(scale.value(at.y)),
            Mapping::Nearest(scale, stops) => {
                let distance = |stop: &&f64| (scale.pixel(**stop) - at.x).abs();
                let nearest = |a: &&f64, b: &&f64| distance(a).total_cmp(&distance(b));
                stops.iter().min_by(nearest).copied()
            }
            Mapping::Cell {
                shape,
                per_row,
                per_column,
                plus,
            } => {
                let Region::Rect(grid) = *region else {
                    return None;
                };
                let (row, column) = cell_at(grid, *shape, region.nearest(at))?;
                Some((per_row * row as i64 + per_column * column as i64 + plus) as f64)
            }
            Mapping::Lookup { shape, numbers } => {
                let Region::Rect(grid) = *region else {
                    return None;
                };
                let (row, column) = cell_at(grid, *shape, region.nearest(at))?;
                Some((*numbers.get(row * shape.1 + column)?)? as f64)
            }
            Mapping::Angle { centre, zero, step } => {
                Some(wrap_to_2pi(angle(*centre, at) - zero) / step)
            }
            Mapping::Turn { centre, zero, step } => {
                // Near the centre the angle is not well defined.
                if centre.distance(at) < 2.0 {
                    return None;
                }
                let angle = angle(*centre, at) - zero;
                let value = values.whole(field) as f64;
                Some(value + wrap_to_pi(angle - value * step) / step)
            }
            Mapping::Constant(number) => Some(*number as f64),
            Mapping::Text(_) | Mapping::Custom => None,
        }
    }
}

/// The effect of a drag that begins on a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DragMode {
    /// Selects what is under the pointer. A vertical swipe scrolls the page.
    Select,
    /// Moves a grabbed object horizontally. A vertical swipe scrolls the page.
    Horizontal,
    /// Moves a grabbed object in all directions, by touch as well.
    Free,
}

/// A field, and the mapping of a point to its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub field: &'static str,
    pub mapping: Mapping,
}

impl Binding {
    /// Sets the field to the value at a point, rounded for a whole number and clamped to the valid values. The field
    /// keeps its value if the point has none.
    fn set(&self, region: &Region, at: Point, values: &mut Values) {
        if let Mapping::Text(text) = self.mapping {
            values.set_any(self.field, text);
        }
        let Some(number) = self.mapping.number_at(region, at, (values, self.field)) else {
            return;
        };
        let declared = values.fields().iter().find(|it| it.name == self.field);
        match (declared.map(|field| &field.kind), &self.mapping) {
            (Some(Kind::Integer { .. }), _) => values.set_whole(self.field, number.round() as i64),
            // Values are clamped to the ends of the scale.
            (_, Mapping::X(scale)) => {
                let (first, last) = scale.domain();
                let inside = number.clamped(first.min(last), first.max(last));
                values.set_any(self.field, &inside.to_string());
            }
            _ => {
                values.set_any(self.field, &number.to_string());
            }
        }
    }
}

/// The visible mark at the point where a handle is grabbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    pub at: Point,
    pub colour: RGBColor,
    /// The maximum radius, for a ring on a small object.
    pub max_radius: f64,
}

/// A region of the picture that sets fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    pub region: Region,
    pub drag: DragMode,
    /// In the order in which they are set: the limits of one may depend on those before it.
    pub bindings: Vec<Binding>,
    /// A field on which the limits of the last binding's field depend. If the pointer goes beyond those limits, this
    /// field is moved just far enough for them to follow.
    pub pushes: Option<&'static str>,
    /// A toggle that is on while the handle is pressed; not for handles with `on_hover`.
    pub while_pressed: Option<&'static str>,
    /// Whether a hovering pointer sets the fields, too.
    pub on_hover: bool,
    /// The ring drawn on the picture, if any: see [`draw_rings`](super::draw_rings).
    pub ring: Option<Ring>,
}

impl Handle {
    pub fn new(region: Region, drag: DragMode) -> Handle {
        Handle {
            region,
            drag,
            bindings: Vec::new(),
            pushes: None,
            while_pressed: None,
            on_hover: false,
            ring: None,
        }
    }

    /// An object that is grabbed at a point, within the radius of a touch target.
    pub fn grip(centre: Point) -> Handle {
        Handle::new(Region::grip(centre), DragMode::Free)
    }

    /// A mark that is selected by pressing within `radius` of its centre.
    pub fn mark(centre: Point, radius: f64) -> Handle {
        Handle::new(Region::Disc { centre, radius }, DragMode::Select)
    }

    /// A part of the picture in which something is selected.
    pub fn area(rect: Rect) -> Handle {
        Handle::new(Region::Rect(rect), DragMode::Select)
    }

    /// A plot with its margin, where the value of the horizontal axis is selected.
    pub fn along_x(chart: &Chart, key: Key<i64>) -> Handle {
        Handle::plot(chart.plot).sets(key, Mapping::X(chart.x))
    }

    /// A plot with its margin.
    pub fn plot(plot: Rect) -> Handle {
        Handle::area(plot.inset(-PLOT_MARGIN))
    }

    /// The cells of a grid; each sets one field to its row and another to its column.
    pub fn cells(grid: Rect, shape: (usize, usize), [row, column]: [Key<i64>; 2]) -> Handle {
        let rows = Handle::area(grid).sets(row, Mapping::row(shape));
        rows.sets(column, Mapping::column(shape))
    }

    /// A table of `count` rows, of which one is selected.
    pub fn rows(table: Rect, count: usize, key: Key<i64>) -> Handle {
        Handle::area(table).sets(key, Mapping::row((count, 1)))
    }

    /// A table of `count` columns, of which one is selected.
    pub fn columns(table: Rect, count: usize, key: Key<i64>) -> Handle {
        Handle::area(table).sets(key, Mapping::column((1, count)))
    }

    /// Also sets a field to the value of the mapping.
    #[inline(always)]
    pub fn sets<T>(self, key: Key<T>, mapping: Mapping) -> Handle {
        self.bound(key.name(), mapping)
    }

    fn bound(mut self, field: &'static str, mapping: Mapping) -> Handle {
        self.bindings.push(Binding { field, mapping });
        self
    }

    /// Also sets a field to one of its choices.
    pub fn sets_choice<C: Choice>(self, key: Key<C>, choice: C) -> Handle {
        self.sets(key, Mapping::Text(choice.name()))
    }

    /// Also switches a toggle.
    pub fn sets_toggle(self, key: Key<bool>, on: bool) -> Handle {
        self.sets(key, Mapping::Text(if on { "on" } else { "off" }))
    }

    /// Also moves a field to make room for the value: see [`Handle::pushes`].
    pub fn pushing(self, key: Key<i64>) -> Handle {
        Handle {
            pushes: Some(key.name()),
            ..self
        }
    }

    /// Also switches a toggle on while it is pressed.
    pub fn while_pressed(self, key: Key<bool>) -> Handle {
        Handle {
            while_pressed: Some(key.name()),
            ..self
        }
    }

    /// Sets the drag mode.
    pub fn dragged(self, drag: DragMode) -> Handle {
        Handle { drag, ..self }
    }

    /// Draws a ring at the point where the handle is grabbed, with at most this radius.
    pub fn ringed(self, at: Point, colour: RGBColor, max_radius: f64) -> Handle {
        let ring = Some(Ring {
            at,
            colour,
            max_radius,
        });
        Handle { ring, ..self }
    }

    /// Sets the fields on hover, too.
    pub fn on_hover(self) -> Handle {
        Handle {
            on_hover: true,
            ..self
        }
    }

    fn set_all(&self, at: Point, values: &mut Values) {
        if let Some(toggle) = self.while_pressed {
            values.set_any(toggle, "on");
        }
        for binding in &self.bindings {
            binding.set(&self.region, at, values);
        }
        if let (Some(other), Some(last)) = (self.pushes, self.bindings.last())
            && let Some(wanted) = last
                .mapping
                .number_at(&self.region, at, (values, last.field))
        {
            let overshoot = wanted.round() as i64 - values.whole(last.field);
            values.set_whole(other, values.whole(other) - overshoot);
            last.set(&self.region, at, values);
        }
    }

    fn sets_the_same_fields(&self, other: &Handle) -> bool {
        let handles = [self, other];
        let [own, others] = handles.map(|handle| handle.bindings.iter().map(|bound| bound.field));
        own.eq(others)
    }

    /// The distance of a point in the disc from its centre; `None` outside, and for rectangles.
    fn distance_in_disc(&self, at: Point) -> Option<f64> {
        match self.region {
            Region::Disc { centre, .. } if self.region.contains(at) => Some(centre.distance(at)),
            _ => None,
        }
    }
}

/// The index of the handle at a point: the first that contains it. If that is a disc and others with the same drag mode
/// also contain the point, the one whose centre is nearest.
pub fn hit_test(handles: &[Handle], at: Point) -> Option<usize> {
    let first = handles
        .iter()
        .position(|handle| handle.region.contains(at))?;
    if handles[first].distance_in_disc(at).is_none() {
        return Some(first);
    }
    let discs = (first..handles.len())
        .filter(|&index| handles[index].drag == handles[first].drag)
        .filter_map(|index| Some((index, handles[index].distance_in_disc(at)?)));
    Some(discs.min_by(|a, b| a.1.total_cmp(&b.1))?.0)
}

/// Applies a pointer event to the values. The pressed handle follows the pointer; if it selects, the drag continues on
/// other selecting handles that set the same fields.
pub fn apply_pointer(handles: &[Handle], pointer: Pointer, values: &mut Values) {
    let under_pointer = || hit_test(handles, pointer.at).map(|index| &handles[index]);
    let pressed = pointer.pressed.and_then(|index| handles.get(index));
    match pointer.action {
        PointerAction::Hover => {
            if let Some(handle) = under_pointer().filter(|handle| handle.on_hover) {
                handle.set_all(pointer.at, values);
            }
        }
        PointerAction::Press | PointerAction::Drag => {
            let Some(pressed) = pressed else {
                return;
            };
            let selects = |handle: &Handle| handle.drag == DragMode::Select;
            let next = under_pointer()
                .filter(|next| selects(pressed) && selects(next))
                .filter(|next| next.sets_the_same_fields(pressed));
            next.unwrap_or(pressed).set_all(pointer.at, values);
        }
        PointerAction::Release => {
            if let Some(toggle) = pressed.and_then(|handle| handle.while_pressed) {
                values.set_any(toggle, "off");
            }
        }
    }
}

/// The shape of the cursor.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::fields;

    #[test]
    fn beyond_a_scale_a_point_sets_the_nearest_end() {
        fields! {
            AT: f64 = Key::real("at", "at", "位置", 0.0, (-9.0, 9.0), 3);
        }
        for domain in [(-1.0, 2.0), (2.0, -1.0)] {
            let scale = Scale::new(domain, (10.0, 40.0));
            let area = Handle::area(Rect::new(0.0, 0.0, 50.0, 9.0)).sets(AT, Mapping::X(scale));
            for (x, number) in [(0.0, domain.0), (25.0, 0.5), (50.0, domain.1)] {
                let mut values = Values::new(FIELDS);
                area.set_all(Point::new(x, 4.0), &mut values);
                assert_eq!(values.get(AT), number, "{domain:?} at {x}");
            }
        }
    }
}
