//! The rings by which objects in a picture are dragged. They grow under the pointer. A dragged ring follows the
//! pointer, and an outline shows the value that it has reached.

use super::handle::{Handle, Mapping, Ring};
use crate::draw::pen::{angle, around};
use crate::draw::{Pen, Point, Theme};
use crate::math::Clamp;

/// The radius of a ring, of a ring under the pointer, and of the tint around the latter, in label sizes.
const RADIUS: f64 = 0.55;
const GROWN: f64 = 0.7;
const TINT: f64 = 1.2;

/// The effect of a pointer on the rings of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActiveHandle {
    /// The index of the handle under the pointer, or of the pressed one.
    pub handle: Option<usize>,
    /// The position of the pointer while it drags that handle.
    pub dragged: Option<Point>,
}

impl ActiveHandle {
    /// The same if the handle has a ring, otherwise none: only rings show hovering and dragging.
    pub fn of_rings(self, handles: &[Handle]) -> ActiveHandle {
        let has_ring = |index: &usize| {
            handles
                .get(*index)
                .is_some_and(|handle| handle.ring.is_some())
        };
        if self.handle.is_some_and(|index| has_ring(&index)) {
            self
        } else {
            ActiveHandle::default()
        }
    }

    /// The same without a drag of a field that is `locked`.
    pub fn without(self, handles: &[Handle], locked: &dyn Fn(&str) -> bool) -> ActiveHandle {
        let handle = self.handle.and_then(|index| handles.get(index));
        let bound = handle.and_then(|handle| handle.bindings.first());
        let dragged = self.dragged;
        ActiveHandle {
            dragged: dragged.filter(|_| !bound.is_some_and(|bound| locked(bound.field))),
            ..self
        }
    }
}

/// The point on a handle's path that is nearest to the pointer.
fn under(handle: &Handle, ring: Ring, pointer: Point) -> Point {
    let mapping = handle.bindings.first().map(|binding| &binding.mapping);
    match mapping {
        Some(Mapping::X(scale)) => {
            let (low, high) = scale.domain();
            let (a, b) = (scale.pixel(low), scale.pixel(high));
            Point::new(pointer.x.clamped(a.min(b), a.max(b)), ring.at.y)
        }
        Some(Mapping::Angle { centre, .. } | Mapping::Turn { centre, .. }) => {
            let radius = centre.distance(ring.at);
            around(*centre, radius, angle(*centre, pointer))
        }
        _ => ring.at,
    }
}

/// Draws the rings of a picture on top of it.
pub fn draw_rings(pen: &Pen, theme: &Theme, handles: &[Handle], active: ActiveHandle) {
    let size = theme.label_size();
    // The ring under the pointer is drawn on top.
    let touched = |index: &usize| active.handle == Some(*index);
    let (above, below): (Vec<usize>, Vec<usize>) = (0..handles.len()).partition(touched);
    for index in below.into_iter().rev().chain(above) {
        let handle = &handles[index];
        let Some(ring) = handle.ring else { continue };
        let is_touched = touched(&index);
        let dragged = active.dragged.filter(|_| is_touched);
        let at = dragged.map_or(ring.at, |pointer| under(handle, ring, pointer));
        let usual = (RADIUS * size).min(ring.max_radius);
        let radius = if is_touched {
            GROWN / RADIUS * usual
        } else {
            usual
        };
        if is_touched {
            pen.faint_disc(at, TINT * size, ring.colour, 0.14);
        }
        if dragged.is_some() {
            pen.ring(ring.at, usual, ring.colour, theme.hairline());
        }
        let width = theme.stroke().min(0.45 * usual);
        pen.disc(at, radius, theme.panel);
        pen.ring(at, radius - 0.5 * width, ring.colour, width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Scale;
    use crate::field::ThemeName;
    use crate::field::settings::POS;
    use plotters::style::RGBColor;

    fn colour() -> RGBColor {
        Theme::named(ThemeName::Light).there
    }

    #[test]
    fn what_is_dragged_stays_on_its_way() {
        let scale = Scale::new((0.0, 10.0), (100.0, 200.0));
        let along = Handle::grip(Point::new(150.0, 40.0)).sets(POS, Mapping::X(scale));
        let ring = Ring {
            at: Point::new(150.0, 40.0),
            colour: colour(),
            max_radius: 9.0,
        };
        for (x, reached) in [(163.0, 163.0), (263.0, 200.0)] {
            let at = under(&along, ring, Point::new(x, 90.0));
            assert_eq!(at, Point::new(reached, 40.0));
        }
        let centre = Point::new(50.0, 50.0);
        let turned = Mapping::Turn {
            centre,
            zero: 0.0,
            step: 0.5,
        };
        let about = Handle::grip(Point::new(60.0, 50.0)).sets(POS, turned);
        let ring = Ring {
            at: Point::new(60.0, 50.0),
            colour: colour(),
            max_radius: 9.0,
        };
        let at = under(&about, ring, Point::new(50.0, 7.0));
        assert!(at.distance(Point::new(50.0, 40.0)) < 1e-9);
    }

    #[test]
    fn only_what_has_a_ring_is_shown_to_be_touched() {
        let plain = Handle::grip(Point::ZERO);
        let handles = [
            plain.clone(),
            plain.ringed(Point::ZERO, colour(), f64::INFINITY),
        ];
        let active = |handle| ActiveHandle {
            handle: Some(handle),
            dragged: Some(Point::new(3.0, 4.0)),
        };
        assert_eq!(active(0).of_rings(&handles), ActiveHandle::default());
        assert_eq!(active(1).of_rings(&handles), active(1));
        assert_eq!(active(2).of_rings(&handles), ActiveHandle::default());
    }
}
