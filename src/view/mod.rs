//! The figures. Each is one file, drawn with plotters on any backend, and listed in [`Figure`].
//!
//! A figure has two layers: axes and words, which change rarely, and everything else. It is drawn
//! from a [`Scene`] alone and never knows where it is shown.

mod arrow_drag;
pub mod axis;
pub mod formula;
mod heatmap;
pub mod pen;
mod picture;
mod rotation;
mod waves;

pub use arrow_drag::{Arrow, ArrowDrag};
pub use heatmap::Heatmap;
pub use pen::{Drawn, FONT, Pen, Words};
pub use picture::{Image, Part, Picture};
pub use rotation::{Circle, Dials};
pub use waves::Waves;

use crate::model::Model;
use crate::settings::ViewName;
use crate::text;
use crate::theme::{ColourMap, Theme};
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;

/// Half the size of what a fingertip hits, in CSS pixels.
const GRIP: f64 = 22.0;

/// Whether a point is on the handle that is drawn around another.
pub fn is_grip(handle: (f64, f64), at: (f64, f64)) -> bool {
    (handle.0 - at.0).hypot(handle.1 - at.1) <= GRIP
}

/// The size of a figure and the grain it is drawn with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// CSS pixels.
    pub width: f64,
    pub height: f64,
    /// Image pixels per CSS pixel: the device pixel ratio on a screen.
    pub pixels: f64,
    /// Backend units per CSS pixel: plotters places points on whole units.
    pub units: f64,
}

/// What a figure is drawn from.
pub struct Scene<'a> {
    pub model: &'a Model,
    pub theme: &'a Theme,
    pub colours: &'a ColourMap,
    pub frame: Frame,
}

/// What lies under a point of a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A cell of the heatmap.
    Cell { position: usize, dimension: usize },
    /// A place on the waves of a pair.
    Wave { position: usize, pair: usize },
    /// A pair's small dial.
    Dial { pair: usize },
    /// A direction on the large dial, counter-clockwise from the cosine's axis, in radians.
    Angle(f64),
}

/// What the axes layer depends on; it is drawn again when this changes.
pub type Fingerprint = Vec<u64>;

/// A figure. Where the encoding has nothing for it, words stand in its place: the functions named `…_or_words` see to
/// that.
pub trait View {
    const NAME: ViewName;

    fn fingerprint_or_words(&self, scene: &Scene) -> Fingerprint {
        match scene.model.shows(Self::NAME) {
            true => self.fingerprint(scene),
            false => Vec::new(),
        }
    }

    fn draw_axes_or_words<DB: Picture>(&self, pen: &Pen<DB>, scene: &Scene) -> Drawn<DB> {
        let Some(words) = text::absent(scene.model, Self::NAME) else {
            return self.draw_axes(pen, scene);
        };
        let (theme, all) = (scene.theme, Rect::all(scene.frame));
        let size = (1.6 * theme.label_size()).min(all.width / pen::text_width(words, 1.2));
        let middle = (all.width / 2.0, all.height / 2.0);
        pen.words(middle, words, Words::new(size, theme.muted))
    }

    fn draw_or_words<DB: Picture>(&mut self, pen: &Pen<DB>, scene: &Scene) -> Drawn<DB> {
        match scene.model.shows(Self::NAME) {
            true => self.draw(pen, scene),
            false => Ok(()),
        }
    }

    fn target_or_words(&self, scene: &Scene, x: f64, y: f64) -> Option<Target> {
        let shown = scene.model.shows(Self::NAME);
        shown.then(|| self.target(scene, x, y)).flatten()
    }

    fn fingerprint(&self, scene: &Scene) -> Fingerprint;

    fn draw_axes<DB: Picture>(&self, pen: &Pen<DB>, scene: &Scene) -> Drawn<DB>;

    fn draw<DB: Picture>(&mut self, pen: &Pen<DB>, scene: &Scene) -> Drawn<DB>;

    /// What lies at a point, in CSS pixels from the figure's top left corner.
    fn target(&self, scene: &Scene, x: f64, y: f64) -> Option<Target>;
}

/// The list of figures drawn on canvases.
#[allow(clippy::large_enum_variant, reason = "there are three of them")]
pub enum Figure {
    Heatmap(Heatmap),
    Waves(Waves),
    Rotation(Dials),
}

macro_rules! each {
    ($figure:expr, $view:ident => $call:expr) => {
        match $figure {
            Figure::Heatmap($view) => $call,
            Figure::Waves($view) => $call,
            Figure::Rotation($view) => $call,
        }
    };
}

impl Figure {
    pub fn all() -> [Figure; 3] {
        [
            Figure::Heatmap(Heatmap::default()),
            Figure::Waves(Waves),
            Figure::Rotation(Dials),
        ]
    }

    pub fn name(&self) -> ViewName {
        fn name<V: View>(_: &V) -> ViewName {
            V::NAME
        }
        each!(self, view => name(view))
    }

    pub fn fingerprint(&self, scene: &Scene) -> Fingerprint {
        each!(self, view => view.fingerprint_or_words(scene))
    }

    pub fn draw_axes<DB: Picture>(
        &self,
        area: &DrawingArea<DB, Shift>,
        scene: &Scene,
    ) -> Drawn<DB> {
        each!(self, view => view.draw_axes_or_words(&Pen::new(area, scene.frame), scene))
    }

    pub fn draw<DB: Picture>(&mut self, area: &DrawingArea<DB, Shift>, scene: &Scene) -> Drawn<DB> {
        each!(self, view => view.draw_or_words(&Pen::new(area, scene.frame), scene))
    }

    pub fn target(&self, scene: &Scene, x: f64, y: f64) -> Option<Target> {
        each!(self, view => view.target_or_words(scene, x, y))
    }
}

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    /// The whole frame.
    pub fn all(frame: Frame) -> Rect {
        Rect {
            x: 0.0,
            y: 0.0,
            width: frame.width,
            height: frame.height,
        }
    }

    /// What remains of the frame inside margins, its edges on image pixels; never negative.
    pub fn inside(frame: Frame, left: f64, top: f64, right: f64, bottom: f64) -> Rect {
        let snap = |v: f64| (v * frame.pixels).round() / frame.pixels;
        let (x, y) = (snap(left), snap(top));
        Rect {
            x,
            y,
            width: snap((frame.width - right - x).max(0.0)),
            height: snap((frame.height - bottom - y).max(0.0)),
        }
    }

    /// The part that lies in the frame.
    fn within(self, frame: Frame) -> Rect {
        let (x, y) = (self.x.max(0.0), self.y.max(0.0));
        Rect {
            x,
            y,
            width: (self.right().min(frame.width) - x).max(0.0),
            height: (self.bottom().min(frame.height) - y).max(0.0),
        }
    }

    /// What is left, and a strip of the given width at the right.
    pub fn split_right(self, width: f64) -> (Rect, Rect) {
        let rest = self.width - width;
        let strip = Rect {
            x: self.x + rest,
            width,
            ..self
        };
        (
            Rect {
                width: rest,
                ..self
            },
            strip,
        )
    }

    /// What is left, and a strip of the given height at the bottom.
    pub fn split_below(self, height: f64) -> (Rect, Rect) {
        let rest = self.height - height;
        let strip = Rect {
            y: self.y + rest,
            height,
            ..self
        };
        (
            Rect {
                height: rest,
                ..self
            },
            strip,
        )
    }

    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.x..self.right()).contains(&x) && (self.y..self.bottom()).contains(&y)
    }

    pub fn is_empty(&self) -> bool {
        self.width < 1.0 || self.height < 1.0
    }
}
