//! Dials: angles are counter-clockwise from the cosine axis, so that PE(pos+k) is rotated by +kω from PE(pos), and the head
//! of an arc is at its end.

use super::curves::omega;
use super::query::{angle, distance, picture, turned};
use super::{everything, light, rgb};
use crate::recording::{Mark, Point, Recording, Rgb};
use posenc::ViewName;
use std::f64::consts::{PI, TAU};

/// An arc around a centre, possibly with an arrowhead at its end.
struct Arc {
    centre: Point,
    points: Vec<Point>,
    rgb: Rgb,
    /// Radians, counter-clockwise.
    turn: f64,
    /// Whether its head points in the direction of the arc; `None` without a head.
    head: Option<bool>,
}

/// The arcs inside the rings of a picture.
fn arcs(picture: &Recording) -> Vec<Arc> {
    let mut found = Vec::new();
    for (index, mark) in picture.marks.iter().enumerate() {
        let Mark::Path(points, paint) = mark else {
            continue;
        };
        let concentric = |centre: Point, radius: f64| {
            let reach: Vec<f64> = points.iter().map(|&p| distance(centre, p)).collect();
            let (low, high) = reach
                .iter()
                .fold((f64::INFINITY, 0.0f64), |(low, high), &r| {
                    (low.min(r), high.max(r))
                });
            let steps = reach
                .windows(2)
                .all(|two| (two[0] - two[1]).abs() < 0.05 * radius);
            points.len() > 2
                && low > 0.15 * radius
                && high < 0.95 * radius
                && high < 3.0 * low
                && steps
        };
        let Some((centre, ..)) = picture
            .rings()
            .into_iter()
            .find(|&(centre, radius, _)| radius > 12.0 && concentric(centre, radius))
        else {
            continue;
        };
        let turn = turned(centre, points);
        let end = *points.last().unwrap();
        let head = match picture.marks.get(index + 1) {
            Some(Mark::Polygon(head, of))
                if head.len() == 3 && of.rgb == paint.rgb && distance(head[0], end) < 0.5 =>
            {
                let base = ((head[1].0 + head[2].0) / 2.0, (head[1].1 + head[2].1) / 2.0);
                Some(turned(centre, &[base, head[0]]) * turn > 0.0)
            }
            _ => None,
        };
        found.push(Arc {
            centre,
            points: points.clone(),
            rgb: paint.rgb,
            turn,
            head,
        });
    }
    found
}

fn same_angle(a: f64, b: f64, tolerance: f64) -> bool {
    let off = (a - b) / TAU;
    (off - off.round()).abs() * TAU < tolerance
}

fn assert_angle(name: &str, seen: f64, wanted: f64) {
    assert!(
        same_angle(seen, wanted, 0.03),
        "{name}: {seen:.3} for {:.3}",
        wanted - TAU * (wanted / TAU).round()
    );
}

/// The arc of a colour around a centre.
fn arc_of(arcs: &[Arc], rgb: Rgb, centre: Point) -> Option<&Arc> {
    arcs.iter()
        .find(|arc| arc.rgb == rgb && distance(arc.centre, centre) < 1.0)
}

/// The tip of the arrow of a colour that starts at a centre.
fn tip(picture: &Recording, rgb: Rgb, centre: Point) -> Point {
    let from = |arrow: &&(Point, Point)| distance(arrow.0, centre) < 1.0;
    let arrows = picture.arrows(rgb);
    arrows
        .iter()
        .find(from)
        .unwrap_or_else(|| panic!("no arrow from {centre:?} in {rgb:?}"))
        .1
}

/// The end of the hand of a colour that starts at a centre.
fn hand(picture: &Recording, rgb: Rgb, centre: Point) -> Point {
    let lines = picture
        .paths(rgb)
        .into_iter()
        .filter(|(line, _)| line.len() == 2);
    let ends = lines
        .filter(|(line, _)| distance(line[0], centre) < 0.5)
        .map(|(line, _)| line[1]);
    ends.max_by(|a, b| distance(*a, centre).total_cmp(&distance(*b, centre)))
        .unwrap_or_else(|| panic!("no hand from {centre:?} in {rgb:?}"))
}

#[test]
fn heads_of_arcs_point_along_them() {
    let mut heads = 0;
    everything(|name, picture| {
        for arc in arcs(picture) {
            assert_ne!(
                arc.head,
                Some(false),
                "{name}: an arc by {:.2} with its head backwards",
                arc.turn
            );
            heads += usize::from(arc.head.is_some());
        }
    });
    assert!(heads > 20, "{heads}");
}

