//! What the bench's views have in common; they are drawn with plotters on any backend.
//!
//! A view is drawn from its [`Scene`] alone, in two layers: the axes, with labels and everything else that does not
//! depend on pos and k, and the rest above it. The axes are drawn again when their [`AxesKey`] changes.

use crate::draw::{ColourMap, Frame, Pen, Rect, TextStyle, Theme, text_style};
use crate::field::{SettingId, SettingValues, ViewName};
use crate::figure::{Handle, hits_grip};
use crate::figures::bench::model::{Hand, Model};
use crate::figures::bench::words;
use crate::text::Lang;

/// Everything from which a view is drawn.
pub struct Scene<'a> {
    pub model: &'a Model,
    pub theme: &'a Theme,
    pub colours: &'a ColourMap,
    pub frame: Frame,
}

/// The result of a hit test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// A cell of the heatmap.
    Cell { position: usize, dimension: usize },
    /// A point on the waves of a pair.
    Wave { position: usize, pair: usize },
    /// A pair's clock.
    Clock { pair: usize },
    /// The mark of pos or of pos+k on the waves.
    Mark(Hand),
    /// A direction on the large dial, counter-clockwise from the cosine's axis, in radians.
    Angle(f64),
}

impl Hit {
    /// The pair at the hit, if any.
    pub fn pair(&self, model: &Model) -> Option<usize> {
        match self {
            Hit::Cell { dimension, .. } => Some(model.pair_of(*dimension).0),
            Hit::Wave { pair, .. } | Hit::Clock { pair } => Some(*pair),
            Hit::Mark(_) | Hit::Angle(_) => None,
        }
    }
}

/// Everything on which the axes layer may depend: all that a view is drawn from, without pos, k and what moves with them.
/// A view leaves out more only by declaring it, in [`View::NOT_IN_AXES`].
#[derive(PartialEq)]
pub struct AxesKey {
    settings: SettingValues,
    /// The pair under the pointer, if it is marked on this layer.
    pointed: Option<usize>,
    /// The table arrives after the state that asks for it.
    table: (bool, bool),
    lang: Lang,
    theme: Theme,
    frame: Frame,
}

impl AxesKey {
    pub fn new<V: View>(scene: &Scene) -> AxesKey {
        let model = scene.model;
        let left_out =
            |key| matches!(key, SettingId::Pos | SettingId::K) || V::NOT_IN_AXES.contains(&key);
        AxesKey {
            settings: model.state.settings_without(left_out),
            pointed: model.transient.pair.filter(|_| V::AXES_MARK_POINTED),
            table: (model.has_table(), model.loading),
            lang: model.lang,
            theme: *scene.theme,
            frame: scene.frame,
        }
    }
}

/// A view of the bench. The `…_if_shown` and `…_or_message` methods handle encodings to which the view does not apply.
pub trait View {
    const NAME: ViewName;
    /// Settings, besides pos and k, that a drag or zoom changes and that the axes layer does not show.
    const NOT_IN_AXES: &'static [SettingId] = &[];
    /// Whether the axes layer marks the pair under the pointer.
    const AXES_MARK_POINTED: bool = false;

    fn draw_axes_or_message(&self, pen: &Pen, scene: &Scene) {
        let Some(message) = words::unavailable_message(scene.model, Self::NAME) else {
            return self.draw_axes(pen, scene);
        };
        let (theme, all) = (scene.theme, Rect::all(scene.frame));
        let size = (1.6 * theme.label_size()).min(all.width / text_style::text_width(message, 1.2));
        let middle = (all.width / 2.0, all.height / 2.0);
        pen.text(middle, message, TextStyle::new(size, theme.muted));
    }

    fn draw_if_shown(&mut self, pen: &Pen, scene: &Scene) {
        if scene.model.shows(Self::NAME) {
            self.draw(pen, scene)
        }
    }

    fn hit_test_if_shown(&self, scene: &Scene, x: f64, y: f64) -> Option<Hit> {
        let shown = scene.model.shows(Self::NAME);
        shown.then(|| self.hit_test(scene, x, y)).flatten()
    }

    fn handles_if_shown(&self, scene: &Scene) -> Vec<Handle> {
        match scene.model.shows(Self::NAME) {
            true => self.handles(scene),
            false => Vec::new(),
        }
    }

    /// The regions that can be pressed and dragged; [`View::hit_test`] returns the item at a point.
    fn handles(&self, scene: &Scene) -> Vec<Handle>;

    fn draw_axes(&self, pen: &Pen, scene: &Scene);

    fn draw(&mut self, pen: &Pen, scene: &Scene);

    /// The points at which the hands of pos and of pos+k can be grabbed, that of pos first.
    fn hands(&self, _scene: &Scene) -> Vec<(Hand, (f64, f64))> {
        Vec::new()
    }

    /// The hand that can be grabbed at a point.
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

    /// The item at a point, in CSS pixels from the view's top left corner.
    fn hit_test(&self, scene: &Scene, x: f64, y: f64) -> Option<Hit>;
}
