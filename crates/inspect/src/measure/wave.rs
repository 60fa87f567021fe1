//! Measures the sine wave in a column of a table: frequency, phase, amplitude and offset, by least squares.

use std::f64::consts::{PI, TAU};

/// Rows of the window in which a frequency is searched for, and candidates per half turn.
const WINDOW: usize = 64;
const GRID: usize = 128;
/// Maximum number of rows of a least-squares fit.
const ROWS: usize = 192;
/// The last change of the angle at the end of a window, in radians: on the way to longer windows, and at the end, where the
/// rounding of the angles is larger.
const CLOSE: f64 = 1e-3;
const CONVERGED: f64 = 1e-12;
/// Over fewer radians, amplitude, offset and frequency of a wave cannot be told apart.
const DETERMINED: f64 = 2.5;

/// `amplitude · cos(frequency · row + phase) + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wave {
    /// Radians per row, 0 … π.
    pub frequency: f64,
    /// Standard deviation of the frequency.
    pub error: f64,
    /// Radians, −π … π.
    pub phase: f64,
    pub amplitude: f64,
    pub offset: f64,
    /// Root mean square residual.
    pub residual: f64,
    /// Whether the wave turns far enough for all of these to be measured independently of each other.
    pub is_determined: bool,
}

impl Wave {
    /// Returns the error bar of the frequency, measured on so many rows; `rounding` is the largest error of a number that the
    /// file causes, as a share of the amplitude.
    pub fn frequency_error(&self, rows: usize, rounding: f64) -> f64 {
        let rows = rows as f64;
        // Of a slow cosine, rounding makes the angles next to 0 too large.
        let least = (4.0 * rounding).sqrt() / rows;
        let noise = (self.residual / self.amplitude).max(rounding);
        match self.is_determined {
            true => self.error,
            false if self.frequency < least => least,
            false => self.error + 4.0 * noise / (self.frequency * rows * rows),
        }
    }

    pub fn at(&self, row: f64) -> f64 {
        self.amplitude * (self.frequency * row + self.phase).cos() + self.offset
    }
}

/// Least squares with up to four unknowns, by normal equations.
#[derive(Clone, Copy)]
struct Normal<const N: usize> {
    matrix: [[f64; N]; N],
    right: [f64; N],
}

impl<const N: usize> Normal<N> {
    const ZERO: Normal<N> = Normal {
        matrix: [[0.0; N]; N],
        right: [0.0; N],
    };

    /// Adds an equation. Of the matrix, which is symmetric, only the upper triangle is kept.
    #[inline(always)]
    fn add(&mut self, of: [f64; N], value: f64) {
        for row in 0..N {
            self.right[row] += of[row] * value;
            for column in row..N {
                self.matrix[row][column] += of[row] * of[column];
            }
        }
    }

    /// Gaussian elimination; a matrix that is nearly singular is regularised.
    fn solve(mut self) -> [f64; N] {
        for at in 0..N {
            let ridge = 1e-12 * self.matrix[at][at].abs() + f64::MIN_POSITIVE;
            self.matrix[at][at] += ridge;
            let pivot = self.matrix[at][at];
            for below in at + 1..N {
                let factor = self.matrix[at][below] / pivot;
                for column in below..N {
                    self.matrix[below][column] -= factor * self.matrix[at][column];
                }
                self.right[below] -= factor * self.right[at];
            }
        }
        let mut solution = [0.0; N];
        for at in (0..N).rev() {
            let known: f64 = (at + 1..N)
                .map(|it| self.matrix[at][it] * solution[it])
                .sum();
            solution[at] = (self.right[at] - known) / self.matrix[at][at];
        }
        solution
    }
}

/// The largest residual of a slow wave that a neighbour's frequency leads to, as a share of the largest distance from the mean.
const SLOW_RESIDUAL: f64 = 1e-3;
/// The largest residual of a wave as a share of its amplitude.
pub(crate) const MAX_RESIDUAL: f64 = 0.03;

