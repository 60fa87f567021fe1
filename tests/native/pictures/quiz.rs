//! The sketches of the quiz: what is hidden before the answer and shown after it, with the numbers of the first variant.

use super::axes::{charts, number};
use super::cells::{STEP, interleaved, value};
use super::curves::{assert_curve, assert_dot, omega};
use super::query::{angle, distance, from_curve};
use super::{light, rgb};
use crate::recording::{Point, Recording, Rgb, of_figure, values};
use posenc::figures::AnyFigure;
use posenc::{Lang, ThemeName, ViewName};
use std::f64::consts::{PI, TAU};

/// The sketch of a question as asked, or as answered, with any answer.
fn sketch(question: u32, answered: bool) -> Recording {
    let mut values = values(ViewName::Quiz, &format!("question={question}&seed=1"));
    let shown = |values: &_| AnyFigure::new(ViewName::Quiz, values, Lang::En, None).unwrap();
    if answered {
        values.set("answer", "1000");
        values.set("mark", "0.5");
        for (action, value) in [("choose", "0"), ("check", "")] {
            shown(&values).act(action, value, &mut values);
        }
    }
    of_figure(&shown(&values), ThemeName::Light, 720.0).unwrap()
}

/// Question 1: the row of position 0, with sine and cosine interleaved.
#[test]
fn the_first_row_is_that_of_its_position() {
    let asked = sketch(1, false);
    let d = asked.texts().filter(|words| words.text == "?").count();
    let it = sketch(1, true);
    let cells: Vec<_> = it
        .texts()
        .filter_map(|words| Some((words.at, number(&words.text)?)))
        .filter(|(at, _)| {
            let under = |(rect, paint): &(&posenc::Rect, &crate::recording::Paint)| {
                paint.stroke.is_none() && rect.contains(*at)
            };
            it.rectangles().any(|it| under(&it))
        })
        .collect();
    assert!(d >= 4);
    assert_eq!(cells.len(), d);
    for (index, (at, said)) in cells.into_iter().enumerate() {
        let (row, column) = (index / d, index % d);
        let wanted = interleaved(row as f64, column, d);
        assert!(
            (said - wanted).abs() < 0.0051,
            "row {row}, {column}: {said}"
        );
        let cell = it
            .rectangles()
            .filter(|(rect, paint)| paint.stroke.is_none() && rect.contains(at));
        let (rect, paint) = cell.last().unwrap();
        assert!((value(paint.rgb) - wanted).abs() < STEP);
        // The label of a row is at its height.
        let level = |words: &&crate::recording::Words| {
            (words.at.1 - at.1).abs() < 0.5 && words.at.0 < rect.x
        };
        let name = it.texts().find(level).unwrap();
        assert!(name.text.contains(&row.to_string()), "{}", name.text);
    }
}

/// Question 3: pairs 0, 8, 16 and 63 of 128 dimensions, each wave in its lane, over 64 positions.
#[test]
fn each_wave_swings_in_the_lane_of_its_pair() {
    assert!(sketch(3, false).marks.iter().all(|mark| {
        !matches!(mark, crate::recording::Mark::Path(points, _) if points.len() > 2)
    }));
    let it = sketch(3, true);
    let [left, right] = ["0", "64"].map(|text| it.words(text).at.0);
    let lanes: Vec<f64> = [0, 8, 16, 63]
        .map(|pair| it.words(&format!("pair {pair}")).at.1)
        .into();
    let lane = lanes[1] - lanes[0];
    for (pair, middle) in [0usize, 8, 16, 63].into_iter().zip(lanes) {
        let colour = match pair {
            0 => light().right,
            _ => light().series[2],
        };
        let curves = it.curves(rgb(colour));
        let within = |curve: &&[Point]| curve.iter().all(|p| (p.1 - middle).abs() < 0.5 * lane);
        let curve = curves.into_iter().find(within).unwrap();
        // All waves have the same amplitude.
        let high = 0.36 * lane;
        for position in 0..=64 {
            let at = f64::from(position);
            let wanted = (
                left + at / 64.0 * (right - left),
                middle - high * (at * omega(pair, 128, 1e4)).sin(),
            );
            assert!(from_curve(curve, wanted) < 1.2, "pair {pair} at {position}");
        }
    }
}

