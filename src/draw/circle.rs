//! Unit circles.

use super::pen::around;
use super::{Point, Vec2};

/// A unit circle with horizontal cosine and vertical sine axis, in CSS pixels. kurbo's circle has its angles clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    pub centre: Point,
    pub radius: f64,
}

impl Circle {
    /// The point at an angle in radians, counter-clockwise from the right, at a fraction of the radius.
    pub fn at(&self, angle: f64, fraction: f64) -> Point {
        around(self.centre, self.radius * fraction, angle)
    }

    pub fn point(&self, sine: f64, cosine: f64) -> Point {
        self.centre + self.radius * Vec2::new(cosine, -sine)
    }
}
