//! The encoding of Vaswani et al. 2017, §3.5: sines and cosines of geometrically decreasing frequencies.

use std::f64::consts::TAU;
use std::ops::Range;

use crate::angle::Angle;
use crate::double_double::DoubleDouble;
use crate::frequency::frequencies;
use crate::head::added_dot;
use crate::{
    AttentionHead, Column, EncodingInfo, HeadConfig, HeatmapSampler, Layout, Matrix, Member,
    Operation, PositionSignal, PositionTable, Target,
};

/// Largest number of dimensions of an encoding.
pub const MAX_D_MODEL: usize = 16_384;
/// Largest number of positions of a table.
pub const MAX_LEN: usize = 1_048_576;

const MIN_BASE: f64 = 1.0 + f64::EPSILON;
/// Much larger bases have wavelengths that overflow `f64`.
const MAX_BASE: f64 = 1e300;

/// The encoding of Vaswani et al. 2017 (arXiv 1706.03762, §3.5): PE\[pos, 2i\] = sin(pos·ω_i), PE\[pos, 2i+1\] =
/// cos(pos·ω_i), ω_i = base^(−2i/d_model), in one of three layouts.
///
/// Positions start at 0; negative ones are valid. A *pair* is the sine and cosine of one frequency, a *dimension* a column
/// of the table. Large angles lose no accuracy for positions up to 2^22 either way.
#[derive(Clone, Debug, PartialEq)]
pub struct Sinusoidal {
    d_model: usize,
    base: f64,
    layout: Layout,
    frequencies: Vec<DoubleDouble>,
}

impl Sinusoidal {
    /// Creates an encoding of `d_model` dimensions, 1 to [`MAX_D_MODEL`], with a base above 1 and at most 1e300.
    /// Arguments outside these ranges are clamped.
    pub fn new(d_model: usize, base: f64, layout: Layout) -> Self {
        let d_model = d_model.clamp(1, MAX_D_MODEL);
        let base = if base > 1.0 {
            base.min(MAX_BASE)
        } else {
            MIN_BASE
        };
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

    /// Number of frequencies: ⌈d_model/2⌉; in tensor2tensor's layout ⌊d_model/2⌋ (none if `d_model` is 1).
    pub fn pairs(&self) -> usize {
        self.frequencies.len()
    }

    /// Returns ω in radians per position.
    ///
    /// # Panics
    /// Unless `pair < pairs()`; so do the other methods that take a pair, except [`dimension`](Self::dimension).
    pub fn frequency(&self, pair: usize) -> f64 {
        self.frequencies[pair].hi
    }

    /// Returns the wavelength 2π/ω in positions.
    pub fn wavelength(&self, pair: usize) -> f64 {
        TAU / self.frequency(pair)
    }

    /// Returns the angle position · ω in radians, reduced to (−π, π].
    pub fn angle(&self, pair: usize, position: i64) -> f64 {
        self.angle_at(pair, position as f64).radians()
    }

    /// Returns sine and cosine of a pair, correctly rounded except for a few values in 10^7.
    pub fn sin_cos(&self, pair: usize, position: i64) -> (f64, f64) {
        self.angle_at(pair, position as f64).exact_sin_cos()
    }

    /// Returns sine and cosine of a pair at a possibly fractional position, with an error below 1 ulp; faster than
    /// [`sin_cos`](Self::sin_cos).
    pub fn sin_cos_at(&self, pair: usize, position: f64) -> (f64, f64) {
        self.angle_at(pair, position).sin_cos()
    }

    /// Returns what a dimension holds.
    ///
    /// # Panics
    /// Unless `dimension < d_model()`.
    pub fn column(&self, dimension: usize) -> Column {
        assert!(
            dimension < self.d_model,
            "no dimension {dimension} in {}",
            self.d_model
        );
        self.layout.column(self.d_model, dimension)
    }

    /// Returns the dimension of a member of a pair; `None` if an odd `d_model` omits it or the pair does not exist.
    pub fn dimension(&self, pair: usize, member: Member) -> Option<usize> {
        self.layout.dimension(self.d_model, pair, member)
    }

    /// Returns one number of the table, as accurate as [`sin_cos`](Self::sin_cos).
    ///
    /// # Panics
    /// Unless `dimension < d_model()`.
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

impl PositionTable for Sinusoidal {
    fn d_model(&self) -> usize {
        self.d_model()
    }

    fn value(&self, position: i64, dimension: usize) -> Option<f64> {
        (dimension < self.d_model()).then(|| self.value(position, dimension))
    }

    fn rows_f64(&self, positions: Range<usize>, out: &mut [f64]) {
        self.block_f64(positions, out);
    }

    fn rows_f32(&self, positions: Range<usize>, out: &mut [f32]) {
        self.block_f32(positions, out);
    }

    fn means<'a>(
        &self,
        sampler: &'a mut HeatmapSampler,
        positions: Range<f64>,
        dimensions: Range<f64>,
        (width, height): (usize, usize),
    ) -> &'a [f32] {
        sampler.render(self, positions, dimensions, width, height)
    }

