//! The relative encoding of Transformer-XL (Dai et al. 2019, arXiv 1901.02860, §3.3): a logit is the sum of four terms, two
//! of which depend on the offset through its sinusoidal vector R.

use crate::{
    AttentionHead, EncodingInfo, HeadConfig, Layout, Matrix, Operation, Sinusoidal, Target,
};

/// One head of Transformer-XL (Dai et al. 2019, arXiv 1901.02860, §3.3). Queries and keys have `d_head` dimensions, R has
/// `d_model`.
#[derive(Clone, Debug, PartialEq)]
pub struct TransformerXl {
    weights: Matrix<f64>,
    u: Vec<f64>,
    v: Vec<f64>,
    r: Sinusoidal,
}

/// The four terms whose sum is a logit (Dai et al. 2019, §3.3), each with the scale 1/√d_head.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct XlTerms {
    /// (a) q·k: content-based addressing.
    pub content_content: f64,
    /// (b) q·(W_kR·R): a positional bias that depends on the query's content.
    pub content_position: f64,
    /// (c) u·k: a content bias, the same for all queries.
    pub global_content: f64,
    /// (d) v·(W_kR·R): a positional bias, the same for all queries and keys.
    pub global_position: f64,
}

impl XlTerms {
    /// Returns the terms in the paper's order, (a) to (d).
    pub fn all(self) -> [f64; 4] {
        [
            self.content_content,
            self.content_position,
            self.global_content,
            self.global_position,
        ]
    }

    /// Returns the logit, the sum of the terms.
    pub fn sum(self) -> f64 {
        self.all().iter().sum()
    }
}

/// The relative shift of the authors' code (`_rel_shift`), step by step: it moves row i of a matrix (queries × keys) to the
/// left by queries − 1 − i through padding and reshaping only, so that columns by offset become columns by key.
///
/// In the result, the numbers to the right of a row's offset 0 are padding and numbers of the next row. They belong to
/// keys after the query, which are masked.
#[derive(Clone, Debug, PartialEq)]
pub struct RelativeShift<T> {
    /// queries × (keys + 1): with a column of zeros before the first.
    pub padded: Matrix<T>,
    /// (keys + 1) × queries: the same numbers in the same order, reshaped.
    pub reshaped: Matrix<T>,
    /// keys × queries: without the first row.
    pub sliced: Matrix<T>,
    /// queries × keys: reshaped to the original shape.
    pub shifted: Matrix<T>,
}

impl<T: Copy + Default> RelativeShift<T> {
    /// Computes all steps for a matrix of queries × keys; the padding is `T::default()`.
    pub fn new(matrix: &Matrix<T>) -> Self {
        let (queries, keys) = (matrix.positions, matrix.dimensions);
        let mut padded = Vec::with_capacity(queries * (keys + 1));
        for query in 0..queries {
            padded.push(T::default());
            padded.extend_from_slice(matrix.row(query));
        }
        let shaped = |positions, dimensions, values: &[T]| Matrix {
            positions,
            dimensions,
            values: values.to_vec(),
        };
        Self {
            padded: shaped(queries, keys + 1, &padded),
            reshaped: shaped(keys + 1, queries, &padded),
            sliced: shaped(keys, queries, &padded[queries..]),
            shifted: shaped(queries, keys, &padded[queries..]),
        }
    }
}

impl TransformerXl {
    /// Creates a head from `weights`, the matrix W_kR (d_head × d_model), and the vectors `u` and `v` of length d_head,
    /// which all positions share. R is sinusoidal with base 10000, all sines before all cosines.
    ///
    /// # Panics
    /// Unless `u` and `v` are as long as `weights` has rows.
    pub fn new(weights: Matrix<f64>, u: Vec<f64>, v: Vec<f64>) -> Self {
        assert_eq!((u.len(), v.len()), (weights.positions, weights.positions));
        Self {
            r: Sinusoidal::new(weights.dimensions, 10_000.0, Layout::Concatenated),
            weights,
            u,
            v,
        }
    }

    /// Returns W_kR·R_offset, the key of an offset query minus key; `d_head` numbers.
    pub fn key(&self, offset: i64) -> Vec<f64> {
        let r = self.r.row(offset);
        (0..self.weights.positions)
            .map(|row| dot(self.weights.row(row), &r))
            .collect()
    }

    fn scale(&self) -> f64 {
        (self.weights.positions.max(1) as f64).sqrt().recip()
    }

    /// Returns the terms for a query, a key, and their offset query minus key.
    ///
    /// # Panics
    /// Unless both have `d_head` numbers; so do the other methods that take queries or keys.
    pub fn terms(&self, q: &[f64], k: &[f64], offset: i64) -> XlTerms {
        self.terms_with(q, k, &self.key(offset))
    }

    fn terms_with(&self, q: &[f64], k: &[f64], r: &[f64]) -> XlTerms {
        let scale = self.scale();
        XlTerms {
            content_content: scale * dot(q, k),
            content_position: scale * dot(q, r),
            global_content: scale * dot(&self.u, k),
            global_position: scale * dot(&self.v, r),
        }
    }

