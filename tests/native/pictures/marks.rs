//! Marks, labels and legends have the position and the colour of what they refer to.

use super::axes::{charts, number};
use super::cells::value;
use super::curves::of_waves;
use super::query::{distance, from_curve, middle, picture};
use super::{everything, light, rgb};
use crate::recording::{Mark, Point, Rgb};
use posenc::ViewName;

/// Bars with the scale −1 … 1 are labelled so.
#[test]
fn colour_bars_of_sines_end_at_one() {
    for name in [
        ViewName::Heatmap,
        ViewName::Similarity,
        ViewName::Layouts,
        ViewName::ShiftMatrix,
        ViewName::Trained,
    ] {
        let it = picture(name, "", 720.0);
        let bars = super::cells::bars(&it);
        let bar = bars
            .first()
            .unwrap_or_else(|| panic!("{} has a bar", name.name()));
        let numbers = super::cells::numbers_of(bar, &it);
        // The largest value is at the top, or to the right.
        let along = |(x, y): Point| if bar.columns == 1 { -y } else { x };
        let in_order = |a: &&(f64, Point), b: &&(f64, Point)| along(a.1).total_cmp(&along(b.1));
        let least = numbers.iter().min_by(in_order).unwrap().0;
        let most = numbers.iter().max_by(in_order).unwrap().0;
        assert_eq!((least, most), (-1.0, 1.0), "{}", name.name());
    }
}

/// The cosine axis is horizontal and the sine axis vertical, each with its name in its colour.
#[test]
fn axes_of_dials_have_the_colours_of_their_waves() {
    let (sine, cosine) = (rgb(light().sine), rgb(light().cosine));
    for (name, settings) in [
        (ViewName::Rotation, ""),
        (ViewName::Compose, ""),
        (ViewName::Derivation, ""),
    ] {
        let it = picture(name, settings, 720.0);
        let (centre, ..) = it
            .rings()
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap();
        let through = |colour: Rgb| {
            // An axis may be an arrow, or a line from end to end.
            let lines = it.paths(colour).into_iter();
            let lines = lines.filter(|(line, _)| line.len() == 2);
            let lines = lines.map(|(line, _)| (line[0], line[1]));
            let mut axes = it.arrows(colour).into_iter().chain(lines);
            axes.rfind(|&(from, tip)| distance(middle_of(from, tip), centre) < 1.0)
                .unwrap_or_else(|| panic!("{}: no axis in {colour:?}", name.name()))
        };
        let (from, tip) = through(cosine);
        assert!(
            tip.0 > from.0 && (tip.1 - from.1).abs() < 0.5,
            "the cosine goes across"
        );
        let (from, tip) = through(sine);
        assert!(
            tip.1 < from.1 && (tip.0 - from.0).abs() < 0.5,
            "the sine goes up"
        );
    }
    everything(|name, picture| {
        for words in picture.texts() {
            let own = match &*words.text {
                "sine" | "正弦" => sine,
                "cosine" | "余弦" => cosine,
                _ => continue,
            };
            let other = if own == sine { cosine } else { sine };
            assert_ne!(words.rgb, other, "{name}: {}", words.text);
        }
    });
}

fn middle_of(a: Point, b: Point) -> Point {
    ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)
}

/// Row p, column q.
#[test]
fn the_mark_of_similarity_is_at_its_cell() {
    let it = picture(ViewName::Similarity, "max_len=40&pos=10&k=7", 720.0);
    let image = it.images()[0];
    let wanted = image.cell(17, 10);
    let discs = it.discs(rgb(light().there));
    assert!(
        discs.iter().any(|disc| distance(disc.0, wanted) < 1.0),
        "{discs:?}"
    );
}

/// The bar of a positive bias goes up and has the colour of positive values.
#[test]
fn bars_of_biases_have_the_sign_of_their_colours() {
    let it = picture(ViewName::Buckets, "weights=on", 720.0);
    let signed = |plot: &&super::axes::Plot| {
        plot.y
            .as_ref()
            .is_some_and(|y| y.ticks.iter().any(|tick| tick.0 < 0.0))
    };
    let charts = charts(&it);
    let plot = charts.iter().find(signed).unwrap();
    let zero = plot.y.as_ref().unwrap().pixel(0.0);
    let mut bars = 0;
    for (rect, paint) in it.rectangles().filter(|(_, paint)| paint.stroke.is_none()) {
        let (strength, high) = (value(paint.rgb), zero - middle(*rect).1);
        let bar = plot.contains(middle(*rect)) && rect.width < 0.1 * plot.rect.width;
        if bar && high.abs() > 1.5 && paint.rgb != rgb(light().there) {
            assert!(strength * high > 0.0, "{strength} goes {high} px up");
            bars += 1;
        }
    }
    assert!(bars > 10, "{bars}");
}

