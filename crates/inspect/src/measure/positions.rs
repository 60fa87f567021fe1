//! Positions of rows: decoded from the angles of each row, and described as a sequence.

use super::wave::wrap;
use crate::description::{Axes, PositionRule, Positions};
use posenc_sort::{argsort, nth};
use std::f64::consts::{FRAC_PI_2, PI};

/// What the numbers of a row say of one frequency: its sine, its cosine or both, divided by the amplitude.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub frequency: f64,
    pub sine: Option<f64>,
    pub cosine: Option<f64>,
}

impl Reading {
    /// Returns the angle that is nearest to another one and has this sine or cosine, and how precisely the number tells it.
    fn angle(&self, near: f64) -> (f64, f64) {
        let nearest = |angle: f64| near - wrap(near - angle);
        let [one, other] = match (self.sine, self.cosine) {
            (Some(sine), Some(cosine)) => return (nearest(sine.atan2(cosine)), 1.0),
            (Some(sine), None) => {
                let angle = sine.clamp(-1.0, 1.0).asin();
                [angle, PI - angle]
            }
            (None, Some(cosine)) => {
                let angle = cosine.clamp(-1.0, 1.0).acos();
                [angle, -angle]
            }
            (None, None) => return (near, 0.0),
        }
        .map(nearest);
        let angle = match (one - near).abs() <= (other - near).abs() {
            true => one,
            false => other,
        };
        let slope = match self.sine {
            Some(sine) => (1.0 - sine * sine).max(0.0).sqrt(),
            None => angle.sin().abs(),
        };
        (angle, slope)
    }

    /// Returns the largest difference from the sine and cosine of a position.
    fn residual(&self, position: f64) -> f64 {
        let (sin, cos) = (position * self.frequency).sin_cos();
        let off = |found: Option<f64>, wave: f64| found.map_or(0.0, |it| (it - wave).abs());
        let far = off(self.sine, sin).max(off(self.cosine, cos));
        if far.is_finite() { far } else { f64::INFINITY }
    }
}

/// Returns the position that a row has, from its lowest frequency up to its highest; `noise` is the error of its numbers.
/// The position is within half a turn of the lowest frequency.
pub(crate) fn decode<'a>(readings: impl Iterator<Item = &'a Reading>, noise: f64) -> f64 {
    let (mut position, mut error) = (0.0, f64::INFINITY);
    for reading in readings {
        let lowest = error.is_infinite();
        let frequency = reading.frequency;
        if !lowest && error * frequency > 1.0 {
            continue;
        }
        // A cosine alone has no sign: the position is taken as positive.
        let near = match lowest {
            true if reading.sine.is_none() => FRAC_PI_2,
            true => 0.0,
            false => position * frequency,
        };
        let (angle, slope) = reading.angle(near);
        // Next to a turning point, the number hardly tells the angle.
        let own = match slope > 4.0 * noise.sqrt() {
            true => noise / slope / frequency,
            false => noise.sqrt() / frequency,
        };
        if own < error && (slope > 4.0 * noise.sqrt() || lowest) {
            (position, error) = (angle / frequency, own);
        }
    }
    position
}

/// Returns the median over the readings of a row of their differences from a position.
pub(crate) fn misfit(readings: &[Reading], position: f64) -> f64 {
    let residuals: Vec<f64> = readings.iter().map(|it| it.residual(position)).collect();
    median(&residuals).unwrap_or(f64::INFINITY)
}

/// Returns the median of numbers; `None` if there are none.
pub(crate) fn median(numbers: &[f64]) -> Option<f64> {
    nth(&mut numbers.to_vec(), numbers.len() / 2)
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + 1e-3 * b.abs())
}

