//! The one backend that everything in a browser is drawn through, and figures' pictures apart from the page: what is
//! saved and copied.

use super::bench::FigureElement;
use super::canvas::{Canvas, Outcome, Surface, data_address, saved_frame};
use super::dom::el;
use super::figure::{FigureController, PageContext};
use crate::draw::{ColourMap, DrawContext, Image, Picture, Theme};
use crate::export::{Svg, bench_through, figure_through};
use crate::field::ThemeName;
use crate::figures::AnyFigure;
use crate::figures::bench::model::Model;
use crate::figures::bench::view::{BenchFigure, Scene};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend,
};
use web_sys::HtmlCanvasElement;

/// A figure of the bench as SVG of `width × height` CSS pixels. The figure should be a fresh one:
/// one of the page keeps what it has drawn, in the page's size.
pub fn svg_of_bench(
    figure: &mut BenchFigure,
    model: &Model,
    theme: ThemeName,
    size: (u32, u32),
) -> String {
    let theme = Theme::named(theme);
    left_to_right(&bench_through::<Backend>(
        figure,
        model,
        theme,
        size,
        data_address,
    ))
}

/// A figure of the lesson as SVG, `width` CSS pixels wide; `None` for one without a picture.
pub fn svg_of_figure(figure: &AnyFigure, theme: &Theme, width: u32) -> Option<String> {
    let theme = Theme::made(theme.name, 1.0, Some(theme.accent));
    let svg = figure_through::<Backend>(figure, &theme, width, data_address)?;
    Some(left_to_right(&svg))
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
}

/// A figure's picture with so many pixels per CSS pixel, on the panel's colour; `None` for one without a picture, and
/// where the browser refuses.
pub fn on_canvas(
    figure: &AnyFigure,
    page: PageContext,
    controller: &FigureController,
    scale: f64,
) -> Option<HtmlCanvasElement> {
    // Whole pixels, as the SVG has them.
    let width = controller.picture_width(&page.theme).floor();
    let height = figure.height(width, &page.theme)?.round();
    let context = DrawContext {
        theme: &page.theme,
        colours: page.colours,
        frame: saved_frame(width, height, scale),
    };
    let mut surface = Surface::new(el("canvas").cast())?;
    surface.family = controller.appearance.family.clone();
    surface.resize(context.frame);
    surface.draw(context.frame, |area| {
        let _ = area.fill(&context.theme.panel);
        let _ = figure.draw(area, &context);
    });
    Some(surface.canvas().clone())
}

/// The same for a figure of the bench, in the size that it has on the page; `None` while it has none.
pub fn of_figure(
    figure: &mut FigureElement,
    model: &Model,
    theme: &Theme,
    colours: &ColourMap,
    scale: f64,
) -> Option<HtmlCanvasElement> {
    let shown = figure.scene(model, theme, colours).frame;
    if shown.width < 1.0 || shown.height < 1.0 {
        return None;
    }
    let scene = Scene {
        model,
        theme,
        colours,
        frame: saved_frame(shown.width, shown.height, scale),
    };
    let surface = Surface::new(el("canvas").cast())?;
    surface.resize(scene.frame);
    surface.draw(scene.frame, |area| {
        let _ = area.fill(&theme.panel);
        let _ = figure.figure.draw_axes(area, &scene);
        let _ = figure.figure.draw(area, &scene);
    });
    Some(surface.canvas().clone())
}