    /// Returns all terms of a segment, queries × keys. The keys begin with the memory, whose length is the number of keys
    /// minus that of queries; query i is at position memory + i. Keys after a query are not masked.
    pub fn map(&self, queries: &Matrix<f64>, keys: &Matrix<f64>) -> Matrix<XlTerms> {
        let mut map = Matrix::zeros(queries.positions, keys.positions);
        let offsets = Offsets::of(queries, keys);
        let projected: Vec<Vec<f64>> = offsets.all().map(|offset| self.key(offset)).collect();
        for query in 0..queries.positions {
            for key in 0..keys.positions {
                let r = &projected[offsets.index(query, key)];
                *map.at_mut(query, key) = self.terms_with(queries.row(query), keys.row(key), r);
            }
        }
        map
    }

    /// Returns a logit as the authors' code computes it, by two products instead of four: (q + u)·k + (q + v)·(W_kR·R),
    /// scaled.
    pub fn logit(&self, q: &[f64], k: &[f64], offset: i64) -> f64 {
        let products = dot(&sum(q, &self.u), k) + dot(&sum(q, &self.v), &self.key(offset));
        self.scale() * products
    }

    /// Returns the logits of a segment, queries × keys, each computed like [`logit`](Self::logit).
    pub fn direct(&self, queries: &Matrix<f64>, keys: &Matrix<f64>) -> Matrix<f64> {
        let mut logits = Matrix::zeros(queries.positions, keys.positions);
        let offsets = Offsets::of(queries, keys);
        let projected: Vec<Vec<f64>> = offsets.all().map(|offset| self.key(offset)).collect();
        for query in 0..queries.positions {
            let (with_u, with_v) = (
                sum(queries.row(query), &self.u),
                sum(queries.row(query), &self.v),
            );
            for key in 0..keys.positions {
                let r = &projected[offsets.index(query, key)];
                let logit = dot(&with_u, keys.row(key)) + dot(&with_v, r);
                *logits.at_mut(query, key) = self.scale() * logit;
            }
        }
        logits
    }

    /// Returns the sum of terms (b) and (d) before the shift, queries × keys, scaled: column c is of offset keys − 1 − c.
    pub fn by_offset(&self, queries: &Matrix<f64>, keys: usize) -> Matrix<f64> {
        let projected: Vec<Vec<f64>> = (0..keys)
            .rev()
            .map(|offset| self.key(offset as i64))
            .collect();
        let mut logits = Matrix::zeros(queries.positions, keys);
        for query in 0..queries.positions {
            let with_v = sum(queries.row(query), &self.v);
            for (column, r) in projected.iter().enumerate() {
                *logits.at_mut(query, column) = self.scale() * dot(&with_v, r);
            }
        }
        logits
    }
}

/// Every layer has its W_kR; all layers share u and v, as in the authors' PyTorch code. In simulated heads W_kR has
/// variance 1/width, u and v have variance 1.
pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "transformer-xl",
    source: "Dai et al. 2019",
    operation: Operation::Adds,
    target: Target::Logits,
    every_layer: true,
    bounded: true,
    relative: true,
    signal: None,
    shape: None,
    uses_base: false,
    layouts: EncodingInfo::EQUIVALENT_LAYOUTS,
    parameters: |size| size.layers * size.d_model * size.d_model + 2 * size.d_model,
    head,
};

