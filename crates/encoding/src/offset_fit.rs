//! Trains a small position table so that the offset of two of its rows can be predicted.

use crate::Matrix;

/// The learning rate of Adam (Kingma & Ba 2014, arXiv 1412.6980), with β₁ = 0.9 and β₂ = 0.999.
const LEARNING_RATE: f64 = 0.01;
const BETAS: (f64, f64) = (0.9, 0.999);
const EPSILON: f64 = 1e-8;

/// A table T, trained jointly with a linear classifier on one task: given T\[p\] and T\[q\], predict the offset q − p. The
/// offsets −K … K are classes with logits W·[T\[p\]; T\[q\]] + b, the loss is the mean cross-entropy over all pairs of
/// positions with |q − p| ≤ K, and every step is a step of Adam on the full batch of these pairs.
///
/// A linear classifier can succeed only if the table arranges positions in order: neighbouring rows become similar,
/// although the loss does not require it. W and b are initialized to zero, so that the same initial table gives the same
/// result.
#[derive(Clone, Debug)]
pub struct OffsetFit {
    max_len: usize,
    d_model: usize,
    max_offset: usize,
    /// T (max_len × d_model), W's halves for p and for q (classes × d_model each) and b (classes), row-major.
    parameters: Vec<f64>,
    /// Adam's running means of the gradient and, in `second_moment`, of its squares.
    first_moment: Vec<f64>,
    second_moment: Vec<f64>,
    steps: usize,
}

/// Loss and accuracy over all pairs of positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitScore {
    /// Mean cross-entropy in nats; ln(2K + 1) before the first step.
    pub loss: f64,
    /// Fraction of the pairs whose most probable offset is correct, 0 … 1; of equally probable ones the first counts.
    pub accuracy: f64,
}

impl OffsetFit {
    /// Creates a fit from an initial table of small random numbers, max_len × d_model, and the largest offset K, which is
    /// limited to max_len − 1.
    pub fn new(table: &Matrix<f64>, max_offset: usize) -> Self {
        let (max_len, d_model) = (table.positions, table.dimensions);
        let max_offset = max_offset.min(max_len.saturating_sub(1));
        let classes = 2 * max_offset + 1;
        let mut parameters = table.values.clone();
        parameters.resize(table.values.len() + classes * (2 * d_model + 1), 0.0);
        Self {
            max_len,
            d_model,
            max_offset,
            first_moment: vec![0.0; parameters.len()],
            second_moment: vec![0.0; parameters.len()],
            parameters,
            steps: 0,
        }
    }

    /// The largest offset to predict, K.
    pub fn max_offset(&self) -> usize {
        self.max_offset
    }

    /// Number of steps taken.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the table after the steps taken.
    pub fn table(&self) -> Matrix<f64> {
        Matrix {
            positions: self.max_len,
            dimensions: self.d_model,
            values: self.parameters[..self.max_len * self.d_model].to_vec(),
        }
    }

    /// Returns loss and accuracy after the steps taken.
    pub fn score(&self) -> FitScore {
        let (mut loss, mut correct, mut count) = (0.0, 0, 0);
        self.for_each_pair(|_, _, class, probabilities| {
            loss -= probabilities[class].max(f64::MIN_POSITIVE).ln();
            let max_probability = probabilities.iter().copied().fold(0.0, f64::max);
            correct += usize::from(
                probabilities.iter().position(|&p| p == max_probability) == Some(class),
            );
            count += 1;
        });
        let count = count.max(1) as f64;
        FitScore {
            loss: loss / count,
            accuracy: correct as f64 / count,
        }
    }

    /// Returns the probabilities of the offsets −K … K for two positions; `None` if one is beyond the table.
    pub fn probabilities(&self, p: usize, q: usize) -> Option<Vec<f64>> {
        if p.max(q) >= self.max_len {
            return None;
        }
        let [from, to] = self.projections();
        let mut probabilities = vec![0.0; self.classes()];
        self.softmax(&from, &to, (p, q), &mut probabilities);
        Some(probabilities)
    }

