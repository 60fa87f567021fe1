//! The one backend that everything in a browser is drawn through, and pictures apart from the page, which are saved.

use super::canvas::{Canvas, Outcome, Surface, saved_frame};
use super::dom::el;
use super::image_cache::data_address;
use crate::draw::{ColourMap, DrawContext, Image, Picture, Theme};
use crate::export::{Pictured, Svg, paint_on_panel, svg_through};
use plotters::style::ShapeStyle;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend,
};
use std::rc::Rc;
use web_sys::HtmlCanvasElement;

/// A picture as SVG of `width × height` CSS pixels.
pub fn svg(pictured: impl Pictured, theme: &Theme, size: (u32, u32)) -> String {
    left_to_right(&svg_through::<Backend>(pictured, theme, size, data_address))
}

/// Words in an SVG that is part of a page take the direction of the page, unless it has its own.
fn left_to_right(svg: &str) -> String {
    svg.replacen("<svg ", "<svg direction=\"ltr\" ", 1)
}

/// A canvas or a text of SVG. One type, and not a parameter of all that draws, which is most of
/// the program and would be in it twice.
pub enum Backend {
    Canvas(Canvas),
    Svg(Svg),
}

impl From<Svg> for Backend {
    fn from(svg: Svg) -> Backend {
        Backend::Svg(svg)
    }
}

/// Writing SVG has no errors.
macro_rules! either {
    ($backend:expr, $to:ident => $call:expr) => {
        match $backend {
            Backend::Canvas($to) => $call,
            Backend::Svg($to) => {
                let _ = $call;
                Ok(())
            }
        }
    };
}

impl DrawingBackend for Backend {
    type ErrorType = <Canvas as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        match self {
            Backend::Canvas(canvas) => canvas.get_size(),
            Backend::Svg(svg) => svg.get_size(),
        }
    }

    fn ensure_prepared(&mut self) -> Outcome {
        either!(self, to => to.ensure_prepared())
    }

    fn present(&mut self) -> Outcome {
        either!(self, to => to.present())
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Outcome {
        either!(self, to => to.draw_pixel(at, colour))
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Outcome {
        either!(self, it => it.draw_line(from, to, style))
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome {
        either!(self, it => it.draw_rect(from, to, style, fill))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        either!(self, to => to.draw_path(path, style))
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome {
        either!(self, to => to.draw_circle(centre, radius, style, fill))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        either!(self, to => to.fill_polygon(path, style))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Outcome {
        either!(self, to => to.draw_text(text, style, at))
    }
}

impl Picture for Backend {
    fn stretch(&mut self, corners: [BackendCoord; 2], image: &Image) -> Outcome {
        either!(self, to => to.stretch(corners, image))
    }

    fn circles(&mut self, centres: &[BackendCoord], radius: u32, style: &ShapeStyle) -> Outcome {
        either!(self, to => to.circles(centres, radius, style))
    }

    fn lines(&mut self, points: &[BackendCoord], lengths: &[usize], style: &ShapeStyle) -> Outcome {
        either!(self, to => to.lines(points, lengths, style))
    }
}

/// A picture of `width × height` CSS pixels with so many pixels per CSS pixel, in the page's fonts unless a family is
/// given; `None` where the browser refuses.
pub fn on_canvas(
    mut pictured: impl Pictured,
    (theme, colours): (&Theme, &ColourMap),
    (width, height): (u32, u32),
    scale: f64,
    family: Option<Rc<str>>,
) -> Option<HtmlCanvasElement> {
    let context = DrawContext {
        theme,
        colours,
        frame: saved_frame(f64::from(width), f64::from(height), scale),
    };
    let mut surface = Surface::new(el("canvas").cast())?;
    surface.family = family;
    surface.resize(context.frame);
    surface.draw(context.frame, |area| {
        paint_on_panel(&mut pictured, area, &context);
    });
    Some(surface.canvas().clone())
}
