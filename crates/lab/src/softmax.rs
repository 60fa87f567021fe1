//! The softmax of a row of logits, and its gradient.

use crate::Scalar;

/// Replaces logits, at least one, by their softmax and returns ln Σ eˣ.
pub(crate) fn softmax<T: Scalar>(logits: &mut [T]) -> T {
    let larger = |a: T, b: &T| if *b > a { *b } else { a };
    let most = logits.iter().fold(logits[0], larger);
    let mut sum = T::ZERO;
    for logit in &mut *logits {
        *logit = (*logit - most).exp();
        sum += *logit;
    }
    let inverse = T::ONE / sum;
    for logit in logits {
        *logit *= inverse;
    }
    most + sum.ln()
}

/// Replaces the gradient with respect to a softmax by that with respect to its logits.
pub(crate) fn softmax_gradient<T: Scalar>(gradient: &mut [T], softmax: &[T]) {
    let mut mean = T::ZERO;
    for (gradient, share) in gradient.iter().zip(softmax) {
        mean += *gradient * *share;
    }
    for (gradient, share) in gradient.iter_mut().zip(softmax) {
        *gradient = *share * (*gradient - mean);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_logits_stay_finite() {
        let mut logits = [1000.0_f32, 1000.0, -1000.0];
        let log_sum = softmax(&mut logits);
        assert_eq!(logits, [0.5, 0.5, 0.0]);
        assert_eq!(log_sum, 1000.0 + std::f32::consts::LN_2);
    }
}