/// Measures the wave in a column, whose frequency may be `near` that of another; `None` if the column has too few finite
/// numbers. Numbers that are not finite are left out.
pub(crate) fn measure(column: &[f64], near: Option<f64>) -> Option<Wave> {
    let finite = || column.iter().copied().filter(|it| it.is_finite());
    let count = finite().count();
    if count < 6 {
        return None;
    }
    let mean = finite().sum::<f64>() / count as f64;
    let spread = finite().map(|it| (it - mean).abs()).fold(0.0, f64::max);
    let constant = Wave {
        frequency: 0.0,
        error: 0.0,
        phase: 0.0,
        amplitude: 0.0,
        offset: mean,
        residual: 0.0,
        is_determined: false,
    };
    if spread <= 1e-9 * mean.abs() || spread == 0.0 {
        return Some(constant);
    }
    // The frequency of a neighbouring column saves the search, if the column has one that is close to it.
    let guess = near.filter(|it| *it > 0.0).and_then(|near| {
        let turn = (2.0 * PI / near).min(column.len() as f64) as usize;
        let window = turn.max(WINDOW.min(column.len()));
        let wave = refine(column, window, near, CLOSE)?;
        // What turns less has to fit as well as a wave that is searched for.
        let turns = wave.frequency * window as f64 >= DETERMINED;
        let fits = match turns {
            true => wave.residual <= MAX_RESIDUAL * wave.amplitude.min(spread),
            false => window == column.len() && wave.residual <= SLOW_RESIDUAL * spread,
        };
        fits.then_some((window, wave))
    });
    let (mut window, mut wave) = match guess {
        Some(guess) => guess,
        None => {
            let mut stride = 1;
            let mut rough = search(column, stride)?;
            // A wave that turns little within the window is searched for in every fourth row.
            while rough * ((WINDOW * stride) as f64) < PI && WINDOW * stride < column.len() {
                stride *= 4;
                rough = search(column, stride)?;
            }
            let window = (WINDOW * stride).min(column.len());
            (window, refine(column, window, rough, CLOSE)?)
        }
    };
    // What is not a wave in the first rows need not be followed.
    while window < column.len() && wave.residual < 0.3 * wave.amplitude {
        let next = (4 * window).min(column.len());
        let longer = refine(column, next, wave.frequency, CLOSE)?;
        if longer.residual > 0.1 * longer.amplitude + 4.0 * wave.residual {
            break;
        }
        (window, wave) = (next, longer);
    }
    let wave = &mut refine(column, window, wave.frequency, CONVERGED)?;
    wave.residual = rms(column, wave);
    let n = window as f64;
    let noise = wave.residual.max(1e-16) / wave.amplitude.abs().max(1e-300);
    let error = 5.0 * noise / (n * (count.min(ROWS) as f64).sqrt());
    // Of a wave that turns little, the frequency depends on amplitude and offset.
    wave.error = wave.error.max(error);
    wave.is_determined = wave.frequency * n >= DETERMINED && wave.amplitude <= 4.0 * spread;
    Some(*wave)
}

/// Returns the root mean square residual over up to 1024 rows.
fn rms(column: &[f64], wave: &Wave) -> f64 {
    let squares = some_numbers(column).map(|(row, value)| (value - wave.at(row)).powi(2));
    let (sum, count) = squares.fold((0.0, 0.0), |(sum, count), it| (sum + it, count + 1.0));
    (sum / f64::max(count, 1.0)).sqrt()
}

/// Returns up to 1024 of so many rows, evenly spaced.
pub(crate) fn some_rows(count: usize) -> impl Iterator<Item = usize> {
    (0..count).step_by(count.div_ceil(1024).max(1))
}

/// Returns the finite numbers of these rows, with the rows.
fn some_numbers(column: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let numbers = some_rows(column.len()).map(|row| (row as f64, column[row]));
    numbers.filter(|(_, value)| value.is_finite())
}

/// Returns the frequency on a grid whose sine and cosine fit best in a window of rows.
fn search(column: &[f64], stride: usize) -> Option<f64> {
    let rows: Vec<f64> = column
        .iter()
        .copied()
        .step_by(stride)
        .take(WINDOW)
        .collect();
    let fit = |frequency: f64| {
        let mut normal = Normal::<3>::ZERO;
        let mut squares = 0.0;
        // The angle is turned from row to row, which is precise enough here.
        let (turn_sin, turn_cos) = frequency.sin_cos();
        let (mut sin, mut cos) = (0.0, 1.0);
        for value in &rows {
            if value.is_finite() {
                normal.add([cos, sin, 1.0], *value);
                squares += value * value;
            }
            (sin, cos) = (
                sin * turn_cos + cos * turn_sin,
                cos * turn_cos - sin * turn_sin,
            );
        }
        let [a, b, c] = normal.solve();
        squares - a * normal.right[0] - b * normal.right[1] - c * normal.right[2]
    };
    let grid = (1..GRID).map(|at| PI * (at as f64 - 0.5) / GRID as f64);
    let best = grid.min_by(|a, b| fit(*a).total_cmp(&fit(*b)))?;
    Some(best / stride as f64)
}

