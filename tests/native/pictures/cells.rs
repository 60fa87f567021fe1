//! Cells and colour bars: a colour stands for the value given by the numbers of the bar, and a cell has the colour of a
//! value computed here.

use super::axes::{Axis, number};
use super::curves::omega;
use super::query::picture;
use super::{everything, light, rgb};
use crate::recording::{Bitmap, Point, Recording, Rgb, Words};
use plotters_backend::text_anchor::HPos;
use posenc::ViewName;

/// The value in −1 … 1 with the nearest colour.
pub fn value(colour: Rgb) -> f64 {
    let map = light().colour_map();
    let steps = map.steps();
    let off = |step: &[u8; 3]| {
        let [r, g, b] = step.map(i32::from);
        let (dr, dg, db) = (
            r - i32::from(colour.0),
            g - i32::from(colour.1),
            b - i32::from(colour.2),
        );
        dr * dr + dg * dg + db * db
    };
    let nearest = (0..steps.len())
        .min_by_key(|&step| off(&steps[step]))
        .unwrap();
    2.0 * nearest as f64 / (steps.len() - 1) as f64 - 1.0
}

/// Half a step of the colour map, plus the rounding of a channel.
pub const STEP: f64 = 0.009;

/// Asserts that each pixel of an image has the colour of its value; values are clamped to −1 … 1.
pub fn assert_cells(image: &Bitmap, size: (usize, usize), of: impl Fn(usize, usize) -> f64) {
    assert_eq!((image.rows, image.columns), size, "rows and columns");
    for row in 0..image.rows {
        for column in 0..image.columns {
            let (seen, wanted) = (
                value(image.pixel(column, row)),
                of(row, column).clamp(-1.0, 1.0),
            );
            assert!(
                (seen - wanted).abs() < STEP,
                "row {row}, column {column}: {seen:.3} for {wanted:.3}"
            );
        }
    }
}

/// A value of the paper's table, with sine and cosine interleaved.
pub fn interleaved(position: f64, dimension: usize, d_model: usize) -> f64 {
    let angle = position * omega(dimension / 2, d_model, 1e4);
    if dimension.is_multiple_of(2) {
        angle.sin()
    } else {
        angle.cos()
    }
}

/// Images whose colours run evenly through the whole map, vertically or horizontally.
pub fn bars(picture: &Recording) -> Vec<&Bitmap> {
    let even = |image: &&Bitmap| {
        let length = image.rows.max(image.columns);
        let pixel = |step: usize| match image.columns {
            1 => image.pixel(0, step),
            _ => image.pixel(step, 0),
        };
        let values: Vec<f64> = (0..length).map(|step| value(pixel(step))).collect();
        let step = (values[length - 1] - values[0]) / (length - 1).max(1) as f64;
        let near = |(at, v): (usize, &f64)| (v - values[0] - step * at as f64).abs() < 2.0 * STEP;
        // A row of a table may also run evenly.
        (image.columns == 1 || (image.rows == 1 && length == light().colour_map().steps().len()))
            && (step * length as f64).abs() > 1.9
            && values.iter().enumerate().all(near)
    };
    picture.images().into_iter().filter(even).collect()
}

/// The largest image of a picture.
pub fn map_of(picture: &Recording) -> &Bitmap {
    let area = |image: &&Bitmap| image.rect.width * image.rect.height;
    let images = picture.images().into_iter();
    images.max_by(|a, b| area(a).total_cmp(&area(b))).unwrap()
}

/// The numbers of a colour bar, with the points of the bar to which they belong: to the right of a vertical bar, at both
/// ends of a horizontal one.
pub fn numbers_of(bar: &Bitmap, picture: &Recording) -> Vec<(f64, Point)> {
    let size = light().label_size();
    let (rect, middle) = (bar.rect, bar.rect.y + bar.rect.height / 2.0);
    let point = |words: &Words| {
        let (x, y) = words.at;
        if bar.columns == 1 {
            let beside = matches!(words.h, HPos::Left)
                && (x - rect.right()).abs() < size
                && (rect.y - 1.0..rect.bottom() + 1.0).contains(&y);
            return beside.then_some((rect.x + 1.0, y));
        }
        let level = (y - middle).abs() < 0.2 * size;
        match words.h {
            HPos::Left if level && (x - rect.right()).abs() < size => {
                Some((rect.right() - 0.01, middle))
            }
            HPos::Right if level && (x - rect.x).abs() < size => Some((rect.x + 0.01, middle)),
            _ => None,
        }
    };
    let numbers = picture.texts();
    let numbers = numbers.filter_map(|words| Some((number(&words.text)?, point(words)?)));
    numbers.collect()
}