/// A label in the colour of a mark is closer to that mark than to the other.
#[test]
fn pos_and_its_target_have_their_own_names() {
    let (here, there) = (rgb(light().here), rgb(light().there));
    let mut count = 0;
    everything(|name, picture| {
        let tips = |colour: Rgb| -> Vec<Point> {
            let arrows = picture.arrows(colour).into_iter().map(|arrow| arrow.1);
            arrows
                .chain(picture.discs(colour).into_iter().map(|disc| disc.0))
                .collect()
        };
        let marks = [tips(here), tips(there)];
        for words in picture.texts() {
            let which = match &*words.text {
                "pos" => 0,
                "pos+k" => 1,
                _ => continue,
            };
            // On a tag the text has the colour of the panel.
            let colour = match words.rgb {
                rgb if rgb == crate::pictures::rgb(light().panel) => {
                    let under = picture
                        .rectangles()
                        .filter(|(rect, paint)| paint.stroke.is_none() && rect.contains(words.at));
                    under.last().unwrap().1.rgb
                }
                rgb => rgb,
            };
            assert_eq!(colour, [here, there][which], "{name}: {}", words.text);
            let away = |points: &[Point]| {
                points
                    .iter()
                    .map(|&p| distance(p, words.middle()))
                    .fold(f64::INFINITY, f64::min)
            };
            let (own, other) = (away(&marks[which]), away(&marks[1 - which]));
            // A legend names a colour, not a position.
            if own.min(other) < 2.0 * words.size {
                assert!(
                    own <= other,
                    "{name}: {} is {own:.0} px from its mark, {other:.0} from the other",
                    words.text
                );
                count += 1;
            }
        }
    });
    assert!(count >= 6, "{count}");
}

#[test]
fn the_dials_of_the_rotation() {
    for (pos, pair, k) in [
        (10.0, 4, 3.0),
        (10.0, 4, -3.0),
        (7.0, 20, 12.0),
        (3.0, 0, -1.0),
    ] {
        let it = picture(
            ViewName::Rotation,
            &format!("pos={pos}&pair={pair}&k={k}"),
            720.0,
        );
        let (here, there) = (rgb(light().here), rgb(light().there));
        let rings = it.rings();
        let &(centre, radius, _) = rings.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        let w = omega(pair, 128, 1e4);
        assert_angle("pos", angle(centre, hand(&it, here, centre)), pos * w);
        assert_angle(
            "pos+k",
            angle(centre, hand(&it, there, centre)),
            (pos + k) * w,
        );
        let arcs = arcs(&it);
        let arc = arc_of(&arcs, there, centre).unwrap();
        assert!(
            (arc.turn - k * w).abs() < 0.03,
            "{} for {}",
            arc.turn,
            k * w
        );
        assert_angle("the arc's beginning", angle(centre, arc.points[0]), pos * w);
        assert!(distance(centre, arc.points[0]) < radius);

        // The clocks, each labelled with its pair.
        let mut small = 0;
        for &(middle, r, _) in rings.iter().filter(|ring| ring.2 == rgb(light().edge)) {
            let named = it
                .texts()
                .filter(|words| words.text.parse::<usize>().is_ok());
            let below = (middle.0, middle.1 + r + 10.0);
            let name = named
                .min_by(|a, b| distance(a.at, below).total_cmp(&distance(b.at, below)))
                .unwrap();
            let w = omega(name.text.parse().unwrap(), 128, 1e4);
            for (colour, position) in [(here, pos), (there, pos + k)] {
                let hand = hand(&it, colour, middle);
                assert!(
                    same_angle(angle(middle, hand), position * w, 0.06),
                    "pair {} at {position}",
                    name.text
                );
            }
            small += 1;
        }
        assert!(small >= 12, "{small}");
    }
}

/// The pair of a dial, from the label below it.
fn pair_of(picture: &Recording, centre: Point) -> usize {
    let pairs = picture
        .texts()
        .filter_map(|words| Some((words.at, words.text.strip_prefix("pair ")?.parse().ok()?)));
    pairs
        .min_by(|a, b| distance(a.0, centre).total_cmp(&distance(b.0, centre)))
        .unwrap()
        .1
}

