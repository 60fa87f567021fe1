//! The matrix M_k that maps the encoding of a position to that of the position k further.

use std::ops::Range;

use posenc_encoding::Matrix;
use posenc_encoding::{Member, Sinusoidal};

/// M_k, block diagonal in the pairs: PE(pos + k) = M_k · PE(pos) for column vectors.
///
/// A dimension without a partner (odd widths) has no block: its row and column of M_k are zero, and it is left out of
/// the residual.
#[derive(Clone, Debug)]
pub struct Rotation<'a> {
    encoding: &'a Sinusoidal,
    k: i64,
    /// Sine and cosine of kω, per pair.
    turns: Vec<(f64, f64)>,
}

impl<'a> Rotation<'a> {
    /// The rotation by an offset of `k` positions, up to 2^21 either way.
    pub fn new(encoding: &'a Sinusoidal, k: i64) -> Self {
        let turns = (0..encoding.pairs())
            .map(|pair| encoding.sin_cos_at(pair, k as f64))
            .collect();
        Self { encoding, k, turns }
    }

    /// The encoding that it acts on.
    pub fn encoding(&self) -> &'a Sinusoidal {
        self.encoding
    }

    /// The offset in positions.
    pub fn k(&self) -> i64 {
        self.k
    }

    /// \[\[cos kω, sin kω\], \[−sin kω, cos kω\]\], acting on (sine, cosine); `None` for a sine without a cosine and
    /// for a pair that does not exist.
    pub fn block(&self, pair: usize) -> Option<[[f64; 2]; 2]> {
        self.encoding.dimension(pair, Member::Cosine)?;
        let (sin, cos) = self.turns[pair];
        Some([[cos, sin], [-sin, cos]])
    }

    /// M_k as a full matrix, `d_model × d_model`.
    pub fn matrix(&self) -> Matrix<f64> {
        let d_model = self.encoding.d_model();
        let mut matrix = Matrix::zeros(d_model, d_model);
        for (sine, cosine, block) in self.blocks() {
            *matrix.at_mut(sine, sine) = block[0][0];
            *matrix.at_mut(sine, cosine) = block[0][1];
            *matrix.at_mut(cosine, sine) = block[1][0];
            *matrix.at_mut(cosine, cosine) = block[1][1];
        }
        matrix
    }

    /// M_k · v without building M_k. Components of `v` beyond `d_model` are ignored; missing ones count as zero.
    pub fn apply(&self, v: &[f64]) -> Vec<f64> {
        let component = |dimension: usize| v.get(dimension).copied().unwrap_or(0.0);
        let mut image = vec![0.0; self.encoding.d_model()];
        for (sine, cosine, block) in self.blocks() {
            let turned = times(block, [component(sine), component(cosine)]);
            [image[sine], image[cosine]] = turned;
        }
        image
    }

    /// max |M_k · PE(pos) − PE(pos + k)| over positions and dimensions, in `f64`; 0 if there are none.
    pub fn residual(&self, positions: Range<i64>) -> f64 {
        positions
            .flat_map(|position| {
                (0..self.turns.len()).filter_map(move |pair| self.residual_at(position, pair))
            })
            .fold(0.0, f64::max)
    }

    /// The larger of a pair's two absolute differences at one position; `None` if the pair has no block.
    pub fn residual_at(&self, position: i64, pair: usize) -> Option<f64> {
        let block = self.block(pair)?;
        let (sin, cos) = self.encoding.sin_cos_at(pair, position as f64);
        let (shifted_sin, shifted_cos) = self.encoding.sin_cos_at(pair, (position + self.k) as f64);
        let [turned_sin, turned_cos] = times(block, [sin, cos]);
        Some(
            (turned_sin - shifted_sin)
                .abs()
                .max((turned_cos - shifted_cos).abs()),
        )
    }

    /// For every complete pair: the dimension of its sine, the dimension of its cosine, and its block.
    fn blocks(&self) -> impl Iterator<Item = (usize, usize, [[f64; 2]; 2])> {
        (0..self.turns.len()).filter_map(|pair| {
            let sine = self.encoding.dimension(pair, Member::Sine)?;
            let cosine = self.encoding.dimension(pair, Member::Cosine)?;
            Some((sine, cosine, self.block(pair)?))
        })
    }
}

fn times(block: [[f64; 2]; 2], v: [f64; 2]) -> [f64; 2] {
    block.map(|row| row[0] * v[0] + row[1] * v[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use posenc_encoding::Layout;

    #[test]
    fn a_dimension_without_partner_is_left_out() {
        for layout in [
            Layout::Interleaved,
            Layout::Concatenated,
            Layout::Tensor2tensor,
        ] {
            let encoding = Sinusoidal::new(5, 10_000.0, layout);
            let rotation = Rotation::new(&encoding, 3);
            let alone = if layout == Layout::Concatenated { 2 } else { 4 };
            let matrix = rotation.matrix();
            for dimension in 0..5 {
                assert_eq!(matrix.at(alone, dimension), 0.0);
                assert_eq!(matrix.at(dimension, alone), 0.0);
            }
            assert_eq!(rotation.block(2), None);
            assert_eq!(rotation.residual_at(10, 2), None);
            assert_eq!(rotation.apply(&[1.0; 5])[alone], 0.0);
        }
    }

    #[test]
    fn halves_give_blocks_of_diagonals() {
        let encoding = Sinusoidal::new(4, 10_000.0, Layout::Concatenated);
        let rotation = Rotation::new(&encoding, 3);
        let (matrix, [[cos, sin], _]) = (rotation.matrix(), rotation.block(1).unwrap());
        assert_eq!(matrix.row(1), [0.0, cos, 0.0, sin]);
        assert_eq!(matrix.row(3), [0.0, -sin, 0.0, cos]);
    }

    #[test]
    fn nothing_to_compare_has_no_residual() {
        let encoding = Sinusoidal::new(8, 10_000.0, Layout::Interleaved);
        assert_eq!(Rotation::new(&encoding, 3).residual(5..5), 0.0);
    }
}
