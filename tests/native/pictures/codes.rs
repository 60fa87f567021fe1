//! Five codes of the same positions: the cells and numbers of each, and bars as long as the steps from position to position.

use super::axes::number;
use super::cells::{assert_cells, interleaved};
use super::curves::omega;
use super::query::{middle, picture};
use super::{light, rgb};
use crate::recording::Bitmap;
use crate::recording::Recording;
use posenc::ViewName;

const ROWS: usize = 6;

/// The strip of cells below the title of a code, if it has one.
fn strip<'a>(it: &'a Recording, title: &str) -> Option<&'a Bitmap> {
    let title = it.words(title).at;
    it.images().into_iter().find(|image| {
        (image.rect.x - title.0).abs() < 0.5 && (0.0..40.0).contains(&(image.rect.y - title.1))
    })
}

/// The numbers on the cells of a strip, with row and column.
fn numbers(it: &Recording, strip: &Bitmap) -> Vec<((usize, usize), f64)> {
    let inside = it.texts().filter_map(|words| {
        let (x, y) = words.at;
        let (x, y) = (
            (x - strip.rect.x) / strip.rect.width,
            (y - strip.rect.y) / strip.rect.height,
        );
        let within = (0.0..1.0).contains(&x) && (0.0..1.0).contains(&y);
        let cell = || {
            (
                (y * strip.rows as f64) as usize,
                (x * strip.columns as f64) as usize,
            )
        };
        within.then(|| Some((cell(), number(&words.text)?)))?
    });
    inside.collect()
}

const TITLES: [&str; 5] = ["integer", "scaled", "one-hot", "binary", "sin, cos"];

/// The value in a cell of a code, for 24 positions, five bits, and 16 sines and cosines.
fn code(which: usize, position: usize, cell: usize) -> f64 {
    match which {
        0 => position as f64,
        1 => position as f64 / 23.0,
        2 => f64::from(u8::from(position == cell)),
        3 => (position / 2usize.pow(cell as u32) % 2) as f64,
        _ => interleaved(position as f64, cell, 16),
    }
}

#[test]
fn cells_and_numbers_of_five_codes() {
    let pos = 9;
    let it = picture(ViewName::Codes, &format!("max_len=24&pos={pos}"), 720.0);
    let sizes = [(1, 1), (1, 1), (ROWS, 24), (5, 5), (16, 16)];
    for (which, (title, (columns, count))) in TITLES.into_iter().zip(sizes).enumerate() {
        let strip = strip(&it, title).unwrap();
        // Of a one-hot code, only the cells of the positions shown are drawn.
        let first = if which == 2 { pos } else { 0 };
        assert_cells(strip, (ROWS, columns), |row, cell| {
            code(which, pos + row, first + cell)
        });
        let numbers = numbers(&it, strip);
        assert_eq!(numbers.len(), if which < 2 { ROWS } else { 0 }, "{title}");
        for ((row, cell), said) in numbers {
            let wanted = code(which, pos + row, cell);
            assert!((said - wanted).abs() < 6e-6, "{title}: {said} for {wanted}");
        }
        let above = it.texts().any(|words| {
            words.text == format!("{count} wide")
                && (words.at.0 - strip.rect.x).abs() < 0.5
                && (0.0..20.0).contains(&(strip.rect.y - words.at.1))
        });
        assert!(above, "{title} takes {count}");
    }
}

