//! Batches of sequences for training and evaluation.

/// Sequences of equal length, with the token to be predicted at each of their tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Tokens per sequence.
    pub length: usize,
    /// The position of the first token of each sequence.
    pub starts: Vec<usize>,
    /// sequences × length.
    pub tokens: Vec<usize>,
    /// sequences × length; `None` where no token is to be predicted.
    pub targets: Vec<Option<usize>>,
}

impl Batch {
    /// Returns the number of sequences.
    pub fn sequences(&self) -> usize {
        self.starts.len()
    }

    /// Returns the number of tokens that are to be predicted.
    pub fn asked(&self) -> usize {
        self.targets.iter().flatten().count()
    }

    /// Returns the first position after all sequences.
    pub fn end(&self) -> usize {
        self.starts
            .iter()
            .max()
            .map_or(0, |last| last + self.length)
    }
}
