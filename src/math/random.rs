//! Random numbers that are the same on all platforms: the seed determines them.

use posenc_encoding::Matrix;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::sync::LazyLock;

/// A stream of normally distributed numbers, mean 0 and variance 1 (PCG-XSH-RR 64/32).
pub struct Normals(Pcg32);

/// The start of the tail, and the width of the bottom layer: a rectangle of height `density(TAIL)`
/// and width `WIDEST` has the area of the tail plus the rectangle below it.
const TAIL: f64 = 3.654_152_885_361_009;
const WIDEST: f64 = 3.910_757_959_537_09;

/// The right edges of 256 stacked layers of equal area that cover the density (Doornik 2005), from
/// the bottom up. They equal the tables of `rand_distr` and are computed because, as data, they
/// would be 4 KB that do not compress.
static ENDS: LazyLock<[f64; 257]> = LazyLock::new(|| {
    let mut ends = [0.0; 257];
    ends[..2].copy_from_slice(&[WIDEST, TAIL]);
    let area = WIDEST * density(TAIL);
    for i in 2..256 {
        let last = ends[i - 1];
        ends[i] = (-2.0 * (area / last + density(last)).ln()).sqrt();
    }
    ends
});

/// The density of the standard normal distribution without its constant factor.
fn density(x: f64) -> f64 {
    (-x * x / 2.0).exp()
}

impl Normals {
    pub fn seeded(seed: u64) -> Normals {
        Normals(Pcg32::seed_from_u64(seed))
    }

    /// A matrix of normally distributed numbers with this standard deviation.
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

    /// A uniform random number in [0, 1) made of `bits` random bits.
    fn share(&mut self, bits: i32) -> f64 {
        (self.0.next_u64() >> (64 - bits)) as f64 * 0.5f64.powi(bits)
    }

    /// A number beyond [`TAIL`] (Marsaglia 1964).
    fn tail(&mut self) -> f64 {
        loop {
            // Midpoints of 2⁵² intervals, which are never 0.
            let mut log = || (self.share(52) + f64::EPSILON / 2.0).ln();
            let (x, y) = (-log() / TAIL, -log());
            if 2.0 * y >= x * x {
                return TAIL + x;
            }
        }
    }
}

impl Iterator for Normals {
    type Item = f64;

    /// The ziggurat method; the numbers equal those of `rand_distr`'s `StandardNormal`.
    fn next(&mut self) -> Option<f64> {
        loop {
            let bits = self.0.next_u64();
            let layer = (bits & 0xff) as usize;
            // Uniform in [−1, 1).
            let share = (bits >> 12) as f64 * 0.5f64.powi(51) - 1.0;
            let (end, above) = (ENDS[layer], ENDS[layer + 1]);
            let x = share * end;
            if x.abs() < above {
                return Some(x);
            }
            if layer == 0 {
                return Some(self.tail().copysign(share));
            }
            let (low, high) = (density(end), density(above));
            if high + (low - high) * self.share(53) < density(x) {
                return Some(x);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_distr::{Distribution, StandardNormal};

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

    #[test]
    fn they_are_those_of_the_crate() {
        let mut stream = Pcg32::seed_from_u64(5);
        let mut tails = 0;
        for value in Normals::seeded(5).take(1_000_000) {
            let expected: f64 = StandardNormal.sample(&mut stream);
            assert!((value - expected).abs() < 1e-12, "{value} {expected}");
            tails += usize::from(value.abs() > TAIL);
        }
        assert!(tails > 100);
    }
}
