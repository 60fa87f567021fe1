//! Parses tables as text: a line per position, with commas, semicolons, tabs or spaces as delimiters.

use crate::decimal::{number, whole};
use crate::fault::ReadError;
use crate::table::{MAX_CELLS, Storage, Table};

/// Characters of a cell that are quoted in an error.
const MAX_QUOTED_CHARS: usize = 40;

/// Maximum length of a line in bytes: 100,000 dimensions take less.
const MAX_LINE_BYTES: usize = 4 << 20;

/// Parses the table in a text. Empty lines, lines that begin with #, one header line, and a first column with the header
/// pos, position, index or none are skipped. The numbers 0, 1, 2 … in the first line are a header, as pandas writes them.
pub fn read(bytes: &[u8]) -> Result<Table, ReadError> {
    let mut parser = TextTableParser::default();
    parser.feed(bytes)?;
    parser.finish()
}

/// Parses a text that arrives in parts.
#[derive(Debug, Default)]
pub(crate) struct TextTableParser {
    values: Vec<f64>,
    /// Number of cells of the first row, which all other rows must have, too.
    columns: Option<usize>,
    rows: usize,
    has_index_column: bool,
    seen_header: bool,
    /// The largest number of decimal places of any cell.
    decimals: u32,
    /// The largest number of significant digits of any cell in the first column, and in the others.
    digits: [u32; 2],
    /// Whether a cell is no decimal of a number in single precision.
    is_wider: bool,
    lines_read: usize,
    /// The beginning of a line whose end has not arrived yet.
    partial_line: Vec<u8>,
}

impl TextTableParser {
    /// Parses the next part, which may end within a line.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        let mut parts = bytes.split(|byte| *byte == b'\n');
        let last = parts.next_back().unwrap_or_default();
        for part in parts {
            if self.partial_line.is_empty() {
                self.parse_line(part)?;
            } else {
                self.partial_line.extend_from_slice(part);
                let line = std::mem::take(&mut self.partial_line);
                self.parse_line(&line)?;
            }
        }
        self.partial_line.extend_from_slice(last);
        Self::check_length(self.lines_read + 1, &self.partial_line)
    }

    /// Parses the last line and returns the table.
    pub fn finish(mut self) -> Result<Table, ReadError> {
        let line = std::mem::take(&mut self.partial_line);
        self.parse_line(&line)?;
        self.remove_index();
        let shape = (self.rows, self.columns.unwrap_or_default());
        let [first, others] = self.digits;
        let (decimals, digits) = (self.decimals, first.max(others));
        // What is written with so many digits, and rounds to single precision within the last of them, was a number of it.
        if !self.is_wider && decimals.min(digits) >= 8 {
            for value in &mut self.values {
                *value = f64::from(*value as f32);
            }
        }
        let storage = Storage::Text { decimals, digits };
        Table::new(shape, self.values, storage)
    }

    /// Removes a first column that only numbers the rows.
    fn remove_index(&mut self) {
        let columns = self.columns.unwrap_or_default();
        let first = self.values.first().copied().unwrap_or(f64::NAN);
        let mut rows = self.values.chunks(columns.max(1)).enumerate();
        let is_index = first.fract() == 0.0
            && rows.all(|(row, cells)| cells.first() == Some(&(first + row as f64)));
        let is_table = self.values.iter().any(|it| it.fract() != 0.0);
        if self.rows > 2 && columns > 2 && is_index && is_table {
            let mut at = 0;
            self.values.retain(|_| {
                at += 1;
                (at - 1) % columns != 0
            });
            self.columns = Some(columns - 1);
            self.digits[0] = 0;
        }
    }

    fn check_length(line: usize, bytes: &[u8]) -> Result<(), ReadError> {
        if bytes.len() > MAX_LINE_BYTES {
            return Err(ReadError::LineTooLong { line });
        }
        Ok(())
    }

    fn parse_line(&mut self, bytes: &[u8]) -> Result<(), ReadError> {
        self.lines_read += 1;
        Self::check_length(self.lines_read, bytes)?;
        let text = String::from_utf8_lossy(bytes);
        // Between semicolons, commas are decimal points.
        let text = match text.contains(';') {
            true => text.replace(',', ".").into(),
            false => text,
        };
        let text = without_brackets(&text);
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        let cells = split_cells(text);
        if self.rows == 0 && !self.seen_header && is_header(&cells) {
            self.seen_header = true;
            self.has_index_column = cells.first().is_some_and(|name| is_index_name(name));
            return Ok(());
        }
        self.parse_row(&cells)
    }

    fn parse_row(&mut self, cells: &[&str]) -> Result<(), ReadError> {
        let line = self.lines_read;
        let skipped = usize::from(self.has_index_column);
        let cells = cells.get(skipped..).unwrap_or_default();
        let expected = *self.columns.get_or_insert(cells.len());
        if cells.len() != expected {
            return Err(ReadError::Ragged {
                line,
                expected,
                found: cells.len(),
            });
        }
        for (cell, text) in (1 + skipped..).zip(cells) {
            let number = number(text).ok_or_else(|| ReadError::NotANumber {
                line,
                cell,
                text: text.chars().take(MAX_QUOTED_CHARS).collect(),
            })?;
            self.values.push(number);
            let (decimals, digits) = places(text);
            self.decimals = self.decimals.max(decimals.max(0) as u32);
            let most = &mut self.digits[usize::from(cell > 1 + skipped)];
            *most = digits.max(*most);
            if !self.is_wider && number.is_finite() {
                let single = f64::from(number as f32);
                // Numbers of more than 17 digits are read with an error of a few units in the last place.
                let error = 0.5 * 0.1_f64.powi(decimals) + 4.0 * f64::EPSILON * number.abs();
                self.is_wider = (single - number).abs() > error;
            }
        }
        self.rows += 1;
        if self.values.len() > MAX_CELLS {
            let cells = self.values.len() as u64;
            return Err(ReadError::TooManyCells { cells });
        }
        Ok(())
    }
}

