//! The figures of the lesson, in one module per subject. A figure is a file or folder and one line in `figures!` below,
//! which registers it everywhere.

pub mod bench;
mod distance;
mod extrapolation;
mod learning;
#[cfg(test)]
mod links;
mod numbering;
mod order;
#[cfg(test)]
mod projections;
#[cfg(test)]
mod prose;
mod quiz;
#[cfg(test)]
mod readback;
mod relatives;
#[cfg(test)]
mod rounding;
mod shift;
mod table;

pub use learning::learning_curve;

use crate::draw::{DrawContext, Pen, Point, Theme};
use crate::field::{Field, Kind, Values, ViewName};
use crate::figure::{
    ActiveHandle, Arrangement, ComputedTable, Cursor, Displacement, DragMode, Figure, Handle,
    Measurements, OpenedFile, Picture, Pointer, PointerAction, Sound, draw_rings, hit_test,
};
use crate::text::markup::Node;
use crate::text::{Lang, Text};
use std::cell::Cell;

/// Generic wrappers that are never inlined: each figure has functions of its own instead of one large `match` over all
/// figures. Browsers compile a function at its first call, and compiling the code of all figures at once would delay a
/// frame.
mod dispatch {
    use super::*;

    #[inline(never)]
    pub fn new<E: Figure>(values: &Values, lang: Lang, previous: Option<Box<E>>) -> Box<E> {
        Box::new(E::new(values, lang, previous.map(|previous| *previous)))
    }

    #[inline(never)]
    pub fn title(figure: &impl Figure) -> Text {
        figure.title()
    }

    #[inline(never)]
    pub fn caption(figure: &impl Figure) -> String {
        figure.caption()
    }

    #[inline(never)]
    pub fn actions(figure: &impl Figure) -> Option<Node> {
        figure.actions()
    }

    #[inline(never)]
    pub fn more(figure: &impl Figure) -> Option<Node> {
        figure.more()
    }

    #[inline(never)]
    pub fn below(figure: &impl Figure) -> Option<Node> {
        figure.below()
    }

    #[inline(never)]
    fn layout<E: Figure>(figure: &E, context: &DrawContext) -> E::Layout {
        figure.layout(context)
    }

    #[inline(never)]
    fn handles_in<E: Figure>(figure: &E, context: &DrawContext, layout: &E::Layout) -> Vec<Handle> {
        figure.handles(context, layout)
    }

    /// Draws a figure and returns its handles.
    #[inline(never)]
    pub fn draw(figure: &impl Figure, pen: &Pen, context: &DrawContext) -> Vec<Handle> {
        let layout = layout(figure, context);
        figure.draw(pen, context, &layout);
        handles_in(figure, context, &layout)
    }

    pub fn handles(figure: &impl Figure, context: &DrawContext) -> Vec<Handle> {
        handles_in(figure, context, &layout(figure, context))
    }

    #[inline(never)]
    pub fn pointer(
        figure: &impl Figure,
        context: &DrawContext,
        state: &PointerState,
        (at, action): (Point, PointerAction),
        values: &mut Values,
    ) -> Cursor {
        let layout = &layout(figure, context);
        let handles = &handles_in(figure, context, layout);
        let pointer = state.moved(handles, at, action);
        let picture = Picture {
            context,
            layout,
            handles,
        };
        figure.pointer(&picture, pointer, values);
        if action == PointerAction::Release {
            state.pressed.set(None);
        }
        state.cursor(handles, at)
    }
}

