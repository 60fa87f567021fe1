//! Encodings beside each other on the same queries and keys: what is added or rotated, the logits, and their means by
//! offset, for the encodings that are formulas.

use super::axes::number;
use super::cells::{assert_cells, interleaved};
use super::curves::omega;
use super::query::picture;
use super::{light, rgb};
use crate::recording::{Bitmap, Point, Recording};
use posenc::{Matrix, Normals, Rect, ViewName};

const WIDTH: usize = 16;
const LEN: usize = 24;
/// The slope of head 4 of 8: 2^(−4).
const SLOPE: f64 = 1.0 / 16.0;

/// Queries and keys, from a seed.
fn vectors() -> [Matrix<f64>; 2] {
    let mut normals = Normals::seeded(5);
    [(); 2].map(|()| normals.matrix(64, WIDTH, 1.0))
}

/// Whether a point is inside a rectangle or on its edge.
fn within(rect: &Rect, (x, y): Point) -> bool {
    (rect.x - 0.3..rect.right() + 0.3).contains(&x)
        && (rect.y - 0.3..rect.bottom() + 0.3).contains(&y)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>() / (WIDTH as f64).sqrt()
}

fn added(x: &[f64], position: usize) -> Vec<f64> {
    let row = (0..WIDTH).map(|j| interleaved(position as f64, j, WIDTH));
    x.iter().zip(row).map(|(x, pe)| x + pe).collect()
}

fn turned(x: &[f64], position: usize) -> Vec<f64> {
    let pair = |pair: usize| {
        let (sin, cos) = (position as f64 * omega(pair, WIDTH, 1e4)).sin_cos();
        let (a, b) = (x[2 * pair], x[2 * pair + 1]);
        [a * cos - b * sin, a * sin + b * cos]
    };
    (0..WIDTH / 2).flat_map(pair).collect()
}

const COLUMNS: [&str; 3] = ["sinusoidal", "rope", "alibi"];

/// The logit of a query and a key; `None` if the mask of ALiBi covers the key.
fn logit(column: usize, (q, m): (&[f64], usize), (k, n): (&[f64], usize)) -> Option<f64> {
    match column {
        0 => Some(dot(&added(q, m), &added(k, n))),
        1 => Some(dot(&turned(q, m), &turned(k, n))),
        _ => (n <= m).then(|| dot(q, k) - SLOPE * (m - n) as f64),
    }
}

fn shown(pos: usize, k: i32) -> Recording {
    let [first, second, third] = COLUMNS;
    let settings = format!(
        "first={first}&second={second}&third={third}&fourth=off&length={LEN}&max_len={LEN}&pos={pos}&k={k}&maps=on"
    );
    picture(ViewName::SideBySide, &settings, 720.0)
}

/// The maps of logits, from left to right.
fn maps(it: &Recording) -> Vec<&Bitmap> {
    let images = it.images().into_iter();
    let square = images.filter(|image| (image.rows, image.columns) == (LEN, LEN));
    // The bias of ALiBi has the same number of cells, and is above.
    let mut all: Vec<&Bitmap> = square.collect();
    let lowest = all.iter().map(|image| image.rect.y).fold(0.0, f64::max);
    all.retain(|image| (image.rect.y - lowest).abs() < 0.5);
    all.sort_by(|a, b| a.rect.x.total_cmp(&b.rect.x));
    all
}

#[test]
fn maps_beside_one_another_show_the_logits_of_their_encodings() {
    let (pos, k) = (15, -6);
    let it = shown(pos, k);
    let [queries, keys] = vectors();
    let of =
        |column: usize, m: usize, n: usize| logit(column, (queries.row(m), m), (keys.row(n), n));
    let cells = || (0..LEN).flat_map(|m| (0..LEN).map(move |n| (m, n)));
    let all = (0..3).flat_map(|column| cells().map(move |(m, n)| of(column, m, n)));
    let most = all
        .flatten()
        .fold(0.0, |most: f64, logit| most.max(logit.abs()));
    let maps = maps(&it);
    assert_eq!(maps.len(), 3);
    for (column, map) in maps.iter().enumerate() {
        assert_cells(map, (LEN, LEN), |m, n| {
            of(column, m, n).unwrap_or_default() / most
        });
        let key = (pos as i32 + k) as usize;
        let said = format!("{:.2}", of(column, pos, key).unwrap()).replace('-', "−");
        let title = it.texts().find(|words| {
            (words.at.0 - map.rect.x).abs() < 0.5
                && (0.0..20.0).contains(&(map.rect.y - words.at.1))
        });
        assert!(title.unwrap().text.ends_with(&said), "{}", COLUMNS[column]);
        let at = map.cell(key, pos);
        let there = rgb(light().there);
        let ringed = it
            .rings()
            .into_iter()
            .any(|ring| super::query::distance(ring.0, at) < 0.5 && ring.2 == there);
        assert!(ringed, "{}", COLUMNS[column]);
    }
    // The ends of the bar are the largest logit of all maps, of both signs.
    let end = format!("±{most:.1}");
    assert!(it.texts().any(|words| words.text == end), "{end}");
}