    /// Takes one step of Adam over all pairs: about 8000 exponentials for 32 positions and K = 8.
    pub fn step(&mut self) {
        let gradient = self.gradient();
        self.steps += 1;
        let bias_correction = |beta: f64| 1.0 - beta.powf(self.steps as f64);
        let (first, second) = (bias_correction(BETAS.0), bias_correction(BETAS.1));
        let moments = self.first_moment.iter_mut().zip(&mut self.second_moment);
        for ((parameter, derivative), (mean, square)) in
            self.parameters.iter_mut().zip(gradient).zip(moments)
        {
            *mean += (1.0 - BETAS.0) * (derivative - *mean);
            *square += (1.0 - BETAS.1) * (derivative * derivative - *square);
            *parameter -= LEARNING_RATE * (*mean / first) / ((*square / second).sqrt() + EPSILON);
        }
    }

    fn classes(&self) -> usize {
        2 * self.max_offset + 1
    }

    /// Returns the indices in `parameters` at which the two halves of W and b begin.
    fn parameter_offsets(&self) -> [usize; 3] {
        let half = self.classes() * self.d_model;
        let start = self.max_len * self.d_model;
        [start, start + half, start + 2 * half]
    }

    /// Returns T·W_pᵀ and T·W_qᵀ, max_len × classes each, so that a pair needs an addition instead of a matrix product.
    fn projections(&self) -> [Vec<f64>; 2] {
        let [left, right, _] = self.parameter_offsets();
        [left, right].map(|start| {
            let mut products = Vec::with_capacity(self.max_len * self.classes());
            for position in 0..self.max_len {
                let row = &self.parameters[position * self.d_model..][..self.d_model];
                for class in 0..self.classes() {
                    let weights = &self.parameters[start + class * self.d_model..][..self.d_model];
                    products.push(row.iter().zip(weights).map(|(a, b)| a * b).sum());
                }
            }
            products
        })
    }

    fn softmax(&self, from: &[f64], to: &[f64], (p, q): (usize, usize), out: &mut [f64]) {
        let classes = self.classes();
        let bias = &self.parameters[self.parameter_offsets()[2]..];
        let parts = from[p * classes..].iter().zip(&to[q * classes..]);
        for ((out, (from, to)), bias) in out.iter_mut().zip(parts).zip(bias) {
            *out = from + to + bias;
        }
        let most = out.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for out in out.iter_mut() {
            *out = (*out - most).exp();
            sum += *out;
        }
        for out in out {
            *out /= sum;
        }
    }

    /// Calls `call` with p, q, the class of q − p and the probabilities of all classes.
    fn for_each_pair(&self, mut call: impl FnMut(usize, usize, usize, &[f64])) {
        let [from, to] = self.projections();
        let mut probabilities = vec![0.0; self.classes()];
        for p in 0..self.max_len {
            let last = (p + self.max_offset + 1).min(self.max_len);
            for q in p.saturating_sub(self.max_offset)..last {
                self.softmax(&from, &to, (p, q), &mut probabilities);
                call(p, q, q + self.max_offset - p, &probabilities);
            }
        }
    }

