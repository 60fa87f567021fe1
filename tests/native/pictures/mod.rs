//! What pictures mean, read back from the primitives they are drawn with: ticks, curves, colours,
//! turns and names are held to numbers that are computed here, not to the code that draws them.
//! The checks that run over [`everything`] hold for a new figure without a word about it.

mod ask;
mod axes;
mod bars;
mod buckets;
mod by_hand;
mod cells;
mod codes;
mod curves;
mod diagonals;
mod dials;
mod extrapolation;
mod fits;
mod four_terms;
mod graph;
mod helix;
mod inspect;
mod lab;
mod lab_induction;
mod lab_length;
mod learning;
mod marks;
mod order;
mod phase;
mod quiz;
mod reading;
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

/// Every figure that has a picture, in two states, wide and narrow, in light colours and either language, each with a
/// name that tells which it is. They are drawn once for all tests.
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
                // As on a page whose language is changed: what takes long is not done again.
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
