//! The best matrix for an offset and its error, computed here by the normal equations.

use super::axes::charts;
use super::cells::{assert_cells, interleaved, map_of};
use super::curves::{assert_curve, assert_dot};
use super::query::{distance, picture, same_rect};
use super::{light, rgb};
use posenc::{Normals, Rect, ViewName};

/// Solves a · x = b, with several right-hand sides in `b`, by Gauss–Jordan elimination of the rows (a | b).
fn solve(a: Vec<Vec<f64>>, b: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    let mut rows: Vec<Vec<f64>> = a.into_iter().zip(b).map(|(a, b)| [a, b].concat()).collect();
    for column in 0..n {
        let size = |row: &usize| rows[*row][column].abs();
        let largest = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)));
        rows.swap(column, largest.unwrap());
        let pivot = rows[column].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let share = match index == column {
                true => 1.0 - pivot[column].recip(),
                false => row[column] / pivot[column],
            };
            let reduced = row.iter_mut().zip(&pivot);
            reduced.for_each(|(entry, by)| *entry -= share * by);
        }
    }
    rows.into_iter().map(|row| row[n..].to_vec()).collect()
}

/// Applies the least-squares matrix from rows to the rows k positions later to each row.
fn moved(table: &[Vec<f64>], k: usize) -> Vec<Vec<f64>> {
    let (n, d) = (table.len() - k, table[0].len());
    let product = |shift: usize| -> Vec<Vec<f64>> {
        let entry = |i: usize, j: usize| (0..n).map(|p| table[p][i] * table[p + shift][j]).sum();
        let row = |i: usize| (0..d).map(|j| entry(i, j)).collect();
        (0..d).map(row).collect()
    };
    let matrix = solve(product(0), product(k));
    let entry = |p: usize, j: usize| (0..d).map(|i| table[p][i] * matrix[i][j]).sum();
    let row = |p: usize| (0..d).map(|j| entry(p, j)).collect();
    (0..n).map(row).collect()
}

/// The largest error of that matrix, per position.
pub fn prediction_errors(table: &[Vec<f64>], k: usize) -> Vec<f64> {
    let miss = |(p, row): (usize, &Vec<f64>)| {
        let errors = row.iter().zip(&table[p + k]).map(|(a, b)| (a - b).abs());
        errors.fold(0.0, f64::max)
    };
    moved(table, k).iter().enumerate().map(miss).collect()
}

/// The relative error of ridge regression from rows to the rows k positions later, by cross-validation in four parts: every
/// fourth row is left out of the fit and predicted. `ridge` times the mean square over the columns is the penalty on the
/// square of an entry.
pub fn held_out(table: &[Vec<f64>], k: usize, ridge: f64) -> f64 {
    let (n, d) = (table.len() - k, table[0].len());
    let squares: f64 = table.iter().flatten().map(|value| value * value).sum();
    let (mut left, mut whole) = (0.0, 0.0);
    for part in 0..4 {
        let product = |shift: usize, cost: f64| -> Vec<Vec<f64>> {
            let fitted = (0..n).filter(|p| p % 4 != part);
            let entry = |i: usize, j: usize| -> f64 {
                let sum: f64 = fitted
                    .clone()
                    .map(|p| table[p][i] * table[p + shift][j])
                    .sum();
                sum + if i == j { cost } else { 0.0 }
            };
            let row = |i: usize| (0..d).map(|j| entry(i, j)).collect();
            (0..d).map(row).collect()
        };
        let matrix = solve(product(0, ridge * squares / d as f64), product(k, 0.0));
        for p in (part..n).step_by(4) {
            for j in 0..d {
                let moved: f64 = (0..d).map(|i| table[p][i] * matrix[i][j]).sum();
                left += (moved - table[p + k][j]).powi(2);
                whole += table[p + k][j].powi(2);
            }
        }
    }
    (left / whole).sqrt()
}

const D: usize = 4;
const LEN: usize = 128;
const K: usize = 3;

/// The compared tables, with `LEN` + `K` rows.
fn table(name: &str) -> Vec<Vec<f64>> {
    let mut normals = Normals::seeded(1);
    // Every dimension has a frequency of its own.
    let angle = |p: usize, j: usize| p as f64 * 1e4f64.powf(-(j as f64) / D as f64);
    let mut value = |p: usize, j: usize| match name {
        "both" => interleaved(p as f64, j, D),
        "sine" => angle(p, j).sin(),
        "apart" if j.is_multiple_of(2) => angle(p, j).sin(),
        "apart" => angle(p, j).cos(),
        _ => 0.5f64.sqrt() * normals.next().unwrap(),
    };
    (0..LEN + K)
        .map(|p| (0..D).map(|j| value(p, j)).collect())
        .collect()
}

