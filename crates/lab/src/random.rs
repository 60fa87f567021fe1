//! Seeded random numbers that are the same on every platform (PCG-XSH-RR 64/32).

use std::f64::consts::TAU;

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// The purpose of a stream of random numbers. Each has its own stream, so that evaluation data do not depend on the
/// training.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Weights,
    Training,
    Evaluation,
}

/// A stream of random numbers.
pub(crate) struct Random(Pcg32);

impl Random {
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        Self(Pcg32::seed_from_u64(
            seed.wrapping_mul(3).wrapping_add(purpose as u64),
        ))
    }

    /// Returns an integer below `limit`; all are almost equally likely.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u64::from(self.0.next_u32()) * limit as u64) >> 32) as usize
    }

    /// Returns a uniform number in [0, 1).
    fn share(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / 2f64.powi(32)
    }

    /// Returns a normal number, mean 0 and variance 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.share())).sqrt();
        radius * libm::cos(TAU * self.share())
    }

    /// Shuffles the values (Fisher–Yates).
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let mut random = Random::new(1, Purpose::Weights);
        let values: Vec<f64> = (0..100_000).map(|_| random.normal()).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03);
    }

    #[test]
    fn every_purpose_and_seed_has_a_stream_of_its_own() {
        let first = |seed, purpose| Random::new(seed, purpose).normal();
        let numbers = [
            first(0, Purpose::Weights),
            first(0, Purpose::Training),
            first(0, Purpose::Evaluation),
            first(1, Purpose::Weights),
        ];
        for (i, number) in numbers.iter().enumerate() {
            assert!(!numbers[..i].contains(number));
        }
    }
}
