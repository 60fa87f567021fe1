//! Images that are stretched onto their place. plotters' own are drawn pixel for pixel, which makes
//! a million bytes of a heatmap that has eight thousand cells.

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::DrawingBackend;
use plotters_backend::{BackendCoord, DrawingErrorKind};

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

/// A backend that can stretch an image between two corners, left top and right bottom.
pub trait Picture: DrawingBackend {
    fn stretch(
        &mut self,
        corners: [BackendCoord; 2],
        image: &Image,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>>;
}

/// An image between two corners, as an element that plotters draws.
pub struct Stretched<'a> {
    pub corners: [BackendCoord; 2],
    pub image: Image<'a>,
}

impl<'a> PointCollection<'a, BackendCoord> for &'a Stretched<'_> {
    type Point = &'a BackendCoord;
    type IntoIter = &'a [BackendCoord; 2];

    fn point_iter(self) -> Self::IntoIter {
        &self.corners
    }
}

impl<DB: Picture> Drawable<DB> for Stretched<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut points: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        match (points.next(), points.next()) {
            (Some(a), Some(b)) => backend.stretch([a, b], &self.image),
            _ => Ok(()),
        }
    }
}