/// The sinusoidal row is added to the embedding, RoPE rotates by pos·ω, ALiBi subtracts a sixteenth of the distance.
#[test]
fn what_each_encoding_does_stands_above_its_logits() {
    let it = shown(10, 2);
    let above = |map: &Bitmap, columns: usize| -> Bitmap {
        let images = it.images().into_iter();
        let mut images = images.filter(|image| {
            (image.rect.x - map.rect.x).abs() < 0.5
                && image.rect.y < map.rect.y - 5.0
                && (image.rows, image.columns) == (LEN, columns)
        });
        images.next().unwrap().clone()
    };
    let maps = maps(&it);
    assert_cells(&above(maps[0], WIDTH), (LEN, WIDTH), |p, j| {
        interleaved(p as f64, j, WIDTH)
    });
    assert_cells(&above(maps[1], WIDTH / 2), (LEN, WIDTH / 2), |p, pair| {
        (p as f64 * omega(pair, WIDTH, 1e4)).cos()
    });
    // The largest distance has the strongest colour.
    let farthest = (LEN - 1) as f64;
    assert_cells(&above(maps[2], LEN), (LEN, LEN), |m, n| {
        // Keys ahead of a query are masked.
        -(m.saturating_sub(n) as f64) / farthest
    });
    let ends = it.texts().filter_map(|words| words.text.split_once('±'));
    let ends: Vec<f64> = ends.filter_map(|(_, most)| number(most)).collect();
    let wanted = [1.0, 1.0, SLOPE * farthest];
    assert!(
        ends.iter()
            .zip(wanted)
            .all(|(a, b)| (a / b - 1.0).abs() < 0.05),
        "{ends:?}"
    );
}

/// The first query and key at any positions: RoPE and ALiBi have one logit per offset; key − query increases to the right.
#[test]
fn curves_are_logits_of_one_query_and_key_by_their_offset() {
    let it = shown(10, 5);
    let [queries, keys] = vectors();
    let of = |column: usize, offset: i32| {
        let (m, n) = ((-offset).max(0) as usize, offset.max(0) as usize);
        logit(column, (queries.row(0), m), (keys.row(0), n))
    };
    // The curves are above everything else; the two numbers to the left of the first one's frame are its range.
    let maps = maps(&it);
    let frame = |map: &Bitmap| {
        let frames = it.outlines(rgb(light().muted)).into_iter();
        let column = frames.filter(|rect| (rect.x - map.rect.x).abs() < 0.5);
        *column.min_by(|a, b| a.y.total_cmp(&b.y)).unwrap()
    };
    let first = frame(maps[0]);
    let ends: Vec<f64> = it
        .texts()
        .filter(|words| words.at.0 < first.x && (first.y..first.bottom()).contains(&words.at.1))
        .filter_map(|words| number(&words.text))
        .collect();
    let (low, high) = (ends[1], ends[0]);
    for column in [1, 2] {
        let rect = frame(maps[column]);
        let curves = it.curves(rgb(light().accent)).into_iter();
        let curve = curves
            .filter(|curve| curve.iter().all(|p| within(&rect, *p)))
            .max_by_key(|curve| curve.len())
            .unwrap();
        let last = if COLUMNS[column] == "alibi" {
            0
        } else {
            LEN as i32 - 1
        };
        assert_eq!(curve.len(), (LEN as i32 + last) as usize);
        for offset in 1 - LEN as i32..=last {
            let x = rect.x + (0.5 + f64::from(offset) / (2 * LEN) as f64) * rect.width;
            let p = curve.iter().find(|p| (p.0 - x).abs() < 0.2).unwrap();
            let seen = low + (rect.bottom() - p.1) / rect.height * (high - low);
            let wanted = of(column, offset).unwrap();
            // The range is rounded to a tenth.
            assert!(
                (seen - wanted).abs() < 0.08,
                "{} at {offset}: {seen} for {wanted}",
                COLUMNS[column]
            );
            if offset == 5 {
                let dots = it.discs(rgb(light().there));
                assert!(
                    dots.iter()
                        .any(|dot| super::query::distance(dot.0, *p) < 0.3)
                );
            }
        }
        // One logit per offset.
        let spread = it
            .texts()
            .filter(|words| words.text == "offset only" && (words.at.0 - rect.x).abs() < 0.5);
        assert_eq!(spread.count(), 1);
    }
}