/// Question 4: λ = 2π·10000^(2i/512) over the pairs; pair 0 is given, and the answer is pair 64.
#[test]
fn wavelengths_lie_on_the_line_that_the_answer_shows() {
    let wave = |pair: f64| TAU / omega(pair as usize, 512, 1e4);
    let asked = sketch(4, false);
    let plot = &charts(&asked)[0];
    assert!(asked.curves(rgb(light().ink)).is_empty());
    assert_dot(&asked, plot, rgb(light().muted), (wave(0.0), 0.0));
    let it = sketch(4, true);
    let plot = &charts(&it)[0];
    let values: Vec<_> = (0..256)
        .map(f64::from)
        .map(|pair| (wave(pair), pair))
        .collect();
    assert_curve(&it, plot, rgb(light().ink), &values);
    assert_dot(&it, plot, rgb(light().there), (wave(64.0), 64.0));
    // The draggable mark is at the height of the pair, in the middle of the axis.
    let discs = it.discs(rgb(light().accent));
    let at = (
        plot.rect.x + plot.rect.width / 2.0,
        plot.point((1.0, 64.0)).1,
    );
    assert!(discs.iter().any(|disc| distance(disc.0, at) < 0.5));
}

/// The angle of the arrow of a colour on the dial with this title.
fn hand(it: &Recording, title: &str, nth: usize, colour: Rgb) -> Option<f64> {
    let titles: Vec<_> = it.texts().filter(|words| words.text == title).collect();
    let x = titles.get(nth).unwrap_or_else(|| panic!("{title}")).at.0;
    let arrows = it.arrows(colour).into_iter();
    let mut arrows = arrows.filter(|(from, _)| (from.0 - x).abs() < 0.5);
    arrows.next().map(|(from, tip)| angle(from, tip))
}

fn assert_hand(it: &Recording, (title, nth): (&str, usize), colour: Rgb, wanted: f64) {
    let seen = hand(it, title, nth, colour).unwrap_or_else(|| panic!("{title} has no hand"));
    let off = (seen - wanted) / TAU;
    assert!(
        (off - off.round()).abs() < 0.003,
        "{title}: {seen} for {wanted}"
    );
}

/// Question 5: pair 4 of 64 dimensions, rotated by k = 3 from position 5, and to be rotated by the same from position 43.
#[test]
fn both_dials_turn_by_the_same_angle() {
    let w = omega(4, 64, 1e4);
    let (here, there) = (rgb(light().here), rgb(light().there));
    for answered in [false, true] {
        let it = sketch(5, answered);
        let [first, second] = ["PE(5), pair 4", "PE(43), pair 4"];
        assert_hand(&it, (first, 0), here, 5.0 * w);
        assert_hand(&it, (first, 0), there, 8.0 * w);
        assert_hand(&it, (second, 0), here, 43.0 * w);
        if answered {
            assert_hand(&it, (second, 0), there, 46.0 * w);
            // The dragged hand is half a turn from the right.
            assert_hand(&it, (second, 0), rgb(light().accent), PI);
        } else {
            assert_eq!(hand(&it, second, 0, there), None);
        }
    }
}

/// Question 8: two angles with the same sine, 2ω and π − 2ω, have different sines 3 positions later.
#[test]
fn two_angles_of_one_sine_part_when_they_are_turned() {
    let w = omega(4, 64, 1e4);
    let it = sketch(8, true);
    let title = format!("sine {:.2}", (2.0 * w).sin());
    for (nth, start) in [2.0 * w, PI - 2.0 * w].into_iter().enumerate() {
        assert_hand(&it, (&title, nth), rgb(light().here), start);
        assert_hand(&it, (&title, nth), rgb(light().there), start + 3.0 * w);
    }
    // The heights of the ends differ, those of the starts are equal.
    let (centre, radius, _) = it.rings()[0];
    let height = |angle: f64| centre.1 - radius * angle.sin();
    assert!(it.level_at(rgb(light().sine), height(2.0 * w)));
    for end in [5.0 * w, PI + w] {
        assert!(it.level_at(rgb(light().there), height(end)));
    }
}

