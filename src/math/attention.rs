//! One head of self-attention (Vaswani et al. 2017, §3.2.1) for small inputs.

use crate::math::linear::product;
use crate::math::random::Normals;
use posenc_encoding::Matrix;

/// softmax(X·W_Q·(X·W_K)ᵀ / √width) · X·W_V, where each row of X is a token. Apart from the causal
/// mask, nothing depends on the position of a row.
pub struct Attention {
    /// W_Q, W_K and W_V, each width × width.
    weights: [Matrix<f64>; 3],
}

/// The result of a head for `n` tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Attended {
    /// n × n attention weights: a row per query, a column per key. Each row sums to 1.
    pub weights: Matrix<f64>,
    /// n × width, one row per token.
    pub outputs: Matrix<f64>,
}

impl Attention {
    /// W_Q, W_K and W_V, all width × width.
    pub fn new(weights: [Matrix<f64>; 3]) -> Attention {
        Attention { weights }
    }

    /// Normal weights of variance 1/width, so that inputs of variance 1 give logits of variance 1.
    pub fn seeded(width: usize, seed: u64) -> Attention {
        let mut normals = Normals::seeded(seed);
        let deviation = (width as f64).sqrt().recip();
        Attention::new([(); 3].map(|_| normals.matrix(width, width, deviation)))
    }

    /// `inputs` is n × width; if `causal`, no token attends to a later one.
    pub fn attend(&self, inputs: &Matrix<f64>, causal: bool) -> Attended {
        let [queries, keys, values] = [0, 1, 2].map(|i| product(inputs, &self.weights[i]));
        let count = inputs.positions;
        let scale = (inputs.dimensions as f64).sqrt().recip();
        let mut weights = Matrix::zeros(count, count);
        for row in 0..count {
            let seen = if causal { row + 1 } else { count };
            let logit = |column| scale * dot(queries.row(row), keys.row(column));
            let logits: Vec<f64> = (0..seen).map(logit).collect();
            // Subtracting the maximum leaves the softmax unchanged and prevents overflow.
            let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let total: f64 = logits.iter().map(|logit| (logit - most).exp()).sum();
            for (column, logit) in logits.iter().enumerate() {
                *weights.at_mut(row, column) = (logit - most).exp() / total;
            }
        }
        let outputs = product(&weights, &values);
        Attended { weights, outputs }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    fn matrix(rows: usize, columns: usize, values: &[f64]) -> Matrix<f64> {
        Matrix {
            positions: rows,
            dimensions: columns,
            values: values.to_vec(),
        }
    }

    /// NumPy 2.4.6:
    /// ```python
    /// x = np.array([[1, 0.5], [-0.25, 2], [0.75, -1]])
    /// q = np.array([[0.5, -1], [1.5, 0.25]])
    /// k = np.array([[1, 0.5], [-0.75, 2]])
    /// v = np.array([[0.25, 1], [-2, 0.5]])
    /// s = x @ q @ (x @ k).T / np.sqrt(2)
    /// if causal: s = np.where(np.tri(3) > 0, s, -np.inf)
    /// a = np.exp(s); a /= a.sum(1, keepdims=True)
    /// print(a.ravel(), (a @ (x @ v)).ravel())
    /// ```
    #[test]
    fn numpy_gets_the_same() {
        let head = Attention::new([
            matrix(2, 2, &[0.5, -1.0, 1.5, 0.25]),
            matrix(2, 2, &[1.0, 0.5, -0.75, 2.0]),
            matrix(2, 2, &[0.25, 1.0, -2.0, 0.5]),
        ]);
        let inputs = matrix(3, 2, &[1.0, 0.5, -0.25, 2.0, 0.75, -1.0]);
        for (causal, weights, outputs) in [
            (
                false,
                [
                    0.06245765652582025,
                    0.0017608722717947362,
                    0.935781471202385,
                    0.4635164378100291,
                    0.013067945361083666,
                    0.5234156168288873,
                    0.14756079386431858,
                    0.18202837441810074,
                    0.6704108317175806,
                ],
                [
                    1.9930251822566858,
                    0.31333809266171764,
                    0.7442458054262667,
                    0.720050410490571,
                    0.6163628279104344,
                    0.48857498107336894,
                ],
            ),
            (
                true,
                [
                    1.0,
                    0.0,
                    0.0,
                    0.9725799966962162,
                    0.027420003303783778,
                    0.0,
                    0.14756079386431858,
                    0.18202837441810074,
                    0.6704108317175806,
                ],
                [
                    -0.75,
                    1.25,
                    -0.8408287609437837,
                    1.2362899983481082,
                    0.6163628279104344,
                    0.48857498107336894,
                ],
            ),
        ] {
            let attended = head.attend(&inputs, causal);
            for (found, expected) in attended.weights.values.iter().zip(weights) {
                assert_close(*found, expected, 1e-14);
            }
            for (found, expected) in attended.outputs.values.iter().zip(outputs) {
                assert_close(*found, expected, 1e-14);
            }
        }
    }

    #[test]
    fn moving_the_tokens_moves_the_outputs_and_nothing_else() {
        let mut moved_at_all = 0.0f64;
        for seed in 0..40 {
            let count = 1 + seed as usize % 12;
            let inputs = Normals::seeded(seed).matrix(count, 6, 2.0);
            // Every stride that shares no factor with the count is a permutation.
            let stride = [5, 7, 11]
                .into_iter()
                .find(|&s| !count.is_multiple_of(s))
                .unwrap_or(1);
            let from = |row: usize| (row * stride + seed as usize) % count;
            let mut permuted = Matrix::zeros(count, 6);
            for row in 0..count {
                for column in 0..6 {
                    *permuted.at_mut(row, column) = inputs.at(from(row), column);
                }
            }
            let head = Attention::seeded(6, seed);
            for causal in [false, true] {
                let (a, b) = (head.attend(&inputs, causal), head.attend(&permuted, causal));
                for row in 0..count {
                    for column in 0..6 {
                        let change = b.outputs.at(row, column) - a.outputs.at(from(row), column);
                        if causal {
                            moved_at_all = moved_at_all.max(change.abs());
                        } else {
                            assert_close(change, 0.0, 1e-13);
                        }
                    }
                }
            }
        }
        assert!(moved_at_all > 0.1, "a mask makes order visible");
    }

    #[test]
    fn weights_are_shares_whatever_the_size_of_the_inputs() {
        for deviation in [0.0, 1e-8, 1.0, 1e6] {
            let inputs = Normals::seeded(2).matrix(5, 4, deviation);
            for causal in [false, true] {
                let weights = Attention::seeded(4, 9).attend(&inputs, causal).weights;
                for row in 0..5 {
                    assert_close(weights.row(row).iter().sum(), 1.0, 1e-12);
                    let later = &weights.row(row)[row + 1..];
                    assert!(!causal || later.iter().all(|&w| w == 0.0));
                }
            }
        }
    }

    #[test]
    fn no_tokens_give_no_outputs() {
        let none = Attention::seeded(4, 1).attend(&Matrix::zeros(0, 4), false);
        assert!(none.outputs.values.is_empty());
    }
}
