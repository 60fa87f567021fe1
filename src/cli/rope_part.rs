//! The cosines and sines that RoPE multiplies with, as a table.

use clap::ValueEnum;
use posenc_encoding::{Encoding, Layout, NoTable, PositionTable, TableConfig};
use std::ops::Range;
use std::rc::Rc;

/// Half of a cache for RoPE.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(super) enum Part {
    Cos,
    Sin,
}

/// The cosines or sines of the angles of all pairs, each in both columns of its pair.
#[derive(Debug)]
struct RopePart {
    part: Part,
    base: f64,
    layout: Layout,
    /// All sines, then all cosines.
    waves: Rc<dyn PositionTable>,
}

impl RopePart {
    /// Returns the column of `waves` with the numbers of a dimension.
    fn column(&self, dimension: usize) -> usize {
        let pairs = self.d_model() / 2;
        match self.part {
            Part::Sin => self.pair(dimension),
            Part::Cos => pairs + self.pair(dimension),
        }
    }

    fn pair(&self, dimension: usize) -> usize {
        match self.layout {
            Layout::Interleaved => dimension / 2,
            _ => dimension % (self.d_model() / 2),
        }
    }

    /// Replaces rows of `waves` by those of this part.
    fn rearrange<T: Copy>(&self, rows: &mut [T]) {
        let width = self.d_model();
        for row in rows.chunks_exact_mut(width) {
            let waves = row.to_vec();
            for (dimension, number) in row.iter_mut().enumerate() {
                *number = waves[self.column(dimension)];
            }
        }
    }
}

/// Returns a part of RoPE's cache; `None` for an odd width, in which not all dimensions have a pair.
pub(super) fn rope_part(
    part: Part,
    config: &TableConfig,
) -> Option<Result<Rc<dyn PositionTable>, NoTable>> {
    let TableConfig { base, layout, .. } = *config;
    let table = |waves| -> Rc<dyn PositionTable> {
        Rc::new(RopePart {
            part,
            base,
            layout,
            waves,
        })
    };
    let halves = TableConfig {
        layout: Layout::Concatenated,
        ..*config
    };
    let is_even = config.d_model.is_multiple_of(2);
    is_even.then(|| Encoding::Sinusoidal.table(&halves).map(table))
}

impl PositionTable for RopePart {
    fn d_model(&self) -> usize {
        self.waves.d_model()
    }

    fn value(&self, position: i64, dimension: usize) -> Option<f64> {
        (dimension < self.d_model()).then(|| self.waves.value(position, self.column(dimension)))?
    }

    fn rows_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        self.waves.rows_f64(positions, out);
        self.rearrange(out);
    }

    fn rows_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        self.waves.rows_f32(positions, out);
        self.rearrange(out);
    }

    fn column_name(&self, dimension: usize) -> String {
        let name = match self.part {
            Part::Cos => "cos",
            Part::Sin => "sin",
        };
        format!("{dimension}:{name}{}", self.pair(dimension))
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        vec![
            ("base", self.base.to_string()),
            ("layout", self.layout.name().to_string()),
        ]
    }
}
