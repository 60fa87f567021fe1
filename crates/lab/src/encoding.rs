//! The encodings that a model can be trained with.

use posenc_encoding::Encoding as Known;

/// An encoding of positions that a model can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// No encoding: only the causal mask tells positions apart.
    None,
    /// Sines and cosines added to the embedding.
    Sinusoidal,
    /// A learned table added to the embedding.
    Learned,
    /// Rotation of queries and keys.
    Rope,
    /// A bias in proportion to the distance.
    Alibi,
    /// A learned bias for each bucket of offsets.
    T5,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::None,
        Self::Sinusoidal,
        Self::Learned,
        Self::Rope,
        Self::Alibi,
        Self::T5,
    ];

    /// The same encoding among those of the project.
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

    /// As links name it.
    pub const fn name(self) -> &'static str {
        self.known().name()
    }

    /// The encoding of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.name() == name)
    }
}
