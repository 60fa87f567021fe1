//! The bench's views with their model and texts, and the same views as standalone figures with a small state of their
//! own.

mod bench_figure;
mod bias_window;
mod biases;
pub(super) mod clock_wall;
mod clocks;
mod columns;
pub mod descriptions;
mod drawn;
pub mod formula;
mod heatmap;
mod keys;
pub mod model;
mod points;
mod rotation;
mod rotation_dial;
mod standalone;
mod tokens;
pub mod view;
mod view_drag;
mod waves;
pub mod words;

pub use bench_figure::BenchFigure;
pub use clocks::Clocks;
pub use heatmap::{Grain, HeatmapView};
pub use keys::{select_by_key, selected_dimension};
pub use model::{Hand, Model, Transient};
pub use rotation::RotationView;
use standalone::Standalone;
pub use tokens::TokensView;
pub use view::{AxesKey, Hit, LayoutCache, Placed, Scene, View};
pub use view_drag::ViewDrag;
pub use waves::WavesView;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::settings::K;
use crate::field::{Field, Key, Values, ViewName};
use crate::figure::{
    Displacement, Figure, Handle, Picture, Pointer, PointerAction, apply_pointer, plus_and_minus,
};
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use std::cell::{Cell, RefCell};

/// A view of the bench as a figure, with the model that it shows.
pub struct ViewFigure<V> {
    view: RefCell<V>,
    layouts: LayoutCache,
    placed: Placed,
    model: Model,
    drag: Cell<Option<ViewDrag>>,
    transient: Cell<Transient>,
}

pub type Tokens = ViewFigure<TokensView>;
pub type Heatmap = ViewFigure<HeatmapView>;
pub type Waves = ViewFigure<WavesView>;
pub type Rotation = ViewFigure<RotationView>;

impl<V: View + Default> ViewFigure<V> {
    #[inline(never)]
    fn of(values: &Values, lang: Lang, previous: Option<Self>) -> Self {
        let (view, layouts, placed, before, drag, transient) = match previous {
            Some(ViewFigure {
                view,
                layouts,
                placed,
                model,
                drag,
                transient,
                ..
            }) => (view, layouts, placed, Some(model), drag, transient),
            None => Default::default(),
        };
        let model = Model::compute(&values.into(), lang, transient.get(), before.as_ref());
        ViewFigure {
            view,
            layouts,
            placed,
            model,
            drag,
            transient,
        }
    }

    fn scene<'a>(&'a self, context: &DrawContext<'a>) -> Scene<'a> {
        Scene {
            model: &self.model,
            theme: context.theme,
            colours: context.colours,
            frame: context.frame,
            layouts: self.layouts.clone(),
            placed: self.placed.clone(),
        }
    }

    fn draw_layers(&self, pen: &Pen, context: &DrawContext) {
        let scene = self.scene(context);
        // A picture at rest, such as a saved one, does not depend on those before.
        if self.model.rests() {
            scene.placed.iter().for_each(|kept| kept.set(None));
        }
        let mut view = self.view.borrow_mut();
        view.draw_axes_or_message(pen, &scene);
        view.draw_if_shown(pen, &scene);
    }

    fn handle_pointer(&self, context: &DrawContext, pointer: Pointer, values: &mut Values) {
        let (at, action) = (pointer.at, pointer.action);
        let scene = self.scene(context);
        let view = self.view.borrow();
        let hit = view.hit_test_if_shown(&scene, at);
        if action != PointerAction::Drag {
            self.drag.set(None);
            self.transient.set(Transient {
                hand: hit
                    .and_then(Hit::grip)
                    .filter(|_| action != PointerAction::Release),
                pair: hit.and_then(|hit| hit.pair(&self.model)),
                ..Transient::default()
            });
        }
        match action {
            PointerAction::Press => {
                let drag = ViewDrag::begin(&scene, V::NAME, hit, at, values);
                self.drag.set(drag);
                self.transient.set(Transient {
                    tokens_around: drag.and_then(|drag| drag.tokens_around),
                    ..self.transient.get()
                });
            }
            PointerAction::Drag => {
                let drag = self.drag.get();
                // A drag that started outside all handles selects nothing.
                let selects = |drag: &ViewDrag| drag.hand().is_some() || pointer.pressed.is_some();
                if let Some(mut drag) = drag.filter(selects) {
                    let transient = drag.drag(&scene, hit, at, values);
                    self.transient.set(transient);
                    self.drag.set(Some(drag));
                }
            }
            _ => {}
        }
    }
}

impl<V: Standalone> Figure for ViewFigure<V> {
    const NAME: ViewName = V::NAME;
    const FIELDS: &'static [Field] = V::FIELDS;
    const PLUS_AND_MINUS: Option<Key<i64>> = match V::NAME {
        ViewName::Heatmap => None,
        _ => Some(K),
    };

