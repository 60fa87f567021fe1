//! One type for all plotters backends, so that drawing code is not generic, and operations that plotters lacks:
//! stretched images, where plotters would scale a heatmap of eight thousand cells to a million bytes, and many circles
//! or lines in one call, which a canvas draws about as fast as one.

use super::Image;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::DrawingBackend;
use plotters::style::{FontDesc, FontFamily, RGBAColor, ShapeStyle, TextStyle};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind,
};
use std::convert::Infallible;

/// The result of drawing on a backend.
pub type Drawn<B> = Result<(), DrawingErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A plotters backend with the additional operations.
pub trait Backend: DrawingBackend {
    /// Draws an image stretched between two corners, top left and bottom right.
    fn stretch(&mut self, corners: [BackendCoord; 2], image: &Image) -> Drawn<Self>;

    /// The width of a text in backend units; `None` if it can only be estimated.
    fn measure(&mut self, _text: &str, _style: &TextStyle) -> Option<f64> {
        None
    }

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

    /// Draws lines that do not overlap. `lengths` contains the number of points of each line.
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

/// The shapes that a backend can draw.
enum Shape<'a> {
    Pixel(BackendCoord, BackendColor),
    Line([BackendCoord; 2], ShapeStyle),
    Rectangle([BackendCoord; 2], ShapeStyle),
    Path(Vec<BackendCoord>, ShapeStyle),
    Polygon(Vec<BackendCoord>, ShapeStyle),
    Circles(&'a [BackendCoord], u32, ShapeStyle),
    Lines(&'a [BackendCoord], &'a [usize], ShapeStyle),
    Text(&'a str, TextStyle<'a>, BackendCoord),
    Image([BackendCoord; 2], &'a Image<'a>),
}

/// An object-safe version of [`Backend`], without generic methods.
trait DrawShape {
    fn size(&self) -> (u32, u32);
    /// Returns false if the backend reports an error.
    fn draw_shape(&mut self, shape: Shape) -> bool;
    fn measure(&mut self, text: &str, style: &TextStyle) -> Option<f64>;
}

impl<B: Backend> DrawShape for B {
    fn size(&self) -> (u32, u32) {
        self.get_size()
    }

    fn draw_shape(&mut self, shape: Shape) -> bool {
        let drawn = match shape {
            Shape::Pixel(at, colour) => self.draw_pixel(at, colour),
            Shape::Line([from, to], style) => self.draw_line(from, to, &style),
            Shape::Rectangle([from, to], style) => self.draw_rect(from, to, &style, style.filled),
            Shape::Path(points, style) => self.draw_path(points, &style),
            Shape::Polygon(points, style) => self.fill_polygon(points, &style),
            Shape::Circles(centres, radius, style) => self.circles(centres, radius, &style),
            Shape::Lines(points, lengths, style) => self.lines(points, lengths, &style),
            Shape::Text(text, style, at) => self.draw_text(text, &style, at),
            Shape::Image(corners, image) => self.stretch(corners, image),
        };
        drawn.is_ok()
    }

    fn measure(&mut self, text: &str, style: &TextStyle) -> Option<f64> {
        Backend::measure(self, text, style)
    }
}

/// A type-erased backend. A page cannot react to a backend that fails, so errors are only checked in debug builds.
pub struct AnyBackend(Box<dyn DrawShape>);

type Infallibly = Result<(), DrawingErrorKind<Infallible>>;

impl AnyBackend {
    pub fn new(backend: impl Backend + 'static) -> AnyBackend {
        AnyBackend(Box::new(backend))
    }

    fn draw_shape(&mut self, shape: Shape) -> Infallibly {
        let is_drawn = self.0.draw_shape(shape);
        debug_assert!(is_drawn, "the backend refused");
        Ok(())
    }
}

fn shape_style(style: &impl BackendStyle, filled: bool) -> ShapeStyle {
    let BackendColor {
        rgb: (red, green, blue),
        alpha,
    } = style.color();
    ShapeStyle {
        color: RGBAColor(red, green, blue, alpha),
        filled,
        stroke_width: style.stroke_width(),
    }
}

impl DrawingBackend for AnyBackend {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.0.size()
    }

