//! Compares losses with those of a model written in PyTorch (`tests/reference/training.py`).

use crate::small_model::{batch, model};
use posenc_lab::{Adam, AdamConfig, Encoding, Pass};

const REFERENCE: &str = include_str!("../reference/training.tsv");

#[test]
fn twenty_steps_are_those_of_pytorch() {
    let mut compared = 0;
    for line in REFERENCE.lines() {
        let mut cells = line.split('\t');
        let name = cells.next().unwrap();
        let mut model = model(Encoding::named(name).unwrap());
        let config = AdamConfig {
            learning_rate: 0.02,
            betas: (0.9, 0.98),
            epsilon: 1e-8,
            max_norm: 0.5,
            warm_up: 5,
            steps: 20,
            last_share: 0.05,
        };
        let mut adam = Adam::new(config, model.parameters().len());
        let mut gradients = vec![0.0; model.parameters().len()];
        let mut pass = Pass::default();
        let mut losses = Vec::new();
        for (step, expected) in cells.enumerate() {
            let batch = batch(step);
            let loss = model.forward(&batch, &mut pass).loss;
            let expected: f64 = expected.parse().unwrap();
            assert!(
                (loss - expected).abs() < 1e-11,
                "{name}, step {step}: {loss} and {expected}"
            );
            model.backward(&batch, &mut pass, &mut gradients);
            adam.update(model.parameters_mut(), &gradients);
            losses.push(loss);
        }
        assert_eq!(losses.len(), 20);
        compared += 1;
    }
    assert_eq!(compared, Encoding::ALL.len());
}
