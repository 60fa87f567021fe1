//! Figures as SVG without a browser; their images are encoded by the crate `png`.

use super::picture::{OnBench, frame, picture_size, picture_svg};
use super::svg::Svg;
use crate::draw::{Frame, Theme};
use crate::field::{State, ThemeName};
use crate::figures::AnyFigure;
use crate::figures::bench::BenchFigure;
use crate::figures::bench::model::Model;
use crate::text::Lang;
use base64::prelude::{BASE64_STANDARD, Engine};
use plotters::style::RGBColor;

/// A figure of the bench in a state, as SVG of `width × height` CSS pixels.
pub fn svg(figure: &mut BenchFigure, state: &State, lang: Lang, width: u32, height: u32) -> String {
    let model = &Model::without_transients(state, lang);
    let theme = Theme::named(state.theme().unwrap_or_default());
    let pictured = OnBench { figure, model };
    picture_svg(pictured, theme, (width, height), data_address)
}

/// The bench in a state, as SVG of `width × height` CSS pixels: the tokens above the heatmap and the
/// rotation side by side, the waves below.
pub fn bench_svg(state: &State, lang: Lang, width: u32, height: u32) -> String {
    let (left, top, below) = (width * 11 / 20, height / 12, height * 13 / 20);
    let places = [
        (0, 0, width, top),
        (0, top, left, below - top),
        (0, below, width, height - below),
        (left, top, width - left, below - top),
    ];
    let figures = BenchFigure::all().into_iter().zip(places);
    let drawn = figures.map(|(mut figure, (x, y, width, height))| {
        let place = format!("<svg x=\"{x}\" y=\"{y}\" ");
        svg(&mut figure, state, lang, width, height).replacen("<svg ", &place, 1)
    });
    let theme = Theme::named(state.theme().unwrap_or_default());
    sheet(theme, width, height) + &drawn.collect::<String>() + Svg::CLOSE
}

/// A figure's picture as SVG of this width in CSS pixels; `None` for a figure without a picture.
pub fn figure_svg(shown: &AnyFigure, theme: ThemeName, width: u32) -> Option<String> {
    let theme = Theme::named(theme);
    let size = picture_size(shown, theme, f64::from(width))?;
    Some(picture_svg(shown, theme, size, data_address))
}

/// The start of an SVG document of this size in CSS pixels, with its background.
pub fn sheet(theme: &Theme, width: u32, height: u32) -> String {
    let whole = Frame {
        units: 1.0,
        ..frame(width, height)
    };
    let panel = hex(theme.panel);
    Svg::open(whole, "") + &format!("<rect width=\"100%\" height=\"100%\" fill=\"{panel}\"/>\n")
}

/// A colour as in CSS.
pub fn hex(RGBColor(r, g, b): RGBColor) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// An RGB image as a `data:` URL of a PNG.
fn data_address((width, height): (u32, u32), rgb: &[u8]) -> Option<String> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().ok()?.write_image_data(rgb).ok()?;
    Some(format!(
        "data:image/png;base64,{}",
        BASE64_STANDARD.encode(bytes)
    ))
}
