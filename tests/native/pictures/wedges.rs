//! The matrix of clocks: wedges on the diagonal with the angle k·ω, in its own direction, between hands at pos·ω and at (pos
//! + k)·ω.

use super::curves::omega;
use super::query::{angle, distance, picture, turned};
use super::{light, rgb};
use crate::recording::{Mark, Point, Recording, Rgb};
use posenc::ViewName;
use std::f64::consts::TAU;

fn apart(a: f64, b: f64) -> f64 {
    let off = (a - b) / TAU;
    (off - off.round()).abs() * TAU
}

/// The centres of the wedges and their angles, counter-clockwise, in radians.
fn wedges(picture: &Recording) -> Vec<(Point, f64)> {
    let wedges = picture.marks.iter().filter_map(|mark| match mark {
        Mark::Polygon(points, paint) if paint.rgb == rgb(light().there) && paint.alpha < 0.5 => {
            let (centre, rim) = points.split_last()?;
            Some((*centre, turned(*centre, rim)))
        }
        _ => None,
    });
    wedges.collect()
}

/// The hands of a colour: the centre of their clock and their direction.
fn hands(picture: &Recording, colour: Rgb) -> Vec<(Point, f64)> {
    let centred = |from: Point| {
        let rings = picture.rings();
        rings.iter().any(|ring| distance(ring.0, from) < 0.5)
    };
    let lines = picture.paths(colour).into_iter();
    lines
        .filter(|(points, _)| points.len() == 2 && centred(points[0]))
        .map(|(points, _)| (points[0], angle(points[0], points[1])))
        .collect()
}

#[test]
fn wedges_open_by_k_times_omega_and_stand_still_when_pos_moves() {
    let mut before: Option<(i32, Vec<(Point, f64)>)> = None;
    for (k, pos) in [(3, 10), (3, 37), (-2, 10), (-2, 0)] {
        let settings = format!("d_model=16&k={k}&pos={pos}&pair=2");
        let it = picture(ViewName::MatrixClocks, &settings, 720.0);
        let wedges = wedges(&it);
        assert_eq!(wedges.len(), 8);
        let here = hands(&it, rgb(light().here));
        let there = hands(&it, rgb(light().there));
        for (pair, (centre, turn)) in wedges.iter().enumerate() {
            let frequency = omega(pair, 16, 1e4);
            let wanted = f64::from(k) * frequency;
            assert!((turn - wanted).abs() < 0.01, "{pair}: {turn} for {wanted}");
            // Each row's block is one block further to the right.
            if pair > 0 {
                let last = wedges[pair - 1].0;
                let step = (centre.0 - last.0, centre.1 - last.1);
                assert!(step.0 > 10.0 && (step.0 - step.1).abs() < 0.5);
            }
            let row = |hand: &&(Point, f64)| (hand.0.1 - centre.1).abs() < 0.5;
            let (at, direction) = here.iter().find(row).unwrap();
            assert!(at.0 < centre.0);
            assert!(apart(*direction, f64::from(pos) * frequency) < 0.01);
            let right = |hand: &&(Point, f64)| row(hand) && hand.0.0 > centre.0 + 1.0;
            let (_, direction) = there.iter().find(right).unwrap();
            assert!(apart(*direction, f64::from(pos + k) * frequency) < 0.01);
        }
        if let Some((_, same)) = before.filter(|(of, _)| *of == k) {
            assert_eq!(same, wedges, "k = {k}");
        }
        before = Some((k, wedges));
    }
}

#[test]
fn angles_stand_in_the_row_of_their_pair() {
    let it = picture(ViewName::MatrixClocks, "d_model=4&k=3&pos=10", 720.0);
    // ω = 1 and 1/100: angles of 3 and 0.03 radians.
    for (row, text) in ["171.89°", "1.72°"].into_iter().enumerate() {
        let words = it.texts().find(|words| words.text == text).unwrap();
        let (centre, _) = wedges(&it)[row];
        assert!((words.at.1 - centre.1).abs() < 0.5, "{text}");
    }
    let texts: Vec<_> = it.texts().map(|words| words.text.as_str()).collect();
    assert!(texts.contains(&"PE(10)") && texts.contains(&"PE(13)"));
}

/// Of 64 pairs, 34 turn by at least π/6 over 64 positions: there are blocks for some of these, and the others are counted.
#[test]
fn what_is_left_out_is_counted() {
    for (width, count) in [(720.0, 8), (340.0, 5)] {
        let it = picture(ViewName::MatrixClocks, "", width);
        assert_eq!(wedges(&it).len(), count, "at {width}");
        let said = format!("{count} of 64, fast → slow · 30 pairs that hardly turn here");
        assert!(it.texts().any(|words| words.text == said), "{said}");
    }
}

/// The wall of clocks: each hand is at pos·ω of the pair whose number is below it, with a wedge of k·ω from there.
#[test]
fn every_clock_of_the_wall_is_that_of_the_pair_below_it() {
    for (pos, k, d) in [(10, 3, 32), (37, -5, 64)] {
        let settings = format!("pos={pos}&k={k}&d_model={d}&max_len=64");
        let it = picture(ViewName::Clocks, &settings, 720.0);
        let (wedges, hands) = (wedges(&it), hands(&it, rgb(light().here)));
        let numbers: Vec<(Point, usize)> = it
            .texts()
            .filter_map(|words| Some((words.at, words.text.parse().ok()?)))
            .collect();
        assert_eq!(wedges.len(), hands.len());
        assert!(wedges.len() >= 16, "{}", wedges.len());
        let mut seen: Vec<usize> = Vec::new();
        for (centre, turn) in &wedges {
            // The number below a clock, not that above the one in the next row.
            let below = numbers.iter().filter(|(at, _)| at.1 > centre.1);
            let nearest =
                below.min_by(|a, b| distance(a.0, *centre).total_cmp(&distance(b.0, *centre)));
            let pair = nearest.unwrap().1;
            let frequency = omega(pair, d, 1e4);
            // More than a turn is drawn as a full circle.
            let wanted = f64::from(k) * frequency;
            assert!(
                (turn - wanted).abs() < 0.01,
                "pair {pair}: {turn} for {wanted}"
            );
            let (_, direction) = hands
                .iter()
                .find(|hand| distance(hand.0, *centre) < 0.5)
                .unwrap();
            assert!(
                apart(*direction, f64::from(pos) * frequency) < 0.02,
                "pair {pair}"
            );
            seen.push(pair);
        }
        // Each pair once, from the fastest to the slowest, which is included.
        assert!(seen.windows(2).all(|two| two[0] < two[1]), "{seen:?}");
        assert_eq!((seen[0], seen[seen.len() - 1]), (0, d / 2 - 1));
    }
}
