//! Tables as text: a line per position; cells between commas, semicolons, tabs or spaces.

use crate::decimal::number;
use crate::fault::Fault;
use crate::table::{MAX_CELLS, Storage, Table};

/// Characters of a cell that a fault repeats.
const QUOTED: usize = 40;

/// Bytes of the longest line that is read: a position of 100,000 dimensions takes less.
const LONGEST_LINE: usize = 4 << 20;

/// The table in a text. Lines that begin with # and a line of names above the numbers are left out, as is a column of
/// positions with such a name: pos, position, index, or none at all.
pub fn read(bytes: &[u8]) -> Result<Table, Fault> {
    let mut lines = Lines::default();
    lines.take(bytes)?;
    lines.table()
}

/// A text on its way in, part after part.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    values: Vec<f64>,
    /// Of the first row.
    columns: Option<usize>,
    rows: usize,
    index_column: bool,
    seen_names: bool,
    decimals: u32,
    /// Lines that have been read.
    line: usize,
    /// The beginning of a line of which not all has come.
    rest: Vec<u8>,
}

impl Lines {
    /// Takes the next part, whole lines or not.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut parts = bytes.split(|byte| *byte == b'\n');
        let last = parts.next_back().unwrap_or_default();
        for part in parts {
            if self.rest.is_empty() {
                self.row(part)?;
            } else {
                self.rest.extend_from_slice(part);
                let line = std::mem::take(&mut self.rest);
                self.row(&line)?;
            }
        }
        self.rest.extend_from_slice(last);
        match self.rest.len() > LONGEST_LINE {
            true => Err(Fault::LineTooLong {
                line: self.line + 1,
            }),
            false => Ok(()),
        }
    }

    /// The table, when all parts have been taken.
    pub fn table(mut self) -> Result<Table, Fault> {
        let line = std::mem::take(&mut self.rest);
        self.row(&line)?;
        let shape = (self.rows, self.columns.unwrap_or_default());
        let storage = Storage::Text {
            decimals: self.decimals,
        };
        Table::new(shape, self.values, storage)
    }

    fn row(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.line += 1;
        let line = self.line;
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        let text = text.trim_matches(|c: char| c == '[' || c == ']' || c == ' ' || c == '\r');
        let text = text.trim_end_matches(']').trim_end_matches("],");
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        let cells = cells(text);
        if self.rows == 0 && !self.seen_names && is_names(&cells) {
            self.seen_names = true;
            self.index_column = cells.first().is_some_and(|name| is_index(name));
            return Ok(());
        }
        let before = usize::from(self.index_column);
        let cells = cells.get(before..).unwrap_or_default();
        let expected = *self.columns.get_or_insert(cells.len());
        if cells.len() != expected {
            return Err(Fault::Ragged {
                line,
                expected,
                found: cells.len(),
            });
        }
        for (cell, text) in (1 + before..).zip(cells) {
            let number = number(text).ok_or_else(|| Fault::NotANumber {
                line,
                cell,
                text: text.chars().take(QUOTED).collect(),
            })?;
            self.values.push(number);
            self.decimals = self.decimals.max(digits_behind_the_point(text));
        }
        self.rows += 1;
        match self.values.len() {
            cells if cells > MAX_CELLS => Err(Fault::TooManyCells {
                cells: cells as u64,
            }),
            _ => Ok(()),
        }
    }
}

/// What separates the cells is what the line has.
fn cells(line: &str) -> Vec<&str> {
    let separator = [',', ';', '\t'].into_iter().find(|c| line.contains(*c));
    match separator {
        Some(separator) => {
            let line = line.trim_end_matches(separator);
            let cells = line.split(separator);
            cells.map(|cell| cell.trim().trim_matches('"')).collect()
        }
        None => line.split_whitespace().collect(),
    }
}

/// A line of names: none of its cells is a number; or the numbers 0, 1, 2 … that pandas gives to columns.
fn is_names(cells: &[&str]) -> bool {
    let is_number = |cell: &&str| number(cell).is_some();
    let rest = match cells {
        [first, rest @ ..] if is_index(first) => rest,
        _ => cells,
    };
    let counted = |cells: &[&str]| {
        let mut expected = (0..).map(|n: usize| n.to_string());
        cells.len() > 2
            && cells
                .iter()
                .all(|cell| expected.next().as_deref() == Some(cell))
    };
    !cells.iter().any(is_number) || counted(rest)
}

fn is_index(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["", "pos", "position", "index"].contains(&&name[..])
}

/// In a number with a power of ten those of the mantissa.
fn digits_behind_the_point(cell: &str) -> u32 {
    let mantissa = cell.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.split_once('.').map_or("", |(_, digits)| digits);
    digits.len() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_save_is_read() {
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
    fn what_is_no_table_is_located() {
        let of = |text: &str| read(text.as_bytes()).unwrap_err();
        assert_eq!(of(""), Fault::NoCells);
        assert_eq!(of("a,b\n"), Fault::NoCells);
        let fault = |line, cell, text: &str| Fault::NotANumber {
            line,
            cell,
            text: text.into(),
        };
        assert_eq!(of("1,2\n3,x"), fault(2, 2, "x"));
        assert_eq!(of("a b\nc d"), fault(2, 1, "c"));
        assert_eq!(
            of("1,2\n3"),
            Fault::Ragged {
                line: 2,
                expected: 2,
                found: 1
            }
        );
        let table = read(b"1,nan\ninf,2").unwrap();
        assert!(table.values()[1].is_nan() && table.values()[2].is_infinite());
    }
}
