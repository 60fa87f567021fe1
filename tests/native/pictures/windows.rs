//! How far back a head of ALiBi attends (Press et al. 2022): its bias by distance, the nearest keys that hold a given share of
//! the weight if only the bias matters, and the slopes if the number of heads is no power of two.

use super::axes::charts;
use super::curves::assert_dot;
use super::query::{distance, picture};
use super::{light, rgb};
use crate::recording::{Point, Rgb};
use posenc::ViewName;

/// The number of nearest keys whose weights, softmax of −slope · distance over 4096 keys, reach a share of the total.
fn window(slope: f64, share: f64) -> f64 {
    let weights: Vec<f64> = (0..4096)
        .map(|distance| (-slope * f64::from(distance)).exp())
        .collect();
    let wanted = share * weights.iter().sum::<f64>();
    let mut sum = 0.0;
    let held = weights.iter().position(|weight| {
        sum += weight;
        sum >= wanted
    });
    (held.unwrap() + 1) as f64
}

/// The slopes of 12 heads: those of 8 heads, then every second of those of 16.
fn slope(head: i32) -> f64 {
    match head {
        1..=8 => 2f64.powi(-head),
        _ => 2f64.powf(-0.5 * f64::from(2 * (head - 8) - 1)),
    }
}

#[test]
fn marks_are_at_the_keys_that_hold_the_weight() {
    let it = picture(ViewName::Alibi, "heads=12&head=5", 720.0);
    let windows = &charts(&it)[1];
    let near = |a: Point, b: Point| (a.0 - b.0).abs() < 0.5 && (a.1 - b.1).abs() < 0.5;
    for head in 1..=12 {
        let colour: Rgb = match head {
            5 => rgb(light().accent),
            9.. => rgb(light().series[1]),
            _ => rgb(light().series[0]),
        };
        let held = |share| (f64::from(head), window(slope(head), share));
        assert_dot(&it, windows, colour, held(0.5));
        let at = windows.point(held(0.9));
        let rings = it.rings();
        let ring = rings
            .iter()
            .any(|(centre, _, rgb)| near(*centre, at) && *rgb == colour);
        assert!(ring, "head {head}: {:?}", held(0.9));
    }
    for (words, share) in [("50% on 23", 0.5), ("90% on 74", 0.9)] {
        let (at, mark) = (
            it.words(words).at,
            windows.point((5.0, window(slope(5), share))),
        );
        let near = distance(at, mark) < 60.0 && (at.1 - mark.1).abs() < 20.0;
        assert!(near, "{words}");
    }
    assert_eq!(it.words("every second of 16").rgb, rgb(light().series[1]));
}

/// The bias of a key is −slope · distance; the names of the chosen head, the steepest and the flattest are at the ends.
#[test]
fn the_bias_of_every_head_falls_by_its_slope() {
    let it = picture(ViewName::Alibi, "heads=12&head=2&windows=off", 720.0);
    let plot = &charts(&it)[0];
    let fall = |head: i32| [(0.0, 0.0), (10.0, -10.0 * slope(head))];
    for head in 1..=12 {
        let colour = match head {
            2 => rgb(light().accent),
            9.. => rgb(light().series[1]),
            _ => rgb(light().series[0]),
        };
        let wanted = fall(head).map(|value| plot.point(value));
        let lines = it.paths(colour);
        let drawn = lines.iter().any(|(line, _)| {
            line.len() == 2 && (0..2).all(|end| distance(line[end], wanted[end]) < 0.5)
        });
        assert!(drawn, "head {head}");
    }
    for (head, step) in [
        (2, "−0.25 a step"),
        (9, "−0.7071 a step"),
        (8, "−0.0039 a step"),
    ] {
        let (end, name) = (plot.point(fall(head)[1]), it.words(&format!("head {head}")));
        assert!(
            (name.at.1 - end.1).abs() < 20.0 && name.at.0 > end.0,
            "{head}"
        );
        assert_eq!(it.words(step).rgb, name.rgb);
    }
}

/// The lesson asks for them before it shows them.
#[test]
fn windows_can_wait_for_a_prediction() {
    let it = picture(ViewName::Alibi, "windows=off", 720.0);
    assert_eq!(charts(&it).len(), 1);
}
