//! Why a file cannot be read, as data; the words are said elsewhere.

/// Why a file gives no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No byte.
    Empty,
    /// A file of another kind.
    Format,
    /// A pickle, or PyTorch's .pt, .pth and .bin, which are pickles in a zip archive: reading one can run code.
    Pickle,
    /// NumPy's .npz: a zip archive of .npy files.
    Npz,
    /// A version of .npy that does not exist.
    NpyVersion(u8, u8),
    /// Fewer bytes or numbers than the header promises.
    Truncated {
        /// What it promises.
        needed: u64,
        /// What is there.
        found: u64,
        /// `bytes` or `numbers`.
        unit: &'static str,
    },
    /// A header longer than any that is meant well.
    HeaderTooLong {
        /// Bytes that it claims.
        bytes: u64,
    },
    /// A header that does not follow the format.
    Header(&'static str),
    /// Numbers of a type that no table of positions has.
    Dtype(String),
    /// Not two axes.
    Shape(Vec<u64>),
    /// Lengths of axes whose product is beyond all numbers.
    Overflow,
    /// An axis of length 0.
    NoCells,
    /// More than [`MAX_CELLS`](crate::MAX_CELLS).
    TooManyCells {
        /// How many.
        cells: u64,
    },
    /// A cell of a text that is no number.
    NotANumber {
        /// Line, from 1.
        line: usize,
        /// Cell in it, from 1.
        cell: usize,
        /// Its beginning.
        text: String,
    },
    /// A line of a text with another number of cells than the first.
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