/// Questions 10 to 12: the published perplexities, and dot products over the offset.
#[test]
fn curves_of_the_quiz_go_through_computed_values() {
    // Press, Smith and Lewis 2022, arXiv 2108.12409: trained on 512 tokens of WikiText-103.
    let measured = [
        (512.0, 20.05),
        (532.0, 19.91),
        (562.0, 19.91),
        (712.0, 24.86),
        (1012.0, 43.54),
    ];
    let product = |d: usize, offset: f64| -> f64 {
        (0..d / 2)
            .map(|pair| (offset * omega(pair, d, 1e4)).cos())
            .sum()
    };
    let offsets = |last: u32| (0..=last).map(f64::from);
    let decay: Vec<_> = offsets(120).map(|k| (k, product(64, k) / 32.0)).collect();
    let dots: Vec<_> = offsets(30).map(|k| (k, product(64, k))).collect();
    let curves: [(u32, &[(f64, f64)]); 3] = [(10, &measured), (11, &decay), (12, &dots)];
    for (question, values) in curves {
        let it = sketch(question, true);
        assert_curve(&it, &charts(&it)[0], rgb(light().ink), values);
    }
    // The start of the decay is given: offsets 0 to 3.
    let asked = sketch(11, false);
    assert_curve(&asked, &charts(&asked)[0], rgb(light().ink), &decay[..4]);
    // It decreases monotonically up to the dot.
    let falls = decay
        .windows(2)
        .position(|two| two[1].1 >= two[0].1)
        .unwrap();
    let it = sketch(11, true);
    assert_dot(&it, &charts(&it)[0], rgb(light().there), decay[falls]);
    let it = sketch(10, true);
    assert_dot(&it, &charts(&it)[0], rgb(light().there), measured[4]);
    // Positions 3 and 8, and all others at offset 5.
    let it = sketch(12, true);
    assert_dot(&it, &charts(&it)[0], rgb(light().there), dots[5]);
}

/// Question 2: dimension 0 is the sine of pos · 1, at position 1.
#[test]
fn the_wave_goes_through_the_value_that_was_asked_for() {
    let asked = sketch(2, false);
    assert!(asked.curves(rgb(light().sine)).is_empty());
    let it = sketch(2, true);
    let plot = &charts(&it)[0];
    let wave: Vec<_> = (0..=70)
        .map(|step| f64::from(step) / 10.0)
        .map(|position| (position, position.sin()))
        .collect();
    assert_curve(&it, plot, rgb(light().sine), &wave);
    assert_dot(&it, plot, rgb(light().there), (1.0, 1f64.sin()));
    assert!(it.upright_at(rgb(light().muted), plot.point((1.0, 0.0)).0));
    assert!(it.says("0.84", plot.point((1.0, 1f64.sin())), 25.0));
}

/// Question 6: with 512 dimensions all rows have length √256; the sines alone have a different length at each position.
#[test]
fn lengths_of_rows_with_and_without_cosines() {
    let it = sketch(6, true);
    let plot = &charts(&it)[0];
    let length = |position: f64, cosines: bool| -> f64 {
        let square = |pair: usize| {
            let (sin, cos) = (position * omega(pair, 512, 1e4)).sin_cos();
            sin * sin + if cosines { cos * cos } else { 0.0 }
        };
        (0..256).map(square).sum::<f64>().sqrt()
    };
    for (name, cosines) in [("sine and cosine", true), ("sine alone", false)] {
        let values: Vec<_> = (0..=100)
            .map(f64::from)
            .map(|position| (position, length(position, cosines)))
            .collect();
        assert_curve(&it, plot, it.words(name).rgb, &values);
    }
}

