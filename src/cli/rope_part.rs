//! The cosines and sines that RoPE multiplies with, as a table.

use clap::ValueEnum;
use posenc_encoding::{Encoding, Layout, NoTable, PositionTable, TableConfig};
use std::rc::Rc;

/// Half of a cache for RoPE.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(super) enum Part {
    Cos,
    Sin,
}

/// The cosines or sines of the angles of all pairs, in both halves of the columns, as Transformers caches them.
#[derive(Debug)]
struct RopePart {
    part: Part,
    base: f64,
    /// All sines, then all cosines.
    waves: Rc<dyn PositionTable>,
}

/// Returns a part of RoPE's cache; `None` for an odd width, in which not all dimensions have a pair.
pub(super) fn rope_part(
    part: Part,
    config: &TableConfig,
) -> Option<Result<Rc<dyn PositionTable>, NoTable>> {
    let config = TableConfig {
        layout: Layout::Concatenated,
        ..*config
    };
    let table = |waves| -> Rc<dyn PositionTable> {
        let base = config.base;
        Rc::new(RopePart { part, base, waves })
    };
    let is_even = config.d_model.is_multiple_of(2);
    is_even.then(|| Encoding::Sinusoidal.table(&config).map(table))
}

impl PositionTable for RopePart {
    fn d_model(&self) -> usize {
        self.waves.d_model()
    }

    fn value(&self, position: i64, dimension: usize) -> Option<f64> {
        let pairs = self.d_model() / 2;
        let first = match self.part {
            Part::Sin => 0,
            Part::Cos => pairs,
        };
        (dimension < 2 * pairs).then(|| self.waves.value(position, first + dimension % pairs))?
    }

    fn column_name(&self, dimension: usize) -> String {
        let name = match self.part {
            Part::Cos => "cos",
            Part::Sin => "sin",
        };
        format!("{dimension}:{name}{}", dimension % (self.d_model() / 2))
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        vec![("base", self.base.to_string())]
    }
}