macro_rules! figures {
    ($($name:ident $figure:ty;)*) => {
        enum Computed {
            $($name(Box<$figure>),)*
        }

        /// The fields of a figure; `None` if the view is not a figure of the list.
        pub fn fields(name: ViewName) -> Option<&'static [Field]> {
            match name {
                $(ViewName::$name => Some(<$figure>::FIELDS),)*
                _ => None,
            }
        }

        /// The layout of a figure's picture and elements.
        pub fn arrangement(name: ViewName) -> Arrangement {
            match name {
                $(ViewName::$name => <$figure>::ARRANGEMENT,)*
                _ => Arrangement::Stacked,
            }
        }

        /// Whether a figure shows a file that the reader opens.
        pub fn accepts_files(name: ViewName) -> bool {
            match name {
                $(ViewName::$name => <$figure>::ACCEPTS_FILES,)*
                _ => false,
            }
        }

        /// Returns a number that the text of the lesson quotes, from the figure that computes it.
        #[cfg(test)]
        fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
            None$(.or_else(|| <$figure>::lesson_number(name, arguments)))*
        }

        impl AnyFigure {
            /// Computes a figure; `None` if the view is not a figure of the list. `values` must have the figure's
            /// fields.
            pub fn new(
                name: ViewName,
                values: &Values,
                lang: Lang,
                previous: Option<AnyFigure>,
            ) -> Option<AnyFigure> {
                let (previous, pointer) = match previous {
                    Some(AnyFigure { computed, pointer }) => (Some(computed), pointer),
                    None => (None, PointerState::default()),
                };
                let computed = match name {
                    $(ViewName::$name => {
                        let previous = match previous {
                            Some(Computed::$name(figure)) => Some(figure),
                            _ => None,
                        };
                        Computed::$name(dispatch::new(values, lang, previous))
                    })*
                    _ => return None,
                };
                Some(AnyFigure { computed, pointer })
            }

            pub fn name(&self) -> ViewName {
                match &self.computed {
                    $(Computed::$name(_) => <$figure>::NAME,)*
                }
            }
        }

        macro_rules! each {
            ($computed:expr, $each:ident => $call:expr) => {
                match $computed {
                    $(Computed::$name($each) => $call,)*
                }
            };
        }
    };
}

figures! {
    Tokens bench::Tokens;
    Heatmap bench::Heatmap;
    Waves bench::Waves;
    Rotation bench::Rotation;
    Clocks bench::Clocks;
    Ruler table::ruler::Ruler;
    Attention order::attention::Steps;
    Order order::Order;
    ByHand table::by_hand::ByHand;
    Codes numbering::codes::Strips;
    Counter numbering::counter::Counter;
    Corridor numbering::corridor::Corridor;
    Guess numbering::guess::Guess;
    Layouts table::layouts::Layouts;
    Inspect table::inspect::Inspect;
    Derivation shift::derivation::Derivation;
    ShiftMatrix shift::shift_matrix::ShiftMatrix;
    MatrixClocks shift::matrix_clocks::MatrixClocks;
    Helix shift::helix::Helix;
    Compose shift::compose::Compose;
    BreakIt shift::break_it::BreakIt;
    Similarity distance::similarity::Similarity;
    Attend distance::attend::Attend;
    Nearest distance::nearest::Nearest;
    Quiz quiz::Quiz;
    Worksheet quiz::Worksheet;
    PairTurn shift::pair_turn::PairTurn;
    Beyond extrapolation::beyond::Beyond;
    Perplexity extrapolation::perplexity::Perplexity;
    Code table::code::Code;
    Rope relatives::rope::Rope;
    Context relatives::context::Context;
    Alibi relatives::alibi::Alibi;
    FourTerms relatives::four_terms::FourTerms;
    RelativeShift relatives::relative_shift::Shift;
    Buckets relatives::buckets::Buckets;
    SideBySide relatives::side_by_side::SideBySide;
    Learned learning::learned::Learned;
    Trained learning::trained::Trained;
    Whisper learning::whisper::Whisper;
    Lab learning::lab::Lab;
    LabLength learning::lab_length::LabLength;
    LabInduction learning::lab_induction::LabInduction;
    Patches learning::patches::Patches;
    Anchors relatives::anchors::Anchors;
    Strip relatives::strip::Strip;
}

