//! RoPE for contexts longer than in training: rules that change the frequency of each pair.

use std::f64::consts::{PI, TAU};

use crate::rope::frequencies;
use crate::{Pairing, Rope};

/// How frequencies are changed for contexts longer than the trained length. In the formulas, s is the factor by which the
/// context is extended, d the width of a head, L the trained length and L' the present length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RopeScaling {
    /// They are not changed.
    Unchanged,
    /// Every frequency is divided by s, which is equivalent to position m/s (Chen et al. 2023, arXiv 2306.15595).
    Interpolation,
    /// The base is raised to base·s^(d/(d−2)), so that the first pair keeps its frequency and that of the last is divided
    /// by s (bloc97 2023, as in §3.1 of the YaRN paper).
    NtkAware,
    /// Like [`NtkAware`](Self::NtkAware) with a factor that grows with the context length:
    /// base·(s·L'/L − (s − 1))^(d/(d−2)), unchanged up to L (`_compute_dynamic_ntk_parameters` of Hugging Face's
    /// transformers).
    DynamicNtk,
    /// Frequencies are blended between the trained one and that divided by s, and q and k are multiplied by a factor
    /// of at least 1 (Peng et al. 2023, arXiv 2309.00071).
    Yarn(YarnRamp),
    /// Frequencies are blended likewise, for pairs that make from 1 to 4 turns within L (Llama 3.1, `apply_scaling` of
    /// Meta's code; there s = 8 and L = 8192).
    Llama3,
}

/// How the share of the trained frequency increases in YaRN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum YarnRamp {
    /// Linearly in the number of turns r = L/λ that a pair makes within the trained length, from 1 to 32 (the paper's
    /// equation for γ).
    #[default]
    Turns,
    /// Linearly in the index of the pair, between the pairs that make about 32 turns and 1 (the authors' code,
    /// `find_correction_range`, and transformers).
    Index,
}

/// What a rule does to a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairScaling {
    /// It keeps its frequency.
    Unchanged,
    /// Its frequency is divided by less than s.
    Blended,
    /// Its frequency is divided by s or more.
    Divided,
}

/// A head that was trained on `trained` positions and is to be used on `factor` times as many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RopeContext {
    /// Width of a head, in dimensions.
    pub d_head: usize,
    /// Base of the frequencies.
    pub base: f64,
    /// L, the trained length in positions.
    pub trained: f64,
    /// s, the factor by which the context is extended; at least 1.
    pub factor: f64,
    /// L', the present length in positions; only [`RopeScaling::DynamicNtk`] uses it.
    pub length: f64,
}

/// The frequencies of all pairs before and after scaling.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaledFrequencies {
    /// Trained frequencies in radians per position.
    pub before: Vec<f64>,
    /// Scaled frequencies in radians per position.
    pub after: Vec<f64>,
    /// What the rule does to each pair.
    pub scalings: Vec<PairScaling>,
    /// Factor of both q and k: 0.1·ln s + 1 for YaRN, else 1.
    pub attention_factor: f64,
}

/// Turns within the trained length below which YaRN divides by s, and above which it changes nothing (α and β).
pub const YARN_ALPHA_BETA: (f64, f64) = (1.0, 32.0);
/// The same for Llama 3.1: `low_freq_factor` and `high_freq_factor`.
pub const LLAMA3_FREQ_FACTORS: (f64, f64) = (1.0, 4.0);

impl RopeContext {
    /// Returns the frequencies scaled by a rule. A factor below 1 counts as 1.
    pub fn scaled(&self, rule: RopeScaling) -> ScaledFrequencies {
        let before = frequencies(self.d_head, self.base);
        let s = self.factor.max(1.0);
        let after: Vec<f64> = (0..before.len())
            .map(|pair| {
                let frequency = before[pair];
                let blended = |share: f64| (1.0 - share) * frequency / s + share * frequency;
                match rule {
                    RopeScaling::Unchanged => frequency,
                    RopeScaling::Interpolation => frequency / s,
                    RopeScaling::NtkAware => frequency * self.ntk(s, pair),
                    RopeScaling::DynamicNtk => frequency * self.ntk(self.dynamic_factor(), pair),
                    RopeScaling::Yarn(ramp) => blended(self.yarn_share(ramp, pair, frequency)),
                    RopeScaling::Llama3 => {
                        blended(self.turns_share(LLAMA3_FREQ_FACTORS, frequency))
                    }
                }
            })
            .collect();
        let scalings = before
            .iter()
            .zip(&after)
            .map(|(before, after)| match after / before {
                ratio if ratio >= 1.0 - 1e-12 => PairScaling::Unchanged,
                ratio if ratio <= (1.0 + 1e-12) / s => PairScaling::Divided,
                _ => PairScaling::Blended,
            })
            .collect();
        let attention_factor = match rule {
            RopeScaling::Yarn(_) => 0.1 * s.ln() + 1.0,
            _ => 1.0,
        };
        ScaledFrequencies {
            before,
            after,
            scalings,
            attention_factor,
        }
    }

