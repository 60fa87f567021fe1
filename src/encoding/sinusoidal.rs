//! The encoding of Vaswani et al. 2017, §3.5: sines and cosines of geometrically falling frequencies.

use std::f64::consts::TAU;

use super::frequency::frequencies;
use super::layout::{Column, Layout, Member};
use crate::angle::Angle;
use crate::double_double::DoubleDouble;

/// The widest encoding, in dimensions.
pub const MAX_D_MODEL: usize = 16_384;
/// The longest table, in positions.
pub const MAX_LEN: usize = 1_048_576;

/// PE\[pos, 2i\] = sin(pos·ω_i), PE\[pos, 2i+1\] = cos(pos·ω_i), ω_i = base^(−2i/d_model), in one of three layouts.
///
/// Positions start at 0; negative ones are as good. A *pair* is a frequency, a *dimension* a column of the table.
/// Values are exact for every position up to 2^22 either way: nothing is lost by large angles.
#[derive(Clone, Debug, PartialEq)]
pub struct Sinusoidal {
    d_model: usize,
    base: f64,
    layout: Layout,
    frequencies: Vec<DoubleDouble>,
}

impl Sinusoidal {
    /// An encoding of `d_model` dimensions, 1 to [`MAX_D_MODEL`], with a finite base above 1, at most 1e300.
    /// The nearest legal number takes the place of an illegal one.
    pub fn new(d_model: usize, base: f64, layout: Layout) -> Self {
        let d_model = d_model.clamp(1, MAX_D_MODEL);
        // In this order because `max` and `min` prefer a number to NaN.
        let base = base.max(1.0 + f64::EPSILON).min(1e300);
        let pairs = layout.pairs(d_model);
        Self {
            d_model,
            base,
            layout,
            frequencies: frequencies(pairs, base, layout.exponent_denominator(d_model)),
        }
    }

    /// Number of dimensions.
    pub fn d_model(&self) -> usize {
        self.d_model
    }

    /// The base of the frequencies.
    pub fn base(&self) -> f64 {
        self.base
    }

    /// The order of the dimensions.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of frequencies: ⌈d_model/2⌉, in tensor2tensor's layout ⌊d_model/2⌋ (none at a width of 1).
    pub fn pairs(&self) -> usize {
        self.frequencies.len()
    }

    /// ω in radians per position.
    ///
    /// # Panics
    /// Like everything here that takes a pair, unless `pair < pairs()`.
    pub fn frequency(&self, pair: usize) -> f64 {
        self.frequencies[pair].hi
    }

    /// Positions per turn, 2π/ω.
    pub fn wavelength(&self, pair: usize) -> f64 {
        TAU / self.frequency(pair)
    }

    /// position · ω in radians, reduced to (−π, π].
    pub fn angle(&self, pair: usize, position: i64) -> f64 {
        self.angle_at(pair, position as f64).radians()
    }

    /// Sine and cosine of a pair, correctly rounded but for about one value in 10^13.
    pub fn sin_cos(&self, pair: usize, position: i64) -> (f64, f64) {
        self.angle_at(pair, position as f64).exact_sin_cos()
    }

    /// Sine and cosine anywhere between positions, off by less than a unit in the last place; quicker than
    /// [`sin_cos`](Self::sin_cos).
    pub fn sin_cos_at(&self, pair: usize, position: f64) -> (f64, f64) {
        self.angle_at(pair, position).sin_cos()
    }

    /// What a dimension holds.
    ///
    /// # Panics
    /// Like everything here that takes a dimension, unless `dimension < d_model()`.
    pub fn column(&self, dimension: usize) -> Column {
        assert!(
            dimension < self.d_model,
            "no dimension {dimension} in {}",
            self.d_model
        );
        self.layout.column(self.d_model, dimension)
    }

    /// Where a member of a pair is; `None` where an odd width leaves it out, and for a pair that does not exist.
    pub fn dimension(&self, pair: usize, member: Member) -> Option<usize> {
        self.layout.dimension(self.d_model, pair, member)
    }

    /// One number of the table, as exact as [`sin_cos`](Self::sin_cos).
    pub fn value(&self, position: i64, dimension: usize) -> f64 {
        match self.column(dimension) {
            Column::Wave { pair, member } => {
                let (sin, cos) = self.sin_cos(pair, position);
                match member {
                    Member::Sine => sin,
                    Member::Cosine => cos,
                }
            }
            Column::Zero => 0.0,
        }
    }

    pub(crate) fn angle_at(&self, pair: usize, position: f64) -> Angle {
        Angle::at(position, self.frequencies[pair])
    }
}
