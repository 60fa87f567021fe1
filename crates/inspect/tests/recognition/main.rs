//! Tables that other code made, and files that others read.

mod cases;
mod hostile;
mod readers;

use std::fs;
use std::path::Path;

use posenc_inspect::{Code, Inspector, Kind, Precision, Report, Rule, read};

#[test]
fn the_kept_tables_are_recognised() {
    let outcome = cases::compare(Path::new("../../tests/corpus/tables"));
    assert!(outcome.cases >= 40, "{}", outcome.cases);
    assert!(outcome.wrong.is_empty(), "{}", outcome.wrong.join("\n"));
    assert!(outcome.wrong_and_certain.is_empty());
}

fn inspect(path: &str) -> Report {
    let table = read(&fs::read(path).unwrap(), None).unwrap();
    Inspector::new(table).run()
}

#[test]
fn the_encoder_of_whisper_is_a_formula_and_its_decoder_is_not() {
    let encoder = inspect("../../tests/corpus/whisper/encoder.npy");
    assert_eq!(encoder.kind, Kind::Sinusoidal);
    assert_eq!(encoder.layout, Some("tensor2tensor"));
    assert_eq!(encoder.base, Some(10_000.0));
    assert_eq!(encoder.exponent, Some(Rule::Tensor2tensor));
    assert_eq!(encoder.precision, Precision::F16);
    assert!(encoder.is_correct());
    // One rounding to half precision, and nothing else.
    let most = encoder.residual.unwrap().max;
    assert!(most > 1e-4 && most < 2.5e-4, "{most}");
    let decoder = inspect("../../tests/corpus/whisper/decoder.npy");
    assert_eq!((decoder.kind, decoder.base), (Kind::Learned, None));
    assert!(decoder.has(Code::Learned) && !decoder.is_correct());
    assert!(decoder.runner_up.is_some());
}

/// A step must fit into a frame: the search and the verification are divided so that none does much more than the others.
#[test]
fn work_is_divided_into_steps() {
    let (rows, columns) = (2048, 256);
    let formula = posenc_inspect::Formula::paper(columns);
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let values = cells.map(|(row, column)| formula.value(columns, row, column) as f32);
    let values = values.map(f64::from).collect();
    let storage = posenc_inspect::Storage::Binary(Precision::F32);
    let table = posenc_inspect::Table::new((rows, columns), values, storage).unwrap();
    let mut inspector = Inspector::new(table);
    let (mut steps, mut progress) = (0, 0.0);
    while inspector.step() {
        steps += 1;
        assert!(inspector.report().is_none());
        let now = inspector.progress();
        assert!((progress..=1.0).contains(&now), "{progress} {now}");
        progress = now;
    }
    assert!(steps > 20, "{steps}");
    assert_eq!(inspector.progress(), 1.0);
    assert!(inspector.report().unwrap().is_correct());
}
