//! The shapes of what can be pressed in a picture.

use crate::draw::Rect;
use crate::math::Clamp;

/// The radius of a touch target, in CSS pixels.
const TOUCH_RADIUS: f64 = 22.0;

pub(super) fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// A part of a picture that can be pressed, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    Rect(Rect),
    Disc { centre: (f64, f64), radius: f64 },
}

impl Region {
    /// Around a point at which an object is grabbed, within the radius of a touch target.
    pub fn grip(centre: (f64, f64)) -> Region {
        let radius = TOUCH_RADIUS;
        Region::Disc { centre, radius }
    }

    pub fn centre(&self) -> (f64, f64) {
        match *self {
            Region::Rect(rect) => rect.centre(),
            Region::Disc { centre, .. } => centre,
        }
    }

    pub fn contains(&self, at: (f64, f64)) -> bool {
        match *self {
            Region::Rect(rect) => rect.contains(at.0, at.1),
            Region::Disc { centre, radius } => distance(centre, at) <= radius,
        }
    }

    /// The nearest point inside a rectangle. Discs do not clamp: they only bound where a drag begins.
    pub(super) fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        match *self {
            Region::Rect(rect) => {
                // The right and the bottom edge are exclusive.
                let (right, bottom) = (rect.right() - 1e-6, rect.bottom() - 1e-6);
                (x.clamped(rect.x, right), y.clamped(rect.y, bottom))
            }
            Region::Disc { .. } => (x, y),
        }
    }
}
