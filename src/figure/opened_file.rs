//! A file that the reader has opened in a figure.

use posenc_inspect::{Candidate, ReadError, Table};
use std::rc::Rc;

/// A file and the state of reading it. Not part of any link or state.
#[derive(Clone, Debug)]
pub struct OpenedFile {
    /// Its own name, without a folder.
    pub name: String,
    pub content: FileState,
    /// The tensors that could be meant, of a file that has several.
    pub candidates: Vec<Candidate>,
    /// Which of them is read.
    pub tensor: Option<String>,
}

/// How far a file has been read.
#[derive(Clone, Debug)]
pub enum FileState {
    /// Progress, 0 … 1.
    Loading(f64),
    /// A tensor has to be chosen.
    Choice,
    /// It is no table, or of an unsupported kind.
    Invalid(ReadError),
    /// The browser failed to read it; the name of its DOMException.
    ReadError(String),
    Table(Rc<Table>),
}
