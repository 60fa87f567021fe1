//! The columns of the heatmap in other orders, on their way from one to another, and drawn faint.

use super::cells::{assert_cells, interleaved, map_of, value};
use super::curves::omega;
use super::phase::{STEP, angle_of, apart};
use super::query::picture;
use super::{light, rgb};
use crate::recording::{Mark, Recording, frame, of_bench};
use posenc::figure::Displacement;
use posenc::{BenchFigure, Lang, Model, Rect, Scene, Theme, Transient, ViewName, read_link};

/// A view on a page's bench, `width` CSS pixels wide.
fn on_bench(view: ViewName, settings: &str, transient: Transient, width: f64) -> Recording {
    let transient = Transient {
        sets_slow_pairs_apart: true,
        beside_others: true,
        ..transient
    };
    drawn(view, settings, transient, width)
}

fn figure(view: ViewName) -> BenchFigure {
    let mut figures = BenchFigure::all().into_iter();
    figures.find(|figure| figure.name() == view).unwrap()
}

fn drawn(view: ViewName, settings: &str, transient: Transient, width: f64) -> Recording {
    let link = read_link("", settings);
    assert_eq!(link.problems, [], "{settings}");
    let lang = link.state.lang().unwrap_or(Lang::En);
    let model = Model::compute(&link.state, lang, transient, None);
    let theme = link.state.theme().map_or(light(), Theme::named);
    let colours = theme.colour_map();
    let scene = Scene::new(&model, theme, &colours, frame(width, 345.0));
    of_bench(&mut figure(view), &scene)
}

fn heatmap(settings: &str, transient: Transient, width: f64) -> Recording {
    on_bench(ViewName::Heatmap, settings, transient, width)
}

/// A value of a table with all sines first; with an odd `d_model` the last sine has no cosine.
fn in_halves(position: usize, place: usize, d_model: usize) -> f64 {
    let pairs = d_model.div_ceil(2);
    let dimension = if place < pairs {
        2 * place
    } else {
        2 * (place - pairs) + 1
    };
    interleaved(position as f64, dimension, d_model)
}

#[test]
fn all_sines_stand_before_all_cosines_whatever_the_layout() {
    for layout in ["interleaved", "concatenated"] {
        for d in [32, 33] {
            let settings =
                format!("d_model={d}&max_len=20&pos=7&k=5&layout={layout}&colour=sines-cosines");
            let it = picture(ViewName::Heatmap, &settings, 720.0);
            assert_cells(map_of(&it), (20, d), |row, column| {
                in_halves(row, column, d)
            });
            let rows = it.images().into_iter().filter(|image| image.rows == 1);
            let rows: Vec<_> = rows.filter(|image| image.columns == d).collect();
            assert_eq!(rows.len(), 2);
            for (image, row) in rows.into_iter().zip([7, 12]) {
                assert_cells(image, (1, d), |_, column| in_halves(row, column, d));
            }
        }
    }
    let zoomed = "d_model=32&max_len=20&colour=sines-cosines&dimensions=10-20";
    let it = heatmap(zoomed, Transient::default(), 560.0);
    assert_cells(map_of(&it), (20, 10), |row, column| {
        in_halves(row, column + 10, 32)
    });
}

#[test]
fn a_column_is_hit_where_it_is_drawn() {
    let settings = "d_model=32&max_len=20&colour=sines-cosines";
    let link = read_link("", settings);
    let model = Model::without_transients(&link.state, Lang::En);
    let colours = light().colour_map();
    let scene = Scene::new(&model, light(), &colours, frame(560.0, 345.0));
    let mut figure = figure(ViewName::Heatmap);
    let it = of_bench(&mut figure, &scene);
    let image = map_of(&it);
    for place in 0..32 {
        let at = image.cell(place, 3);
        let dimension = if place < 16 {
            2 * place
        } else {
            2 * (place - 16) + 1
        };
        let hit = posenc::Hit::Cell {
            position: 3,
            dimension,
        };
        assert_eq!(figure.hit_test(&scene, at.into()), Some(hit), "{place}");
    }
}

/// The rectangles that fade, and their opacity.
fn faint(it: &Recording) -> Vec<(Rect, f64)> {
    let [r, g, b] = light().colour_map().colour(0.0);
    let rectangles = it.rectangles();
    let faint = rectangles.filter(|(_, paint)| paint.stroke.is_none() && paint.rgb == (r, g, b));
    faint.map(|(rect, paint)| (*rect, paint.alpha)).collect()
}

