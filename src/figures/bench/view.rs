//! The figures. Each is one file, drawn with plotters on any backend, and listed in [`BenchFigure`].
//!
//! A figure has two layers: axes and words, which change rarely, and everything else. It is drawn
//! from a [`Scene`] alone and never knows where it is shown.

use super::{HeatmapView, RotationView, WavesView};
use crate::draw::{ColourMap, DrawResult, Frame, Pen, Picture, Rect, TextStyle, Theme, pen};
use crate::field::ViewName;
use crate::figure::{Cursor, Handle, hits_grip};
use crate::figures::bench::model::{Hand, Model};
use crate::figures::bench::words;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;

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
    /// A pair's clock.
    Clock { pair: usize },
    /// The mark of pos or of pos+k on the waves.
    Mark(Hand),
    /// A direction on the large dial, counter-clockwise from the cosine's axis, in radians.
    Angle(f64),
}

impl Target {
    /// The pair that is pointed at.
    pub fn pair(&self, model: &Model) -> Option<usize> {
        match self {
            Target::Cell { dimension, .. } => Some(model.pair_of(*dimension).0),
            Target::Wave { pair, .. } | Target::Clock { pair } => Some(*pair),
            Target::Mark(_) | Target::Angle(_) => None,
        }
    }
}

/// What the axes layer depends on; it is drawn again when this changes.
pub type Fingerprint = Vec<u64>;

/// A figure. Where the encoding has nothing for it, words stand in its place: the functions named `…_or_words` see to
/// that.
pub trait View {
    const NAME: ViewName;

    fn fingerprint_or_words(&self, scene: &Scene) -> Fingerprint {
        match words::absent(scene.model, Self::NAME) {
            Some(words) => words.bytes().map(u64::from).collect(),
            None => self.fingerprint(scene),
        }
    }

    fn draw_axes_or_words<DB: Picture>(&self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB> {
        let Some(words) = words::absent(scene.model, Self::NAME) else {
            return self.draw_axes(pen, scene);
        };
        let (theme, all) = (scene.theme, Rect::all(scene.frame));
        let size = (1.6 * theme.label_size()).min(all.width / pen::text_width(words, 1.2));
        let middle = (all.width / 2.0, all.height / 2.0);
        pen.text(middle, words, TextStyle::new(size, theme.muted))
    }

    fn draw_or_words<DB: Picture>(&mut self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB> {
        match scene.model.shows(Self::NAME) {
            true => self.draw(pen, scene),
            false => Ok(()),
        }
    }

    fn target_or_words(&self, scene: &Scene, x: f64, y: f64) -> Option<Target> {
        let shown = scene.model.shows(Self::NAME);
        shown.then(|| self.target(scene, x, y)).flatten()
    }

    fn handles_or_words(&self, scene: &Scene) -> Vec<Handle> {
        match scene.model.shows(Self::NAME) {
            true => self.handles(scene),
            false => Vec::new(),
        }
    }

    /// What can be pressed and dragged; [`View::target`] says what lies there.
    fn handles(&self, scene: &Scene) -> Vec<Handle>;

    fn fingerprint(&self, scene: &Scene) -> Fingerprint;

    fn draw_axes<DB: Picture>(&self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB>;

    fn draw<DB: Picture>(&mut self, pen: &Pen<DB>, scene: &Scene) -> DrawResult<DB>;

    /// Where the marks of pos and of pos+k can be taken hold of, those of pos first.
    fn hands(&self, _scene: &Scene) -> Vec<(Hand, (f64, f64))> {
        Vec::new()
    }

    /// The mark that can be taken hold of at a point.
    fn hand_at(&self, scene: &Scene, at: (f64, f64)) -> Option<Hand> {
        if !scene.model.shows(Self::NAME) {
            return None;
        }
        let grips = self.hands(scene).into_iter();
        let mut near: Vec<_> = grips.filter(|(_, grip)| hits_grip(*grip, at)).collect();
        let apart = |grip: (f64, f64)| (grip.0 - at.0).hypot(grip.1 - at.1);
        near.sort_by(|a, b| apart(a.1).total_cmp(&apart(b.1)));
        near.first().map(|(hand, _)| *hand)
    }

    /// What lies at a point, in CSS pixels from the figure's top left corner.
    fn target(&self, scene: &Scene, x: f64, y: f64) -> Option<Target>;
}

/// The list of figures drawn on canvases.
#[allow(clippy::large_enum_variant, reason = "there are three of them")]
pub enum BenchFigure {
    Heatmap(HeatmapView),
    Waves(WavesView),
    Rotation(RotationView),
}

macro_rules! each {
    ($figure:expr, $view:ident => $call:expr) => {
        match $figure {
            BenchFigure::Heatmap($view) => $call,
            BenchFigure::Waves($view) => $call,
            BenchFigure::Rotation($view) => $call,
        }
    };
}

impl BenchFigure {
    pub fn all() -> [BenchFigure; 3] {
        [
            BenchFigure::Heatmap(HeatmapView::default()),
            BenchFigure::Waves(WavesView),
            BenchFigure::Rotation(RotationView),
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
    ) -> DrawResult<DB> {
        each!(self, view => view.draw_axes_or_words(&Pen::new(area, scene.frame), scene))
    }

    pub fn draw<DB: Picture>(
        &mut self,
        area: &DrawingArea<DB, Shift>,
        scene: &Scene,
    ) -> DrawResult<DB> {
        each!(self, view => view.draw_or_words(&Pen::new(area, scene.frame), scene))
    }

    pub fn hand_at(&self, scene: &Scene, at: (f64, f64)) -> Option<Hand> {
        each!(self, view => view.hand_at(scene, at))
    }

    pub fn target(&self, scene: &Scene, x: f64, y: f64) -> Option<Target> {
        each!(self, view => view.target_or_words(scene, x, y))
    }

    /// What a pointer looks like that has pressed nothing: as over the handles of the figure, which say the same for the
    /// figures of the lesson.
    pub fn cursor(&self, scene: &Scene, at: (f64, f64)) -> Cursor {
        match (self.hand_at(scene, at), self.target(scene, at.0, at.1)) {
            (Some(_), _) => Cursor::Grab,
            (None, Some(_)) => Cursor::Crosshair,
            (None, None) => Cursor::Default,
        }
    }
}