    /// Returns the gradient of the mean loss with respect to all parameters.
    fn gradient(&self) -> Vec<f64> {
        let classes = self.classes();
        // Derivatives with respect to the logits, by position: summed over the pairs with this p, and with this q.
        let mut d_logits = [(); 2].map(|()| vec![0.0; self.max_len * classes]);
        let mut count = 0.0;
        self.for_each_pair(|p, q, class, probabilities| {
            count += 1.0;
            for (at, sums) in [p, q].into_iter().zip(&mut d_logits) {
                let sums = &mut sums[at * classes..][..classes];
                for (sum, probability) in sums.iter_mut().zip(probabilities) {
                    *sum += probability;
                }
                sums[class] -= 1.0;
            }
        });
        let mut gradient = vec![0.0; self.parameters.len()];
        let (table, d_classifier) = gradient.split_at_mut(self.max_len * self.d_model);
        let [left, right, bias] = self.parameter_offsets();
        for (start, d_logits) in [left, right].into_iter().zip(&d_logits) {
            for position in 0..self.max_len {
                let row = &self.parameters[position * self.d_model..][..self.d_model];
                let d_row = &mut table[position * self.d_model..][..self.d_model];
                for class in 0..classes {
                    let derivative = d_logits[position * classes + class] / count;
                    let weights = start + class * self.d_model;
                    let d_weight = &mut d_classifier[weights - left..][..self.d_model];
                    for dimension in 0..self.d_model {
                        d_row[dimension] += derivative * self.parameters[weights + dimension];
                        d_weight[dimension] += derivative * row[dimension];
                    }
                }
            }
        }
        for sums in d_logits[0].chunks_exact(classes) {
            for (derivative, sum) in d_classifier[bias - left..].iter_mut().zip(sums) {
                *derivative += sum / count;
            }
        }
        gradient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    /// Returns a table of irregular numbers.
    fn table(max_len: usize, d_model: usize) -> Matrix<f64> {
        let value = |i: usize| 0.1 * (91.7 * (i as f64 + 0.3).powi(2)).sin();
        Matrix {
            positions: max_len,
            dimensions: d_model,
            values: (0..max_len * d_model).map(value).collect(),
        }
    }

    /// Returns the mean cosine similarity of rows at a distance.
    fn likeness(table: &Matrix<f64>, distance: usize) -> f64 {
        let dot = |p: usize, q: usize| -> f64 {
            let rows = table.row(p).iter().zip(table.row(q));
            rows.map(|(a, b)| a * b).sum()
        };
        let cosine =
            |p: usize| dot(p, p + distance) / (dot(p, p) * dot(p + distance, p + distance)).sqrt();
        let count = table.positions - distance;
        (0..count).map(cosine).sum::<f64>() / count as f64
    }

    #[test]
    fn a_table_without_order_becomes_one_in_which_neighbours_are_alike() {
        let before = table(32, 16);
        let mut fit = OffsetFit::new(&before, 8);
        let start = fit.score();
        assert_close(start.loss, 17f64.ln(), 1e-12);
        assert!(start.accuracy < 0.1 && likeness(&before, 1).abs() < 0.2);
        for _ in 0..400 {
            fit.step();
        }
        let (after, score) = (fit.table(), fit.score());
        assert!(score.loss < 1.0 && score.accuracy > 0.95, "{score:?}");
        assert!(likeness(&after, 1) > 0.9);
        assert!(
            likeness(&after, 1) > likeness(&after, 4) && likeness(&after, 4) > likeness(&after, 12)
        );
        assert_eq!(fit.steps(), 400);
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let mut fit = OffsetFit::new(&table(7, 3), 2);
        for _ in 0..20 {
            fit.step();
        }
        let gradient = fit.gradient();
        for (index, derivative) in gradient.iter().enumerate() {
            let loss = |by: f64| {
                let mut moved = fit.clone();
                moved.parameters[index] += by;
                moved.score().loss
            };
            assert_close(*derivative, (loss(1e-5) - loss(-1e-5)) / 2e-5, 1e-8);
        }
        assert!(gradient.iter().any(|derivative| derivative.abs() > 1e-3));
    }

    #[test]
    fn the_same_table_gives_the_same_fit() {
        let run = || {
            let mut fit = OffsetFit::new(&table(12, 4), 3);
            for _ in 0..30 {
                fit.step();
            }
            fit.table()
        };
        assert_eq!(run(), run());
        assert_ne!(run(), table(12, 4));
    }

    #[test]
    fn probabilities_are_of_one_table() {
        let mut fit = OffsetFit::new(&table(12, 4), 3);
        fit.step();
        let probabilities = fit.probabilities(3, 11).unwrap();
        assert_eq!(probabilities.len(), 7);
        assert_close(probabilities.iter().sum(), 1.0, 1e-14);
        assert_eq!(fit.probabilities(3, 12), None);
    }

    #[test]
    fn tables_too_small_for_a_task_do_no_harm() {
        for (max_len, d_model) in [(0, 4), (1, 4), (2, 0)] {
            let mut fit = OffsetFit::new(&table(max_len, d_model), 8);
            fit.step();
            assert!(fit.score().loss.is_finite());
            assert!(fit.table().values.iter().all(|value| value.is_finite()));
        }
    }
}
