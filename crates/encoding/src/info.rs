//! The questions that all encodings of positions answer, so that they can stand side by side.

use std::rc::Rc;

use crate::{AttentionHead, HeadConfig, Layout, PositionTable, Sinusoidal, TableConfig};

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
    None,
    /// It adds vectors or numbers.
    Adds,
    /// It multiplies by matrices.
    Multiplies,
}

/// What it does that to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// To nothing.
    None,
    /// The embeddings of the tokens, before the first layer.
    Embedding,
    /// The attention logits.
    Logits,
    /// Queries and keys of a head, never values.
    QueriesAndKeys,
}

/// The part of an encoding that depends on positions alone, without queries and keys, and what computes it.
///
/// The functions are given configurations with a layout that the encoding has: see [`EncodingInfo::layouts`].
#[derive(Clone, Copy, Debug)]
pub enum PositionSignal {
    /// A table of sines and cosines of the position, whose pairs rotate.
    Sinusoids(fn(&TableConfig) -> Sinusoidal),
    /// A table of any other numbers, added to the embedding; `None` where it would be too large.
    Table(fn(&TableConfig) -> Option<Rc<dyn PositionTable>>),
    /// Pairs of queries and keys that rotate by angles of these frequencies; no table.
    Rotation(fn(&TableConfig) -> Sinusoidal),
    /// A number added to each logit, [`AttentionHead::bias`]; no table, and nothing rotates. It depends
    /// neither on the width nor on the layout.
    Bias,
}

impl PositionSignal {
    /// Whether vectors are added, which make a table.
    pub const fn has_table(self) -> bool {
        matches!(self, Self::Sinusoids(_) | Self::Table(_))
    }

    /// Whether there are dimensions, which make pairs.
    pub const fn has_pairs(self) -> bool {
        !matches!(self, Self::Bias)
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
    /// `None` where nothing depends on positions alone.
    pub signal: Option<PositionSignal>,
    /// Positions and dimensions of the table that a certain model has learned; `None` where a table can be of any size.
    pub shape: Option<[usize; 2]>,
    /// Whether the signal depends on the base of the frequencies.
    pub uses_base: bool,
    /// The layouts that its dimensions can have, of which [`Layout::Interleaved`] and [`Layout::Concatenated`] are two.
    pub layouts: &'static [Layout],
    /// Learned numbers in a whole model (one stack of layers).
    pub parameters: fn(&ModelSize) -> usize,
    /// A head with this encoding. Learned numbers are simulated: whoever calls gives normal ones of mean 0 and variance
    /// 1, which are scaled to sizes at which their effect can be seen; none of them is of a trained model.
    pub head: fn(&HeadConfig, &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead>,
}

impl EncodingInfo {
    /// The layouts that hold the same numbers in another order.
    pub const EQUIVALENT_LAYOUTS: &'static [Layout] = &[Layout::Interleaved, Layout::Concatenated];

    /// Whether it has numbers that are learned, and they are simulated here.
    pub fn is_simulated(&self) -> bool {
        self.is_learned() && self.shape.is_none()
    }

    /// Whether it has numbers that are learned.
    #[inline(never)]
    pub fn is_learned(&self) -> bool {
        let size = ModelSize {
            max_len: 1,
            d_model: 1,
            heads: 1,
            layers: 1,
        };
        (self.parameters)(&size) > 0
    }

    /// The same configuration with a layout that the encoding has: [`Layout::Concatenated`] in place of one that it has not.
    #[inline(never)]
    pub fn config(&self, config: &TableConfig) -> TableConfig {
        let has = self.layouts.contains(&config.layout);
        TableConfig {
            layout: if has {
                config.layout
            } else {
                Layout::Concatenated
            },
            ..*config
        }
    }
}
