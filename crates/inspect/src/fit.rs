//! Fits the scale of a formula to a table by least squares, and measures the residual.

use crate::formula::Formula;
use crate::table::Table;
use crate::view::View;
use posenc_sort::nth;

/// The scale of a table: each cell is `factor · (±sine or ±cosine) + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub factor: f64,
    pub offset: f64,
    /// 1 or −1.
    pub sine_sign: f64,
    pub cosine_sign: f64,
}

impl Scale {
    pub const ONE: Scale = Scale {
        factor: 1.0,
        offset: 0.0,
        sine_sign: 1.0,
        cosine_sign: 1.0,
    };

    pub fn apply(&self, sine: bool, wave: f64) -> f64 {
        let sign = if sine {
            self.sine_sign
        } else {
            self.cosine_sign
        };
        self.factor * sign * wave + self.offset
    }
}

/// Sums over cells for a least-squares fit of the scale: x is the number in the table, s the sine, c the cosine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub count: f64,
    x: f64,
    xx: f64,
    s: f64,
    c: f64,
    xs: f64,
    xc: f64,
    ss: f64,
    cc: f64,
}

impl Sums {
    pub fn add(&mut self, x: f64, sine: bool, wave: f64) {
        self.count += 1.0;
        self.x += x;
        self.xx += x * x;
        if sine {
            self.s += wave;
            self.xs += x * wave;
            self.ss += wave * wave;
        } else {
            self.c += wave;
            self.xc += x * wave;
            self.cc += wave * wave;
        }
    }

    pub fn add_zero_column(&mut self, x: f64) {
        self.count += 1.0;
        self.x += x;
        self.xx += x * x;
    }

    /// Returns the least-squares scale without an offset, and the sum of squared residuals divided by that of the numbers.
    pub fn scale(&self) -> (Scale, f64) {
        let sign = |it: f64| if it < 0.0 { -1.0 } else { 1.0 };
        let waves = self.ss + self.cc;
        let factor = (self.xs.abs() + self.xc.abs()) / waves.max(f64::MIN_POSITIVE);
        let scale = Scale {
            factor,
            offset: 0.0,
            sine_sign: sign(self.xs),
            cosine_sign: sign(self.xc),
        };
        let left = self.xx - factor * factor * waves;
        (scale, relative(left, self.xx))
    }

    /// Returns the least-squares scale with an offset, and the sum of squared residuals divided by that about the mean.
    pub fn scale_and_offset(&self) -> (Scale, f64) {
        let n = self.count.max(1.0);
        let mut best = (Scale::ONE, f64::INFINITY);
        let variance = self.xx - self.x * self.x / n;
        for (sine_sign, cosine_sign) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
            let m = sine_sign * self.s + cosine_sign * self.c;
            let xm = sine_sign * self.xs + cosine_sign * self.xc;
            let spread = self.ss + self.cc - m * m / n;
            let factor = (xm - self.x * m / n) / spread.max(f64::MIN_POSITIVE);
            let left = relative(variance - factor * factor * spread, variance);
            if factor > 0.0 && left < best.1 {
                let scale = Scale {
                    factor,
                    offset: (self.x - factor * m) / n,
                    sine_sign,
                    cosine_sign,
                };
                best = (scale, left);
            }
        }
        best
    }
}

/// Returns `left / of`, at least 0; NaN if `of` is not positive.
fn relative(left: f64, of: f64) -> f64 {
    if of > 0.0 {
        (left / of).max(0.0)
    } else {
        f64::NAN
    }
}

/// Maximum number of columns in a fit, not counting the last one of an odd width.
const COLUMNS: usize = 64;
/// Maximum number of rows in each of them.
const ROWS: usize = 9;
/// Rows of a column are taken from its first radians, where the errors of any arithmetic are still small.
pub(crate) const RADIANS: f64 = 4.0;

/// A formula with its least-squares scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fitted {
    pub formula: Formula,
    pub scale: Scale,
    /// Root mean square residual, divided by that of the scaled wave, `factor`/√2.
    pub relative: f64,
    /// The same after a second fit without the few cells with the largest residuals.
    pub trimmed: f64,
}

