//! The relative shift of Transformer-XL's code (Dai et al. 2019, appendix B): entries are followed through a padding column,
//! two changes of the row length and a slice, in memory and as matrices.

use super::axes::number;
use super::query::{picture, same_rect};
use super::{light, rgb};
use crate::recording::{Point, Recording};
use posenc::{Rect, ViewName};

const QUERIES: usize = 4;

/// An entry by its query and its offset; a zero of the padding has neither.
type Entry = Option<(usize, usize)>;

/// The content of memory after each step, and the length of its rows.
fn steps(memory: usize) -> [(Vec<Entry>, usize); 5] {
    let keys = QUERIES + memory;
    // Offsets decrease from the largest to 0.
    let row = |query: usize| (0..keys).rev().map(move |offset| Some((query, offset)));
    let computed: Vec<Entry> = (0..QUERIES).flat_map(row).collect();
    let padded: Vec<Entry> = (0..QUERIES)
        .flat_map(|query| std::iter::once(None).chain(row(query)))
        .collect();
    let sliced = padded[QUERIES..].to_vec();
    [
        (computed, keys),
        (padded.clone(), keys + 1),
        (padded, QUERIES),
        (sliced.clone(), QUERIES),
        (sliced, keys),
    ]
}

/// The number in a cell, and the colour behind it.
fn cell(it: &Recording, at: Point) -> (Option<f64>, Option<(crate::recording::Rgb, f64)>) {
    let inside = |rect: &Rect| rect.contains(at) && rect.width < 60.0;
    let fill = it
        .rectangles()
        .filter(|(rect, paint)| paint.stroke.is_none() && inside(rect));
    let fill = fill.last().map(|(_, paint)| (paint.rgb, paint.alpha));
    let mut texts = it
        .texts()
        .filter(|words| (words.at.0 - at.0).abs() < 0.5 && (words.at.1 - at.1).abs() < 0.5);
    (texts.find_map(|words| number(&words.text)), fill)
}

const NAMES: [&str; 5] = ["Computed", "Pad", "Reshape", "Slice", "Reshape back"];

/// The matrix of a step: its top left corner and the size of a cell.
fn matrix(it: &Recording, step: usize, (rows, columns): (usize, usize)) -> (Point, f64) {
    let title = format!("{}, {rows} × {columns}", NAMES[step]);
    let title = it.words(&title).at;
    let outlines = it.outlines(rgb(light().muted));
    let below = outlines
        .iter()
        .filter(|rect| (rect.x - title.0).abs() < 0.3 && rect.y > title.1);
    let first = below.min_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    // Over all columns, so that the rounding to backend units does not add up.
    let row = outlines
        .iter()
        .filter(|rect| rect.y == first.y && rect.x >= first.x);
    let mut lefts: Vec<f64> = row.map(|rect| rect.x).collect();
    lefts.sort_by(f64::total_cmp);
    let side = (lefts[columns - 1] - first.x) / (columns - 1) as f64;
    ((first.x, first.y), side)
}

/// Every offset has a colour of its own.
fn colours(it: &Recording, corner: Point, side: f64, entries: &[Entry], columns: usize) {
    let mut of_offset = std::collections::BTreeMap::new();
    for (index, entry) in entries.iter().enumerate() {
        let (row, column) = (index / columns, index % columns);
        let at = (
            corner.0 + (column as f64 + 0.5) * side,
            corner.1 + (row as f64 + 0.5) * side,
        );
        let (said, fill) = cell(it, at);
        match entry {
            None => assert_eq!((said, fill), (Some(0.0), None), "a zero at {row}, {column}"),
            Some((_, offset)) => {
                assert_eq!(said, Some(*offset as f64), "row {row}, column {column}");
                let (rgb, _) = fill.expect("an entry has its offset's colour");
                let known = of_offset.entry(*offset).or_insert(rgb);
                assert_eq!(*known, rgb, "row {row}, column {column}");
            }
        }
    }
    let mut seen: Vec<_> = of_offset.values().collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), of_offset.len());
}