/// Returns a line without the byte order mark and the brackets of a printed array.
fn without_brackets(line: &str) -> &str {
    line.trim_start_matches('\u{feff}')
        .trim_matches(['[', ']', ' ', '\r'])
        .trim_end_matches("],")
}

/// Splits a line at semicolons, else at commas, else at tabs, else at white space. Delimiters at its end are ignored.
fn split_cells(line: &str) -> Vec<&str> {
    let separator = [';', ',', '\t'].into_iter().find(|c| line.contains(*c));
    match separator {
        Some(separator) => {
            let line = line.trim_end_matches(separator);
            let cells = line.split(separator);
            cells.map(|cell| cell.trim().trim_matches('"')).collect()
        }
        None => line.split_whitespace().collect(),
    }
}

/// Returns whether a line is a header: none of its cells is a number, or they are the numbers 0, 1, 2 … (more than two)
/// that pandas gives to columns.
fn is_header(cells: &[&str]) -> bool {
    let is_number = |cell: &&str| number(cell).is_some();
    let rest = match cells {
        [first, rest @ ..] if is_index_name(first) => rest,
        _ => cells,
    };
    let counts_from_zero = |cells: &[&str]| {
        let mut expected = (0..).map(|n: usize| n.to_string());
        cells.len() > 2
            && cells
                .iter()
                .all(|cell| expected.next().as_deref() == Some(cell))
    };
    !cells.iter().any(is_number) || counts_from_zero(rest)
}

fn is_index_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["", "pos", "position", "index"].contains(&&name[..])
}

