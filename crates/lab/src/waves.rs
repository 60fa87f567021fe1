//! Sines and cosines of positions, which a sinusoidal encoding adds and RoPE uses for its rotations.

use posenc_encoding::{Layout, Sinusoidal};

use crate::Scalar;

/// Table of sine and cosine of position · ω, for positions from 0 and all pairs of `d_model` dimensions.
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

    /// The rows of another code, positions × d_model, to be added like sines and cosines.
    pub fn of_rows(rows: Vec<T>, d_model: usize) -> Self {
        assert!(rows.len().is_multiple_of(d_model), "whole rows");
        Self {
            d_model,
            values: rows,
        }
    }

    /// Returns the rows of `length` positions from `start` on.
    pub fn rows(&self, start: usize, length: usize) -> &[T] {
        &self.values[start * self.d_model..][..length * self.d_model]
    }

    /// Rotates every pair of the vectors, which are at consecutive positions from `start` on, by the angle of their
    /// position, counter-clockwise (Su et al. 2021, arXiv 2104.09864, eq. 34).
    pub fn rotate(&self, vectors: &mut [T], start: usize) {
        self.turn(vectors, start, |sin| sin);
    }

    /// Rotates clockwise: the inverse and transpose of [`rotate`](Self::rotate), as needed for gradients.
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
