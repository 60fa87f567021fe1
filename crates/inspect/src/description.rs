//! Descriptions of frequencies, of the positions of rows, and of axes.

/// A rule of frequencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrequencyRule {
    /// base^(−i/m) for the pairs i = 0 … m − 1, or base^(−i/(m − 1)).
    Geometric,
    /// Llama 3.1's: the slow pairs are divided by a factor, with a transition that is linear in the frequency.
    Llama3,
    /// YaRN (Peng et al. 2023): the same with a transition that is linear in the number of the pair.
    Yarn,
    /// LongRoPE (Ding et al. 2024): each pair is divided by a number of its own, of at least 1 and growing.
    Longrope,
    /// All frequencies of a geometric rule are divided by a factor: position interpolation.
    LinearScaled,
    /// The first pairs are those of a geometric rule, the others do not turn.
    Proportional,
    /// Each frequency is twice the one before it.
    PowersOfTwo,
    /// Adjacent frequencies differ by the same number.
    Linear,
    /// None of these.
    Listed,
}

impl FrequencyRule {
    /// Returns the name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Geometric => "geometric",
            Self::Llama3 => "llama3",
            Self::Yarn => "yarn",
            Self::Longrope => "longrope",
            Self::LinearScaled => "linear-scaled",
            Self::Proportional => "proportional",
            Self::PowersOfTwo => "powers-of-two",
            Self::Linear => "linear",
            Self::Listed => "listed",
        }
    }
}

/// The frequencies of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Frequencies {
    /// Their rule.
    pub rule: FrequencyRule,
    /// The base, if the rule has one and it is known.
    pub base: Option<f64>,
    /// What frequencies are divided by; of a linear rule, the difference of adjacent ones in radians per row, up to whole turns.
    pub factor: Option<f64>,
    /// The first pair whose frequency is not that of the base alone.
    pub from_pair: Option<usize>,
    /// The measured frequencies in radians per position, if no rule with parameters gives them.
    pub listed: Option<Vec<f64>>,
    /// Whether the frequencies were rounded to a 16-bit format.
    pub is_rounded: bool,
}

impl Frequencies {
    /// Returns those of a base, all divided by a factor if `scaled`.
    pub(crate) fn of_base(base: f64, scaled: bool) -> Frequencies {
        Frequencies {
            rule: match scaled {
                true => FrequencyRule::LinearScaled,
                false => FrequencyRule::Geometric,
            },
            base: Some(base),
            factor: None,
            from_pair: None,
            listed: None,
            is_rounded: false,
        }
    }
}

/// A rule of the positions of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionRule {
    /// start + step · row.
    Arithmetic,
    /// Counted from the start again, once or at equal distances.
    Restarts,
    /// Several rows in sequence have the same position.
    Repeated,
    /// From some row on, all rows have the same position.
    Clamped,
    /// None of these.
    Listed,
}

impl PositionRule {
    /// Returns the name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Arithmetic => "arithmetic",
            Self::Restarts => "restarts",
            Self::Repeated => "repeated",
            Self::Clamped => "clamped",
            Self::Listed => "listed",
        }
    }
}

/// The positions of the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Positions {
    /// Their rule.
    pub rule: PositionRule,
    /// The position of the first row that has one.
    pub start: f64,
    /// The difference of adjacent positions, before the rule sets in.
    pub step: Option<f64>,
    /// The first row that does not follow `start` and `step`; if all do, `None`.
    pub row: Option<usize>,
}

/// The axes of positions in two or more dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Axes {
    /// Their lengths, from the one that changes slowest along the rows to the fastest.
    pub sizes: Vec<usize>,
    /// The index in `sizes` of the axis that is in the first columns.
    pub first: usize,
    /// Number of rows before the first position.
    pub special_rows: usize,
}

impl Axes {
    /// Returns for the axis of each block of columns the number of rows with the same position in sequence, and of positions
    /// until they begin again.
    pub(crate) fn by_block(&self) -> Vec<(usize, usize)> {
        let others = (0..self.sizes.len()).filter(|at| *at != self.first);
        let order = std::iter::once(self.first).chain(others);
        let of = |at: usize| (self.sizes[at + 1..].iter().product(), self.sizes[at]);
        order.map(of).collect()
    }
}
