//! The list of the bench's views.

use super::{HeatmapView, RotationView, TokensView, WavesView};
use crate::draw::{Pen, Point};
use crate::field::ViewName;
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

    pub fn hit_test(&self, scene: &Scene, at: Point) -> Option<Hit> {
        each!(self, view => view.hit_test_if_shown(scene, at))
    }
}
