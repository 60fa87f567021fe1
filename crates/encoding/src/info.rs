//! The questions that all encodings of positions answer, so that they can stand side by side.

use std::rc::Rc;

use crate::{AttentionHead, HeadConfig, PositionTable, Sinusoidal, TableConfig};

/// Sizes of a whole model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelSize {
    /// Positions that learned tables have a row for.
    pub max_len: usize,
    /// Width of the embeddings, in dimensions.
    pub d_model: usize,
    /// Heads of a layer.
    pub heads: usize,
    /// Layers of the stack.
    pub layers: usize,
}

/// What an encoding does with positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// It does nothing.
    Nothing,
    /// It adds vectors or numbers.
    Adds,
    /// It multiplies by matrices.
    Multiplies,
}

/// What it does that to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// To nothing.
    Nothing,
    /// The embeddings of the tokens, before the first layer.
    Embedding,
    /// The attention logits.
    Logits,
    /// Queries and keys of a head, never values.
    QueriesAndKeys,
}

/// What the bench, made for tables and turns, has to show of an encoding, and what computes that.
#[derive(Clone, Copy, Debug)]
pub enum PositionSignal {
    /// A table of sines and cosines of the position, whose pairs turn.
    Sinusoids(fn(&TableConfig) -> Sinusoidal),
    /// A table of any other numbers; `None` where it would be too large.
    Table(fn(&TableConfig) -> Option<Rc<dyn PositionTable>>),
    /// Pairs that turn, of queries and keys, by angles of these frequencies; no table.
    Rotation(fn(&TableConfig) -> Sinusoidal),
    /// A number added to each logit, [`AttentionHead::bias`]; no table, and nothing turns.
    Bias,
}

impl PositionSignal {
    /// Whether vectors are added, which make a table.
    pub const fn has_table(self) -> bool {
        matches!(
            self,
            PositionSignal::Sinusoids(_) | PositionSignal::Table(_)
        )
    }
}

/// What is known of an encoding before any number is computed.
#[derive(Clone, Copy, Debug)]
pub struct EncodingInfo {
    /// As links name it.
    pub name: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// What it does with positions.
    pub operation: Operation,
    /// What it does that to.
    pub target: Target,
    /// In every layer, or once before the first.
    pub every_layer: bool,
    /// Whether what it adds to a logit stays within bounds however far positions go.
    pub bounded: bool,
    /// Whether the logit of the same query and key depends on positions by their offset alone.
    pub relative: bool,
    /// `None` where the bench has nothing to show.
    pub signal: Option<PositionSignal>,
    /// Learned numbers in a whole model (one stack of layers).
    pub parameters: fn(&ModelSize) -> usize,
    /// A head with this encoding. Learned numbers are simulated: whoever calls gives normal ones of mean 0 and variance
    /// 1, which are scaled to sizes at which their effect can be seen; none of them is of a trained model.
    pub head: fn(&HeadConfig, &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead>,
}
