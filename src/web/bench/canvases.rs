//! A figure of the bench on two canvases: the axes below, redrawn only when they change, and everything else above.

use super::Appearance;
use crate::draw::{ColourMap, Frame, Point, Theme};
use crate::field::ViewName;
use crate::figures::bench::model::Model;
use crate::figures::bench::{AxesKey, BenchFigure, LayoutCache, Placed, Scene};
use crate::session::bench::Picture;
use crate::text::Lang;
use crate::web::canvas::{self, Surface};
use crate::web::dom::{CachedText, El, el, set_keyboard_role, toggle_attr};
use crate::web::pointer;
use web_sys::{Element, HtmlCanvasElement};

/// A figure and its canvases.
pub struct BenchCanvas {
    pub figure: BenchFigure,
    /// The container of the canvases, which fill it.
    pub stage: Element,
    axes: Surface,
    data: Surface,
    words: CachedText,
    frame: Frame,
    layouts: LayoutCache,
    placed: Placed,
    drawn: Option<AxesKey>,
    shows_message: (bool, bool),
}

impl BenchCanvas {
    /// `None` if the browser provides no 2D context.
    pub fn new(figure: BenchFigure, lang: Lang) -> Option<BenchCanvas> {
        let name = figure.name().name();
        let title = figure.name().title().get(lang);
        let id = format!("posenc-{name}-words");
        let words = el("p").class("unseen").attr("id", &id);
        let axes = el("canvas").class("axes").attr("aria-hidden", "true");
        let data = el("canvas")
            .class("data")
            .attr("data-view", name)
            .attr("aria-label", title)
            .attr("aria-describedby", &id);
        set_keyboard_role(&data.0, true, lang);
        let stage = el("div")
            .class("stage")
            .attr("data-stage", name)
            .children([&axes, &data, &words]);
        Some(BenchCanvas {
            figure,
            stage: stage.0,
            words: CachedText::new(&words),
            axes: Surface::new(axes.cast())?,
            data: Surface::new(data.cast())?,
            frame: canvas::frame(0.0, 0.0, 1.0),
            layouts: LayoutCache::default(),
            placed: Placed::default(),
            drawn: None,
            shows_message: (false, false),
        })
    }

    pub fn element(&self) -> El {
        El(self.stage.clone())
    }

    pub fn canvas(&self) -> &HtmlCanvasElement {
        self.data.canvas()
    }

    /// The figure in this appearance, for hit tests.
    pub(super) fn shown_in<'a>(&'a self, appearance: &'a Appearance) -> ShownCanvas<'a> {
        ShownCanvas {
            canvas: self,
            appearance,
        }
    }

    /// Reads the size of the stage, or takes that which fills a sheet of paper; true if the frame has changed.
    pub fn measure(&mut self, ratio: f64, fills_paper: bool) -> bool {
        let (width, height) = match (fills_paper, self.figure.name()) {
            (true, ViewName::Heatmap | ViewName::Waves) => (680, 760),
            // Its product is below it.
            (true, ViewName::Rotation) => (680, 620),
            _ => (self.stage.client_width(), self.stage.client_height()),
        };
        let frame = canvas::frame(f64::from(width), f64::from(height), ratio);
        let changed = frame != self.frame;
        self.frame = frame;
        changed
    }

    /// Width and height in whole CSS pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.frame.width as u32, self.frame.height as u32)
    }

    /// Marks the panel if a message is shown in place of the figure, or another picture with a sentence; true if that has
    /// changed.
    pub fn set_shows_message(&mut self, shows_message: bool, has_picture: bool) -> bool {
        let news = (shows_message, has_picture) != self.shows_message;
        if news {
            self.shows_message = (shows_message, has_picture);
            // `closest` does not fail for a valid selector.
            if let Ok(Some(panel)) = self.stage.closest(".panel") {
                toggle_attr(&panel, "data-absent", shows_message);
                toggle_attr(&panel, "data-pictured", has_picture);
            }
        }
        news
    }

    pub fn describe(&mut self, words: &str) {
        self.words.set(words);
    }

    pub fn scene<'a>(
        &self,
        model: &'a Model,
        theme: &'a Theme,
        colours: &'a ColourMap,
    ) -> Scene<'a> {
        Scene {
            model,
            theme,
            colours,
            frame: self.frame,
            layouts: self.layouts.clone(),
            placed: self.placed.clone(),
        }
    }

    pub fn draw(&mut self, model: &Model, theme: &Theme, colours: &ColourMap) {
        if self.frame.width < 1.0 || self.frame.height < 1.0 {
            return;
        }
        if model.rests() {
            self.placed = Placed::default();
        }
        let scene = self.scene(model, theme, colours);
        let axes = self.figure.axes_key(&scene);
        // Drawing on a canvas returns no errors: all coordinates are finite and inside.
        if self.drawn.as_ref() != Some(&axes) {
            self.axes.resize(self.frame);
            self.axes.draw(self.frame, |pen| {
                self.figure.draw_axes(pen, &scene);
            });
            self.drawn = Some(axes);
        }
        self.data.resize(self.frame);
        let figure = &mut self.figure;
        self.data.draw(self.frame, |pen| {
            figure.draw(pen, &scene);
        });
    }
}

/// A figure in the appearance of the page.
pub(super) struct ShownCanvas<'a> {
    canvas: &'a BenchCanvas,
    appearance: &'a Appearance,
}

impl ShownCanvas<'_> {
    /// Converts viewport coordinates to those of the figure.
    pub(super) fn point(&self, at: (i32, i32)) -> Point {
        let width = f64::from(self.canvas.size().0);
        pointer::place(self.canvas.canvas(), width, at)
    }
}

impl Picture for ShownCanvas<'_> {
    fn figure(&self) -> &BenchFigure {
        &self.canvas.figure
    }

    fn scene<'a>(&'a self, model: &'a Model) -> Scene<'a> {
        let look = self.appearance;
        self.canvas.scene(model, &look.theme, &look.colours)
    }
}