impl Fitted {
    /// Returns the root mean square residual in units of the table.
    pub fn rms(&self) -> f64 {
        let rms = self.relative * self.scale.factor / std::f64::consts::SQRT_2;
        if rms.is_finite() { rms } else { 0.0 }
    }
}

/// Returns the rows of a column that are compared: evenly spaced over its first radians, and at least up to row 6.
fn rows_of(view: &View, frequency: f64, radians: f64) -> impl Iterator<Item = usize> {
    let last = view.end.saturating_sub(1);
    let within = (radians / frequency.abs().max(1e-12)).min(last as f64) as usize;
    let within = within.max(6).min(last);
    let steps = within.clamp(1, ROWS - 1);
    (0..=steps).map(move |at| at * within / steps)
}

/// Fits the scale, and with `with_offset` the offset, to the first `radians` of the columns.
pub(crate) fn fit(
    table: &Table,
    view: &View,
    formula: Formula,
    with_offset: bool,
    radians: f64,
) -> Fitted {
    let mut cells = Vec::with_capacity(COLUMNS * ROWS);
    let mut sums = Sums::default();
    for column in view.some_columns(COLUMNS) {
        let Some(wave) = formula.column(view.columns, column) else {
            for row in rows_of(view, 1.0, radians).filter(|row| view.counts(*row)) {
                if let Some(x) = view.credible(table, row, column) {
                    sums.add_zero_column(x);
                    cells.push((x, None));
                }
            }
            continue;
        };
        let frequency = formula.frequency(wave.exponent);
        for row in rows_of(view, frequency * formula.step, radians) {
            let x = view.credible(table, row, column);
            let Some(x) = x.filter(|_| view.counts(row)) else {
                continue;
            };
            let angle = formula.position(row) * frequency;
            let value = if wave.sine { angle.sin() } else { angle.cos() };
            sums.add(x, wave.sine, value);
            cells.push((x, Some((wave.sine, value))));
        }
    }
    let scale_of = |sums: &Sums| match with_offset {
        true => sums.scale_and_offset(),
        false => sums.scale(),
    };
    let (scale, _) = scale_of(&sums);
    let residual = |scale: &Scale, (x, wave): &(f64, Option<(bool, f64)>)| match wave {
        Some((sine, value)) => (x - scale.apply(*sine, *value)).abs(),
        None => (x - scale.offset).abs(),
    };
    let rms = |scale: &Scale, cells: &[(f64, Option<(bool, f64)>)]| {
        let squares = cells.iter().map(|cell| residual(scale, cell).powi(2));
        let of = scale.factor / std::f64::consts::SQRT_2;
        (squares.sum::<f64>() / cells.len().max(1) as f64).sqrt() / of
    };
    let all = rms(&scale, &cells);
    // A second fit without the worst cells: a wrong cell must not hide the formula of all others.
    let worst = (cells.len() / 40).max(usize::from(cells.len() > 11));
    let residuals: Vec<f64> = cells.iter().map(|cell| residual(&scale, cell)).collect();
    let bound = nth(
        &mut residuals.clone(),
        (cells.len() - worst).saturating_sub(1),
    );
    let bound = bound.unwrap_or(f64::INFINITY);
    let kept = cells.iter().zip(&residuals);
    let kept = kept.filter(|(_, residual)| residual.total_cmp(&bound).is_le());
    let kept: Vec<_> = kept.map(|(cell, _)| *cell).collect();
    let mut sums = Sums::default();
    for (x, wave) in &kept {
        match wave {
            Some((sine, value)) => sums.add(*x, *sine, *value),
            None => sums.add_zero_column(*x),
        }
    }
    let (without, _) = scale_of(&sums);
    let trimmed = rms(&without, &kept);
    let robust = all > 4.0 * trimmed;
    let no_number = |it: f64| if it.is_nan() { f64::INFINITY } else { it };
    Fitted {
        formula,
        scale: if robust { without } else { scale },
        relative: no_number(all),
        trimmed: no_number(trimmed),
    }
}