#[test]
fn a_colour_bar_has_its_numbers_at_their_colours() {
    let mut count = 0;
    everything(|name, picture| {
        for bar in bars(picture) {
            let numbers = numbers_of(bar, picture);
            let least = if bar.columns == 1 { 3 } else { 2 };
            assert!(numbers.len() >= least, "{name}: {numbers:?}");
            let most = numbers.iter().fold(0.0f64, |most, n| most.max(n.0.abs()));
            for (number, (x, y)) in numbers {
                // The labels at the ends of a vertical bar may be shifted inwards by half a line.
                let y = if number.abs() == most && bar.columns == 1 {
                    y - number.signum() * 0.4 * light().label_size()
                } else {
                    y
                };
                let y = y.clamp(bar.rect.y + 0.01, bar.rect.bottom() - 0.01);
                let seen = most * value(bar.at((x, y)));
                assert!(
                    (seen - number).abs() < 0.06 * most,
                    "{name}: {number} has the colour of {seen}"
                );
            }
            count += 1;
        }
    });
    assert!(count > 10, "{count}");
}

/// The rows of pos and pos+k are repeated below the map, even if pos+k is beyond the table.
#[test]
fn the_rows_of_pos_and_its_target_are_magnified() {
    let d = 16;
    for (pos, k) in [(5, 3), (20, -7), (30, 40)] {
        let settings = format!("d_model={d}&max_len=32&pos={pos}&k={k}");
        let it = picture(ViewName::Heatmap, &settings, 720.0);
        let map = map_of(&it);
        let rows = it.images().into_iter().filter(|image| {
            image.rows == 1 && image.columns == d && image.rect.y > map.rect.bottom()
        });
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows.len(), 2);
        for (row, position) in rows.into_iter().zip([pos, pos + k]) {
            let of = |_, dimension| interleaved(f64::from(position), dimension, d);
            assert_cells(row, (1, d), of);
            assert_eq!((row.rect.x, row.rect.width), (map.rect.x, map.rect.width));
            // Its number is to the left of the row.
            let named = it.texts().any(|words| {
                number(&words.text) == Some(f64::from(position))
                    && words.at.0 < row.rect.x
                    && (row.rect.y..row.rect.bottom()).contains(&words.at.1)
            });
            assert!(named, "{position} has no number");
        }
    }
}

#[test]
fn the_number_of_a_magnified_row_is_beside_it() {
    for k in [3, 5000, 1_000_000] {
        let it = picture(ViewName::Heatmap, &format!("max_len=64&k={k}"), 360.0);
        let map = map_of(&it);
        let tags = it.rectangles().filter(|(rect, paint)| {
            let coloured = paint.stroke.is_none() && paint.rgb == rgb(light().there);
            coloured && rect.y > map.rect.bottom()
        });
        let tags: Vec<_> = tags.map(|(rect, _)| *rect).collect();
        assert_eq!(tags.len(), 1, "{k}");
        assert!(tags[0].right() <= map.rect.x, "{k}: {:?}", tags[0]);
    }
}

/// The longest table has 1,048,576 positions.
#[test]
fn beyond_the_longest_table_no_row_is_magnified() {
    let d = 16;
    for (k, count) in [(1_048_570, 2), (1_048_571, 1), (1_048_576, 1)] {
        let settings = format!("d_model={d}&max_len=32&pos=5&k={k}");
        let it = picture(ViewName::Heatmap, &settings, 720.0);
        let map = map_of(&it);
        let rows = it.images().into_iter().filter(|image| {
            image.rows == 1 && image.columns == d && image.rect.y > map.rect.bottom()
        });
        let rows: Vec<_> = rows.collect();
        assert_eq!(rows.len(), count, "{k}");
        for (row, position) in rows.into_iter().zip([5, 5 + k]) {
            let of = |_, dimension| interleaved(f64::from(position), dimension, d);
            assert_cells(row, (1, d), of);
        }
    }
}

