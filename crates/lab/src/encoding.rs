//! The encodings that a model can be trained with, and the numbers of theirs that are not learned.

use posenc_encoding::{Encoding as Known, Layout, Sinusoidal, T5_BUCKETS, t5_bucket};

use crate::Scalar;

/// An encoding of positions that a model can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// No encoding: only the causal mask tells positions apart.
    None,
    /// Sines and cosines added to the embedding.
    Sinusoidal,
    /// A learned table added to the embedding.
    Learned,
    /// Rotation of queries and keys.
    Rope,
    /// A bias in proportion to the distance.
    Alibi,
    /// A learned bias for each bucket of offsets.
    T5,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Sinusoidal,
        Self::Learned,
        Self::Rope,
        Self::Alibi,
        Self::T5,
    ];

    /// The same encoding among those of the project.
    const fn known(self) -> Known {
        match self {
            Self::None => Known::None,
            Self::Sinusoidal => Known::Sinusoidal,
            Self::Learned => Known::Learned,
            Self::Rope => Known::Rope,
            Self::Alibi => Known::Alibi,
            Self::T5 => Known::T5,
        }
    }

    /// As links name it.
    pub const fn name(self) -> &'static str {
        self.known().name()
    }

    /// The encoding of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.name() == name)
    }
}

/// Sine and cosine of position · ω for positions from 0 on and all pairs of a width.
pub(crate) struct Waves<T> {
    d_model: usize,
    /// positions × d_model: sine at dimension 2i, cosine at 2i + 1.
    values: Vec<T>,
}

impl<T: Scalar> Waves<T> {
    pub fn new(positions: usize, d_model: usize, base: f64) -> Self {
        let sinusoidal = Sinusoidal::new(d_model, base, Layout::Interleaved);
        let values = (0..positions as i64).flat_map(|position| {
            let sinusoidal = &sinusoidal;
            (0..d_model / 2).flat_map(move |pair| {
                let (sin, cos) = sinusoidal.sin_cos(pair, position);
                [sin, cos].map(T::from_f64)
            })
        });
        Self {
            d_model,
            values: values.collect(),
        }
    }

    /// The rows of `length` positions from `start` on.
    pub fn rows(&self, start: usize, length: usize) -> &[T] {
        &self.values[start * self.d_model..][..length * self.d_model]
    }

    /// Turns every pair of vectors that stand at consecutive positions from `start` on by the angle of its position,
    /// counter-clockwise (Su et al. 2021, arXiv 2104.09864, eq. 34).
    pub fn rotate(&self, vectors: &mut [T], start: usize) {
        self.turn(vectors, start, |sin| sin);
    }

    /// The same, clockwise: the inverse, and the transpose that gradients take.
    pub fn rotate_back(&self, vectors: &mut [T], start: usize) {
        self.turn(vectors, start, |sin| -sin);
    }

    fn turn(&self, vectors: &mut [T], start: usize, direction: impl Fn(T) -> T) {
        let waves = self.rows(start, vectors.len() / self.d_model);
        for (pair, wave) in vectors.chunks_exact_mut(2).zip(waves.chunks_exact(2)) {
            let (sin, cos) = (direction(wave[0]), wave[1]);
            let (x, y) = (pair[0], pair[1]);
            pair[0] = cos * x - sin * y;
            pair[1] = sin * x + cos * y;
        }
    }
}

/// What is added to the logit of a key at each distance behind its query, by the numbers of all buckets.
pub(crate) fn t5_biases<T: Scalar>(buckets: &[T], biases: &mut [T]) {
    for (distance, bias) in biases.iter_mut().enumerate() {
        *bias = buckets[bucket(distance)];
    }
}

/// The gradient of the buckets, given that of each distance.
pub(crate) fn add_t5_gradient<T: Scalar>(buckets: &mut [T], biases: &[T]) {
    for (distance, bias) in biases.iter().enumerate() {
        buckets[bucket(distance)] += *bias;
    }
}

/// A causal model's buckets are all for the past.
fn bucket(distance: usize) -> usize {
    t5_bucket(-(distance as i64), true)
}

/// Learned numbers of T5's bias.
pub(crate) const BUCKETS: usize = T5_BUCKETS;
