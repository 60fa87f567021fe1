//! A table of positions as a map, and its diagonals over the offset.

use super::axes::{Plot, charts};
use super::cells::{STEP, bars, map_of, numbers_of, value};
use super::query::picture;
use super::{light, rgb};
use crate::recording::{Mark, Recording};
use posenc::ViewName;

/// The value of the strongest colour, read from the colour bar beside the map.
fn most(it: &Recording) -> f64 {
    let bar = bars(it)[0];
    let numbers = numbers_of(bar, it).into_iter();
    numbers.map(|(number, _)| number).fold(0.0, f64::max)
}

fn chart(it: &Recording) -> Plot {
    charts(it).pop().unwrap()
}

/// The dashes on the map are on the cells whose key is k positions after the query, or before it for negative k.
fn the_diagonal_is_marked(it: &Recording, k: f64) {
    let map = map_of(it);
    let cell = map.rect.width / map.columns as f64;
    let inside = |p: &&(f64, f64)| map.rect.contains(**p);
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

/// Without the mean of the rows a diagonal has many colours: means and band are those of the map's own cells.
#[test]
fn the_curve_and_its_band_are_read_off_the_map() {
    let n = 40;
    let settings = format!("d_model=16&max_len={n}&centred=on&k=5");
    let it = picture(ViewName::Similarity, &settings, 400.0);
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
    let offsets = 0..n as i32;
    let diagonals: Vec<(i32, Vec<f64>)> =
        offsets.map(|offset| (offset, diagonal(offset))).collect();
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
    }
    the_diagonal_is_marked(&it, 5.0);
}
