//! What the layer of the lesson's task, naming the token three back, learns if each of the codes is added to its embeddings.

use crate::figures::learning::once_map::OnceMap;
use crate::math::codes::{Code, Codes};
use posenc_encoding::{Layout, Sinusoidal};
use posenc_lab::{Encoding, Trainer, TrainerConfig};

/// Tokens per sequence, in training and in tests.
const LENGTH: usize = 32;
const STEPS: usize = 400;
/// The offset of the token to be named.
const BACK: usize = 3;

/// The rows of a code for the positions of a model, positions × d_model. All but integers are scaled so that the rows of
/// the training have the root mean square length of sinusoidal rows. Rows that a code does not have are zero.
fn rows(code: usize, positions: usize, d_model: usize) -> Vec<f32> {
    let codes = Codes::new(LENGTH, d_model, 10_000.0);
    // Accuracies must not depend on the processor, so waves are those that are the same on all.
    let [paired, alone] =
        [d_model, 2 * d_model].map(|width| Sinusoidal::new(width, 10_000.0, Layout::Interleaved));
    let value = |position: usize, column: usize| match Code::ALL.get(code) {
        Some(Code::Sinusoidal) => paired.value(position as i64, column),
        Some(&code) if codes.reaches(code, position) && column < codes.cells(code) => {
            codes.value(code, position, column)
        }
        Some(_) => 0.0,
        // Sines alone, each of its own frequency.
        None => alone.value(position as i64, 2 * column),
    };
    let seen = (0..LENGTH).flat_map(|position| (0..d_model).map(move |column| (position, column)));
    let squares: f64 = seen.map(|(p, c)| value(p, c).powi(2)).sum();
    let scale = match Code::ALL.get(code) {
        Some(Code::Integer) => 1.0,
        _ => ((LENGTH * d_model / 2) as f64 / squares).sqrt(),
    };
    (0..positions * d_model)
        .map(|at| (scale * value(at / d_model, at % d_model)) as f32)
        .collect()
}

/// The median accuracy over three seeds, on sequences that begin at a position. Codes are counted from 0 as in
/// [`Code::ALL`]; the next one is sines alone.
pub(super) fn accuracy(code: usize, start: usize) -> f64 {
    static TRAINED: OnceMap<usize, Vec<Trainer>> = OnceMap::new();
    let of_seed = |seed| {
        let config = TrainerConfig::copy(BACK, Encoding::Sinusoidal, seed);
        let model = config.model;
        let rows = rows(code, model.positions, model.d_model);
        let mut trainer = Trainer::new(config).with_rows(rows);
        while trainer.step() < STEPS {
            trainer.advance();
        }
        trainer
    };
    let trainers = TRAINED.get_or_init(code, || (1..=3).map(of_seed).collect());
    let accuracy = |trainer: &Trainer| trainer.evaluate(LENGTH, start).unwrap().accuracy;
    let mut accuracies: Vec<f64> = trainers.iter().map(accuracy).collect();
    accuracies.sort_by(f64::total_cmp);
    accuracies[1]
}

/// A code of the core that is added as rows is what the core adds by itself.
#[test]
fn sinusoidal_rows_are_learned_as_the_encoding_is() {
    let config = TrainerConfig::copy(BACK, Encoding::Sinusoidal, 1);
    let rows = rows(
        Code::Sinusoidal as usize,
        config.model.positions,
        config.model.d_model,
    );
    let mut trainers = [Trainer::new(config), Trainer::new(config).with_rows(rows)];
    for trainer in &mut trainers {
        while trainer.step() < 30 {
            trainer.advance();
        }
    }
    let [own, given] = trainers.map(|trainer| trainer.last());
    assert_eq!(own, given);
}
