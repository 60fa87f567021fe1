//! A table described column by column: a wave in each, at the positions of the rows along one or several axes.

use crate::formula::{Order, Rule, Waves};
use crate::table::Table;
use crate::view::View;
use posenc_sort::sorted;
use std::f64::consts::TAU;

/// Columns that hold the same numbers as others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copies {
    None,
    /// The second half is the first again, possibly negated.
    Halves {
        negated: bool,
    },
    /// Adjacent columns are equal.
    Adjacent,
    /// Each half consists of two equal halves: cosines and sines of RoPE side by side.
    Quarters,
    /// Columns of zeros stand where cosines belong.
    Missing(Order),
}

/// The order of waves in the columns of a table without its copies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arrangement {
    pub waves: Waves,
    pub order: Order,
    pub swapped: bool,
    /// Number of axes, each in a block of adjacent columns or pairs.
    pub blocks: usize,
}

/// A pair of a block, with its columns: sine, cosine or both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub block: usize,
    pub index: usize,
    pub sine: Option<usize>,
    pub cosine: Option<usize>,
}

impl Arrangement {
    /// Returns the arrangements that a number of columns can have, the usual ones first.
    pub fn all(columns: usize) -> Vec<Arrangement> {
        let mut all = Vec::new();
        for blocks in 1..=3 {
            let of = |waves, order, swapped| Arrangement {
                waves,
                order,
                swapped,
                blocks,
            };
            if columns.is_multiple_of(2 * blocks) && columns > 2 * blocks {
                for swapped in [false, true] {
                    all.push(of(Waves::Both, Order::Interleaved, swapped));
                    all.push(of(Waves::Both, Order::Halves, swapped));
                }
            }
            if columns.is_multiple_of(blocks) && columns >= 4 * blocks {
                all.push(of(Waves::Cosines, Order::Single, false));
                all.push(of(Waves::Sines, Order::Single, false));
            }
        }
        all
    }

    /// Returns the pairs in `columns` columns.
    pub fn pairs(&self, columns: usize) -> Vec<Pair> {
        let width = columns / self.blocks;
        let pairs = match self.waves {
            Waves::Both => width / 2,
            _ => width,
        };
        let of = |block: usize, index: usize| {
            let from = block * width;
            let (first, second) = match self.order {
                Order::Interleaved => (from + 2 * index, from + 2 * index + 1),
                Order::Single => (from + index, from + index),
                _ => (from + index, from + pairs + index),
            };
            let (sine, cosine) = match self.swapped {
                true => (second, first),
                false => (first, second),
            };
            Pair {
                block,
                index,
                sine: (self.waves != Waves::Cosines).then_some(sine),
                cosine: (self.waves != Waves::Sines).then_some(cosine),
            }
        };
        let blocks = 0..self.blocks;
        blocks
            .flat_map(|block| (0..pairs).map(move |index| of(block, index)))
            .collect()
    }
}