/// A number in a cell agrees with its colour: the largest of a picture has the strongest colour, and the signs match.
#[test]
fn numbers_in_cells_agree_with_their_colours() {
    let mut count = 0;
    everything(|name, picture| {
        for image in picture.images() {
            let inside = picture.texts().filter(|words| {
                let (x, y) = words.at;
                matches!(words.h, HPos::Center)
                    && !words.upwards
                    && !words.bold
                    && (image.rect.x..image.rect.right()).contains(&x)
                    && (image.rect.y..image.rect.bottom()).contains(&y)
            });
            let cells: Vec<_> = inside
                .filter_map(|words| Some((number(&words.text)?, value(image.at(words.at)))))
                .collect();
            for (number, colour) in &cells {
                assert!(
                    number * colour > -0.02,
                    "{name}: {number} in the colour of {colour}"
                );
                count += 1;
            }
            for ((a, x), (b, y)) in cells.iter().flat_map(|a| cells.iter().map(move |b| (a, b))) {
                assert!(
                    !(a < b && x > &(y + 2.0 * STEP)),
                    "{name}: {a} < {b}, but {x} > {y}"
                );
            }
        }
    });
    assert!(count > 50, "{count}");
}

#[test]
fn the_heatmap_of_each_layout() {
    let (d, rows) = (64, 32);
    for layout in ["interleaved", "concatenated", "tensor2tensor"] {
        let settings = format!("d_model={d}&max_len={rows}&layout={layout}");
        let it = picture(ViewName::Heatmap, &settings, 720.0);
        let of = |position: usize, dimension: usize| {
            let (pair, cosine) = match layout {
                "interleaved" => (dimension / 2, dimension % 2 == 1),
                _ => (dimension % (d / 2), dimension >= d / 2),
            };
            let power = match layout {
                "tensor2tensor" => pair as f64 / (d / 2 - 1) as f64,
                _ => 2.0 * pair as f64 / d as f64,
            };
            let angle = position as f64 * 1e4f64.powf(-power);
            if cosine { angle.cos() } else { angle.sin() }
        };
        let image = map_of(&it);
        assert_cells(image, (rows, d), of);
        // Positions are counted from the top, dimensions from the left.
        axis_of_cells(&it, image);
    }
}

/// Checks that the numbers below and beside an image are the indices of its columns and rows.
fn axis_of_cells(picture: &Recording, image: &Bitmap) {
    let size = light().label_size();
    let numbers = |across: bool| -> Vec<(f64, f64)> {
        let near = picture.texts().filter(|words| {
            let (x, y) = words.at;
            let of_axis = words.rgb == rgb(light().muted);
            of_axis
                && match words.h {
                    HPos::Center => across && y > image.rect.bottom() + 0.5 * size,
                    HPos::Right => !across && (0.0..size).contains(&(image.rect.x - x)),
                    HPos::Left => false,
                }
        });
        near.filter_map(|words| {
            Some((
                number(&words.text)?,
                if across { words.at.0 } else { words.at.1 },
            ))
        })
        .collect()
    };
    for across in [true, false] {
        let ticks = numbers(across);
        assert!(ticks.len() >= 3, "{ticks:?}");
        let axis = Axis::new(ticks);
        for cell in [0usize, 5, 17] {
            let (x, y) = image.cell(cell, cell);
            let at = axis.value(if across { x } else { y });
            assert!((at - cell as f64).abs() < 0.1, "cell {cell} stands at {at}");
        }
    }
}