    fn column_name(&self, dimension: usize) -> String {
        match self.column(dimension) {
            Column::Wave { pair, member } => {
                let wave = match member {
                    Member::Sine => "sin",
                    Member::Cosine => "cos",
                };
                format!("{dimension}:{wave}{pair}")
            }
            Column::Zero => format!("{dimension}:zero"),
        }
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        vec![
            ("base", self.base().to_string()),
            ("layout", self.layout().name().into()),
        ]
    }
}

pub(crate) const INFO: EncodingInfo = EncodingInfo {
    name: "sinusoidal",
    source: "Vaswani et al. 2017",
    operation: Operation::Adds,
    target: Target::Embedding,
    every_layer: false,
    bounded: true,
    relative: false,
    signal: Some(PositionSignal::Sinusoids(|size| {
        Sinusoidal::new(size.d_model, size.base, size.layout)
    })),
    shape: None,
    uses_base: true,
    layouts: &Layout::ALL,
    parameters: |_| 0,
    head,
};

fn head(size: &HeadConfig, _: &mut dyn FnMut() -> f64) -> Box<dyn AttentionHead> {
    Box::new(SinusoidalHead::new(size))
}

struct SinusoidalHead {
    pe: Sinusoidal,
    /// Rows computed in advance, of positions 0 to max_len − 1.
    table: Matrix<f64>,
}

impl SinusoidalHead {
    fn new(size: &HeadConfig) -> Self {
        let pe = Sinusoidal::new(size.width, size.base, Layout::Interleaved);
        Self {
            table: pe.table_f64(size.max_len.min(MAX_LEN)),
            pe,
        }
    }
}

impl AttentionHead for SinusoidalHead {
    fn logit(&self, q: (&[f64], i64), k: (&[f64], i64)) -> Option<f64> {
        added_dot(self, q, k)
    }

    fn added(&self, position: i64) -> Option<Vec<f64>> {
        let row = usize::try_from(position).ok();
        let row = row.filter(|&row| row < self.table.positions);
        Some(row.map_or_else(|| self.pe.row(position), |row| self.table.row(row).to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_numbers_give_way_to_the_nearest_legal_ones() {
        let encoding = |d_model, base| Sinusoidal::new(d_model, base, Layout::Interleaved);
        assert_eq!(encoding(0, 2.0).d_model(), 1);
        assert_eq!(encoding(usize::MAX, 2.0).d_model(), MAX_D_MODEL);
        for base in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 1.0] {
            assert_eq!(encoding(4, base).base(), MIN_BASE);
        }
        assert_eq!(encoding(4, f64::INFINITY).base(), MAX_BASE);
    }

    #[test]
    fn extreme_bases_stay_finite() {
        for base in [MIN_BASE, MAX_BASE] {
            for layout in [
                Layout::Interleaved,
                Layout::Concatenated,
                Layout::Tensor2tensor,
            ] {
                let encoding = Sinusoidal::new(6, base, layout);
                for pair in 0..encoding.pairs() {
                    assert!(
                        encoding.frequency(pair) > 0.0 && encoding.wavelength(pair).is_finite()
                    );
                    let (sin, cos) = encoding.sin_cos(pair, 1_048_575);
                    assert!(sin.abs() <= 1.0 && cos.abs() <= 1.0);
                }
            }
        }
    }

    #[test]
    fn negative_positions_mirror() {
        let encoding = Sinusoidal::new(64, 10_000.0, Layout::Interleaved);
        for pair in 0..32 {
            let ((sin, cos), (mirrored, same)) =
                (encoding.sin_cos(pair, 777), encoding.sin_cos(pair, -777));
            assert_eq!((mirrored, same), (-sin, cos));
        }
    }
}
