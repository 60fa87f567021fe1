//! Comma-separated values: the parameters of the table in comments, the names of the columns, and a row per position.
//! Numbers have the fewest digits that restore them exactly.

use super::table::{Dtype, Numbers, Table};
use crate::figure::Measurements;
use std::fmt::Debug;
use std::io::Write;
use std::mem::size_of_val;

/// Writes everything before the rows: the encoding, its settings, and the names of the columns, such as `0:sin0`.
pub fn write_header(table: &Table, out: &mut Vec<u8>) {
    let d_model = table.cells.d_model();
    let mut parameters = vec![
        ("encoding", table.encoding.name().to_string()),
        ("d_model", d_model.to_string()),
        ("max_len", table.max_len.to_string()),
    ];
    parameters.extend(table.cells.details());
    let columns = (0..d_model).map(|dimension| table.cells.column_name(dimension));
    write_lines(&parameters, columns, table.dtype, out);
}

/// The header of a table that a figure has computed: columns are named by their dimensions.
pub fn header_of_made(parameters: &[(&str, String)], d_model: usize, dtype: Dtype) -> Vec<u8> {
    let mut out = Vec::new();
    let columns = (0..d_model).map(|dimension| dimension.to_string());
    write_lines(parameters, columns, dtype, &mut out);
    out
}

fn write_lines(
    parameters: &[(&str, String)],
    columns: impl Iterator<Item = String>,
    dtype: Dtype,
    out: &mut Vec<u8>,
) {
    out.extend(comments(parameters).bytes());
    // Writing to memory does not fail.
    let _ = write!(out, "# dtype={}\npos", dtype.name());
    for column in columns {
        let _ = write!(out, ",{column}");
    }
    out.push(b'\n');
}

/// A comment line for each name and its value.
fn comments(parameters: &[(&str, String)]) -> String {
    let lines = parameters
        .iter()
        .map(|(name, value)| format!("# {name}={value}\n"));
    lines.collect()
}

/// The whole file of measurements: the parameters in comments, the names of the columns, and a row per case.
pub fn of_measurements(
    Measurements {
        parameters,
        columns,
        rows,
    }: &Measurements,
) -> String {
    let mut csv = comments(parameters);
    csv.push_str(&columns.join(","));
    csv.push('\n');
    for row in rows {
        let cells: Vec<String> = row.iter().map(f64::to_string).collect();
        csv.push_str(&cells.join(","));
        csv.push('\n');
    }
    csv
}

/// Writes rows; the first one is that of the position `first`.
pub fn write_rows(numbers: &Numbers, first: usize, d_model: usize, out: &mut Vec<u8>) {
    match numbers {
        Numbers::Float32(numbers) => write(numbers, first, d_model, out),
        Numbers::Float64(numbers) => write(numbers, first, d_model, out),
    }
}

fn write<T: Debug>(numbers: &[T], first: usize, d_model: usize, out: &mut Vec<u8>) {
    out.reserve(3 * size_of_val(numbers));
    for (row, numbers) in numbers.chunks(d_model).enumerate() {
        let _ = write!(out, "{}", first + row);
        for number in numbers {
            // `Debug` writes small numbers with a power of ten, `Display` with all their zeros.
            let _ = write!(out, ",{number:?}");
        }
        out.push(b'\n');
    }
}

/// An upper bound of the size of the file, in bytes.
pub fn most_bytes(table: &Table) -> u64 {
    // `,-0.0000` and the maximum number of digits of the type. Numbers with an exponent are shorter: all numbers in a
    // table but zero exceed 1e-30 in magnitude.
    let number = match table.dtype {
        Dtype::Float32 => 8 + 9,
        Dtype::Float64 => 8 + 17,
    };
    let position = table.max_len.to_string().len() as u64 + 1;
    let mut header = Vec::new();
    write_header(table, &mut header);
    let row = position + number * table.cells.d_model() as u64;
    row.saturating_mul(table.max_len as u64)
        .saturating_add(header.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::{Format, TableFile};
    use posenc_encoding::{Encoding, Layout, Sinusoidal, TableConfig};

    fn table(d_model: usize, layout: Layout, dtype: Dtype) -> Table {
        let size = TableConfig {
            max_len: 50,
            d_model,
            base: 10_000.0,
            layout,
        };
        Table::new(Encoding::Sinusoidal, &size, dtype).unwrap()
    }

    fn text(table: &Table) -> String {
        let mut file = TableFile::new(table.clone(), Format::Csv);
        String::from_utf8(file.next(usize::MAX).unwrap()).unwrap()
    }

    #[test]
    fn a_small_table_is_as_people_expect() {
        let table = table(3, Layout::Tensor2tensor, Dtype::Float32);
        let text = text(&table);
        let start = "# encoding=sinusoidal\n# d_model=3\n# max_len=50\n# base=10000\n\
            # layout=tensor2tensor\n# dtype=float32\npos,0:sin0,1:cos0,2:zero\n0,0.0,1.0,0.0\n\
            1,0.84147096,0.5403023,0.0\n";
        assert!(text.starts_with(start), "{}", &text[..200]);
        assert_eq!(text.lines().count(), 6 + 1 + 50);
    }

    #[test]
    fn numbers_read_back_as_themselves() {
        for layout in [Layout::Interleaved, Layout::Concatenated] {
            let table = table(16, layout, Dtype::Float64);
            let expected = Sinusoidal::new(16, 10_000.0, layout).table_f64(50);
            for (position, line) in text(&table).lines().skip(7).enumerate() {
                let mut cells = line.split(',');
                assert_eq!(cells.next(), Some(position.to_string().as_str()));
                let numbers: Vec<f64> = cells.map(|cell| cell.parse().unwrap()).collect();
                assert_eq!(numbers, expected.row(position));
            }
        }
    }
}
