//! Random numbers that are the same everywhere: whoever states the seed has stated the numbers.

use crate::matrix::Matrix;
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

/// A stream of normal numbers, mean 0 and variance 1 (PCG-XSH-RR 64/32).
pub struct Normals(Pcg32);

impl Normals {
    pub fn seeded(seed: u64) -> Normals {
        Normals(Pcg32::seed_from_u64(seed))
    }

    /// A table of normal numbers with this standard deviation.
    pub fn matrix(&mut self, rows: usize, columns: usize, deviation: f64) -> Matrix<f64> {
        Matrix {
            positions: rows,
            dimensions: columns,
            values: self
                .take(rows * columns)
                .map(|value| deviation * value)
                .collect(),
        }
    }
}

impl Iterator for Normals {
    type Item = f64;

    fn next(&mut self) -> Option<f64> {
        Some(StandardNormal.sample(&mut self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_says_it_all() {
        let take = |seed| Normals::seeded(seed).take(4).collect::<Vec<_>>();
        assert_eq!(take(7), take(7));
        assert_ne!(take(7), take(8));
    }

    #[test]
    fn normal_numbers_have_mean_0_and_variance_1() {
        let values: Vec<f64> = Normals::seeded(1).take(100_000).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.03);
    }
}
