//! Learned tables: the end of a table and the structure that its rows lack, a fit in progress, and patches of a picture.

use super::axes::{charts, number};
use super::cells::{STEP, assert_cells, interleaved, value};
use super::curves::{assert_curve, assert_dot, dots, omega};
use super::fits::{held_out, prediction_errors};
use super::query::{distance, figure, picture, same_rect};
use super::{light, rgb};
use crate::recording::{Bitmap, Recording, of_figure};
use posenc::{Normals, Rect, ThemeName, ViewName};

/// 64 seeded rows, and twice as many rows of the formula: positions across, dimensions down, both on the axis of the chart.
#[test]
fn a_learned_table_ends_where_it_is_said_to() {
    let (len, k, pos) = (64, 5, 20);
    let settings = format!("max_len={len}&k={k}&pos={pos}&errors=on");
    let it = picture(ViewName::Learned, &settings, 720.0);
    let plot = &charts(&it)[0];
    let (learned, formula) = (it.grid(16, len), it.grid(16, 2 * len));
    assert_cells(formula, (16, 2 * len), |d, position| {
        interleaved(position as f64, d, 16)
    });
    let table = Normals::seeded(1).matrix(len, 16, 0.5f64.sqrt());
    assert_cells(learned, (16, len), |d, position| table.at(position, d));
    for image in [learned, formula] {
        for position in [0, 31, len - 1] {
            let (x, _) = image.cell(position, 0);
            let seen = plot.x.as_ref().unwrap().value(x);
            assert!((seen - position as f64).abs() < 0.05, "{position}: {seen}");
        }
        let here = Rect::new(image.cell(pos, 0).0, image.rect.y, 0.0, image.rect.height);
        let outline = it.outlines(rgb(light().here)).into_iter();
        let mut outline = outline.filter(|rect| (rect.y - here.y).abs() < 0.3);
        let column = outline.next().expect("the column of pos is outlined");
        assert!((column.x + column.width / 2.0 - here.x).abs() < 0.3);
    }
    let x = |position: f64| plot.x.as_ref().unwrap().pixel(position);
    assert!(it.upright_at(rgb(light().there), x(len as f64 - 0.5)));
    assert!(it.upright_at(rgb(light().here), x(pos as f64)));
    let empty = it.words("nothing stored");
    assert!((empty.at.0 - x(1.5 * len as f64 - 0.5)).abs() < 0.5);
    assert!((learned.rect.y..learned.rect.bottom()).contains(&empty.at.1));
}

/// Without the errors, both tables have the same positions across, and the end of the first is marked in both.
#[test]
fn a_learned_table_ends_in_the_middle_of_the_formula() {
    let it = picture(ViewName::Learned, "max_len=64", 720.0);
    assert!(charts(&it).is_empty());
    let (learned, formula) = (it.grid(16, 64).rect, it.grid(16, 128).rect);
    assert!((learned.x - formula.x).abs() < 0.3);
    assert!((learned.width - 0.5 * formula.width).abs() < 0.5);
    assert!(learned.height > 100.0 && (learned.height - formula.height).abs() < 0.5);
    assert!(it.upright_at(rgb(light().there), learned.right()));
    let last = it.words("63").at.0;
    assert!(last < learned.right() && learned.right() - last < 5.0);
}

#[test]
fn errors_of_the_best_matrix_of_a_learned_table() {
    let (len, k, pos) = (40, 3, 12);
    let settings = format!("max_len={len}&k={k}&pos={pos}&errors=on");
    let it = picture(ViewName::Learned, &settings, 720.0);
    let plot = &charts(&it)[0];
    let table = Normals::seeded(1).matrix(len, 16, 0.5f64.sqrt());
    let rows: Vec<Vec<f64>> = (0..len).map(|p| table.row(p).to_vec()).collect();
    let wanted = prediction_errors(&rows, k);
    assert_eq!(wanted.len(), len - k);
    let points: Vec<_> = (0..len - k).map(|p| (p as f64, wanted[p])).collect();
    let learned = it.words("learned, random start").rgb;
    assert_curve(&it, plot, learned, &points);
    assert_dot(&it, plot, learned, points[pos]);
    // One matrix fits all rows of the formula: only rounding errors remain.
    let formula = it.words("sinusoidal formula").rgb;
    let curve = it.curves(formula).concat();
    let seen = curve.iter().map(|p| plot.y.as_ref().unwrap().value(p.1));
    assert!(seen.fold(0.0, f64::max) < 1e-9);
    let last = curve.iter().map(|p| plot.x.as_ref().unwrap().value(p.0));
    let last = last.fold(0.0, f64::max);
    assert!((last - (2 * len - 1 - k) as f64).abs() < 0.1, "{last}");
    assert_eq!(dots(&it, plot, formula).len(), 1);
}

