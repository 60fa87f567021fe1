//! What is found in a table, as data; the words are said elsewhere.

use crate::formula::{Formula, Order, Rule};
use crate::precision::Precision;
use crate::table::Storage;

/// What a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Sines and cosines of positions.
    Sinusoidal,
    /// The cosines of a cache for RoPE.
    RopeCos,
    /// The sines of a cache for RoPE.
    RopeSin,
    /// No formula, but neighbouring rows are alike, as in tables that were trained.
    Learned,
    /// All rows are equal.
    Constant,
    /// None of these.
    Unknown,
}

impl Kind {
    /// As reports name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sinusoidal => "sinusoidal",
            Self::RopeCos => "rope-cos",
            Self::RopeSin => "rope-sin",
            Self::Learned => "learned",
            Self::Constant => "constant",
            Self::Unknown => "unknown",
        }
    }
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// Every cell is that of the paper's encoding, or of a documented layout of it.
    Correct,
    /// Row 0 is not position 0.
    StartOffset,
    /// Cosine where the sine belongs.
    Swapped,
    /// Sine and cosine of a pair have different frequencies.
    ExponentColumn,
    /// The exponent runs to 2.
    ExponentDoubled,
    /// tensor2tensor's exponent in an interleaved table.
    ExponentHalfMinusOne,
    /// All pairs have the frequency 1.
    NoDivision,
    /// Another base than 10000.
    Base,
    /// Angles in half precision.
    HalfPrecisionAngle,
    /// Angles in single precision, and it shows.
    SinglePrecisionAngle,
    /// Single and double precision are alike once stored like this.
    ArithmeticHidden,
    /// All rows are equal.
    RepeatedRow,
    /// A row of zeros.
    ZeroRow,
    /// The width is odd.
    OddWidth,
    /// Positions run across.
    Transposed,
    /// Axes of length 1 were left out.
    Squeezed,
    /// Angles in degrees.
    Degrees,
    /// Positions are multiplied by a number.
    PositionStep,
    /// All cells are multiplied by a number.
    Scaled,
    /// A number is added to all cells.
    Shifted,
    /// Sines, cosines or both have the other sign.
    Sign,
    /// Single cells are wrong.
    CorruptCell,
    /// Rows or columns are missing at the end.
    Truncated,
    /// NaN or infinity.
    NotFinite,
    /// The order of RoPE's pairs is not in the cache.
    PairOrderHidden,
    /// Too small to tell formulas apart.
    TooSmall,
    /// Looks trained.
    Learned,
    /// Nothing that is known.
    Unknown,
}

impl Code {
    /// As reports name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Correct => "correct",
            Self::StartOffset => "start-offset",
            Self::Swapped => "swapped",
            Self::ExponentColumn => "exponent-column",
            Self::ExponentDoubled => "exponent-doubled",
            Self::ExponentHalfMinusOne => "exponent-half-minus-one",
            Self::NoDivision => "no-division",
            Self::Base => "base",
            Self::HalfPrecisionAngle => "half-precision-angle",
            Self::SinglePrecisionAngle => "single-precision-angle",
            Self::ArithmeticHidden => "arithmetic-hidden",
            Self::RepeatedRow => "repeated-row",
            Self::ZeroRow => "zero-row",
            Self::OddWidth => "odd-width",
            Self::Transposed => "transposed",
            Self::Squeezed => "squeezed",
            Self::Degrees => "degrees",
            Self::PositionStep => "position-step",
            Self::Scaled => "scaled",
            Self::Shifted => "shifted",
            Self::Sign => "sign",
            Self::CorruptCell => "corrupt-cell",
            Self::Truncated => "truncated",
            Self::NotFinite => "not-finite",
            Self::PairOrderHidden => "pair-order-hidden",
            Self::TooSmall => "too-small",
            Self::Learned => "learned",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it only adds to what is known and is no mistake.
    pub const fn is_note(self) -> bool {
        matches!(
            self,
            Self::Correct
                | Self::SinglePrecisionAngle
                | Self::ArithmeticHidden
                | Self::OddWidth
                | Self::Squeezed
                | Self::PairOrderHidden
                | Self::TooSmall
        )
    }
}

/// A cell, with what stands in it and what should.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Row of the table as positions go, from 0.
    pub position: usize,
    /// Column of it, from 0.
    pub dimension: usize,
    /// In the file.
    pub found: f64,
    /// In the correct table.
    pub expected: f64,
}

/// Something that is worth saying of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// What it is about.
    pub code: Code,
    /// The first cell that shows it.
    pub cell: Option<Cell>,
    /// How many cells or rows, where that is counted; a share where code and words speak of one.
    pub count: Option<usize>,
}

/// What is left when the formula is taken away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// The largest, without its sign.
    pub max: f64,
    /// Root mean square.
    pub rms: f64,
}

/// The next best formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunnerUp {
    /// Which.
    pub formula: Formula,
    /// Root mean square of what it leaves, on the cells that formulas are compared on, in units of the table.
    pub rms: f64,
}

/// All that is found in a table. What cannot be known is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Rows and columns, as they lie in the file.
    pub shape: (usize, usize),
    /// The shape in the file, if axes of length 1 were left out.
    pub squeezed: Option<Vec<u64>>,
    /// What the file stores.
    pub storage: Storage,
    /// The coarsest format that holds all of the numbers.
    pub precision: Precision,
    /// What the table is.
    pub kind: Kind,
    /// The formula; of tables without one the nearest.
    pub formula: Option<Formula>,
    /// As the setting `layout` names it; `None` of a cache with one column per pair, too.
    pub layout: Option<&'static str>,
    /// Of the frequencies.
    pub base: Option<f64>,
    /// Position of row 0.
    pub start: Option<i64>,
    /// Which exponents.
    pub exponent: Option<Rule>,
    /// Cosine where the sine belongs.
    pub swapped: Option<bool>,
    /// −1 if sines, cosines or both have the other sign.
    pub sign: Option<i32>,
    /// Signs of sines and of cosines.
    pub signs: Option<(i32, i32)>,
    /// What all cells are multiplied by.
    pub scale: Option<f64>,
    /// What is added to all cells.
    pub offset: Option<f64>,
    /// The precision that angles were computed in.
    pub arithmetic: Option<Precision>,
    /// Positions run across.
    pub transposed: bool,
    /// What the formula leaves over, on all cells.
    pub residual: Option<Residual>,
    /// The next best formula.
    pub runner_up: Option<RunnerUp>,
    /// Share of the rows whose nearest other row is a neighbour; of tables without a formula.
    pub nearest_is_neighbour: Option<f64>,
    /// Of a constant table, the position whose row in the paper's table is repeated.
    pub repeated_position: Option<usize>,
    /// The first cell that differs from the correct table.
    pub first_wrong: Option<Cell>,
    /// What is worth saying, mistakes first.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Whether every cell is that of the paper's encoding, or of a documented layout of it.
    pub fn is_correct(&self) -> bool {
        self.has(Code::Correct)
    }

    /// Whether a formula was recognised.
    pub fn is_recognised(&self) -> bool {
        matches!(self.kind, Kind::Sinusoidal | Kind::RopeCos | Kind::RopeSin)
    }

    /// Whether something was found.
    pub fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }
}

/// As the setting `layout` names the order of a formula.
pub(crate) fn layout(formula: &Formula) -> Option<&'static str> {
    match (formula.order, formula.rule) {
        (Order::Interleaved, _) => Some("interleaved"),
        (Order::Halves, Rule::Tensor2tensor) => Some("tensor2tensor"),
        (Order::Halves, _) => Some("concatenated"),
        (Order::Single, _) => None,
    }
}
