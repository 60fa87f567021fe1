//! What the bench's views have in common; they are drawn with plotters on any backend.
//!
//! A view is drawn from its [`Scene`] alone, in two layers: the axes, with labels and everything else that pos and k do
//! not change, and the rest above it. The layout is made again when its [`LayoutKey`] changes, and the axes are drawn
//! again when their [`AxesKey`] changes.

use crate::draw::{
    ColourMap, DrawContext, Frame, KeptPlace, Pen, Point, Rect, TextStyle, Theme, text_style,
};
use crate::field::settings::{K, POS};
use crate::field::{SettingId, SettingValues, ViewName};
use crate::figure::{Cursor, DragMode, Handle, Mapping, Region};
use crate::figures::bench::model::{Hand, Model};
use crate::figures::bench::{biases, words};
use crate::text::Lang;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// Everything from which a view is drawn.
pub struct Scene<'a> {
    pub model: &'a Model,
    pub theme: &'a Theme,
    pub colours: &'a ColourMap,
    pub frame: Frame,
    pub layouts: LayoutCache,
    pub placed: Placed,
}

/// Where the labels of the dial were in the picture before, so that they stay there while hands move: those of the hands, the
/// values of the legs, the names of the axes and the rotation.
pub type Placed = Rc<[KeptPlace; 7]>;

/// Indices in [`Placed`]; the hands come first.
pub const LEGS: [usize; 2] = [2, 3];
pub const AXES: [usize; 2] = [4, 5];
pub const ROTATION: usize = 6;

/// The layout of a view, which is made again only when something changes on which the axes may depend.
#[derive(Clone, Default)]
pub struct LayoutCache(Rc<RefCell<Option<CachedLayout>>>);

struct CachedLayout {
    key: Rc<LayoutKey>,
    /// `None` if there is no room for it.
    layout: Option<Rc<dyn Any>>,
}

impl<'a> Scene<'a> {
    /// A scene that shares its layout with no other.
    pub fn new(
        model: &'a Model,
        theme: &'a Theme,
        colours: &'a ColourMap,
        frame: Frame,
    ) -> Scene<'a> {
        Scene {
            model,
            theme,
            colours,
            frame,
            layouts: LayoutCache::default(),
            placed: Placed::default(),
        }
    }

    fn context(&self) -> DrawContext<'a> {
        DrawContext {
            theme: self.theme,
            colours: self.colours,
            frame: self.frame,
        }
    }

    /// The layout of a view; `None` if there is no room for it.
    pub fn layout<V: View>(&self) -> Option<Rc<V::Layout>> {
        self.cached::<V>().1
    }

    fn cached<V: View>(&self) -> (Rc<LayoutKey>, Option<Rc<V::Layout>>) {
        let make = |scene: &Scene| V::layout(scene).map(|layout| Rc::new(layout) as Rc<dyn Any>);
        let (key, layout) = self.cached_layout(&ViewInfo::of::<V>(), &make);
        (key, layout.and_then(|layout| layout.downcast().ok()))
    }

    fn cached_layout(
        &self,
        info: &ViewInfo,
        make: &dyn Fn(&Scene) -> Option<Rc<dyn Any>>,
    ) -> (Rc<LayoutKey>, Option<Rc<dyn Any>>) {
        let mut cached = self.layouts.0.borrow_mut();
        let current = cached.take();
        let current = current.filter(|cached| cached.key.matches(self, info));
        let cached = cached.insert(current.unwrap_or_else(|| CachedLayout {
            key: Rc::new(LayoutKey::new(self, info)),
            layout: make(self),
        }));
        (cached.key.clone(), cached.layout.clone())
    }
}

/// The result of a hit test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// A cell of the heatmap.
    Cell { position: usize, dimension: usize },
    /// A cell of the magnified row of pos+k, which selects its column alone; without a position if there is no such row.
    Magnified {
        position: Option<usize>,
        dimension: usize,
    },
    /// A point on the waves of a pair.
    Wave { position: usize, pair: usize },
    /// A pair's clock.
    Clock { pair: usize },
    /// The token at a position.
    Token { position: usize },
    /// The grip of a hand, or of its mark along the positions.
    Grip(Hand),
    /// Any other point of the large dial, and the hand whose tip is nearer to it.
    Dial(Hand),
}