/// Returns the number of decimal places, which are fewer than 0 with a large exponent, and that of significant digits.
fn places(cell: &str) -> (i32, u32) {
    let (mantissa, exponent) = cell.split_once(['e', 'E']).unwrap_or((cell, "0"));
    let (whole_part, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole_part.bytes().chain(decimals.bytes());
    let digits = digits.skip_while(|byte| !(b'1'..=b'9').contains(byte));
    let exponent = whole(exponent.as_bytes()).unwrap_or_default();
    (decimals.len() as i32 - exponent, digits.count() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_common_programs_write() {
        for text in [
            "0,1\n0.5,0.25\n",
            "# made by hand\npos,0:sin0,1:cos0\n0,0,1\n1,0.5,0.25",
            "\u{feff}0;1;\r\n0.5;0.25;\r\n",
            "0 1\n\n  0.5   0.25",
            "[[0. 1.]\n [0.5 0.25]]",
            "a\tb\n0\t1\n0.5\t0.25",
            "\"0\",\"1\"\n\"0.5\",\"0.25\"",
        ] {
            let table = read(text.as_bytes()).unwrap();
            assert_eq!((table.rows(), table.columns()), (2, 2), "{text}");
            assert_eq!(table.values(), [0.0, 1.0, 0.5, 0.25], "{text}");
            let storage = Storage::Text {
                decimals: 2,
                digits: 2,
            };
            assert_eq!(table.storage(), storage, "{text}");
        }
        let pandas = ",0,1,2\n0,5.0,6.0,7.0\n1,8.0,9.0,1e-3\n";
        let table = read(pandas.as_bytes()).unwrap();
        assert_eq!(table.values(), [5.0, 6.0, 7.0, 8.0, 9.0, 1e-3]);
        let storage = Storage::Text {
            decimals: 3,
            digits: 2,
        };
        assert_eq!(table.storage(), storage);
    }

    #[test]
    fn a_column_that_numbers_the_rows_is_left_out() {
        for first in [0, 1, 998] {
            let row = |row| format!("{},0.{},1\n", first + row, row + 1);
            let text: String = (0..3).map(row).collect();
            let table = read(text.as_bytes()).unwrap();
            assert_eq!(table.values(), [0.1, 1.0, 0.2, 1.0, 0.3, 1.0]);
            let storage = Storage::Text {
                decimals: 1,
                digits: 1,
            };
            assert_eq!(table.storage(), storage);
        }
        let table = read(b"1.5,0.1,1\n2.5,0.2,1\n3.5,0.3,1").unwrap();
        assert_eq!(table.columns(), 3);
    }

    #[test]
    fn numbers_are_rounded_to_decimals_or_to_significant_digits() {
        for (text, size, error) in [
            ("0.8415,0.0100\n1.0000,0.0003", 0.5, 5e-5),
            ("0.8415,0.0100\n1.0000,0.0003", 0.0003, 5e-5),
            ("0.8415,0.01\n1,0.0003", 1.0, 5e-5),
            ("8.41e-01,1.00e-02\n9.99e-01,3.16e-04", 0.5, 5e-4),
            ("8.41e-01,1.00e-02\n9.99e-01,3.16e-04", 0.0003, 5e-7),
            ("0.841,0.01\n1,0.000316", 0.02, 5e-5),
            ("0,841;0,01\n1;0,000316", 0.999, 5e-4),
            ("1.23e2,4.56e+1\n7.89E0,1e1", 123.0, 0.5),
        ] {
            let found = read(text.as_bytes()).unwrap().storage().decimal_error(size);
            assert!((found / error - 1.0).abs() < 1e-9, "{text}: {found}");
        }
    }

    #[test]
    fn decimals_of_single_precision_are_read_as_its_numbers() {
        let numbers = [0.841_470_96_f32, 0.009_999_833, 1.0, 1e-9];
        let shortest = numbers.map(|it| it.to_string()).join(",");
        let long = numbers.map(|it| format!("{it:.18e}")).join(",");
        for text in [shortest, long] {
            let table = read(text.as_bytes()).unwrap();
            assert_eq!(table.values(), numbers.map(f64::from), "{text}");
        }
        for text in ["0.8414709848078965,1.0", "0.8414710,0.0099998"] {
            let wanted: Vec<f64> = text.split(',').map(|it| it.parse().unwrap()).collect();
            assert_eq!(read(text.as_bytes()).unwrap().values(), wanted);
        }
    }

    #[test]
    fn reports_where_a_text_is_no_table() {
        let of = |text: &str| read(text.as_bytes()).unwrap_err();
        assert_eq!(of(""), ReadError::NoCells);
        assert_eq!(of("a,b\n"), ReadError::NoCells);
        let fault = |line, cell, text: &str| ReadError::NotANumber {
            line,
            cell,
            text: text.into(),
        };
        assert_eq!(of("1,2\n3,x"), fault(2, 2, "x"));
        assert_eq!(of("a b\nc d"), fault(2, 1, "c"));
        assert_eq!(
            of("1,2\n3"),
            ReadError::Ragged {
                line: 2,
                expected: 2,
                found: 1
            }
        );
        let table = read(b"1,nan\ninf,2").unwrap();
        assert!(table.values()[1].is_nan() && table.values()[2].is_infinite());
    }
}