#[test]
fn every_step_shows_the_entries_that_lie_there_in_memory() {
    for memory in [0, 1, 3] {
        let steps = steps(memory);
        for (step, (entries, columns)) in steps.iter().enumerate() {
            let followed = (1, 2);
            let settings = format!("memory={memory}&step={step}&query=1&offset=2");
            let it = picture(ViewName::RelativeShift, &settings, 720.0);
            // The previous step is to its left, and the first to that of the last.
            let shown = match step {
                0 => vec![0],
                4 => vec![4, 0],
                step => vec![step, step - 1],
            };
            let mut places = Vec::new();
            for shown in shown {
                let (entries, columns) = &steps[shown];
                let rows = entries.len() / columns;
                let (corner, side) = matrix(&it, shown, (rows, *columns));
                colours(&it, corner, side, entries, *columns);
                let at = entries.iter().position(|entry| *entry == Some(followed));
                let at = at.unwrap();
                places.push(Rect::new(
                    corner.0 + (at % columns) as f64 * side,
                    corner.1 + (at / columns) as f64 * side,
                    side,
                    side,
                ));
            }
            if let [now, before] = &places[..] {
                assert!(before.x < now.x);
            }
            // The place that it will have is shown pale: under key 1 − 2, if there is one.
            if step == 0 && memory > 0 {
                let asked = (it.words("−1").at.0, places[0].y + places[0].height / 2.0);
                let (said, fill) = cell(&it, asked);
                assert_eq!(said, Some(2.0));
                assert!(fill.is_some_and(|(_, alpha)| alpha < 0.5));
                let side = places[0].width;
                let corner = (asked.0 - side / 2.0, asked.1 - side / 2.0);
                places.push(Rect::new(corner.0, corner.1, side, side));
            }
            // On the tape, each entry is at its index among all entries including the padding.
            let room = QUERIES * (QUERIES + memory + 1);
            let cut = if step >= 3 { QUERIES } else { 0 };
            let width = (720.0 - light().label_size()) / room as f64;
            let left = 0.5 * light().label_size();
            let y = 2.9 * light().label_size();
            for (index, entry) in entries.iter().enumerate() {
                let x = left + (cut + index) as f64 * width + width / 2.0;
                let (said, fill) = cell(&it, (x, y));
                assert_eq!(fill.is_some(), entry.is_some(), "step {step}, {index}");
                if let (Some(said), Some((_, offset))) = (said, entry) {
                    assert_eq!(said, *offset as f64, "step {step}, {index}");
                }
                if *entry == Some(followed) {
                    let rect = Rect::new(x - width / 2.0, 2.0 * light().label_size(), width, 0.0);
                    places.push(Rect {
                        height: 1.8 * light().label_size(),
                        ..rect
                    });
                }
            }
            // Lines mark the start and end of rows.
            for row in 0..=entries.len() / columns {
                let x = left + (cut + row * columns) as f64 * width;
                assert!(it.upright_at(rgb(light().ink), x), "step {step}, row {row}");
            }
            let marks = it.outlines(rgb(light().accent));
            assert_eq!(marks.len(), places.len());
            for place in places {
                let marked = marks.iter().any(|mark| same_rect(mark, &place));
                assert!(marked, "memory {memory}, step {step}: {place:?}");
            }
        }
    }
}

/// Before the shift, columns are offsets; after it, they are keys, negative for the memory, and future keys are faded.
#[test]
fn the_shift_ends_with_each_entry_under_its_key() {
    let memory = 2;
    let keys = QUERIES + memory;
    for step in [0, 4] {
        let it = picture(
            ViewName::RelativeShift,
            &format!("memory={memory}&step={step}"),
            720.0,
        );
        let (corner, side) = matrix(&it, step, (QUERIES, keys));
        for column in 0..keys {
            let x = corner.0 + (column as f64 + 0.5) * side;
            let mut heads = it.texts().filter(|words| {
                (words.at.0 - x).abs() < 0.5 && (-15.0..0.0).contains(&(words.at.1 - corner.1))
            });
            let head = heads.find_map(|words| number(&words.text)).unwrap();
            for row in 0..QUERIES {
                let y = corner.1 + (row as f64 + 0.5) * side;
                let (said, fill) = cell(&it, (x, y));
                let offset = match step {
                    0 => head,
                    _ => row as f64 - head,
                };
                let faded = fill.is_some_and(|(_, alpha)| alpha < 0.5);
                if offset >= 0.0 {
                    assert_eq!(said, Some(offset), "step {step}, {row}, {column}");
                    assert!(!faded, "step {step}, {row}, {column}");
                } else {
                    assert!(faded || fill.is_none(), "step {step}, {row}, {column}");
                }
            }
        }
    }
}
