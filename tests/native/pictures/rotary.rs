//! Rotary embeddings (Su et al. 2021, arXiv 2104.09864): the contributions of pairs to a logit, its curve over the offset,
//! the pairing of rows, and the means over random queries and keys.

use super::axes::{charts, number};
use super::curves::{assert_curve, assert_dot, omega};
use super::query::{distance, from_curve, picture};
use super::{light, rgb};
use crate::recording::{Point, Recording};
use posenc::{Normals, ViewName};

const D_HEAD: usize = 8;

/// A vector of normal numbers, with each pair scaled to the length of (1, 1).
fn vector(normals: &mut Normals) -> Vec<f64> {
    let mut vector: Vec<f64> = normals.take(D_HEAD).collect();
    for pair in vector.chunks_mut(2) {
        let length = pair[0].hypot(pair[1]);
        pair.iter_mut().for_each(|x| *x *= 2f64.sqrt() / length);
    }
    vector
}

/// The contribution of a pair to the logit of q at m and k at n, both rotated.
fn share(q: &[f64], k: &[f64], pair: usize, offset: f64) -> f64 {
    let (sin, cos) = (offset * omega(pair, D_HEAD, 1e4)).sin_cos();
    let (a, b) = (q[2 * pair], q[2 * pair + 1]);
    // The query is rotated by the offset, the key is not.
    let turned = [a * cos - b * sin, a * sin + b * cos];
    (turned[0] * k[2 * pair] + turned[1] * k[2 * pair + 1]) / (D_HEAD as f64).sqrt()
}

#[test]
fn the_logit_of_a_query_and_a_key_over_their_offset() {
    let mut normals = Normals::seeded(4);
    let random = [vector(&mut normals), vector(&mut normals)];
    let ones = [vec![1.0; D_HEAD], vec![1.0; D_HEAD]];
    for (settings, [q, k]) in [("vectors=random", &random), ("vectors=ones", &ones)] {
        let it = picture(ViewName::Rope, &format!("{settings}&m=12&n=7"), 720.0);
        let plot = charts(&it).pop().unwrap();
        let logit = |offset: f64| (0..4).map(|pair| share(q, k, pair, offset)).sum::<f64>();
        let values: Vec<_> = (-400..=400)
            .map(|step| f64::from(step) / 4.0)
            .map(|offset| (offset, logit(offset)))
            .collect();
        assert_curve(&it, &plot, rgb(light().muted), &values);
        assert_dot(&it, &plot, rgb(light().there), (5.0, logit(5.0)));
        let (x, _) = plot.point((5.0, 0.0));
        assert!(it.upright_at(rgb(light().there), x));
        // Below each dial the contribution of its pair, and below all their sum.
        for pair in 0..4 {
            let x = it.words(&format!("pair {pair}")).at.0;
            let wanted = share(q, k, pair, 5.0);
            let below = it.texts().filter(|words| (words.at.0 - x).abs() < 0.5);
            let mut below = below.filter_map(|words| number(&words.text));
            assert!(
                below.any(|said| (said - wanted).abs() < 0.0051),
                "{settings}, pair {pair}: {wanted}"
            );
        }
        let sum = it.words("sum = logit").at.0;
        let above = it.texts().filter(|words| (words.at.0 - sum).abs() < 0.5);
        let mut above = above.filter_map(|words| number(&words.text));
        assert!(above.any(|said| (said - logit(5.0)).abs() < 0.00051));
    }
}

