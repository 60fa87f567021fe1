//! A table of numbers, as a file holds it.

use crate::fault::ReadError;
use crate::precision::Precision;

/// The most cells that are read.
pub const MAX_CELLS: usize = 10_000_000;

/// What the numbers of a file were stored as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Storage {
    /// In binary.
    Binary(Precision),
    /// As text.
    Text {
        /// The most digits behind the point.
        decimals: u32,
    },
}

impl Storage {
    /// As reports name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Binary(precision) => precision.name(),
            Self::Text { .. } => "text",
        }
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
    /// A table of these values, row by row. A fault unless there are `rows × columns` of them, and at least one.
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

    /// The same of a shape that may have axes of length 1 beside its two.
    pub fn of_shape(shape: &[u64], values: Vec<f64>, storage: Storage) -> Result<Table, ReadError> {
        let table = Table::new(rows_and_columns(shape)?, values, storage)?;
        Ok(table.squeezed_from(shape))
    }

    pub(crate) fn squeezed_from(mut self, shape: &[u64]) -> Table {
        self.squeezed = (shape.len() > 2).then(|| shape.to_vec());
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

    /// Row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// What the file stored.
    pub fn storage(&self) -> Storage {
        self.storage
    }

    /// The shape in the file, if axes of length 1 have been left out.
    pub fn squeezed(&self) -> Option<&[u64]> {
        self.squeezed.as_deref()
    }

    /// The number in a row and a column; NaN outside of the table.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values
            .get(row * self.columns + column)
            .copied()
            .unwrap_or(f64::NAN)
    }
}

/// Rows and columns of a shape: two axes, beside which others may have the length 1. A fault where there is no table
/// of a size that is read.
pub(crate) fn rows_and_columns(shape: &[u64]) -> Result<(usize, usize), ReadError> {
    let mut cells: u64 = 1;
    for &length in shape {
        cells = cells.checked_mul(length).ok_or(ReadError::Overflow)?;
    }
    let of = |rows: u64, columns: u64| (rows as usize, columns as usize);
    let table = match *shape {
        [rows, columns] => of(rows, columns),
        [1, rows, columns] | [rows, 1, columns] | [1, 1, rows, columns] | [1, rows, 1, columns] => {
            of(rows, columns)
        }
        _ => return Err(ReadError::Shape(shape.to_vec())),
    };
    if cells == 0 {
        return Err(ReadError::NoCells);
    }
    if cells > MAX_CELLS as u64 {
        return Err(ReadError::TooManyCells { cells });
    }
    Ok(table)
}

/// How binary numbers follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataLayout {
    pub precision: Precision,
    pub big_endian: bool,
    /// Column after column.
    pub fortran_order: bool,
}

/// TableDecoder on their way in, part after part.
#[derive(Debug)]
pub(crate) struct TableDecoder {
    shape: Vec<u64>,
    rows: usize,
    columns: usize,
    layout: DataLayout,
    values: Vec<f64>,
    /// How many have come.
    next: usize,
}

impl TableDecoder {
    pub fn new(shape: &[u64], layout: DataLayout) -> Result<TableDecoder, ReadError> {
        let (rows, columns) = rows_and_columns(shape)?;
        Ok(TableDecoder {
            shape: shape.to_vec(),
            rows,
            columns,
            layout,
            values: Vec::new(),
            next: 0,
        })
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> usize {
        self.rows * self.columns * self.layout.precision.bytes()
    }

    /// Takes the next part: whole numbers; what is too many is left alone.
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
        for bytes in bytes.chunks_exact(size).take(count - self.next) {
            let mut low_first = [0; 8];
            for (at, byte) in bytes.iter().enumerate() {
                let at = if big_endian { size - 1 - at } else { at };
                low_first[at] = *byte;
            }
            let at = match fortran_order {
                true => self.next % self.rows * self.columns + self.next / self.rows,
                false => self.next,
            };
            self.values[at] = precision.decode(low_first);
            self.next += 1;
        }
    }

    /// The table, when all have come.
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

/// The table in these bytes, all of which are numbers; what follows them is left alone.
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
