//! Images that a picture shows a part of.

/// An image of three bytes a pixel, of which a part is shown, in crisp pixels however large.
pub struct Image<'a> {
    /// Columns and rows.
    pub size: (u32, u32),
    pub rgb: &'a [u8],
    pub part: Part,
}

/// What is shown of an image, in its pixels; edges need not be whole.
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
