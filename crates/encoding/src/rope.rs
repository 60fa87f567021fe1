//! Rotary position embedding (Su et al. 2021, arXiv 2104.09864, §3.2 to 3.4): every layer rotates each pair of dimensions
//! of queries and keys, but not of values, by an angle in proportion to the position.

use std::f64::consts::TAU;

use crate::angle::Angle;
use crate::double_double::DoubleDouble;
use crate::head::scaled_dot;
use crate::{
    AttentionHead, EncodingInfo, HeadConfig, Layout, Operation, PositionSignal, Sinusoidal, Target,
};

/// Which two dimensions of a head form a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Pairing {
    /// 2i and 2i + 1, as in the paper, GPT-J and Meta's code for LLaMA.
    #[default]
    Adjacent,
    /// i and i + ⌊d/2⌋, as in GPT-NeoX and Hugging Face's code for LLaMA.
    Halves,
}

impl Pairing {
    /// Returns the two dimensions of a pair in a head of `d_head` dimensions.
    pub fn dimensions(self, d_head: usize, pair: usize) -> [usize; 2] {
        match self {
            Self::Adjacent => [2 * pair, 2 * pair + 1],
            Self::Halves => [pair, pair + d_head / 2],
        }
    }

    /// Returns the permutation that converts weights: row r of W_Q and W_K for [`Halves`](Self::Halves) is row `order[r]`
    /// of those for [`Adjacent`](Self::Adjacent). Logits do not change (Hugging Face's conversion of LLaMA's weights).
    pub fn order(d_head: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..d_head).collect();
        for pair in 0..d_head / 2 {
            let from = Self::Adjacent.dimensions(d_head, pair);
            let to = Self::Halves.dimensions(d_head, pair);
            for (from, to) in from.into_iter().zip(to) {
                order[to] = from;
            }
        }
        order
    }
}

/// Rotary position embedding (Su et al. 2021, arXiv 2104.09864, §3.2), which rotates vectors of `d_head` numbers: q'_m =
/// R_m·q with blocks [[cos mω, −sin mω], [sin mω, cos mω]] and ω_i = base^(−2i/d_head) radians per position. If `d_head`
/// is odd, the last dimension is not rotated.
///
/// Frequencies are rounded to `f64`; their multiples lose no further accuracy for positions up to 2^22 either way.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    d_head: usize,
    pairing: Pairing,
    frequencies: Vec<f64>,
    scale: f64,
}

impl Rope {
    /// Creates a rotation for heads of at least one dimension; the base is clamped as in [`Sinusoidal::new`].
    pub fn new(d_head: usize, base: f64, pairing: Pairing) -> Self {
        Self::with_frequencies(d_head, frequencies(d_head, base), pairing)
    }

    /// Creates a rotation with other frequencies, one per pair in radians per position; pairs without one are not rotated.
    pub fn with_frequencies(d_head: usize, mut frequencies: Vec<f64>, pairing: Pairing) -> Self {
        let d_head = d_head.max(1);
        frequencies.resize(d_head / 2, 0.0);
        Self {
            d_head,
            pairing,
            frequencies,
            scale: 1.0,
        }
    }

    /// Sets a factor that multiplies rotated vectors, and so logits by its square: YaRN's attention factor.
    pub fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// Number of dimensions of a head.
    pub fn d_head(&self) -> usize {
        self.d_head
    }

    /// Which dimensions form a pair.
    pub fn pairing(&self) -> Pairing {
        self.pairing
    }

    /// Number of pairs, ⌊d_head/2⌋.
    pub fn pairs(&self) -> usize {
        self.frequencies.len()
    }

    /// Returns ω in radians per position.
    ///
    /// # Panics
    /// Unless `pair < pairs()`; so do [`wavelength`](Self::wavelength) and [`angle`](Self::angle).
    pub fn frequency(&self, pair: usize) -> f64 {
        self.frequencies[pair]
    }

    /// Returns the wavelength 2π/ω in positions.
    pub fn wavelength(&self, pair: usize) -> f64 {
        TAU / self.frequency(pair)
    }

    /// Returns the two dimensions of a pair.
    pub fn dimensions(&self, pair: usize) -> [usize; 2] {
        self.pairing.dimensions(self.d_head, pair)
    }

    /// Returns the angle position · ω in radians, reduced to (−π, π]; positive from the first dimension of the pair to the
    /// second.
    pub fn angle(&self, pair: usize, position: i64) -> f64 {
        self.angle_at(pair, position).radians()
    }

    /// Returns R_m·x, times the factor of [`scaled`](Self::scaled).
    ///
    /// # Panics
    /// Unless the vector has `d_head` numbers; so do the other methods that take vectors.
    pub fn rotated(&self, vector: &[f64], position: i64) -> Vec<f64> {
        self.rotated_by(vector, |_| position)
    }

