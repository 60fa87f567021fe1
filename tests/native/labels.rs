//! Labels on dials: no two of them overlap, and none overlaps a hand or its ring, in random states and several sizes.

use crate::caches::random;
use crate::commands::random_values;
use crate::recording::{Mark, Point, Recording, Words, frame, of_bench, of_look};
use posenc::figure::Displacement;
use posenc::figures::{AnyFigure, all, fields};
use posenc::{
    BenchFigure, Lang, Model, Rect, Scene, Theme, ThemeName, Transient, Values, ViewName, read_link,
};
use std::collections::BTreeSet;

/// Random states of each figure.
const STATES: u64 = 200;
/// Themes with their type scales, and widths of pictures in CSS pixels: a phone, a column of text, the bench, a projector.
const LOOKS: [(ThemeName, f64, f64); 4] = [
    (ThemeName::Light, 1.0, 340.0),
    (ThemeName::Dark, 1.0, 560.0),
    (ThemeName::Light, 1.0, 672.0),
    (ThemeName::Projector, 1.9 / 1.3, 1140.0),
];
/// By how many pixels marks may overlap.
const SLACK: f64 = 1.0;
/// Smaller circles are clocks, whose hands have no labels.
const MIN_RADIUS: f64 = 30.0;

/// A hand of a dial: from the centre to its tip.
struct Hand {
    line: [Point; 2],
    width: f64,
}