    /// Returns the base by an NTK-aware rule; `None` for the rules that do not change the base.
    pub fn new_base(&self, rule: RopeScaling) -> Option<f64> {
        let s = match rule {
            RopeScaling::NtkAware => self.factor.max(1.0),
            RopeScaling::DynamicNtk => self.dynamic_factor(),
            _ => return None,
        };
        let d = self.d_head as f64;
        Some(self.base * s.powf(if d > 2.0 { d / (d - 2.0) } else { 0.0 }))
    }

    /// Returns the factor of the dynamic rule at the present length.
    fn dynamic_factor(&self) -> f64 {
        let s = self.factor.max(1.0);
        let length = self.length.max(self.trained);
        s * length / self.trained - (s - 1.0)
    }

    /// Returns the factor of a pair's frequency that results from the NTK-aware base: s^(−2i/(d−2)).
    fn ntk(&self, s: f64, pair: usize) -> f64 {
        let width = (self.d_head as f64 - 2.0).max(1.0);
        s.powf(-2.0 * pair as f64 / width)
    }

    /// Returns γ, the share of the trained frequency, by the turns of a pair within the trained length.
    fn turns_share(&self, (low, high): (f64, f64), frequency: f64) -> f64 {
        let turns = self.trained * frequency / TAU;
        ((turns - low) / (high - low)).clamp(0.0, 1.0)
    }

    fn yarn_share(&self, ramp: YarnRamp, pair: usize, frequency: f64) -> f64 {
        match ramp {
            YarnRamp::Turns => self.turns_share(YARN_ALPHA_BETA, frequency),
            YarnRamp::Index => {
                let (low, high) = self.correction_range();
                // Avoids a division by zero, as in the authors' code.
                let high = if low == high { high + 0.001 } else { high };
                1.0 - ((pair as f64 - low) / (high - low)).clamp(0.0, 1.0)
            }
        }
    }

    /// Returns the pairs at which the ramp of [`YarnRamp::Index`] begins and ends, by `find_correction_range` of the
    /// authors' code, which has the bound d − 1 instead of d/2 − 1.
    pub fn correction_range(&self) -> (f64, f64) {
        let d = self.d_head as f64;
        let pair_of =
            |turns: f64| d * (self.trained / (turns * 2.0 * PI)).ln() / (2.0 * self.base.ln());
        let (slow, fast) = YARN_ALPHA_BETA;
        let (low, high) = (pair_of(fast).floor(), pair_of(slow).ceil());
        (low.max(0.0), high.min(d - 1.0))
    }
}

impl ScaledFrequencies {
    /// Returns how many pairs are untouched, blended and divided.
    pub fn counts(&self) -> [usize; 3] {
        [
            PairScaling::Unchanged,
            PairScaling::Blended,
            PairScaling::Divided,
        ]
        .map(|fate| self.scalings.iter().filter(|&&other| other == fate).count())
    }