#[test]
fn the_dials_of_two_shifts() {
    for (j, k) in [(5.0, 3.0), (-4.0, 9.0), (2.0, -6.0)] {
        let it = picture(
            ViewName::Compose,
            &format!("pos=2&j={j}&k={k}&pair=2"),
            720.0,
        );
        let theme = light();
        let (arcs, rings) = (arcs(&it), it.rings());
        let mut whole = 0;
        // Small rings are the drag handles.
        for &(centre, ..) in rings.iter().filter(|ring| ring.1 > 20.0) {
            let w = omega(pair_of(&it, centre), 16, 1e4);
            for (colour, position) in [
                (theme.here, 2.0),
                (theme.accent, 2.0 + j),
                (theme.there, 2.0 + j + k),
            ] {
                assert_angle(
                    "an arrow",
                    angle(centre, tip(&it, rgb(colour), centre)),
                    position * w,
                );
            }
            for (colour, from, by) in [
                (theme.accent, 2.0, j),
                (theme.muted, 2.0 + j, k),
                (theme.there, 2.0, j + k),
            ] {
                // Arcs of more than two turns are drawn as two turns.
                let Some(arc) =
                    arc_of(&arcs, rgb(colour), centre).filter(|_| (by * w).abs() < 2.0 * TAU)
                else {
                    continue;
                };
                assert!(
                    (arc.turn - by * w).abs() < 0.03,
                    "{} for {}",
                    arc.turn,
                    by * w
                );
                assert_angle("an arc's beginning", angle(centre, arc.points[0]), from * w);
                whole += 1;
            }
        }
        assert!(whole >= 3, "{whole}");
    }
}

#[test]
fn the_dial_of_the_derivation() {
    for (pos, k) in [(1.0, 3.0), (2.0, -2.0)] {
        let w = omega(1, 16, 1e4);
        let theme = light();
        let it = picture(
            ViewName::Derivation,
            &format!("pos={pos}&k={k}&step=1"),
            720.0,
        );
        let (centre, ..) = it.rings()[0];
        let arcs = arcs(&it);
        let here = arc_of(&arcs, rgb(theme.here), centre).unwrap();
        assert!((here.turn - pos * w).abs() < 0.03);
        assert_angle("zero", angle(centre, here.points[0]), 0.0);
        let there = arc_of(&arcs, rgb(theme.there), centre).unwrap();
        assert!((there.turn - k * w).abs() < 0.03);
        assert_angle(
            "pos",
            angle(centre, tip(&it, rgb(theme.here), centre)),
            pos * w,
        );
        assert_angle(
            "pos+k",
            angle(centre, tip(&it, rgb(theme.there), centre)),
            (pos + k) * w,
        );
    }
}

#[test]
fn queries_and_keys_are_turned_by_their_positions() {
    /// How far both positions are moved in the second row.
    const MOVED: f64 = 80.0;
    let theme = light();
    for (m, gap) in [(12.0, 5.0), (3.0, -4.0), (1.0, 1.0)] {
        let it = picture(ViewName::Rope, &format!("m={m}&n={}", m - gap), 720.0);
        let start = picture(ViewName::Rope, "m=0&n=0", 720.0);
        for (colour, position) in [(theme.series[0], m), (theme.series[1], m - gap)] {
            let starts = start.arrows(rgb(colour));
            let arrows = it.arrows(rgb(colour));
            assert_eq!(arrows.len(), 8);
            for (index, (centre, tip)) in arrows.into_iter().enumerate() {
                let w = omega(pair_of(&it, centre), 8, 1e4);
                // The first four are those of the first row.
                let moved = if index < 4 { 0.0 } else { MOVED };
                let (origin, first) = starts[index % 4];
                assert_angle(
                    "the turn",
                    angle(centre, tip) - angle(origin, first),
                    (position + moved) * w,
                );
            }
        }
        let arcs = arcs(&it);
        for arc in &arcs {
            let (from, to) = (
                tip(&it, rgb(theme.series[1]), arc.centre),
                tip(&it, rgb(theme.series[0]), arc.centre),
            );
            assert_angle(
                "from the key",
                angle(arc.centre, arc.points[0]),
                angle(arc.centre, from),
            );
            assert_angle(
                "to the query",
                angle(arc.centre, *arc.points.last().unwrap()),
                angle(arc.centre, to),
            );
            assert!(arc.turn.abs() < PI + 0.01);
        }
        assert!(arcs.len() >= 4, "{}", arcs.len());
        let (m, n) = (m + MOVED, m - gap + MOVED);
        for name in [format!("q at m = {m}"), format!("k at n = {n}")] {
            it.words(&name);
        }
    }
}

/// Addition and rotation: the word, the word plus (cos, sin), and the word rotated by pos·ω.
#[test]
fn a_pair_that_is_turned_keeps_its_length() {
    let theme = light();
    let it = picture(ViewName::PairTurn, "pos=4&pair=1", 720.0);
    let word = it.arrows(rgb(theme.here))[0];
    let (origin, w) = (word.0, omega(1, 16, 1e4));
    let turned = tip(&it, rgb(theme.there), origin);
    assert_angle(
        "turned",
        angle(origin, turned) - angle(origin, word.1),
        4.0 * w,
    );
    assert!((distance(origin, turned) - distance(origin, word.1)).abs() < 1.0);
    let added = tip(&it, rgb(theme.accent), origin);
    assert_angle("added", angle(word.1, added), 4.0 * w);
}