/// The last dot of the accuracy of a fit.
fn accuracy_of(it: &Recording) -> (f64, f64) {
    let plot = &charts(it)[0];
    let title = it.words("accuracy");
    assert!((plot.rect.y..plot.rect.bottom()).contains(&title.at.1));
    let dots = dots(it, plot, rgb(light().series[0]));
    assert_eq!(dots.len(), 1);
    dots[0]
}

/// Guessing among the 17 offsets −8 … 8 has a loss of ln 17 nats and an accuracy of 1/17.
#[test]
fn a_fit_begins_at_what_guessing_costs() {
    let it = picture(ViewName::Trained, "", 720.0);
    let accuracy = accuracy_of(&it);
    assert!(accuracy.0.abs() < 0.5 && accuracy.1 < 0.15);
    let y = charts(&it)[0].y.as_ref().unwrap().pixel(1.0 / 17.0);
    assert!(it.level_at(rgb(light().muted), y));
    assert!((it.words("guessing").at.1 - y).abs() < 15.0);
    let caption = figure(ViewName::Trained, "").caption();
    let loss = format!("{:.2}", 17f64.ln());
    assert!(caption.contains(&loss), "{caption}");
}

#[test]
fn the_map_of_a_fit_shows_the_cosines_of_the_rows_of_its_table() {
    let shown = figure(ViewName::Trained, "running=on");
    let it = of_figure(&shown, ThemeName::Light, 720.0).unwrap();
    let table = shown.table().unwrap().table;
    assert_eq!((table.positions, table.dimensions), (32, 16));
    let dot = |p: usize, q: usize| -> f64 {
        let pairs = table.row(p).iter().zip(table.row(q));
        pairs.map(|(a, b)| a * b).sum()
    };
    let cosine = |p: usize, q: usize| dot(p, q) / (dot(p, p) * dot(q, q)).sqrt();
    assert_cells(it.grid(32, 32), (32, 32), cosine);
    let accuracy = accuracy_of(&it);
    assert!((accuracy.0 - 400.0).abs() < 0.5);
    let rows: Vec<Vec<f64>> = (0..32).map(|p| table.row(p).to_vec()).collect();
    let miss = held_out(&rows, 3, 0.01);
    let differences = (3..32).flat_map(|p| rows[p].iter().zip(&rows[p - 3]));
    let squares = differences.map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let unmoved = (squares / rows[3..].iter().flatten().map(|a| a * a).sum::<f64>()).sqrt();
    // The caption contains the same numbers.
    let caption = shown.caption();
    let said: Vec<f64> = caption
        .split([' ', ','])
        .filter_map(|word| number(word.trim_end_matches('.')))
        .collect();
    let mean = |k: usize| (0..32 - k).map(|p| cosine(p, p + k)).sum::<f64>() / (32 - k) as f64;
    // Neither the loss nor the errors of matrices are drawn.
    let loss = said[1];
    assert!((0.0..1.0).contains(&loss), "{caption}");
    let wanted = [
        400.0,
        loss,
        100.0 * accuracy.1,
        1.0,
        4.0,
        12.0,
        mean(1),
        mean(4),
        mean(12),
        3.0,
        100.0 * miss,
        100.0 * unmoved,
    ];
    assert_eq!(said.len(), wanted.len(), "{caption}");
    for (said, wanted) in said.into_iter().zip(wanted) {
        let near = if wanted > 20.0 { 0.6 } else { 0.02 };
        assert!((said - wanted).abs() < near, "{wanted}: {caption}");
    }
}