    /// Creates a rotation with the scaled frequencies and the attention factor.
    pub fn rope(&self, d_head: usize, pairing: Pairing) -> Rope {
        Rope::with_frequencies(d_head, self.after.clone(), pairing).scaled(self.attention_factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    const RULES: [RopeScaling; 7] = [
        RopeScaling::Unchanged,
        RopeScaling::Interpolation,
        RopeScaling::NtkAware,
        RopeScaling::DynamicNtk,
        RopeScaling::Yarn(YarnRamp::Turns),
        RopeScaling::Yarn(YarnRamp::Index),
        RopeScaling::Llama3,
    ];

    const LLAMA2: RopeContext = RopeContext {
        d_head: 128,
        base: 1e4,
        trained: 4096.0,
        factor: 16.0,
        length: 65_536.0,
    };

    #[test]
    fn yarn_leaves_21_blends_25_and_divides_18() {
        for ramp in [YarnRamp::Turns, YarnRamp::Index] {
            let stretched = LLAMA2.scaled(RopeScaling::Yarn(ramp));
            assert_eq!(stretched.counts(), [21, 25, 18]);
            assert_close(stretched.attention_factor, 1.277_26, 5e-6);
        }
        assert_eq!(LLAMA2.correction_range(), (20.0, 46.0));
    }

    #[test]
    fn the_two_ramps_are_up_to_three_times_apart() {
        let [turns, index] = [YarnRamp::Turns, YarnRamp::Index]
            .map(|ramp| LLAMA2.scaled(RopeScaling::Yarn(ramp)).after);
        let apart = turns.iter().zip(&index).map(|(a, b)| (a / b).max(b / a));
        assert_close(apart.fold(0.0, f64::max), 3.04, 5e-3);
    }

    #[test]
    fn another_base_is_the_ntk_aware_rule() {
        let base = LLAMA2.new_base(RopeScaling::NtkAware).unwrap();
        assert_close(base, 167_198.739, 5e-4);
        let after = LLAMA2.scaled(RopeScaling::NtkAware).after;
        for (after, expected) in after.iter().zip(frequencies(128, base)) {
            assert_close(*after, expected, 1e-13 * expected);
        }
        let stretched = LLAMA2.scaled(RopeScaling::NtkAware);
        assert_eq!(stretched.counts(), [1, 62, 1]);
        assert_eq!(LLAMA2.new_base(RopeScaling::Interpolation), None);
    }

    #[test]
    fn the_dynamic_rule_waits_for_the_trained_length() {
        let short = RopeContext {
            length: 100.0,
            ..LLAMA2
        };
        assert_eq!(short.scaled(RopeScaling::DynamicNtk).counts(), [64, 0, 0]);
        let twice = RopeContext {
            length: 8192.0,
            ..LLAMA2
        };
        // The dynamic factor is 16·2 − 15.
        let expected = RopeContext {
            factor: 17.0,
            ..LLAMA2
        }
        .new_base(RopeScaling::NtkAware);
        assert_eq!(twice.new_base(RopeScaling::DynamicNtk), expected);
    }

    #[test]
    fn a_frequency_never_grows_nor_falls_by_more_than_the_factor() {
        for base in [1e4, 5e5, 1e6] {
            for (trained, factor) in [(1.0, 1.0), (512.0, 2.0), (4096.0, 16.0), (8192.0, 8.0)] {
                for d_head in [1, 2, 3, 8, 128] {
                    let length = trained;
                    let context = RopeContext {
                        d_head,
                        base,
                        trained,
                        factor,
                        length,
                    };
                    for rule in RULES {
                        let stretched = context.scaled(rule);
                        assert_eq!(stretched.after.len(), d_head / 2);
                        for (before, after) in stretched.before.iter().zip(&stretched.after) {
                            let slack = 1.0 + 1e-12;
                            assert!(*after <= before * slack && *after * factor * slack >= *before);
                        }
                        if factor == 1.0 {
                            assert_eq!(stretched.counts(), [d_head / 2, 0, 0]);
                            assert_eq!(stretched.attention_factor, 1.0);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn interpolation_is_a_smaller_position() {
        let stretched = LLAMA2.scaled(RopeScaling::Interpolation);
        let (x, rope) = ([0.5; 128], Rope::new(128, 1e4, Pairing::Halves));
        let far = stretched.rope(128, Pairing::Halves).rotated(&x, 1600);
        for (far, near) in far.iter().zip(rope.rotated(&x, 100)) {
            assert_close(*far, near, 1e-12);
        }
    }

    #[test]
    fn llama_3_leaves_blends_and_divides() {
        let llama = RopeContext {
            d_head: 128,
            base: 5e5,
            trained: 8192.0,
            factor: 8.0,
            length: 131_072.0,
        };
        let stretched = llama.scaled(RopeScaling::Llama3);
        // By the definition: wavelengths below 8192/4, above 8192, and the others.
        let wavelength = |pair: usize| TAU * 5e5_f64.powf(pair as f64 / 64.0);
        let short = (0..64).filter(|&pair| wavelength(pair) < 2048.0).count();
        let long = (0..64).filter(|&pair| wavelength(pair) > 8192.0).count();
        assert_eq!(stretched.counts(), [short, 64 - short - long, long]);
        assert!(short > 0 && long > 0 && short + long < 64);
    }
}
