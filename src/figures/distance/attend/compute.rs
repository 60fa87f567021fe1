//! The logits q·k of positional encodings alone, split into the contributions of the key's pairs.

use crate::field::choices;
use crate::math::random::Normals;
use posenc_encoding::{Layout, Sinusoidal};

choices! {
    /// The matrix W_QᵀW_K between the two encodings.
    pub(super) enum Weights {
        Identity "identity" "Identity" "单位矩阵";
        /// Wᵀ = M_k, which rotates each pair by k·ω.
        Rotated "turned" "Rotated by kω" "转 kω";
        /// Independent normal numbers of variance 1/d: they keep the length of a vector on average, the other two exactly.
        Random "random" "Random" "随机";
    }
}

/// The contribution (share) of each pair of a key to its logit. With u = Wᵀ · PE(m), q·k is u · PE(n), to which pair i
/// contributes u_sin · sin(n·ω_i) + u_cos · cos(n·ω_i): along the keys a wave of the pair's wavelength, whatever W is.
pub(super) struct Shares {
    pub(super) weights: Weights,
    pe: Sinusoidal,
    /// The sine and the cosine component of u = Wᵀ · PE(m), by pair.
    query: Vec<[f64; 2]>,
    /// The random W, row-major; empty until it is first needed, then kept while another W is shown.
    matrix: Vec<f64>,
}

impl Shares {
    #[cfg(test)]
    pub(super) fn matrix(&self) -> &[f64] {
        &self.matrix
    }

    /// For a query at `pos`, and the offset `k` of a rotated W. `matrix` is the random W of the same width and seed, or
    /// empty if it has not been computed.
    pub(super) fn new(
        weights: Weights,
        d_model: usize,
        (pos, k): (i64, i64),
        seed: u64,
        matrix: Vec<f64>,
    ) -> Shares {
        let pe = Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved);
        // The last sine of an odd width belongs to no pair.
        let pairs = d_model / 2;
        let d = 2 * pairs;
        let row = |position: i64| {
            let pair = |pair| {
                let (sine, cosine) = pe.sin_cos(pair, position);
                [sine, cosine]
            };
            (0..pairs).map(pair).collect::<Vec<_>>()
        };
        let mut matrix = matrix;
        let query = match weights {
            Weights::Identity => row(pos),
            Weights::Rotated => row(pos + k),
            Weights::Random => {
                if matrix.is_empty() {
                    let deviation = 1.0 / (d as f64).sqrt();
                    matrix = Normals::seeded(seed).matrix(d, d, deviation).values;
                }
                let here: Vec<f64> = row(pos).into_iter().flatten().collect();
                let mut u = vec![0.0; d];
                for (line, x) in matrix.chunks_exact(d).zip(here) {
                    for (u, w) in u.iter_mut().zip(line) {
                        *u += w * x;
                    }
                }
                u.as_chunks().0.to_vec()
            }
        };
        Shares {
            weights,
            pe,
            query,
            matrix,
        }
    }

    pub(super) fn pairs(&self) -> usize {
        self.query.len()
    }

    pub(super) fn into_matrix(self) -> Vec<f64> {
        self.matrix
    }

    /// Returns the contribution of a pair to the logit of a key.
    pub(super) fn of(&self, pair: usize, key: usize) -> f64 {
        let (sine, cosine) = self.pe.sin_cos_at(pair, key as f64);
        let [s, c] = self.query[pair];
        s * sine + c * cosine
    }

    /// Returns the logit of a key: the mean contribution of the `pairs` fastest pairs.
    pub(super) fn mean(&self, key: usize, pairs: usize) -> f64 {
        let sum: f64 = (0..pairs).map(|pair| self.of(pair, key)).sum();
        sum / pairs as f64
    }

    /// Returns the largest amplitude of a pair, an upper limit for the magnitude of all contributions.
    pub(super) fn largest_amplitude(&self) -> f64 {
        let lengths = self.query.iter().map(|[s, c]| s.hypot(*c));
        lengths.fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    #[test]
    fn the_identity_gives_the_mean_of_cosines() {
        // NumPy: np.cos((m − n) · 10000**(−2·np.arange(32)/64))[:s].mean()
        let shares = Shares::new(Weights::Identity, 64, (40, 0), 1, Vec::new());
        for (key, pairs, wanted) in [
            (40, 32, 1.0),
            (41, 32, 0.966_150_989_425_594_6),
            (34, 32, 0.736_231_155_301_512_2),
            (60, 32, 0.589_973_255_408_347_1),
            (34, 4, -0.260_796_758_621_525_8),
            (47, 8, -0.023_788_853_526_570_8),
        ] {
            assert_close(shares.mean(key, pairs), wanted, 1e-14);
        }
    }

    #[test]
    fn an_odd_width_has_its_own_frequencies() {
        // NumPy: np.cos((63 − n) · 10000**(−2·np.arange(2)/5)).mean()
        let shares = Shares::new(Weights::Identity, 5, (63, 0), 1, Vec::new());
        assert_close(
            shares.mean(57, shares.pairs()),
            0.974_417_267_983_254_3,
            1e-14,
        );
    }

    #[test]
    fn a_turn_moves_the_same_curve_by_k() {
        let still = Shares::new(Weights::Identity, 32, (20, 0), 1, Vec::new());
        let turned = Shares::new(Weights::Rotated, 32, (20, -7), 1, Vec::new());
        for key in 0..30 {
            for pairs in [1, 5, 16] {
                assert_close(turned.mean(key, pairs), still.mean(key + 7, pairs), 1e-13);
            }
        }
    }

    /// PE(m)ᵀ · W · PE(n) with the whole matrix, from sines and cosines of the standard library.
    #[test]
    fn random_shares_add_up_to_the_bilinear_form() {
        let (pairs, pos) = (5, 11);
        let shares = Shares::new(Weights::Random, 2 * pairs, (pos, 0), 7, Vec::new());
        let d = 2 * pairs;
        let w: Vec<f64> = Normals::seeded(7).take(d * d).collect();
        let row = |position: f64| {
            let numbers = (0..d).map(|j| {
                let angle = position * 10_000f64.powf(-((j / 2 * 2) as f64) / d as f64);
                if j % 2 == 0 { angle.sin() } else { angle.cos() }
            });
            numbers.collect::<Vec<_>>()
        };
        let query = row(pos as f64);
        for key in [0, 3, 11, 29] {
            let there = row(key as f64);
            let mut form = 0.0;
            for r in 0..d {
                for c in 0..d {
                    form += query[r] * w[r * d + c] / (d as f64).sqrt() * there[c];
                }
            }
            assert_close(shares.mean(key, pairs), form / pairs as f64, 1e-13);
        }
    }
}
