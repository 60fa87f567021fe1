//! The report of an inspection as JSON.

use crate::text::{Lang, inspection};
use posenc_inspect::{Axes, Cell, Finding, Frequencies, Positions, Report};

/// The report as JSON, with the findings described in this language; `tensor` names the table in a file with several.
pub fn report_json(report: &Report, tensor: Option<&str>, lang: Lang) -> String {
    let (rows, columns) = report.shape;
    let residual = report.residual.map(|residual| {
        let [max, rms] = [residual.max, residual.rms].map(number);
        format!(r#"{{"max":{max},"rms":{rms}}}"#)
    });
    let fit =
        |what: &str, rms: f64| format!(r#"{{"what":{},"rms":{}}}"#, string(what), number(rms));
    let runner_up = report
        .runner_up
        .map(|it| fit(&inspection::formula(&it.formula, report, lang), it.rms));
    let nearest = report.nearest.map(|it| {
        let what = match it.formula {
            Some(formula) => inspection::formula(&formula, report, lang),
            None => inspection::summary(report, lang),
        };
        fit(&what, it.rms)
    });
    let also: Vec<String> = report.also.iter().map(|name| string(name)).collect();
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
        ("tensor", or_null(tensor.map(string))),
        ("nearest", or_null(nearest)),
        ("also", format!("[{}]", also.join(","))),
        (
            "frequencies",
            or_null(report.frequencies.as_ref().map(frequencies)),
        ),
        (
            "positions",
            or_null(report.positions.as_ref().map(positions)),
        ),
        ("axes", or_null(report.axes.as_ref().map(axes))),
        ("findings", format!("[{}]", findings.join(","))),
        // The coarsest format that represents all of the numbers, to which they were last rounded.
        ("rounded_to", string(report.precision.name())),
    ];
    let fields = fields.map(|(name, value)| format!(r#""{name}":{value}"#));
    format!("{{{}}}", fields.join(","))
}

fn frequencies(it: &Frequencies) -> String {
    let listed = it.listed.as_ref().map(|all| {
        let all: Vec<String> = all.iter().map(|it| number(*it)).collect();
        format!("[{}]", all.join(","))
    });
    format!(
        r#"{{"rule":"{}","base":{},"factor":{},"from_pair":{},"listed":{}}}"#,
        it.rule.name(),
        or_null(it.base.map(number)),
        or_null(it.factor.map(number)),
        or_null(it.from_pair.map(|pair| pair.to_string())),
        or_null(listed),
    )
}

fn positions(it: &Positions) -> String {
    format!(
        r#"{{"rule":"{}","start":{},"step":{},"row":{}}}"#,
        it.rule.name(),
        number(it.start),
        or_null(it.step.map(number)),
        or_null(it.row.map(|row| row.to_string())),
    )
}

fn axes(it: &Axes) -> String {
    format!(
        r#"{{"sizes":{:?},"first":{},"special_rows":{}}}"#,
        it.sizes, it.first, it.special_rows
    )
}

fn or_null(json: Option<String>) -> String {
    json.unwrap_or("null".into())
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
