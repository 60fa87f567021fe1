//! The figures of the lesson. Each is one file: its settings as a list of [`Field`]s, everything it
//! shows computed from their values, a picture, and elements around the picture. An exhibit never
//! knows where it is shown; one line in the list below puts it everywhere.

mod alibi;
mod all_positions;
mod anchors;
mod bench;
mod beyond;
mod bias;
mod break_it;
mod buckets;
mod by_hand;
pub mod chart;
mod code;
mod codes;
mod compose;
mod context;
mod controls;
mod corridor;
mod counter;
mod derivation;
mod dial;
mod four_terms;
mod guess;
mod layouts;
mod learned;
#[cfg(test)]
mod links;
mod near_collisions;
mod nearest;
mod offsets;
mod order;
mod pair_turn;
mod patches;
mod perplexity;
mod precision;
mod projections;
mod properties;
#[cfg(test)]
mod prose;
mod quiz;
mod readback;
mod relative_shift;
mod rope;
mod ruler;
mod scaling;
mod shift_matrix;
mod side_by_side;
mod similarity;
mod strip;
mod trained;
mod values;

pub use controls::{Offer, controls, from_slider, left_by};
pub use values::{Field, Kind, Place, Values};

use crate::lang::Lang;
use crate::markup::Node;
use crate::matrix::Matrix;
use crate::order::Between;
use crate::settings::ViewName;
use crate::theme::{ColourMap, Theme};
use crate::view::{Drawn, Frame, Pen, Picture};
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;

/// What a picture is drawn with.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    pub theme: &'a Theme,
    pub colours: &'a ColourMap,
    pub frame: Frame,
}

/// What a pointer does at a point of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// It moves about without being pressed.
    Over,
    Down,
    /// It moves while pressed.
    Drag,
    Up,
}

/// A figure of the lesson, computed from its values.
pub trait Exhibit: Sized {
    const NAME: ViewName;
    const FIELDS: &'static [Field];
    /// The whole numbers that the left and right keys change, and the up and down keys; empty
    /// where they change nothing.
    const ARROWS: [&'static str; 2] = ["", ""];

    /// Computes everything that is shown, within a few milliseconds; what takes longer is left to
    /// [`Exhibit::work`]. `previous` is the same exhibit before the change, for what can be kept.
    fn new(values: &Values, lang: Lang, previous: Option<Self>) -> Self;

    /// What is to be seen in this state, in a sentence or two with their numbers.
    fn caption(&self) -> String;

    /// Elements above the picture.
    fn above(&self) -> Option<Node> {
        None
    }

    /// Elements below the picture.
    fn below(&self) -> Option<Node> {
        None
    }

    /// The picture's height at a width, both in CSS pixels; `None` for an exhibit without a picture.
    fn height(&self, width: f64, theme: &Theme) -> Option<f64>;

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, look: &Look) -> Drawn<DB>;

    /// A pointer at a point of the picture, in CSS pixels from its top left corner.
    fn hand(&self, _look: &Look, _at: (f64, f64), _hand: Hand, _values: &mut Values) {}

    /// Whether a finger that comes down here takes hold of what follows it in every direction, in place of scrolling
    /// the page.
    fn grips(&self, _look: &Look, _at: (f64, f64)) -> bool {
        false
    }

    /// A key pressed on the picture, named as browsers name it; false if it means nothing there.
    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        arrows(Self::ARROWS, key, shift, values)
    }

    /// An element with `data-do="action"` and this `value` was pressed; one with `data-over` was
    /// reached by pointer or focus.
    fn act(&self, _action: &str, _value: &str, _values: &mut Values) {}

    /// Does a few milliseconds of the work that takes longer; true while there is more.
    fn work(&mut self) -> bool {
        false
    }

    /// Its work is there to be watched: a picture shows how far it is, not how it ends.
    const WATCHED: bool = false;

    /// A table of numbers that the exhibit has made itself, where it is about one.
    fn table(&self) -> Option<Made> {
        None
    }

    /// What the button that copies puts on the clipboard.
    fn copied(&self) -> Option<String> {
        None
    }

    /// What is to be heard, while it is.
    fn sound(&self) -> Option<Sound> {
        None
    }

    /// The settings that show the same on the bench.
    fn on_bench(&self, values: &Values) -> Vec<(&'static str, String)> {
        values.for_bench()
    }
}

/// A table that an exhibit has made, and how, as names and values.
#[derive(Clone, Debug)]
pub struct Made {
    pub table: Matrix<f64>,
    pub how: Vec<(&'static str, String)>,
}

/// Tones as pairs of frequency in hertz and loudness in 0 … 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    pub tones: Vec<(f64, f64)>,
    /// 0 … 1.
    pub volume: f64,
}

fn arrows([across, down]: [&str; 2], key: &str, shift: bool, values: &mut Values) -> bool {
    let step = if shift { 10 } else { 1 };
    let (name, by) = match key {
        "ArrowLeft" => (across, -step),
        "ArrowRight" => (across, step),
        "ArrowUp" => (down, -step),
        "ArrowDown" => (down, step),
        "Home" => (across, i64::MIN),
        "End" => (across, i64::MAX),
        _ => return false,
    };
    if !values.has(name) {
        return false;
    }
    let (low, high) = values.limits(name);
    let value = values.whole(name).saturating_add(by).between(low, high);
    values.set_whole(name, value);
    true
}

/// A function for each exhibit where a match would be one for all: browsers compile a function when
/// it is first called, and a frame that waits for all figures to be compiled is a long one.
mod apart {
    use super::*;

    #[inline(never)]
    pub fn new<E: Exhibit>(values: &Values, lang: Lang, previous: Option<Box<E>>) -> Box<E> {
        Box::new(E::new(values, lang, previous.map(|previous| *previous)))
    }

