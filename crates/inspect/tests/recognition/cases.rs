//! Compares what is recognised with what tests/reference/mistakes.py expects.

use std::fs;
use std::path::Path;

use posenc_inspect::{Inspector, Report, read};

/// The result of a folder of cases.
pub struct Outcome {
    /// Number of cases.
    pub cases: usize,
    /// The cases whose report is not as expected, with the differences.
    pub wrong: Vec<String>,
    /// Those of them whose report states a base or an exponent.
    pub wrong_and_certain: Vec<String>,
}

/// Inspects all cases of a folder.
pub fn compare(folder: &Path) -> Outcome {
    let list = fs::read_to_string(folder.join("cases.tsv")).unwrap();
    let mut lines = list.lines().map(|line| line.split('\t'));
    let fields: Vec<&str> = lines.next().unwrap().collect();
    let mut outcome = Outcome {
        cases: 0,
        wrong: Vec::new(),
        wrong_and_certain: Vec::new(),
    };
    for line in lines {
        let values: Vec<&str> = line.collect();
        let case: Vec<(&str, &str)> = fields.iter().copied().zip(values).collect();
        let file = case[0].1;
        let table = read(&fs::read(folder.join(file)).unwrap(), None).unwrap();
        let report = Inspector::new(table).run();
        outcome.cases += 1;
        let wrong: Vec<String> = case[1..]
            .iter()
            .filter_map(|(field, expected)| differs(&report, field, expected))
            .collect();
        if !wrong.is_empty() {
            let wrong = format!("{file}: {}", wrong.join("; "));
            if report.base.is_some() || report.exponent.is_some() {
                outcome.wrong_and_certain.push(wrong.clone());
            }
            outcome.wrong.push(wrong);
        }
    }
    outcome
}

fn differs(report: &Report, field: &str, expected: &str) -> Option<String> {
    if expected == "*" {
        return None;
    }
    let found_codes = report.findings.iter().map(|finding| finding.code);
    let codes: Vec<&str> = found_codes.clone().map(|code| code.name()).collect();
    let mistakes: Vec<&str> = found_codes
        .filter(|code| !code.is_note())
        .map(|code| code.name())
        .collect();
    if field == "codes" {
        // All expected codes are reported, and no other mistake.
        let expected: Vec<&str> = expected.split(',').collect();
        let is_expected = |code: &&str| {
            expected
                .iter()
                .any(|it| it.split('|').any(|it| it == *code))
        };
        let there = |it: &&str| it.split('|').any(|it| codes.contains(&it));
        let right = expected.iter().all(there) && mistakes.iter().all(is_expected);
        return (!right).then(|| format!("codes are {codes:?}, not {expected:?}"));
    }
    if let ("scale", Some(scale), Ok(expected)) = (field, report.scale, expected.parse::<f64>()) {
        let right = (scale / expected - 1.0).abs() < 1e-4;
        return (!right).then(|| format!("scale is {scale}, not {expected}"));
    }
    let or_null = |it: Option<String>| it.unwrap_or("-".into());
    let found = match field {
        "kind" => report.kind.name().into(),
        "layout" => or_null(report.layout.map(String::from)),
        "base" => or_null(report.base.map(|it| it.to_string())),
        "start" => or_null(report.start.map(|it| it.to_string())),
        "exponent" => or_null(report.exponent.map(|it| it.name().into())),
        "swapped" => or_null(report.swapped.map(|it| u8::from(it).to_string())),
        "sign" => or_null(report.sign.map(|it| it.to_string())),
        "scale" => or_null(report.scale.map(|it| it.to_string())),
        "transposed" => u8::from(report.transposed).to_string(),
        "arithmetic" => or_null(report.arithmetic.map(|it| it.name().into())),
        "storage" => report.storage.name().into(),
        "correct" => u8::from(report.is_correct()).to_string(),
        "cell" => {
            let expected: Vec<&str> = expected.split(',').collect();
            let cells = report.findings.iter().filter_map(|finding| finding.cell);
            let mut cells =
                cells.map(|cell| [cell.position.to_string(), cell.dimension.to_string()]);
            let there = cells.any(|cell| cell == expected[..]);
            return (!there).then(|| format!("no finding at {expected:?}"));
        }
        other => panic!("no field {other}"),
    };
    // With a star, an unknown value is accepted, too.
    let or_unknown = expected.ends_with('*') && found == "-";
    let expected = expected.trim_end_matches('*');
    let right = or_unknown || expected.split('|').any(|it| it == found);
    (!right).then(|| format!("{field} is {found}, not {expected}"))
}
