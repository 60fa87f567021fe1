//! The meaning of pictures, read from the primitives that draw them: ticks, curves, colours, rotations and labels are
//! compared with numbers computed here, independently of the drawing code. Checks over [`everything`] apply to a new figure
//! without changes.

mod anchors;
mod axes;
mod bars;
mod buckets;
mod by_hand;
mod cells;
mod codes;
mod columns;
mod curves;
mod diagonals;
mod dials;
mod extrapolation;
mod fits;
mod four_terms;
mod helix;
mod inspect;
mod lab;
mod lab_induction;
mod lab_length;
mod learning;
mod marks;
mod order;
mod phase;
mod query;
mod quiz;
mod relative_shift;
mod rotary;
mod side_by_side;
mod strip;
mod wedges;
mod windows;

use crate::recording::{Recording, of_figure, values};
use crate::snapshots::second;
use posenc::figures::{AnyFigure, all};
use posenc::{Lang, Theme, ThemeName};
use std::sync::OnceLock;

/// Every figure with a picture, in two states, wide in English and narrow in Chinese, in the light theme, each with a name
/// of its state. They are drawn once for all tests.
fn everything(mut check: impl FnMut(&str, &Recording)) {
    static PICTURES: OnceLock<Vec<(String, Recording)>> = OnceLock::new();
    for (name, picture) in PICTURES.get_or_init(draw_everything) {
        check(name, picture);
    }
}

fn draw_everything() -> Vec<(String, Recording)> {
    let mut pictures = Vec::new();
    for name in all() {
        for settings in [String::new(), second(name)] {
            let mut previous = None;
            for (lang, width) in [(Lang::En, 720.0), (Lang::Zh, 400.0)] {
                // As on a page when the language changes: long computations are not repeated.
                let values = values(name, &settings);
                let mut shown = AnyFigure::new(name, &values, lang, previous.take()).unwrap();
                while shown.work() {}
                if let Some(picture) = of_figure(&shown, ThemeName::Light, width) {
                    let state = format!("{} {settings} {lang:?} {width}", name.name());
                    pictures.push((state, picture));
                }
                previous = Some(shown);
            }
        }
    }
    pictures
}

fn light() -> &'static Theme {
    Theme::named(ThemeName::Light)
}

fn rgb(colour: plotters::style::RGBColor) -> (u8, u8, u8) {
    (colour.0, colour.1, colour.2)
}
