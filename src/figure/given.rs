//! A file that a reader has given to a figure.

use posenc_inspect::{Candidate, Fault, Table};
use std::rc::Rc;

/// A file, and how far it has been read. It belongs to the figure's place on the page and is in no link.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its own name, without a folder.
    pub name: String,
    pub content: Content,
    /// The tensors that could be meant, of a file that has several.
    pub candidates: Vec<Candidate>,
    /// Which of them is read.
    pub tensor: Option<String>,
}

/// How far a file has been read.
#[derive(Clone, Debug)]
pub enum Content {
    /// A share of it has come, 0 … 1.
    Coming(f64),
    /// A tensor has to be chosen.
    Choice,
    /// It is no table, or none that is read.
    Fault(Fault),
    /// The browser does not give it, and why, in its own word.
    Withheld(String),
    Table(Rc<Table>),
}