fn head(size: &HeadConfig, standard_normal: &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead> {
    Box::new(XlHead::new(size, standard_normal))
}

/// Number of offsets in either direction whose keys are computed in advance.
const PRECOMPUTED: usize = 256;

struct XlHead {
    xl: TransformerXl,
    /// Keys of consecutive offsets, from `least` on.
    keys: Vec<Vec<f64>>,
    least: i64,
}

impl XlHead {
    fn new(size: &HeadConfig, standard_normal: &mut dyn FnMut() -> f64) -> Self {
        let width = size.width.max(1);
        let deviation = (width as f64).sqrt().recip();
        let mut numbers = |count: usize, deviation: f64| -> Vec<f64> {
            (0..count).map(|_| deviation * standard_normal()).collect()
        };
        let weights = Matrix {
            positions: width,
            dimensions: width,
            values: numbers(width * width, deviation),
        };
        let xl = TransformerXl::new(weights, numbers(width, 1.0), numbers(width, 1.0));
        let reach = size.max_len.min(PRECOMPUTED) as i64;
        Self {
            keys: (-reach..=reach).map(|offset| xl.key(offset)).collect(),
            least: -reach,
            xl,
        }
    }

    fn with_key<T>(&self, offset: i64, answer: impl Fn(&[f64]) -> T) -> T {
        let index = usize::try_from(offset.saturating_sub(self.least)).ok();
        match index.and_then(|index| self.keys.get(index)) {
            Some(key) => answer(key),
            None => answer(&self.xl.key(offset)),
        }
    }
}

impl AttentionHead for XlHead {
    fn logit(&self, (q, m): (&[f64], i64), (k, n): (&[f64], i64)) -> Option<f64> {
        let logit = |r: &[f64]| self.xl.terms_with(q, k, r).sum();
        Some(self.with_key(m.saturating_sub(n), logit))
    }

    /// Returns term (d), which is the same for all queries and keys.
    fn bias(&self, m: i64, n: i64) -> Option<f64> {
        let term = |r: &[f64]| self.xl.scale() * dot(&self.xl.v, r);
        Some(self.with_key(m.saturating_sub(n), term))
    }
}

/// The offsets query minus key that occur in a segment.
struct Offsets {
    memory: i64,
    queries: usize,
    keys: usize,
}

impl Offsets {
    fn of(queries: &Matrix<f64>, keys: &Matrix<f64>) -> Self {
        Self {
            memory: keys.positions as i64 - queries.positions as i64,
            queries: queries.positions,
            keys: keys.positions,
        }
    }

    fn all(&self) -> impl Iterator<Item = i64> {
        let first = self.memory - self.keys as i64 + 1;
        first..self.memory + self.queries as i64
    }

    fn index(&self, query: usize, key: usize) -> usize {
        query + self.keys - 1 - key
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn matrix(positions: usize, dimensions: usize, seed: f64) -> Matrix<f64> {
        let value = |i: usize| (seed + 2.3 * i as f64 + 0.1 * (i * i) as f64).sin();
        Matrix {
            positions,
            dimensions,
            values: (0..positions * dimensions).map(value).collect(),
        }
    }

    fn head() -> TransformerXl {
        let rows = matrix(2, 6, 0.7);
        TransformerXl::new(
            matrix(6, 8, 0.2),
            rows.row(0).to_vec(),
            rows.row(1).to_vec(),
        )
    }

    #[test]
    fn four_terms_add_up_to_the_direct_computation() {
        let xl = head();
        for (queries, keys) in [(1, 1), (4, 4), (4, 9), (3, 1)] {
            let (q, k) = (matrix(queries, 6, 1.0), matrix(keys, 6, 2.0));
            let (terms, direct) = (xl.map(&q, &k), xl.direct(&q, &k));
            for query in 0..queries {
                for key in 0..keys {
                    let term = terms.at(query, key);
                    assert_close(term.sum(), direct.at(query, key), 1e-13);
                    let offset = (keys + query) as i64 - (queries + key) as i64;
                    assert_eq!(term, xl.terms(q.row(query), k.row(key), offset));
                    let logit = xl.logit(q.row(query), k.row(key), offset);
                    assert_close(logit, direct.at(query, key), 1e-13);
                }
            }
        }
    }

    #[test]
    fn two_terms_see_the_offset_and_two_do_not() {
        let xl = head();
        let (q, k) = (matrix(1, 6, 1.0), matrix(1, 6, 2.0));
        let [near, far] = [1, 5].map(|offset| xl.terms(q.row(0), k.row(0), offset).all());
        assert_eq!((near[0], near[2]), (far[0], far[2]));
        assert!((near[1] - far[1]).abs() > 1e-3 && (near[3] - far[3]).abs() > 1e-3);
    }

    #[test]
    fn the_shift_puts_every_offset_where_its_key_is() {
        let xl = head();
        for (queries, keys) in [(1, 1), (1, 5), (4, 4), (3, 7)] {
            let (q, k) = (matrix(queries, 6, 1.0), matrix(keys, 6, 2.0));
            let shifted = RelativeShift::new(&xl.by_offset(&q, keys)).shifted;
            let terms = xl.map(&q, &k);
            for query in 0..queries {
                // Keys that are not after the query.
                for key in 0..=keys - queries + query {
                    let term = terms.at(query, key);
                    let expected = term.content_position + term.global_position;
                    assert_close(shifted.at(query, key), expected, 1e-13);
                }
            }
        }
    }

    #[test]
    fn the_steps_of_the_shift() {
        let before = Matrix {
            positions: 3,
            dimensions: 3,
            values: vec![12, 11, 10, 22, 21, 20, 32, 31, 30],
        };
        let steps = RelativeShift::new(&before);
        assert_eq!(steps.padded.row(1), [0, 22, 21, 20]);
        assert_eq!((steps.padded.dimensions, steps.reshaped.dimensions), (4, 3));
        assert_eq!(steps.reshaped.values, steps.padded.values);
        assert_eq!(steps.reshaped.row(0), [0, 12, 11]);
        assert_eq!(steps.sliced.row(0), [10, 0, 22]);
        assert_eq!(steps.shifted.row(0), [10, 0, 22]);
        assert_eq!(steps.shifted.row(1), [21, 20, 0]);
        assert_eq!(steps.shifted.row(2), [32, 31, 30]);
        let nothing = RelativeShift::new(&Matrix::<i32>::zeros(0, 3));
        assert!(nothing.shifted.values.is_empty());
    }
}
