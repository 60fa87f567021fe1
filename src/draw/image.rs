//! Images of which a part is drawn.

/// An RGB image with three bytes per pixel, of which a part is drawn: magnified without smoothing, reduced with it.
pub struct Image<'a> {
    /// Columns and rows.
    pub size: (u32, u32),
    pub rgb: &'a [u8],
    pub part: Part,
}

/// The part of an image that is drawn, in pixels of the image; edges may be fractional.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Part {
    pub fn whole((width, height): (u32, u32)) -> Part {
        Part {
            left: 0.0,
            top: 0.0,
            width: f64::from(width),
            height: f64::from(height),
        }
    }
}