impl Hit {
    /// The pair at the hit, if any.
    pub fn pair(&self, model: &Model) -> Option<usize> {
        match self {
            Hit::Cell { dimension, .. } | Hit::Magnified { dimension, .. } => {
                Some(model.pair_of(*dimension).0)
            }
            Hit::Wave { pair, .. } | Hit::Clock { pair } => Some(*pair),
            Hit::Token { .. } | Hit::Grip(_) | Hit::Dial(_) => None,
        }
    }

    /// The hand whose grip is hit.
    pub fn grip(self) -> Option<Hand> {
        match self {
            Hit::Grip(hand) => Some(hand),
            _ => None,
        }
    }

    /// The cursor over it while no button is pressed; agrees with that of the view's handles in the lesson.
    pub fn cursor(self) -> Cursor {
        match self {
            Hit::Grip(_) => Cursor::Grab,
            _ => Cursor::Crosshair,
        }
    }
}

/// Everything on which the axes layer may depend.
#[derive(PartialEq)]
pub struct AxesKey {
    layout: Rc<LayoutKey>,
    /// As [`View::axes_contents`].
    contents: [f64; 4],
}

impl AxesKey {
    pub fn new<V: View>(scene: &Scene) -> AxesKey {
        // A view may have no layout for an encoding to which it does not apply.
        if !scene.model.shows(V::NAME) {
            let contents = match scene.model.shows_biases(V::NAME) {
                true => biases::axes_contents(scene.model),
                false => [0.0; 4],
            };
            return AxesKey {
                layout: Rc::new(LayoutKey::new(scene, &ViewInfo::of::<V>())),
                contents,
            };
        }
        let (key, layout) = scene.cached::<V>();
        AxesKey {
            layout: key,
            contents: layout.map_or([0.0; 4], |layout| V::axes_contents(scene, &layout)),
        }
    }
}

/// Everything on which a layout may depend: all that a view is drawn from, without pos, k and what moves with them. A view
/// leaves out more only by declaring it, in [`View::NOT_IN_AXES`].
#[derive(PartialEq)]
struct LayoutKey {
    settings: SettingValues,
    context: LayoutContext,
}

#[derive(PartialEq)]
struct LayoutContext {
    view: ViewName,
    /// The pair under the pointer, if it is marked on this layer.
    pointed: Option<usize>,
    /// Whether slow pairs are set apart, and whether the dial is the key of the colours of angles.
    beside_others: (bool, bool),
    /// The table arrives after the state that asks for it.
    table: (bool, bool),
    lang: Lang,
    theme: Theme,
    frame: Frame,
}

/// The constants of a view on which its layout depends, so that one function serves all views.
struct ViewInfo {
    view: ViewName,
    not_in_axes: &'static [SettingId],
    axes_mark_pointed: bool,
}

impl ViewInfo {
    const fn of<V: View>() -> ViewInfo {
        ViewInfo {
            view: V::NAME,
            not_in_axes: V::NOT_IN_AXES,
            axes_mark_pointed: V::AXES_MARK_POINTED,
        }
    }
}

impl LayoutKey {
    fn new(scene: &Scene, info: &ViewInfo) -> LayoutKey {
        let left_out =
            |key| matches!(key, SettingId::Pos | SettingId::K) || info.not_in_axes.contains(&key);
        LayoutKey {
            settings: scene.model.state.settings_without(left_out),
            context: LayoutContext::new(scene, info),
        }
    }

    /// Whether it equals the key that [`LayoutKey::new`] would return.
    fn matches(&self, scene: &Scene, info: &ViewInfo) -> bool {
        self.context == LayoutContext::new(scene, info) && scene.model.state.matches(&self.settings)
    }
}

impl LayoutContext {
    fn new(scene: &Scene, info: &ViewInfo) -> LayoutContext {
        let model = scene.model;
        LayoutContext {
            view: info.view,
            pointed: model.transient.pair.filter(|_| info.axes_mark_pointed),
            beside_others: (
                model.transient.sets_slow_pairs_apart,
                model.transient.beside_others,
            ),
            table: (model.has_table(), model.loading),
            lang: model.lang,
            theme: *scene.theme,
            frame: scene.frame,
        }
    }
}

/// A view of the bench. The `…_if_shown` and `…_or_message` methods handle encodings to which the view does not apply.
pub trait View: Sized {
    const NAME: ViewName;
    /// Settings, besides pos and k, that a drag or zoom changes and that the axes layer does not show.
    const NOT_IN_AXES: &'static [SettingId] = &[];
    /// Whether the axes layer marks the pair under the pointer.
    const AXES_MARK_POINTED: bool = false;
    /// How a grip is dragged.
    const GRIP: DragMode = DragMode::Horizontal;

