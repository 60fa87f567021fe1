//! A layer that has learned to attend k positions back shows this in its attention, its curves and its clocks.

use super::axes::charts;
use super::cells::value;
use super::curves::{dots, omega};
use super::query::{angle, distance, picture};
use super::{light, rgb};
use crate::recording::{Point, Recording};
use posenc::ViewName;
use std::f64::consts::TAU;

/// The centre and the direction of the hand of a colour on each clock, in the order of the pairs.
fn hands(it: &Recording, colour: plotters::style::RGBColor) -> Vec<(Point, f64)> {
    let rings = it.rings();
    let lines = it.paths(rgb(colour)).into_iter();
    let hands = lines.filter(|(points, _)| {
        points.len() == 2 && rings.iter().any(|ring| distance(ring.0, points[0]) < 0.5)
    });
    hands
        .map(|(points, _)| (points[0], angle(points[0], points[1])))
        .collect()
}

fn apart(a: f64, b: f64) -> f64 {
    let off = (a - b) / TAU;
    (off - off.round()).abs() * TAU
}

/// The key with the largest weight for every query that has a key k = 3 positions back.
fn brightest(it: &Recording) -> Vec<(usize, usize)> {
    let map = it.grid(32, 32);
    let share = |query, key| value(map.pixel(key, query));
    let key = |query| (0..32).max_by(|&a, &b| share(query, a).total_cmp(&share(query, b)));
    (3..32).map(|query| (query, key(query).unwrap())).collect()
}

#[test]
fn what_has_learned_to_look_back_attends_there_and_turns_the_fastest_pairs_so() {
    let it = picture(ViewName::Lab, "k=3&steps=400", 720.0);
    for (query, key) in brightest(&it) {
        assert_eq!(key, query - 3);
    }
    // Future keys are masked.
    let map = it.grid(32, 32);
    for query in 0..32 {
        assert!((query + 1..32).all(|key| value(map.pixel(key, query)).abs() < 1e-9));
    }
    // Two lines run along the cells three positions back, half a cell's diagonal to either side.
    let cell = map.rect.width / 32.0;
    let lines = it.paths(rgb(light().there)).into_iter();
    let along = lines.filter(|(points, _)| distance(points[0], points[points.len() - 1]) > 100.0);
    let off = |(points, _): (&[Point], f64)| {
        let (x, y) = points[0];
        ((y - map.rect.y) - (x - map.rect.x)) / cell
    };
    let mut offs: Vec<f64> = along.map(off).collect();
    offs.sort_by(f64::total_cmp);
    assert_eq!(offs.len(), 2);
    assert!((offs[0] - 2.0).abs() < 0.1 && (offs[1] - 4.0).abs() < 0.1);
    let [found, expected] = [light().here, light().there].map(|colour| hands(&it, colour));
    assert_eq!((found.len(), expected.len()), (16, 16));
    for (pair, (centre, _)) in found.iter().enumerate() {
        let wanted = 3.0 * omega(pair, 32, 1e4);
        let clock = expected.iter().find(|hand| distance(hand.0, *centre) < 0.5);
        let (_, direction) = clock.expect("each clock has both hands");
        assert!(apart(*direction, wanted) < 0.02, "pair {pair}");
    }
    // The lab's own bound is 0.15 rad, for the mean of the three fastest pairs.
    assert!(apart(found[0].1, 3.0) < 0.15, "{}", found[0].1);
    for (pair, (_, direction)) in found.iter().enumerate().take(3).skip(1) {
        let wanted = 3.0 * omega(pair, 32, 1e4);
        assert!(apart(*direction, wanted) < 0.3, "pair {pair}");
    }
}

#[test]
fn what_guessing_is_worth_is_marked_and_where_the_curve_ends() {
    for (settings, least) in [("steps=400", 0.99), ("pe=none&steps=400", 0.0)] {
        let it = picture(ViewName::Lab, settings, 720.0);
        let charts = charts(&it);
        let y = charts[0].y.as_ref().unwrap().pixel(1.0 / 16.0);
        assert!(it.level_at(rgb(light().muted), y));
        let dots = dots(&it, &charts[0], rgb(light().series[0]));
        assert_eq!(dots.len(), 1);
        let (steps, accuracy) = dots[0];
        assert!((steps - 400.0).abs() < 0.5);
        assert!(accuracy >= least && (least > 0.0 || accuracy < 0.4));
    }
}

/// A layer with a bias for the nearest keys does not learn to attend three positions back, and has no pairs.
#[test]
fn a_bias_for_the_nearest_keys_looks_elsewhere() {
    let it = picture(ViewName::Lab, "pe=alibi&steps=400", 720.0);
    let right = brightest(&it).into_iter();
    let right = right.filter(|(query, key)| key + 3 == *query).count();
    assert!(right < 15, "{right} of 29");
    assert!(it.rings().is_empty());
}
