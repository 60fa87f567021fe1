//! The result of an inspection, as data; its wording is left to the caller.

use crate::description::{Axes, Frequencies, Positions};
use crate::formula::{Formula, Order, Rule, Waves};
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
    /// The cosines and the sines of a cache for RoPE in one table.
    RopeCosSin,
    /// The frequencies alone: one number per pair.
    Frequencies,
    /// Angles, before the sine.
    Angles,
    /// A bias of the scores of attention.
    Bias,
    /// Weights that are no table of positions.
    NotPositions,
    /// No formula, but adjacent rows are similar, as in learned tables.
    Learned,
    /// All rows are equal.
    Constant,
    /// None of these.
    Unknown,
}

impl Kind {
    /// Returns the kind of table that a formula gives.
    pub(crate) fn of(formula: &Formula) -> Kind {
        match formula.waves {
            Waves::Cosines => Self::RopeCos,
            Waves::Sines => Self::RopeSin,
            Waves::Both if formula.is_cache() => Self::RopeCosSin,
            Waves::Both => Self::Sinusoidal,
        }
    }

    /// Returns the name used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sinusoidal => "sinusoidal",
            Self::RopeCos => "rope-cos",
            Self::RopeSin => "rope-sin",
            Self::RopeCosSin => "rope-cos-sin",
            Self::Frequencies => "frequencies",
            Self::Angles => "angles",
            Self::Bias => "bias",
            Self::NotPositions => "not-positions",
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
    /// Sine and cosine are exchanged.
    Swapped,
    /// Sine and cosine of a pair have different frequencies.
    ExponentColumn,
    /// The exponent goes up to 2 instead of 1.
    ExponentDoubled,
    /// tensor2tensor's exponent in an interleaved table.
    ExponentHalfMinusOne,
    /// All pairs have the frequency 1.
    NoDivision,
    /// Another base than 10000.
    Base,
    /// Angles were computed in half precision or bfloat16.
    HalfPrecisionAngle,
    /// Angles were computed in single precision, and the error is noticeable.
    SinglePrecisionAngle,
    /// Several precisions of the angles give the same table once stored.
    ArithmeticHidden,
    /// All rows are equal.
    RepeatedRow,
    /// A row of zeros.
    ZeroRow,
    /// The width is odd.
    OddWidth,
    /// Positions are columns.
    Transposed,
    /// The numbers of a transposed table in the shape of the table.
    Reshaped,
    /// The shape in the file is another than that of the table.
    Squeezed,
    /// Angles in degrees.
    Degrees,
    /// Positions are multiplied by a number.
    PositionStep,
    /// All cells are multiplied by a number.
    Scaled,
    /// A number is added to all cells.
    Shifted,
    /// Sines, cosines or both are negated.
    Sign,
    /// Single cells are wrong.
    CorruptCell,
    /// Rows or columns are missing at the end.
    Truncated,
    /// NaN or infinity.
    NotFinite,
    /// A RoPE cache does not show which dimensions form a pair.
    PairOrderHidden,
    /// Too small to tell formulas apart.
    TooSmall,
    /// Frequencies of another rule than that of a base.
    ScaledFrequencies,
    /// Only the first pairs turn, or the frequencies are those of a wider table.
    Partial,
    /// Positions fall along the rows.
    Falling,
    /// Positions begin again.
    Restarts,
    /// Rows in sequence have the same position.
    Repeated,
    /// The first rows are no positions.
    SpecialRows,
    /// Positions along two or more axes.
    Axes,
    /// Whole rows are wrong.
    WrongRows,
    /// Whole columns are wrong.
    WrongColumns,
    /// Numbers were rounded to few bits.
    Coarse,
    /// Cells were set to zero at random and the others enlarged.
    Dropout,
    /// Looks learned.
    Learned,
    /// No known formula, and does not look learned.
    Unknown,
}

impl Code {
    /// Returns the name used in reports.
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
            Self::Reshaped => "reshaped",
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
            Self::ScaledFrequencies => "scaled-frequencies",
            Self::Partial => "partial",
            Self::Falling => "falling",
            Self::Restarts => "restarts",
            Self::Repeated => "repeated",
            Self::SpecialRows => "special-rows",
            Self::Axes => "axes",
            Self::WrongRows => "wrong-rows",
            Self::WrongColumns => "wrong-columns",
            Self::Coarse => "coarse",
            Self::Dropout => "dropout",
            Self::Learned => "learned",
            Self::Unknown => "unknown",
        }
    }

    /// Returns whether it is only information and not a mistake.
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

/// A cell with its actual and expected value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Row of the table (column, if it is transposed), from 0.
    pub position: usize,
    /// Column of the table (row, if it is transposed), from 0.
    pub dimension: usize,
    /// Value in the file.
    pub found: f64,
    /// Expected value; NaN if there is none.
    pub expected: f64,
}

