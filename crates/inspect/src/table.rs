//! A table of numbers, as read from a file.

use crate::fault::ReadError;
use crate::precision::Precision;

/// Maximum number of cells of a table.
pub const MAX_CELLS: usize = 10_000_000;

/// How a file stores numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Storage {
    /// In a binary format.
    Binary(Precision),
    /// As text.
    Text {
        /// Largest number of digits after the decimal point, the exponent taken into account.
        decimals: u32,
        /// Largest number of significant digits.
        digits: u32,
    },
}

impl Storage {
    /// Returns the name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Binary(precision) => precision.name(),
            Self::Text { .. } => "text",
        }
    }

    /// Returns the largest error of a number of this size that is rounded to the decimals or to the significant digits of a
    /// text, whichever is coarser; 0 for a binary format.
    pub(crate) fn decimal_error(self, size: f64) -> f64 {
        let Self::Text { decimals, digits } = self else {
            return 0.0;
        };
        // Of numbers with a fixed number of decimals, the largest have the most significant digits, so that these are finer.
        let power = size.abs().log10().ceil() as i32;
        let places = (digits as i32).saturating_sub(power);
        0.5 * 0.1_f64.powi(places.min(decimals as i32).min(400))
    }
}

/// A table of numbers: a row per position, a column per dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    rows: usize,
    columns: usize,
    values: Vec<f64>,
    storage: Storage,
    squeezed: Option<Vec<u64>>,
}

impl Table {
    /// Creates a table of row-major values. Fails unless there are `rows × columns` of them, at least one and at most
    /// [`MAX_CELLS`].
    pub fn new(
        (rows, columns): (usize, usize),
        values: Vec<f64>,
        storage: Storage,
    ) -> Result<Table, ReadError> {
        let cells = rows.checked_mul(columns).ok_or(ReadError::Overflow)?;
        if cells == 0 {
            return Err(ReadError::NoCells);
        }
        if cells > MAX_CELLS {
            return Err(ReadError::TooManyCells {
                cells: cells as u64,
            });
        }
        if values.len() != cells {
            return Err(ReadError::Truncated {
                needed: cells as u64,
                found: values.len() as u64,
                unit: "numbers",
            });
        }
        Ok(Table {
            rows,
            columns,
            values,
            storage,
            squeezed: None,
        })
    }

    /// Creates a table of a shape that may have axes of length 1 before rows and columns or between them.
    pub fn of_shape(shape: &[u64], values: Vec<f64>, storage: Storage) -> Result<Table, ReadError> {
        let table = Table::new(rows_and_columns(shape)?, values, storage)?;
        Ok(table.squeezed_from(shape))
    }

    pub(crate) fn squeezed_from(mut self, shape: &[u64]) -> Table {
        self.squeezed = (shape.len() != 2).then(|| shape.to_vec());
        // Of a batch, or of the heads of a layer, that all have the same table, it is one.
        if let [_, rows, columns] = long_axes(shape)[..]
            && rows > 1
            && (self.columns as u64 == columns || shape[0] == 1 && rows == columns)
        {
            let one = (rows * columns) as usize;
            let (first, others) = self.values.split_at(one.min(self.values.len()));
            if others.chunks(one).all(|it| it == first) {
                self.values.truncate(one);
                (self.rows, self.columns) = (rows as usize, columns as usize);
            }
        }
        self
    }

    /// Number of rows: positions, unless it is transposed.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns: dimensions, unless it is transposed.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the values, row-major.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns how the file stores numbers.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// Returns the shape in the file, if it is not rows and columns.
    pub fn squeezed(&self) -> Option<&[u64]> {
        self.squeezed.as_deref()
    }

    /// Returns the number in a row and a column; NaN below the last row. The column must be within the table.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values
            .get(row * self.columns + column)
            .copied()
            .unwrap_or(f64::NAN)
    }
}

/// Returns the lengths of all axes but those of length 1.
pub(crate) fn long_axes(shape: &[u64]) -> Vec<u64> {
    shape
        .iter()
        .copied()
        .filter(|length| *length != 1)
        .collect()
}