    #[inline(never)]
    pub fn caption(exhibit: &impl Exhibit) -> String {
        exhibit.caption()
    }

    #[inline(never)]
    pub fn above(exhibit: &impl Exhibit) -> Option<Node> {
        exhibit.above()
    }

    #[inline(never)]
    pub fn below(exhibit: &impl Exhibit) -> Option<Node> {
        exhibit.below()
    }

    #[inline(never)]
    pub fn draw<DB: Picture>(exhibit: &impl Exhibit, pen: &Pen<DB>, look: &Look) -> Drawn<DB> {
        exhibit.draw(pen, look)
    }
}

macro_rules! exhibits {
    ($($name:ident $exhibit:ty;)*) => {
        /// An exhibit of the list, computed.
        pub enum Shown {
            $($name(Box<$exhibit>),)*
        }

        /// The fields of an exhibit; `None` for what is no exhibit.
        pub fn fields(name: ViewName) -> Option<&'static [Field]> {
            match name {
                $(ViewName::$name => Some(<$exhibit>::FIELDS),)*
                _ => None,
            }
        }

        impl Shown {
            /// `None` for what is no exhibit. The values must be of its fields.
            pub fn new(
                name: ViewName,
                values: &Values,
                lang: Lang,
                previous: Option<Shown>,
            ) -> Option<Shown> {
                match name {
                    $(ViewName::$name => {
                        let previous = match previous {
                            Some(Shown::$name(exhibit)) => Some(exhibit),
                            _ => None,
                        };
                        Some(Shown::$name(apart::new(values, lang, previous)))
                    })*
                    _ => None,
                }
            }

            pub fn name(&self) -> ViewName {
                match self {
                    $(Shown::$name(_) => <$exhibit>::NAME,)*
                }
            }
        }

        macro_rules! each {
            ($shown:expr, $each:ident => $call:expr) => {
                match $shown {
                    $(Shown::$name($each) => $call,)*
                }
            };
        }
    };
}

exhibits! {
    Heatmap bench::Heatmap;
    Waves bench::Waves;
    Rotation bench::Rotation;
    Ruler ruler::Ruler;
    Order order::Order;
    ByHand by_hand::ByHand;
    Scaling scaling::Scaling;
    Codes codes::Strips;
    Counter counter::Counter;
    Corridor corridor::Corridor;
    Guess guess::Guess;
    Layouts layouts::Layouts;
    Derivation derivation::Derivation;
    ShiftMatrix shift_matrix::ShiftMatrix;
    AllPositions all_positions::AllPositions;
    Compose compose::Compose;
    BreakIt break_it::BreakIt;
    Similarity similarity::Similarity;
    Projections projections::Projections;
    Nearest nearest::Nearest;
    NearCollisions near_collisions::NearCollisions;
    Quiz quiz::Quiz;
    PairTurn pair_turn::PairTurn;
    Bias bias::Bias;
    Beyond beyond::Beyond;
    Perplexity perplexity::Perplexity;
    ReadBack readback::ReadBack;
    Code code::Code;
    Precision precision::Precision;
    Rope rope::Rope;
    Context context::Context;
    Alibi alibi::Alibi;
    FourTerms four_terms::FourTerms;
    RelativeShift relative_shift::Shift;
    Buckets buckets::Buckets;
    SideBySide side_by_side::SideBySide;
    Properties properties::Properties;
    Learned learned::Learned;
    Trained trained::Trained;
    Patches patches::Patches;
    Anchors anchors::Anchors;
    Strip strip::Strip;
}

impl Shown {
    pub fn caption(&self) -> String {
        each!(self, it => apart::caption(&**it))
    }

    pub fn above(&self) -> Option<Node> {
        each!(self, it => apart::above(&**it))
    }

    pub fn below(&self) -> Option<Node> {
        each!(self, it => apart::below(&**it))
    }

    pub fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        each!(self, it => it.height(width, theme))
    }

    pub fn draw<DB: Picture>(&self, area: &DrawingArea<DB, Shift>, look: &Look) -> Drawn<DB> {
        let pen = Pen::new(area, look.frame);
        each!(self, it => apart::draw(&**it, &pen, look))
    }

    pub fn hand(&self, look: &Look, at: (f64, f64), hand: Hand, values: &mut Values) {
        each!(self, it => it.hand(look, at, hand, values))
    }

    pub fn grips(&self, look: &Look, at: (f64, f64)) -> bool {
        each!(self, it => it.grips(look, at))
    }

    pub fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        each!(self, it => it.key(key, shift, values))
    }

    /// What the arrow keys select on the picture, in words such as "position 10, pair 4"; `None` where they mean nothing.
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
        each!(self, it => it.act(action, value, values))
    }

    pub fn work(&mut self) -> bool {
        each!(self, it => it.work())
    }

    pub fn is_watched(&self) -> bool {
        fn watched<E: Exhibit>(_: &E) -> bool {
            E::WATCHED
        }
        each!(self, it => watched(&**it))
    }

    pub fn table(&self) -> Option<Made> {
        each!(self, it => it.table())
    }

    pub fn copied(&self) -> Option<String> {
        each!(self, it => it.copied())
    }

    pub fn sound(&self) -> Option<Sound> {
        each!(self, it => it.sound())
    }

    pub fn on_bench(&self, values: &Values) -> Vec<(&'static str, String)> {
        each!(self, it => it.on_bench(values))
    }
}

/// All that can be shown as an exhibit.
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
                let shown = Shown::new(name, &Values::new(fields), Lang::En, None);
                assert_eq!(shown.unwrap().name(), name);
            }
        }
    }
}
