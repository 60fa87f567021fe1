//! Which dimension holds the sine or cosine of which pair.

/// The order of the dimensions of a sinusoidal encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Layout {
    /// Sine and cosine of a pair side by side, as in Vaswani et al. 2017.
    #[default]
    Interleaved,
    /// All sines, then all cosines, as in TensorFlow's tutorial, Transformer-XL and MAE.
    Concatenated,
    /// All sines, then all cosines, and frequencies that reach 1/base exactly, as in tensor2tensor and Whisper.
    Tensor2tensor,
}

/// One half of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Member {
    /// sin(pos·ω).
    #[default]
    Sine,
    /// cos(pos·ω).
    Cosine,
}

/// Content of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// A sine or cosine of the position.
    Wave {
        /// Index of the frequency, from 0.
        pair: usize,
        /// Which half of the pair.
        member: Member,
    },
    /// Zero everywhere: the last dimension of tensor2tensor's layout when the width is odd.
    Zero,
}

impl Layout {
    /// All layouts, that of the paper first.
    pub const ALL: [Layout; 3] = [Self::Interleaved, Self::Concatenated, Self::Tensor2tensor];

    /// Returns the layout with this name.
    pub fn named(name: &str) -> Option<Layout> {
        Self::ALL.into_iter().find(|layout| layout.name() == name)
    }

    /// Returns the name used in URLs and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interleaved => "interleaved",
            Self::Concatenated => "concatenated",
            Self::Tensor2tensor => "tensor2tensor",
        }
    }

    /// Returns the number of frequencies of an encoding of `d_model` dimensions. If `d_model` is odd, the last sine has
    /// no cosine; tensor2tensor's layout ends with a zero instead.
    pub fn pairs(self, d_model: usize) -> usize {
        match self {
            Self::Interleaved | Self::Concatenated => d_model.div_ceil(2),
            Self::Tensor2tensor => d_model / 2,
        }
    }

    /// Returns (numerator, denominator) of the exponent in the frequency of a pair, base^(−numerator/denominator).
    pub fn exponent(self, d_model: usize, pair: usize) -> (usize, usize) {
        match self {
            Self::Interleaved | Self::Concatenated => (2 * pair, d_model),
            Self::Tensor2tensor => (pair, (d_model / 2).saturating_sub(1).max(1)),
        }
    }

    /// The divisor n in the frequency base^(−i/n) of pair i.
    pub(crate) fn exponent_denominator(self, d_model: usize) -> f64 {
        match self {
            Self::Interleaved | Self::Concatenated => d_model as f64 / 2.0,
            Self::Tensor2tensor => (d_model / 2).saturating_sub(1).max(1) as f64,
        }
    }

    /// Returns what a dimension of a table with `d_model` columns holds.
    pub fn column(self, d_model: usize, dimension: usize) -> Column {
        let pairs = self.pairs(d_model);
        let (pair, member) = match self {
            Self::Interleaved if dimension.is_multiple_of(2) => (dimension / 2, Member::Sine),
            Self::Interleaved => (dimension / 2, Member::Cosine),
            _ if dimension < pairs => (dimension, Member::Sine),
            _ => (dimension - pairs, Member::Cosine),
        };
        if pair < pairs {
            Column::Wave { pair, member }
        } else {
            Column::Zero
        }
    }

    /// Returns the dimension of a member of a pair; `None` if an odd `d_model` omits it or the pair does not exist.
    pub fn dimension(self, d_model: usize, pair: usize, member: Member) -> Option<usize> {
        let pairs = self.pairs(d_model);
        let dimension = match (self, member) {
            (Self::Interleaved, Member::Sine) => 2 * pair,
            (Self::Interleaved, Member::Cosine) => 2 * pair + 1,
            (_, Member::Sine) => pair,
            (_, Member::Cosine) => pairs + pair,
        };
        (pair < pairs && dimension < d_model).then_some(dimension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUTS: [Layout; 3] = [
        Layout::Interleaved,
        Layout::Concatenated,
        Layout::Tensor2tensor,
    ];

    #[test]
    fn every_dimension_holds_what_is_said_to_be_there() {
        for layout in LAYOUTS {
            for d_model in 1..40 {
                for dimension in 0..d_model {
                    match layout.column(d_model, dimension) {
                        Column::Wave { pair, member } => {
                            assert_eq!(layout.dimension(d_model, pair, member), Some(dimension));
                        }
                        Column::Zero => {
                            assert_eq!((layout, d_model % 2), (Layout::Tensor2tensor, 1))
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn only_the_last_pair_of_an_odd_width_lacks_its_cosine() {
        for layout in [Layout::Interleaved, Layout::Concatenated] {
            assert_eq!(layout.dimension(7, 3, Member::Cosine), None);
            assert!(layout.dimension(7, 3, Member::Sine).is_some());
            assert!(layout.dimension(7, 2, Member::Cosine).is_some());
        }
        assert_eq!(Layout::Tensor2tensor.dimension(7, 3, Member::Sine), None);
    }
}