/// Refines a frequency on the first rows by Gauss–Newton steps, until the angle at the last of them changes by less than
/// `converged`.
fn refine(column: &[f64], window: usize, rough: f64, converged: f64) -> Option<Wave> {
    let step = (window as f64 / ROWS as f64).max(1.0);
    let rows: Vec<(f64, f64)> = (0..window.min(ROWS))
        .map(|at| {
            // The rows are not evenly spaced, so that no other frequency looks the same on them.
            let jitter = (at * 7 % 5) as f64 / 5.0;
            ((at as f64 + jitter) * step) as usize
        })
        .filter_map(|row| Some((row as f64, *column.get(row)?)))
        .filter(|(_, value)| value.is_finite())
        .collect();
    let middle = 0.5 * window as f64;
    let mut frequency = rough;
    let mut best: Option<(f64, f64, [f64; 3], f64)> = None;
    let mut waves = [(0.0, 0.0); ROWS];
    for _ in 0..12 {
        let mut normal = Normal::<3>::ZERO;
        for ((row, value), wave) in rows.iter().zip(&mut waves) {
            *wave = (frequency * (row - middle)).sin_cos();
            let (sin, cos) = *wave;
            normal.add([cos, sin, 1.0], *value);
        }
        let linear @ [a, b, offset] = normal.solve();
        let mut newton = Normal::<4>::ZERO;
        let mut squares = 0.0;
        for ((row, value), (sin, cos)) in rows.iter().zip(waves) {
            let at = row - middle;
            let off = value - (a * cos + b * sin + offset);
            squares += off * off;
            newton.add([cos, sin, 1.0, at * (b * cos - a * sin)], off);
        }
        if best.is_none_or(|(least, ..)| squares < least) {
            // The variance of the frequency, in units of that of the numbers.
            let unit = Normal {
                right: [0.0, 0.0, 0.0, 1.0],
                ..newton
            };
            let [.., variance] = unit.solve();
            best = Some((squares, frequency, linear, variance));
        }
        let [.., change] = newton.solve();
        let most = PI / window as f64;
        let change = change.clamp(-most, most);
        frequency = (frequency + change).clamp(0.0, PI);
        if change.abs() * (window as f64) < converged {
            break;
        }
    }
    let (squares, frequency, [a, b, offset], variance) = best?;
    let residual = (squares / rows.len().max(1) as f64).sqrt();
    Some(Wave {
        frequency,
        error: residual * variance.max(0.0).sqrt(),
        phase: wrap((-b).atan2(a) - frequency * middle),
        amplitude: a.hypot(b),
        offset,
        residual,
        is_determined: false,
    })
}

/// Measures a wave of known amplitude and offset that turns too little for these to be fitted, by the angles of its numbers.
/// Angles are counted from the nearest multiple of π, where a cosine does not show their sign.
pub(crate) fn measure_slow(
    column: &[f64],
    rough: Option<Wave>,
    amplitude: f64,
    offset: f64,
) -> Option<Wave> {
    let mut normal = Normal::<2>::ZERO;
    let middle = 0.5 * column.len() as f64;
    let angle = |value: f64| ((value - offset) / amplitude).clamp(-1.0, 1.0).acos();
    for (row, value) in some_numbers(column) {
        let angle = angle(value);
        let weight = angle.sin();
        normal.add([weight, weight * (row - middle)], weight * angle);
    }
    let information = normal.matrix[1][1];
    let [at_middle, slope] = normal.solve();
    let (phase, frequency) = match slope < 0.0 {
        true => (-at_middle + slope * middle, -slope),
        false => (at_middle - slope * middle, slope),
    };
    let mut wave = Wave {
        frequency,
        error: 0.0,
        phase: wrap(phase),
        amplitude,
        offset,
        residual: 0.0,
        is_determined: false,
    };
    // A wave that passes a turning point is measured better by steps from the one of free amplitude.
    let of = |it: Wave| Wave {
        amplitude,
        offset,
        is_determined: false,
        ..it
    };
    wave = polish(column, wave);
    if wave.residual > 1e-3 * amplitude
        && let Some(other) = rough.map(|it| polish(column, of(it)))
        && other.residual < wave.residual
    {
        wave = other;
    }
    wave.error = (wave.residual / amplitude).max(1e-16) / information.max(1e-300).sqrt();
    wave.error.is_finite().then_some(wave)
}

