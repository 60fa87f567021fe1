//! Adam (Kingma and Ba 2015, arXiv 1412.6980, algorithm 1) with a learning rate that warms up and falls, and clipped
//! gradients.

use std::f64::consts::PI;

use crate::Scalar;

/// How weights follow their gradients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamConfig {
    /// The highest learning rate.
    pub learning_rate: f64,
    /// Decay per step of the means of gradients and of their squares, β₁ and β₂.
    pub betas: (f64, f64),
    /// What keeps the quotient finite, ε.
    pub epsilon: f64,
    /// Longest gradient, as the norm over all weights; longer ones are shortened to it (Pascanu et al. 2013).
    pub max_norm: f64,
    /// Steps in which the learning rate rises from 0, linearly.
    pub warm_up: usize,
    /// The step at which the learning rate has fallen to `last_share` of the highest, along half a cosine
    /// (Loshchilov and Hutter 2017); there it stays.
    pub steps: usize,
    /// That share.
    pub last_share: f64,
}

impl AdamConfig {
    /// The learning rate of a step; the first step is 1.
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

/// The state of the optimiser for a number of weights.
pub struct Adam<T> {
    config: AdamConfig,
    step: usize,
    /// Of the gradients, and of their squares.
    means: Vec<T>,
    squares: Vec<T>,
    /// β₁ and β₂ to the power of the step.
    powers: (f64, f64),
}

impl<T: Scalar> Adam<T> {
    /// Before the first step.
    pub fn new(config: AdamConfig, weights: usize) -> Self {
        Self {
            config,
            step: 0,
            means: vec![T::ZERO; weights],
            squares: vec![T::ZERO; weights],
            powers: (1.0, 1.0),
        }
    }

    /// Steps taken.
    pub fn step(&self) -> usize {
        self.step
    }

    /// Takes a step.
    ///
    /// # Panics
    /// Unless there is a gradient for each of the weights.
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

/// The square root of the sum of squares, in `f64`: eight sums at a time, so that they can be vectorised.
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