fn distance(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The outlines of circles: centre and radius.
fn rings(picture: &Recording) -> impl Iterator<Item = (Point, f64)> {
    picture.marks.iter().filter_map(|mark| match mark {
        Mark::Circle(centre, radius, paint) if paint.stroke.is_some() => Some((*centre, *radius)),
        _ => None,
    })
}

/// The opaque lines from the centre of a dial to its rim, or nearly, with an arrowhead or a ring in between.
fn hands(picture: &Recording) -> Vec<Hand> {
    let dials: Vec<_> = rings(picture).filter(|ring| ring.1 >= MIN_RADIUS).collect();
    let hand = |mark: &Mark| match mark {
        Mark::Path(points, paint) if paint.alpha == 1.0 && paint.stroke > Some(1.5) => {
            let &[from, to] = &points[..] else {
                return None;
            };
            let reaches = |&(centre, radius): &(Point, f64)| {
                let length = distance(centre, to);
                distance(centre, from) < SLACK && (0.6 * radius..1.05 * radius).contains(&length)
            };
            dials.iter().any(reaches).then_some(Hand {
                line: [from, to],
                width: paint.stroke?,
            })
        }
        _ => None,
    };
    picture.marks.iter().filter_map(hand).collect()
}

/// Whether two rectangles overlap by more than the slack.
fn overlap(a: Rect, b: Rect) -> bool {
    let across = a.right().min(b.right()) - a.x.max(b.x);
    let down = a.bottom().min(b.bottom()) - a.y.max(b.y);
    across > SLACK && down > SLACK
}

/// Whether a line of some width crosses a rectangle by more than the slack.
fn crosses(hand: &Hand, rect: Rect) -> bool {
    let [from, to] = hand.line;
    let rect = rect.inset(SLACK - 0.5 * hand.width);
    let rect = Rect {
        x: rect.x.min(rect.right()),
        ..rect
    };
    // Cyrus-Beck: the part of the line, 0 … 1, that is inside every edge.
    let (mut first, mut last) = (0.0f64, 1.0f64);
    let edges = [
        (from.0, to.0, rect.x, rect.right()),
        (from.1, to.1, rect.y, rect.bottom()),
    ];
    for (start, end, low, high) in edges {
        let way = end - start;
        if way.abs() < 1e-9 {
            if !(low..high).contains(&start) {
                return false;
            }
            continue;
        }
        let (a, b) = ((low - start) / way, (high - start) / way);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    first < last
}

/// The texts that are not erased later.
fn visible_texts(picture: &Recording) -> Vec<&Words> {
    let erased = |rect: Rect, later: &[Mark]| {
        later.iter().any(|mark| match mark {
            Mark::Rectangle(over, paint) if paint.stroke.is_none() && paint.alpha == 1.0 => {
                over.union(rect) == *over
            }
            _ => false,
        })
    };
    let texts = picture
        .marks
        .iter()
        .enumerate()
        .filter_map(|(i, mark)| match mark {
            Mark::Words(words) => Some((words, &picture.marks[i + 1..])),
            _ => None,
        });
    let texts = texts.filter(|(words, later)| !erased(words.extent(), later));
    texts.map(|(words, _)| words).collect()
}

/// What overlaps in a picture, in words.
fn overlaps(picture: &Recording) -> Vec<String> {
    let hands = hands(picture);
    let tip = |hand: &Hand| hand.line[1];
    // The ring at the end of a hand.
    let grips: Vec<_> = rings(picture)
        .filter(|(centre, radius)| {
            let ends = |hand: &Hand| {
                let [foot, tip] = hand.line;
                let share = radius / distance(foot, tip);
                let (x, y) = (share * (tip.0 - foot.0), share * (tip.1 - foot.1));
                distance(*centre, (tip.0 + x, tip.1 + y)) < 0.15 * radius
            };
            *radius < MIN_RADIUS && hands.iter().any(ends)
        })
        .collect();
    let texts = visible_texts(picture);
    let mut found = Vec::new();
    for (i, words) in texts.iter().enumerate() {
        let (text, rect) = (&words.text, words.extent());
        for other in &texts[..i] {
            if overlap(rect, other.extent()) {
                found.push(format!("{:?} and {text:?}", other.text));
            }
        }
        if let Some(hand) = hands.iter().find(|hand| crosses(hand, rect)) {
            let (x, y) = tip(hand);
            found.push(format!("{text:?} and the hand to ({x:.0}, {y:.0})"));
        }
        let on_ring = |&&(centre, radius): &&(Point, f64)| {
            let nearest = (
                centre.0.clamp(rect.x, rect.right()),
                centre.1.clamp(rect.y, rect.bottom()),
            );
            distance(centre, nearest) < radius - SLACK
        };
        // The question mark of a guess is in its ring.
        if let Some(((x, y), _)) = grips.iter().find(on_ring)
            && text != "?"
        {
            found.push(format!("{text:?} and the ring at ({x:.0}, {y:.0})"));
        }
    }
    found
}

fn draw(
    name: ViewName,
    values: &Values,
    lang: Lang,
    (theme, scale, width): (ThemeName, f64, f64),
) -> Option<Recording> {
    let shown = AnyFigure::new(name, values, lang, None)?;
    of_look(&shown, &Theme::customised(theme, scale, None), width)
}

#[test]
fn labels_of_dials_overlap_neither_each_other_nor_a_hand() {
    let mut found = Vec::new();
    let mut dials = BTreeSet::new();
    for name in all() {
        let opened = Values::new(fields(name).unwrap());
        let mut few = crate::caches::random(name as u64);
        let few = (0..32).map(|_| random_values(name, &mut few));
        let has_dial = [opened.clone()].into_iter().chain(few).any(|values| {
            draw(name, &values, Lang::En, LOOKS[1]).is_some_and(|it| !hands(&it).is_empty())
        });
        if !has_dial {
            continue;
        }
        dials.insert(name.name());
        let mut random = random(name as u64);
        for state in 0..STATES {
            let values = match state {
                0 => opened.clone(),
                _ => random_values(name, &mut random),
            };
            let lang = [Lang::En, Lang::Zh][(state % 2) as usize];
            for look in LOOKS {
                let picture = draw(name, &values, lang, look);
                for what in picture.iter().flat_map(overlaps) {
                    let (theme, _, width) = look;
                    let link = link_of(&values);
                    let name = name.name();
                    found.push(format!(
                        "{name} {link} {lang:?} {theme:?} {width} px: {what}"
                    ));
                }
            }
        }
    }
    for name in ["compose", "derivation", "quiz", "rotation"] {
        assert!(dials.contains(name), "{name} has no dial");
    }
    let count = found.len();
    assert!(count == 0, "{count} overlaps:\n{}", found.join("\n"));
}

type Sizes = [(f64, f64); 2];

/// Panels of the bench: sizes of the dial and of the waves in CSS pixels, themes and type scales, in windows of
/// 1280 × 720, 390 × 844 and 1920 × 1080 px and on a projector.
const PANELS: [(Sizes, ThemeName, f64); 4] = [
    ([(672.0, 386.0), (908.0, 168.0)], ThemeName::Light, 1.0),
    ([(358.0, 560.0), (358.0, 190.0)], ThemeName::Dark, 1.0),
    ([(760.0, 600.0), (1300.0, 240.0)], ThemeName::Light, 1.3),
    (
        [(760.0, 500.0), (1200.0, 480.0)],
        ThemeName::Projector,
        1.9 / 1.3,
    ),
];

#[test]
fn labels_of_the_bench_overlap_nothing_during_a_drag() {
    let mut random = random(7);
    let mut found = Vec::new();
    for state in 0..STATES {
        let (pos, k) = (random(64), random(129) as i64 - 64);
        let k = if state % 2 == 0 { k / 12 } else { k };
        let colour = ["", "&colour=phase"][random(2)];
        let compare = ["", "&compare=0,20", "&compare=0,9,20,33"][random(3)];
        let link = format!("pos={pos}&k={k}&pair={}{colour}{compare}", random(40));
        let held = [0, 1].map(|_| (random(101) as f64 / 100.0 - 0.5) * (state % 3) as f64 / 2.0);
        let transient = Transient {
            displacement: Displacement::held(held[0], held[1]),
            beside_others: true,
            guessing: random(8) == 0,
            ..Transient::default()
        };
        let lang = [Lang::En, Lang::Zh][random(2)];
        let model = Model::compute(&read_link("", &link).state, lang, transient, None);
        for (sizes, name, scale) in PANELS {
            let theme = Theme::customised(name, scale, None);
            let colours = theme.colour_map();
            for mut view in BenchFigure::all() {
                let (width, height) = match view.name() {
                    ViewName::Rotation => sizes[0],
                    ViewName::Waves => sizes[1],
                    _ => continue,
                };
                let scene = Scene::new(&model, &theme, &colours, frame(width, height));
                for what in overlaps(&of_bench(&mut view, &scene)) {
                    let view = view.name().name();
                    found.push(format!(
                        "{view} {link} {held:?} {lang:?} {name:?} {width} px: {what}"
                    ));
                }
            }
        }
    }
    let count = found.len();
    assert!(count == 0, "{count} overlaps:\n{}", found.join("\n"));
}

/// The values that differ from those with which a figure begins.
fn link_of(values: &Values) -> String {
    let changed = values.changed().into_iter();
    let changed: Vec<_> = changed
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    changed.join("&")
}