/// Refines frequency and phase by Gauss–Newton steps for as long as they help.
fn polish(column: &[f64], mut wave: Wave) -> Wave {
    wave.residual = rms(column, &wave);
    for _ in 0..8 {
        let mut newton = Normal::<2>::ZERO;
        for (row, value) in some_numbers(column) {
            let slope = -wave.amplitude * (wave.frequency * row + wave.phase).sin();
            newton.add([slope, slope * row], value - wave.at(row));
        }
        let [phase, frequency] = newton.solve();
        let mut next = Wave {
            phase: wave.phase + phase,
            frequency: wave.frequency + frequency,
            ..wave
        };
        next.residual = rms(column, &next);
        if next.frequency < 0.0 || next.residual.is_nan() || next.residual >= wave.residual {
            break;
        }
        let has_converged = next.residual > 0.999 * wave.residual;
        wave = next;
        if has_converged {
            break;
        }
    }
    wave.phase = wrap(wave.phase);
    wave
}

/// Returns the angle within −π … π that differs from another by whole turns.
pub(crate) fn wrap(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::precision::Precision;

    #[test]
    fn waves_of_all_frequencies_are_measured() {
        for (frequency, phase, amplitude, offset) in [
            (1.0, 0.3, 1.0, 0.0),
            (0.01, -1.2, 0.5, 0.5),
            (3.1, 2.0, 1.0, 0.0),
            (0.003, 0.0, 1.3, 0.0),
        ] {
            let wave = |row: usize| amplitude * (frequency * row as f64 + phase).cos() + offset;
            let column: Vec<f64> = (0..2000).map(|row| f64::from(wave(row) as f32)).collect();
            let found = measure(&column, None).unwrap();
            assert!(found.is_determined, "{frequency}");
            assert!(
                (found.frequency - frequency).abs() < 1e-8,
                "{frequency} {found:?}"
            );
            assert!(
                (found.frequency - frequency).abs() < 20.0 * found.error,
                "{found:?}"
            );
            assert!(wrap(found.phase - phase).abs() < 1e-5, "{found:?}");
            assert!((found.amplitude - amplitude).abs() < 1e-5, "{found:?}");
            assert!((found.offset - offset).abs() < 1e-5, "{found:?}");
        }
    }

    /// Of a wave that turns by less than a turn, the frequency depends on amplitude and offset.
    #[test]
    fn error_bars_hold_for_waves_that_turn_little() {
        for at in 0..40 {
            let frequency = 0.0050 + 0.0002 * f64::from(at);
            let number = |row: usize| Precision::Bf16.round((frequency * row as f64).cos());
            let column: Vec<f64> = (0..512).map(number).collect();
            let found = measure(&column, None).unwrap();
            let far = (found.frequency - frequency).abs();
            assert!(found.is_determined && far < 6.0 * found.error, "{found:?}");
        }
    }

    #[test]
    fn slow_waves_are_measured_where_their_amplitude_is_known() {
        for (frequency, phase) in [(1e-4, 0.0), (2e-3, -0.5 * PI), (1e-3, -0.5 * PI)] {
            let column: Vec<f64> = (0..200)
                .map(|row| f64::from((frequency * f64::from(row) + phase).cos() as f32))
                .collect();
            assert!(!measure(&column, None).unwrap().is_determined);
            let found = measure_slow(&column, None, 1.0, 0.0).unwrap();
            let far = (found.frequency - frequency).abs();
            assert!(
                far < 0.01 * frequency && far <= 8.0 * found.error,
                "{found:?}"
            );
        }
    }
}
