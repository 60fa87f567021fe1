//! Where a fingertip takes hold.

/// Half the size of what a fingertip hits, in CSS pixels.
const GRIP: f64 = 22.0;

/// Whether a point is on the handle that is drawn around another.
pub fn is_grip(handle: (f64, f64), at: (f64, f64)) -> bool {
    (handle.0 - at.0).hypot(handle.1 - at.1) <= GRIP
}
