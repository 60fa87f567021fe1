//! Metadata that all positional encodings provide, so that they can be compared.

use std::rc::Rc;

use crate::{AttentionHead, HeadConfig, Layout, PositionTable, Sinusoidal, TableConfig};

/// Sizes of a whole model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelSize {
    /// Number of rows of learned tables.
    pub max_len: usize,
    /// Width of the embeddings, in dimensions.
    pub d_model: usize,
    /// Number of heads of a layer.
    pub heads: usize,
    /// Number of layers.
    pub layers: usize,
}

/// The operation by which an encoding introduces positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// It does nothing.
    None,
    /// It adds vectors or scalars.
    Adds,
    /// It multiplies by matrices.
    Multiplies,
}

/// What an [`Operation`] is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Nothing.
    None,
    /// The embeddings of the tokens, before the first layer.
    Embedding,
    /// The attention logits.
    Logits,
    /// The queries and keys of a head, but not the values.
    QueriesAndKeys,
}

/// The part of an encoding that depends on positions only, not on queries and keys, with the function that computes it.
///
/// The layout in the configuration must be one of [`EncodingInfo::layouts`].
#[derive(Clone, Copy, Debug)]
pub enum PositionSignal {
    /// A table of sines and cosines, added to the embedding; its pairs rotate with the position.
    Sinusoids(fn(&TableConfig) -> Sinusoidal),
    /// A table of other numbers, added to the embedding; `None` if there is none of this size.
    Table(fn(&TableConfig) -> Option<Rc<dyn PositionTable>>),
    /// The frequencies at which pairs of queries and keys rotate; no table.
    Rotation(fn(&TableConfig) -> Sinusoidal),
    /// A bias added to each logit, [`AttentionHead::bias`]; no table and no rotation. It depends neither on the width
    /// nor on the layout.
    Bias,
}

impl PositionSignal {
    /// Returns whether there is a table, of vectors that are added.
    pub const fn has_table(self) -> bool {
        matches!(self, Self::Sinusoids(_) | Self::Table(_))
    }

    /// Returns whether the signal has dimensions, which can be grouped into pairs.
    pub const fn has_pairs(self) -> bool {
        !matches!(self, Self::Bias)
    }
}

/// Metadata of an encoding, and the functions that compute it.
#[derive(Clone, Copy, Debug)]
pub struct EncodingInfo {
    /// Name used in URLs.
    pub name: &'static str,
    /// Authors and year of the paper.
    pub source: &'static str,
    /// The operation by which it introduces positions.
    pub operation: Operation,
    /// What the operation is applied to.
    pub target: Target,
    /// Whether it is applied in every layer, rather than once before the first.
    pub every_layer: bool,
    /// Whether its contribution to a logit is bounded for all positions.
    pub bounded: bool,
    /// Whether the logit of a given query and key depends on the offset of their positions only.
    pub relative: bool,
    /// `None` if no part depends on positions only, or if it is one of several terms (Transformer-XL).
    pub signal: Option<PositionSignal>,
    /// Positions and dimensions of the table of a particular trained model; `None` if tables can have any size.
    pub shape: Option<[usize; 2]>,
    /// Whether the signal depends on the base of the frequencies.
    pub uses_base: bool,
    /// The layouts of its dimensions; always including [`Layout::Interleaved`] and [`Layout::Concatenated`].
    pub layouts: &'static [Layout],
    /// Number of learned parameters in a whole model (one stack of layers).
    pub parameters: fn(&ModelSize) -> usize,
    /// Creates a head with this encoding. Learned parameters are simulated, except Whisper's: the caller's function
    /// returns standard normal random numbers, which are scaled so that their effect is visible.
    pub head: fn(&HeadConfig, &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead>,
}

impl EncodingInfo {
    /// The layouts that hold the same numbers in different order.
    pub const EQUIVALENT_LAYOUTS: &'static [Layout] = &[Layout::Interleaved, Layout::Concatenated];

    /// Returns whether it has learned parameters that are simulated here.
    pub fn is_simulated(&self) -> bool {
        self.is_learned() && self.shape.is_none()
    }

    /// Returns whether it has learned parameters.
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

    /// Returns the configuration, with [`Layout::Concatenated`] if the encoding does not have its layout.
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
