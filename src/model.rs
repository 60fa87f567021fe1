//! Every number that the views show, computed from a state.

use crate::encoding::{Column, Layout, Member, Sinusoidal};
use crate::lang::Lang;
use crate::rotation::Rotation;
use crate::settings::State;
use std::rc::Rc;

/// A state and what follows from it.
pub struct Model {
    pub state: State,
    pub lang: Lang,
    pub pe: Rc<Sinusoidal>,
    /// How far a playing animation has moved from pos towards pos + 1, in 0 … 1.
    pub glide: f64,
    /// `None` where the selected dimension is tensor2tensor's zero column.
    pub pair: Option<Pair>,
    /// Largest |M_k·PE(pos) − PE(pos+k)| over all pairs at the selected position.
    pub residual: f64,
}

/// The selected pair at pos and at pos + k. Vectors are (sine, cosine).
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub index: usize,
    /// ω, in radians per position.
    pub frequency: f64,
    /// λ = 2π/ω, in positions.
    pub wavelength: f64,
    /// pos·ω and k·ω in radians, not reduced.
    pub angle: f64,
    pub turn: f64,
    pub here: [f64; 2],
    pub there: [f64; 2],
    /// `None` for a sine without its cosine, the last column of an odd d_model.
    pub block: Option<Block>,
}

/// The pair's block of M_k and what it makes of PE(pos).
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub matrix: [[f64; 2]; 2],
    pub product: [f64; 2],
    /// Largest difference of the product from PE(pos+k).
    pub residual: f64,
}

impl Model {
    /// Computes everything for `state`, reusing the previous model's frequencies if they are the same.
    pub fn compute(state: &State, lang: Lang, glide: f64, previous: Option<&Model>) -> Model {
        let pe = previous
            .map(|model| &model.pe)
            .filter(|pe| {
                pe.d_model() == state.d_model()
                    && pe.base() == state.base()
                    && pe.layout() == state.layout()
            })
            .cloned()
            .unwrap_or_else(|| {
                Rc::new(Sinusoidal::new(
                    state.d_model(),
                    state.base(),
                    state.layout(),
                ))
            });
        let pos = state.pos() as i64;
        let rotation = Rotation::new(&pe, state.k());
        let pair = (state.pair() < pe.pairs())
            .then(|| Pair::compute(&pe, &rotation, state.pair(), pos, state.k()));
        let residual = rotation.residual(pos..pos + 1);
        Model {
            state: state.clone(),
            lang,
            glide,
            pair,
            residual,
            pe,
        }
    }

    /// Where the animation is, in positions.
    pub fn shown_pos(&self) -> f64 {
        self.state.pos() as f64 + self.glide
    }

    /// pos + k: the formula has a value there even where the table has no row.
    pub fn target(&self) -> i64 {
        self.state.pos() as i64 + self.state.k()
    }

    /// pos + k if the table has that row.
    pub fn target_row(&self) -> Option<usize> {
        usize::try_from(self.target())
            .ok()
            .filter(|&row| row < self.state.max_len())
    }

    /// The dimension of the selected cell.
    pub fn dimension(&self) -> usize {
        let member = self.state.member();
        self.pe
            .dimension(self.state.pair(), member)
            .or_else(|| self.pe.dimension(self.state.pair(), Member::Sine))
            .unwrap_or(self.state.d_model() - 1)
    }

    /// Value of the selected cell.
    pub fn value(&self) -> f64 {
        self.pe.value(self.state.pos() as i64, self.dimension())
    }

    /// The pair and member behind a dimension; the zero column belongs to the pair after the last.
    pub fn pair_of(&self, dimension: usize) -> (usize, Member) {
        match self.pe.column(dimension) {
            Column::Wave { pair, member } => (pair, member),
            Column::Zero => (self.pe.pairs(), Member::Sine),
        }
    }

    /// Pairs that have both their members; a sine alone is left out of M_k and of the residual.
    pub fn complete_pairs(&self) -> usize {
        self.state.d_model() / 2
    }

