//! The report of an inspection as JSON.

use crate::text::{Lang, inspection};
use posenc_inspect::{Cell, Finding, Report};

/// The report as JSON, with the findings described in this language.
pub fn report_json(report: &Report, lang: Lang) -> String {
    let (rows, columns) = report.shape;
    let or_null = |text: Option<String>| text.unwrap_or("null".into());
    let residual = report.residual.map(|residual| {
        let [max, rms] = [residual.max, residual.rms].map(number);
        format!(r#"{{"max":{max},"rms":{rms}}}"#)
    });
    let runner_up = report.runner_up.map(|it| {
        let what = string(&inspection::formula(&it.formula, lang));
        format!(r#"{{"what":{what},"rms":{}}}"#, number(it.rms))
    });
    let finding = |finding: &Finding| {
        let at = |of: fn(&Cell) -> usize| or_null(finding.cell.map(|cell| of(&cell).to_string()));
        format!(
            r#"{{"code":"{}","words":{},"position":{},"dimension":{}}}"#,
            finding.code.name(),
            string(&inspection::finding(finding, report, lang)),
            at(|cell| cell.position),
            at(|cell| cell.dimension),
        )
    };
    let findings: Vec<String> = report.findings.iter().map(finding).collect();
    let fields = [
        ("shape", format!("[{rows},{columns}]")),
        ("dtype", string(report.storage.name())),
        ("kind", string(report.kind.name())),
        ("layout", or_null(report.layout.map(string))),
        ("base", or_null(report.base.map(number))),
        ("start", or_null(report.start.map(|it| it.to_string()))),
        (
            "exponent",
            or_null(report.exponent.map(|it| string(it.name()))),
        ),
        ("swapped", or_null(report.swapped.map(|it| it.to_string()))),
        ("sign", or_null(report.sign.map(|it| it.to_string()))),
        ("scale", or_null(report.scale.map(number))),
        (
            "arithmetic",
            or_null(report.arithmetic.map(|it| string(it.name()))),
        ),
        ("transposed", report.transposed.to_string()),
        ("residual", or_null(residual)),
        ("runner_up", or_null(runner_up)),
        ("findings", format!("[{}]", findings.join(","))),
        // The coarsest format that represents all of the numbers, to which they were last rounded.
        ("rounded_to", string(report.precision.name())),
    ];
    let fields = fields.map(|(name, value)| format!(r#""{name}":{value}"#));
    format!("{{{}}}", fields.join(","))
}

/// A JSON number; `null` for NaN and infinity, which JSON does not have.
fn number(value: f64) -> String {
    match value.is_finite() {
        true => value.to_string(),
        false => "null".into(),
    }
}

fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