/// The maps of a grid of patches (flat, fixed two-dimensional, learned), each with the box of the class token below it if
/// that has a colour.
fn maps(it: &Recording, side: usize) -> Vec<(&Bitmap, Option<&Bitmap>)> {
    let images = it.images();
    let maps = images
        .iter()
        .filter(|image| (image.rows, image.columns) == (side, side));
    let below = |map: &Bitmap| {
        let box_ = images.iter().find(|image| {
            (image.rows, image.columns) == (1, 1)
                && (image.rect.x - map.rect.x).abs() < 0.3
                && image.rect.y > map.rect.bottom()
        });
        box_.copied()
    };
    maps.map(|map| (*map, below(map))).collect()
}

/// Half of the dimensions are for the row and half for the column (as in MAE, He et al. 2022): 16 pairs each. Flat: patch
/// (r, c) has position 1 + r·side + c in a sequence, and the class token position 0.
#[test]
fn patches_are_as_alike_as_their_rows_and_columns_are_near() {
    for (side, row, column) in [(7, 2, 4), (12, 0, 11)] {
        let settings = format!("side={side}&row={row}&column={column}");
        let it = picture(ViewName::Patches, &settings, 720.0);
        let maps = maps(&it, side);
        assert_eq!(maps.len(), 3);
        let mean = |d: usize, offset: f64| {
            let cosines = (0..d / 2).map(|pair| (offset * omega(pair, d, 1e4)).cos());
            cosines.sum::<f64>() / (d / 2) as f64
        };
        assert_cells(maps[1].0, (side, side), |r, c| {
            let apart = |a: usize, b: usize| a as f64 - b as f64;
            (mean(32, apart(r, row)) + mean(32, apart(c, column))) / 2.0
        });
        let index = |r: usize, c: usize| (1 + r * side + c) as f64;
        assert_cells(maps[0].0, (side, side), |r, c| {
            mean(64, index(r, c) - index(row, column))
        });
        // A row has similarity 1 with itself, in every table.
        let own = maps[2].0.pixel(column, row);
        assert!((value(own) - 1.0).abs() < STEP);
        let class = maps[0].1.unwrap();
        let cosine = mean(64, index(row, column));
        assert!((value(class.pixel(0, 0)) - cosine).abs() < STEP);
        let said = format!("class token {cosine:.2}");
        let middle = super::query::middle(class.rect);
        assert!(it.says(&said, middle, 3.0), "{said}");
        // A row of zeros has no cosine with any other.
        assert!(maps[1].1.is_none());
        let middle = (super::query::middle(maps[1].0.rect).0, middle.1);
        assert!(it.says("class token: zeros", middle, 3.0));
        // The one below is marked, and its cosine is written above the map.
        let below = it.outlines(rgb(light().there));
        assert_eq!(below.len(), 4);
        for (map, (steps, wanted)) in maps.iter().zip([
            (format!("{side} steps"), mean(64, side as f64)),
            ("1 step".to_string(), (mean(32, 1.0) + 1.0) / 2.0),
        ]) {
            let cell = map.0.cell(column, row + 1);
            assert!(below.iter().any(|mark| mark.contains(cell)));
            it.words(&format!("{steps}: {wanted:.2}"));
        }
        // The chosen patch is marked in the picture and in every map.
        let marks = it.outlines(rgb(light().accent));
        assert_eq!(marks.len(), 4);
        for (map, _) in maps {
            let rect = map.rect;
            let cell = rect.width / side as f64;
            let x = rect.x + column as f64 * cell;
            let wanted = Rect::new(x, rect.y + row as f64 * cell, cell, cell);
            assert!(marks.iter().any(|mark| same_rect(mark, &wanted)));
        }
        // Lines divide the picture into as many parts.
        let cuts = it.paths(rgb(light().panel));
        let first = maps_left(&it, side);
        for line in 0..=side {
            let x = first.x + line as f64 / side as f64 * first.width;
            let cut = |(points, _): &(&[_], f64)| {
                points.iter().all(|p: &(f64, f64)| (p.0 - x).abs() < 0.3)
            };
            assert!(cuts.iter().any(cut), "line {line} of {side}");
        }
    }
}

