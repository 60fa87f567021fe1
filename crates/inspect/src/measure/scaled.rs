//! Frequencies whose slow pairs are slower than those of the base: stopped, or scaled for longer contexts as in Llama 3, YaRN
//! and LongRoPE.

use super::rules::{BARS, MeasuredFrequency, Progression, TOLERANCE, from_one};
use crate::description::{Frequencies, FrequencyRule};
use std::f64::consts::TAU;

/// Relative error of a frequency whose ratio to another is known.
const SURE: f64 = 4e-3;
/// How much more likely than another a rule has to be for it to be named: half of this in the logarithm.
const LIKELIER: f64 = 20.0;

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
pub(super) fn scaled(list: &[MeasuredFrequency], m: f64) -> Option<Frequencies> {
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