/// Positions of the guessing game are at the centre of their part of the strip.
#[test]
fn marks_of_the_guess_are_in_their_cells() {
    let it = picture(
        ViewName::Guess,
        "max_len=64&pos=20&answered=on&revealed=3",
        720.0,
    );
    let outlined = it
        .rectangles()
        .filter(|(rect, paint)| paint.stroke.is_some() && rect.width > 300.0);
    let (strip, _) = outlined.max_by(|a, b| a.0.y.total_cmp(&b.0.y)).unwrap();
    let centre = |position: f64| strip.x + (position + 0.5) / 64.0 * strip.width;
    let below = it
        .texts()
        .filter(|words| words.at.1 > strip.bottom() && !words.bold);
    let mut numbers = 0;
    for (position, x) in below.filter_map(|words| Some((number(&words.text)?, words.at.0))) {
        assert!((x - centre(position)).abs() < 1.0, "{position} at {x}");
        numbers += 1;
    }
    assert!(numbers > 3, "{numbers}");
    for (start, colour) in [("your pick ", light().here), ("hidden ", light().right)] {
        let name = it
            .texts()
            .find_map(|words| words.text.strip_prefix(start))
            .unwrap();
        let x = centre(number(name).unwrap());
        let dashes = it.paths(rgb(colour));
        let near = |points: &[Point]| points.iter().all(|p| (p.0 - x).abs() < 1.0);
        assert!(
            dashes.iter().any(|(points, _)| near(points)),
            "{start}{name} has no line"
        );
    }
}

/// A table without a formula: the two columns of a pair in the colours of its members, with the values of the heatmap.
#[test]
fn columns_of_a_learned_table_have_their_colours() {
    let settings = "encoding=learned&d_model=16&max_len=32&pair=3";
    let [map, waves] =
        [ViewName::Heatmap, ViewName::Waves].map(|name| picture(name, settings, 720.0));
    let image = super::cells::map_of(&map);
    let plot = of_waves(&waves);
    for (column, colour) in [(6, light().sine), (7, light().cosine)] {
        let curve = waves.curves(rgb(colour)).concat();
        for position in 0..32 {
            let seen = value(image.pixel(column, position));
            // Beyond the last colour the value is unknown.
            if seen.abs() < 0.98 {
                let off = from_curve(&curve, plot.point((position as f64, seen)));
                assert!(
                    off < 2.5,
                    "column {column}, position {position}: {off:.1} px from {seen:.2}"
                );
            }
        }
    }
}

/// In a concatenated layout a pair has a bracket in each half, and a line joins them.
#[test]
fn the_name_of_a_pair_stands_above_the_middle_of_its_columns() {
    for (settings, [sine, cosine]) in [
        ("layout=concatenated&pair=4", [4, 68]),
        ("layout=concatenated&pair=30", [30, 94]),
        ("layout=interleaved&pair=30", [60, 61]),
    ] {
        let it = picture(ViewName::Heatmap, settings, 720.0);
        let images = it.images();
        let map = images.iter().max_by_key(|image| image.rows).unwrap();
        let pair = settings.rsplit('=').next().unwrap();
        let name = it.words(&format!("pair {pair}")).at;
        let edge = |after| (map.cell(after - 1, 0).0 + map.cell(after, 0).0) / 2.0;
        let middle = (edge(sine) + edge(cosine + 1)) / 2.0;
        assert!((name.0 - middle).abs() < 4.0, "{settings}: {name:?}");
        let joins = it.marks.iter().any(|mark| match mark {
            Mark::Path(points, _) => match points[..] {
                [from, to] => {
                    let ends = (from.0 - edge(sine + 1)).abs() + (to.0 - edge(cosine)).abs();
                    ends < 2.0 && from.1 == to.1 && from.1 > name.1
                }
                _ => false,
            },
            _ => false,
        });
        assert_eq!(joins, cosine > sine + 1, "{settings}");
    }
}