/// Returns rows and columns of a shape. Axes of length 1 do not count; one axis is a row; pairs of numbers at the end, a
/// cosine and a sine, are adjacent columns; two axes before the columns are the rows of a grid or of several tables; and a
/// square after a leading axis of length 1 is an image, whose channels are rows. Fails for other shapes, and unless the
/// size is that of a [`Table`].
pub(crate) fn rows_and_columns(shape: &[u64]) -> Result<(usize, usize), ReadError> {
    let mut cells: u64 = 1;
    for &length in shape {
        cells = cells.checked_mul(length).ok_or(ReadError::Overflow)?;
    }
    let of = |rows: u64, columns: u64| (rows as usize, columns as usize);
    let table = match *shape {
        [] => return Err(ReadError::Shape(Vec::new())),
        [rows, columns] => of(rows, columns),
        _ => match (&long_axes(shape)[..], shape[0]) {
            ([], _) => of(1, 1),
            ([columns], _) => of(1, *columns),
            ([rows, columns], _) => of(*rows, *columns),
            ([rows, pairs, 2], _) => of(*rows, 2 * pairs),
            ([channels, a, b], 1) if a == b && channels != a => of(*channels, a * b),
            ([a, b, columns], _) => of(a * b, *columns),
            _ => return Err(ReadError::Shape(shape.to_vec())),
        },
    };
    if cells == 0 {
        return Err(ReadError::NoCells);
    }
    if cells > MAX_CELLS as u64 {
        return Err(ReadError::TooManyCells { cells });
    }
    Ok(table)
}

/// Format and order of binary numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataLayout {
    pub precision: Precision,
    pub big_endian: bool,
    /// Column-major.
    pub fortran_order: bool,
}

/// Decodes the binary numbers of a table, part by part.
#[derive(Debug)]
pub(crate) struct TableDecoder {
    shape: Vec<u64>,
    rows: usize,
    columns: usize,
    layout: DataLayout,
    values: Vec<f64>,
    /// How many numbers have been decoded.
    next: usize,
}

impl TableDecoder {
    pub fn new(shape: &[u64], layout: DataLayout) -> Result<TableDecoder, ReadError> {
        let (rows, columns) = rows_and_columns(shape)?;
        // The order of three axes is not that of rows and columns.
        if layout.fortran_order && long_axes(shape).len() > 2 {
            return Err(ReadError::Shape(shape.to_vec()));
        }
        Ok(TableDecoder {
            shape: shape.to_vec(),
            rows,
            columns,
            layout,
            values: Vec::new(),
            next: 0,
        })
    }

    /// Returns the size of all numbers in bytes.
    pub fn bytes(&self) -> usize {
        self.rows * self.columns * self.layout.precision.bytes()
    }

    /// Decodes the next part, which must not end within a number; bytes beyond the table are ignored.
    pub fn take(&mut self, bytes: &[u8]) {
        let DataLayout {
            precision,
            big_endian,
            fortran_order,
        } = self.layout;
        let (size, count) = (precision.bytes(), self.rows * self.columns);
        if self.values.is_empty() {
            self.values = vec![0.0; count];
        }
        let append = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let number = |bytes: &[u8]| {
            let bits = match big_endian {
                true => bytes.iter().fold(0, append),
                false => bytes.iter().rev().fold(0, append),
            };
            precision.decode(bits)
        };
        let numbers = bytes.chunks_exact(size).take(count - self.next).map(number);
        for number in numbers {
            let at = match fortran_order {
                true => self.next % self.rows * self.columns + self.next / self.rows,
                false => self.next,
            };
            self.values[at] = number;
            self.next += 1;
        }
    }

    /// Returns the table; fails unless all numbers have been decoded.
    pub fn table(self) -> Result<Table, ReadError> {
        let size = self.layout.precision.bytes();
        if self.next < self.rows * self.columns {
            return Err(ReadError::Truncated {
                needed: self.bytes() as u64,
                found: (self.next * size) as u64,
                unit: "bytes",
            });
        }
        let storage = Storage::Binary(self.layout.precision);
        let table = Table::new((self.rows, self.columns), self.values, storage)?;
        Ok(table.squeezed_from(&self.shape))
    }
}

/// Decodes a table from bytes that begin with all its numbers; bytes after them are ignored.
pub(crate) fn decode(bytes: &[u8], shape: &[u64], layout: DataLayout) -> Result<Table, ReadError> {
    let mut numbers = TableDecoder::new(shape, layout)?;
    if bytes.len() < numbers.bytes() {
        return Err(ReadError::Truncated {
            needed: numbers.bytes() as u64,
            found: bytes.len() as u64,
            unit: "bytes",
        });
    }
    numbers.take(bytes);
    numbers.table()
}
