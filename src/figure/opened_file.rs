//! A file that the reader has opened in a figure.

use posenc_inspect::{Candidate, ReadError, Table};
use std::rc::Rc;

/// A file and the state of reading it. Not part of any link or state.
#[derive(Clone, Debug)]
pub struct OpenedFile {
    /// The name of the file, without a folder.
    pub name: String,
    pub content: FileState,
    /// The tensors to choose from, if the file has several.
    pub candidates: Vec<Candidate>,
    /// The name of the tensor that is read.
    pub tensor: Option<String>,
}

/// The state of reading a file.
#[derive(Clone, Debug)]
pub enum FileState {
    /// Progress, 0 … 1.
    Loading(f64),
    /// A tensor has to be chosen.
    Choice,
    /// The file is not a table, or of an unsupported kind.
    Invalid(ReadError),
    /// The browser failed to read it; the name of its DOMException.
    ReadError(String),
    Table(Rc<Table>),
}
