//! The figures of the bench as figures, each with a small state of its own.

mod arrow_drag;
pub mod formula;
mod heatmap;
pub mod model;
mod rotation;
pub mod view;
mod waves;
pub mod words;

pub use arrow_drag::{Arrow, ArrowDrag};
pub use heatmap::HeatmapView;
pub use model::Model;
pub use rotation::Dials;
pub use view::{BenchFigure, Fingerprint, Scene, Target, View};
pub use waves::WavesView;

use crate::draw::{DrawContext, DrawResult, Pen, Picture, Theme};
use crate::field::settings::{self, D_MODEL, ENCODING, K, MAX_LEN, MEMBER, PAIR, POS};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Pointer, PointerAction};
use crate::text::Lang;
use std::cell::{Cell, RefCell};

/// As the figures that have it call it beside its name.
pub(super) const LAYOUT: Field = settings::LAYOUT.labelled("of dimensions", "维度排列");

/// A view of the bench and the model it shows.
pub struct Bench<V> {
    view: RefCell<V>,
    model: Model,
    /// The arrow that follows the pointer.
    drag: Cell<Option<ArrowDrag>>,
}

pub type Heatmap = Bench<HeatmapView>;
pub type Waves = Bench<WavesView>;
pub type Rotation = Bench<Dials>;

impl<V: View + Default> Bench<V> {
    #[inline(never)]
    fn of(values: &Values, lang: Lang, previous: Option<Self>) -> Self {
        let (view, before, drag) = match previous {
            Some(Bench { view, model, drag }) => (view, Some(model), drag),
            None => (RefCell::default(), None, Cell::default()),
        };
        let model = Model::compute(&values.into(), lang, 0.0, before.as_ref());
        Bench { view, model, drag }
    }

    fn scene<'a>(&'a self, context: &DrawContext<'a>) -> Scene<'a> {
        Scene {
            model: &self.model,
            theme: context.theme,
            colours: context.colours,
            frame: context.frame,
        }
    }

    fn draw_both<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let scene = self.scene(context);
        let mut view = self.view.borrow_mut();
        view.draw_axes_or_words(pen, &scene)?;
        view.draw_or_words(pen, &scene)
    }

    fn select(&self, context: &DrawContext, pointer: Pointer, values: &mut Values) {
        let ((x, y), action) = (pointer.at, pointer.action);
        if action != PointerAction::Drag {
            self.drag.set(None);
        }
        if !matches!(action, PointerAction::Press | PointerAction::Drag) {
            return;
        }
        let scene = self.scene(context);
        if let Some(drag) = self.drag.get() {
            self.turn(drag, Dials::angle(&scene, (x, y)), values);
            return;
        }
        // A drag from beside the handles is none.
        if action == PointerAction::Drag && pointer.held.is_none() {
            return;
        }
        let target = self.view.borrow().target_or_words(&scene, x, y);
        match target {
            Some(Target::Cell {
                position,
                dimension,
            }) => {
                let (pair, member) = self.model.pair_of(dimension);
                values.set_whole("pos", position as i64);
                values.set_whole("pair", pair as i64);
                let cosine = member == posenc_encoding::Member::Cosine;
                values.set("member", if cosine { "cosine" } else { "sine" });
            }
            Some(Target::Wave { position, .. }) => values.set_whole("pos", position as i64),
            Some(Target::Dial { pair }) => values.set_whole("pair", pair as i64),
            Some(Target::Angle(angle)) if action == PointerAction::Press => {
                self.drag.set(ArrowDrag::begin(&self.model, angle));
            }
            Some(Target::Angle(_)) | None => {}
        }
    }

    /// An arrow that is dragged on.
    fn turn(&self, mut drag: ArrowDrag, angle: Option<f64>, values: &mut Values) {
        let (Some(angle), Some(pair)) = (angle, &self.model.pair) else {
            return;
        };
        match drag.to(pair, angle) {
            (Arrow::Here, pos) => values.set_whole("pos", pos),
            (Arrow::There, k) => values.set_whole("k", k),
        }
        self.drag.set(Some(drag));
    }
}

