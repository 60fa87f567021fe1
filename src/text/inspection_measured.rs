//! What is measured of a table where no single formula holds, in words.

use super::Lang;
use super::inspection_values::{cell_number, say, small_number};
use posenc_inspect::{Axes, Code, Finding, FrequencyRule, PositionRule, Report};

/// A finding about what is measured; `None` for those about a formula.
pub(super) fn measured(finding: &Finding, report: &Report, lang: Lang) -> Option<String> {
    let say = |key: &str, values: &[(&str, &str)]| Some(say(lang, key, values));
    let number = |value: Option<f64>| value.map(cell_number).unwrap_or_default();
    let count = finding.count.unwrap_or_default().to_string();
    let row = finding.cell.map_or(0, |cell| cell.position).to_string();
    let column = finding.cell.map_or(0, |cell| cell.dimension).to_string();
    let rule = report.positions.map(|it| it.rule);
    let start = number(report.positions.map(|it| it.start));
    match finding.code {
        Code::ScaledFrequencies | Code::Partial => {
            let frequencies = report.frequencies.as_ref()?;
            let (base, factor) = (number(frequencies.base), number(frequencies.factor));
            let pair = frequencies.from_pair.unwrap_or_default().to_string();
            let values = [
                ("base", &base[..]),
                ("factor", &factor),
                ("pair", &pair),
                ("count", &count),
            ];
            let key = match frequencies.rule {
                FrequencyRule::Geometric => "frequencies.partial",
                FrequencyRule::Llama3 => "frequencies.llama3",
                FrequencyRule::Yarn => "frequencies.yarn",
                FrequencyRule::Longrope => "frequencies.longrope",
                FrequencyRule::LinearScaled => "frequencies.linear-scaled",
                FrequencyRule::Proportional => "frequencies.proportional",
                FrequencyRule::PowersOfTwo => "frequencies.powers-of-two",
                FrequencyRule::Linear => "frequencies.linear",
                FrequencyRule::Listed => "frequencies.listed",
            };
            say(key, &values)
        }
        Code::Falling => say("falling", &[("start", &start)]),
        Code::Restarts => say("restarts", &[("row", &row)]),
        Code::Repeated => match rule {
            Some(PositionRule::Clamped) => say("repeated.clamped", &[("row", &row)]),
            Some(PositionRule::Repeated) => say("repeated", &[("row", &row)]),
            _ => say("repeated.columns", &[]),
        },
        Code::SpecialRows => say("special-rows", &[("count", &count)]),
        Code::Axes => {
            let Axes { sizes, first, .. } = report.axes.as_ref()?;
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            let which = if *first == 0 {
                "axes.slow"
            } else {
                "axes.fast"
            };
            say(which, &[("sizes", &sizes.join(" × "))])
        }
        Code::WrongRows => say("wrong-rows", &[("count", &count), ("row", &row)]),
        Code::WrongColumns => say("wrong-columns", &[("count", &count), ("column", &column)]),
        Code::Coarse => {
            let max = report
                .residual
                .map(|it| small_number(it.max))
                .unwrap_or_default();
            say("coarse", &[("max", &max)])
        }
        Code::Dropout => say(
            "dropout",
            &[("count", &count), ("scale", &number(report.scale))],
        ),
        Code::PositionStep if rule == Some(PositionRule::Listed) => {
            say("position-step.listed", &[("row", &row)])
        }
        Code::PositionStep if report.is_measured() => {
            let step = number(report.positions.and_then(|it| it.step));
            say("position-step.measured", &[("step", &step)])
        }
        Code::StartOffset if report.is_measured() => {
            say("start-offset.measured", &[("start", &start)])
        }
        Code::HalfPrecisionAngle if report.arithmetic.is_none() => {
            say("half-precision-angle.frequencies", &[])
        }
        Code::Scaled if report.scale.is_none() => say("scaled.columns", &[]),
        _ => None,
    }
}
