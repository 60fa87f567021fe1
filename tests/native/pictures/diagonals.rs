//! Position logits with W_Q and W_K: the map of query and key, and its diagonals over the offset.

use super::axes::{Plot, charts, number};
use super::cells::{STEP, assert_cells, bars, map_of, numbers_of, value};
use super::curves::{assert_curve, assert_dot, omega};
use super::query::picture;
use super::{light, rgb};
use crate::recording::{Mark, Recording};
use posenc::ViewName;

/// PE(m)·PE(n)/√d at n − m, with W_Q = I or a rotation of every pair by k.
fn logit(d: usize, offset: f64) -> f64 {
    let cosines = (0..d / 2).map(|pair| (offset * omega(pair, d, 1e4)).cos());
    cosines.sum::<f64>() / (d as f64).sqrt()
}

/// The value of the strongest colour, read from the colour bar beside the map.
fn most(it: &Recording) -> f64 {
    let bar = bars(it)[0];
    let numbers = numbers_of(bar, it).into_iter();
    numbers.map(|(number, _)| number).fold(0.0, f64::max)
}

fn chart(it: &Recording) -> Plot {
    charts(it).pop().unwrap()
}

#[test]
fn logits_of_identity_and_rotation_peak_at_their_offset() {
    let (d, n) = (32, 40);
    for (weights, k, peak) in [
        ("identity", -7, 0),
        ("relative", -7, -7),
        ("relative", 12, 12),
    ] {
        let settings = format!("weights={weights}&d_model={d}&max_len={n}&k={k}");
        let it = picture(ViewName::Projections, &settings, 400.0);
        let of = |offset: f64| logit(d, offset - f64::from(peak));
        let most = most(&it);
        assert_cells(map_of(&it), (n, n), |query, key| {
            of(key as f64 - query as f64) / most
        });
        let plot = chart(&it);
        let values: Vec<_> = (1 - n as i32..n as i32)
            .map(|offset| (f64::from(offset), of(f64::from(offset))))
            .collect();
        assert_curve(&it, &plot, rgb(light().accent), &values);
        let k = f64::from(k);
        assert_dot(&it, &plot, rgb(light().there), (k, of(k)));
        let (x, _) = plot.point((k, 0.0));
        assert!(it.upright_at(rgb(light().there), x));
        // The offset explains the whole variance.
        assert!(
            it.texts()
                .any(|words| words.text == "the offset explains 100%")
        );
        the_diagonal_is_marked(&it, k);
    }
}

/// The dashes on the map are on the cells whose key is k positions after the query, or before it for negative k.
fn the_diagonal_is_marked(it: &Recording, k: f64) {
    let map = map_of(it);
    let cell = map.rect.width / map.columns as f64;
    let inside = |p: &&(f64, f64)| map.rect.contains(p.0, p.1);
    let dashes = it.paths(rgb(light().there)).into_iter();
    let dashes: Vec<(f64, f64)> = dashes
        .flat_map(|(line, _)| line.iter().filter(inside).copied().collect::<Vec<_>>())
        .collect();
    assert!(dashes.len() > 4);
    for (x, y) in dashes {
        let offset = ((x - map.rect.x) - (y - map.rect.y)) / cell;
        assert!((offset - k).abs() < 0.1, "{offset} for {k}");
    }
}

/// With random weights the offset explains less: share, means and band are those of the map's own cells.
#[test]
fn the_curve_and_the_share_are_read_off_the_map() {
    let n = 40;
    let settings = format!("weights=random&d_model=16&max_len={n}&k=5&seed=3");
    let it = picture(ViewName::Projections, &settings, 400.0);
    let (map, most) = (map_of(&it), most(&it));
    let cell = |query: usize, key: usize| most * value(map.pixel(key, query));
    let diagonal = |offset: i32| -> Vec<f64> {
        let cells = (0..n).flat_map(|query| (0..n).map(move |key| (query, key)));
        let cells = cells.filter(|(query, key)| *key as i32 - *query as i32 == offset);
        cells.map(|(query, key)| cell(query, key)).collect()
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let plot = chart(&it);
    let y = plot.y.as_ref().unwrap();
    let curve = it.curves(rgb(light().accent)).concat();
    let band = it.marks.iter().find_map(|mark| match mark {
        Mark::Polygon(points, paint) if paint.rgb == rgb(light().accent) => Some(points),
        _ => None,
    });
    let (mut all, mut explained) = (Vec::new(), 0.0);
    let offsets = 1 - n as i32..n as i32;
    let diagonals: Vec<(i32, Vec<f64>)> =
        offsets.map(|offset| (offset, diagonal(offset))).collect();
    diagonals.iter().for_each(|(_, cells)| all.extend(cells));
    for (offset, cells) in &diagonals {
        let x = plot.x.as_ref().unwrap().pixel(f64::from(*offset));
        let at = |points: &[(f64, f64)]| -> Vec<f64> {
            let there = points.iter().filter(|p| (p.0 - x).abs() < 0.2);
            there.map(|p| y.value(p.1)).collect()
        };
        // The colour of a cell determines its value to half a step.
        let near = |seen: f64, wanted: f64| (seen - wanted).abs() < 2.0 * STEP * most;
        assert!(near(at(&curve)[0], mean(cells)), "{offset}");
        let edges = at(band.unwrap());
        let high = edges.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let low = edges.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(near(
            high,
            cells.iter().copied().fold(f64::NEG_INFINITY, f64::max)
        ));
        assert!(near(
            low,
            cells.iter().copied().fold(f64::INFINITY, f64::min)
        ));
        explained += cells.len() as f64 * (mean(cells) - mean(&all)).powi(2);
    }
    let variance: f64 = all.iter().map(|cell| (cell - mean(&all)).powi(2)).sum();
    let said = it
        .texts()
        .find_map(|words| words.text.strip_prefix("the offset explains "));
    let said = number(said.unwrap().trim_end_matches('%')).unwrap();
    let wanted = 100.0 * explained / variance;
    assert!((said - wanted).abs() < 0.7, "{said} for {wanted}");
    the_diagonal_is_marked(&it, 5.0);
}
