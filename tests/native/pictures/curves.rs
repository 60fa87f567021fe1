//! Curves pass through points computed here from the formulas of the papers.

use super::axes::{Axis, Plot, charts, number};
use super::{light, rgb};
use crate::pictures::query::{from_curve, picture};
use crate::recording::{Point, Recording, Rgb};
use plotters_backend::text_anchor::HPos;
use posenc::ViewName;
use std::f64::consts::TAU;

/// The width of a stroke, in CSS pixels: a larger distance is visible.
const NEAR: f64 = 1.2;

/// The frequency ω of a pair.
pub fn omega(pair: usize, d_model: usize, base: f64) -> f64 {
    base.powf(-2.0 * pair as f64 / d_model as f64)
}

/// |PE(m) − PE(n)| for positions at this offset.
fn apart(d_model: usize, offset: f64) -> f64 {
    let chord = |pair| 2.0 * (omega(pair, d_model, 1e4) * offset / 2.0).sin();
    (0..d_model / 2)
        .map(|pair| chord(pair) * chord(pair))
        .sum::<f64>()
        .sqrt()
}

/// The cosine of the angle between PE(m) and PE(n).
fn alike(d_model: usize, offset: f64) -> f64 {
    let cos = |pair| (omega(pair, d_model, 1e4) * offset).cos();
    (0..d_model / 2).map(cos).sum::<f64>() / (d_model / 2) as f64
}

/// Asserts that a curve of a colour passes through all these values, and no others.
pub fn assert_curve(picture: &Recording, plot: &Plot, colour: Rgb, values: &[(f64, f64)]) {
    let wanted: Vec<Point> = values.iter().map(|&value| plot.point(value)).collect();
    let curves: Vec<&[Point]> = picture
        .paths(colour)
        .into_iter()
        .map(|(points, _)| points)
        .filter(|points| points.iter().all(|p| plot.contains(*p)) && points.len() > 2)
        .collect();
    assert!(!curves.is_empty(), "no curve");
    let inside: Vec<(usize, &Point)> = wanted
        .iter()
        .enumerate()
        .filter(|(_, p)| plot.contains(**p))
        .collect();
    assert!(inside.len() > 1, "the values lie outside");
    for (index, p) in inside {
        let off = curves
            .iter()
            .map(|curve| from_curve(curve, *p))
            .fold(f64::INFINITY, f64::min);
        assert!(
            off < NEAR,
            "{:?} is {off:.1} px from the curve",
            values[index]
        );
    }
    for p in curves.into_iter().flatten() {
        let off = from_curve(&wanted, *p);
        let at = (
            plot.x.as_ref().unwrap().value(p.0),
            plot.y.as_ref().unwrap().value(p.1),
        );
        assert!(
            off < NEAR,
            "the curve is at {at:?}, {off:.1} px from what is computed"
        );
    }
}

/// The dots of a colour in a chart, as values, from left to right.
pub fn dots(picture: &Recording, plot: &Plot, colour: Rgb) -> Vec<(f64, f64)> {
    let inside = picture
        .discs(colour)
        .into_iter()
        .filter(|(p, _)| plot.contains(*p));
    let mut dots: Vec<_> = inside
        .map(|(p, _)| {
            (
                plot.x.as_ref().unwrap().value(p.0),
                plot.y.as_ref().unwrap().value(p.1),
            )
        })
        .collect();
    dots.sort_by(|a, b| a.0.total_cmp(&b.0));
    dots
}

/// Asserts that there is a dot of a colour at this value.
pub fn assert_dot(picture: &Recording, plot: &Plot, colour: Rgb, value: (f64, f64)) {
    let wanted = plot.point(value);
    let discs = picture.discs(colour);
    let near = |(at, _): &(Point, f64)| crate::pictures::query::distance(*at, wanted) < NEAR;
    assert!(
        discs.iter().any(near),
        "no dot at {value:?}: {:?}",
        dots(picture, plot, colour)
    );
}

fn steps(range: std::ops::Range<i64>, value: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    range.map(|x| (x as f64, value(x as f64))).collect()
}

