//! Five codes of the same positions: the cells and numbers of each, and the distance between consecutive positions.

use super::axes::number;
use super::cells::{assert_cells, interleaved};
use super::curves::omega;
use super::query::picture;
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

const TITLES: [&str; 5] = [
    "integers",
    "scaled to 0 … 1",
    "one-hot",
    "binary, lowest bit first",
    "sines and cosines",
];

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
    for (which, (title, columns)) in TITLES.into_iter().zip([1, 1, 24, 5, 16]).enumerate() {
        let strip = strip(&it, title).unwrap();
        assert_cells(strip, (ROWS, columns), |row, cell| {
            code(which, pos + row, cell)
        });
        let numbers = numbers(&it, strip);
        assert_eq!(numbers.is_empty(), which == 4, "{title}");
        for ((row, cell), said) in numbers {
            let wanted = code(which, pos + row, cell);
            assert!((said - wanted).abs() < 6e-6, "{title}: {said} for {wanted}");
        }
        let width = match columns {
            1 => "1 number".to_string(),
            _ => format!("{columns} numbers"),
        };
        let below = it.texts().filter(|words| words.text == width);
        let mut below = below.filter(|words| (words.at.0 - strip.rect.x).abs() < 0.5);
        assert!(below.next().is_some(), "{title} takes {width}");
    }
}

/// √2 for one-hot, √(number of changed bits) for the binary counter, 2·√(Σ sin²(ω/2)) for sines and cosines.
#[test]
fn the_distance_to_the_next_stands_between_its_two_rows() {
    let pos = 5;
    let it = picture(ViewName::Codes, &format!("max_len=24&pos={pos}"), 720.0);
    let sines = (0..8).map(|pair| (omega(pair, 16, 1e4) / 2.0).sin().powi(2));
    let apart = 2.0 * sines.sum::<f64>().sqrt();
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
            let mut beside = it.texts().filter(|words| {
                (words.at.1 - y).abs() < 0.5 && (0.0..20.0).contains(&(words.at.0 - strip.right()))
            });
            let said = beside.find_map(|words| number(&words.text));
            let said =
                said.unwrap_or_else(|| panic!("{title}: nothing between row {row} and the next"));
            assert!(
                (said / wanted - 1.0).abs() < 1e-3,
                "{title}: {said} for {wanted}"
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

/// Even if the cells are too narrow to be seen, the 1 of a one-hot code is drawn at its position.
#[test]
fn the_one_of_a_long_one_hot_code_stands_at_its_position() {
    let (len, pos) = (4096, 3000);
    let it = picture(ViewName::Codes, &format!("max_len={len}&pos={pos}"), 720.0);
    let strip = strip(&it, "one-hot").unwrap().rect;
    for row in 0..ROWS {
        let y = strip.y + (row as f64 + 0.5) / ROWS as f64 * strip.height;
        let mut ones = it.rectangles().filter(|(rect, paint)| {
            paint.stroke.is_none() && rect.width < 4.0 && (rect.y..rect.bottom()).contains(&y)
        });
        let (one, _) = ones.next().unwrap();
        let wanted = strip.x + (pos + row) as f64 / len as f64 * strip.width;
        assert!((one.x - wanted).abs() < 0.3, "{} for {wanted}", one.x);
        assert!(super::cells::value(ones_colour(&it, one)) > 0.99);
    }
}

fn ones_colour(it: &Recording, one: &posenc::Rect) -> crate::recording::Rgb {
    let mut same = it.rectangles().filter(|(rect, _)| *rect == one);
    same.next().unwrap().1.rgb
}
