//! Colours that stand for angles: the cells of the heatmap and the wheel beside it, read with the published colour map.

use super::axes::number;
use super::curves::omega;
use super::query::{angle, distance, picture};
use super::{light, rgb};
use crate::recording::{Bitmap, Mark, Point, Recording, Rgb};
use posenc::{PhaseMap, ViewName};
use std::f64::consts::TAU;

/// Half a step of the map, plus half of an adjacent step, whose rounded colour may be the same.
pub(super) const STEP: f64 = TAU / 256.0;

/// The angle with the nearest colour.
pub(super) fn angle_of(colour: Rgb) -> f64 {
    let map = PhaseMap::new(light());
    let off = |step: &[u8; 3]| {
        let (r, g, b) = colour;
        let channels = [r, g, b].into_iter().zip(*step);
        channels
            .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
            .sum::<u32>()
    };
    let steps = map.steps();
    let nearest = (0..steps.len()).min_by_key(|&step| off(&steps[step]));
    nearest.unwrap() as f64 * TAU / steps.len() as f64
}

pub(super) fn apart(a: f64, b: f64) -> f64 {
    let off = (a - b) / TAU;
    (off - off.round()).abs() * TAU
}

fn largest(picture: &Recording) -> &Bitmap {
    let area = |image: &&&Bitmap| image.columns * image.rows;
    let images = picture.images();
    images.iter().max_by_key(area).copied().unwrap()
}

#[test]
fn a_cell_has_the_colour_of_the_angle_of_its_pair() {
    let (d, rows) = (64, 32);
    for layout in ["interleaved", "concatenated", "tensor2tensor"] {
        let settings = format!("d_model={d}&max_len={rows}&layout={layout}&colour=phase");
        let it = picture(ViewName::Heatmap, &settings, 720.0);
        let image = largest(&it);
        assert_eq!((image.rows, image.columns), (rows, d / 2), "{layout}");
        for row in 0..rows {
            for pair in 0..d / 2 {
                let frequency = match layout {
                    "tensor2tensor" => 1e4f64.powf(-(pair as f64) / (d / 2 - 1) as f64),
                    _ => omega(pair, d, 1e4),
                };
                let wanted = row as f64 * frequency;
                let seen = angle_of(image.pixel(pair, row));
                assert!(
                    apart(seen, wanted) <= STEP,
                    "{layout}, position {row}, pair {pair}: {seen} for {wanted}"
                );
            }
        }
    }
}

/// As the caption says, k changes every cell of a column by the same angle.
#[test]
fn a_shift_moves_a_column_by_one_angle() {
    let it = picture(
        ViewName::Heatmap,
        "d_model=32&max_len=60&colour=phase&k=7",
        720.0,
    );
    let image = largest(&it);
    for pair in 0..16 {
        let turn = 7.0 * omega(pair, 32, 1e4);
        for row in 0..53 {
            let [here, there] = [row, row + 7].map(|row| angle_of(image.pixel(pair, row)));
            assert!(apart(there - here, turn) <= 2.0 * STEP, "{pair}, {row}");
        }
    }
}

/// With d_model = 9 there are four pairs and a column of half a pair's width: a sine alone or, in tensor2tensor's layout,
/// zeros.
#[test]
fn half_a_pair_has_half_the_width() {
    for (layout, grey) in [("interleaved", false), ("tensor2tensor", true)] {
        let settings = format!("d_model=9&max_len=20&layout={layout}&colour=phase");
        let it = picture(ViewName::Heatmap, &settings, 720.0);
        let image = largest(&it);
        let [left, _, width, _] = image.part;
        assert_eq!((image.columns, left, width), (5, 0.0, 4.5));
        let [r, g, b] = PhaseMap::NEUTRAL;
        for row in 0..20 {
            assert_eq!(image.pixel(4, row) == (r, g, b), grey, "{layout}, {row}");
        }
    }
}