    /// Rotates a vector with a position for each pair.
    pub(crate) fn rotated_by(&self, vector: &[f64], position: impl Fn(usize) -> i64) -> Vec<f64> {
        self.turned(vector, |pair| self.angle_at(pair, position(pair)).sin_cos())
    }

    /// Rotates a vector, given sine and cosine of each pair's angle.
    fn turned(&self, vector: &[f64], turn: impl Fn(usize) -> (f64, f64)) -> Vec<f64> {
        assert_eq!(vector.len(), self.d_head);
        let mut turned: Vec<f64> = vector.iter().map(|x| self.scale * x).collect();
        for pair in 0..self.pairs() {
            let (sin, cos) = turn(pair);
            let [a, b] = self.dimensions(pair);
            let (x, y) = (turned[a], turned[b]);
            (turned[a], turned[b]) = (cos * x - sin * y, sin * x + cos * y);
        }
        turned
    }

    /// Returns what each pair contributes to the logit of a query at m and a key at n, (R_m·q)·(R_n·k)/√d_head. The
    /// unpaired last dimension of an odd `d_head` is not included.
    pub fn contributions(&self, (q, m): (&[f64], i64), (k, n): (&[f64], i64)) -> Vec<f64> {
        self.shares(&self.rotated(q, m), &self.rotated(k, n))
    }

    /// Returns the contributions of pairs to the logit of vectors that are already rotated.
    pub(crate) fn shares(&self, q: &[f64], k: &[f64]) -> Vec<f64> {
        let share = |pair| {
            let [a, b] = self.dimensions(pair);
            (q[a] * k[a] + q[b] * k[b]) / (self.d_head as f64).sqrt()
        };
        (0..self.pairs()).map(share).collect()
    }

    /// Returns the logit (R_m·q)·(R_n·k)/√d_head, which depends on positions by m − n only.
    pub fn logit(&self, (q, m): (&[f64], i64), (k, n): (&[f64], i64)) -> f64 {
        scaled_dot(&self.rotated(q, m), &self.rotated(k, n))
    }

    fn angle_at(&self, pair: usize, position: i64) -> Angle {
        let hi = self.frequencies[pair];
        Angle::at(position as f64, DoubleDouble { hi, lo: 0.0 })
    }
}

/// Returns base^(−2i/d_head) for the ⌊d_head/2⌋ pairs of a head.
pub(crate) fn frequencies(d_head: usize, base: f64) -> Vec<f64> {
    let ladder = Sinusoidal::new(d_head, base, Layout::Interleaved);
    let pairs = ladder.d_model() / 2;
    (0..pairs).map(|pair| ladder.frequency(pair)).collect()
}

pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "rope",
    source: "Su et al. 2021",
    operation: Operation::Multiplies,
    target: Target::QueriesAndKeys,
    every_layer: true,
    bounded: true,
    relative: true,
    // Both of the EQUIVALENT_LAYOUTS have the frequencies of the paper.
    signal: Some(PositionSignal::Rotation(|config| {
        Sinusoidal::new(config.d_model, config.base, config.layout)
    })),
    shape: None,
    uses_base: true,
    layouts: EncodingInfo::EQUIVALENT_LAYOUTS,
    parameters: |_| 0,
    head,
};

