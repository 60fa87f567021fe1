//! What two layers attend to after they have learned to continue repetitions, read from their maps, and their accuracy by
//! period.

use super::axes::{charts, number};
use super::cells::value;
use super::query::{distance, from_curve, picture};
use super::{light, rgb};
use crate::recording::{Bitmap, Recording};
use posenc::ViewName;
use posenc_lab::{Encoding, Task, Trainer, TrainerConfig};

const LENGTH: usize = 32;

/// The maps of both layers, from left to right.
fn maps(it: &Recording) -> Vec<&Bitmap> {
    let images = it.images().into_iter();
    images
        .filter(|image| (image.rows, image.columns) == (LENGTH, LENGTH))
        .collect()
}

/// The number after this text, inside a map.
fn said(it: &Recording, map: &Bitmap, words: &str) -> Option<f64> {
    let within = |x: f64, y: f64| {
        (map.rect.x..=map.rect.right()).contains(&x) && (map.rect.y..map.rect.bottom()).contains(&y)
    };
    let mut texts = it.texts().filter(|text| within(text.at.0, text.at.1));
    texts.find_map(|text| number(text.text.strip_prefix(words)?.strip_prefix(": ")?))
}

/// The attention to keys at these offsets back, from the colours of a map; the mean over the queries from `first` on.
fn seen(map: &Bitmap, first: usize, offsets: &[usize]) -> f64 {
    let of_query = |query: usize| -> f64 {
        let keys = offsets
            .iter()
            .filter_map(|offset| query.checked_sub(*offset));
        keys.map(|key| value(map.pixel(key, query))).sum()
    };
    let sum: f64 = (first..LENGTH).map(of_query).sum();
    sum / (LENGTH - first) as f64
}

/// The colour map has about two hundred steps.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 0.03
}

#[test]
fn the_trap_looks_15_back_and_says_so() {
    let it = picture(ViewName::LabInduction, "maps=on&steps=600", 720.0);
    let maps = maps(&it);
    assert_eq!(maps.len(), 2);
    for map in &maps {
        let back = said(&it, map, "15 back").expect("it is marked");
        assert!(near(back, seen(map, 15, &[15])), "{back}");
    }
    let back = said(&it, maps[1], "15 back").unwrap();
    let after = said(&it, maps[1], "after an earlier occurrence").unwrap();
    assert!(near(after, seen(maps[1], 10, &[9, 19, 29])) && after < 0.3 && back > 0.9);
}

#[test]
fn induction_looks_after_earlier_occurrences_and_says_so() {
    let settings = "maps=on&repeats=random&period=7&steps=600";
    let it = picture(ViewName::LabInduction, settings, 720.0);
    let maps = maps(&it);
    let before = said(&it, maps[0], "the token before").unwrap();
    assert!(
        near(before, seen(maps[0], 7, &[1])) && before > 0.5,
        "{before}"
    );
    let after = said(&it, maps[1], "after an earlier occurrence").unwrap();
    assert!(
        near(after, seen(maps[1], 7, &[6, 13, 20, 27])) && after > 0.9,
        "{after}"
    );
    // Lines run along both sides of the keys that the labels name, in the colour of the label.
    for (map, words, offsets) in [
        (maps[0], "the token before", &[1][..]),
        (maps[0], "15 back", &[15]),
        (maps[1], "after an earlier occurrence", &[6, 13, 20, 27]),
        (maps[1], "15 back", &[15]),
    ] {
        let (rect, cell) = (map.rect, map.rect.width / LENGTH as f64);
        let texts = it.texts().filter(|text| text.text.starts_with(words));
        let mut texts = texts.filter(|text| (rect.x..=rect.right()).contains(&text.at.0));
        let colour = texts.next().expect("it is said").rgb;
        let lines = it.paths(colour);
        for from in offsets.iter().flat_map(|offset| [offset - 1, offset + 1]) {
            let ends = [
                (rect.x, rect.y + from as f64 * cell),
                (rect.x + (LENGTH - from) as f64 * cell, rect.bottom()),
            ];
            let drawn = lines.iter().any(|(points, _)| {
                points.len() == 2 && (0..2).all(|end| distance(points[end], ends[end]) < 0.5)
            });
            assert!(drawn || from >= LENGTH, "{words}: {from}");
        }
    }
}