    /// Pairs that go through a whole cycle within the table.
    pub fn complete_cycles(&self) -> usize {
        let len = self.state.max_len() as f64;
        (0..self.pe.pairs())
            .filter(|&pair| self.pe.wavelength(pair) <= len)
            .count()
    }

    /// The exponent of the base in the pair's frequency: numerator and denominator.
    pub fn exponent(&self) -> (usize, usize) {
        let pair = self.state.pair();
        match self.state.layout() {
            Layout::Interleaved | Layout::Concatenated => (2 * pair, self.state.d_model()),
            Layout::Tensor2tensor => (pair, (self.state.d_model() / 2).saturating_sub(1).max(1)),
        }
    }
}

impl Pair {
    fn compute(pe: &Sinusoidal, rotation: &Rotation, index: usize, pos: i64, k: i64) -> Pair {
        let vector = |position| {
            let (sine, cosine) = pe.sin_cos(index, position);
            [sine, cosine]
        };
        let (here, there) = (vector(pos), vector(pos + k));
        let frequency = pe.frequency(index);
        Pair {
            index,
            frequency,
            wavelength: pe.wavelength(index),
            angle: pos as f64 * frequency,
            turn: k as f64 * frequency,
            here,
            there,
            block: rotation
                .block(index)
                .map(|matrix| Block::compute(matrix, here, there)),
        }
    }
}

impl Block {
    fn compute(matrix: [[f64; 2]; 2], here: [f64; 2], there: [f64; 2]) -> Block {
        let product = matrix.map(|row| row[0] * here[0] + row[1] * here[1]);
        let apart = |i: usize| (product[i] - there[i]).abs();
        Block {
            matrix,
            product,
            residual: apart(0).max(apart(1)),
        }
    }
}

#[cfg(test)]
impl Model {
    /// The model of a link's settings, such as `k=5&pos=3`.
    pub(crate) fn linked(settings: &str) -> Model {
        let link = crate::settings::read_link("", settings);
        assert_eq!(link.problems, [], "{settings}");
        Model::compute(&link.state, Lang::En, 0.0, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Key;

    #[test]
    fn the_block_of_the_first_pair_at_k_3() {
        // d_model = 4, k = 3: cos 3 and sin 3.
        let model = Model::linked("d_model=4&pair=0");
        let block = model.pair.unwrap().block.unwrap();
        assert!((block.matrix[0][0] + 0.989_992_496_6).abs() < 1e-9);
        assert!((block.matrix[0][1] - 0.141_120_008_1).abs() < 1e-9);
        assert!((block.matrix[1][0] + 0.141_120_008_1).abs() < 1e-9);
        assert!(block.residual < 1e-15);
    }

    #[test]
    fn cycles_within_the_table() {
        // Those i with 2π·10000^(2i/512) ≤ len, from i ≤ 256·log10000(len/2π).
        for (len, count) in [("50", 58), ("512", 123), ("5000", 186)] {
            let model = Model::linked(&format!("d_model=512&max_len={len}"));
            assert_eq!(model.complete_cycles(), count);
        }
    }

    #[test]
    fn frequencies_are_shared_until_they_change() {
        let first = Model::linked("");
        let mut state = first.state.clone();
        state.apply(Key::K, "5");
        let second = Model::compute(&state, Lang::En, 0.0, Some(&first));
        assert!(Rc::ptr_eq(&first.pe, &second.pe));
        state.apply(Key::Base, "100");
        let third = Model::compute(&state, Lang::En, 0.0, Some(&second));
        assert!(!Rc::ptr_eq(&second.pe, &third.pe));
    }

    #[test]
    fn a_sine_alone_has_no_block_and_a_zero_column_no_pair() {
        let odd = Model::linked("d_model=5&pair=2");
        assert!(odd.pair.unwrap().block.is_none());
        let zero = Model::linked("layout=tensor2tensor&d_model=5&pair=2");
        assert!(zero.pair.is_none());
        assert_eq!((zero.dimension(), zero.value()), (4, 0.0));
    }

    #[test]
    fn the_target_may_lie_outside_the_table() {
        let model = Model::linked("pos=63");
        assert_eq!((model.target(), model.target_row()), (66, None));
    }
}