fn head(size: &HeadConfig, _: &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead> {
    Box::new(RopeHead::new(size))
}

/// Number of positions, from 0, whose sines and cosines are computed in advance.
const PRECOMPUTED: usize = 256;

struct RopeHead {
    rope: Rope,
    /// Sine and cosine of each pair by position, for the first positions.
    turns: Vec<Vec<(f64, f64)>>,
}

impl RopeHead {
    fn new(size: &HeadConfig) -> Self {
        let rope = Rope::new(size.width, size.base, Pairing::Adjacent);
        let turn = |position, pair| rope.angle_at(pair, position).sin_cos();
        let row = |position| (0..rope.pairs()).map(|pair| turn(position, pair)).collect();
        Self {
            turns: (0..size.max_len.min(PRECOMPUTED) as i64).map(row).collect(),
            rope,
        }
    }

    fn turned(&self, vector: &[f64], position: i64) -> Vec<f64> {
        let row = usize::try_from(position).ok();
        match row.and_then(|row| self.turns.get(row)) {
            Some(row) => self.rope.turned(vector, |pair| row[pair]),
            None => self.rope.rotated(vector, position),
        }
    }
}

impl AttentionHead for RopeHead {
    fn logit(&self, (q, m): (&[f64], i64), (k, n): (&[f64], i64)) -> Option<f64> {
        Some(scaled_dot(&self.turned(q, m), &self.turned(k, n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    const PAIRINGS: [Pairing; 2] = [Pairing::Adjacent, Pairing::Halves];

    fn vector(seed: f64, d_head: usize) -> Vec<f64> {
        (0..d_head)
            .map(|i| (seed + 1.7 * i as f64).sin() * 1.5)
            .collect()
    }

    fn norm(vector: &[f64]) -> f64 {
        vector.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    #[test]
    fn the_logit_depends_on_the_offset_alone() {
        for pairing in PAIRINGS {
            for (d_head, base) in [(1, 1e4), (2, 1e4), (7, 1e4), (64, 1e4), (128, 1e6)] {
                let rope = Rope::new(d_head, base, pairing);
                let (q, k) = (vector(0.3, d_head), vector(2.0, d_head));
                for offset in [0, 1, 17, 1000] {
                    let first = rope.logit((&q, offset), (&k, 0));
                    for n in [-9, 3, 4096, 1_000_000] {
                        assert_close(rope.logit((&q, n + offset), (&k, n)), first, 1e-12);
                    }
                }
            }
        }
    }

    #[test]
    fn a_head_turns_as_the_encoding_does_within_its_length_and_beyond() {
        let size = HeadConfig {
            max_len: 4,
            width: 6,
            heads: 1,
            head: 1,
            base: 1e4,
            causal: false,
        };
        let (head, rope) = (RopeHead::new(&size), Rope::new(6, 1e4, Pairing::Adjacent));
        let (q, k) = (vector(0.3, 6), vector(2.0, 6));
        for (m, n) in [(3, 0), (3, 9), (100, -2)] {
            let logit = AttentionHead::logit(&head, (&q, m), (&k, n));
            assert_eq!(logit, Some(rope.logit((&q, m), (&k, n))));
        }
    }

    #[test]
    fn the_logit_changes_with_the_offset() {
        let rope = Rope::new(64, 1e4, Pairing::Adjacent);
        let ones = [1.0; 64];
        // 2·Σcos(rω)/√64, by NumPy.
        for (offset, logit) in [
            (0, 8.0),
            (1, 7.729_207_915_404_757),
            (256, 2.829_467_037_781_272),
        ] {
            assert_close(rope.logit((&ones, offset), (&ones, 0)), logit, 1e-9);
            assert_close(rope.logit((&ones, 5), (&ones, 5 + offset)), logit, 1e-9);
        }
    }

    #[test]
    fn norms_are_kept() {
        for pairing in PAIRINGS {
            for d_head in [1, 2, 5, 64] {
                let rope = Rope::new(d_head, 1e4, pairing);
                let x = vector(0.9, d_head);
                for position in [0, 1, -7, 100_000] {
                    assert_close(norm(&rope.rotated(&x, position)), norm(&x), 1e-13);
                }
                assert_close(
                    norm(&rope.clone().scaled(1.25).rotated(&x, 3)),
                    1.25 * norm(&x),
                    1e-13,
                );
            }
        }
    }

    #[test]
    fn one_pair_turns_counter_clockwise() {
        let turned = Rope::new(2, 1e4, Pairing::Adjacent).rotated(&[1.0, 0.0], 1);
        assert_close(turned[0], 1f64.cos(), 1e-15);
        assert_close(turned[1], 1f64.sin(), 1e-15);
    }

    #[test]
    fn permuted_weights_turn_one_pairing_into_the_other() {
        for d_head in [2, 6, 9, 64] {
            let order = Pairing::order(d_head);
            let permuted = |x: &[f64]| -> Vec<f64> { order.iter().map(|&row| x[row]).collect() };
            let x = vector(0.1, d_head);
            let [adjacent, halves] = PAIRINGS.map(|pairing| Rope::new(d_head, 1e4, pairing));
            assert_eq!(
                permuted(&adjacent.rotated(&x, 12)),
                halves.rotated(&permuted(&x), 12)
            );
            // Without the permutation the results differ.
            if d_head > 3 {
                assert_ne!(adjacent.rotated(&x, 12), halves.rotated(&x, 12));
            }
        }
    }

    #[test]
    fn pairs_add_up_to_the_logit() {
        for pairing in PAIRINGS {
            let rope = Rope::new(32, 1e4, pairing).scaled(1.3);
            let (q, k) = (vector(0.3, 32), vector(2.0, 32));
            let sum: f64 = rope.contributions((&q, 40), (&k, 3)).iter().sum();
            assert_close(sum, rope.logit((&q, 40), (&k, 3)), 1e-13);
        }
    }

    #[test]
    fn missing_frequencies_turn_nothing() {
        let rope = Rope::with_frequencies(4, vec![1.0], Pairing::Halves);
        let turned = rope.rotated(&[0.0, 5.0, 1.0, 6.0], 2);
        assert_eq!((turned[1], turned[3]), (5.0, 6.0));
        assert_close(turned[0], -2f64.sin(), 1e-15);
    }
}