/// Finds the copies in a table, and returns the columns without them.
pub(crate) fn without_copies(table: &Table, view: &View) -> (Copies, Vec<usize>) {
    let d = view.columns;
    let steps = view.end.clamp(2, 17) - 1;
    let rows: Vec<usize> = (0..=steps).map(|at| at * (view.end - 1) / steps).collect();
    let tolerance = 4.0 * view.rounding;
    // A few rows, and a few columns of one copy, may be damaged.
    let most = rows.len() / 5;
    let equal = |pairs: &[(usize, usize)], sign: f64| {
        let differs = |row: &&usize| {
            let far = pairs.iter().filter(|(a, b)| {
                let [a, b] = [a, b].map(|column| view.at(table, **row, *column));
                (a - sign * b).abs() > tolerance
            });
            let few = pairs.len() / 32;
            far.take(few + 1).count() > few
        };
        rows.iter().filter(differs).take(most + 1).count() <= most
    };
    // Copies of a constant say nothing.
    let changes = |column: usize| {
        let first = view.at(table, rows[0], column);
        rows.iter()
            .any(|row| (view.at(table, *row, column) - first).abs() > 8.0 * tolerance)
    };
    let half = d / 2;
    if d % 2 == 1 && d > 4 {
        // The coordinate itself beside its waves.
        for (line, columns) in [(0, 1..d), (d - 1, 0..d - 1)] {
            if is_line(table, view, line) {
                return (Copies::None, columns.collect());
            }
        }
    }
    let few = (0..d).filter(|column| changes(*column)).count() < d.min(4);
    if d < 4 || d % 2 == 1 || few {
        return (Copies::None, (0..d).collect());
    }
    let is_zero = |column: &usize| rows.iter().all(|row| view.at(table, *row, *column) == 0.0);
    let (odd, even): (Vec<usize>, Vec<usize>) = (0..d).partition(|column| column % 2 == 1);
    let (first, second): (Vec<usize>, Vec<usize>) = (0..d).partition(|column| *column < half);
    for (order, zero, other) in [
        (Order::Interleaved, odd, even),
        (Order::Halves, second, first),
    ] {
        if zero.iter().all(is_zero) && !other.iter().any(is_zero) {
            return (Copies::Missing(order), other);
        }
    }
    for negated in [false, true] {
        let sign = if negated { -1.0 } else { 1.0 };
        let halves: Vec<(usize, usize)> = (0..half).map(|at| (at, at + half)).collect();
        if equal(&halves, sign) {
            // The half of the sines or cosines themselves is that with positive numbers at the lowest frequency.
            let is_first = negated
                && rows
                    .iter()
                    .map(|row| view.at(table, *row, d - 1))
                    .sum::<f64>()
                    < 0.0;
            let columns = if is_first { 0..half } else { half..d };
            return (Copies::Halves { negated }, columns.collect());
        }
    }
    let adjacent: Vec<(usize, usize)> = (0..half).map(|at| (2 * at, 2 * at + 1)).collect();
    if equal(&adjacent, 1.0) {
        return (Copies::Adjacent, (0..half).map(|pair| 2 * pair).collect());
    }
    let quarter = d / 4;
    let starts = [0, half];
    let quarters = starts.iter().flat_map(|from| *from..from + quarter);
    let quarters: Vec<(usize, usize)> = quarters.map(|at| (at, at + quarter)).collect();
    if d.is_multiple_of(4) && equal(&quarters, 1.0) {
        let columns = starts.iter().flat_map(|from| *from..from + quarter);
        return (Copies::Quarters, columns.collect());
    }
    (Copies::None, (0..d).collect())
}

/// Returns whether a column rises by the same amount in each row, as coordinates beside their waves do.
fn is_line(table: &Table, view: &View, column: usize) -> bool {
    let at = |row: usize| view.at(table, row, column);
    let last = view.end.saturating_sub(1).max(1);
    let step = (at(last) - at(0)) / last as f64;
    let tolerance = 4.0 * view.rounding * (1.0 + at(0).abs().max(at(last).abs()));
    step != 0.0 && (0..view.end).all(|row| (at(row) - at(0) - step * row as f64).abs() <= tolerance)
}

/// `amplitude · cos(position · frequency + phase) + offset`, the position being that along `axis`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColumnWave {
    pub frequency: f64,
    pub phase: f64,
    pub amplitude: f64,
    pub offset: f64,
    pub axis: usize,
}

/// Turns of the slowest wave that positions may be ahead of what is decoded.
const TURNS: u8 = 8;

/// A wave per column and the positions of the rows.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// `None` for a column that belongs to none.
    pub waves: Vec<Option<ColumnWave>>,
    /// For each axis, the position of each row; NaN if it has none.
    pub positions: Vec<Vec<f64>>,
    pub amplitude: f64,
    pub offset: f64,
    /// Columns in which no wave was found.
    pub without_wave: Vec<usize>,
    /// Whether each column has an amplitude of its own.
    pub own_scale: bool,
    /// Upper bound of the error of a position.
    pub tolerance: f64,
    pub copies: Copies,
    pub arrangement: Arrangement,
    /// The rule and the base that the frequencies were taken from; `None` if they were measured.
    pub of_base: Option<(Rule, f64)>,
}