    type Layout = ();

    fn new(values: &Values, lang: Lang, previous: Option<Self>) -> Self {
        ViewFigure::of(values, lang, previous)
    }

    fn title(&self) -> Text {
        V::title(&self.model)
    }

    fn caption(&self) -> String {
        V::caption(&self.model)
    }

    fn below(&self) -> Option<Node> {
        V::equation(&self.model)
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(V::height(width, theme))
    }

    fn layout(&self, _: &DrawContext) {}

    fn draw(&self, pen: &Pen, context: &DrawContext, _: &()) {
        self.draw_layers(pen, context);
    }

    fn handles(&self, context: &DrawContext, _: &()) -> Vec<Handle> {
        let view = self.view.borrow();
        view.handles_if_shown(&self.scene(context))
    }

    fn pointer(&self, picture: &Picture<()>, pointer: Pointer, values: &mut Values) {
        let pressed = pointer.pressed.and_then(|index| picture.handles.get(index));
        // A handle with a ring sets its field by its mapping.
        if pressed.is_some_and(|handle| handle.ring.is_some()) {
            apply_pointer(picture.handles, pointer, values);
        } else {
            self.handle_pointer(picture.context, pointer, values);
        }
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        select_by_key(V::NAME, key, shift, &self.model, values)
            || plus_and_minus(Self::PLUS_AND_MINUS, key, values)
    }

    fn displace(&mut self, displacement: Displacement) -> bool {
        self.model.transient.displacement = displacement;
        true
    }

    fn held(&self) -> Displacement {
        self.transient.get().displacement
    }

    fn hold(&self, displacement: Displacement) {
        self.transient.set(Transient {
            displacement,
            ..self.transient.get()
        });
    }