/// Any figure of the list, computed from its values.
pub struct AnyFigure {
    computed: Computed,
    pointer: PointerState,
}

/// The pointer's state with respect to a figure's handles.
#[derive(Default)]
struct PointerState {
    /// The index of the pressed handle.
    pressed: Cell<Option<usize>>,
    /// The hover and drag state of handles with rings: the current one, and the one last drawn.
    active: Cell<ActiveHandle>,
    drawn: Cell<ActiveHandle>,
}

impl PointerState {
    /// Follows a pointer event.
    fn moved(&self, handles: &[Handle], at: Point, action: PointerAction) -> Pointer {
        match action {
            PointerAction::Press => self.pressed.set(hit_test(handles, at)),
            PointerAction::Hover => self.pressed.set(None),
            PointerAction::Drag | PointerAction::Release => {}
        }
        let pressed = self.pressed.get();
        let active = match action {
            PointerAction::Hover | PointerAction::Release => ActiveHandle {
                handle: hit_test(handles, at),
                dragged: None,
            },
            PointerAction::Press | PointerAction::Drag => ActiveHandle {
                handle: pressed,
                dragged: Some(at),
            },
        };
        self.active.set(active.of_rings(handles));
        Pointer {
            at,
            action,
            pressed,
        }
    }

    fn cursor(&self, handles: &[Handle], at: Point) -> Cursor {
        let pressed = self.pressed.get();
        match pressed
            .or_else(|| hit_test(handles, at))
            .and_then(|index| handles.get(index))
        {
            None => Cursor::Default,
            Some(handle) if handle.drag == DragMode::Select => Cursor::Crosshair,
            Some(_) if pressed.is_some() => Cursor::Grabbing,
            Some(_) => Cursor::Grab,
        }
    }
}

impl AnyFigure {
    pub fn title(&self) -> Text {
        each!(&self.computed, it => dispatch::title(&**it))
    }

    pub fn caption(&self) -> String {
        each!(&self.computed, it => dispatch::caption(&**it))
    }

    pub fn actions(&self) -> Option<Node> {
        each!(&self.computed, it => dispatch::actions(&**it))
    }

    pub fn more(&self) -> Option<Node> {
        each!(&self.computed, it => dispatch::more(&**it))
    }

    pub fn below(&self) -> Option<Node> {
        each!(&self.computed, it => dispatch::below(&**it))
    }

