//! A table as a file, made in slices of whole rows so that the table is never held in memory as a whole.

use super::table::{Dtype, Numbers, Table};
use super::{csv, npy};
use crate::figure::ComputedTable;

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

#[cfg(test)]
mod tests {
    use super::*;
    use posenc_encoding::{Encoding, Layout, Matrix, TableConfig};

    fn whole(table: &Table, format: Format, rows: usize) -> Vec<u8> {
        let mut file = TableFile::new(table.clone(), format);
        std::iter::from_fn(|| file.next(rows)).flatten().collect()
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
