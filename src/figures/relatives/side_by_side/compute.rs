//! The logits with one encoding: of every query and key, and their means by offset.

use super::{BASE, HEAD, HEADS, SEED, WIDTH};
use crate::math::random::Normals;
use posenc_encoding::{
    AttentionHead, Encoding, HeadConfig, Matrix, OffsetLogit, Target, logit_map, offset_curve,
};

/// The results for one encoding, computed in two parts.
pub(super) struct Column {
    pub(super) encoding: Encoding,
    pub(super) head: Box<dyn AttentionHead>,
    pub(super) max_len: usize,
    /// Whether it has no rows beyond max_len.
    pub(super) ends: bool,
    pub(super) len: usize,
    /// The number of parts that are computed: first the curve, then the map.
    pub(super) parts: usize,
    pub(super) map: Matrix<Option<f64>>,
    pub(super) curve: Vec<OffsetLogit>,
}

impl Column {
    pub(super) fn new(encoding: Encoding, max_len: usize, len: usize) -> Column {
        // Only a learned table ends at max_len; others have all rows that the sequence needs.
        let info = encoding.info();
        let ends = info.is_learned() && info.target == Target::Embedding;
        let rows = if ends { max_len } else { max_len.max(len) };
        let size = HeadConfig {
            max_len: rows,
            width: WIDTH,
            heads: HEADS,
            head: HEAD,
            base: BASE,
            causal: false,
        };
        let mut normals = Normals::seeded(SEED + 1);
        let head = encoding.head(&size, &mut || normals.next().unwrap_or_default());
        Column {
            encoding,
            head,
            max_len,
            ends,
            len,
            parts: 0,
            map: Matrix::zeros(0, 0),
            curve: Vec::new(),
        }
    }

    pub(super) fn compute(&mut self, queries: &Matrix<f64>, keys: &Matrix<f64>) {
        let first = |all: &Matrix<f64>| Matrix {
            positions: self.len,
            dimensions: WIDTH,
            values: all.values[..self.len * WIDTH].to_vec(),
        };
        if self.parts == 0 {
            self.curve = offset_curve(&*self.head, queries.row(0), keys.row(0), self.len);
        } else {
            self.map = logit_map(&*self.head, &first(queries), &first(keys));
        }
        self.parts += 1;
    }

    #[cfg(test)]
    pub(super) fn spread(&self) -> f64 {
        self.curve
            .iter()
            .fold(0.0, |most: f64, at| most.max(at.spread))
    }

    /// The logit of a cell; `None` if it is undefined or not computed yet.
    pub(super) fn logit(&self, row: usize, column: usize) -> Option<f64> {
        if row.max(column) < self.map.positions {
            self.map.at(row, column)
        } else {
            None
        }
    }

    /// The values that the encoding adds, with a row per position; for rotations, the cosines of each pair's angle.
    pub(super) fn done(&self) -> Matrix<Option<f64>> {
        let info = self.encoding.info();
        let len = self.len;
        let columns = match info.target {
            Target::Embedding => WIDTH,
            Target::QueriesAndKeys => WIDTH / 2,
            Target::Logits => len,
            Target::None => return Matrix::zeros(0, 0),
        };
        let mut done = Matrix::zeros(len, columns);
        for row in 0..len {
            let added = self.head.added(row as i64);
            for column in 0..columns {
                *done.at_mut(row, column) = match info.target {
                    Target::Embedding => added.as_ref().map(|added| added[column]),
                    Target::QueriesAndKeys => self.cosine(column, row as i64),
                    _ => self.head.bias(row as i64, column as i64),
                };
            }
        }
        done
    }

    /// The cosine of a pair's angle at a position: √width times the logit of the pair's first unit vector there and at 0.
    pub(super) fn cosine(&self, pair: usize, position: i64) -> Option<f64> {
        let mut unit = [0.0; WIDTH];
        unit[2 * pair] = 1.0;
        let logit = self.head.logit((&unit, position), (&unit, 0))?;
        Some(logit * (WIDTH as f64).sqrt())
    }

    pub(super) fn undefined(&self) -> usize {
        (0..self.len as i64)
            .filter(|&position| !self.head.defined(position))
            .count()
    }
}