/// A pixel for many positions has the direction of the mean of (cos, sin), and is greyer the shorter that mean is.
#[test]
fn averaged_angles_fade_to_grey() {
    let (d, len) = (16, 20_000);
    let it = picture(
        ViewName::Heatmap,
        &format!("d_model={d}&max_len={len}&colour=phase"),
        720.0,
    );
    let image = largest(&it);
    assert!(image.rows < 1000);
    let per_row = len as f64 / image.rows as f64;
    let map = PhaseMap::new(light());
    for pair in 0..d / 2 {
        for row in (0..image.rows).step_by(37) {
            // Above 8 positions per pixel its edges are rounded to whole positions.
            let edge = |row: usize| (row as f64 * per_row).round() as usize;
            let positions = edge(row)..edge(row + 1);
            let count = positions.len() as f64;
            let (mut sine, mut cosine) = (0.0, 0.0);
            for position in positions {
                let angle = position as f64 * omega(pair, d, 1e4);
                sine += angle.sin() / count;
                cosine += angle.cos() / count;
            }
            let length = sine.hypot(cosine);
            let [r, g, b] = map.colour(sine.atan2(cosine));
            let pixel = image.pixel(pair, row);
            let seen = [pixel.0, pixel.1, pixel.2].map(f64::from);
            for (c, (seen, full)) in seen.into_iter().zip([r, g, b]).enumerate() {
                let grey = f64::from(PhaseMap::NEUTRAL[c]);
                let wanted = grey + length * (f64::from(full) - grey);
                // A step of the map changes a channel by at most 4.
                assert!(
                    (seen - wanted).abs() < 4.6,
                    "pair {pair}, row {row}: {seen} {wanted}"
                );
            }
        }
    }
}

/// The wheel has the orientation of a dial: the colour in a direction is that of cells with this angle, and its labels give
/// their own directions.
#[test]
fn the_wheel_shows_each_angle_in_its_own_direction() {
    for (settings, width, numbered) in [("colour=phase", 720.0, 4), ("colour=phase", 360.0, 2)] {
        let it = picture(ViewName::Heatmap, settings, width);
        let image = largest(&it);
        let rings = it.rings();
        let beyond = |ring: &&(Point, f64, Rgb)| ring.0.0 > image.rect.right();
        let &(centre, radius, _) = rings.iter().find(beyond).unwrap();
        let mut parts = 0;
        for mark in &it.marks {
            let Mark::Polygon(points, paint) = mark else {
                continue;
            };
            if points.len() != 4 || points.iter().any(|&p| distance(centre, p) > radius + 0.5) {
                continue;
            }
            let middle = [0, 1].map(|axis| {
                let of = |p: &Point| if axis == 0 { p.0 } else { p.1 };
                points.iter().map(of).sum::<f64>() / 4.0
            });
            let direction = angle(centre, (middle[0], middle[1]));
            // A part extends from half a part before its angle to four fifths of one after it.
            let part = TAU / 64.0;
            assert!(apart(angle_of(paint.rgb), direction) < 0.15 * part + STEP);
            parts += 1;
        }
        assert_eq!(parts, 64);
        let around = it.texts().filter_map(|words| {
            let degrees = number(words.text.strip_suffix('°')?)?;
            let at = words.middle();
            (distance(centre, at) < 3.0 * radius).then(|| (degrees, angle(centre, at)))
        });
        let around: Vec<_> = around.collect();
        assert_eq!(around.len(), numbered, "{around:?}");
        for (degrees, direction) in around {
            assert!(apart(degrees.to_radians(), direction) < 0.05, "{degrees}");
        }
        // The selected pair at pos and at pos + k: 10 and 13 by default, pair 4 of 128 dimensions.
        for (position, colour) in [(10.0, light().here), (13.0, light().there)] {
            let hands = it.paths(rgb(colour));
            let from_centre = |path: &&(&[Point], f64)| distance(path.0[0], centre) < 0.5;
            let (hand, _) = hands.iter().find(from_centre).unwrap();
            assert!(apart(angle(centre, hand[1]), position * omega(4, 128, 1e4)) < 0.02);
        }
    }
}
