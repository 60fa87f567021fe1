//! A model with every kind of parameter, small enough for numerical differentiation, and sequences for it. Both are
//! computed from integers, so that another program can reproduce them (`tests/reference/training.py`).

use posenc_lab::{Batch, Encoding, Model, ModelConfig};

/// More than 16 positions, from where T5's buckets hold more than one distance.
pub const LENGTH: usize = 20;

const TOKENS: usize = 5;
const SEQUENCES: usize = 3;
const K: usize = 2;

/// Returns a pseudorandom number from −1 to 1, a multiple of 2⁻¹⁵.
fn number(i: usize) -> f64 {
    ((i * 7919 + 13) * 10_473 % 65_536) as f64 / 32_768.0 - 1.0
}

/// Two layers, a constant, and parameters between −0.75 and 0.75.
pub fn model(encoding: Encoding) -> Model<f64> {
    let config = ModelConfig {
        encoding,
        vocabulary: TOKENS + 1,
        d_model: 8,
        layers: 2,
        positions: LENGTH + 4,
        base: 100.0,
        alibi_slope: 0.25,
        constant: true,
    };
    let mut model = Model::new(config, 0);
    for (i, parameter) in model.parameters_mut().iter_mut().enumerate() {
        *parameter = 0.75 * number(i);
    }
    model
}

/// The sequences of a step, which begin at different positions.
pub fn batch(step: usize) -> Batch {
    let token = |sequence: usize, at: usize| {
        let i = (step * SEQUENCES + sequence) * LENGTH + at;
        (i * 7919 + 13) * 10_473 % 65_536 / 64 % TOKENS
    };
    let cells = || (0..SEQUENCES).flat_map(|s| (0..LENGTH).map(move |at| (s, at)));
    Batch {
        length: LENGTH,
        starts: (0..SEQUENCES).collect(),
        tokens: cells().map(|(s, at)| token(s, at)).collect(),
        targets: cells()
            .map(|(s, at)| Some(token(s, at.checked_sub(K)?)))
            .collect(),
    }
}