    fn ensure_prepared(&mut self) -> Infallibly {
        Ok(())
    }

    fn present(&mut self) -> Infallibly {
        Ok(())
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Infallibly {
        self.draw_shape(Shape::Pixel(at, colour))
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Infallibly {
        self.draw_shape(Shape::Line([from, to], shape_style(style, false)))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Infallibly {
        self.draw_shape(Shape::Rectangle([from, to], shape_style(style, fill)))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Infallibly {
        let points = path.into_iter().collect();
        self.draw_shape(Shape::Path(points, shape_style(style, false)))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Infallibly {
        let style = shape_style(style, fill);
        self.draw_shape(Shape::Circles(&[centre], radius, style))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Infallibly {
        let points = path.into_iter().collect();
        self.draw_shape(Shape::Polygon(points, shape_style(style, true)))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Infallibly {
        let family = style.family();
        let font = FontDesc::new(
            // `FontFamily::Name`, not `FontFamily::from`, which lowers the case and would link Unicode's case tables.
            FontFamily::Name(family.as_str()),
            style.size(),
            style.style(),
        );
        let style = TextStyle {
            font: font.transform(style.transform()),
            color: style.color(),
            pos: style.anchor(),
        };
        self.draw_shape(Shape::Text(text, style, at))
    }
}

/// A plotters element that passes its points to a function that draws on the backend.
pub(super) struct DrawnAt<F> {
    points: Vec<BackendCoord>,
    draw: F,
}

impl<'a, F> PointCollection<'a, BackendCoord> for &'a DrawnAt<F> {
    type Point = &'a BackendCoord;
    type IntoIter = &'a [BackendCoord];

    fn point_iter(self) -> Self::IntoIter {
        &self.points
    }
}

impl<F: Fn(&mut AnyBackend, &[BackendCoord])> DrawnAt<F> {
    fn new(points: Vec<BackendCoord>, draw: F) -> DrawnAt<F> {
        DrawnAt { points, draw }
    }
}

impl<F: Fn(&mut AnyBackend, &[BackendCoord])> Drawable<AnyBackend> for DrawnAt<F> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        points: I,
        backend: &mut AnyBackend,
        _: (u32, u32),
    ) -> Infallibly {
        let points: Vec<_> = points.collect();
        (self.draw)(backend, &points);
        Ok(())
    }
}

/// Circles of one radius that do not overlap, as one element.
pub(super) fn circles(
    centres: Vec<BackendCoord>,
    radius: u32,
    style: ShapeStyle,
) -> DrawnAt<impl Fn(&mut AnyBackend, &[BackendCoord])> {
    DrawnAt::new(centres, move |backend, centres| {
        let _ = backend.draw_shape(Shape::Circles(centres, radius, style));
    })
}

/// Lines that do not overlap, as one element; `lengths` contains the number of points of each line.
pub(super) fn lines(
    points: Vec<BackendCoord>,
    lengths: &[usize],
    style: ShapeStyle,
) -> DrawnAt<impl Fn(&mut AnyBackend, &[BackendCoord])> {
    DrawnAt::new(points, move |backend, points| {
        let _ = backend.draw_shape(Shape::Lines(points, lengths, style));
    })
}

/// An image stretched between two corners, top left and bottom right, as an element.
pub(super) fn stretched(
    corners: [BackendCoord; 2],
    image: &Image,
) -> DrawnAt<impl Fn(&mut AnyBackend, &[BackendCoord])> {
    DrawnAt::new(corners.to_vec(), move |backend, corners| {
        if let [from, to] = corners {
            let _ = backend.draw_shape(Shape::Image([*from, *to], image));
        }
    })
}

/// An element that draws nothing and passes the width of a text, in backend units, to a function.
pub(super) fn measured(
    text: &str,
    style: TextStyle,
    pass: impl Fn(Option<f64>),
) -> DrawnAt<impl Fn(&mut AnyBackend, &[BackendCoord])> {
    DrawnAt::new(Vec::new(), move |backend, _| {
        pass(backend.0.measure(text, &style));
    })
}