impl Model {
    /// Multiplies all amplitudes by a factor.
    pub fn scale(&mut self, factor: f64) {
        self.amplitude *= factor;
        for wave in self.waves.iter_mut().flatten() {
            wave.amplitude *= factor;
        }
    }

    /// Gives copies the waves of what they are copies of.
    pub fn copy_waves(&mut self) {
        let (d, half) = (self.waves.len(), self.waves.len() / 2);
        let halves = || (0..half).map(|at| (at, at + half));
        let copies: Vec<(usize, usize)> = match self.copies {
            Copies::None | Copies::Missing(_) => return,
            Copies::Halves { .. } => match self.waves[..half].iter().any(Option::is_some) {
                true => halves().map(|(at, other)| (other, at)).collect(),
                false => halves().collect(),
            },
            Copies::Adjacent => (0..half).map(|pair| (2 * pair + 1, 2 * pair)).collect(),
            Copies::Quarters => {
                let firsts = (0..d).filter(|at| at % half < d / 4);
                firsts.map(|at| (at + d / 4, at)).collect()
            }
        };
        let sign = match self.copies {
            Copies::Halves { negated: true } => -1.0,
            _ => 1.0,
        };
        let without = std::mem::take(&mut self.without_wave);
        for (copy, of) in copies {
            self.waves[copy] = self.waves[of].map(|wave| ColumnWave {
                amplitude: sign * wave.amplitude,
                offset: sign * wave.offset,
                ..wave
            });
            let both = [of, copy].into_iter();
            self.without_wave
                .extend(both.filter(|_| without.contains(&of)));
        }
        self.without_wave = sorted(&self.without_wave, |it| *it as f64);
    }

    /// Adds turns of the slowest wave, which decoding leaves out, to positions that are whole with them.
    pub fn start_at_whole(&mut self) {
        let is_whole = |it: f64| (it - it.round()).abs() < 1e-4;
        let waves = self.waves.iter().flatten();
        let slowest = waves
            .map(|it| it.frequency.abs())
            .fold(f64::INFINITY, f64::min);
        let [positions] = &mut self.positions[..] else {
            return;
        };
        let known = || positions.iter().copied().filter(|it| it.is_finite());
        let turns = (1..=TURNS).map(|it| f64::from(it) * TAU / slowest);
        let found = turns.filter(|_| !known().all(is_whole));
        if let Some(turns) = { found }.find(|turns| known().all(|it| is_whole(it + turns))) {
            for it in positions {
                *it = (*it + turns).round();
            }
        }
    }

    pub fn at(&self, row: usize, column: usize) -> Option<f64> {
        let wave = self.waves.get(column)?.as_ref()?;
        let position = self.positions.get(wave.axis)?.get(row)?;
        let value = wave.amplitude * (position * wave.frequency + wave.phase).cos() + wave.offset;
        value.is_finite().then_some(value)
    }
}

/// The distance of a row from evenly spaced ones up to which its numbers are turned and not computed.
const EVEN: f64 = 1e-9;

/// The numbers of a model, row by row. From one to the next of evenly spaced rows, every wave turns by a constant angle, which
/// takes four products instead of a cosine.
struct RowByRow<'a> {
    model: &'a Model,
    /// The row that was computed last from its position, and the next one.
    computed: usize,
    next: usize,
    /// Of each axis, from one row to the next.
    steps: Vec<f64>,
    /// Of each column, the cosine and sine of its angle in the last row, and those of its step.
    turns: Vec<[f64; 4]>,
}

