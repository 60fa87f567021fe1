//! Pictures for an audience: within the height of the window, with type of 22 px, and with nothing beyond their edges.

use crate::drawn::extremes;
use crate::recording::{Mark, of_look};
use posenc::Values;
use posenc::figures::{AnyFigure, all, arrangement, fields};
use posenc::{Lang, Theme, ThemeName, ViewName};

/// The type scale in the projector view relative to the theme's own (src/web/bench/tabs.rs).
const LARGE: f64 = 1.9 / 1.3;
/// Tolerance for anti-aliasing and for marks that start on the edge, in CSS pixels.
const SLACK: f64 = 2.0;
/// Widths of pictures in a lesson of 1280 px and alone, in CSS pixels.
const WIDTHS: [f64; 2] = [1140.0, 1225.0];
/// Heights available for a picture, in CSS pixels: in a window of 720 px, the same beside a row of buttons and text below
/// (the smallest), and in a window of 1080 px.
const HEIGHTS: [f64; 3] = [490.0, 380.0, 790.0];
/// The height in label sizes that a picture may have whatever the limit.
const MIN_HEIGHT: f64 = 25.5;

fn look(max_height: f64) -> Theme {
    Theme::customised(ThemeName::Projector, LARGE, None).with_max_height(max_height)
}

/// The widths of pictures, each with every available height.
fn rooms() -> impl Iterator<Item = (f64, f64)> {
    WIDTHS
        .into_iter()
        .flat_map(|width| HEIGHTS.map(|height| (width, height)))
}

/// A figure in English in its initial state.
fn opened(name: ViewName) -> AnyFigure {
    let values = Values::new(fields(name).unwrap());
    AnyFigure::new(name, &values, Lang::En, None).unwrap()
}

fn every(mut look_at: impl FnMut(&str, &AnyFigure)) {
    for name in all() {
        let start = Values::new(fields(name).unwrap());
        let mut states = vec![(String::new(), start.clone())];
        for field in fields(name).unwrap() {
            for text in extremes(field, &start) {
                let mut values = start.clone();
                values.set_any(field.name, &text);
                states.push((format!("{}={text}", field.name), values));
            }
        }
        for lang in [Lang::En, Lang::Zh] {
            for (state, values) in &states {
                let shown = AnyFigure::new(name, values, lang, None).unwrap();
                look_at(&format!("{} {state} {lang:?}", name.name()), &shown);
            }
        }
    }
}

#[test]
fn nothing_stands_over_the_edge_of_a_picture_that_has_to_be_low() {
    let mut found = Vec::new();
    every(|what, shown| {
        for (width, max_height) in rooms() {
            let picture = of_look(shown, &look(max_height), width);
            let outside = picture.map(|picture| picture.outside(SLACK));
            for line in outside.unwrap_or_default() {
                found.push(format!("{what} {width}×{max_height}: {line}"));
            }
        }
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn pictures_are_as_low_as_they_are_asked_to_be() {
    let mut found = Vec::new();
    for name in all() {
        let shown = opened(name);
        for (width, max_height) in rooms() {
            let theme = look(max_height);
            let width = arrangement(name).beside(width, &theme).unwrap_or(width);
            let height = shown.height(width, &theme).unwrap_or_default();
            let most = max_height.max(MIN_HEIGHT * theme.label_size());
            if height > most + 1.0 {
                let sizes = height / theme.label_size();
                found.push(format!(
                    "{} {width}×{max_height}: {height} px, {sizes} sizes",
                    name.name()
                ));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn their_type_is_read_from_afar() {
    let mut found = Vec::new();
    for name in all() {
        let shown = opened(name);
        let (mut all, mut small) = (0, Vec::new());
        for width in WIDTHS {
            for mark in of_look(&shown, &look(490.0), width).map_or(vec![], |picture| picture.marks)
            {
                if let Mark::Words(words) = mark {
                    all += 1;
                    if words.size < 21.9 {
                        small.push(format!("{} {}", words.text, words.size));
                    }
                }
            }
        }
        if small.len() * 20 > all {
            found.push(format!(
                "{}: {} of {all}: {small:?}",
                name.name(),
                small.len()
            ));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