/// A property of a table that is worth reporting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The kind of finding.
    pub code: Code,
    /// The first cell that shows it.
    pub cell: Option<Cell>,
    /// Number of cells or rows, if they are counted; if columns are missing, the original number of columns.
    pub count: Option<usize>,
}

/// Differences between a table and a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// The largest absolute value.
    pub max: f64,
    /// Root mean square.
    pub rms: f64,
}

/// The next best formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunnerUp {
    /// The formula.
    pub formula: Formula,
    /// Root mean square residual on the cells used for the fit, in units of the table.
    pub rms: f64,
}

/// What comes closest to a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The formula; `None` if it is what the report describes.
    pub formula: Option<Formula>,
    /// Root mean square residual, in units of the table.
    pub rms: f64,
}

/// The result of an inspection. What cannot be determined is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Rows and columns in the file.
    pub shape: (usize, usize),
    /// The shape in the file, if it is not rows and columns.
    pub squeezed: Option<Vec<u64>>,
    /// How the file stores numbers.
    pub storage: Storage,
    /// The coarsest format that represents all sampled numbers exactly.
    pub precision: Precision,
    /// What the table is.
    pub kind: Kind,
    /// The formula; the nearest one if none fits.
    pub formula: Option<Formula>,
    /// Order of the columns, as the setting `layout` names it; also `None` for a RoPE cache with one column per pair.
    pub layout: Option<&'static str>,
    /// Base of the frequencies.
    pub base: Option<f64>,
    /// Position of row 0.
    pub start: Option<i64>,
    /// How the exponents are computed.
    pub exponent: Option<Rule>,
    /// Whether sine and cosine are exchanged.
    pub swapped: Option<bool>,
    /// −1 if sines, cosines or both are negated, else 1.
    pub sign: Option<i32>,
    /// Signs of sines and of cosines.
    pub signs: Option<(i32, i32)>,
    /// What all cells are multiplied by.
    pub scale: Option<f64>,
    /// What is added to all cells.
    pub offset: Option<f64>,
    /// The precision that angles were computed in.
    pub arithmetic: Option<Precision>,
    /// Whether positions are columns.
    pub transposed: bool,
    /// Differences from the formula over all cells; if none fits, at least over the first rows.
    pub residual: Option<Residual>,
    /// The next best formula.
    pub runner_up: Option<RunnerUp>,
    /// What comes closest, and its root mean square residual, which is at most that of the runner-up.
    pub nearest: Option<Nearest>,
    /// Conventions with the same numbers, by name.
    pub also: Vec<&'static str>,
    /// The rule of the frequencies.
    pub frequencies: Option<Frequencies>,
    /// The positions of the rows; `None` for several axes.
    pub positions: Option<Positions>,
    /// The axes of positions in two or more dimensions.
    pub axes: Option<Axes>,
    /// Share of the rows whose nearest other row is adjacent; only for tables without a formula.
    pub nearest_is_neighbour: Option<f64>,
    /// For a constant table, the position whose row of the table of `formula` is repeated.
    pub repeated_position: Option<usize>,
    /// The first cell that differs from the correct table.
    pub first_wrong: Option<Cell>,
    /// Rows that do not belong to the others, as positions: columns of the file, if it is transposed.
    pub wrong_rows: Vec<usize>,
    /// Columns that do not belong to the others, as dimensions.
    pub wrong_columns: Vec<usize>,
    /// The findings, mistakes first.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Returns whether every cell is that of the paper's encoding, or of a documented layout of it.
    pub fn is_correct(&self) -> bool {
        self.has(Code::Correct)
    }

    /// Returns whether a formula was recognised.
    pub fn is_recognised(&self) -> bool {
        matches!(
            self.kind,
            Kind::Sinusoidal | Kind::RopeCos | Kind::RopeSin | Kind::RopeCosSin
        )
    }

    /// Returns whether frequencies, rows or columns were measured because no single formula holds.
    pub fn is_measured(&self) -> bool {
        self.is_recognised() && self.nearest.is_some_and(|it| it.formula.is_none())
    }

    /// Returns whether there is a finding with this code.
    pub fn has(&self, code: Code) -> bool {
        self.findings.iter().any(|finding| finding.code == code)
    }
}

/// Returns the order of the columns as the setting `layout` names it.
pub(crate) fn layout(formula: &Formula) -> Option<&'static str> {
    match (formula.order, formula.rule) {
        (Order::Interleaved, _) => Some("interleaved"),
        (Order::Halves, Rule::Tensor2tensor) => Some("tensor2tensor"),
        (Order::Halves | Order::Quarters, _) => Some("concatenated"),
        (Order::Single, _) => None,
    }
}