fn words(it: &Recording, end: &str) -> Vec<String> {
    let texts = it.texts().map(|words| words.text.clone());
    texts.filter(|text| text.ends_with(end)).collect()
}

#[test]
fn pairs_that_hardly_turn_are_faint_on_the_bench_alone() {
    let it = heatmap("", Transient::default(), 560.0);
    let map = map_of(&it).rect;
    let cell = map.width / 128.0;
    let faint_parts = faint(&it);
    // In the map and in both magnified rows, from pair 34 on: 64 · 10000^(−2·34/128) < π/6.
    assert_eq!(faint_parts.len(), 3);
    for (rect, opacity) in faint_parts {
        assert_eq!(opacity, 0.65);
        assert!((rect.x - (map.x + 68.0 * cell)).abs() < 0.1, "{rect:?}");
        assert!((rect.right() - map.right()).abs() < 0.1);
    }
    assert_eq!(words(&it, "here"), ["30 pairs that hardly turn here"]);
    // Neither what is selected nor what is pointed at.
    let pointed = Transient {
        pair: Some(40),
        ..Transient::default()
    };
    let parts = faint(&heatmap("pair=50", pointed, 560.0));
    let covers = |pair: f64| {
        let x = map.x + (2.0 * pair + 1.0) * cell;
        parts
            .iter()
            .filter(|(rect, _)| rect.contains((x, rect.y + 1.0)))
            .count()
    };
    let covered = [34.0, 39.0, 40.0, 41.0, 49.0, 50.0, 51.0, 63.0].map(covers);
    assert_eq!(covered, [3, 3, 0, 3, 3, 0, 3, 3]);
    // Not in a figure of its own or a saved picture, for few pairs, or without frequencies.
    for it in [
        drawn(ViewName::Heatmap, "", Transient::default(), 560.0),
        picture(ViewName::Heatmap, "", 720.0),
        heatmap("d_model=8&pair=3", Transient::default(), 560.0),
        heatmap("encoding=learned", Transient::default(), 560.0),
    ] {
        assert_eq!(faint(&it), []);
        assert_eq!(words(&it, "here"), [""; 0]);
    }
    // Where sines and cosines stand apart, they are no stripes.
    for settings in [
        "colour=phase",
        "colour=sines-cosines",
        "layout=concatenated",
    ] {
        assert_eq!(
            faint(&heatmap(settings, Transient::default(), 560.0)),
            [],
            "{settings}"
        );
    }
}

/// Whether any two texts of the line below the map, or a text and the line of a bracket, are in the same place.
fn collides(it: &Recording) -> Option<String> {
    let below = map_of(it).rect.bottom();
    let line = it.texts().filter(|words| {
        let middle = words.middle().1;
        (below..below + 1.7 * light().label_size()).contains(&middle)
    });
    let line: Vec<_> = line
        .map(|words| (words.text.clone(), words.extent()))
        .collect();
    for (i, (a, first)) in line.iter().enumerate() {
        for (b, second) in &line[..i] {
            if first.overlaps(second) {
                return Some(format!("{a} and {b}"));
            }
        }
    }
    it.marks.iter().find_map(|mark| {
        let Mark::Path(points, _) = mark else {
            return None;
        };
        let [.., from, to] = points[..] else {
            return None;
        };
        let level = from.1 == to.1 && (below..below + 20.0).contains(&from.1);
        let on = |rect: &Rect| {
            let (left, right) = (from.0.min(to.0), from.0.max(to.0));
            left < rect.right() && rect.x < right && (rect.y..rect.bottom()).contains(&from.1)
        };
        let (text, _) = line.iter().find(|(_, rect)| level && on(rect))?;
        Some(format!("{text} and a line"))
    })
}

#[test]
fn no_number_stands_in_a_bracket() {
    let settings = [
        "",
        "colour=phase",
        "colour=sines-cosines",
        "layout=concatenated",
        "layout=tensor2tensor",
        "max_len=7",
        "max_len=500",
        "d_model=512&max_len=9",
        "dimensions=50-90",
        "dimensions=66-90",
        "lang=zh",
        "lang=zh&colour=phase",
        "lang=zh&colour=sines-cosines&dimensions=50-70",
    ];
    for settings in settings {
        for width in [300.0, 340.0, 420.0, 560.0, 700.0, 1100.0] {
            let it = heatmap(settings, Transient::default(), width);
            assert_eq!(collides(&it), None, "{settings} {width}");
        }
    }
}

