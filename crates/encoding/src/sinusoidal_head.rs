//! The sinusoidal encoding (Vaswani et al. 2017, §3.5) beside the others: its row is added to the embedding.

use super::layout::Layout;
use super::relative::{Bench, Facts, HeadSize, Operation, Scheme, Target, added_dot};
use super::sinusoidal::{MAX_LEN, Sinusoidal};
use crate::matrix::Matrix;

pub(super) const FACTS: Facts = Facts {
    name: "sinusoidal",
    source: "Vaswani et al. 2017",
    operation: Operation::Adds,
    target: Target::Embedding,
    every_layer: false,
    bounded: true,
    relative: false,
    bench: Some(Bench::Waves(|size| {
        Sinusoidal::new(size.d_model, size.base, size.layout)
    })),
    parameters: |_| 0,
    build: |size, _| Box::new(SinusoidalHead::new(size)),
};

struct SinusoidalHead {
    pe: Sinusoidal,
    /// Rows that are likely to be asked for.
    table: Matrix<f64>,
}

impl SinusoidalHead {
    fn new(size: &HeadSize) -> Self {
        let pe = Sinusoidal::new(size.width, size.base, Layout::Interleaved);
        Self {
            table: pe.table_f64(size.max_len.min(MAX_LEN)),
            pe,
        }
    }
}

impl Scheme for SinusoidalHead {
    fn logit(&self, q: (&[f64], i64), k: (&[f64], i64)) -> Option<f64> {
        added_dot(self, q, k)
    }

    fn added(&self, position: i64) -> Option<Vec<f64>> {
        let row = usize::try_from(position).ok();
        let row = row.filter(|&row| row < self.table.positions);
        Some(row.map_or_else(|| self.pe.row(position), |row| self.table.row(row).to_vec()))
    }
}
