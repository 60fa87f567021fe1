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
    /// The index of a model in several .safetensors.
    Index,
    /// A known format that holds tables but is not read, by its name.
    Foreign(&'static str),
    /// A version of .npy that does not exist.
    NpyVersion(u8, u8),
    /// Fewer bytes or numbers than the header declares.
    Truncated {
        /// The number declared.
        needed: u64,
        /// The number found.
        found: u64,
        /// `bytes` or `numbers`.
        unit: &'static str,
    },
    /// The header exceeds the limit.
    HeaderTooLong {
        /// Its declared length.
        bytes: u64,
    },
    /// A header that does not follow the format, and the part of it that is wrong.
    Header(&'static str),
    /// Numbers of another type than floating point of 16, 32 or 64 bits.
    Dtype(String),
    /// Not a shape of rows and columns, of a batch, a grid or pairs of them.
    Shape(Vec<u64>),
    /// A size computed from the header overflows.
    Overflow,
    /// No cells: an axis of length 0, or a text without numbers.
    NoCells,
    /// More cells than [`MAX_CELLS`](crate::MAX_CELLS).
    TooManyCells {
        /// The number of cells.
        cells: u64,
    },
    /// A field of a text file that is not a number.
    NotANumber {
        /// Line, from 1.
        line: usize,
        /// Field in it, from 1.
        cell: usize,
        /// Its first characters.
        text: String,
    },
    /// A line of a text file whose number of fields differs from that of the first row.
    Ragged {
        /// Line, from 1.
        line: usize,
        /// Fields of the first row.
        expected: usize,
        /// Fields of this line.
        found: usize,
    },
    /// A text file above the size limit.
    TextTooLong {
        /// Its size in bytes.
        bytes: u64,
    },
    /// A line of a text file above the length limit.
    LineTooLong {
        /// Line, from 1.
        line: usize,
    },
    /// The byte range of the named tensor is reversed, overlaps that of another, or does not match its shape.
    Offsets(String),
    /// No tensor has this name; with the tensors that could be tables of positions.
    NoTensor(String, Vec<Candidate>),
    /// No tensor is named, and it is not clear which candidate is meant.
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
