//! The learned position table of Whisper's decoder (Radford et al. 2022, arXiv 2212.04356), that is, of a trained model
//! instead of a simulated one.

mod components;

pub use components::WhisperComponents;

use std::ops::Range;
use std::rc::Rc;

use crate::{
    AttentionHead, EncodingInfo, HeadConfig, Learned, Matrix, Operation, PositionSignal,
    PositionTable, TableConfig, Target, ValueRange,
};

/// Positions and dimensions.
pub(crate) const SHAPE: [usize; 2] = [WhisperComponents::POSITIONS, WhisperComponents::WIDTH];

pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "whisper",
    source: "Radford et al. 2022",
    operation: Operation::Adds,
    target: Target::Embedding,
    every_layer: false,
    bounded: true,
    relative: false,
    signal: Some(PositionSignal::Table(table)),
    shape: Some(SHAPE),
    uses_base: false,
    layouts: EncodingInfo::EQUIVALENT_LAYOUTS,
    parameters: |_| SHAPE[0] * SHAPE[1],
    // Uses the first rows and columns of the table; a wider head has 0 added to its other dimensions.
    head,
};

fn head(size: &HeadConfig, _: &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead> {
    let rows = rows();
    let positions = size.max_len.min(SHAPE[0]);
    let part = Matrix::from_fn(positions, size.width, |position, dimension| {
        rows.row(position).get(dimension).copied().unwrap_or(0.0)
    });
    Box::new(Learned::new(part))
}

fn table(_: &TableConfig) -> Option<Rc<dyn PositionTable>> {
    Some(Rc::new(WhisperTable { rows: rows() }))
}

// In a split build this belongs to the second file, with the numbers; if inlined, it would be in the first.
#[inline(never)]
fn rows() -> Matrix<f64> {
    WhisperComponents::new().rows()
}

#[derive(Debug)]
struct WhisperTable {
    rows: Matrix<f64>,
}

impl PositionTable for WhisperTable {
    fn d_model(&self) -> usize {
        SHAPE[1]
    }

    fn max_len(&self) -> usize {
        SHAPE[0]
    }

    fn value(&self, position: i64, dimension: usize) -> Option<f64> {
        let position = usize::try_from(position).ok()?;
        let inside = position < SHAPE[0] && dimension < SHAPE[1];
        inside.then(|| self.rows.at(position, dimension))
    }

    fn rows_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        out.copy_from_slice(
            &self.rows.values[positions.start * SHAPE[1]..positions.end * SHAPE[1]],
        );
    }

    /// 99 % of the absolute values are below 0.05, the largest is 0.17.
    fn value_range(&self) -> ValueRange {
        ValueRange {
            colour_limit: 0.05,
            axis_limit: 0.2,
        }
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        let count = WhisperComponents::COUNT;
        let kept = 100.0 * WhisperComponents::KEPT;
        vec![
            (
                "source",
                "decoder.positional_embedding of Whisper tiny.en, Copyright 2022 OpenAI, MIT License".into(),
            ),
            (
                "approximation",
                format!("mean and {count} principal components as 8-bit integers, {kept:.1} % of the variance"),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Encoding, Layout, NoTable};

    fn made(max_len: usize, d_model: usize) -> Result<Rc<dyn PositionTable>, NoTable> {
        Encoding::Whisper.table(&TableConfig {
            max_len,
            d_model,
            base: 1e4,
            layout: Layout::Interleaved,
        })
    }

    #[test]
    fn there_is_one_size() {
        let table = made(448, 384).unwrap();
        assert_eq!((table.max_len(), table.d_model()), (448, 384));
        assert!(table.value(447, 383).is_some());
        for outside in [(448, 0), (-1, 0), (0, 384)] {
            assert_eq!(table.value(outside.0, outside.1), None);
        }
        for (max_len, d_model) in [(447, 384), (448, 8), (1, 1)] {
            let fault = made(max_len, d_model).unwrap_err();
            assert_eq!(fault, NoTable::OtherShape(SHAPE));
        }
    }

    #[test]
    fn rows_in_bulk_are_the_cells() {
        let table = made(448, 384).unwrap();
        let mut rows = vec![0.0; 2 * 384];
        table.rows_f64(446..448, &mut rows);
        let cells = (446..448).flat_map(|p| (0..384).map(move |d| (p, d)));
        for ((p, d), row) in cells.zip(rows) {
            assert_eq!(table.value(p, d), Some(row));
        }
    }
}
