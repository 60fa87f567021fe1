//! The figure of one query over its keys: each bar has the height of the mean of its pairs' shares, computed here, and each
//! cell below it has the colour of one share.

use super::axes::plots;
use super::cells::value;
use super::curves::omega;
use super::query::picture;
use super::{light, rgb};
use crate::recording::Recording;
use posenc::ViewName;

/// The bars in order: key and height on the axes of their plot.
fn bars(picture: &Recording) -> Vec<(f64, f64)> {
    let plots = plots(picture);
    let plot = plots.iter().find(|plot| plot.ruled).unwrap();
    let (x, y) = (plot.x.as_ref().unwrap(), plot.y.as_ref().unwrap());
    let colours = [light().muted, light().here, light().there].map(rgb);
    let mut found = Vec::new();
    for (rect, paint) in picture.rectangles() {
        let middle = (rect.x + 0.5 * rect.width, rect.y + 0.5 * rect.height);
        if paint.stroke.is_some() || !colours.contains(&paint.rgb) || !plot.contains(middle) {
            continue;
        }
        // A bar extends from zero to its value.
        let ends = [rect.y, rect.y + rect.height].map(|at| y.value(at));
        let height = ends[0] + ends[1];
        assert!(ends.into_iter().any(|end| end.abs() < 0.03), "{ends:?}");
        found.push((x.value(middle.0), height));
    }
    found
}

fn mean(d: usize, summed: usize, offset: f64) -> f64 {
    let cosines = (0..summed).map(|pair| (offset * omega(pair, d, 1e4)).cos());
    cosines.sum::<f64>() / summed as f64
}

#[test]
fn bars_are_means_of_cosines() {
    for (settings, peak, summed) in [
        ("d_model=32&max_len=30&pos=12&summed=16", 12.0, 16),
        ("d_model=32&max_len=30&pos=12&summed=3", 12.0, 3),
        (
            "d_model=32&max_len=30&pos=12&summed=16&weights=turned&k=9",
            21.0,
            16,
        ),
        (
            "d_model=32&max_len=30&pos=12&summed=5&weights=turned&k=-4",
            8.0,
            5,
        ),
    ] {
        let it = picture(ViewName::Attend, settings, 720.0);
        let bars = bars(&it);
        assert_eq!(bars.len(), 30, "{settings}");
        for (at, height) in bars {
            assert!((at - at.round()).abs() < 0.05, "{settings}: {at}");
            let wanted = mean(32, summed, at.round() - peak);
            assert!(
                (height - wanted).abs() < 0.03,
                "{settings}, key {at}: {height} for {wanted}"
            );
        }
    }
}

#[test]
fn a_cell_below_a_bar_is_the_share_of_one_pair() {
    let it = picture(
        ViewName::Attend,
        "d_model=32&max_len=30&pos=12&summed=16",
        720.0,
    );
    let images = it.images();
    let map = images.iter().max_by_key(|image| image.columns).unwrap();
    assert_eq!((map.rows, map.columns), (16, 30));
    for pair in 0..16 {
        for key in 0..30 {
            let wanted = ((12.0 - key as f64) * omega(pair, 32, 1e4)).cos();
            let seen = value(map.pixel(key, pair));
            assert!((seen - wanted).abs() < 0.01, "pair {pair}, key {key}");
        }
    }
    // Each column is below its bar.
    let columns: Vec<f64> = (0..30).map(|key| map.cell(key, 0).0).collect();
    let plots = plots(&it);
    let x = plots
        .iter()
        .find(|plot| plot.ruled)
        .unwrap()
        .x
        .as_ref()
        .unwrap()
        .clone();
    for (key, at) in columns.into_iter().enumerate() {
        assert!((x.value(at) - key as f64).abs() < 0.05);
    }
}
