//! The list of the bench's views.

use super::{HeatmapView, RotationView, TokensView, WavesView};
use crate::draw::Pen;
use crate::field::ViewName;
use crate::figure::Cursor;
use crate::figures::bench::model::Hand;
use crate::figures::bench::view::{AxesKey, Hit, Scene, View};

/// Enum dispatch over the bench's views.
#[allow(clippy::large_enum_variant, reason = "there are four of them")]
pub enum BenchFigure {
    Tokens(TokensView),
    Heatmap(HeatmapView),
    Waves(WavesView),
    Rotation(RotationView),
}

macro_rules! each {
    ($figure:expr, $view:ident => $call:expr) => {
        match $figure {
            BenchFigure::Tokens($view) => $call,
            BenchFigure::Heatmap($view) => $call,
            BenchFigure::Waves($view) => $call,
            BenchFigure::Rotation($view) => $call,
        }
    };
}

impl BenchFigure {
    pub fn all() -> [BenchFigure; 4] {
        [
            BenchFigure::Tokens(TokensView),
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

    pub fn axes_key(&self, scene: &Scene) -> AxesKey {
        fn key<V: View>(_: &V, scene: &Scene) -> AxesKey {
            AxesKey::new::<V>(scene)
        }
        each!(self, view => key(view, scene))
    }

    pub fn draw_axes(&self, pen: &Pen, scene: &Scene) {
        each!(self, view => view.draw_axes_or_message(pen, scene));
    }

    pub fn draw(&mut self, pen: &Pen, scene: &Scene) {
        each!(self, view => view.draw_if_shown(pen, scene));
    }

    pub fn hand_at(&self, scene: &Scene, at: (f64, f64)) -> Option<Hand> {
        each!(self, view => view.hand_at(scene, at))
    }

    pub fn hit_test(&self, scene: &Scene, x: f64, y: f64) -> Option<Hit> {
        each!(self, view => view.hit_test_if_shown(scene, x, y))
    }

    /// What is at a point.
    pub fn found_at(&self, scene: &Scene, at: (f64, f64)) -> Found {
        Found {
            hit: self.hit_test(scene, at.0, at.1),
            hand: self.hand_at(scene, at),
        }
    }
}

/// What is at a point of a view.
pub struct Found {
    pub hit: Option<Hit>,
    /// The hand that can be grabbed there.
    pub hand: Option<Hand>,
}

impl Found {
    /// The cursor while no button is pressed; agrees with that of the view's handles in the lesson.
    pub fn cursor(&self) -> Cursor {
        match (self.hand, self.hit) {
            (Some(_), _) => Cursor::Grab,
            (None, Some(_)) => Cursor::Crosshair,
            (None, None) => Cursor::Default,
        }
    }
}