/// √2 for one-hot, √(number of changed bits) for the binary counter, 2·√(Σ sin²(ω/2)) for sines and cosines.
#[test]
fn a_bar_between_two_rows_is_as_long_as_the_step() {
    let pos = 5;
    let it = picture(ViewName::Codes, &format!("max_len=24&pos={pos}"), 720.0);
    let sines = (0..8).map(|pair| (omega(pair, 16, 1e4) / 2.0).sin().powi(2));
    let apart = 2.0 * sines.sum::<f64>().sqrt();
    let bars = it.fills(rgb(light().accent));
    // One scale for all: the first bar is a step of the integers, of length 1.
    let unit = bars[0].0.width;
    assert!(unit > 10.0, "{unit}");
    for (which, title) in TITLES.into_iter().enumerate() {
        let strip = strip(&it, title).unwrap().rect;
        for row in 0..ROWS - 1 {
            let y = strip.y + (row + 1) as f64 / ROWS as f64 * strip.height;
            let position = pos + row;
            let wanted = match which {
                0 => 1.0,
                1 => 1.0 / 23.0,
                2 => 2f64.sqrt(),
                3 => f64::from((position ^ (position + 1)).count_ones()).sqrt(),
                _ => apart,
            };
            let mut beside = bars.iter().filter(|(rect, _)| {
                (middle(**rect).1 - y).abs() < 0.5
                    && (0.0..20.0).contains(&(rect.x - strip.right()))
            });
            let (bar, _) = beside
                .next()
                .unwrap_or_else(|| panic!("{title}: nothing between row {row} and the next"));
            let long = (wanted * unit).max(light().hairline());
            assert!(
                (bar.width - long).abs() < 0.3,
                "{title}: {} for {long}",
                bar.width
            );
        }
    }
    // The rows are labelled with their positions.
    let strip = strip(&it, TITLES[0]).unwrap();
    for row in 0..ROWS {
        let (_, y) = strip.cell(0, row);
        let mut left = it
            .texts()
            .filter(|words| words.at.0 < strip.rect.x && (words.at.1 - y).abs() < 0.5);
        assert_eq!(
            left.find_map(|words| number(&words.text)),
            Some((pos + row) as f64)
        );
    }
}

/// Under each code stands what is so at every position: the sizes and steps of the whole code, not of the rows shown.
#[test]
fn verdicts_are_about_the_whole_code() {
    for (max_len, verdicts) in [
        (24, ["no end", "step 1/23", "24 wide", "uneven", "even"]),
        (2, ["no end", "step 1/1", "2 wide", "even", "even"]),
    ] {
        for width in [350.0, 720.0] {
            let it = picture(ViewName::Codes, &format!("max_len={max_len}&pos=0"), width);
            for (title, verdict) in TITLES.into_iter().zip(verdicts) {
                let rect = strip(&it, title).unwrap().rect;
                let below = it.texts().find(|words| {
                    let (x, y) = words.at;
                    words.bold && (x - rect.x).abs() < 0.5 && y > rect.y + 20.0
                });
                assert_eq!(below.unwrap().text, verdict, "{title} of {max_len}");
            }
        }
    }
}

/// The scaled and one-hot codes end with the length; the counter ends with its last bit, and sines and cosines do not end.
#[test]
fn codes_end_where_they_were_made_to() {
    let it = picture(ViewName::Codes, "max_len=24&pos=20", 720.0);
    for (title, rows) in TITLES.into_iter().zip([6, 4, 4, 6, 6]) {
        let strip = strip(&it, title).unwrap();
        assert_eq!(strip.rows, rows, "{title}");
        let bottom = strip.rect.bottom();
        let missing = it.texts().filter(|words| {
            let (x, y) = words.at;
            words.text == "—" && (strip.rect.x..strip.rect.right()).contains(&x) && y > bottom
        });
        assert_eq!(missing.count(), ROWS - rows, "{title}");
    }
    // 32 does not fit into five bits.
    let it = picture(ViewName::Codes, "max_len=31&pos=29", 720.0);
    assert_eq!(strip(&it, TITLES[3]).unwrap().rows, 3);
}

/// Of a one-hot code with thousands of cells, those of the positions shown are drawn.
#[test]
fn the_ones_of_a_long_one_hot_code_are_a_diagonal() {
    let it = picture(ViewName::Codes, "max_len=4096&pos=3000", 720.0);
    let strip = strip(&it, "one-hot").unwrap();
    assert_cells(strip, (ROWS, ROWS), |row, cell| {
        f64::from(u8::from(row == cell))
    });
}
