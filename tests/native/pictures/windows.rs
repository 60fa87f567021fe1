//! How far back a head of ALiBi attends (Press et al. 2022): the nearest keys that hold a given share of the weight if only
//! the bias matters, and the slopes if the number of heads is no power of two.

use super::axes::charts;
use super::curves::assert_dot;
use super::query::picture;
use super::{light, rgb};
use crate::recording::Rgb;
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
fn bars_reach_to_the_keys_that_hold_the_weight() {
    let it = picture(ViewName::Alibi, "heads=12&head=5", 720.0);
    let charts = charts(&it);
    let (slopes, windows) = (&charts[0], &charts[1]);
    for head in 1..=12 {
        let colour: Rgb = match head {
            5 => rgb(light().accent),
            9.. => rgb(light().series[1]),
            _ => rgb(light().series[0]),
        };
        assert_dot(&it, slopes, colour, (f64::from(head), slope(head)));
        for (share, faint) in [(0.5, false), (0.9, true)] {
            let (x, y) = windows.point((f64::from(head), window(slope(head), share)));
            let bars = it.fills(colour);
            let reaches = bars.iter().any(|(rect, paint)| {
                (rect.x + rect.width / 2.0 - x).abs() < 0.5
                    && (rect.y - y).abs() < 0.3
                    && (rect.bottom() - windows.rect.bottom()).abs() < 0.3
                    && (paint.alpha < 0.5) == faint
            });
            assert!(
                reaches,
                "head {head} holds {share}: {}",
                window(slope(head), share)
            );
        }
    }
    for (name, faint) in [("half of the weight", false), ("90% of it", true)] {
        let words = it.words(name).at;
        let fills = it.fills(rgb(light().series[0]));
        let beside = fills.iter().any(|(rect, paint)| {
            (paint.alpha < 0.5) == faint
                && (rect.y..rect.bottom()).contains(&words.1)
                && (0.0..15.0).contains(&(words.0 - rect.right()))
        });
        assert!(beside, "{name} has its colour");
    }
    assert_eq!(it.words("every second of 16").rgb, rgb(light().series[1]));
}
