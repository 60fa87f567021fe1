//! How W_Q and W_K transform the pairs of a sinusoidal encoding.
//!
//! The logit of a query at m and a key at n has the term PE(m)·A·PE(n)ᵀ/√d with A = W_Q·W_Kᵀ. For a head that attends to
//! the token k positions back, it must be largest at m = n + k. As PE(n + k) = M_k·PE(n), with vectors as columns and
//! blocks [[cos kω, sin kω], [−sin kω, cos kω]] on (sine, cosine), A = c·M_k with c > 0 achieves this in every pair.

use std::f64::consts::{PI, TAU};

use posenc_encoding::{Layout, Sinusoidal};

/// Number of pairs, from the highest frequency, over which errors are averaged. Pairs that hardly rotate within a sequence
/// contribute little to telling positions apart, and their blocks stay noise.
const FASTEST: usize = 3;

/// The diagonal blocks of A, one for each pair.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAnalysis {
    /// In descending order of frequency.
    pub pairs: Vec<PairRotation>,
    /// Share of the squared norm of the diagonal blocks that rotations explain: 1 if each block is a rotation times c.
    pub rotation_share: f64,
}

/// The rotation times a factor c that is nearest to one diagonal block of A (least squares).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairRotation {
    /// Index of the pair, 0 for the highest frequency.
    pub pair: usize,
    /// ω in radians per position.
    pub frequency: f64,
    /// The angle of the rotation in (−π, π], in radians, in the direction of M_k.
    pub angle: f64,
    /// kω in (−π, π].
    pub expected: f64,
    /// angle − expected in (−π, π].
    pub error: f64,
    /// The factor c, at least 0.
    pub amplitude: f64,
}

impl PairAnalysis {
    /// Analyses W_Q and W_K, `d_model` × `d_model` and row-major, with queries and keys x·W_Q and x·W_K, for an encoding
    /// whose sine and cosine of pair i are in the dimensions 2i and 2i + 1.
    pub fn new([queries, keys]: [&[f64]; 2], d_model: usize, base: f64, k: usize) -> Self {
        let sinusoidal = Sinusoidal::new(d_model, base, Layout::Interleaved);
        let row = |matrix: &'_ [f64], row: usize| matrix[row * d_model..][..d_model].to_vec();
        let (mut of_rotations, mut of_blocks) = (0.0, 0.0);
        let pairs = (0..d_model / 2).map(|pair| {
            let [sine, cosine] = [2 * pair, 2 * pair + 1];
            let a = |m, n| dot(&row(queries, m), &row(keys, n));
            let block = [
                [a(sine, sine), a(sine, cosine)],
                [a(cosine, sine), a(cosine, cosine)],
            ];
            let along = (block[0][0] + block[1][1]) / 2.0;
            let across = (block[0][1] - block[1][0]) / 2.0;
            of_rotations += 2.0 * (along * along + across * across);
            of_blocks += block.as_flattened().iter().map(|a| a * a).sum::<f64>();
            let angle = libm::atan2(across, along);
            let expected = sinusoidal.angle(pair, k as i64);
            PairRotation {
                pair,
                frequency: sinusoidal.frequency(pair),
                angle,
                expected,
                error: within_half_turn(angle - expected),
                amplitude: (along * along + across * across).sqrt(),
            }
        });
        let pairs = pairs.collect();
        Self {
            pairs,
            rotation_share: of_rotations / of_blocks,
        }
    }

    /// Returns the mean of |error| in radians over the three fastest pairs, weighted by the squares of their amplitudes.
    pub fn fast_error(&self) -> f64 {
        let (mut errors, mut weights) = (0.0, 0.0);
        for pair in self.pairs.iter().take(FASTEST) {
            let weight = pair.amplitude * pair.amplitude;
            errors += weight * pair.error.abs();
            weights += weight;
        }
        errors / weights
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Reduces an angle to (−π, π]; its absolute value must be less than 3π.
fn within_half_turn(angle: f64) -> f64 {
    match angle {
        angle if angle > PI => angle - TAU,
        angle if angle <= -PI => angle + TAU,
        angle => angle,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use posenc_encoding::Member;

    #[test]
    fn m_k_is_found_where_it_is() {
        let (d_model, k) = (16, 5);
        let sinusoidal = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
        let mut identity = vec![0.0; d_model * d_model];
        let mut m_k = identity.clone();
        for dimension in 0..d_model {
            identity[dimension * d_model + dimension] = 1.0;
        }
        // W_Q = 2·M_k and W_K = I: the logit of PE(n + k) and PE(n) is then twice the square of its norm.
        for pair in 0..d_model / 2 {
            let (sin, cos) = sinusoidal.sin_cos(pair, k);
            let [s, c] = [Member::Sine, Member::Cosine]
                .map(|member| sinusoidal.dimension(pair, member).unwrap());
            m_k[s * d_model + s] = 2.0 * cos;
            m_k[s * d_model + c] = 2.0 * sin;
            m_k[c * d_model + s] = -2.0 * sin;
            m_k[c * d_model + c] = 2.0 * cos;
        }
        let analysis = PairAnalysis::new([&m_k, &identity], d_model, 10_000.0, k as usize);
        assert!((analysis.rotation_share - 1.0).abs() < 1e-12);
        assert!(analysis.fast_error() < 1e-12);
        for pair in &analysis.pairs {
            assert!(pair.error.abs() < 1e-12 && (pair.amplitude - 2.0).abs() < 1e-12);
            let [before, after] = [3, 3 + k].map(|position| {
                let (sin, cos) = sinusoidal.sin_cos(pair.pair, position);
                [sin, cos]
            });
            let (sin, cos) = pair.angle.sin_cos();
            let turned = [
                cos * before[0] + sin * before[1],
                cos * before[1] - sin * before[0],
            ];
            assert!((turned[0] - after[0]).abs() < 1e-12 && (turned[1] - after[1]).abs() < 1e-12);
        }
        let reflection = PairAnalysis::new([&m_k, &mirrored(d_model)], d_model, 10_000.0, 5);
        assert!(reflection.rotation_share < 1e-12);
    }

    /// Returns the matrix that negates every cosine.
    fn mirrored(d_model: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; d_model * d_model];
        for dimension in 0..d_model {
            matrix[dimension * d_model + dimension] = [1.0, -1.0][dimension % 2];
        }
        matrix
    }
}