    fn needs_redraw(&self) -> bool {
        self.transient.get() != self.model.transient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{ColourMap, Frame, Point};
    use crate::field::ThemeName;
    use crate::field::settings::POS;
    use crate::figure::pass_pointer;

    /// A rotation figure operated by simulated pointer events.
    struct Worked {
        values: Values,
        figure: Option<Rotation>,
        /// Points of the dial, each with its direction from the centre.
        dial: Vec<(Point, f64)>,
    }

    impl Worked {
        fn new(settings: &str) -> Worked {
            let values = Values::with(Rotation::FIELDS, settings);
            let figure = Rotation::new(&values, Lang::En, None);
            let dial = points_of_the_dial(&figure);
            let figure = Some(figure);
            Worked {
                values,
                figure,
                dial,
            }
        }

        /// The point of the dial whose direction from the centre is nearest to this angle.
        fn point(&self, angle: f64) -> Point {
            let apart = |there: f64| posenc_encoding::wrap_to_pi(there - angle).abs();
            let nearer = |a: &&(Point, f64), b: &&(Point, f64)| apart(a.1).total_cmp(&apart(b.1));
            self.dial.iter().min_by(nearer).unwrap().0
        }

        fn pointer(&mut self, action: PointerAction, angle: f64) {
            let theme = Theme::named(ThemeName::Light);
            let colours = theme.colour_map();
            let context = worked_context(theme, &colours);
            let figure = self.figure.take().unwrap();
            let at = self.point(angle);
            let pointer = Pointer {
                at,
                action,
                pressed: None,
            };
            pass_pointer(&figure, &context, pointer, &mut self.values);
            self.figure = Some(Rotation::new(&self.values, Lang::En, Some(figure)));
        }

        /// Drags the hand at the angle `from` through the angle `by`, in small steps.
        fn turn(&mut self, from: f64, by: f64) {
            self.pointer(PointerAction::Press, from);
            for step in 1..=20 {
                self.pointer(PointerAction::Drag, from + by * f64::from(step) / 20.0);
            }
            self.pointer(PointerAction::Release, from + by);
        }
    }

    fn worked_context<'a>(theme: &'a Theme, colours: &'a ColourMap) -> DrawContext<'a> {
        DrawContext {
            theme,
            colours,
            frame: Frame {
                width: 720.0,
                height: 400.0,
                pixels: 1.0,
                units: 8.0,
            },
        }
    }

    fn points_of_the_dial(figure: &Rotation) -> Vec<(Point, f64)> {
        let theme = Theme::named(ThemeName::Light);
        let colours = theme.colour_map();
        let context = worked_context(theme, &colours);
        let view = figure.view.borrow();
        let scene = figure.scene(&context);
        let point = |x: u32, y: u32| Point::new(f64::from(2 * x), f64::from(2 * y));
        let points = (0..200).flat_map(|y| (0..360).map(move |x| point(x, y)));
        let on_the_dial = |at: Point| match view.hit_test_if_shown(&scene, at) {
            Some(Hit::Grip(_) | Hit::Dial(_)) => Some((at, RotationView::angle(&scene, at)?)),
            _ => None,
        };
        points.filter_map(on_the_dial).collect()
    }

    #[test]
    fn either_arrow_can_be_dragged() {
        // d_model = 4: ω = 1/100 for pair 1; pos and pos+k stand at 0.1 and 1 radian.
        let start = "d_model=4 max_len=500 pair=1 pos=10 k=90";
        let mut it = Worked::new(start);
        it.turn(0.1, 0.5);
        assert!((it.values.get(POS) - 60).abs() <= 1);
        assert_eq!(it.values.get(K), 90);

        let mut it = Worked::new(start);
        it.turn(1.0, 0.7);
        assert!((it.values.get(K) - 160).abs() <= 1);
        assert_eq!(it.values.get(POS), 10);

        // More than a full turn, and back beyond the first position.
        let mut it = Worked::new(start);
        it.turn(1.0, -8.0);
        assert!((it.values.get(K) + 710).abs() <= 1);
        it.turn(0.1, -2.0);
        assert_eq!(it.values.get(POS), 0);
    }

    #[test]
    fn a_hand_that_is_being_dragged_stays_under_the_pointer() {
        // ω = 1/100 for pair 1: 0.004 radians are less than half a position.
        let mut it = Worked::new("d_model=4 max_len=500 pair=1 pos=10 k=90");
        it.pointer(PointerAction::Press, 0.1);
        it.pointer(PointerAction::Drag, 0.104);
        let figure = it.figure.as_ref().unwrap();
        let shown = figure.model.hand_pos();
        assert!((shown - 10.4).abs() < 0.3, "it is shown at {shown}");
        assert_eq!(figure.held().pos.left, shown - 10.0);
        assert!(!figure.needs_redraw());
        it.pointer(PointerAction::Release, 0.104);
        let figure = it.figure.as_ref().unwrap();
        assert_eq!(figure.model.hand_pos(), 10.0);
    }

    #[test]
    fn the_pair_under_the_pointer_is_pointed_out() {
        let mut values = Values::with(Heatmap::FIELDS, "d_model=16");
        let theme = Theme::named(ThemeName::Light);
        let colours = theme.colour_map();
        let context = &worked_context(theme, &colours);
        let heatmap = Heatmap::new(&values, Lang::En, None);
        let mut pair = |x: f64| {
            let pointer = Pointer {
                at: Point::new(x, 200.0),
                action: PointerAction::Hover,
                pressed: None,
            };
            pass_pointer(&heatmap, context, pointer, &mut values);
            heatmap.transient.get().pair
        };
        let pairs: Vec<_> = (0..72).filter_map(|x| pair(10.0 * f64::from(x))).collect();
        assert_eq!((pairs[0], *pairs.last().unwrap()), (0, 7));
        assert!(pairs.is_sorted());
        assert_eq!(pair(-9.0), None);
    }

    #[test]
    fn what_is_under_the_pointer_asks_for_another_picture() {
        let mut it = Worked::new("d_model=4 max_len=500 pair=1 pos=10 k=90");
        let theme = Theme::named(ThemeName::Light);
        let colours = theme.colour_map();
        let context = &worked_context(theme, &colours);
        let figure = it.figure.as_ref().unwrap();
        assert!(!figure.needs_redraw());
        let scene = figure.scene(context);
        let [hand, _] = RotationView::dial(&scene).unwrap().1;
        let hover = |at| Pointer {
            at,
            action: PointerAction::Hover,
            pressed: None,
        };
        pass_pointer(figure, context, hover(hand), &mut it.values);
        assert!(figure.needs_redraw());
        pass_pointer(
            figure,
            context,
            hover(Point::new(-9.0, -9.0)),
            &mut it.values,
        );
        assert!(!figure.needs_redraw());
    }

    #[test]
    fn each_figure_has_the_controls_of_what_it_shows() {
        let controls = |fields: &[Field]| {
            let fields = fields.iter().filter(|field| field.control);
            fields.map(|field| field.name).collect::<Vec<_>>()
        };
        assert_eq!(
            controls(Heatmap::FIELDS),
            ["d_model", "max_len", "layout", "colour"]
        );
        assert_eq!(controls(Waves::FIELDS), ["d_model", "max_len", "pair"]);
        assert_eq!(
            controls(Rotation::FIELDS),
            ["d_model", "max_len", "k", "pos", "pair"]
        );
    }

    #[test]
    fn nothing_is_dragged_after_the_hand_is_lifted() {
        let mut it = Worked::new("d_model=4 max_len=500 pair=1 pos=10 k=90");
        it.turn(0.1, 0.2);
        let before = it.values.clone();
        it.pointer(PointerAction::Drag, 2.0);
        it.pointer(PointerAction::Hover, 3.0);
        assert_eq!(it.values, before);
    }
}