/// Describes the positions of rows; NaN for a row that has none.
pub(crate) fn describe(positions: &[f64], tolerance: f64) -> Option<Positions> {
    let known: Vec<(usize, f64)> = positions
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, it)| it.is_finite())
        .collect();
    let &(first, start) = known.first()?;
    let of = |rule, step, row| {
        Some(Positions {
            rule,
            start,
            step,
            row,
        })
    };
    let steps: Vec<f64> = known
        .windows(2)
        .map(|pair| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0) as f64)
        .collect();
    let (Some(&begin), Some(usual)) = (steps.first(), median(&steps)) else {
        return of(PositionRule::Arithmetic, None, None);
    };
    let deviation = |step: f64| {
        let expected = |row: usize| start + step * (row - first) as f64;
        known
            .iter()
            .find(|(row, it)| !near(*it, expected(*row), tolerance))
    };
    // The slope over all rows is more precise than that of two.
    let (last, end) = known[known.len() - 1];
    let whole = (end - start) / (last - first) as f64;
    if deviation(whole).is_none() {
        let round = whole.round();
        let step = match round != 0.0
            && near(
                whole * (last - first) as f64,
                round * (last - first) as f64,
                tolerance,
            ) {
            true => round,
            false => whole,
        };
        return of(PositionRule::Arithmetic, Some(step), None);
    }
    let at = |row: usize| positions[first + row];
    let rows = positions.len() - first;
    let same = |a: f64, b: f64| near(a, b, tolerance) || !a.is_finite() || !b.is_finite();
    let run = (1..rows).take_while(|row| same(at(*row), start)).count() + 1;
    let groups: Vec<f64> = (0..rows).step_by(run).map(at).collect();
    let is_grouped = (0..rows).all(|row| same(at(row), groups[row / run]));
    if run > 1 && is_grouped && groups.len() > 1 {
        let step = groups[1] - groups[0];
        let rises = groups.windows(2).all(|pair| same(pair[1], pair[0] + step));
        if rises {
            return of(PositionRule::Repeated, Some(step), Some(first + 1));
        }
    }
    if run > 1 {
        // Padding before the first position.
        let again = (run..rows).all(|row| same(at(row), at(run) + usual * (row - run) as f64));
        if again {
            return of(PositionRule::Restarts, Some(usual), Some(first + run));
        }
    }
    let step = if near(begin, usual, tolerance) {
        usual
    } else {
        begin
    };
    let row = deviation(step).map(|(row, _)| *row)?;
    let last_before = positions[row - 1];
    let tail = positions[row..].iter();
    if row + 1 < positions.len() && tail.clone().all(|it| same(*it, last_before)) {
        return of(PositionRule::Clamped, Some(step), Some(row));
    }
    let period = row - first;
    let is_periodic = (period..rows).all(|row| same(at(row), at(row - period)));
    if is_periodic || near(positions[row], start, tolerance) {
        return of(PositionRule::Restarts, Some(step), Some(row));
    }
    of(PositionRule::Listed, None, Some(row))
}

