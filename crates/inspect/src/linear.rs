//! Recognises tables that are no waves: angles before the sine, the frequencies alone, and biases of attention.

use crate::decimal;
use crate::description::{Frequencies, FrequencyRule};
use crate::measure::{MeasuredFrequency, describe_frequencies};
use crate::precision::Precision;
use crate::report::Kind;
use crate::table::Table;

/// Returns what a table without waves is, with the rule of its frequencies if it has some.
pub(crate) fn recognise(table: &Table) -> Option<(Kind, Option<Frequencies>)> {
    match table.rows() {
        1 => frequencies(table).map(|it| (Kind::Frequencies, Some(it))),
        _ => bias(table)
            .map(|()| (Kind::Bias, None))
            .or_else(|| angles(table).map(|it| (Kind::Angles, Some(it))))
            .or_else(|| lines(table).map(|()| (Kind::NotPositions, None))),
    }
}

/// A row that falls by one rule from 1 or less.
fn frequencies(table: &Table) -> Option<Frequencies> {
    let values = table.values();
    let falls = values
        .windows(2)
        .all(|pair| pair[1] <= pair[0] && pair[1] >= 0.0);
    let first = *values.first()?;
    if values.len() < 4 || !falls || first <= 0.0 {
        return None;
    }
    let is_bf16 = |it: &f64| Precision::Bf16.round(*it) == Precision::F32.round(*it);
    let rounding = match values.iter().all(is_bf16) {
        true => 4e-3,
        false => 1e-6,
    };
    let mut found = described(values, rounding)?;
    // Frequencies of few digits tell few digits of the base.
    if let Some(base) = found.base.filter(|base| rounding > 1e-3 && *base > 1.0) {
        let round = decimal::round(base, 1);
        found.base = Some(if (round / base - 1.0).abs() < 0.01 {
            round
        } else {
            base
        });
    }
    Some(found)
}

fn described(values: &[f64], rounding: f64) -> Option<Frequencies> {
    let of = |(pair, frequency): (usize, &f64)| MeasuredFrequency {
        pair,
        frequency: *frequency,
        error: rounding * frequency / 6.0,
    };
    let list: Vec<MeasuredFrequency> = values.iter().enumerate().map(of).collect();
    let found = describe_frequencies(&list, values.len());
    (found.rule != FrequencyRule::Listed || found.base.is_some()).then_some(found)
}

/// Position times frequency: every row is a multiple of every other.
fn angles(table: &Table) -> Option<Frequencies> {
    let (rows, columns) = (table.rows(), table.columns());
    if rows < 4 || columns < 2 {
        return None;
    }
    let mean =
        |column: usize| (table.at(rows - 1, column) - table.at(0, column)) / (rows - 1) as f64;
    let steps: Vec<f64> = (0..columns).map(mean).collect();
    let is_line = |row: usize| {
        steps.iter().enumerate().all(|(column, step)| {
            let start = table.at(0, column);
            let expected = start + step * row as f64;
            (table.at(row, column) - expected).abs() <= 1e-5 * (expected.abs() + step.abs())
        })
    };
    let begins = |(column, step): (usize, &f64)| {
        let start = table.at(0, column) / step;
        *step > 0.0 && (start - table.at(0, 0) / steps[0]).abs() < 0.01
    };
    if !(0..rows).all(is_line) || !steps.iter().enumerate().all(begins) {
        return None;
    }
    let half = columns / 2;
    let copied = columns.is_multiple_of(2)
        && (0..half).all(|it| (steps[it] / steps[it + half] - 1.0).abs() < 1e-5);
    let different = if copied { &steps[..half] } else { &steps[..] };
    let equal = different
        .iter()
        .all(|it| (it / different[0] - 1.0).abs() < 1e-4);
    described(different, 1e-5).filter(|_| different.len() > 2 && !equal)
}

/// Straight lines along the rows that differ in more than their slopes, as in memory networks (Sukhbaatar et al. 2015).
fn lines(table: &Table) -> Option<()> {
    let (rows, columns) = (table.rows(), table.columns());
    let is_line = |column: usize| {
        let at = |row: usize| table.at(row, column);
        let step = (at(rows - 1) - at(0)) / (rows - 1) as f64;
        let size = at(0).abs().max(at(rows - 1).abs());
        (0..rows).all(|row| (at(row) - at(0) - step * row as f64).abs() <= 1e-6 * size)
    };
    (rows >= 8 && columns >= 4 && (0..columns).all(is_line)).then_some(())
}

/// −slope · |row − column|, or a slope per row times the column, as ALiBi adds to the scores of attention.
fn bias(table: &Table) -> Option<()> {
    let (rows, columns) = (table.rows(), table.columns());
    if rows < 2 || columns < 4 {
        return None;
    }
    let tolerance = |size: f64| 1e-5 * (1.0 + size.abs());
    let slope = table.at(0, 1) - table.at(0, 0);
    let holds = |expected: &dyn Fn(usize, usize) -> f64| {
        (0..rows).all(|row| {
            (0..columns).all(|column| {
                let (found, expected) = (table.at(row, column), expected(row, column));
                (found - expected).abs() <= tolerance(expected) || (column > row && found < -1e4)
            })
        })
    };
    let symmetric = |row: usize, column: usize| slope * row.abs_diff(column) as f64;
    let last = table.at(rows - 1, 0) / (rows - 1) as f64;
    let causal = |row: usize, column: usize| last * (row as f64 - column as f64);
    let is_alone =
        rows == columns && (slope < 0.0 && holds(&symmetric) || last < 0.0 && holds(&causal));
    // Slopes of heads are a geometric progression.
    let slopes: Vec<f64> = (0..rows)
        .map(|head| table.at(head, 1) - table.at(head, 0))
        .collect();
    let ratio = slopes.get(1)? / slopes.first()?;
    let geometric = slopes
        .windows(2)
        .all(|pair| (pair[1] / pair[0] - ratio).abs() < 1e-4);
    let by_head = |head: usize, column: usize| table.at(head, 0) + slopes[head] * column as f64;
    (is_alone || geometric && ratio > 0.0 && ratio < 0.999 && slopes[0] != 0.0 && holds(&by_head))
        .then_some(())
}
