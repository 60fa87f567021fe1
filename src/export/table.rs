//! An encoding's table, and rows of it in the type of a file.

use crate::field::{State, Values};
use posenc_encoding::{Encoding, NoTable, PositionTable, TableConfig};
use std::ops::Range;
use std::rc::Rc;

/// The maximum size of a table or file that is made in a browser's memory, in bytes: 2²⁷ numbers of `f32`. Natively,
/// only the disk limits the size.
pub const LARGEST_FILE: u64 = 512 << 20;

/// The type of the numbers in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dtype {
    #[default]
    Float32,
    Float64,
}

impl Dtype {
    pub const ALL: [Dtype; 2] = [Dtype::Float32, Dtype::Float64];

    /// NumPy's name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::Float32 => "float32",
            Dtype::Float64 => "float64",
        }
    }

    pub fn named(name: &str) -> Option<Dtype> {
        Dtype::ALL.into_iter().find(|dtype| dtype.name() == name)
    }

    /// The size of a number, in bytes.
    pub fn size(self) -> u64 {
        match self {
            Dtype::Float32 => 4,
            Dtype::Float64 => 8,
        }
    }
}

/// Positions 0 to `max_len − 1` of an encoding, computed on demand unless they are stored.
#[derive(Clone, Debug)]
pub struct Table {
    pub encoding: Encoding,
    /// The table that computes or stores the numbers.
    pub cells: Rc<dyn PositionTable>,
    pub max_len: usize,
    pub dtype: Dtype,
}

impl Table {
    /// The table of an encoding.
    pub fn new(encoding: Encoding, config: &TableConfig, dtype: Dtype) -> Result<Table, NoTable> {
        Ok(Table {
            encoding,
            cells: encoding.table(config)?,
            max_len: config.max_len,
            dtype,
        })
    }

    /// The table of a state.
    pub fn of(state: &State, dtype: Dtype) -> Result<Table, NoTable> {
        Table::new(state.encoding(), &state.table_config(), dtype)
    }

    /// The table with the settings of a lesson's figure; `None` if the figure has no `d_model` or no `max_len`, or
    /// there is no such table.
    pub fn of_figure(values: &Values, dtype: Dtype) -> Option<Table> {
        let both = values.has("d_model") && values.has("max_len");
        both.then(|| Table::of(&values.into(), dtype).ok())
            .flatten()
    }

    /// The size of the numbers alone, in bytes.
    pub fn bytes(&self) -> u64 {
        let row = self.cells.d_model() as u64 * self.dtype.size();
        row.saturating_mul(self.max_len as u64)
    }

    /// Rows of the table, in the type of the file.
    pub fn numbers(&self, rows: Range<usize>) -> Numbers {
        let count = rows.len() * self.cells.d_model();
        match self.dtype {
            Dtype::Float32 => {
                let mut out = vec![0.0; count];
                self.cells.rows_f32(rows, &mut out);
                Numbers::Float32(out)
            }
            Dtype::Float64 => {
                let mut out = vec![0.0; count];
                self.cells.rows_f64(rows, &mut out);
                Numbers::Float64(out)
            }
        }
    }
}

/// Some rows, row-major.
pub enum Numbers {
    Float32(Vec<f32>),
    Float64(Vec<f64>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::ViewName;
    use crate::figures::fields;
    use posenc_encoding::SimulatedTable;

    #[test]
    fn a_figure_of_the_lesson_has_the_table_of_its_settings() {
        let table = |name| {
            let fields = fields(name).unwrap_or_default();
            Table::of_figure(&Values::new(fields), Dtype::Float64)
        };
        let ruler = table(ViewName::Ruler).unwrap();
        assert_eq!((ruler.cells.d_model(), ruler.max_len), (512, 50));
        assert!(table(ViewName::Beyond).is_none());
        assert!(table(ViewName::Code).is_none());
    }

    #[test]
    fn only_what_adds_vectors_has_a_table() {
        let table = |settings: &str| {
            let state = crate::field::read_link("", settings).state;
            Table::of(&state, Dtype::Float64).map(|table| table.numbers(3..5).first_and_count())
        };
        let learned = SimulatedTable::new(64, 128).unwrap().value(3, 0).unwrap();
        assert_eq!(table("encoding=learned"), Ok((learned, 256)));
        assert_eq!(table("").map(|(_, count)| count), Ok(256));
        assert_eq!(table("encoding=rope"), Err(NoTable::None));
        assert_eq!(table("encoding=alibi"), Err(NoTable::None));
        let wide = "encoding=learned&max_len=1048576";
        assert_eq!(table(wide), Err(NoTable::TooManySimulated));
    }

    impl Numbers {
        fn first_and_count(&self) -> (f64, usize) {
            match self {
                Numbers::Float32(numbers) => (f64::from(numbers[0]), numbers.len()),
                Numbers::Float64(numbers) => (numbers[0], numbers.len()),
            }
        }
    }
}
