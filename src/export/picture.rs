//! A figure as SVG. The text is text; only the cells of the heatmap are an image.

use super::svg::{Encoder, Svg};
use crate::draw::{DrawContext, Frame, Picture, Theme};
use crate::figures::AnyFigure;
use crate::figures::bench::model::Model;
use crate::figures::bench::view::{BenchFigure, Scene};
use crate::figures::bench::words;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use std::cell::RefCell;
use std::rc::Rc;

/// Backend units per CSS pixel, as fine as on a canvas.
const UNITS: f64 = 8.0;
/// Pixels of a heatmap's image per CSS pixel.
const PIXELS: f64 = 2.0;

/// A figure of the bench as SVG of `width × height` CSS pixels, drawn through the backend `DB`:
/// a program that draws elsewhere too has its drawing code once.
pub fn bench_through<DB: Picture + From<Svg>>(
    figure: &mut BenchFigure,
    model: &Model,
    theme: &Theme,
    (width, height): (u32, u32),
    encoder: Encoder,
) -> String {
    let scene = Scene {
        model,
        theme,
        colours: &theme.colour_map(),
        frame: frame(width, height),
    };
    let description = match figure {
        BenchFigure::Heatmap(_) => words::look_heatmap(model),
        BenchFigure::Waves(_) => words::look_waves(model),
        BenchFigure::Rotation(_) => words::look_rotation(model),
    };
    let start = Svg::open(scene.frame, &description);
    draw::<DB>(start, theme, scene.frame, encoder, |area| {
        let _ = figure.draw_axes(area, &scene);
        let _ = figure.draw(area, &scene);
    })
}

/// A figure's picture as SVG, `width` CSS pixels wide and as high as it likes to be; `None` for
/// one without a picture.
pub fn figure_through<DB: Picture + From<Svg>>(
    shown: &AnyFigure,
    theme: &Theme,
    width: u32,
    encoder: Encoder,
) -> Option<String> {
    let height = shown.height(f64::from(width), theme)?.round() as u32;
    let context = DrawContext {
        theme,
        colours: &theme.colour_map(),
        frame: frame(width, height),
    };
    let start = Svg::open(context.frame, &shown.caption());
    Some(draw::<DB>(start, theme, context.frame, encoder, |area| {
        let _ = shown.draw(area, &context);
    }))
}

pub fn frame(width: u32, height: u32) -> Frame {
    Frame {
        width: f64::from(width),
        height: f64::from(height),
        pixels: PIXELS,
        units: UNITS,
    }
}

/// Writing to a string has no errors: those of `paint` are left alone.
fn draw<DB: Picture + From<Svg>>(
    start: String,
    theme: &Theme,
    frame: Frame,
    encoder: Encoder,
    paint: impl FnOnce(&DrawingArea<DB, Shift>),
) -> String {
    let text = Rc::new(RefCell::new(start));
    let area = DB::from(Svg::new(frame, Rc::clone(&text), encoder)).into_drawing_area();
    let _ = area.fill(&theme.panel);
    paint(&area);
    text.take() + Svg::CLOSE
}
