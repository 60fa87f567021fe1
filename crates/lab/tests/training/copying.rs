//! Whether a layer learns to copy the token k positions back, depending on its encoding.

use posenc_lab::{Encoding, Trainer, TrainerConfig};

fn trained(k: usize, encoding: Encoding, seed: u64) -> Trainer {
    trained_as(TrainerConfig::copy(k, encoding, seed))
}

fn trained_as(config: TrainerConfig) -> Trainer {
    let mut trainer = Trainer::new(config);
    for _ in 0..config.adam.steps {
        trainer.advance();
    }
    trainer
}

/// Returns the accuracy on sequences of the training length.
fn accuracy(trainer: &Trainer) -> f64 {
    trainer.evaluate(32, 0).unwrap().accuracy
}

/// Returns whether a sinusoidal layer has learned M_k.
fn finds_m_k(trainer: &Trainer) -> bool {
    let analysis = trainer.pairs().unwrap();
    analysis.fast_error() <= 0.15 && analysis.rotation_share > 0.9
}

const SOLVE_IT: [Encoding; 4] = [
    Encoding::Sinusoidal,
    Encoding::Learned,
    Encoding::Rope,
    Encoding::T5,
];

#[test]
fn encodings_that_can_point_back_by_k_copy() {
    for encoding in SOLVE_IT {
        let trainer = trained(3, encoding, 17);
        assert!(accuracy(&trainer) > 0.99, "{}", encoding.name());
        assert_eq!(trainer.pairs().is_some(), encoding == Encoding::Sinusoidal);
        if encoding == Encoding::Sinusoidal {
            assert!(finds_m_k(&trainer));
        }
    }
}

#[test]
fn neither_a_mask_nor_one_slope_points_three_back() {
    for encoding in [Encoding::None, Encoding::Alibi] {
        assert!(accuracy(&trained(3, encoding, 17)) < 0.5);
    }
    assert!(accuracy(&trained(1, Encoding::Alibi, 17)) > 0.99);
}

/// The nearest keys always have the largest weights. The model can only guess among the tokens that have occurred; the
/// accuracy of that depends on the slope and is between 0.08 and 0.26.
#[test]
fn no_slope_of_alibi_points_three_back() {
    for slope in [1.0 / 256.0, 1.0 / 16.0, 0.25, 0.5, 2.0] {
        let mut config = TrainerConfig::copy(3, Encoding::Alibi, 1);
        config.model.alibi_slope = slope;
        let trainer = trained_as(config);
        assert!(accuracy(&trainer) < 0.3, "{slope}: {}", accuracy(&trainer));
        if slope == 0.5 {
            // The accuracy of another program with this slope, at twice and four times the length.
            for (length, known) in [(64, 0.10), (128, 0.09)] {
                let found = trainer.evaluate(length, 0).unwrap().accuracy;
                assert!((found - known).abs() < 0.02, "{length}: {found}");
            }
        }
    }
}

/// Takes minutes: `cargo test --release -p posenc-lab -- --ignored --nocapture`.
#[test]
#[ignore = "trains 160 models"]
fn every_seed_copies_and_finds_m_k() {
    let mut failures = Vec::new();
    for k in [3, 5, 8, 15] {
        for encoding in SOLVE_IT {
            for seed in 0..10 {
                let trainer = trained(k, encoding, seed);
                let accuracy = accuracy(&trainer);
                let of_m_k = trainer.pairs();
                let of_m_k = of_m_k.map(|it| (it.fast_error(), it.rotation_share));
                println!(
                    "{k}\t{}\t{seed}\t{accuracy:.4}\t{of_m_k:.3?}",
                    encoding.name()
                );
                if accuracy <= 0.99 || of_m_k.is_some() && !finds_m_k(&trainer) {
                    failures.push((k, encoding, seed));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}