/// The sequence names what followed the last token when it occurred before. Layer 2 has its thickest arc to there, or, if
/// it has learned to count, to the key 15 back.
#[test]
fn the_thickest_arc_goes_to_where_the_layer_looks() {
    for (repeats, back) in [("random", 9), ("fixed", 15)] {
        let settings = format!("repeats={repeats}&period=10&steps=600");
        let it = picture(ViewName::LabInduction, &settings, 720.0);
        let letters = it.texts().filter(|words| {
            words.bold && words.text.len() == 1 && ("A".."Q").contains(&words.text.as_str())
        });
        let mut letters: Vec<_> = letters.collect();
        letters.sort_by(|a, b| a.at.0.total_cmp(&b.at.0));
        // The last 19 of the tokens that are known.
        assert_eq!(letters.len(), 19);
        let last = letters.len() - 1;
        for (at, letter) in letters.iter().enumerate().skip(10) {
            assert_eq!(letter.text, letters[at - 10].text);
        }
        // The last token is A, and B followed it when it occurred before.
        let names = [last, last - 10, last - 9].map(|at| letters[at].text.as_str());
        assert_eq!(names, ["A", "A", "B"], "{repeats}");
        // A bracket from one to the other says how far they are apart.
        it.words("period 10");
        let bracket = it.paths(rgb(light().here)).into_iter();
        let mut bracket = bracket.filter(|(points, _)| points.len() == 4);
        let (points, _) = bracket.next().expect("a bracket");
        for (point, letter) in [(points[0], last - 10), (points[3], last)] {
            assert!((point.0 - letters[letter].at.0).abs() < 0.5, "{repeats}");
        }
        let arcs = it.paths(rgb(light().accent)).into_iter();
        let arcs = arcs.filter(|(points, _)| points.len() > 10);
        let thickest = arcs.max_by(|a, b| a.1.total_cmp(&b.1)).expect("an arc").0;
        let ends = [thickest[0].0, thickest[thickest.len() - 1].0];
        for (end, letter) in ends.into_iter().zip([last - back, last]) {
            assert!((end - letters[letter].at.0).abs() < 0.5, "{repeats}");
        }
    }
}

/// Compared with a model trained here, at every period.
#[test]
fn accuracy_by_period_is_that_of_the_model() {
    for (repeats, periods) in [("fixed", (16, 16)), ("random", (4, 16))] {
        let mut config = TrainerConfig::induction(periods, Encoding::T5, 1);
        config.adam.steps = 600;
        config.task = Task::Induction {
            periods,
            distinct: repeats == "random",
        };
        let mut trainer = Trainer::new(config);
        for _ in 0..600 {
            trainer.advance();
        }
        let settings = format!("repeats={repeats}&pe=t5&steps=600");
        let it = picture(ViewName::LabInduction, &settings, 720.0);
        let plot = &charts(&it)[0];
        for (index, (length, name)) in [(32, "32 tokens"), (64, "64 tokens")].iter().enumerate() {
            let colour = rgb(light().series[index]);
            assert_eq!(it.words(name).rgb, colour);
            let curves = it.curves(colour).into_iter();
            let mut curves = curves.filter(|points| points.iter().all(|p| plot.contains(*p)));
            let curve = curves.next().expect("a curve");
            for period in 2..=16 {
                let task = Task::Induction {
                    periods: (period, period),
                    distinct: true,
                };
                let wanted = trainer.evaluate_on(task, *length, 0).unwrap().accuracy;
                let point = plot.point((period as f64, wanted));
                assert!(from_curve(curve, point) < 0.5, "{name} at {period}");
            }
        }
        // The range of training periods is shaded, with half a period on either side.
        let [first, last] = [periods.0 as f64 - 0.5, periods.1 as f64 + 0.5]
            .map(|period| plot.x.as_ref().unwrap().pixel(period));
        let fills = it.fills(rgb(light().here));
        let shaded = fills.iter().any(|(fill, _)| {
            (fill.x - first).abs() < 0.5
                && (fill.right() - last).abs() < 0.5
                && (fill.y - plot.rect.y).abs() < 0.5
        });
        assert!(shaded, "{repeats}");
    }
}