/// Describes the positions along each axis as those of a grid; `None` if they are not.
pub(crate) fn axes(each: &[Vec<f64>], tolerance: f64) -> Option<Axes> {
    let rows = each.first()?.len();
    let special_rows = (0..rows)
        .take_while(|row| each.iter().any(|it| !it[*row].is_finite()))
        .count();
    let count = rows - special_rows;
    let same = |a: f64, b: f64| near(a, b, tolerance);
    // Of each axis: the number of rows with the same position in sequence, and of positions until they begin again.
    let mut strides = Vec::new();
    for axis in each {
        let at = |row: usize| axis[special_rows + row];
        let run = (1..count).find(|row| !same(at(*row), at(0)))?;
        let period = (run..count)
            .step_by(run)
            .find(|row| same(at(*row), at(0)))
            .unwrap_or(count);
        let is_grid = (0..count).all(|row| {
            let expected = at(row % period / run * run);
            same(at(row), expected)
        });
        if !is_grid {
            return None;
        }
        strides.push((run, period / run));
    }
    let falling: Vec<f64> = strides.iter().map(|(run, _)| -(*run as f64)).collect();
    let order = argsort(&falling);
    let sizes: Vec<usize> = order.iter().map(|at| strides[*at].1).collect();
    let is_whole = sizes.iter().product::<usize>() == count;
    let first = order.iter().position(|at| *at == 0)?;
    (is_whole && each.len() > 1).then_some(Axes {
        sizes,
        first,
        special_rows,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(positions: &[f64]) -> Positions {
        describe(positions, 1e-3).unwrap()
    }

    #[test]
    fn sequences_are_described() {
        let count = |n: usize| (0..n).map(|it| it as f64);
        let falling: Vec<f64> = count(50).map(|it| 49.0 - it).collect();
        let found = of(&falling);
        assert_eq!(
            (found.rule, found.start, found.step),
            (PositionRule::Arithmetic, 49.0, Some(-1.0))
        );
        let again: Vec<f64> = count(40).chain(count(60)).chain(count(28)).collect();
        let found = of(&again);
        assert_eq!((found.rule, found.row), (PositionRule::Restarts, Some(40)));
        let modulo: Vec<f64> = (0..128).map(|it| f64::from(it % 32)).collect();
        assert_eq!(
            (of(&modulo).rule, of(&modulo).row),
            (PositionRule::Restarts, Some(32))
        );
        let twice: Vec<f64> = (0..100).map(|it| f64::from(it / 2)).collect();
        assert_eq!(
            (of(&twice).rule, of(&twice).step),
            (PositionRule::Repeated, Some(1.0))
        );
        let clamped: Vec<f64> = (0..128).map(|it| f64::from(it.min(63))).collect();
        assert_eq!(
            (of(&clamped).rule, of(&clamped).row),
            (PositionRule::Clamped, Some(64))
        );
        let padded: Vec<f64> = [1.0; 5].into_iter().chain(count(59)).collect();
        assert_eq!(
            (of(&padded).rule, of(&padded).row),
            (PositionRule::Restarts, Some(5))
        );
        let squares: Vec<f64> = count(60).map(|it| it * it / 10.0).collect();
        assert_eq!(of(&squares).rule, PositionRule::Listed);
        let gaps: Vec<f64> = count(100).filter(|it| *it != 30.0).collect();
        assert_eq!(
            (of(&gaps).rule, of(&gaps).row),
            (PositionRule::Listed, Some(30))
        );
        let special: Vec<f64> = [f64::NAN; 2].into_iter().chain(count(40)).collect();
        assert_eq!(
            (of(&special).rule, of(&special).start),
            (PositionRule::Arithmetic, 0.0)
        );
    }

    #[test]
    fn grids_are_described() {
        let [slow, fast]: [Vec<f64>; 2] = [
            (0..160).map(|it| f64::from(it / 20)).collect(),
            (0..160).map(|it| f64::from(it % 20)).collect(),
        ];
        let found = axes(&[fast.clone(), slow.clone()], 1e-3).unwrap();
        assert_eq!(
            (found.sizes, found.first, found.special_rows),
            (vec![8, 20], 1, 0)
        );
        let class = |axis: &[f64]| [&[f64::NAN], axis].concat();
        let found = axes(&[class(&slow), class(&fast)], 1e-3).unwrap();
        assert_eq!(
            (found.sizes, found.first, found.special_rows),
            (vec![8, 20], 0, 1)
        );
    }

    #[test]
    fn positions_are_decoded() {
        let frequencies: Vec<f64> = (0..32)
            .map(|i| 1e4_f64.powf(-f64::from(i) / 32.0))
            .collect();
        for (position, noise) in [
            (0.0, 1e-7),
            (4999.0, 1e-7),
            (-49.0, 1e-7),
            (981.0, 1e-3),
            (0.4, 1e-7),
        ] {
            let of = |sine: bool, cosine: bool| -> Vec<Reading> {
                let reading = |frequency: &f64| Reading {
                    frequency: *frequency,
                    sine: sine.then(|| (position * frequency).sin()),
                    cosine: cosine.then(|| (position * frequency).cos()),
                };
                frequencies.iter().rev().map(reading).collect()
            };
            let found = decode(of(true, true).iter(), noise);
            assert!((found - position).abs() < 1e-6, "{position}: {found}");
            let found = decode(of(false, true).iter(), noise);
            assert!((found - position.abs()).abs() < 1e-6, "{position}: {found}");
        }
    }
}
