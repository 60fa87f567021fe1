//! Tables with damage of one kind, each with all that is said of it.

use crate::kinds::{changed, count, geometric, interleaved, llama3, noise, paper, rows};
use posenc_inspect::{Code, Inspector, Precision, Report, Storage, Table};

fn inspect_shape(shape: &[u64], numbers: &[f64]) -> Report {
    let numbers = numbers.iter().map(|it| Precision::F32.round(*it)).collect();
    let storage = Storage::Binary(Precision::F32);
    Inspector::new(Table::of_shape(shape, numbers, storage).unwrap()).run()
}

fn inspect(columns: usize, numbers: &[f64]) -> Report {
    let rows = numbers.len() / columns;
    inspect_shape(&[rows as u64, columns as u64], numbers)
}

/// The codes of all findings but the notes.
fn mistakes(report: &Report) -> Vec<&'static str> {
    let findings = report.findings.iter().filter(|it| !it.code.is_note());
    findings.map(|it| it.code.name()).collect()
}

fn cosines(frequencies: &[f64], rows: usize) -> Vec<f64> {
    let row = |angles: &[f64]| -> Vec<f64> {
        let all = angles.iter().chain(angles);
        all.map(|it| it.cos()).collect()
    };
    self::rows(&count(rows), frequencies, &row)
}

/// Changes the columns of a table that hold one pair.
fn in_columns(
    numbers: Vec<f64>,
    width: usize,
    columns: &[usize],
    change: impl Fn(usize, f64) -> f64,
) -> Vec<f64> {
    changed(numbers, |at, it| {
        if columns.contains(&(at % width)) {
            *it = change(at / width, *it);
        }
    })
}

#[test]
fn wrong_columns_that_are_waves_are_found() {
    let right = || paper(&count(100), 64);
    let angle = |row: usize, pair: f64| row as f64 * 1e4_f64.powf(-pair / 32.0);
    let tables = [
        in_columns(right(), 64, &[6], |_, it| -it),
        in_columns(right(), 64, &[7], |_, it| -it),
        in_columns(right(), 64, &[6], |_, it| 0.5 * it),
        in_columns(right(), 64, &[6], |_, it| it + 0.5),
        in_columns(right(), 64, &[6], |_, _| 0.0),
        in_columns(right(), 64, &[6], |row, _| angle(row + 1, 3.0).sin()),
        in_columns(right(), 64, &[6], |row, _| angle(row, 3.0).cos()),
    ];
    for (at, table) in tables.iter().enumerate() {
        let report = inspect(64, table);
        assert_eq!(mistakes(&report), ["wrong-columns"], "{at}");
        assert_eq!(report.wrong_columns.len(), 1, "{at}");
        assert_eq!((report.base, report.start), (Some(1e4), Some(0)), "{at}");
        assert!(report.residual.unwrap().max > 0.3, "{at}");
    }
}

#[test]
fn wrong_columns_of_a_cache_are_found() {
    let frequencies = geometric(5e5, 64);
    let (width, both) = (128, [5, 69]);
    let right = || cosines(&frequencies, 512);
    let angle = |row: usize| row as f64 * frequencies[5];
    let tables = [
        in_columns(right(), width, &both, |_, it| -it),
        in_columns(right(), width, &both, |_, it| 0.5 * it),
        in_columns(right(), width, &both, |row, _| angle(row).sin()),
        in_columns(right(), width, &both, |row, _| angle(row + 1).cos()),
        in_columns(right(), width, &[5], |_, it| -it),
    ];
    for (at, table) in tables.iter().enumerate() {
        let report = inspect(width, table);
        assert_eq!(mistakes(&report), ["wrong-columns"], "{at}");
        assert_eq!(report.wrong_columns, both[..if at < 4 { 2 } else { 1 }]);
        assert_eq!((report.base, report.start), (Some(5e5), Some(0)), "{at}");
        assert!(report.also.is_empty(), "{at}");
    }
}

#[test]
fn both_copies_of_a_cache_are_compared() {
    let random: Vec<f64> = noise(3, 1024 * 128).iter().map(|it| 0.7 * it).collect();
    let right = || cosines(&llama3(5e5, 64, 8.0), 1024);
    let overwritten = |first: usize, end: usize, columns: usize| {
        changed(right(), |at, it| {
            if (first..end).contains(&(at / 128)) && at % 128 < columns {
                *it = random[at];
            }
        })
    };
    let is = |table: &[f64], codes: &[&str]| {
        assert_eq!(mistakes(&inspect(128, table)), codes);
    };
    is(&right(), &["scaled-frequencies"]);
    is(
        &overwritten(101, 120, 64),
        &["scaled-frequencies", "wrong-rows"],
    );
    is(
        &overwritten(500, 501, 1),
        &["scaled-frequencies", "corrupt-cell"],
    );
    // Rows of zeros are no dropout.
    let zeros = changed(right(), |at, it| {
        if (500..520).contains(&(at / 128)) {
            *it = 0.0;
        }
    });
    is(&zeros, &["scaled-frequencies", "zero-row"]);
    // Row 511 is one of those on which copies are looked for.
    let plain = changed(cosines(&geometric(5e5, 64), 1024), |at, it| {
        if at / 128 == 511 {
            *it = random[at];
        }
    });
    is(&plain, &["wrong-rows"]);
}