/// Moved by as much, both positions have the same logit: asked first, and the same number below the other while the offset
/// is locked.
#[test]
fn two_pairs_of_positions_with_one_offset_have_one_logit() {
    for (settings, wanted) in [("locked=off&m=12&n=7", "?"), ("locked=on&gap=5&m=12", "")] {
        let it = picture(ViewName::Rope, settings, 720.0);
        let sum = it.words("sum = logit").at;
        let large: Vec<_> = it
            .texts()
            .filter(|words| words.bold && (words.at.0 - sum.0).abs() < 0.5)
            .filter(|words| words.text == "?" || number(&words.text).is_some())
            .collect();
        let [first, second] = large[..] else {
            panic!("two large texts")
        };
        assert!(number(&first.text).is_some() && first.at.1 < sum.1 && sum.1 < second.at.1);
        match wanted {
            "?" => assert_eq!(second.text, "?"),
            _ => assert_eq!(second.text, first.text),
        }
        // Below either dial of a pair, its contribution: of the second one it is asked, too.
        for pair in 0..4 {
            let x = it.words(&format!("pair {pair}")).at.0;
            let below = it.texts().filter(|words| (words.at.0 - x).abs() < 0.5);
            let said: Vec<_> = below.map(|words| words.text.as_str()).skip(1).collect();
            let [upper, lower, ..] = said[..] else {
                panic!("two numbers: {said:?}")
            };
            assert!(number(upper).is_some());
            assert_eq!(lower, if wanted == "?" { "?" } else { upper });
        }
        assert_eq!(
            it.texts().filter(|words| words.text == "m − n = 5").count(),
            2
        );
        for (name, above) in [
            ("q at m = 12", true),
            ("q at m = 92", false),
            ("k at n = 87", false),
        ] {
            assert_eq!(it.words(name).at.1 < sum.1, above, "{name}");
        }
    }
}

/// At the largest offset, there are no other positions for a second row.
#[test]
fn positions_that_cannot_be_moved_have_one_row() {
    for settings in ["m=100&n=0", "m=0&n=100"] {
        let it = picture(ViewName::Rope, settings, 720.0);
        let offsets = it
            .texts()
            .filter(|words| words.text.starts_with("m − n = "));
        assert_eq!(offsets.count(), 1, "{settings}");
        assert!(it.texts().all(|words| words.text != "?"), "{settings}");
    }
}

/// The squares of a strip: their numbers from left to right, with their colours.
fn strip(it: &Recording, upper: bool) -> Vec<(Point, usize, crate::recording::Rgb)> {
    let mut squares: Vec<_> = it
        .texts()
        .filter(|words| words.bold && (words.at.1 < it.height / 2.0) == upper)
        .filter_map(|words| Some((words.at, words.text.parse().ok()?, words.rgb)))
        .collect();
    squares.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
    squares
}

