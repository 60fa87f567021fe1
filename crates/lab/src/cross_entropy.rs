//! The cross-entropy loss and its gradient.

use crate::softmax::softmax;
use crate::{Batch, Scalar};

/// Loss and accuracy of a model on a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Mean cross-entropy in nats over the tokens to be predicted.
    pub loss: f64,
    /// Share of them that have the largest logit; a tie counts as wrong.
    pub accuracy: f64,
}

/// Returns the score of the logits, tokens × `vocabulary`, and replaces them by the gradient of the loss.
pub(crate) fn cross_entropy<T: Scalar>(
    logits: &mut [T],
    batch: &Batch,
    vocabulary: usize,
) -> Score {
    let asked = batch.asked() as f64;
    let share = T::from_f64(1.0 / asked);
    let (mut loss, mut right) = (0.0, 0);
    for (logits, target) in logits.chunks_exact_mut(vocabulary).zip(&batch.targets) {
        let Some(target) = *target else {
            logits.fill(T::ZERO);
            continue;
        };
        let of_target = logits[target];
        let as_likely = |token: usize| token != target && logits[token] >= of_target;
        right += usize::from(!(0..vocabulary).any(as_likely));
        loss += (softmax(logits) - of_target).to_f64();
        logits[target] = logits[target] - T::ONE;
        for logit in logits {
            *logit *= share;
        }
    }
    Score {
        loss: loss / asked,
        accuracy: right as f64 / asked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_asked_for_counts_and_a_tie_is_wrong() {
        let batch = Batch {
            length: 3,
            starts: vec![0],
            tokens: vec![0; 3],
            targets: vec![None, Some(1), Some(0)],
        };
        let mut logits = [9.0_f64, 1.0, 0.0, 0.0, 3_f64.ln(), 0.0];
        let score = cross_entropy(&mut logits, &batch, 2);
        assert_eq!(score.accuracy, 0.5);
        let expected = (2_f64.ln() + (4.0_f64 / 3.0).ln()) / 2.0;
        assert!((score.loss - expected).abs() < 1e-15);
        let gradient = [0.0, 0.0, 0.25, -0.25, -0.125, 0.125];
        for (actual, expected) in logits.iter().zip(gradient) {
            assert!((actual - expected).abs() < 1e-15);
        }
    }
}