/// A view of the bench as a figure of its own.
pub trait Standalone: View + Default {
    const FIELDS: &'static [Field];
    const ARROWS: [&'static str; 2];

    fn caption(model: &Model) -> String;

    /// The picture's height at a width, both in CSS pixels.
    fn height(width: f64, theme: &Theme) -> f64;
}

impl<V: Standalone> Figure for Bench<V> {
    const NAME: ViewName = V::NAME;
    const FIELDS: &'static [Field] = V::FIELDS;
    const ARROWS: [&'static str; 2] = V::ARROWS;

    fn new(values: &Values, lang: Lang, previous: Option<Self>) -> Self {
        Bench::of(values, lang, previous)
    }

    fn caption(&self) -> String {
        V::caption(&self.model)
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        Some(V::height(width, theme))
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        self.draw_both(pen, context)
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let view = self.view.borrow();
        view.handles_or_words(&self.scene(context))
    }

    fn pointer(&self, context: &DrawContext, pointer: Pointer, values: &mut Values) {
        self.select(context, pointer, values);
    }
}

impl Standalone for HeatmapView {
    const FIELDS: &'static [Field] = &[
        ENCODING.without_control(),
        D_MODEL,
        MAX_LEN,
        K.without_control(),
        POS.without_control(),
        PAIR.without_control(),
        MEMBER.without_control(),
        LAYOUT,
    ];
    const ARROWS: [&'static str; 2] = ["pair", "pos"];

    fn caption(model: &Model) -> String {
        let sentence = words::look_heatmap(model);
        if !model.has_table() {
            return sentence;
        }
        let cell = words::selection(model);
        let cell = match model.lang {
            Lang::En => format!(" Selected: {cell}."),
            Lang::Zh => format!("已选：{cell}。"),
        };
        sentence + &cell
    }

    fn height(width: f64, theme: &Theme) -> f64 {
        (0.62 * width).clamp(260.0, 420.0) * theme.scale
    }
}

impl Standalone for WavesView {
    const FIELDS: &'static [Field] = &[
        ENCODING.without_control(),
        D_MODEL,
        MAX_LEN,
        K.without_control(),
        POS.without_control(),
        PAIR,
    ];
    const ARROWS: [&'static str; 2] = ["pos", "pair"];

    fn caption(model: &Model) -> String {
        words::describe_waves(model)
    }

    fn height(width: f64, theme: &Theme) -> f64 {
        (0.4 * width).clamp(190.0, 280.0) * theme.scale
    }
}

impl Standalone for Dials {
    const FIELDS: &'static [Field] = &[ENCODING.without_control(), D_MODEL, MAX_LEN, K, POS, PAIR];
    const ARROWS: [&'static str; 2] = ["pos", "pair"];

    fn caption(model: &Model) -> String {
        let residual = words::residual(model).unwrap_or_default();
        let gap = match model.lang {
            Lang::En => " ",
            Lang::Zh => "",
        };
        format!("{}{gap}{residual}", words::look_rotation(model))
    }

    fn height(width: f64, theme: &Theme) -> f64 {
        (0.7 * width).clamp(300.0, 400.0) * theme.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Frame;
    use crate::field::ThemeName;

    /// The rotation demo of these settings, worked by hand.
    struct Worked {
        values: Values,
        figure: Option<Rotation>,
    }

    impl Worked {
        fn new(settings: &str) -> Worked {
            let values = Values::with(Rotation::FIELDS, settings);
            let figure = Some(Rotation::new(&values, Lang::En, None));
            Worked { values, figure }
        }

        fn pointer(&mut self, action: PointerAction, angle: f64) {
            let theme = Theme::named(ThemeName::Light);
            let context = DrawContext {
                theme,
                colours: &theme.colour_map(),
                frame: Frame {
                    width: 720.0,
                    height: 400.0,
                    pixels: 1.0,
                    units: 8.0,
                },
            };
            let figure = self.figure.take().unwrap();
            let at = point(&figure, &context, angle);
            let held = None;
            figure.pointer(&context, Pointer { at, action, held }, &mut self.values);
            self.figure = Some(Rotation::new(&self.values, Lang::En, Some(figure)));
        }

        /// Turns the arrow at an angle by as much, in small steps.
        fn turn(&mut self, from: f64, by: f64) {
            self.pointer(PointerAction::Press, from);
            for step in 1..=20 {
                self.pointer(PointerAction::Drag, from + by * f64::from(step) / 20.0);
            }
            self.pointer(PointerAction::Release, from + by);
        }
    }

    /// A point of the dial in this direction from its centre.
    fn point(figure: &Rotation, context: &DrawContext, angle: f64) -> (f64, f64) {
        let view = figure.view.borrow();
        let points = (0..400).flat_map(|y| (0..720).map(move |x| (f64::from(x), f64::from(y))));
        let apart = |&(x, y): &(f64, f64)| match view.target_or_words(&figure.scene(context), x, y)
        {
            Some(Target::Angle(there)) => posenc_encoding::within_half_turns(there - angle).abs(),
            _ => f64::INFINITY,
        };
        points.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap()
    }

    #[test]
    fn either_arrow_can_be_dragged() {
        // d_model = 4: ω = 1/100 for pair 1; pos and pos+k stand at 0.1 and 1 radian.
        let start = "d_model=4 max_len=500 pair=1 pos=10 k=90";
        let mut it = Worked::new(start);
        it.turn(0.1, 0.5);
        assert!((it.values.whole("pos") - 60).abs() <= 1);
        assert_eq!(it.values.whole("k"), 90);

        let mut it = Worked::new(start);
        it.turn(1.0, 0.7);
        assert!((it.values.whole("k") - 160).abs() <= 1);
        assert_eq!(it.values.whole("pos"), 10);

        // More than a whole turn, and back beyond the first position.
        let mut it = Worked::new(start);
        it.turn(1.0, -8.0);
        assert!((it.values.whole("k") + 710).abs() <= 1);
        it.turn(0.1, -2.0);
        assert_eq!(it.values.whole("pos"), 0);
    }

    #[test]
    fn each_figure_has_the_controls_of_what_it_shows() {
        let controls = |fields: &[Field]| {
            let fields = fields.iter().filter(|field| field.control);
            fields.map(|field| field.name).collect::<Vec<_>>()
        };
        assert_eq!(controls(Heatmap::FIELDS), ["d_model", "max_len", "layout"]);
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
