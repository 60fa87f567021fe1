//! Adam (Kingma and Ba 2015, arXiv 1412.6980, algorithm 1) with warm-up and decay of the learning rate, and gradient
//! clipping.

use std::f64::consts::PI;

use crate::Scalar;

/// Hyperparameters of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamConfig {
    /// The peak learning rate.
    pub learning_rate: f64,
    /// β₁ and β₂: decay per step of the moving averages of the gradients and of their squares.
    pub betas: (f64, f64),
    /// ε, which keeps the quotient finite.
    pub epsilon: f64,
    /// Maximum norm of the gradient of all weights; larger gradients are scaled down to it (Pascanu et al. 2013).
    pub max_norm: f64,
    /// Number of steps in which the learning rate rises linearly from 0.
    pub warm_up: usize,
    /// The step at which the learning rate has fallen to `last_share` of the peak, along half a cosine (Loshchilov and
    /// Hutter 2017); it is constant afterwards.
    pub steps: usize,
    /// The final learning rate, as a share of the peak.
    pub last_share: f64,
}

impl AdamConfig {
    /// Returns the learning rate of a step; the first step is 1.
    pub fn learning_rate(&self, step: usize) -> f64 {
        if step <= self.warm_up {
            return self.learning_rate * step as f64 / self.warm_up as f64;
        }
        let falling = self.steps.saturating_sub(self.warm_up).max(1);
        let done = ((step - self.warm_up) as f64 / falling as f64).min(1.0);
        let share = self.last_share + (1.0 - self.last_share) * (1.0 + libm::cos(PI * done)) / 2.0;
        self.learning_rate * share
    }
}

/// The optimiser and its state.
pub struct Adam<T> {
    config: AdamConfig,
    step: usize,
    /// Moving averages of the gradients, and of their squares.
    means: Vec<T>,
    squares: Vec<T>,
    /// β₁ and β₂ to the power of the step.
    powers: (f64, f64),
}

impl<T: Scalar> Adam<T> {
    /// Creates the optimiser of a number of weights, before its first step.
    pub fn new(config: AdamConfig, weights: usize) -> Self {
        Self {
            config,
            step: 0,
            means: vec![T::ZERO; weights],
            squares: vec![T::ZERO; weights],
            powers: (1.0, 1.0),
        }
    }

    /// Returns the number of steps taken.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Updates the weights by one step.
    ///
    /// # Panics
    /// If the number of weights or gradients is not that given to [`new`](Self::new).
    pub fn update(&mut self, weights: &mut [T], gradients: &[T]) {
        assert_eq!(
            (weights.len(), gradients.len()),
            (self.means.len(), self.means.len())
        );
        self.step += 1;
        let (beta1, beta2) = self.config.betas;
        self.powers.0 *= beta1;
        self.powers.1 *= beta2;
        let rate = self.config.learning_rate(self.step) / (1.0 - self.powers.0);
        let norm = norm(gradients);
        let clip = match norm > self.config.max_norm {
            true => self.config.max_norm / norm,
            false => 1.0,
        };
        let [rate, clip] = [rate, clip].map(T::from_f64);
        let unbias = T::from_f64((1.0 - self.powers.1).sqrt());
        let [beta1, rest1] = [beta1, 1.0 - beta1].map(T::from_f64);
        let [beta2, rest2] = [beta2, 1.0 - beta2].map(T::from_f64);
        let epsilon = T::from_f64(self.config.epsilon);
        let states = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradients).zip(states) {
            let gradient = *gradient * clip;
            *mean = beta1 * *mean + rest1 * gradient;
            *square = beta2 * *square + rest2 * gradient * gradient;
            *weight = *weight - rate * *mean / (square.sqrt() / unbias + epsilon);
        }
    }
}

/// Returns the Euclidean norm, in `f64`, from eight independent sums, so that they can be vectorised.
fn norm<T: Scalar>(values: &[T]) -> f64 {
    let mut sums = [0.0; 8];
    for values in values.chunks(8) {
        for (sum, value) in sums.iter_mut().zip(values) {
            let value = value.to_f64();
            *sum += value * value;
        }
    }
    sums.iter().sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Encoding, TrainerConfig};

    #[test]
    fn the_learning_rate_warms_up_and_falls() {
        let config = TrainerConfig::copy(3, Encoding::None, 0).adam;
        for (step, rate) in [
            (1, 0.0002),
            (50, 0.01),
            (225, 0.00525),
            (400, 0.0005),
            (900, 0.0005),
        ] {
            assert!(
                (config.learning_rate(step) - rate).abs() < 1e-15,
                "step {step}"
            );
        }
        let short = AdamConfig {
            steps: 20,
            ..config
        };
        assert_eq!(short.learning_rate(20), 0.004);
    }
}
