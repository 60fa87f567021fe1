//! Recognition of tables from other code, and readers compared with those of other crates.

mod cases;
mod damaged;
mod hostile;
mod kinds;
mod more_kinds;
mod readers;
mod sweep;

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

/// A finding names a position and a dimension, also where the file has a row per dimension.
#[test]
fn a_cell_that_is_not_finite_is_found_in_a_transposed_table() {
    let (positions, dimensions) = (50, 32);
    let formula = posenc_inspect::Formula::paper(dimensions);
    let cells = (0..dimensions).flat_map(|row| (0..positions).map(move |column| (row, column)));
    let value = |(dimension, position)| match (position, dimension) {
        (40, 7) => f64::NAN,
        _ => formula.value(dimensions, position, dimension),
    };
    let storage = posenc_inspect::Storage::Binary(Precision::F64);
    let values = cells.map(value).collect();
    let table = posenc_inspect::Table::new((dimensions, positions), values, storage).unwrap();
    let report = Inspector::new(table).run();
    assert!(report.transposed);
    let finding = report.findings.iter().find(|it| it.code == Code::NotFinite);
    let cell = finding.and_then(|it| it.cell).unwrap();
    assert_eq!((cell.position, cell.dimension), (40, 7));
}

/// A step must fit into a frame of the browser: search and verification are divided into steps of similar duration.
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

/// Angles in single precision, stored in half: an offset makes the numbers, and their rounding errors, larger. This must not
/// be reported as angles in half precision; the file does not show which it was.
#[test]
fn rounding_of_the_file_is_no_rounding_of_angles() {
    for (rows, columns, shift) in [(64, 8, 0.1_f32), (300, 32, 0.25), (512, 16, -0.6)] {
        for storage in [Precision::F16, Precision::Bf16] {
            let cell = |at: usize| {
                let (position, column) = ((at / columns) as f32, at % columns);
                let exponent = (column / 2 * 2) as f32 * -(10_000_f32.ln() / columns as f32);
                let angle = position * exponent.exp();
                let wave = if column % 2 == 0 {
                    angle.sin()
                } else {
                    angle.cos()
                };
                storage.round(f64::from(wave + shift))
            };
            let cells = (0..rows * columns).map(cell).collect();
            let storage = posenc_inspect::Storage::Binary(storage);
            let table = posenc_inspect::Table::new((rows, columns), cells, storage).unwrap();
            let report = Inspector::new(table).run();
            let codes: Vec<_> = report.findings.iter().map(|it| it.code.name()).collect();
            let name = format!("{rows} {columns} {shift} {storage:?} {codes:?}");
            assert!(report.has(Code::Shifted), "{name}");
            assert!(!report.has(Code::HalfPrecisionAngle), "{name}");
            assert!(report.has(Code::ArithmeticHidden), "{name}");
            assert_eq!(report.arithmetic, None, "{name}");
        }
    }
}