    pub fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        each!(&self.computed, it => it.height(width, theme))
    }

    pub fn draw(&self, pen: &Pen, context: &DrawContext) {
        let handles = each!(&self.computed, it => dispatch::draw(&**it, pen, context));
        let active = self.pointer.active.get();
        self.pointer.drawn.set(active);
        draw_rings(pen, context.theme, &handles, active);
    }

    pub fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        each!(&self.computed, it => dispatch::handles(&**it, context))
    }

    /// Handles a pointer event at a point in CSS pixels from the picture's top left corner, and returns the cursor
    /// there. A pressed handle keeps the drag until the release.
    pub fn pointer(
        &self,
        context: &DrawContext,
        at: Point,
        action: PointerAction,
        values: &mut Values,
    ) -> Cursor {
        let (event, state) = ((at, action), &self.pointer);
        each!(&self.computed, it => dispatch::pointer(&**it, context, state, event, values))
    }

    /// Whether a touch that begins here drags a handle in every direction instead of scrolling the page.
    pub fn drags_freely(&self, context: &DrawContext, at: Point) -> bool {
        let handles = self.handles(context);
        hit_test(&handles, at).is_some_and(|index| handles[index].drag == DragMode::Free)
    }

    /// The cursor at a point of the picture.
    pub fn cursor(&self, context: &DrawContext, at: Point) -> Cursor {
        self.pointer.cursor(&self.handles(context), at)
    }

    pub fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        each!(&self.computed, it => it.key(key, shift, values))
    }

    /// What the arrow keys select on the picture, in words such as "position 10, pair 4"; `None` if they change nothing.
    pub fn selected(&self, values: &Values, lang: Lang) -> Option<String> {
        let mut moved = Vec::new();
        for key in ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"] {
            let mut after = values.clone();
            if self.key(key, false, &mut after) {
                moved.push(after);
            }
        }
        let fields = values.fields().iter().filter(|field| {
            let text = values.text(field.name);
            moved.iter().any(|after| after.text(field.name) != text)
        });
        let words: Vec<_> = fields
            .filter_map(|field| {
                let text = values.text(field.name);
                let value = match &field.kind {
                    Kind::Toggle(_) => return None,
                    Kind::Choice(choices) => {
                        let (_, label) = choices.iter().find(|(value, _)| *value == text)?;
                        label.get(lang).to_string()
                    }
                    _ => text,
                };
                Some(format!("{} {value}", field.label.get(lang)))
            })
            .collect();
        let comma = match lang {
            Lang::En => ", ",
            Lang::Zh => "，",
        };
        (!moved.is_empty()).then(|| words.join(comma))
    }

    pub fn act(&self, action: &str, value: &str, values: &mut Values) {
        each!(&self.computed, it => it.act(action, value, values));
    }

    pub fn work(&mut self) -> bool {
        each!(&mut self.computed, it => it.work())
    }

    pub fn animate(&mut self, progress: f64) -> bool {
        each!(&mut self.computed, it => it.animate(progress))
    }

    pub fn held(&self) -> Displacement {
        each!(&self.computed, it => it.held())
    }

    /// Takes out of a drag what it moves of fields that are `locked`: only values are reverted.
    pub fn hold_locked(&self, context: &DrawContext, locked: &dyn Fn(&str) -> bool) {
        let active = &self.pointer.active;
        active.set(active.get().without(&self.handles(context), locked));
        let held = self.held().without(locked);
        each!(&self.computed, it => it.hold(held));
    }

    pub fn displace(&mut self, displacement: Displacement) -> bool {
        each!(&mut self.computed, it => it.displace(displacement))
    }

    pub fn animation_duration(&self) -> f64 {
        each!(&self.computed, it => it.animation_duration())
    }

    pub fn needs_redraw(&self) -> bool {
        let touched = self.pointer.active != self.pointer.drawn;
        touched || each!(&self.computed, it => it.needs_redraw())
    }

    pub fn shows_progress(&self) -> bool {
        fn watched<E: Figure>(_: &E) -> bool {
            E::SHOWS_PROGRESS
        }
        each!(&self.computed, it => watched(&**it))
    }

    pub fn set_file(&mut self, file: Option<&OpenedFile>) {
        each!(&mut self.computed, it => it.set_file(file));
    }

    pub fn table(&self) -> Option<ComputedTable> {
        each!(&self.computed, it => it.table())
    }

    pub fn measurements(&self) -> Option<Measurements> {
        each!(&self.computed, it => it.measurements())
    }

    pub fn copied(&self) -> Option<String> {
        each!(&self.computed, it => it.copied())
    }

    pub fn sound(&self) -> Option<Sound> {
        each!(&self.computed, it => it.sound())
    }

    pub fn bench_settings(&self, values: &Values) -> Vec<(&'static str, String)> {
        each!(&self.computed, it => it.bench_settings(values))
    }
}

/// The names of all figures.
pub fn all() -> impl Iterator<Item = ViewName> {
    ViewName::ALL
        .iter()
        .copied()
        .filter(|name| fields(*name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_the_lesson_is_in_the_list() {
        for &name in ViewName::ALL {
            let listed = fields(name).is_some();
            assert!(listed || name.is_of_bench(), "{}", name.name());
            if let Some(fields) = fields(name) {
                let shown = AnyFigure::new(name, &Values::new(fields), Lang::En, None);
                assert_eq!(shown.unwrap().name(), name);
            }
        }
    }
}