#[test]
fn wavelengths_of_the_ruler() {
    for (settings, d, pair) in [("", 512, 128), ("d_model=64&max_len=5000&pair=20", 64, 20)] {
        let it = picture(ViewName::Ruler, settings, 720.0);
        let plot = &charts(&it)[0];
        let wave = |pair: f64| TAU / omega(pair as usize, d, 1e4);
        assert_curve(&it, plot, rgb(light().ink), &steps(0..d as i64 / 2, wave));
        assert_dot(
            &it,
            plot,
            rgb(light().accent),
            (f64::from(pair), wave(f64::from(pair))),
        );
    }
}

#[test]
fn distances_of_codes() {
    for (settings, d, n, pos) in [("", 4, 100, 50), ("d_model=16&max_len=80&pos=7", 16, 80, 7)] {
        let it = picture(ViewName::Nearest, settings, 720.0);
        let plot = &charts(&it)[0];
        let values = steps(0..n, |p| apart(d, p - f64::from(pos)));
        assert_curve(&it, plot, rgb(light().muted), &values);
        assert_dot(&it, plot, rgb(light().here), (f64::from(pos), 0.0));
        let nearest = (1..n)
            .map(|k| apart(d, k as f64))
            .fold(f64::INFINITY, f64::min);
        let there = dots(&it, plot, rgb(light().there));
        assert!(!there.is_empty());
        for (_, distance) in there {
            assert!((distance - nearest).abs() < 0.03, "{distance} {nearest}");
        }
    }
}

#[test]
fn similarity_over_the_offset() {
    let it = picture(
        ViewName::Similarity,
        "d_model=128&max_len=64&pos=10&k=-7",
        720.0,
    );
    let plot = &charts(&it)[0];
    assert_curve(
        &it,
        plot,
        rgb(light().accent),
        &steps(0..64, |k| alike(128, k)),
    );
    assert_dot(&it, plot, rgb(light().there), (7.0, alike(128, 7.0)));
    // The dashed vertical line is at the same offset.
    let (x, _) = plot.point((7.0, 0.5));
    let dashes = it.paths(rgb(light().there));
    let upright = |points: &[Point]| points.iter().all(|p| (p.0 - x).abs() < 0.5);
    assert!(dashes.iter().any(|(points, _)| upright(points)));
}

#[test]
fn the_decay_of_rotary_logits() {
    let it = picture(ViewName::PairTurn, "show=decay", 720.0);
    let plot = &charts(&it)[0];
    // q = k = 1: each of the 32 pairs of a head with d = 64 contributes 2·cos(kω), divided by √64.
    let last = plot.x.as_ref().unwrap().value(plot.rect.right()).round() as i64;
    let values = steps(0..last + 1, |k| 2.0 * 32.0 * alike(64, k) / 8.0);
    assert_curve(&it, plot, rgb(light().accent), &values);
}

#[test]
fn distances_along_the_corridor() {
    let it = picture(ViewName::Corridor, "forks=4&max_len=64&pos=20", 720.0);
    let plot = &charts(&it)[0];
    let values = steps(0..64, |p| apart(8, p - 20.0));
    assert_curve(&it, plot, rgb(light().muted), &values);
}

/// Su et al. 2021: the frequencies of a head with d = 128; position interpolation divides each by s. Red are the pairs that
/// made less than a turn in 4096 positions and make more in the context, and no others.
#[test]
fn turns_over_the_trained_and_the_context_length() {
    for (settings, length, s) in [
        ("rule=interpolation&s=4&length=65536", 65_536.0, 4.0),
        ("rule=interpolation&s=4&length=16384", 16_384.0, 4.0),
        ("rule=unchanged&length=8192", 8192.0, 1.0),
    ] {
        let it = picture(ViewName::Context, settings, 720.0);
        let plot = &charts(&it)[0];
        let turns = |pair: f64| 4096.0 * omega(pair as usize, 128, 1e4) / TAU;
        assert_curve(&it, plot, rgb(light().muted), &steps(0..64, turns));
        for pair in 0..64 {
            let (before, ratio) = (turns(pair as f64), length / s / 4096.0);
            let wanted = plot.point((pair as f64, ratio * before));
            let at = |colour| {
                it.discs(rgb(colour))
                    .iter()
                    .any(|(p, _)| crate::pictures::query::distance(*p, wanted) < NEAR)
            };
            let beyond = before < 1.0 && ratio > 1.0;
            let seen = [light().ink, light().wrong].map(at);
            assert_eq!(seen, [!beyond, beyond], "{settings}: pair {pair}");
        }
    }
}