#[test]
fn the_maps_of_the_lesson() {
    let alike = |offset: f64| {
        (0..32)
            .map(|pair| (omega(pair, 64, 1e4) * offset).cos())
            .sum::<f64>()
            / 32.0
    };
    let it = picture(ViewName::Similarity, "d_model=64&max_len=40", 720.0);
    assert_cells(it.images()[0], (40, 40), |p, q| alike(p as f64 - q as f64));

    let it = picture(ViewName::Ruler, "", 720.0);
    let sine = |position: usize, pair: usize| (position as f64 * omega(pair, 512, 1e4)).sin();
    assert_cells(it.images()[0], (50, 256), sine);

    let it = picture(ViewName::Counter, "", 720.0);
    assert_cells(it.images()[0], (64, 8), |n, bit| {
        f64::from(u32::try_from(n >> bit & 1).unwrap())
    });
    assert_cells(it.images()[1], (64, 8), |n, pair| {
        (n as f64 / 2f64.powf(pair as f64)).sin()
    });

    let it = picture(ViewName::BreakIt, "guesses=1", 720.0);
    let rows = it.images()[0].rows;
    assert_cells(it.images()[0], (rows, 8), |position, d| {
        interleaved(position as f64, d, 8)
    });
}

#[test]
fn the_three_layouts() {
    let (d, rows) = (32, 20);
    let it = picture(ViewName::Layouts, "d_model=32&max_len=20&pair=3", 720.0);
    let images: Vec<_> = it
        .images()
        .into_iter()
        .filter(|image| image.columns > 1)
        .collect();
    let halves = |position: usize, dimension: usize, power: &dyn Fn(f64) -> f64| {
        let angle = position as f64 * 1e4f64.powf(-power((dimension % (d / 2)) as f64));
        if dimension < d / 2 {
            angle.sin()
        } else {
            angle.cos()
        }
    };
    assert_cells(images[0], (rows, d), |p, j| interleaved(p as f64, j, d));
    assert_cells(images[1], (rows, d), |p, j| {
        halves(p, j, &|pair| 2.0 * pair / d as f64)
    });
    assert_cells(images[2], (rows, d), |p, j| {
        halves(p, j, &|pair| pair / (d / 2 - 1) as f64)
    });
}

#[test]
fn the_matrix_of_a_shift() {
    for k in [3.0, -5.0] {
        let d = 16;
        let it = picture(
            ViewName::ShiftMatrix,
            &format!("d_model={d}&k={k}&pos=10"),
            720.0,
        );
        let [matrix, here, there, ..] = it.images()[..] else {
            panic!("three images")
        };
        // sin(a + b) and cos(a + b) in terms of sin a, cos a, sin b and cos b.
        assert_cells(matrix, (d, d), |row, column| {
            let angle = k * omega(row / 2, d, 1e4);
            match (row / 2 == column / 2, row % 2, column % 2) {
                (false, ..) => 0.0,
                (_, 0, 0) | (_, 1, 1) => angle.cos(),
                (_, 0, _) => angle.sin(),
                _ => -angle.sin(),
            }
        });
        assert_cells(here, (d, 1), |row, _| interleaved(10.0, row, d));
        assert_cells(there, (d, 1), |row, _| interleaved(10.0 + k, row, d));
        let names: Vec<_> = it.texts().map(|words| words.text.as_str()).collect();
        assert!(names.contains(&"PE(10)") && names.contains(&&*format!("PE({})", 10.0 + k)));
    }
}

/// Rows and columns of a framed table are numbered from 0.
#[test]
fn numbers_beside_a_table_count_its_cells() {
    for (name, settings) in [
        (ViewName::Similarity, "max_len=40"),
        (ViewName::BreakIt, "guesses=1"),
        (ViewName::Buckets, "map=on"),
    ] {
        let it = picture(name, settings, 720.0);
        let plots = super::axes::plots(&it);
        let images = it.images();
        let framed = |plot: &super::axes::Plot, image: &&&Bitmap| {
            (image.rect.x - plot.rect.x).abs() < 0.5 && (image.rect.y - plot.rect.y).abs() < 0.5
        };
        let mut tables = plots.iter().filter(|plot| !plot.ruled).filter_map(|plot| {
            let image = images.iter().find(|image| framed(plot, image));
            Some((plot, image?))
        });
        let (plot, image) = tables.next().unwrap();
        for cell in [0, 5] {
            let (x, y) = image.cell(cell, cell);
            for (axis, at) in [(&plot.x, x), (&plot.y, y)]
                .into_iter()
                .filter_map(|(axis, at)| Some((axis.as_ref()?, at)))
            {
                let number = axis.value(at);
                assert!(
                    (number - cell as f64).abs() < 0.1,
                    "{}: {number} for {cell}",
                    name.name()
                );
            }
        }
    }
}