#[test]
fn a_narrow_bracket_has_fewer_words() {
    let named = |width| {
        let it = heatmap("max_len=20", Transient::default(), width);
        let texts = it.texts().map(|words| words.text.clone());
        texts
            .filter(|text| text.contains(" pairs ") || text.contains("slow"))
            .collect::<Vec<_>>()
    };
    assert_eq!(named(560.0), ["38 pairs that hardly turn here"]);
    assert_eq!(named(300.0), ["38 slow pairs"]);
}

#[test]
fn both_halves_are_named_in_their_colours() {
    let it = picture(ViewName::Heatmap, "colour=sines-cosines", 720.0);
    let map = map_of(&it).rect;
    for (name, colour, share) in [
        ("sines", light().sine, 0.25),
        ("cosines", light().cosine, 0.75),
    ] {
        let words = it.texts().find(|words| words.text == name).unwrap();
        assert_eq!(words.rgb, rgb(colour));
        let middle = words.middle().0;
        assert!((middle - (map.x + share * map.width)).abs() < 1.0, "{name}");
    }
}

fn on_the_way(halves: f64, phase: f64) -> Transient {
    Transient {
        displacement: Displacement {
            halves,
            phase,
            ..Displacement::default()
        },
        beside_others: true,
        ..Transient::default()
    }
}

/// A slide begins with the picture that was there and ends with that which is there after it.
#[test]
fn columns_slide_from_where_they_were_to_where_they_are() {
    let slid = |settings: &str, transient| {
        let it = drawn(ViewName::Heatmap, settings, transient, 560.0);
        map_of(&it).clone()
    };
    let wanted = |settings: &str| slid(settings, on_the_way(0.0, 0.0));
    let (stored, halves, phase) = ("", "colour=sines-cosines", "colour=phase");
    let tiny = 1e-9;
    for (settings, transient, shown) in [
        (halves, on_the_way(-1.0, 0.0), stored),
        (halves, on_the_way(-tiny, 0.0), halves),
        (stored, on_the_way(1.0, 0.0), halves),
        (phase, on_the_way(0.0, -1.0), stored),
        (phase, on_the_way(1.0, -1.0), halves),
        (phase, on_the_way(0.0, -tiny), phase),
        ("layout=concatenated", on_the_way(-1.0, 0.0), stored),
    ] {
        let (slid, wanted) = (slid(settings, transient), wanted(shown));
        assert_eq!(slid.rect, wanted.rect);
        for row in 0..64 {
            for column in 0..128 {
                let cell = 4.0 * slid.rect.width / 512.0;
                let at = (
                    slid.rect.x + (column as f64 + 0.5) * cell,
                    slid.rect.y + (row as f64 + 0.5) * slid.rect.height / 64.0,
                );
                let (seen, was) = (slid.at(at), wanted.at(at));
                let off = [(seen.0, was.0), (seen.1, was.1), (seen.2, was.2)];
                // Two ways to compute a value may round to adjacent steps of the colour map.
                let close = off.iter().all(|(a, b)| a.abs_diff(*b) <= 4);
                assert!(
                    close,
                    "{settings} for {shown}: {seen:?} {was:?} at {row}, {column}"
                );
            }
        }
    }
}

/// Half way, the sine of pair i stands half way between 2i and i, and the cosine between 2i + 1 and 64 + i.
#[test]
fn half_way_sines_pass_above_cosines() {
    let it = heatmap("colour=sines-cosines", on_the_way(-0.5, 0.0), 560.0);
    let image = map_of(&it);
    assert_eq!(faint(&it), []);
    let cell = image.rect.width / 128.0;
    for pair in [0, 5, 20, 40, 63] {
        let place = 1.5 * f64::from(pair);
        let x = image.rect.x + (place + 0.5) * cell;
        for row in [1, 9, 30] {
            let y = image.rect.y + (f64::from(row) + 0.5) * image.rect.height / 64.0;
            let wanted = interleaved(f64::from(row), 2 * pair as usize, 128);
            let seen = value(image.at((x, y)));
            assert!(
                (seen - wanted).abs() < 0.01,
                "pair {pair}, row {row}: {seen} {wanted}"
            );
        }
    }
}

