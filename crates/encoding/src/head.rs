//! A head of attention with an encoding, and its logits by position and by offset.

use crate::Matrix;

/// A head to make with [`Encoding::head`](crate::Encoding::head).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadConfig {
    /// Positions that learned tables have a row for.
    pub max_len: usize,
    /// Dimensions of queries and keys, and of what is added to embeddings.
    pub width: usize,
    /// Heads of the layer.
    pub heads: usize,
    /// Which of them this is, from 0: ALiBi's slope is another for each.
    pub head: usize,
    /// Base of the frequencies.
    pub base: f64,
    /// Whether T5 spends all its buckets on the past. Nothing is masked here.
    pub causal: bool,
}

/// One head of attention with an encoding. Vectors are as wide as the head; where something is added to the embedding,
/// projections are the identity, so that it is added to query and key alike.
pub trait AttentionHead {
    /// The attention logit of a query at m and a key at n, with the scale 1/√width (Vaswani et al. 2017, §3.2.1);
    /// `None` where the encoding does not say.
    ///
    /// # Panics
    /// Unless both are as wide as the head.
    fn logit(&self, q: (&[f64], i64), k: (&[f64], i64)) -> Option<f64>;

    /// Whether the encoding knows this position: a learned table ends.
    fn defined(&self, _position: i64) -> bool {
        true
    }

    /// What is added to the embedding at a position, `width` numbers, for encodings that do.
    fn added(&self, _position: i64) -> Option<Vec<f64>> {
        None
    }

    /// What is added to the logit of m and n whatever the query and the key, for encodings that do.
    fn bias(&self, _m: i64, _n: i64) -> Option<f64> {
        None
    }
}

/// What the logits of one query and one key have in common at one offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OffsetLogit {
    /// m − n.
    pub offset: i64,
    /// Mean over the positions.
    pub mean: f64,
    /// Standard deviation over the positions: 0 for an encoding that sees the offset alone.
    pub spread: f64,
}

/// The logit of one query and one key against their offset, over all pairs of positions 0 … len − 1, from the offset
/// 1 − len on. Offsets of which no pair has a logit are left out.
///
/// # Panics
/// Unless both are as wide as the head.
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

/// Logits of queries and keys, row i of either at position i: queries × keys.
///
/// # Panics
/// Unless both are as wide as the head.
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
