//! Sums of pairs over bands by a recurrence: from one band to the next, e^{iωr} is multiplied by e^{iωn}.
//!
//! With z = e^{iωr} the sum over the positions r ≤ q < r + n is z·S_n, S_n = e^{iω(n−1)/2} · sin(nω/2) / sin(ω/2):
//! its imaginary part is the sum of sines, its real part that of cosines.

use std::iter;
use std::ops::Range;
use std::slice::ChunksExact;

use super::bands::{Band, Bands};
use super::complex::Complex;
use crate::f64x2::F64x2;
use crate::{Layout, Member, Sinusoidal};

/// How the sums of pairs are arranged in columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ColumnLayout {
    /// A column is the sum of a pair's sine and cosine.
    #[default]
    Added,
    /// A column is a dimension; every sine is followed by its cosine.
    Alternating,
    /// A column is a dimension; all sines precede all cosines.
    Apart,
}

impl ColumnLayout {
    /// Returns the arrangement with one column per dimension.
    pub(super) fn of(layout: Layout) -> Self {
        match layout {
            Layout::Interleaved => Self::Alternating,
            Layout::Concatenated | Layout::Tensor2tensor => Self::Apart,
        }
    }

    /// Returns the columns of some pairs, in one run or two, if the cosines begin at column `all`; a sine without a cosine
    /// counts as a pair.
    pub(super) fn columns(
        self,
        pairs: Range<usize>,
        all: usize,
    ) -> impl Iterator<Item = Range<usize>> {
        let (run, second) = match self {
            Self::Added => (pairs, None),
            Self::Alternating => (2 * pairs.start..2 * pairs.end, None),
            Self::Apart => (pairs.clone(), Some(all + pairs.start..all + pairs.end)),
        };
        iter::once(run).chain(second)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Oscillators {
    layout: ColumnLayout,
    couples: Vec<Couple>,
    lines: Vec<f64>,
    fractions: bool,
}

/// Two neighbouring pairs.
#[derive(Clone, Copy, Debug)]
struct Couple {
    /// e^{iωr} at the band's first position.
    at: Complex,
    /// An added column is the real part of this times the sum.
    weight: Complex,
    /// For shorter and for longer bands.
    steps: [Step; 2],
}

#[derive(Clone, Copy, Debug)]
struct Step {
    /// e^{iωn}.
    turn: Complex,
    /// S_n; for added columns S_n · weight.
    sum: Complex,
}

impl Oscillators {
    /// Initializes the pairs at the start of the first band.
    pub(super) fn start(
        &mut self,
        encoding: &Sinusoidal,
        layout: ColumnLayout,
        pairs: Range<usize>,
        bands: &Bands,
    ) {
        let last = pairs.end - 1;
        let couples = pairs.step_by(2).map(|pair| {
            let couple = Couple::new(encoding, [pair, last.min(pair + 1)], bands);
            if layout == ColumnLayout::Added {
                couple.added()
            } else {
                couple
            }
        });
        self.couples.clear();
        self.couples.extend(couples);
        self.layout = layout;
        self.fractions = bands.fractions;
        let per_couple = if layout == ColumnLayout::Added { 2 } else { 4 };
        self.lines.resize(per_couple * self.couples.len(), 0.0);
    }

    /// Returns the sums over a band and moves to the next band. Each run of [`ColumnLayout::columns`] has a line, which may
    /// have surplus numbers at its end.
    pub(super) fn next_lines(&mut self, band: &Band) -> ChunksExact<'_, f64> {
        if self.fractions {
            self.advance::<true>(band);
        } else {
            self.advance::<false>(band);
        }
        let runs = if self.layout == ColumnLayout::Apart {
            2
        } else {
            1
        };
        self.lines.chunks_exact(self.lines.len() / runs)
    }

    fn advance<const FRACTIONS: bool>(&mut self, band: &Band) {
        let couples = self.couples.iter_mut();
        match self.layout {
            ColumnLayout::Added => {
                let (line, _) = self.lines.as_chunks_mut();
                for (couple, out) in couples.zip(line) {
                    *out = couple.advance::<FRACTIONS, true>(band).re.to_array();
                }
            }
            ColumnLayout::Alternating => {
                let (line, _) = self.lines.as_chunks_mut();
                for (couple, out) in couples.zip(line) {
                    let sum = couple.advance::<FRACTIONS, false>(band);
                    let ([sin0, sin1], [cos0, cos1]) = (sum.im.to_array(), sum.re.to_array());
                    *out = [sin0, cos0, sin1, cos1];
                }
            }
            ColumnLayout::Apart => {
                let (sines, cosines) = self.lines.split_at_mut(2 * couples.len());
                let (sines, _) = sines.as_chunks_mut();
                let (cosines, _) = cosines.as_chunks_mut();
                for ((couple, sines), cosines) in couples.zip(sines).zip(cosines) {
                    let sum = couple.advance::<FRACTIONS, false>(band);
                    (*sines, *cosines) = (sum.im.to_array(), sum.re.to_array());
                }
            }
        }
    }
}

impl Couple {
    fn new(encoding: &Sinusoidal, pairs: [usize; 2], bands: &Bands) -> Self {
        let at = |position: f64| {
            Complex::new(pairs.map(|pair| {
                let (sin, cos) = encoding.sin_cos_at(pair, position);
                [cos, sin]
            }))
        };
        let half = at(0.5);
        let step = |n: i64| {
            let half_turn = at(n as f64 / 2.0);
            Step {
                turn: half_turn * half_turn,
                sum: (half_turn * half.conjugate()).scaled(half_turn.im / half.im),
            }
        };
        let cosine = |pair| encoding.dimension(pair, Member::Cosine).is_some();
        Self {
            at: at(bands.start as f64),
            weight: Complex::new(pairs.map(|pair| [if cosine(pair) { 1.0 } else { 0.0 }, -1.0])),
            steps: [step(bands.step), step(bands.step + 1)],
        }
    }

    fn added(mut self) -> Self {
        for step in &mut self.steps {
            step.sum = step.sum * self.weight;
        }
        self
    }

    /// Returns the sums over a band and moves to the next. The real part is of cosines and the imaginary part of sines; if
    /// `ADDED`, the real part is of both.
    #[inline(always)]
    fn advance<const FRACTIONS: bool, const ADDED: bool>(&mut self, band: &Band) -> Complex {
        let Step { turn, sum } = self.steps[usize::from(band.longer)];
        let (at, next) = (self.at, self.at * turn);
        self.at = next;
        let sum = at * sum;
        if !FRACTIONS {
            return sum;
        }
        let edges = next.scaled(F64x2::splat(band.after)) - at.scaled(F64x2::splat(band.before));
        sum + if ADDED { edges * self.weight } else { edges }
    }
}
