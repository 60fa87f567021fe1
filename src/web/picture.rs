//! Renders pictures for saving, independently of what is on the page.

use super::canvas::{Surface, saved_frame};
use super::dom::el;
use super::image_cache::data_address;
use crate::draw::{ColourMap, DrawContext, Theme};
use crate::export::{Pictured, paint_on_panel, picture_svg};
use std::rc::Rc;
use web_sys::HtmlCanvasElement;

/// A picture as SVG of `width × height` CSS pixels.
pub fn svg(pictured: impl Pictured, theme: &Theme, size: (u32, u32)) -> String {
    left_to_right(&picture_svg(pictured, theme, size, data_address))
}

/// Sets the direction of the text, which an SVG inside a page would otherwise inherit.
fn left_to_right(svg: &str) -> String {
    svg.replacen("<svg ", "<svg direction=\"ltr\" ", 1)
}

/// A picture of `width × height` CSS pixels at `scale` pixels per CSS pixel, in the default font unless a family is
/// given; `None` if the browser provides no 2D context.
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
    surface.draw(context.frame, |pen| {
        paint_on_panel(&mut pictured, pen, &context);
    });
    Some(surface.canvas().clone())
}
