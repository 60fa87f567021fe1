//! The shapes of what can be pressed in a picture.

use crate::draw::{Point, Rect};
use crate::math::Clamp;

/// The radius of a touch target, in CSS pixels.
const TOUCH_RADIUS: f64 = 22.0;

/// A part of a picture that can be pressed, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    Rect(Rect),
    Disc { centre: Point, radius: f64 },
}

impl Region {
    /// Around a point at which an object is grabbed, within the radius of a touch target.
    pub fn grip(centre: Point) -> Region {
        let radius = TOUCH_RADIUS;
        Region::Disc { centre, radius }
    }

    pub fn centre(&self) -> Point {
        match *self {
            Region::Rect(rect) => rect.centre(),
            Region::Disc { centre, .. } => centre,
        }
    }

    pub fn contains(&self, at: Point) -> bool {
        match *self {
            Region::Rect(rect) => rect.contains(at),
            Region::Disc { centre, radius } => centre.distance(at) <= radius,
        }
    }

    /// The nearest point inside a rectangle. Discs do not clamp: they only bound where a drag begins.
    pub(super) fn nearest(&self, at: Point) -> Point {
        match *self {
            Region::Rect(rect) => {
                // The right and the bottom edge are exclusive.
                let (right, bottom) = (rect.right() - 1e-6, rect.bottom() - 1e-6);
                Point::new(at.x.clamped(rect.x, right), at.y.clamped(rect.y, bottom))
            }
            Region::Disc { .. } => at,
        }
    }
}
