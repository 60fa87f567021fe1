//! The encodings that a model can be trained with.

use posenc_encoding::Encoding as Known;

/// A positional encoding of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// No encoding: only the causal mask distinguishes positions.
    None,
    /// Sines and cosines added to the embedding.
    Sinusoidal,
    /// A learned table added to the embedding.
    Learned,
    /// Rotation of queries and keys.
    Rope,
    /// A bias of the logits in proportion to the distance.
    Alibi,
    /// A learned bias of the logits for each bucket of offsets.
    T5,
}

impl Encoding {
    /// All encodings.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Sinusoidal,
        Self::Learned,
        Self::Rope,
        Self::Alibi,
        Self::T5,
    ];

    /// Returns the same encoding of the crate `posenc_encoding`.
    const fn known(self) -> Known {
        match self {
            Self::None => Known::None,
            Self::Sinusoidal => Known::Sinusoidal,
            Self::Learned => Known::Learned,
            Self::Rope => Known::Rope,
            Self::Alibi => Known::Alibi,
            Self::T5 => Known::T5,
        }
    }

    /// Returns the name used in links.
    pub const fn name(self) -> &'static str {
        self.known().name()
    }

    /// Returns the encoding with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.name() == name)
    }
}
