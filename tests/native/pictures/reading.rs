//! Word and position recovered from their sum: the chart shows the values of the caption, and random vectors are as close to
//! orthogonal as theory predicts.

use super::axes::{charts, number};
use super::curves::dots;
use super::query::from_curve;
use super::{light, rgb};
use crate::recording::{Recording, of_figure, values};
use posenc::figures::AnyFigure;
use posenc::{Lang, ThemeName, ViewName};
use std::f64::consts::PI;

/// Calls with the figure at every width and its caption; the fits are computed once.
fn at_every_width(mut check: impl FnMut(usize, &Recording, &str)) {
    let mut shown: Option<AnyFigure> = None;
    for index in 0..9 {
        let d = 4 << index;
        let values = values(ViewName::ReadBack, &format!("d_model={d}"));
        let mut next = AnyFigure::new(ViewName::ReadBack, &values, Lang::En, shown).unwrap();
        while next.work() {}
        let it = of_figure(&next, ThemeName::Light, 720.0).unwrap();
        check(d, &it, &next.caption());
        shown = Some(next);
    }
}

#[test]
fn the_curves_of_reading_say_what_the_caption_says() {
    at_every_width(|d, it, caption| {
        let plot = &charts(it)[0];
        // Word and position from the sum, then from the concatenation.
        let percents: Vec<f64> = caption
            .split_whitespace()
            .filter_map(|word| number(word.trim_end_matches(['.', ',']).strip_suffix('%')?))
            .collect();
        assert_eq!(percents.len(), 4, "{caption}");
        for (which, name) in ["Word", "Position"].into_iter().enumerate() {
            let colour = it.words(name).rgb;
            let dots = dots(it, plot, colour);
            assert_eq!(dots.len(), 9);
            let near = |dot: &&(f64, f64)| (dot.0 / d as f64 - 1.0).abs() < 0.02;
            let dot = dots.iter().find(near).unwrap();
            assert!(
                (dot.1 - percents[which]).abs() < 0.4,
                "{name}: {dot:?}: {caption}"
            );
            // The dashed lines are those for the concatenation.
            let at = plot.point((d as f64, percents[2 + which]));
            let dashes = it.paths(colour).into_iter();
            let off = dashes
                .filter(|(line, width)| line.len() == 2 && *width < light().stroke())
                .map(|(line, _)| from_curve(line, at))
                .fold(f64::INFINITY, f64::min);
            // The point may be in a gap of the dashes.
            assert!(off < 4.0, "{name}, side by side at {d}: {off} px");
        }
        for plot in charts(it) {
            let (x, _) = plot.point((d as f64, plot.y.as_ref().unwrap().ticks[0].0));
            assert!(it.upright_at(rgb(light().rule), x), "{d}");
        }
    });
}

/// The mean |cos| of two random directions is √(2/(πd)), below the curve 1/√d drawn beside it.
#[test]
fn cosines_of_random_words_fall_as_the_root_of_the_width() {
    let values = values(ViewName::ReadBack, "");
    let mut shown = AnyFigure::new(ViewName::ReadBack, &values, Lang::En, None).unwrap();
    while shown.work() {}
    let it = of_figure(&shown, ThemeName::Light, 720.0).unwrap();
    let plot = &charts(&it)[1];
    for name in ["Two words", "Word and row of PE"] {
        let dots = dots(&it, plot, it.words(name).rgb);
        assert_eq!(dots.len(), 9, "{name}");
        for (d, cosine) in dots {
            // Exact for d → ∞; at d = 4 the mean is 4/(3π), 6 % more.
            let wanted = (2.0 / (PI * d)).sqrt();
            assert!(
                (cosine / wanted - 1.0).abs() < 0.12,
                "{name}: {cosine} at {d}"
            );
        }
    }
    let root = it.paths(rgb(light().muted)).into_iter();
    let mut dashes = 0;
    for p in root.flat_map(|(line, _)| line.to_vec()) {
        let inside = plot.contains(p) && p.1 > plot.rect.y + 1.0;
        if inside {
            let (d, cosine) = (
                plot.x.as_ref().unwrap().value(p.0),
                plot.y.as_ref().unwrap().value(p.1),
            );
            assert!((cosine * d.sqrt() - 1.0).abs() < 0.02, "{cosine} at {d}");
            dashes += 1;
        }
    }
    assert!(dashes > 10, "{dashes}");
}
