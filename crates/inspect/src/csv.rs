//! Parses tables as text: a line per position, with commas, semicolons, tabs or spaces as delimiters.

use crate::decimal::number;
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
        let storage = Storage::Text {
            decimals: self.decimals,
        };
        Table::new(shape, self.values, storage)
    }

    /// Removes a first column that only numbers the rows.
    fn remove_index(&mut self) {
        let columns = self.columns.unwrap_or_default();
        let mut rows = self.values.chunks(columns.max(1)).enumerate();
        let is_index = rows.all(|(row, cells)| cells.first() == Some(&(row as f64)));
        let is_table = self.values.iter().any(|it| it.fract() != 0.0);
        if self.rows > 2 && columns > 2 && is_index && is_table {
            let mut at = 0;
            self.values.retain(|_| {
                at += 1;
                (at - 1) % columns != 0
            });
            self.columns = Some(columns - 1);
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
            self.decimals = self.decimals.max(decimal_places(text));
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

/// Returns the number of digits after the decimal point; in scientific notation, of the mantissa.
fn decimal_places(cell: &str) -> u32 {
    let mantissa = cell.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.split_once('.').map_or("", |(_, digits)| digits);
    digits.len() as u32
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
            assert_eq!(table.storage(), Storage::Text { decimals: 2 }, "{text}");
        }
        let pandas = ",0,1,2\n0,5.0,6.0,7.0\n1,8.0,9.0,1e-3\n";
        let table = read(pandas.as_bytes()).unwrap();
        assert_eq!(table.values(), [5.0, 6.0, 7.0, 8.0, 9.0, 1e-3]);
        assert_eq!(table.storage(), Storage::Text { decimals: 1 });
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
