//! An attention head with a positional encoding, and its logits by position and by offset.

use crate::Matrix;

/// The configuration of an attention head, see [`Encoding::head`](crate::Encoding::head).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadConfig {
    /// Number of rows of learned tables.
    pub max_len: usize,
    /// Dimensions of queries and keys, and of the vectors added to embeddings.
    pub width: usize,
    /// Number of heads of the layer.
    pub heads: usize,
    /// Index of this head, from 0; it selects ALiBi's slope.
    pub head: usize,
    /// Base of the frequencies.
    pub base: f64,
    /// Whether T5 uses all its buckets for keys before the query. Logits are not masked in either case.
    pub causal: bool,
}

/// An attention head with a positional encoding. Queries and keys have the width of the head. Encodings that add vectors to
/// embeddings add them to query and key here: the projections W_Q and W_K are the identity.
pub trait AttentionHead {
    /// Returns the attention logit of a query at position m and a key at n, with the scale 1/√width (Vaswani et al. 2017,
    /// §3.2.1); `None` where it is undefined, as beyond a learned table or, with ALiBi, for keys after the query.
    ///
    /// # Panics
    /// If the lengths differ, or differ from the width of the head where the encoding uses vectors or matrices.
    fn logit(&self, q: (&[f64], i64), k: (&[f64], i64)) -> Option<f64>;

    /// Returns whether the encoding covers this position; a learned table has a last row.
    fn defined(&self, _position: i64) -> bool {
        true
    }

    /// Returns the vector added to the embedding at a position, `width` numbers; `None` if there is none.
    fn added(&self, _position: i64) -> Option<Vec<f64>> {
        None
    }

    /// Returns the bias added to the logit of m and n, which is independent of query and key; `None` if there is none.
    fn bias(&self, _m: i64, _n: i64) -> Option<f64> {
        None
    }
}

/// Mean and spread of the logits of one query and one key at one offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffsetLogit {
    /// m − n, query minus key.
    pub offset: i64,
    /// Mean over the positions.
    pub mean: f64,
    /// Standard deviation over the positions: 0 if the logit depends on the offset only, up to rounding.
    pub spread: f64,
}

/// Returns the logit of one query and one key by offset, over all positions m and n in 0 … len − 1, from offset 1 − len
/// to len − 1. Offsets without any defined logit are omitted.
///
/// # Panics
/// Like [`AttentionHead::logit`].
pub fn offset_curve(
    head: &dyn AttentionHead,
    q: &[f64],
    k: &[f64],
    len: usize,
) -> Vec<OffsetLogit> {
    let last = len as i64 - 1;
    (-last..=last)
        .filter_map(|offset| {
            let positions = offset.max(0)..=last + offset.min(0);
            let logits: Vec<f64> = positions
                .filter_map(|m| head.logit((q, m), (k, m - offset)))
                .collect();
            let count = logits.len() as f64;
            let mean = logits.iter().sum::<f64>() / count;
            let squares = logits.iter().map(|logit| (logit - mean).powi(2));
            let spread = (squares.sum::<f64>() / count).sqrt();
            (!logits.is_empty()).then_some(OffsetLogit {
                offset,
                mean,
                spread,
            })
        })
        .collect()
}

/// Returns the logits of all queries and keys, queries × keys; row i of either is at position i.
///
/// # Panics
/// Like [`AttentionHead::logit`].
pub fn logit_map(
    head: &dyn AttentionHead,
    queries: &Matrix<f64>,
    keys: &Matrix<f64>,
) -> Matrix<Option<f64>> {
    let mut map = Matrix::zeros(queries.positions, keys.positions);
    for m in 0..queries.positions {
        for n in 0..keys.positions {
            let (q, k) = ((queries.row(m), m as i64), (keys.row(n), n as i64));
            *map.at_mut(m, n) = head.logit(q, k);
        }
    }
    map
}

/// q·k/√width.
pub(crate) fn scaled_dot(q: &[f64], k: &[f64]) -> f64 {
    assert_eq!(q.len(), k.len());
    let dot: f64 = q.iter().zip(k).map(|(q, k)| q * k).sum();
    dot / (q.len().max(1) as f64).sqrt()
}

/// (q + p_m)·(k + p_n)/√width.
pub(crate) fn added_dot(
    head: &dyn AttentionHead,
    (q, m): (&[f64], i64),
    (k, n): (&[f64], i64),
) -> Option<f64> {
    let plus = |x: &[f64], position| -> Option<Vec<f64>> {
        let p = head.added(position)?;
        assert_eq!(x.len(), p.len());
        Some(x.iter().zip(p).map(|(x, p)| x + p).collect())
    };
    Some(scaled_dot(&plus(q, m)?, &plus(k, n)?))
}
