//! Describes a list of measured frequencies by a rule.

use super::scaled::scaled;
use super::wave::wrap;
use crate::decimal;
use crate::description::{Frequencies, FrequencyRule};
use std::f64::consts::PI;

/// The frequency of a pair, as measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredFrequency {
    /// The pair, from 0.
    pub pair: usize,
    /// Radians per position; without a sign, and up to whole turns per row.
    pub frequency: f64,
    /// Its standard deviation, in the same unit. A frequency of 0 is one of at most this.
    pub error: f64,
}

/// Share of a frequency that it may be off in addition to its error bar, for instance by rounding of the frequency.
pub(super) const TOLERANCE: f64 = 2e-4;
/// A sixth of what frequencies are off by if their exponents were computed in a 16-bit format.
const ROUNDED: f64 = 1e-3;
/// Bases in use.
const COMMON: [f64; 4] = [10_000.0, 500_000.0, 1e6, 100_000.0];
/// Error bars within which a frequency belongs to a rule.
pub(super) const BARS: f64 = 6.0;

impl MeasuredFrequency {
    pub(super) fn turns(&self) -> bool {
        self.frequency > BARS * self.error
    }

    /// Returns the frequency among those that give the same numbers in whole rows that is nearest to another.
    pub(super) fn unwrapped(&self, near: f64) -> f64 {
        let [plus, minus] = [1.0, -1.0].map(|sign| near - wrap(near - sign * self.frequency));
        match (plus - near).abs() <= (minus - near).abs() {
            true => plus,
            false => minus,
        }
    }

    /// Returns whether the frequency is this one within its error bar, and within rounding of the frequency.
    pub fn is(&self, expected: f64) -> bool {
        let tolerance = BARS * self.error + TOLERANCE * expected.abs().min(1.0);
        tolerance < 0.5 && (self.unwrapped(expected) - expected).abs() <= tolerance
    }
}

/// ln frequency = first − pair · slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Progression {
    pub first: f64,
    pub slope: f64,
    /// The standard deviation of the slope.
    pub(super) error: f64,
}

impl Progression {
    pub fn at(&self, pair: usize) -> f64 {
        (self.first - pair as f64 * self.slope).exp()
    }

    /// Fits the logarithms, weighted by their error bars; with `from_one`, pair 0 has the frequency 1.
    fn fit(list: &[(MeasuredFrequency, f64)], from_one: bool) -> Progression {
        let mut sums = [0.0; 5];
        for (it, frequency) in list {
            let relative = it.error / frequency + 1e-7;
            let weight = 1.0 / (relative * relative);
            let (x, y) = (it.pair as f64, frequency.ln());
            let terms = [1.0, x, x * x, y, x * y];
            for (sum, term) in sums.iter_mut().zip(terms) {
                *sum += weight * term;
            }
        }
        let [n, x, xx, y, xy] = sums;
        if from_one {
            return Progression {
                first: 0.0,
                slope: -xy / xx,
                error: 1.0 / xx.sqrt(),
            };
        }
        let slope = -(n * xy - x * y) / (n * xx - x * x);
        Progression {
            first: (y + slope * x) / n,
            slope,
            error: (n / (n * xx - x * x)).sqrt(),
        }
    }

    /// Returns the base over so many pairs, rounded if a short number is as good.
    pub fn base(&self, pairs: f64) -> f64 {
        base_of(self.slope, pairs, 3.0 * self.error * pairs)
    }
}

/// Fits a geometric progression to all frequencies, beginning with two adjacent ones and going on to those that turn by more
/// than half a turn per row.
pub(crate) fn progression(list: &[MeasuredFrequency]) -> Option<Progression> {
    let known = |it: &&MeasuredFrequency| it.turns() && it.error < 0.02 * it.frequency;
    let seeds = list
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair.iter().all(|it| known(&it)));
    let slowest = |pair: &[MeasuredFrequency]| pair.iter().map(|it| it.frequency).sum::<f64>();
    let (slowest, _) = seeds.min_by(|(_, a), (_, b)| slowest(a).total_cmp(&slowest(b)))?;
    // Where frequencies grow, the first are those that do not turn by more than half a turn per row.
    progression_from(list, slowest).or_else(|| progression_from(list, 0))
}

fn progression_from(list: &[MeasuredFrequency], seed: usize) -> Option<Progression> {
    let mut fitted: Vec<(MeasuredFrequency, f64)> = list[seed..seed + 2]
        .iter()
        .map(|it| (*it, it.frequency))
        .collect();
    let mut found = Progression::fit(&fitted, false);
    for it in list[..seed].iter().rev().chain(&list[seed + 2..]) {
        let near = found.at(it.pair);
        if !near.is_finite() {
            return None;
        }
        if it.turns() && near > it.error {
            // The prediction must tell whole turns apart.
            let frequency = it.unwrapped(near);
            if frequency <= 0.0 || (frequency / near - 1.0).abs() > 0.05 {
                return None;
            }
            fitted.push((*it, frequency));
            found = Progression::fit(&fitted, false);
        }
    }
    list.iter()
        .all(|it| it.is(found.at(it.pair)))
        .then_some(found)
}

