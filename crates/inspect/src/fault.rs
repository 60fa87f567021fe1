//! Errors of the file readers, as data; messages are left to the caller.

/// Why a file could not be read as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The file is empty.
    Empty,
    /// An unknown format.
    Format,
    /// A pickle, or PyTorch's .pt, .pth and .bin, which are pickles in a zip archive: reading one can run code.
    Pickle,
    /// NumPy's .npz: a zip archive of .npy files.
    Npz,
    /// A version of .npy that does not exist.
    NpyVersion(u8, u8),
    /// Fewer bytes or numbers than the header declares.
    Truncated {
        /// Declared.
        needed: u64,
        /// Found.
        found: u64,
        /// `bytes` or `numbers`.
        unit: &'static str,
    },
    /// The header exceeds the limit.
    HeaderTooLong {
        /// Its declared length.
        bytes: u64,
    },
    /// A header that does not follow the format.
    Header(&'static str),
    /// Numbers of a type that no table of positions has.
    Dtype(String),
    /// Not two axes, not counting axes of length 1.
    Shape(Vec<u64>),
    /// The product of the lengths of the axes overflows.
    Overflow,
    /// An axis of length 0.
    NoCells,
    /// More than [`MAX_CELLS`](crate::MAX_CELLS).
    TooManyCells {
        /// How many.
        cells: u64,
    },
    /// A field of a text file that is no number.
    NotANumber {
        /// Line, from 1.
        line: usize,
        /// Field in it, from 1.
        cell: usize,
        /// Its first characters.
        text: String,
    },
    /// A line of a text file with another number of fields than the first.
    Ragged {
        /// Line, from 1.
        line: usize,
        /// Cells of the first line.
        expected: usize,
        /// Cells of this one.
        found: usize,
    },
    /// A text longer than any table of the size that is read.
    TextTooLong {
        /// Its bytes.
        bytes: u64,
    },
    /// A line of a text longer than any of a table.
    LineTooLong {
        /// Line, from 1.
        line: usize,
    },
    /// The tensor's bytes overlap those of another, or end outside of the file.
    Offsets(String),
    /// No tensor of this name; the names of those that could be tables of positions.
    NoTensor(String, Vec<Candidate>),
    /// Several tensors and none named.
    Choose(Vec<Candidate>),
}

/// A tensor that could be a table of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name in the file.
    pub name: String,
    /// The type of its numbers, as the file names it.
    pub dtype: String,
    /// Lengths of its axes.
    pub shape: Vec<u64>,
}