/// A dashed line shows the turns that pairs would make without the rule.
#[test]
fn what_a_rule_changes_is_seen_beside_what_it_gives() {
    let dashes = |settings: &str| {
        let it = picture(ViewName::Context, settings, 720.0);
        (
            charts(&it).remove(0),
            it.curves(rgb(light().wrong)).concat(),
        )
    };
    let (plot, points) = dashes("rule=interpolation&s=4&length=16384");
    let (x, y) = (plot.x.unwrap(), plot.y.unwrap());
    assert!(points.len() > 40);
    for point in points {
        // λ = 2π·10000^(i/64), in 16384 positions.
        let turns = 16384.0 * 1e4f64.powf(-x.value(point.0) / 64.0) / TAU;
        assert!((y.pixel(turns) - point.1).abs() < NEAR, "{point:?}");
    }
    // As long as in training, no pair turns further, and there is no rule to compare with.
    assert!(dashes("rule=unchanged&length=4096").1.is_empty());
}

/// The dot is on the curve at m − n, and the curve depends on the offset only.
#[test]
fn rotary_logits_over_the_offset() {
    let marks = ["m=12&n=5", "m=40&n=33", "m=7&n=0"].map(|settings| {
        let it = picture(ViewName::Rope, settings, 720.0);
        let plot = charts(&it).pop().unwrap();
        let dot = dots(&it, &plot, rgb(light().there))[0];
        assert!((dot.0 - 7.0).abs() < 0.5, "{dot:?}");
        let curve = it.curves(rgb(light().muted)).concat();
        assert!(from_curve(&curve, plot.point(dot)) < NEAR);
        dot
    });
    assert!(
        marks
            .windows(2)
            .all(|two| (two[0].1 - two[1].1).abs() < 0.02),
        "{marks:?}"
    );
}

/// The plot of the waves, whose axes have no frame.
pub fn of_waves(picture: &Recording) -> Plot {
    let ticks = |right: bool| {
        let numbers = picture
            .texts()
            .filter(|words| words.rgb == rgb(light().muted))
            .filter(|words| matches!(words.h, HPos::Right) == right);
        let at = |p: Point| if right { p.1 } else { p.0 };
        let ticks = numbers.filter_map(|words| Some((number(&words.text)?, at(words.at))));
        Axis::new(ticks.collect())
    };
    Plot::spanned(ticks(false), ticks(true))
}

/// The bench's curves and their dots for sine and cosine, each in its colour.
#[test]
fn waves_of_a_pair() {
    let it = picture(ViewName::Waves, "pair=4&max_len=64", 720.0);
    let plot = of_waves(&it);
    let w = omega(4, 128, 1e4);
    let cosine = rgb(light().cosine);
    for (colour, wave) in [
        (rgb(light().sine), f64::sin as fn(f64) -> f64),
        (cosine, f64::cos),
    ] {
        let values: Vec<_> = (-5..636)
            .map(|i| (f64::from(i) / 10.0, wave(f64::from(i) / 10.0 * w)))
            .collect();
        assert_curve(&it, &plot, colour, &values);
    }
    for position in 0..64 {
        let at = f64::from(position);
        assert_dot(&it, &plot, rgb(light().sine), (at, (at * w).sin()));
        // The dots of the cosine are rings, so that they differ without colour.
        let wanted = plot.point((at, (at * w).cos()));
        let near = |&(p, _, rgb): &(Point, f64, Rgb)| {
            rgb == cosine && crate::pictures::query::distance(p, wanted) < NEAR
        };
        assert!(it.rings().iter().any(near), "no ring at {position}");
    }
}