#[test]
fn on_the_bench_the_dial_is_the_key_of_the_angles() {
    let it = on_bench(
        ViewName::Rotation,
        "colour=phase",
        Transient::default(),
        640.0,
    );
    let dial = it
        .rings()
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap();
    let (centre, outside, _) = dial;
    let mut parts = 0;
    for mark in &it.marks {
        let Mark::Polygon(points, paint) = mark else {
            continue;
        };
        let far = |p: &(f64, f64)| super::query::distance(centre, *p);
        if points.len() == 4
            && points
                .iter()
                .all(|p| (0.8..1.1).contains(&(far(p) / outside)))
        {
            let (inner, outer) = points
                .iter()
                .map(far)
                .fold((f64::MAX, 0.0), |(low, high), r| {
                    (f64::min(low, r), f64::max(high, r))
                });
            assert!((outer - inner - 11.0).abs() < 0.3, "{inner} {outer}");
            let middle = points
                .iter()
                .fold((0.0, 0.0), |m, p| (m.0 + p.0 / 4.0, m.1 + p.1 / 4.0));
            let direction = super::query::angle(centre, middle);
            assert!(
                apart(angle_of(paint.rgb), direction) < 0.15 * std::f64::consts::TAU / 64.0 + STEP
            );
            parts += 1;
        }
    }
    assert_eq!(parts, 64);
    // Every clock has a ring of 5 px in the colour of its cell in row 10.
    let rings = it.marks.iter().filter_map(|mark| match mark {
        Mark::Circle(at, _, paint) if paint.stroke == Some(5.0) => Some((*at, paint.rgb)),
        _ => None,
    });
    let rings: Vec<_> = rings.collect();
    assert_eq!(rings.len(), 16);
    for (at, colour) in rings {
        let below = it.texts().filter(|words| (words.at.0 - at.0).abs() < 1.0);
        let below = below.filter(|words| words.at.1 > at.1);
        let name = below.min_by(|a, b| a.at.1.total_cmp(&b.at.1)).unwrap();
        let pair: usize = name.text.parse().unwrap();
        let wanted = 10.0 * omega(pair, 128, 1e4);
        assert!(apart(angle_of(colour), wanted) <= STEP, "pair {pair}");
    }
    // The holes of the rings of both hands.
    for (position, colour) in [(10.0, light().here), (13.0, light().there)] {
        let at = position * omega(4, 128, 1e4);
        let hole = it.marks.iter().rev().find_map(|mark| match mark {
            Mark::Circle(middle, _, paint)
                if paint.stroke.is_none() && paint.rgb != rgb(colour) =>
            {
                let far = super::query::distance(centre, *middle);
                let near = apart(super::query::angle(centre, *middle), at) < 0.02;
                (near && far > 0.8 * outside).then_some(paint.rgb)
            }
            _ => None,
        });
        assert!(apart(angle_of(hole.unwrap()), at) <= STEP, "{position}");
    }
    // The heatmap has a bar in place of the wheel.
    let heatmap = heatmap("colour=phase", Transient::default(), 560.0);
    assert_eq!(words(&heatmap, "360°"), ["360°"]);
    assert_eq!(words(&heatmap, "90°"), [""; 0]);
}

/// A learned table has no values between positions.
#[test]
fn the_values_of_a_table_are_drawn_at_whole_positions_while_a_hand_is_held_between() {
    let dots = |pos: f64, k: f64| {
        let transient = Transient {
            displacement: Displacement::held(pos, k),
            ..Transient::default()
        };
        let settings = "encoding=learned&max_len=32&pos=10&k=3";
        let it = on_bench(ViewName::Waves, settings, transient, 900.0);
        let dots = it.discs(rgb(light().sine)).into_iter();
        dots.filter(|(_, radius)| *radius == 5.0)
            .map(|(at, _)| at)
            .collect::<Vec<_>>()
    };
    let rest = dots(0.0, 0.0);
    assert_eq!(rest.len(), 2);
    assert_eq!(dots(0.3, 0.0), rest);
    assert_eq!(dots(-0.2, 0.45), rest);
}
