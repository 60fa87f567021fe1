//! What an encoding does to the logits: every cell, and their means by offset.

use super::words::KEY;
use super::{BASE, HEAD, HEADS, SEED, WIDTH};
use crate::math::random::Normals;
use crate::text::Text;
use posenc_encoding::{
    AttentionHead, Encoding, HeadConfig, Matrix, OffsetLogit, Operation, Target, logit_map,
    offset_curve,
};

/// What is shown of one encoding, computed part by part.
pub(super) struct Column {
    pub(super) encoding: Encoding,
    pub(super) head: Box<dyn AttentionHead>,
    pub(super) max_len: usize,
    pub(super) len: usize,
    /// How many of the two parts, curve and map, are computed.
    pub(super) parts: usize,
    pub(super) map: Matrix<Option<f64>>,
    pub(super) curve: Vec<OffsetLogit>,
}

impl Column {
    pub(super) fn new(encoding: Encoding, max_len: usize, len: usize) -> Column {
        // Only a learned table ends there; others keep as many rows at hand.
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

    pub(super) fn spread(&self) -> f64 {
        self.curve
            .iter()
            .fold(0.0, |most: f64, at| most.max(at.spread))
    }

    /// The logit of a cell, if it is computed and there is one.
    pub(super) fn logit(&self, row: usize, column: usize) -> Option<f64> {
        if row.max(column) < self.map.positions {
            self.map.at(row, column)
        } else {
            None
        }
    }

    /// What it adds or turns, row by row: cosines of the turns for what is turned.
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

    /// The cosine of a pair's turn at a position: the logit of its first unit vector there and at 0, times √width.
    pub(super) fn cosine(&self, pair: usize, position: i64) -> Option<f64> {
        let mut unit = [0.0; WIDTH];
        unit[2 * pair] = 1.0;
        let logit = self.head.logit((&unit, position), (&unit, 0))?;
        Some(logit * (WIDTH as f64).sqrt())
    }

    /// What the first panel shows, and its axis across.
    pub(super) fn titles(&self) -> (Text, Text) {
        let info = self.encoding.info();
        match (info.operation, info.target) {
            (Operation::Multiplies, _) => (
                Text::new("cos of rotations", "转角余弦"),
                Text::new("pair", "维度对"),
            ),
            (_, Target::Embedding) => (
                Text::new("added to x", "加到词嵌入"),
                Text::new("dimension", "维度"),
            ),
            (_, Target::Logits) if self.encoding == Encoding::TransformerXl => {
                (Text::new("term (d)", "第 (d) 项"), KEY)
            }
            (_, Target::Logits) => (Text::new("added to logit", "加到 logit"), KEY),
            _ => (Text::new("nothing added", "什么也不加"), Text::new("", "")),
        }
    }

    pub(super) fn undefined(&self) -> usize {
        (0..self.len as i64)
            .filter(|&position| !self.head.defined(position))
            .count()
    }
}
