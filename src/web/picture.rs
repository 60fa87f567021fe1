//! A figure's picture apart from the page: what is saved and copied.

use super::canvas::{Surface, saved_frame};
use super::dom::el;
use super::figure::FigureElement;
use super::lesson::Setting;
use crate::exhibit::{Look, Shown};
use crate::model::Model;
use crate::theme::{ColourMap, Theme};
use crate::view::Scene;
use web_sys::HtmlCanvasElement;

/// An exhibit's picture with so many pixels per CSS pixel, on the panel's colour; `None` for one without a picture, and
/// where the browser refuses.
pub fn on_canvas(
    shown: &Shown,
    setting: Setting,
    width: f64,
    scale: f64,
) -> Option<HtmlCanvasElement> {
    let height = shown.height(width, setting.theme)?.round();
    let look = Look {
        theme: setting.theme,
        colours: setting.colours,
        frame: saved_frame(width, height, scale),
    };
    let surface = Surface::new(el("canvas").cast())?;
    surface.resize(look.frame);
    surface.draw(look.frame, |area| {
        let _ = area.fill(&look.theme.panel);
        let _ = shown.draw(area, &look);
    });
    Some(surface.canvas().clone())
}

/// The same for a figure of the bench, in the size that it has on the page; `None` while it has none.
pub fn of_figure(
    figure: &mut FigureElement,
    model: &Model,
    theme: &'static Theme,
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