/// `error` is the relative error of the base.
fn base_of(slope: f64, pairs: f64, error: f64) -> f64 {
    let base = (slope * pairs).exp();
    if !base.is_finite() {
        return base;
    }
    if slope < 0.0 {
        return 1.0 / base_of(-slope, pairs, error);
    }
    for digits in 1..7 {
        let round = decimal::round(base, digits);
        if (round / base - 1.0).abs() < error.max(3e-5 * f64::from(digits.min(2))) {
            return round;
        }
    }
    base
}

/// Describes frequencies in the order of their pairs, of which there are `pairs`.
pub(crate) fn describe(list: &[MeasuredFrequency], pairs: usize) -> Frequencies {
    let listed = Frequencies {
        rule: FrequencyRule::Listed,
        base: None,
        factor: None,
        from_pair: None,
        listed: None,
        is_rounded: false,
    };
    let m = pairs as f64;
    if let Some(found) = progression(list) {
        let base = found.base(m);
        let is_one = found.first.abs() < 1e-3;
        let doubles = (found.slope + std::f64::consts::LN_2).abs() < 1e-3;
        return Frequencies {
            rule: match (doubles, is_one || found.slope < 0.0) {
                (true, _) => FrequencyRule::PowersOfTwo,
                (_, true) => FrequencyRule::Geometric,
                _ => FrequencyRule::LinearScaled,
            },
            base: (!doubles).then_some(base),
            factor: (!is_one).then(|| (-found.first).exp()),
            ..listed
        };
    }
    if let Some(difference) = linear(list) {
        return Frequencies {
            rule: FrequencyRule::Linear,
            factor: Some(difference),
            ..listed
        };
    }
    let loose: Vec<MeasuredFrequency> = list
        .iter()
        .map(|it| MeasuredFrequency {
            error: it.error.max(ROUNDED * it.frequency),
            ..*it
        })
        .collect();
    if let Some(found) = from_one(&loose) {
        let base = (found.slope * m).exp();
        let close = COMMON.into_iter().find(|it| (base / it - 1.0).abs() < 0.03);
        return Frequencies {
            rule: FrequencyRule::Geometric,
            base: Some(close.unwrap_or(base)),
            is_rounded: true,
            ..listed
        };
    }
    scaled(list, m).unwrap_or_else(|| Frequencies {
        listed: Some(list.iter().map(|it| it.frequency).collect()),
        ..listed
    })
}

/// Returns the difference of adjacent frequencies if it is always the same, up to whole turns.
fn linear(list: &[MeasuredFrequency]) -> Option<f64> {
    let [first, second, rest @ ..] = list else {
        return None;
    };
    if rest.len() < 2 || second.pair != first.pair + 1 {
        return None;
    }
    let signs = [(1.0, 1.0), (1.0, -1.0)];
    let steps = signs.map(|(a, b)| b * second.frequency - a * first.frequency);
    let holds = |step: &f64| {
        let at = |it: &MeasuredFrequency| first.frequency + (it.pair - first.pair) as f64 * step;
        step.abs() > 1e-9 && list.iter().all(|it| it.is(at(it)))
    };
    let step = steps.into_iter().find(holds)?;
    Some(wrap(step).abs())
}

