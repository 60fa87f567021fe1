//! An encoding's table as a file, made in slices of whole rows so that the table is never held in memory as a whole.

use super::{csv, npy};
use crate::field::{State, Values};
use crate::figure::ComputedTable;
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

/// The file format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values: comments that begin with `#`, a row of column names, a row per position.
    Csv,
    /// NumPy's format, version 1.0: little-endian, row-major.
    Npy,
}

impl Format {
    pub const ALL: [Format; 2] = [Format::Csv, Format::Npy];

    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The file name extension.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Npy => "npy",
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

/// The whole file of a table that a figure has computed. A table that may be larger than memory is
/// written by [`TableFile`].
pub fn file_of_made(
    ComputedTable { table, parameters }: &ComputedTable,
    format: Format,
    dtype: Dtype,
) -> Vec<u8> {
    let numbers = match dtype {
        Dtype::Float32 => Numbers::Float32(table.values.iter().map(|&v| v as f32).collect()),
        Dtype::Float64 => Numbers::Float64(table.values.clone()),
    };
    let (rows, columns) = (table.positions, table.dimensions);
    match format {
        Format::Csv => {
            let mut out = csv::header_of_made(parameters, columns, dtype);
            csv::write_rows(&numbers, 0, columns, &mut out);
            out
        }
        Format::Npy => {
            let mut out = npy::header_of_shape((rows, columns), dtype);
            npy::write_rows(&numbers, &mut out);
            out
        }
    }
}

/// Some rows, row-major.
pub enum Numbers {
    Float32(Vec<f32>),
    Float64(Vec<f64>),
}

/// A table that is being written to a file.
pub struct TableFile {
    table: Table,
    format: Format,
    begun: bool,
    /// The first position that has not been written.
    next: usize,
}

impl TableFile {
    pub fn new(table: Table, format: Format) -> TableFile {
        TableFile {
            table,
            format,
            begun: false,
            next: 0,
        }
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The size of the file, in bytes: exact for NPY, an upper bound for CSV.
    pub fn bytes(&self) -> u64 {
        match self.format {
            Format::Csv => csv::most_bytes(&self.table),
            Format::Npy => npy::header(&self.table).len() as u64 + self.table.bytes(),
        }
    }

    /// The number of rows that take about this many bytes; at least one.
    pub fn rows_in(&self, bytes: u64) -> usize {
        let row = (self.bytes() / self.table.max_len.max(1) as u64).max(1);
        (bytes / row).max(1) as usize
    }

    /// The next part of the file, with as many rows as requested, at least one; the first part begins with the header.
    /// `None` after the last part.
    pub fn next(&mut self, rows: usize) -> Option<Vec<u8>> {
        if self.begun && self.next == self.table.max_len {
            return None;
        }
        let end = self
            .next
            .saturating_add(rows.max(1))
            .min(self.table.max_len);
        let mut out = Vec::new();
        if !self.begun {
            match self.format {
                Format::Csv => csv::write_header(&self.table, &mut out),
                Format::Npy => out = npy::header(&self.table),
            }
            self.begun = true;
        }
        let numbers = self.table.numbers(self.next..end);
        match self.format {
            Format::Csv => {
                csv::write_rows(&numbers, self.next, self.table.cells.d_model(), &mut out);
            }
            Format::Npy => npy::write_rows(&numbers, &mut out),
        }
        self.next = end;
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::ViewName;
    use crate::figures::fields;
    use posenc_encoding::Matrix;
    use posenc_encoding::{Layout, SimulatedTable};

    fn whole(table: &Table, format: Format, rows: usize) -> Vec<u8> {
        let mut file = TableFile::new(table.clone(), format);
        std::iter::from_fn(|| file.next(rows)).flatten().collect()
    }

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

    #[test]
    fn a_table_that_a_figure_has_made_reads_back() {
        let made = ComputedTable {
            table: Matrix {
                positions: 2,
                dimensions: 3,
                values: vec![0.1, -2.0, 1e-9, 0.5, 0.0, 7.25],
            },
            parameters: vec![("encoding", "learned".into()), ("steps", "7".into())],
        };
        let csv = file_of_made(&made, Format::Csv, Dtype::Float64);
        let expected = "# encoding=learned\n# steps=7\n# dtype=float64\npos,0,1,2\n0,0.1,-2.0,1e-9\n1,0.5,0.0,7.25\n";
        assert_eq!(String::from_utf8(csv).unwrap(), expected);
        let npy = file_of_made(&made, Format::Npy, Dtype::Float32);
        assert_eq!(npy.len(), 128 + 6 * 4);
        assert!(String::from_utf8_lossy(&npy[..128]).contains("'shape': (2, 3)"));
        assert_eq!(npy[128..132], 0.1f32.to_le_bytes());
    }

    #[test]
    fn slices_are_parts_of_one_file_and_no_larger_than_foretold() {
        for layout in Layout::ALL {
            for (d_model, max_len) in [(1, 1), (7, 100), (64, 33), (3, 5000)] {
                for (dtype, format) in Dtype::ALL
                    .into_iter()
                    .flat_map(|d| Format::ALL.map(|f| (d, f)))
                {
                    let size = TableConfig {
                        max_len,
                        d_model,
                        base: 1e9,
                        layout,
                    };
                    let table = Table::new(Encoding::Sinusoidal, &size, dtype).unwrap();
                    let file = whole(&table, format, usize::MAX);
                    for rows in [0, 7, 32] {
                        assert!(file == whole(&table, format, rows), "{d_model} {format:?}");
                    }
                    let foretold = TableFile::new(table, format).bytes();
                    match format {
                        Format::Npy => assert_eq!(file.len() as u64, foretold),
                        Format::Csv => assert!(file.len() as u64 <= foretold),
                    }
                }
            }
        }
    }
}
