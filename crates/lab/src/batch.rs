//! What a model is trained on and tested with.

/// Sequences of one length: for each of their tokens the token that is to be predicted there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// Tokens of a sequence.
    pub length: usize,
    /// The position of the first token of each sequence.
    pub starts: Vec<usize>,
    /// sequences × length.
    pub tokens: Vec<usize>,
    /// sequences × length; `None` where nothing is asked.
    pub targets: Vec<Option<usize>>,
}

impl Batch {
    /// Number of sequences.
    pub fn sequences(&self) -> usize {
        self.starts.len()
    }

    /// Number of tokens that are asked for.
    pub fn asked(&self) -> usize {
        self.targets.iter().flatten().count()
    }

    /// The first position after all sequences.
    pub fn end(&self) -> usize {
        self.starts
            .iter()
            .max()
            .map_or(0, |last| last + self.length)
    }
}
