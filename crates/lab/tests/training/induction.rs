//! Two layers learn to find the token after the last occurrence of the current one, or only to look back a fixed distance.

use posenc_lab::{Encoding, Task, Trainer, TrainerConfig};

/// Trains a model with T5's biases, which learns either solution with every seed, on these periods.
fn trained(periods: (usize, usize)) -> Trainer {
    let mut config = TrainerConfig::induction(periods, Encoding::T5, 17);
    config.adam.steps = 500;
    let mut trainer = Trainer::new(config);
    for _ in 0..config.adam.steps {
        trainer.advance();
    }
    trainer
}

/// Returns the accuracy on sequences with one period.
fn accuracy(trainer: &Trainer, period: usize) -> f64 {
    let task = Task::Induction {
        periods: (period, period),
        distinct: true,
    };
    trainer.evaluate_on(task, 32, 0).unwrap().accuracy
}

#[test]
fn induction_is_learned_from_random_periods() {
    let trainer = trained((4, 16));
    assert!(
        [5, 9, 15]
            .iter()
            .all(|period| accuracy(&trainer, *period) > 0.99)
    );
    assert!(trainer.evaluate(64, 0).unwrap().accuracy > 0.95);
}

#[test]
fn from_one_period_only_looking_so_far_back_is_learned() {
    let trainer = trained((16, 16));
    assert!(accuracy(&trainer, 16) > 0.99);
    assert!(accuracy(&trainer, 11) < 0.5);
}