/// The rows of a strip of words below a title: each word with the numbers to its right.
fn rows(it: &Recording, title: &str) -> Vec<(String, Vec<String>)> {
    let titles: Vec<f64> = it
        .texts()
        .filter(|words| words.text.contains(' '))
        .map(|w| w.at.0)
        .collect();
    let x = it.words(title).at.0;
    // Strips are side by side, each centred on its title.
    let others = titles.iter().filter(|other| (**other - x).abs() > 1.0);
    let half = others
        .map(|other| (other - x).abs() / 2.0)
        .fold(f64::INFINITY, f64::min);
    let mut texts: Vec<_> = it
        .texts()
        .filter(|words| (words.at.0 - x).abs() < half && words.text != title)
        .collect();
    texts.sort_by(|a, b| (a.at.1, a.at.0).partial_cmp(&(b.at.1, b.at.0)).unwrap());
    texts
        .chunk_by(|a, b| (a.at.1 - b.at.1).abs() < 0.5)
        .map(|row| {
            let numbers = row[1..].iter().map(|words| words.text.clone());
            (row[0].text.clone(), numbers.collect())
        })
        .collect()
}

/// Question 7: without positions, but with a causal mask, an output is a sum over the word and those before it. Of words
/// that are exchanged it changes for them and for those between them.
#[test]
fn a_mask_tells_the_exchanged_words_and_those_between() {
    let it = sketch(7, true);
    let titles: Vec<_> = it
        .texts()
        .filter(|words| words.text.contains(' '))
        .collect();
    let [old, new] = [0, 1].map(|strip| rows(&it, &titles[strip].text));
    assert_eq!(old.len(), 5);
    assert!(old.iter().all(|(_, numbers)| !numbers.is_empty()));
    let sentences = [0, 1].map(|strip| titles[strip].text.split(' ').collect::<Vec<_>>());
    let moved: Vec<bool> = (0..5)
        .map(|place| sentences[0][place] != sentences[1][place])
        .collect();
    let first = moved.iter().position(|moved| *moved).unwrap();
    let last = moved.iter().rposition(|moved| *moved).unwrap();
    assert_eq!(moved.iter().filter(|moved| **moved).count(), 2);
    for (place, (before, after)) in old.iter().zip(&new).enumerate() {
        // A row is that of the same word in both.
        assert_eq!((&before.0[..], &after.0), (sentences[0][place], &before.0));
        let changes = (first..=last).contains(&place);
        assert_eq!(before.1 != after.1, changes, "{before:?} and {after:?}");
    }
    // As asked, the second strip is empty.
    let asked = sketch(7, false);
    let hidden = asked.texts().filter(|words| words.text == "?").count();
    assert_eq!(hidden, 5 * old[0].1.len());
}

/// Question 9: four sines, fitted on positions 0 to 49 for k = 3 with NumPy's least squares: the largest error over ten
/// positions, from 0, 100, … 5000 on.
const MISSES_OF_SINES: [f64; 51] = [
    0.2955, 14.334, 98.245, 246.67, 398.15, 481.87, 490.81, 477.38, 515.26, 624.74, 752.06, 824.75,
    816.22, 760.83, 731.64, 775.82, 857.97, 902.66, 868.96, 770.06, 673.89, 643.49, 672.61, 688.53,
    635.68, 505.7, 361.89, 271.77, 254.16, 254.31, 200.31, 69.159, 108.86, 222.43, 256.44, 254.32,
    287.26, 396.0, 544.17, 657.39, 689.24, 662.8, 644.02, 694.28, 798.1, 886.21, 898.01, 837.71,
    758.0, 732.48, 776.19,
];

#[test]
fn a_map_of_sines_alone_misses_by_what_numpy_finds() {
    let places = (0..=50).map(|place| f64::from(100 * place));
    let sines: Vec<_> = places.zip(MISSES_OF_SINES).collect();
    assert!(sketch(9, false).curves(rgb(light().sine)).is_empty());
    let it = sketch(9, true);
    let plot = &charts(&it)[0];
    assert_curve(&it, plot, rgb(light().sine), &sines);
    assert!(it.upright_at(rgb(light().muted), plot.point((49.0, 1.0)).0));
    // Sine and cosine have only rounding errors.
    let low = plot.point((0.0, 1e-9)).1;
    let both = it.curves(rgb(light().ink));
    let within = |curve: &&[Point]| curve.iter().all(|p| plot.contains(*p) && p.1 > low);
    assert!(both.iter().any(within));
    let dots = it.discs(rgb(light().there));
    let right = plot.point((5000.0, 1.0)).0;
    assert!(
        dots.iter()
            .any(|(p, _)| distance(*p, (right, p.1)) < 0.5 && p.1 > low)
    );
}