/// The picture that is divided into patches: as large as the maps, to the left of the first.
fn maps_left(it: &Recording, side: usize) -> Rect {
    let map = maps(it, side)[0].0.rect;
    let same = |rect: &&Rect| (rect.y - map.y).abs() < 0.3 && (rect.width - map.width).abs() < 0.5;
    let outlines = it.outlines(rgb(light().muted)).into_iter();
    let mut outlines: Vec<&Rect> = outlines.filter(same).collect();
    outlines.sort_by(|a, b| a.x.total_cmp(&b.x));
    *outlines[0]
}

/// The class token has no position in a grid, and no cosine with its row of zeros is shown; in a sequence it is the
/// position before the first patch.
#[test]
fn the_class_token_has_no_cosine_in_a_fixed_grid() {
    let it = picture(ViewName::Patches, "side=7&class=on", 720.0);
    let maps = maps(&it, 7);
    let [(flat, class), (learned, own)] = maps[..] else {
        panic!("{} maps", maps.len())
    };
    assert_cells(flat, (7, 7), |r, c| {
        let position = (1 + 7 * r + c) as f64;
        (0..32)
            .map(|pair| (position * omega(pair, 64, 1e4)).cos())
            .sum::<f64>()
            / 32.0
    });
    let between = it.words("no cosine").at;
    assert!(flat.rect.right() < between.0 && between.0 < learned.rect.x);
    it.words("class token: zeros");
    let marks = it.outlines(rgb(light().accent));
    assert_eq!(marks.len(), 4);
    for class in [class, own].map(Option::unwrap) {
        assert!(marks.iter().any(|mark| same_rect(mark, &class.rect)));
    }
}

/// The error of the best matrix for k = 1, 2, … 32 on Whisper's rows, computed with NumPy from the same components
/// (tests/reference/whisper.py): fitted on even rows, measured on odd ones.
pub const MISSES_OF_WHISPER: [f64; 32] = [
    0.1148, 0.15, 0.1887, 0.2187, 0.252, 0.277, 0.3034, 0.3245, 0.3471, 0.3651, 0.3838, 0.3996,
    0.4152, 0.4287, 0.4411, 0.4525, 0.4622, 0.4724, 0.4807, 0.4904, 0.4976, 0.5068, 0.5131, 0.5215,
    0.5272, 0.5342, 0.5398, 0.5464, 0.5518, 0.5587, 0.5644, 0.5709,
];

pub const COSINES_OF_WHISPER: [((usize, usize), f64); 4] = [
    ((0, 1), 0.2133),
    ((100, 100), 1.0000),
    ((224, 223), 0.7626),
    ((10, 400), 0.0878),
];

#[test]
fn the_curve_of_whisper_is_what_its_best_matrices_miss() {
    let mut shown = figure(ViewName::Whisper, "k=10");
    while shown.work() {}
    let it = of_figure(&shown, ThemeName::Light, 720.0).unwrap();
    let plot = &charts(&it)[0];
    let offsets = (1..=32).map(f64::from);
    let values: Vec<_> = offsets.zip(MISSES_OF_WHISPER).collect();
    assert_curve(&it, plot, rgb(light().there), &values);
    let dots = it.discs(rgb(light().there));
    let chosen = plot.point((10.0, MISSES_OF_WHISPER[9]));
    assert!(dots.iter().any(|dot| distance(dot.0, chosen) < 1.0));
    // Cosines of rows, computed with NumPy, in the map of positions, between those of noise and of the formula.
    let images = it.images().into_iter();
    let maps: Vec<_> = images
        .filter(|map| (map.rows, map.columns) == (448, 448))
        .collect();
    let [_, map, _] = maps[..] else {
        panic!("{} maps", maps.len())
    };
    for ((row, column), cosine) in COSINES_OF_WHISPER {
        for (x, y) in [(column, row), (row, column)] {
            assert!((value(map.pixel(x, y)) - cosine).abs() < STEP + 5e-3);
        }
    }
}