impl<'a> RowByRow<'a> {
    fn new(model: &'a Model, row: usize) -> RowByRow<'a> {
        RowByRow {
            model,
            computed: row,
            next: row,
            steps: Vec::new(),
            turns: Vec::new(),
        }
    }

    /// Returns the number in each column of the next row, NaN where the model has none.
    fn row(&mut self, numbers: &mut [f64]) {
        let row = self.next;
        self.next += 1;
        let positions = &self.model.positions;
        let turns = (row - self.computed) as f64;
        let is_even = !self.turns.is_empty()
            && positions.iter().zip(&self.steps).all(|(axis, step)| {
                let far = |at: &f64| (at - (axis[self.computed] + turns * step)).abs();
                axis.get(row).is_some_and(|at| far(at) <= EVEN)
            });
        if is_even {
            for [cosine, sine, c, s] in &mut self.turns {
                (*cosine, *sine) = (*cosine * *c - *sine * *s, *sine * *c + *cosine * *s);
            }
        } else {
            self.compute(row);
        }
        for ((number, wave), [cosine, ..]) in
            numbers.iter_mut().zip(&self.model.waves).zip(&self.turns)
        {
            *number = wave.map_or(f64::NAN, |wave| wave.amplitude * cosine + wave.offset);
        }
    }

    /// Computes the numbers of a row from its position, and the angle to the row after it.
    fn compute(&mut self, row: usize) {
        let at = |axis: &[f64], row: usize| axis.get(row).copied().unwrap_or(f64::NAN);
        let positions = self.model.positions.iter();
        self.steps = positions.map(|it| at(it, row + 1) - at(it, row)).collect();
        self.computed = row;
        let turns = self.model.waves.iter().map(|wave| {
            let Some(wave) = wave else {
                return [f64::NAN; 4];
            };
            let position = self.model.positions.get(wave.axis);
            let position = position.map_or(f64::NAN, |axis| at(axis, row));
            let step = self.steps.get(wave.axis).copied().unwrap_or(f64::NAN);
            let (sine, cosine) = (position * wave.frequency + wave.phase).sin_cos();
            let (s, c) = (step * wave.frequency).sin_cos();
            [cosine, sine, c, s]
        });
        self.turns = turns.collect();
    }
}

/// Differences between a table and a model, over all cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Misfits {
    next: usize,
    pub cells: usize,
    squares: f64,
    pub max: f64,
    /// Cells beyond the limit, in total, by row and by column.
    pub bad: usize,
    pub bad_in_row: Vec<usize>,
    pub bad_in_column: Vec<usize>,
    pub first_bad: Option<(usize, usize)>,
    /// Squared differences of the cells within the limit.
    close_squares: f64,
    close_max: f64,
    /// Bad cells that are zero.
    pub zeros: usize,
    limit: f64,
}

impl Misfits {
    /// Cells that differ by more than `limit` are counted.
    pub fn new(view: &View, limit: f64) -> Misfits {
        Misfits {
            limit,
            bad_in_row: vec![0; view.end],
            bad_in_column: vec![0; view.columns],
            ..Misfits::default()
        }
    }

    /// Compares about `cells` more cells; returns `false` when all are done.
    pub fn step(&mut self, table: &Table, view: &View, model: &Model, cells: usize) -> bool {
        let end = (self.next + (cells / view.columns.max(1)).max(1)).min(view.end);
        let mut rows = RowByRow::new(model, self.next);
        let mut expected = vec![f64::NAN; view.columns];
        for row in self.next..end {
            rows.row(&mut expected);
            if !view.counts(row) {
                continue;
            }
            for (column, expected) in expected.iter().enumerate() {
                let found = view.at(table, row, column);
                if !(found.is_finite() && expected.is_finite()) {
                    continue;
                }
                let far = (found - expected).abs();
                self.cells += 1;
                self.squares += far * far;
                self.max = self.max.max(far);
                if far > self.limit {
                    self.bad += 1;
                    self.bad_in_row[row] += 1;
                    self.bad_in_column[column] += 1;
                    self.zeros += usize::from(found == 0.0);
                    self.first_bad.get_or_insert((row, column));
                } else {
                    self.close_squares += far * far;
                    self.close_max = self.close_max.max(far);
                }
            }
        }
        self.next = end;
        end < view.end
    }

    pub fn rms(&self) -> f64 {
        (self.squares / self.cells.max(1) as f64).sqrt()
    }

    /// Root mean square and maximum of the differences within the limit.
    pub fn close(&self) -> (f64, f64) {
        let count = (self.cells - self.bad).max(1) as f64;
        ((self.close_squares / count).sqrt(), self.close_max)
    }

    pub fn bad_share(&self) -> f64 {
        self.bad as f64 / self.cells.max(1) as f64
    }
}