#[test]
fn sines_with_the_sign_of_rotate_half_are_evenly_spaced() {
    for base in [1e4, 5e5, 1e6] {
        for (rows, first) in [(100, 1.0), (300, -1.0), (512, 1.0)] {
            let row = |angles: &[f64]| -> Vec<f64> {
                let sines = |sign: f64| angles.iter().map(move |it| sign * it.sin());
                sines(first).chain(sines(-first)).collect()
            };
            let report = inspect(64, &self::rows(&count(rows), &geometric(base, 32), &row));
            assert_eq!(mistakes(&report), ["sign"], "{base} {rows}");
            assert_eq!(report.positions.unwrap().step, Some(1.0), "{base} {rows}");
        }
    }
}

#[test]
fn no_convention_has_the_numbers_of_a_mistake() {
    let halves = |base: f64, [sine, cosine]: [f64; 2]| {
        let row = |angles: &[f64]| -> Vec<f64> {
            let sines = angles.iter().map(|it| sine * it.sin());
            sines
                .chain(angles.iter().map(|it| cosine * it.cos()))
                .collect()
        };
        inspect(64, &self::rows(&count(200), &geometric(base, 32), &row))
    };
    assert_eq!(halves(1e4, [1.0, 1.0]).also, ["gpt-j"]);
    for report in [
        halves(1000.0, [1.0, 1.0]),
        halves(1e4, [-1.0, 1.0]),
        halves(1e4, [1.37, 1.37]),
    ] {
        assert!(report.also.is_empty(), "{:?}", report.also);
    }
}

#[test]
fn a_damaged_table_of_tensor2tensor_keeps_its_base() {
    let frequencies: Vec<f64> = (0..32)
        .map(|i| 1e4_f64.powf(-f64::from(i) / 31.0))
        .collect();
    let right = self::rows(&count(100), &frequencies, &crate::kinds::halves);
    let report = inspect(64, &in_columns(right, 64, &[40], |_, _| 0.0));
    assert_eq!(mistakes(&report), ["wrong-columns"]);
    assert_eq!(report.layout, Some("tensor2tensor"));
    assert_eq!(report.base, Some(1e4));
}

#[test]
fn a_cell_of_frequency_one_is_exact() {
    let numbers = changed(paper(&count(20_000), 16), |at, it| {
        if at == 19_999 * 16 {
            *it -= it.signum() * 0.01;
        }
    });
    assert_eq!(mistakes(&inspect(16, &numbers)), ["corrupt-cell"]);
}

#[test]
fn equal_heads_are_one_table_and_no_image() {
    let one = cosines(&geometric(1e4, 32), 64);
    let report = inspect_shape(&[1, 12, 64, 64], &one.repeat(12));
    assert_eq!(report.shape, (64, 64));
    assert_eq!(report.kind.name(), "rope-cos");
    assert!(report.has(Code::Squeezed));
}

#[test]
fn zeros_of_the_formula_are_no_row_of_zeros() {
    let cosines: Vec<usize> = (0..32).map(|it| 2 * it + 1).collect();
    let without = in_columns(paper(&count(50), 64), 64, &cosines, |_, _| 0.0);
    assert_eq!(mistakes(&inspect(64, &without)), ["wrong-columns"]);
    let sines: Vec<f64> = count(64).iter().map(|it| it.sin()).collect();
    assert!(inspect(1, &sines).is_correct());
}

#[test]
fn positions_beyond_half_a_turn_of_the_slowest_pair_are_whole() {
    let positions: Vec<f64> = count(200).iter().map(|it| 4998.0 + it).collect();
    let narrow = self::rows(&positions, &geometric(1e4, 4), &interleaved);
    assert_eq!(inspect(8, &narrow).start, Some(4998));
}

#[test]
fn caches_of_16_bits_and_rules_for_longer_contexts_have_no_damaged_cells() {
    for (frequencies, rows) in [
        (llama3(5e5, 64, 8.0), 300),
        (llama3(5e5, 64, 8.0), 2048),
        (llama3(1e4, 64, 16.0), 2048),
    ] {
        for precision in [Precision::Bf16, Precision::F16] {
            let numbers = cosines(&frequencies, rows);
            let numbers: Vec<f64> = numbers.iter().map(|it| precision.round(*it)).collect();
            let report = inspect(128, &numbers);
            assert!(
                !mistakes(&report).contains(&"corrupt-cell"),
                "{precision:?} {rows}: {:?}",
                mistakes(&report)
            );
        }
    }
}
