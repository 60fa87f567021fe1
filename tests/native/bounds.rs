//! No mark of any figure extends beyond the edge of its picture: at usual widths, in both languages and all themes, with the
//! fields at their defaults and at their extremes.

use crate::drawn::extremes;
use crate::recording::of_figure;
use posenc::Values;
use posenc::figures::{AnyFigure, all, fields};
use posenc::{Lang, ThemeName, ViewName};

/// Tolerance for anti-aliasing and for marks that start on the edge, in CSS pixels.
const SLACK: f64 = 2.0;

const WIDTHS: [f64; 4] = [320.0, 390.0, 720.0, 1040.0];
const THEMES: [ThemeName; 3] = [ThemeName::Light, ThemeName::Dark, ThemeName::Projector];
const LANGS: [Lang; 2] = [Lang::En, Lang::Zh];

/// Draws a state at a width; returns the marks outside, each with a name of the state.
fn outside(
    name: ViewName,
    shown: &AnyFigure,
    state: &str,
    (lang, theme, width): (Lang, ThemeName, f64),
) -> Vec<String> {
    let found = of_figure(shown, theme, width).map(|picture| picture.outside(SLACK));
    let what = format!("{} {state} {lang:?} {theme:?} {width}", name.name());
    let found = found.unwrap_or_default().into_iter();
    found.map(|line| format!("{what}: {line}")).collect()
}

#[test]
fn every_figure_stays_inside_as_it_begins() {
    let mut found = Vec::new();
    for name in all() {
        let values = Values::new(fields(name).unwrap());
        for lang in LANGS {
            let shown = AnyFigure::new(name, &values, lang, None).unwrap();
            for theme in THEMES {
                for width in WIDTHS {
                    found.extend(outside(name, &shown, "", (lang, theme, width)));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// One field at an extreme, on a phone and on wider pages.
#[test]
fn every_figure_stays_inside_at_the_extremes_of_its_fields() {
    const LOOKS: [(ThemeName, f64); 4] = [
        (ThemeName::Projector, 320.0),
        (ThemeName::Light, 390.0),
        (ThemeName::Dark, 720.0),
        (ThemeName::Projector, 1040.0),
    ];
    let mut found = Vec::new();
    for name in all() {
        let fields = fields(name).unwrap();
        let start = Values::new(fields);
        for field in fields {
            for text in extremes(field, &start) {
                let mut values = start.clone();
                values.set_any(field.name, &text);
                let state = format!("{}={text}", field.name);
                for lang in LANGS {
                    let shown = AnyFigure::new(name, &values, lang, None).unwrap();
                    for (theme, width) in LOOKS {
                        found.extend(outside(name, &shown, &state, (lang, theme, width)));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
