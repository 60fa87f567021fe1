//! Accuracies beyond the training length: curves pass through the accuracies of models trained here, and each is labelled at
//! its end.

use super::axes::{Axis, Plot, charts};
use super::query::{figure, from_curve};
use super::{light, rgb};
use crate::recording::{Recording, of_figure};
use posenc::{ThemeName, ViewName};
use posenc_lab::{Encoding, Trainer, TrainerConfig};

const LENGTHS: [usize; 5] = [32, 48, 64, 96, 128];

/// The names of the panels, in reading order.
const PANELS: [(&str, Encoding); 6] = [
    ("Sinusoidal", Encoding::Sinusoidal),
    ("Learned table", Encoding::Learned),
    ("RoPE", Encoding::Rope),
    ("T5", Encoding::T5),
    ("ALiBi", Encoding::Alibi),
    ("None", Encoding::None),
];

fn drawn(settings: &str, width: f64) -> (Recording, String) {
    let figure = figure(ViewName::LabLength, settings);
    let picture = of_figure(&figure, ThemeName::Light, width).expect("it has a picture");
    (picture, figure.caption())
}

/// The panels, each with the y axis of the first in its row.
fn panels(it: &Recording) -> Vec<(Plot, Axis)> {
    let charts = charts(it);
    let numbered = |of: &Plot| {
        let mut same = charts.iter().filter(|plot| plot.rect.y == of.rect.y);
        same.find_map(|plot| plot.y.clone())
    };
    let panels: Vec<_> = charts
        .iter()
        .map(|plot| (plot.clone(), numbered(plot).expect("numbers on the left")))
        .collect();
    assert_eq!(panels.len(), PANELS.len());
    panels
}

fn accuracies(k: usize, encoding: Encoding, seed: u64, last_start: usize) -> Vec<f64> {
    let mut config = TrainerConfig::copy(k, encoding, seed);
    config.last_start = last_start;
    let mut trainer = Trainer::new(config);
    for _ in 0..400 {
        trainer.advance();
    }
    let score = |length: &usize| trainer.evaluate(*length, 0).unwrap().accuracy;
    LENGTHS.iter().map(score).collect()
}

/// In both arrangements of the panels.
#[test]
fn curves_pass_through_the_accuracies_and_say_where_they_end() {
    let figure = figure(ViewName::LabLength, "k=2&steps=2400");
    let of_the_first_seed = PANELS.map(|(_, encoding)| accuracies(2, encoding, 1, 0));
    for (width, across) in [(720.0, 3), (360.0, 2)] {
        let it = of_figure(&figure, ThemeName::Light, width).expect("it has a picture");
        let panels = panels(&it);
        let lefts = panels.iter().filter(|(plot, _)| plot.y.is_some());
        assert_eq!(lefts.count(), 6 / across);
        for (((plot, y), (name, _)), wanted) in panels.iter().zip(PANELS).zip(&of_the_first_seed) {
            let title = it.words(name).at;
            assert!(
                (plot.rect.x..plot.rect.right()).contains(&title.0),
                "{name}"
            );
            assert!(
                (plot.rect.y - 25.0..plot.rect.y).contains(&title.1),
                "{name}"
            );
            let x = plot.x.as_ref().unwrap();
            let colour = rgb(light().series[0]);
            let curves = it.curves(colour).into_iter();
            let curves: Vec<_> = curves
                .filter(|points| points.iter().all(|p| plot.contains(*p)))
                .collect();
            // The curve of the seed, and the median, which is the same for one seed.
            assert_eq!(curves.len(), 2, "{name}");
            for (length, accuracy) in LENGTHS.into_iter().zip(wanted) {
                let point = (x.pixel(length as f64), y.pixel(*accuracy));
                for curve in &curves {
                    assert!(from_curve(curve, point) < 0.5, "{name} at {length}");
                }
            }
            let last = y.pixel(wanted[4]);
            let end = format!("{:.2}", wanted[4]);
            let labels = it.texts().filter(|words| {
                let (x, y) = words.at;
                (plot.rect.right()..plot.rect.right() + 12.0).contains(&x) && (y - last).abs() < 1.0
            });
            let labels: Vec<_> = labels.map(|words| words.text.as_str()).collect();
            assert_eq!(labels, [end], "{name}");
        }
    }
}

/// The shade ends at the last position in training sequences: 31 if sequences start at position 0, 130 with starts up to 99,
/// which is beyond the plot.
#[test]
fn what_was_seen_in_training_is_shaded_and_said() {
    for (settings, words, end) in [
        ("", "trained: 0–31", 32.0),
        ("random=on", "trained: 0–130", 128.0),
    ] {
        let (it, _) = drawn(settings, 720.0);
        it.words(words);
        for (plot, _) in panels(&it) {
            let x = plot.x.as_ref().unwrap();
            let fills = it.fills(rgb(light().here));
            let mut fills = fills.iter().filter(|(fill, _)| {
                (fill.x - plot.rect.x).abs() < 0.5 && (fill.y - plot.rect.y).abs() < 0.5
            });
            let (seen, _) = fills.next().expect("it is shaded");
            assert!((seen.right() - x.pixel(end)).abs() < 0.5);
            assert!(it.upright_at(rgb(light().here), x.pixel(32.0)));
        }
    }
}

/// For three seeds the median is between the others, and the caption contains the numbers. The bounds are those of ten
/// seeds.
#[test]
#[ignore = "trains 36 models"]
fn what_becomes_of_three_seeds() {
    for (settings, last_start, bars) in [
        (
            "steps=7200",
            0,
            [
                (0.3, 0.5),
                (0.25, 0.35),
                (0.45, 0.9),
                (0.5, 0.7),
                (0.1, 0.3),
                (0.1, 0.2),
            ],
        ),
        (
            "steps=7200&random=on",
            99,
            [
                (0.9, 1.0),
                (0.85, 0.95),
                (0.45, 0.9),
                (0.5, 0.7),
                (0.1, 0.3),
                (0.1, 0.2),
            ],
        ),
    ] {
        let (it, caption) = drawn(settings, 720.0);
        for (((plot, y), (name, encoding)), (least, most)) in
            panels(&it).iter().zip(PANELS).zip(bars)
        {
            let mut ends: Vec<f64> = (1..=3)
                .map(|seed| accuracies(3, encoding, seed, last_start)[4])
                .collect();
            ends.sort_by(f64::total_cmp);
            assert!(least <= ends[0] && ends[2] <= most, "{name}: {ends:?}");
            let x = plot.x.as_ref().unwrap().pixel(128.0);
            let colour = rgb(light().series[0]);
            let curves = it.paths(colour);
            let widest = curves.iter().map(|path| path.1).fold(0.0, f64::max);
            let point = (x, y.pixel(ends[1]));
            let through = curves.iter().any(|(points, width)| {
                *width == widest && points.len() == 5 && from_curve(points, point) < 0.5
            });
            assert!(through, "{name}: the median");
            if least > 0.1 {
                let [worst, median, best] = [0, 1, 2].map(|index| format!("{:.2}", ends[index]));
                let said = format!("{median} ({worst} to {best})");
                assert!(caption.contains(&said), "{name}, {said}: {caption}");
            }
        }
    }
}