/// Fits a base to the first frequencies; `None` if they are not those of a base.
pub(super) fn from_one(list: &[MeasuredFrequency]) -> Option<Progression> {
    let turning = list.iter().filter(|it| it.turns() && it.frequency < PI);
    let found = Progression::fit(
        &turning.map(|it| (*it, it.frequency)).collect::<Vec<_>>(),
        true,
    );
    list.iter()
        .all(|it| it.is(found.at(it.pair)))
        .then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn list(frequencies: &[f64]) -> Vec<MeasuredFrequency> {
        let of = |(pair, frequency): (usize, &f64)| MeasuredFrequency {
            pair,
            frequency: wrap(*frequency).abs(),
            error: 1e-9,
        };
        frequencies.iter().enumerate().map(of).collect()
    }

    fn geometric(base: f64, m: usize) -> Vec<f64> {
        (0..m).map(|i| base.powf(-(i as f64) / m as f64)).collect()
    }

    /// The rule of Llama 3.1's configuration, with low_freq_factor 1 and high_freq_factor 4.
    fn llama3(base: f64, m: usize, factor: f64, length: f64) -> Vec<f64> {
        let of = |it: f64| {
            let share = ((length * it / TAU - 1.0) / 3.0).clamp(0.0, 1.0);
            it * (share + (1.0 - share) / factor)
        };
        geometric(base, m).into_iter().map(of).collect()
    }

    /// As measured on so many rows of numbers with this error.
    fn measured(frequencies: &[f64], rows: f64, noise: f64) -> Vec<MeasuredFrequency> {
        let mut list = list(frequencies);
        for it in &mut list {
            it.error = match it.frequency * rows > 2.5 {
                true => 5.0 * noise / rows.powf(1.5),
                false => (4.0 * noise / (it.frequency * rows * rows)).min(noise.sqrt() / rows),
            };
        }
        list
    }

    #[test]
    fn scaled_frequencies_of_few_digits_are_not_taken_for_longrope() {
        let scaled = llama3(5e5, 64, 8.0, 8192.0);
        for (rows, noise) in [(8192.0, 2e-3), (2048.0, 2e-3), (2048.0, 2.5e-4)] {
            let found = describe(&measured(&scaled, rows, noise), 64);
            assert_eq!(
                (found.rule, found.base, found.factor),
                (FrequencyRule::Llama3, Some(5e5), Some(8.0)),
                "{rows} {noise}"
            );
        }
        // These tell neither the factor nor the rule.
        let found = describe(&measured(&scaled, 600.0, 2e-3), 64);
        assert_eq!((found.rule, found.factor), (FrequencyRule::Listed, None));
    }

    #[test]
    fn every_rule_is_told() {
        let found = describe(&list(&geometric(25_000.0, 32)), 32);
        assert_eq!(
            (found.rule, found.base, found.factor),
            (FrequencyRule::Geometric, Some(25_000.0), None)
        );
        let quarter: Vec<f64> = geometric(1e4, 32).iter().map(|it| it / 4.0).collect();
        let found = describe(&list(&quarter), 32);
        assert_eq!(
            (found.rule, found.base),
            (FrequencyRule::LinearScaled, Some(1e4))
        );
        assert!((found.factor.unwrap() - 4.0).abs() < 1e-6);
        for (factor, m) in [(8.0, 64), (32.0, 32)] {
            let found = describe(&list(&llama3(5e5, m, factor, 8192.0)), m);
            assert_eq!((found.rule, found.base), (FrequencyRule::Llama3, Some(5e5)));
            assert_eq!(found.factor, Some(factor));
        }
        let ramp = |i: usize| ((i as f64 - 20.0) / 26.0).clamp(0.0, 1.0);
        let of = |(i, it): (usize, f64)| it * (1.0 - ramp(i) + ramp(i) / 16.0);
        let yarn: Vec<f64> = geometric(1e4, 64).into_iter().enumerate().map(of).collect();
        let found = describe(&list(&yarn), 64);
        assert_eq!(
            (found.rule, found.factor, found.from_pair),
            (FrequencyRule::Yarn, Some(16.0), Some(21))
        );
        let of = |(i, it): (usize, f64)| it / (1.0 + (i.saturating_sub(8) as f64).powf(1.2));
        let long: Vec<f64> = geometric(1e4, 48).into_iter().enumerate().map(of).collect();
        let found = describe(&list(&long), 48);
        assert_eq!(
            (found.rule, found.base, found.from_pair),
            (FrequencyRule::Longrope, Some(1e4), Some(9))
        );
        let part: Vec<f64> = geometric(1e6, 64)
            .into_iter()
            .enumerate()
            .map(|(i, it)| if i < 16 { it } else { 0.0 })
            .collect();
        let found = describe(&list(&part), 64);
        assert_eq!(
            (found.rule, found.base, found.from_pair),
            (FrequencyRule::Proportional, Some(1e6), Some(16))
        );
        let twice: Vec<f64> = (0..10).map(|i| 0.01 * 2_f64.powi(i)).collect();
        assert_eq!(describe(&list(&twice), 10).rule, FrequencyRule::PowersOfTwo);
        let linear: Vec<f64> = (0..32).map(|i| 31.25 * f64::from(i)).collect();
        let found = describe(&list(&linear), 32);
        assert_eq!(found.rule, FrequencyRule::Linear);
        assert!((found.factor.unwrap() - wrap(31.25).abs()).abs() < 1e-9);
        let grows: Vec<f64> = (0..16).map(|i| 1e4_f64.powf(f64::from(i) / 16.0)).collect();
        let found = describe(&list(&grows), 16);
        assert_eq!(found.rule, FrequencyRule::Geometric);
        assert!((found.base.unwrap() - 1e-4).abs() < 1e-8);
        let none = describe(&list(&[1.0, 0.3, 0.5, 0.001, 0.7]), 5);
        assert_eq!(
            (none.rule, none.listed.unwrap().len()),
            (FrequencyRule::Listed, 5)
        );
    }
}
