//! Searches for a formula: compares all combinations on a few cells, then the best of them on more.

use crate::fit::{Fitted, RADIANS, Sums, fit};
use crate::formula::{Formula, Order, Rule, Waves};
use crate::table::Table;
use crate::view::View;
use posenc_sort::sorted;

/// Bases that are in use, the most usual first.
const BASES: [f64; 16] = [
    10_000.0, 1000.0, 100.0, 500_000.0, 1e6, 1e5, 5e6, 1e7, 1e8, 1e9, 5000.0, 20_000.0, 50_000.0,
    150_000.0, 10.0, 2.0,
];
/// Positions of row 0, the most usual first.
const STARTS: [i64; 13] = [0, 1, 2, -1, 3, 4, -2, 5, 6, 7, 8, -3, -4];
/// Numbers of rows and columns on which all combinations are compared.
const ROWS: usize = 12;
const COLUMNS: usize = 40;
/// Number of combinations that are compared on more cells.
const KEPT: usize = 64;

/// A search in steps of a few milliseconds.
#[derive(Debug)]
pub(crate) struct Search {
    /// Formulas that are compared with all bases, starts and orders of sine and cosine, one in each step.
    shapes: Vec<Formula>,
    done: usize,
    columns: Vec<usize>,
    rows: Vec<usize>,
    /// Relative squared residual and formula.
    best: Vec<(f64, Formula)>,
    /// Fits on more cells of the first entries of `best`.
    ranked: Vec<Fitted>,
}

impl Search {
    /// Creates a search for formulas with common bases, and with row 0 at one of a few positions.
    pub fn new(view: &View) -> Search {
        let rows = (0..view.end).filter(|row| view.counts(*row));
        Search {
            shapes: shapes(view.columns),
            done: 0,
            columns: view.some_columns(COLUMNS),
            rows: rows.take(ROWS).collect(),
            best: Vec::new(),
            ranked: Vec::new(),
        }
    }

    /// Runs one step; returns `false` when the search is complete.
    pub fn step(&mut self, table: &Table, view: &View) -> bool {
        if let Some(shape) = self.shapes.get(self.done).copied() {
            self.done += 1;
            self.compare(table, view, shape);
            if self.done == self.shapes.len() {
                self.keep(KEPT);
            }
            return true;
        }
        let from = self.ranked.len();
        for (_, formula) in self.best.iter().skip(from).take(8) {
            self.ranked.push(fit(table, view, *formula, false, RADIANS));
        }
        self.ranked.len() > from
    }

    /// Returns the progress from 0 to 1.
    pub fn progress(&self) -> f64 {
        let all = self.shapes.len() + KEPT;
        (self.done + self.ranked.len()) as f64 / all.max(1) as f64
    }

    /// Returns the formulas that fit best, in order of their residuals on the few cells.
    pub fn ranked(&self) -> &[Fitted] {
        &self.ranked
    }

    fn keep(&mut self, most: usize) {
        // The sort is stable: among formulas with equal residuals, the most usual stays first.
        self.best = sorted(&self.best, |(left, _)| *left);
        self.best.truncate(most);
    }

    fn compare(&mut self, table: &Table, view: &View, shape: Formula) {
        let Some((&first_row, &last_row)) = self.rows.first().zip(self.rows.last()) else {
            return;
        };
        let (low, high) = STARTS
            .into_iter()
            .fold((0, 0), |(low, high), it| (low.min(it), high.max(it)));
        let waves: Vec<_> = self
            .columns
            .iter()
            .map(|column| shape.column(view.columns, *column))
            .collect();
        let numbers: Vec<Option<f64>> = self
            .rows
            .iter()
            .flat_map(|row| self.columns.iter().map(move |column| (*row, *column)))
            .map(|(row, column)| view.credible(table, row, column))
            .collect();
        let width = waves.len();
        let first = first_row as i64 + low;
        let count = (last_row as i64 + high - first + 1) as usize;
        let mut values = vec![(0.0, 0.0); count * width];
        let bases = match shape.rule {
            Rule::None => &BASES[..1],
            _ => &BASES,
        };
        for &base in bases {
            let formula = Formula { base, ..shape };
            for (at, wave) in waves.iter().enumerate() {
                let Some(wave) = wave else { continue };
                let frequency = formula.frequency(wave.exponent) * formula.step;
                for position in 0..count {
                    let angle = (first + position as i64) as f64 * frequency;
                    values[position * width + at] = angle.sin_cos();
                }
            }
            let exchanges: &[bool] = match formula.waves {
                Waves::Both => &[false, true],
                _ => &[false],
            };
            for start in STARTS {
                for &swapped in exchanges {
                    let mut sums = Sums::default();
                    for (row, numbers) in self.rows.iter().zip(numbers.chunks(width)) {
                        let position = (*row as i64 + start - first) as usize;
                        let values = &values[position * width..];
                        for ((x, wave), (sin, cos)) in numbers.iter().zip(&waves).zip(values) {
                            let Some(x) = x else { continue };
                            match wave {
                                Some(wave) if wave.sine != swapped => sums.add(*x, true, *sin),
                                Some(_) => sums.add(*x, false, *cos),
                                None => sums.add_zero_column(*x),
                            }
                        }
                    }
                    let (_, left) = sums.scale();
                    if left.is_finite() {
                        let formula = Formula {
                            start,
                            swapped,
                            ..formula
                        };
                        // Rounded to the accuracy of these sums, so that equivalent formulas keep their order.
                        let left = (left * 1e9).round() / 1e9;
                        self.best.push((left, formula));
                    }
                }
            }
        }
        if self.best.len() > 8 * KEPT {
            self.keep(2 * KEPT);
        }
    }
}

/// Returns all combinations of waves, order, rule, padding and divisor for a number of columns.
fn shapes(columns: usize) -> Vec<Formula> {
    let paper = Formula::paper(columns);
    let odd = columns % 2 == 1;
    let mut shapes = Vec::new();
    for rule in Rule::ALL {
        for order in [Order::Interleaved, Order::Halves] {
            let counted = matches!(rule, Rule::CountedColumn | Rule::DoubledCountedColumn);
            if counted && order == Order::Interleaved {
                continue;
            }
            let shape = Formula {
                rule,
                order,
                ..paper
            };
            let padded = Formula {
                padded: true,
                ..shape
            };
            if odd && rule == Rule::Tensor2tensor {
                shapes.extend([padded, shape]);
            } else if odd {
                shapes.extend([shape, padded]);
            } else {
                shapes.push(shape);
            }
            if odd && matches!(rule, Rule::Paper | Rule::Column) {
                for divisor in [columns + 1, columns - 1] {
                    if divisor > 0 {
                        shapes.push(Formula { divisor, ..shape });
                        shapes.push(Formula { divisor, ..padded });
                    }
                }
            }
        }
    }
    // A RoPE cache with two copies of each wave has an even number of columns.
    for waves in [Waves::Cosines, Waves::Sines] {
        for order in [Order::Halves, Order::Interleaved, Order::Single] {
            if odd && order != Order::Single {
                continue;
            }
            shapes.push(Formula {
                waves,
                order,
                divisor: order.divisor(columns),
                ..paper
            });
        }
    }
    shapes
}
