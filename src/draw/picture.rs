//! What plotters' own backends and elements do not have: images that are stretched onto their place, where plotters draws
//! pixel for pixel, which makes a million bytes of a heatmap that has eight thousand cells; and many circles or lines at
//! once, over which a canvas takes about as long as over one.

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::DrawingBackend;
use plotters::style::ShapeStyle;
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

/// The result of drawing on a backend.
pub type Drawn<B> = Result<(), DrawingErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A backend for pictures.
pub trait Picture: DrawingBackend {
    /// Stretches an image between two corners, left top and right bottom.
    fn stretch(&mut self, corners: [BackendCoord; 2], image: &Image) -> Drawn<Self>;

    /// Draws circles of one radius that do not overlap.
    fn circles(
        &mut self,
        centres: &[BackendCoord],
        radius: u32,
        style: &ShapeStyle,
    ) -> Drawn<Self> {
        let mut centres = centres.iter();
        centres.try_for_each(|&centre| self.draw_circle(centre, radius, style, style.filled))
    }

    /// Draws lines that do not overlap. `lengths` says how many of the points each of them has.
    fn lines(
        &mut self,
        mut points: &[BackendCoord],
        lengths: &[usize],
        style: &ShapeStyle,
    ) -> Drawn<Self> {
        lengths.iter().try_for_each(|&length| {
            let (line, rest) = points.split_at(length);
            points = rest;
            self.draw_path(line.iter().copied(), style)
        })
    }
}

/// What a backend draws at some points, as an element that plotters draws.
pub struct DrawnAt<F> {
    points: Vec<BackendCoord>,
    draw: F,
}

impl<F> DrawnAt<F> {
    pub fn new<DB: Picture>(points: Vec<BackendCoord>, draw: F) -> DrawnAt<F>
    where
        F: Fn(&mut DB, &[BackendCoord]) -> Drawn<DB>,
    {
        DrawnAt { points, draw }
    }
}

impl<'a, F> PointCollection<'a, BackendCoord> for &'a DrawnAt<F> {
    type Point = &'a BackendCoord;
    type IntoIter = &'a [BackendCoord];

    fn point_iter(self) -> Self::IntoIter {
        &self.points
    }
}

impl<DB: Picture, F: Fn(&mut DB, &[BackendCoord]) -> Drawn<DB>> Drawable<DB> for DrawnAt<F> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        points: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Drawn<DB> {
        let points: Vec<_> = points.collect();
        (self.draw)(backend, &points)
    }
}
