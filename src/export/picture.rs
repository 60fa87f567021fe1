//! Saved pictures of figures and of views of the bench.

use super::svg::{Encoder, Svg};
use crate::draw::{DrawContext, Frame, Pen, Rect, Theme};
use crate::figures::AnyFigure;
use crate::figures::bench::model::Model;
use crate::figures::bench::{BenchFigure, Scene};
use crate::figures::bench::{descriptions, words};
use std::cell::RefCell;
use std::rc::Rc;

/// Backend units per CSS pixel, as fine as on a canvas.
const UNITS: f64 = 8.0;
/// Pixels of a heatmap's image per CSS pixel.
const PIXELS: f64 = 2.0;

/// Something with a picture that can be saved.
pub trait Pictured {
    /// A description of the picture in a sentence or two.
    fn description(&self) -> String;

    /// Draws the picture in the size of the context.
    fn paint(&mut self, pen: &Pen, context: &DrawContext);
}

impl Pictured for &AnyFigure {
    fn description(&self) -> String {
        self.caption()
    }

    fn paint(&mut self, pen: &Pen, context: &DrawContext) {
        self.draw(pen, context);
    }
}

/// A figure of the bench with its model. Axes that it has drawn in another size are drawn again.
pub struct OnBench<'a> {
    pub figure: &'a mut BenchFigure,
    pub model: &'a Model,
}

impl Pictured for OnBench<'_> {
    fn description(&self) -> String {
        match self.figure {
            BenchFigure::Tokens(_) => descriptions::tokens(self.model),
            BenchFigure::Heatmap(_) => words::heatmap_caption(self.model),
            BenchFigure::Waves(_) => words::waves_caption(self.model),
            BenchFigure::Rotation(_) => words::rotation_caption(self.model),
        }
    }

    fn paint(&mut self, pen: &Pen, context: &DrawContext) {
        let scene = Scene::new(self.model, context.theme, context.colours, context.frame);
        self.figure.draw_axes(pen, &scene);
        self.figure.draw(pen, &scene);
    }
}

/// The size of a figure's picture at a width, in whole CSS pixels; `None` for a figure without a picture.
pub fn picture_size(figure: &AnyFigure, theme: &Theme, width: f64) -> Option<(u32, u32)> {
    let width = width.floor();
    let height = figure.height(width, theme)?.round();
    Some((width as u32, height as u32))
}

/// A picture as SVG of `width × height` CSS pixels. Text remains text; only the cells of the heatmap are an image.
pub fn picture_svg(
    mut pictured: impl Pictured,
    theme: &Theme,
    (width, height): (u32, u32),
    encoder: Encoder,
) -> String {
    let context = DrawContext {
        theme,
        colours: &theme.colour_map(),
        frame: frame(width, height),
    };
    let start = Svg::open(context.frame, &pictured.description());
    let text = Rc::new(RefCell::new(start));
    let svg = Svg::new(context.frame, Rc::clone(&text), encoder);
    paint_on_panel(&mut pictured, &Pen::new(svg, context.frame), &context);
    text.take() + Svg::CLOSE
}

/// Draws a picture on a background in the colour of the panel.
pub fn paint_on_panel(pictured: &mut impl Pictured, pen: &Pen, context: &DrawContext) {
    pen.fill(Rect::all(context.frame), context.theme.panel, 1.0);
    pictured.paint(pen, context);
}

pub fn frame(width: u32, height: u32) -> Frame {
    Frame {
        width: f64::from(width),
        height: f64::from(height),
        pixels: PIXELS,
        units: UNITS,
    }
}