#[test]
fn each_table_is_shown_with_its_own_numbers() {
    for name in ["both", "sine", "apart", "random"] {
        // The table is shown with the answer, whatever was predicted.
        let settings =
            format!("table={name}&d_model={D}&max_len={LEN}&k={K}&pos=11&pair=1&guesses=85");
        let it = picture(ViewName::BreakIt, &settings, 720.0);
        let rows = table(name);
        let map = map_of(&it);
        assert_cells(map, (48, D), |p, j| rows[p][j]);
        // The columns of the pair, and their values plotted against each other: sine up, cosine across.
        let rect = map.rect;
        let pair = Rect::new(
            rect.x + rect.width / 2.0,
            rect.y,
            rect.width / 2.0,
            rect.height,
        );
        let outlines = it.outlines(rgb(light().ink));
        assert!(
            outlines.iter().any(|outline| same_rect(outline, &pair)),
            "{name}"
        );
        let across = it.words("dimension 3").at.0;
        let up = it.words("dimension 2").at.1;
        let square = it.outlines(rgb(light().muted)).into_iter();
        let mut square =
            square.filter(|rect| rect.contains((across, up)) && rect.x > map.rect.right());
        let radius = square.next().unwrap().width / 2.0;
        let reach = if name == "random" { 2.6 } else { 1.25 };
        let point = |row: &[f64]| {
            let at = |j: usize| row[j].clamp(-reach, reach) / reach;
            (across + radius * at(3), up - radius * at(2))
        };
        for (colour, position) in [(light().here, 11), (light().there, 11 + K)] {
            let discs = it.discs(rgb(colour));
            let at = point(&rows[position]);
            let near = discs.iter().any(|disc| distance(disc.0, at) < 0.3);
            assert!(near, "{name}: no dot of position {position}");
        }
        // All positions in the background.
        let background = it.discs(rgb(light().rule));
        for row in &rows {
            let at = point(row);
            assert!(
                background.iter().any(|disc| distance(disc.0, at) < 0.3),
                "{name}"
            );
        }
    }
}

/// After the reader's guess: the errors by position with the largest marked, and on the dial the row as predicted by the
/// matrix.
#[test]
fn the_best_matrix_misses_what_it_cannot_know() {
    for (index, name) in ["both", "sine", "apart", "random"].into_iter().enumerate() {
        let guesses = 2 << (2 * index);
        let settings =
            format!("table={name}&d_model={D}&max_len={LEN}&k={K}&pos=11&guesses={guesses}");
        let it = picture(ViewName::BreakIt, &settings, 720.0);
        let plot = &charts(&it)[0];
        let rows = table(name);
        let errors = prediction_errors(&rows, K);
        let points: Vec<_> = errors
            .iter()
            .enumerate()
            .map(|(p, e)| (p as f64, *e))
            .collect();
        let largest = errors.iter().copied().fold(0.0, f64::max);
        let (x, _) = plot.point((11.0, 1e-3));
        assert!(it.upright_at(rgb(light().here), x));
        if name == "both" {
            // Only rounding errors remain, which cannot be computed here.
            assert!(largest < 1e-9);
            let curve = it.curves(rgb(light().muted)).concat();
            let seen = curve.iter().filter(|p| plot.contains(**p)).map(|p| p.1);
            let top = seen.fold(f64::INFINITY, f64::min);
            assert!(plot.y.as_ref().unwrap().value(top) < 1e-9);
            assert!(it.texts().any(|words| words.text.starts_with("✓ largest")));
        } else {
            assert_curve(&it, plot, rgb(light().muted), &points);
            assert_dot(&it, plot, rgb(light().here), points[11]);
            let worst = points.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            assert_dot(&it, plot, rgb(light().wrong), *worst);
            assert!(it.texts().any(|words| words.text.starts_with("✕ largest")));
        }
        // The ring of the prediction, connected to the true row.
        let across = it.words("dimension 1").at.0;
        let up = it.words("dimension 0").at.1;
        let there = it.discs(rgb(light().there))[0].0;
        let accent = rgb(light().accent);
        let ring = it
            .rings()
            .into_iter()
            .find(|ring| ring.2 == accent)
            .unwrap()
            .0;
        let joined = it.paths(accent).into_iter().any(|(line, _)| {
            distance(line[0], ring) < 0.3 && distance(line[line.len() - 1], there) < 0.3
        });
        assert!(joined, "{name}");
        let fitted = &moved(&rows, K)[11];
        // The length of a unit, from the position of the true row.
        let truth = &rows[11 + K];
        let unit = (there.0 - across) / truth[1];
        assert!(((up - there.1) / truth[0] - unit).abs() < 0.02 * unit.abs());
        let wanted = (across + unit * fitted[1], up - unit * fitted[0]);
        assert!(
            distance(ring, wanted) < 0.8,
            "{name}: {ring:?} for {wanted:?}"
        );
    }
}
