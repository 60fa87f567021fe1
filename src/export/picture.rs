//! A figure as SVG. The text is text; only the cells of the heatmap are an image.

use super::svg::{Encoder, Svg};
use crate::exhibit::{Look, Shown};
use crate::model::Model;
use crate::text;
use crate::theme::Theme;
use crate::view::{Figure, Frame, Picture, Scene};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use std::cell::RefCell;
use std::rc::Rc;
#[cfg(not(target_arch = "wasm32"))]
use {
    super::png::data_address,
    crate::lang::Lang,
    crate::settings::{State, ThemeName},
};

/// Backend units per CSS pixel, as fine as on a canvas.
const UNITS: f64 = 8.0;
/// Pixels of a heatmap's image per CSS pixel.
const PIXELS: f64 = 2.0;

/// The figure of a state as SVG of `width × height` CSS pixels.
#[cfg(not(target_arch = "wasm32"))]
pub fn svg(figure: &mut Figure, state: &State, lang: Lang, width: u32, height: u32) -> String {
    let model = Model::compute(state, lang, 0.0, None);
    let theme = Theme::named(state.theme().unwrap_or_default());
    figure_through::<Svg>(figure, &model, theme, (width, height), data_address)
}

/// The bench in a state as SVG of `width × height` CSS pixels: the heatmap and the rotation side by
/// side, the waves below.
#[cfg(not(target_arch = "wasm32"))]
pub fn bench_svg(state: &State, lang: Lang, width: u32, height: u32) -> String {
    let (left, above) = (width * 11 / 20, height * 13 / 20);
    let places = [
        (0, 0, left, above),
        (0, above, width, height - above),
        (left, 0, width - left, above),
    ];
    let figures = Figure::all().into_iter().zip(places);
    let drawn = figures.map(|(mut figure, (x, y, width, height))| {
        let place = format!("<svg x=\"{x}\" y=\"{y}\" ");
        svg(&mut figure, state, lang, width, height).replacen("<svg ", &place, 1)
    });
    let whole = Frame {
        units: 1.0,
        ..frame(width, height)
    };
    Svg::open(whole, "") + &drawn.collect::<String>() + Svg::CLOSE
}

/// An exhibit's picture as SVG of this width; `None` for one without a picture.
#[cfg(not(target_arch = "wasm32"))]
pub fn exhibit_svg(shown: &Shown, theme: ThemeName, width: u32) -> Option<String> {
    exhibit_through::<Svg>(shown, Theme::named(theme), width, data_address)
}

/// A figure of the bench as SVG of `width × height` CSS pixels, drawn through the backend `DB`:
/// a program that draws elsewhere too has its drawing code once.
pub fn figure_through<DB: Picture + From<Svg>>(
    figure: &mut Figure,
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
        Figure::Heatmap(_) => text::look_heatmap(model).to_string(),
        Figure::Waves(_) => text::look_waves(model),
        Figure::Rotation(_) => text::look_rotation(model),
    };
    let start = Svg::open(scene.frame, &description);
    draw::<DB>(start, theme, scene.frame, encoder, |area| {
        let _ = figure.draw_axes(area, &scene);
        let _ = figure.draw(area, &scene);
    })
}

/// An exhibit's picture as SVG, `width` CSS pixels wide and as high as it likes to be; `None` for
/// one without a picture.
pub fn exhibit_through<DB: Picture + From<Svg>>(
    shown: &Shown,
    theme: &Theme,
    width: u32,
    encoder: Encoder,
) -> Option<String> {
    let height = shown.height(f64::from(width), theme)?.round() as u32;
    let look = Look {
        theme,
        colours: &theme.colour_map(),
        frame: frame(width, height),
    };
    let start = Svg::open(look.frame, &shown.caption());
    Some(draw::<DB>(start, theme, look.frame, encoder, |area| {
        let _ = shown.draw(area, &look);
    }))
}

fn frame(width: u32, height: u32) -> Frame {
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
