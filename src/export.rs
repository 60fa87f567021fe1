//! A figure as a file: the code that draws on canvases draws SVG.

use crate::exhibit::{Look, Shown};
use crate::lang::Lang;
use crate::model::Model;
use crate::settings::{State, ThemeName};
use crate::theme::Theme;
use crate::view::{Figure, Frame, Image, Part, Picture, Scene};
use base64::prelude::{BASE64_STANDARD, Engine};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::prelude::SVGBackend;
use plotters::style::{IntoFont, TextStyle};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::cell::RefCell;
use std::rc::Rc;

/// Backend units per CSS pixel, and pixels of a heatmap finer than that.
const GRAIN: f64 = 2.0;

/// The figure of a state as SVG of `width × height` CSS pixels. The text is text; only the cells
/// of the heatmap are an image.
pub fn svg(figure: &mut Figure, state: &State, lang: Lang, width: u32, height: u32) -> String {
    let model = Model::compute(state, lang, 0.0, None);
    let theme = Theme::named(state.theme().unwrap_or(ThemeName::Light));
    let scene = Scene {
        model: &model,
        theme,
        colours: &theme.colour_map(),
        frame: frame(width, height),
    };
    draw(theme, width, height, |area| {
        let _ = figure.draw_axes(area, &scene);
        let _ = figure.draw(area, &scene);
    })
}

/// An exhibit's picture as SVG of this width; `None` for one without a picture.
pub fn exhibit_svg(shown: &Shown, theme: ThemeName, width: u32) -> Option<String> {
    let theme = Theme::named(theme);
    let height = shown.height(f64::from(width), theme)?.round() as u32;
    let look = Look {
        theme,
        colours: &theme.colour_map(),
        frame: frame(width, height),
    };
    Some(draw(theme, width, height, |area| {
        let _ = shown.draw(area, &look);
    }))
}

fn frame(width: u32, height: u32) -> Frame {
    Frame {
        width: f64::from(width),
        height: f64::from(height),
        pixels: GRAIN,
        units: GRAIN,
    }
}

/// Writing to a string has no errors: those of `paint` are left alone.
fn draw(
    theme: &Theme,
    width: u32,
    height: u32,
    paint: impl FnOnce(&DrawingArea<Svg, Shift>),
) -> String {
    let units = (width * GRAIN as u32, height * GRAIN as u32);
    let mut svg = String::new();
    let images = Rc::default();
    {
        let backend = Svg {
            inner: SVGBackend::with_string(&mut svg, units),
            images: Rc::clone(&images),
        };
        let area = backend.into_drawing_area();
        let _ = area.fill(&theme.panel);
        paint(&area);
        let _ = area.present();
    }
    for (index, image) in images.borrow().iter().enumerate() {
        svg = replace_text(&svg, &placeholder(index), image);
    }
    let in_units = format!("width=\"{}\" height=\"{}\"", units.0, units.1);
    svg.replacen(
        &in_units,
        &format!("width=\"{width}\" height=\"{height}\""),
        1,
    )
}

/// plotters' SVG backend with images.
struct Svg<'a> {
    inner: SVGBackend<'a>,
    images: Rc<RefCell<Vec<String>>>,
}

type Outcome<'a> = Result<(), DrawingErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

impl<'a> DrawingBackend for Svg<'a> {
    type ErrorType = <SVGBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.inner.get_size()
    }

    fn ensure_prepared(&mut self) -> Outcome<'a> {
        self.inner.ensure_prepared()
    }

    fn present(&mut self) -> Outcome<'a> {
        self.inner.present()
    }

    fn draw_pixel(&mut self, at: BackendCoord, colour: BackendColor) -> Outcome<'a> {
        self.inner.draw_pixel(at, colour)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        style: &S,
    ) -> Outcome<'a> {
        self.inner.draw_line(a, b, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        a: BackendCoord,
        b: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Outcome<'a> {
        self.inner.draw_rect(a, b, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome<'a> {
        self.inner.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Outcome<'a> {
        self.inner.draw_circle(centre, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome<'a> {
        self.inner.fill_polygon(path, style)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        at: BackendCoord,
    ) -> Outcome<'a> {
        self.inner.draw_text(text, style, at)
    }
}

impl<'a> Picture for Svg<'a> {
    /// Leaves a text in its place: the inner backend has no way to write an element of our own.
    fn stretch(&mut self, [from, to]: [BackendCoord; 2], image: &Image) -> Outcome<'a> {
        let Some(png) = png(image.size.0, image.size.1, image.rgb) else {
            return Ok(());
        };
        let mut images = self.images.borrow_mut();
        let text = placeholder(images.len());
        let Part {
            left,
            top,
            width,
            height,
        } = image.part;
        let (x, y) = from;
        let (columns, rows) = image.size;
        // An inner SVG shows the part and cuts off the rest.
        images.push(format!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" viewBox=\"{left} {top} {width} {height}\" \
             preserveAspectRatio=\"none\"><image width=\"{columns}\" height=\"{rows}\" \
             preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" \
             href=\"data:image/png;base64,{}\"/></svg>",
            to.0 - x,
            to.1 - y,
            BASE64_STANDARD.encode(png),
        ));
        let style = TextStyle::from(("sans-serif", 1).into_font());
        self.inner.draw_text(&text, &style, from)
    }
}

/// A private character that no figure writes.
fn placeholder(index: usize) -> String {
    format!("\u{e000}{index}\u{e000}")
}

/// Puts `element` in place of the `<text>` element that holds `text`.
fn replace_text(svg: &str, text: &str, element: &str) -> String {
    let place = svg.find(text).and_then(|at| {
        let start = svg[..at].rfind("<text")?;
        let end = at + svg[at..].find("</text>")? + "</text>".len();
        Some((start, end))
    });
    match place {
        Some((start, end)) => format!("{}{element}{}", &svg[..start], &svg[end..]),
        None => svg.to_string(),
    }
}

/// `None` for an image of no size.
fn png(width: u32, height: u32, rgb: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().ok()?.write_image_data(rgb).ok()?;
    Some(bytes)
}