/// Rows 2i and 2i + 1 are a pair if neighbours are rotated together; for rotated halves they move to places i and i + d/2.
#[test]
fn rows_move_so_that_pairs_stay_together() {
    let it = picture(ViewName::Rope, "show=pairing", 720.0);
    let (above, below) = (strip(&it, true), strip(&it, false));
    let rows =
        |strip: &[(Point, usize, _)]| strip.iter().map(|square| square.1).collect::<Vec<_>>();
    assert_eq!(rows(&above), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(rows(&below), [0, 2, 4, 6, 1, 3, 5, 7]);
    for (strip, partner) in [
        (&above, [1, 0, 3, 2, 5, 4, 7, 6]),
        (&below, [4, 5, 6, 7, 0, 1, 2, 3]),
    ] {
        for place in 0..D_HEAD {
            let (at, row, colour) = strip[place];
            let (other, mate, same) = strip[partner[place]];
            assert_eq!((row / 2, colour), (mate / 2, same), "place {place}");
            // A bracket in their colour connects the two.
            let brackets = it.paths(colour).into_iter().map(|(line, _)| line);
            let mut brackets = brackets.filter(|line| line.len() == 4);
            let joins = |line: &[Point]| {
                let near = |p: Point, square: Point| {
                    (p.0 - square.0).abs() < 0.5 && (p.1 - square.1).abs() < 40.0
                };
                near(line[0], at) && near(line[3], other)
                    || near(line[0], other) && near(line[3], at)
            };
            assert!(brackets.any(joins), "no bracket at place {place}");
        }
    }
    for (at, row, colour) in &below {
        let from = above[*row].0;
        let lines = it.paths(*colour).into_iter().map(|(line, _)| line);
        let mut lines = lines.filter(|line| line.len() == 2);
        let leads =
            |line: &[Point]| (line[0].0 - from.0).abs() < 0.5 && (line[1].0 - at.0).abs() < 0.5;
        assert!(lines.any(leads), "row {row} is not led to its place");
    }
}

/// 1000 random queries and keys: their logits by offset, individually and in the mean, from the same seed.
#[test]
fn logits_of_random_queries_and_keys_have_no_mean() {
    let it = picture(ViewName::PairTurn, "show=decay", 720.0);
    let plot = &charts(&it)[0];
    let mut normals = Normals::seeded(1);
    let samples: Vec<[Vec<f64>; 2]> = (0..1000)
        .map(|_| {
            let (mut q, mut k) = (Vec::new(), Vec::new());
            // Pair by pair, two numbers of q, then two of k.
            for _ in 0..32 {
                q.extend(normals.by_ref().take(2));
                k.extend(normals.by_ref().take(2));
            }
            [q, k]
        })
        .collect();
    let logit = |[q, k]: &[Vec<f64>; 2], offset: f64| -> f64 {
        let pair = |pair: usize| {
            let (sin, cos) = (offset * omega(pair, 64, 1e4)).sin_cos();
            let (a, b) = (q[2 * pair], q[2 * pair + 1]);
            (a * cos - b * sin) * k[2 * pair] + (a * sin + b * cos) * k[2 * pair + 1]
        };
        (0..32).map(pair).sum::<f64>() / 8.0
    };
    let offsets = (0..257).map(f64::from);
    let mean: Vec<_> = offsets
        .clone()
        .map(|offset| {
            let sum: f64 = samples.iter().map(|sample| logit(sample, offset)).sum();
            (offset, sum / 1000.0)
        })
        .collect();
    assert_curve(&it, plot, rgb(light().there), &mean);
    // The first six, individually.
    let faint = it.curves(rgb(light().muted));
    assert_eq!(faint.len(), 6);
    for sample in &samples[..6] {
        let points: Vec<Point> = offsets
            .clone()
            .map(|offset| plot.point((offset, logit(sample, offset))))
            .collect();
        let near = |curve: &&[Point]| points.iter().all(|p| from_curve(curve, *p) < 1.2);
        assert!(faint.iter().any(near));
    }
    // Each label has the colour of its curves.
    for (name, colour) in [
        ("q and k all ones", light().accent),
        ("mean of 1000 random q, k", light().there),
        ("6 of the random q, k, one by one", light().muted),
    ] {
        assert_eq!(it.words(name).rgb, rgb(colour), "{name}");
    }
}

/// The word (1.8, 0.7), with (cos, sin) added and rotated by pos·ω: the label of each arrow contains its length.
#[test]
fn an_arrow_is_named_by_its_length() {
    let (pos, pair) = (9.0, 2);
    let it = picture(ViewName::PairTurn, "pos=9&pair=2", 720.0);
    let (sin, cos) = (pos * omega(pair, 16, 1e4)).sin_cos();
    let word = (1.8f64, 0.7f64);
    let added = (word.0 + cos, word.1 + sin);
    let length = word.0.hypot(word.1);
    let origin = it.arrows(rgb(light().here))[0].0;
    let unit = distance(origin, it.arrows(rgb(light().here))[0].1) / length;
    for (name, colour, (x, y)) in [
        ("word", light().here, word),
        ("added", light().accent, added),
        (
            "rotated",
            light().there,
            (cos * word.0 - sin * word.1, sin * word.0 + cos * word.1),
        ),
    ] {
        let arrows = it.arrows(rgb(colour));
        let wanted = (origin.0 + unit * x, origin.1 - unit * y);
        let leads = arrows.iter().any(|arrow| distance(arrow.1, wanted) < 0.5);
        assert!(leads, "{name}");
        let said = format!("{name} {:.2}", x.hypot(y));
        assert!(it.says(&said, wanted, 90.0), "{said}");
    }
    // At every position, the arrows end on these circles.
    for (colour, centre, radius) in [
        (
            light().accent,
            (origin.0 + unit * word.0, origin.1 - unit * word.1),
            unit,
        ),
        (light().there, origin, unit * length),
    ] {
        let curves = it.curves(rgb(colour));
        let on = |curve: &&[Point]| {
            curve
                .iter()
                .all(|p| (distance(*p, centre) - radius).abs() < 0.5)
        };
        assert!(curves.iter().any(on));
    }
}
