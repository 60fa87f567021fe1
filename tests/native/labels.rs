//! Labels on dials: no two of them overlap, and none overlaps a hand or its ring, in random states and several sizes.

use crate::caches::random;
use crate::commands::random_values;
use crate::recording::{Mark, Point, Recording, Words, frame, of_bench, of_look};
use posenc::figure::Displacement;
use posenc::figures::{AnyFigure, all, fields};
use posenc::{
    BenchFigure, Lang, Model, Placed, Rect, Scene, Theme, ThemeName, Transient, Values, ViewName,
    read_link,
};
use std::collections::{BTreeMap, BTreeSet};

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
        // A figure's states do not depend on its place in the list.
        let seed = name
            .name()
            .bytes()
            .fold(0, |seed, byte| 31 * seed % 1_000_003 + u64::from(byte));
        let mut few = crate::caches::random(seed);
        let few = (0..32).map(|_| random_values(name, &mut few));
        let has_dial = [opened.clone()].into_iter().chain(few).any(|values| {
            draw(name, &values, Lang::En, LOOKS[1]).is_some_and(|it| !hands(&it).is_empty())
        });
        if !has_dial {
            continue;
        }
        dials.insert(name.name());
        let mut random = random(seed);
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
    // Where labels were in the states before, however different, does not matter.
    let placed = PANELS.map(|_| Placed::default());
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
        for ((sizes, name, scale), placed) in PANELS.into_iter().zip(&placed) {
            let theme = Theme::customised(name, scale, None);
            let colours = theme.colour_map();
            for mut view in BenchFigure::all() {
                let (width, height) = match view.name() {
                    ViewName::Rotation => sizes[0],
                    ViewName::Waves => sizes[1],
                    _ => continue,
                };
                let scene = Scene::new(&model, &theme, &colours, frame(width, height));
                let again = Scene {
                    placed: placed.clone(),
                    ..Scene::new(&model, &theme, &colours, frame(width, height))
                };
                let pictures = [&scene, &again].map(|scene| of_bench(&mut view, scene));
                for what in pictures.iter().flat_map(overlaps) {
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

#[test]
fn the_words_at_both_positions_stand_above_the_waves_beside_the_wavelength() {
    let theme = Theme::named(ThemeName::Light);
    let colours = theme.colour_map();
    let [_, _, mut waves, _] = BenchFigure::all();
    for k in [3, 12, -5] {
        for pos in 5..50 {
            let link = format!("pos={pos}&k={k}&pair=4");
            let transient = Transient {
                beside_others: true,
                ..Transient::default()
            };
            let model = Model::compute(&read_link("", &link).state, Lang::En, transient, None);
            let scene = Scene::new(&model, theme, &colours, frame(905.0, 165.0));
            let picture = of_bench(&mut waves, &scene);
            let texts: Vec<_> = picture.texts().map(|words| words.text.as_str()).collect();
            for position in [pos, pos + k] {
                let token = &model.tokens[position as usize];
                assert!(
                    texts.contains(&token.as_str()),
                    "{link}: {token} in {texts:?}"
                );
            }
            let named = texts.iter().any(|text| text.contains("11.17"));
            assert!(named, "{link}: no wavelength in {texts:?}");
        }
    }
}

/// What a label of the dial is, whatever its numbers are.
fn kind_of(words: &Words) -> String {
    let is_number = words
        .text
        .chars()
        .all(|c| c.is_ascii_digit() || "−.".contains(c));
    let text = match (
        is_number,
        words.text.contains('°'),
        words.text.contains('×'),
    ) {
        (_, true, true) => "each",
        (_, true, false) => "rotation",
        (true, ..) if words.text.contains('.') => "leg",
        (true, ..) => "place",
        _ => &words.text,
    };
    format!("{text} {:?}", words.rgb)
}

/// How far a label has moved, across and down, other than along with a hand or a leg.
fn moved([from, to]: [&Words; 2], [then, now]: &[Vec<Point>; 2]) -> f64 {
    let (before, after) = (from.extent().centre().into(), to.extent().centre().into());
    let left = |by: fn(&Point) -> f64| {
        let own = then.iter().zip(now).map(|(then, now)| by(now) - by(then));
        let left = own.map(|own| (by(&after) - by(&before) - own).abs());
        left.fold(f64::INFINITY, f64::min)
    };
    left(|at| at.0).hypot(left(|at| at.1))
}

/// The points along with which labels move: the centre, the tips, the middles of the legs and that of the wedge.
fn anchors(picture: &Recording, (start, turn): (f64, f64)) -> Vec<Point> {
    let (centre, radius) = rings(picture).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    let at = |angle: f64, share: f64| {
        let (sine, cosine) = angle.sin_cos();
        (
            centre.0 + share * radius * cosine,
            centre.1 - share * radius * sine,
        )
    };
    let (tip, half) = (at(start, 1.0), at(start, 0.5));
    let others = [0.3, 0.5, 0.7].map(|share| at(start + turn / 2.0, share));
    let mut anchors = vec![
        centre,
        tip,
        at(start + turn, 1.0),
        half,
        (tip.0, half.1),
        (half.0, tip.1),
    ];
    anchors.extend([(centre.0, half.1), (half.0, centre.1)]);
    anchors.extend(others);
    anchors
}

/// The labels of the dial by what they say.
fn labels_of(picture: &Recording) -> BTreeMap<String, Words> {
    let texts = visible_texts(picture).into_iter();
    let labels = texts.filter(|it| it.bold || ["sine", "cosine"].contains(&it.text.as_str()));
    labels.map(|it| (kind_of(it), it.clone())).collect()
}

/// Pairs and offsets with which pos is dragged.
const DRAGS: [(usize, i64); 5] = [(4, 3), (4, -3), (9, 3), (2, 5), (12, 1)];

/// The frequency of a pair of 128 dimensions, in radians per position.
fn frequency(pair: usize) -> f64 {
    1e4f64.powf(-(pair as f64) / 64.0)
}

/// The bench while pos is dragged to a place between two positions.
fn dragged((pair, k): (usize, i64), at: f64) -> Model {
    let transient = Transient {
        displacement: Displacement::held(at - at.round(), 0.0),
        beside_others: true,
        ..Transient::default()
    };
    let link = format!("pair={pair}&k={k}&pos={}", at.round());
    Model::compute(&read_link("", &link).state, Lang::En, transient, None)
}

#[test]
fn labels_stay_where_they_are_during_a_drag() {
    // Moves of more than 8 px, first where every picture is placed anew, then where places are kept.
    let (mut found, mut moves) = ([const { BTreeSet::new() }; 2], [0, 0]);
    let drags = DRAGS
        .into_iter()
        .flat_map(|drag| PANELS.map(|panel| (drag, panel)));
    for (drag, ([(width, height), _], name, scale)) in drags {
        let theme = Theme::customised(name, scale, None);
        let colours = theme.colour_map();
        for keeps in [false, true] {
            let [.., mut view] = BenchFigure::all();
            let placed = Placed::default();
            let mut last: Option<(BTreeMap<String, Words>, Vec<Point>)> = None;
            // A hand is hardly ever at a whole position, where the picture is that of a hand at rest.
            for at in (0..150).map(|step| f64::from(step) / 5.0 + 0.03) {
                let model = dragged(drag, at);
                let mut scene = Scene::new(&model, &theme, &colours, frame(width, height));
                if keeps {
                    scene.placed = placed.clone();
                }
                let picture = of_bench(&mut view, &scene);
                for what in overlaps(&picture) {
                    let what = format!("{drag:?} {at} {name:?} {width} px: {what}");
                    found[usize::from(keeps)].insert(what);
                }
                let angles = (at * frequency(drag.0), drag.1 as f64 * frequency(drag.0));
                let (labels, now) = (labels_of(&picture), anchors(&picture, angles));
                if let Some((before, then)) = last {
                    let points = [then, now.clone()];
                    let both = before
                        .iter()
                        .filter_map(|(kind, from)| Some([from, labels.get(kind)?]));
                    moves[usize::from(keeps)] +=
                        both.filter(|label| moved(*label, &points) > 8.0).count();
                }
                last = Some((labels, now));
            }
        }
    }
    // Keeping places adds no overlap. The ring of a whole position, of which labels know nothing, may touch one.
    let added: Vec<_> = found[1].difference(&found[0]).collect();
    assert!(added.is_empty() && found[0].len() < 3, "{found:?}");
    assert!(moves[0] > 2000 && 10 * moves[1] < 6 * moves[0], "{moves:?}");
}

#[test]
fn the_legs_have_the_values_of_the_product_during_a_drag() {
    let theme = Theme::named(ThemeName::Light);
    let colours = theme.colour_map();
    let [.., mut view] = BenchFigure::all();
    let mut compared = 0;
    for at in (0..=150).map(|step| f64::from(step) / 5.0) {
        let model = dragged(DRAGS[0], at);
        let scene = Scene::new(&model, theme, &colours, frame(672.0, 386.0));
        // The product is that of the nearest whole position.
        let (sine, cosine) = (at.round() * frequency(4)).sin_cos();
        let expected = [sine, cosine].map(|value| format!("{value:.3}").replace('-', "−"));
        let labels = labels_of(&of_bench(&mut view, &scene));
        for (kind, words) in labels.iter().filter(|label| label.0.starts_with("leg")) {
            assert!(
                expected.contains(&words.text),
                "{kind} {} at {at}: {expected:?}",
                words.text
            );
            compared += 1;
        }
    }
    assert!(compared > 200, "{compared}");
}

/// The values that differ from those with which a figure begins.
fn link_of(values: &Values) -> String {
    let changed = values.changed().into_iter();
    let changed: Vec<_> = changed
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    changed.join("&")
}
