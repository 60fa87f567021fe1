//! Columns as turning numbers: from band to band each is multiplied by e^{iωn}.
//!
//! With z = e^{iωr} the sum over the positions r ≤ q < r + n is z·S_n, S_n = e^{iω(n−1)/2} · sin(nω/2) / sin(ω/2):
//! its imaginary part for a sine, its real part for a cosine.

use std::ops::Range;

use super::super::layout::{Column, Member};
use super::super::sinusoidal::Sinusoidal;
use super::bands::{Band, Bands};
use super::spans::Unit;
use crate::f64x2::F64x2;

#[derive(Clone, Debug, Default)]
pub(super) struct Oscillators {
    couples: Vec<Couple>,
    line: Vec<f64>,
    fractions: bool,
}

/// Two neighbouring columns.
#[derive(Clone, Copy, Debug)]
struct Couple {
    cos: F64x2,
    sin: F64x2,
    /// What the column holds at the band's first position.
    sample: F64x2,
    cos_weight: F64x2,
    sin_weight: F64x2,
    /// For the shorter step and for the longer one.
    steps: [Step; 2],
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// e^{iωn}.
    cos: F64x2,
    sin: F64x2,
    /// The column's sum over n positions is these times (cos, sin).
    cos_sum: F64x2,
    sin_sum: F64x2,
}

/// One column, before it is joined with its neighbour.
#[derive(Clone, Copy, Debug, Default)]
struct Column1 {
    start: [f64; 2],
    weights: [f64; 2],
    turns: [[f64; 2]; 2],
    sums: [[f64; 2]; 2],
}

impl Oscillators {
    /// Sets the columns (dimensions or pairs) up at the start of the first band.
    pub(super) fn start(
        &mut self,
        encoding: &Sinusoidal,
        unit: Unit,
        columns: Range<usize>,
        bands: &Bands,
    ) {
        let column = |index: usize| {
            if index >= columns.end {
                return Column1::default();
            }
            let (pair, weights) = match unit {
                Unit::Pair => {
                    let cosine = encoding.dimension(index, Member::Cosine).is_some();
                    (index, [if cosine { 1.0 } else { 0.0 }, 1.0])
                }
                Unit::Dimension => match encoding.column(index) {
                    Column::Wave {
                        pair,
                        member: Member::Sine,
                    } => (pair, [0.0, 1.0]),
                    Column::Wave {
                        pair,
                        member: Member::Cosine,
                    } => (pair, [1.0, 0.0]),
                    Column::Zero => return Column1::default(),
                },
            };
            Column1::new(encoding, pair, weights, bands)
        };
        self.fractions = bands.fractions;
        self.couples.clear();
        self.couples.extend(
            columns
                .clone()
                .step_by(2)
                .map(|index| Couple::new(column(index), column(index + 1))),
        );
        self.line.resize(2 * self.couples.len(), 0.0);
    }

    /// The sums of all columns over a band; then goes on to the next band.
    pub(super) fn next_line(&mut self, band: &Band) -> &[f64] {
        if self.fractions {
            self.advance::<true>(band);
        } else {
            self.advance::<false>(band);
        }
        &self.line
    }

    fn advance<const FRACTIONS: bool>(&mut self, band: &Band) {
        let which = usize::from(band.longer);
        let (before, after) = (F64x2::splat(band.before), F64x2::splat(band.after));
        for (couple, out) in self.couples.iter_mut().zip(self.line.chunks_exact_mut(2)) {
            let step = &couple.steps[which];
            let (cos, sin) = (couple.cos, couple.sin);
            let mut sum = cos * step.cos_sum + sin * step.sin_sum;
            couple.cos = cos * step.cos - sin * step.sin;
            couple.sin = sin * step.cos + cos * step.sin;
            if FRACTIONS {
                let next = couple.cos * couple.cos_weight + couple.sin * couple.sin_weight;
                sum = sum - before * couple.sample + after * next;
                couple.sample = next;
            }
            out.copy_from_slice(&sum.to_array());
        }
    }
}

impl Column1 {
    fn new(encoding: &Sinusoidal, pair: usize, weights: [f64; 2], bands: &Bands) -> Self {
        let (sin, cos) = encoding.sin_cos_at(pair, bands.start as f64);
        let (half_sin, half_cos) = encoding.sin_cos_at(pair, 0.5);
        let [cos_weight, sin_weight] = weights;
        let mut column = Self {
            start: [cos, sin],
            weights,
            ..Self::default()
        };
        for (which, n) in [bands.step, bands.step + 1].into_iter().enumerate() {
            let (n_sin, n_cos) = encoding.sin_cos_at(pair, n as f64 / 2.0);
            column.turns[which] = [1.0 - 2.0 * n_sin * n_sin, 2.0 * n_sin * n_cos];
            let size = n_sin / half_sin;
            let re = size * (n_cos * half_cos + n_sin * half_sin);
            let im = size * (n_sin * half_cos - n_cos * half_sin);
            column.sums[which] = [
                cos_weight * re + sin_weight * im,
                sin_weight * re - cos_weight * im,
            ];
        }
        column
    }
}

impl Couple {
    fn new(a: Column1, b: Column1) -> Self {
        let step = |which: usize| Step {
            cos: F64x2::new(a.turns[which][0], b.turns[which][0]),
            sin: F64x2::new(a.turns[which][1], b.turns[which][1]),
            cos_sum: F64x2::new(a.sums[which][0], b.sums[which][0]),
            sin_sum: F64x2::new(a.sums[which][1], b.sums[which][1]),
        };
        let cos = F64x2::new(a.start[0], b.start[0]);
        let sin = F64x2::new(a.start[1], b.start[1]);
        let cos_weight = F64x2::new(a.weights[0], b.weights[0]);
        let sin_weight = F64x2::new(a.weights[1], b.weights[1]);
        Self {
            cos,
            sin,
            sample: cos * cos_weight + sin * sin_weight,
            cos_weight,
            sin_weight,
            steps: [step(0), step(1)],
        }
    }
}
