//! Unit circles.

use super::pen::around;

/// A unit circle with horizontal cosine and vertical sine axis, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    pub centre: (f64, f64),
    pub radius: f64,
}

impl Circle {
    /// The point at an angle in radians, counter-clockwise from the right, at a fraction of the radius.
    pub fn at(&self, angle: f64, fraction: f64) -> (f64, f64) {
        around(self.centre, self.radius * fraction, angle)
    }

    pub fn point(&self, sine: f64, cosine: f64) -> (f64, f64) {
        (
            self.centre.0 + self.radius * cosine,
            self.centre.1 - self.radius * sine,
        )
    }
}
