//! Describes a list of measured frequencies by a rule.

use super::wave::wrap;
use crate::decimal;
use crate::description::{Frequencies, FrequencyRule};
use std::f64::consts::{PI, TAU};

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
const TOLERANCE: f64 = 2e-4;
/// A sixth of what frequencies are off by if their exponents were computed in a 16-bit format.
const ROUNDED: f64 = 1e-3;
/// Bases in use.
const COMMON: [f64; 4] = [10_000.0, 500_000.0, 1e6, 100_000.0];
/// Relative error of a frequency whose ratio to another is known.
const SURE: f64 = 4e-3;
/// Error bars within which a frequency belongs to a rule.
const BARS: f64 = 6.0;
/// How much more likely than another a rule has to be for it to be named: half of this in the logarithm.
const LIKELIER: f64 = 20.0;

impl MeasuredFrequency {
    fn turns(&self) -> bool {
        self.frequency > BARS * self.error
    }

    /// Returns the frequency among those that give the same numbers in whole rows that is nearest to another.
    fn unwrapped(&self, near: f64) -> f64 {
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
    error: f64,
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

/// A rule with usual parameters within the error bars of all frequencies.
#[derive(Clone, Copy)]
struct Shape {
    rule: FrequencyRule,
    factor: f64,
    /// The sum of the squared differences, in units of the errors.
    off: f64,
}

/// The share of the unscaled frequency that a rule leaves, before it is limited to 0 … 1.
type Share<'a> = &'a dyn Fn(&MeasuredFrequency) -> f64;

/// Returns what the rules of Llama 3 and of YaRN give with any usual length and factor, the most likely first.
fn shapes(turning: &[&MeasuredFrequency], base: f64, m: f64) -> Vec<Shape> {
    let own = |it: &MeasuredFrequency| base.powf(-(it.pair as f64) / m);
    let mut found = Vec::new();
    for length in (1..=128).map(|it| 1024.0 * f64::from(it)) {
        let pair_of = |turns: f64| m * (length / (TAU * turns)).ln() / base.ln();
        let (fast, slow) = (pair_of(32.0), pair_of(1.0));
        let ramp = |it: &MeasuredFrequency, from: f64, to: f64| (to - it.pair as f64) / (to - from);
        // YaRN's ramp is between whole pairs, unless `truncate` is off.
        let whole = (fast.floor().max(0.0), slow.ceil());
        let shares: [(FrequencyRule, Share<'_>); 3] = [
            (FrequencyRule::Llama3, &|it| {
                (own(it) * length / TAU - 1.0) / 3.0
            }),
            (FrequencyRule::Yarn, &|it| ramp(it, whole.0, whole.1)),
            (FrequencyRule::Yarn, &|it| ramp(it, fast.max(0.0), slow)),
        ];
        for (rule, share) in shares {
            let share = |it: &MeasuredFrequency| share(it).clamp(0.0, 1.0);
            for factor in (2..=64).map(f64::from) {
                let expected = |it: &MeasuredFrequency| {
                    let share = share(it);
                    own(it) * (share + (1.0 - share) / factor)
                };
                if turning.iter().rev().all(|it| it.is(expected(it))) {
                    let off = turning.iter().map(|it| {
                        let expected = expected(it);
                        let error = it.error + TOLERANCE / BARS * expected;
                        ((it.unwrapped(expected) - expected) / error).powi(2)
                    });
                    let off = off.sum();
                    found.push(Shape { rule, factor, off });
                }
            }
        }
    }
    posenc_sort::sorted(&found, |it| it.off)
}

/// Describes frequencies whose fast pairs are those of a base, while the slow ones are slower.
fn scaled(list: &[MeasuredFrequency], m: f64) -> Option<Frequencies> {
    let head = (3..list.len())
        .take_while(|count| from_one(&list[..*count]).is_some())
        .last()?;
    let found = from_one(&list[..head])?;
    let base = found.base(m);
    let found = Progression {
        slope: base.ln() / m,
        ..found
    };
    let is_of_base = |it: &&MeasuredFrequency| it.is(found.at(it.pair));
    let head = list.iter().take_while(is_of_base).count();
    let rest = list.get(head..).filter(|it| !it.is_empty())?;
    let of = |rule, factor| Frequencies {
        rule,
        base: Some(base),
        factor,
        from_pair: Some(rest[0].pair),
        listed: None,
        is_rounded: false,
    };
    if rest.iter().all(|it| !it.turns()) {
        return Some(of(FrequencyRule::Proportional, None));
    }
    let ratio = |it: &MeasuredFrequency| found.at(it.pair) / it.frequency;
    let turning: Vec<&MeasuredFrequency> = list.iter().filter(|it| it.turns()).collect();
    let sure = turning.iter().filter(|it| it.error < SURE * it.frequency);
    let ratios: Vec<f64> = rest
        .iter()
        .filter(|it| it.error < SURE * it.frequency)
        .map(ratio)
        .collect();
    let slowest = *ratios.last()?;
    let same = |it: &&&MeasuredFrequency| {
        (ratio(it) / slowest - 1.0).abs() < 2e-3 + BARS * it.error / it.frequency
    };
    let level = turning.iter().filter(same);
    let surest = level.min_by(|a, b| (a.error / a.frequency).total_cmp(&(b.error / b.frequency)));
    let factor = surest.map_or(slowest, |it| ratio(it));
    let factor = match (factor - factor.round()).abs() < 5e-3 * factor {
        true => factor.round(),
        false => factor,
    };
    let plateau = ratios
        .iter()
        .rev()
        .take_while(|it| (*it / factor - 1.0).abs() < 2.0 * SURE)
        .count();
    if plateau >= 2 && factor > 1.0 {
        // The share s of the unscaled frequency: frequency = base's · (s + (1 − s)/factor).
        let share =
            |it: &MeasuredFrequency| (1.0 / ratio(it) - 1.0 / factor) / (1.0 - 1.0 / factor);
        let between: Vec<(&MeasuredFrequency, f64)> = sure
            .map(|it| (*it, share(it)))
            .filter(|(_, share)| (0.01..0.99).contains(share))
            .collect();
        let is_line = |x: fn(&MeasuredFrequency, &Progression) -> f64| {
            let points = between.iter().map(|(it, share)| (x(it, &found), *share));
            is_line(&points.collect::<Vec<_>>())
        };
        let by_frequency = is_line(|it, found| found.at(it.pair));
        let by_pair = is_line(|it, _| it.pair as f64);
        let rule = match (by_frequency, by_pair) {
            (Some(a), Some(b)) if b < a => FrequencyRule::Yarn,
            (Some(_), _) => FrequencyRule::Llama3,
            (None, Some(_)) => FrequencyRule::Yarn,
            _ => FrequencyRule::Listed,
        };
        if rule != FrequencyRule::Listed {
            return Some(of(rule, Some(factor)));
        }
    }
    let shapes = shapes(&turning, base, m);
    if let [best, others @ ..] = &shapes[..] {
        let as_likely = |it: &&Shape| it.off < best.off + LIKELIER;
        let mut others = others.iter().filter(as_likely);
        if others.all(|it| (it.rule, it.factor) == (best.rule, best.factor)) {
            return Some(of(best.rule, Some(best.factor)));
        }
    }
    let grows = ratios.windows(2).all(|pair| pair[1] > 0.98 * pair[0]);
    let all = list.iter().map(|it| it.frequency).collect();
    Some(Frequencies {
        listed: Some(all),
        ..of(
            match grows && factor > 1.0 && shapes.is_empty() {
                true => FrequencyRule::Longrope,
                false => FrequencyRule::Listed,
            },
            None,
        )
    })
}

/// Fits a base to the first frequencies; `None` if they are not those of a base.
fn from_one(list: &[MeasuredFrequency]) -> Option<Progression> {
    let turning = list.iter().filter(|it| it.turns() && it.frequency < PI);
    let found = Progression::fit(
        &turning.map(|it| (*it, it.frequency)).collect::<Vec<_>>(),
        true,
    );
    list.iter()
        .all(|it| it.is(found.at(it.pair)))
        .then_some(found)
}

/// Returns the largest distance of points from the straight line that fits them best; `None` if it is more than 0.02, or if
/// the line falls where it should rise. A single point is on any line.
fn is_line(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    if points.is_empty() {
        return None;
    }
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|it| it.0), mean(|it| it.1));
    let xx: f64 = points.iter().map(|it| (it.0 - x).powi(2)).sum();
    let xy: f64 = points.iter().map(|it| (it.0 - x) * (it.1 - y)).sum();
    let slope = if xx > 0.0 { xy / xx } else { 0.0 };
    let far = points
        .iter()
        .map(|it| (it.1 - y - slope * (it.0 - x)).abs());
    Some(far.fold(0.0, f64::max)).filter(|far| *far < 0.02)
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