    /// Where everything is drawn.
    type Layout: 'static;

    /// `None` if there is no room. Depends on nothing that a [`LayoutKey`] leaves out.
    fn layout(scene: &Scene) -> Option<Self::Layout>;

    fn draw_axes_or_message(&self, pen: &Pen, scene: &Scene) {
        if scene.model.shows_biases(Self::NAME) {
            return biases::draw_axes(pen, scene.model, &scene.context(), Self::NAME);
        }
        let Some(message) = words::unavailable_message(scene.model, Self::NAME) else {
            if let Some(layout) = scene.layout::<Self>() {
                self.draw_axes(pen, scene, &layout);
            }
            return;
        };
        let (theme, all) = (scene.theme, Rect::all(scene.frame));
        let size = (1.6 * theme.label_size()).min(all.width / text_style::text_width(message, 1.2));
        let middle = (all.width / 2.0, all.height / 2.0);
        pen.text(middle, message, TextStyle::new(size, theme.muted));
    }

    fn draw_if_shown(&mut self, pen: &Pen, scene: &Scene) {
        if scene.model.shows_biases(Self::NAME) {
            return biases::draw(pen, scene.model, &scene.context(), Self::NAME);
        }
        if let Some(layout) = layout_if_shown::<Self>(scene) {
            self.draw(pen, scene, &layout);
        }
    }

    /// The item at a point, in CSS pixels from the view's top left corner: a grip, if one contains the point.
    fn hit_test_if_shown(&self, scene: &Scene, at: Point) -> Option<Hit> {
        let layout = layout_if_shown::<Self>(scene)?;
        let grips = self.grips(scene, &layout);
        let hand = grips.and_then(|grips| nearest_hand(grips, |grip| grip.contains(at), at));
        let other = || self.hit_test(scene, &layout, at);
        hand.map(Hit::Grip).or_else(other)
    }

    fn handles_if_shown(&self, scene: &Scene) -> Vec<Handle> {
        let Some(layout) = layout_if_shown::<Self>(scene) else {
            return Vec::new();
        };
        let grips = self.grips(scene, &layout).into_iter().flatten();
        let grips = grips.zip([POS, K]).map(|(grip, field)| {
            let handle = Handle::new(grip, Self::GRIP);
            handle.sets(field, Mapping::Custom)
        });
        grips.chain(self.handles(scene, &layout)).collect()
    }

    /// The regions that can be pressed, besides the grips; [`View::hit_test`] returns the item at a point.
    fn handles(&self, scene: &Scene, layout: &Self::Layout) -> Vec<Handle>;

    fn draw_axes(&self, pen: &Pen, scene: &Scene, layout: &Self::Layout);

    /// What the axes layer shows because of pos, k or a setting in [`View::NOT_IN_AXES`].
    fn axes_contents(_scene: &Scene, _layout: &Self::Layout) -> [f64; 4] {
        [0.0; 4]
    }

    fn draw(&mut self, pen: &Pen, scene: &Scene, layout: &Self::Layout);

    /// Where the hands of pos and of pos+k can be grabbed, if they are shown.
    fn grips(&self, _scene: &Scene, _layout: &Self::Layout) -> Option<[Region; 2]> {
        None
    }

    /// The item at a point that is not on a grip.
    fn hit_test(&self, scene: &Scene, layout: &Self::Layout, at: Point) -> Option<Hit>;
}

/// The hand whose grip has its centre nearer to a point, of those that are `within` reach; that of pos if both are as near.
pub fn nearest_hand(
    grips: [Region; 2],
    within: impl Fn(&Region) -> bool,
    at: Point,
) -> Option<Hand> {
    let distance = |grip: &Region| grip.centre().distance(at);
    let hands = grips.iter().zip([Hand::Pos, Hand::Target]);
    let within = hands.filter(|(grip, _)| within(grip));
    let nearest = within.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)));
    nearest.map(|(_, hand)| hand)
}

fn layout_if_shown<V: View>(scene: &Scene) -> Option<Rc<V::Layout>> {
    let shown = scene.model.shows(V::NAME);
    shown.then(|| scene.layout::<V>()).flatten()
}
