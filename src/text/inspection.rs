//! The results of inspecting a table as text: sentences, the code that usually causes a mistake, and correct code.

use super::Lang;
use super::inspection_measured::measured;
pub use super::inspection_words::FIXES;
use posenc_inspect::{
    Cell, Code, Finding, Formula, Order, Precision, Report, Rule, Storage, Waves,
};

pub use super::inspection_faults::fault;
pub use super::inspection_values::{cell_number, say, small_number};

/// A short description of a formula, for the nearest one and the runner-up of a report.
pub fn formula(formula: &Formula, report: &Report, lang: Lang) -> String {
    let say = |key: &str, values: &[(&str, &str)]| say(lang, key, values);
    let mut parts: Vec<String> = Vec::new();
    match formula.waves {
        Waves::Both => {}
        Waves::Cosines => parts.push(say("waves.cosines", &[])),
        Waves::Sines => parts.push(say("waves.sines", &[])),
    }
    parts.push(match formula.order {
        Order::Interleaved => say("order.interleaved", &[]),
        Order::Halves => say("order.halves", &[]),
        Order::Single => say("order.single", &[]),
        Order::Quarters => say("order.quarters", &[]),
    });
    parts.push(exponent(formula.rule, lang));
    // Formulas of an odd width may differ in these alone.
    let (rows, columns) = report.shape;
    let width = if report.transposed { rows } else { columns };
    let odd = width % 2 == 1;
    parts.extend((odd && formula.padded).then(|| say("part.padded", &[])));
    if formula.rule != Rule::None {
        parts.extend(odd.then(|| format!("d = {}", formula.divisor)));
        parts.push(say("part.base", &[("base", &cell_number(formula.base))]));
    }
    parts.push(say("part.start", &[("start", &formula.start.to_string())]));
    if formula.swapped {
        parts.push(say("part.swapped", &[]));
    }
    if formula.step != 1.0 {
        parts.push(say("part.step", &[("step", &cell_number(formula.step))]));
    }
    parts.join(&say("part.comma", &[]))
}

/// The exponents, written as in code.
fn exponent(rule: Rule, lang: Lang) -> String {
    let formula = match rule {
        Rule::None => return say(lang, "exponent.none", &[]),
        Rule::Paper => "2i/d",
        Rule::Tensor2tensor => "i/(d/2-1)",
        Rule::Column | Rule::CountedColumn => "column/d",
        Rule::NextPair => "2i/d, (2i+2)/d",
        Rule::Doubled => "4i/d",
        Rule::DoubledColumn | Rule::DoubledCountedColumn => "2·column/d",
        Rule::DoubledThenColumn => "4i/d, (4i+1)/d",
    };
    say(lang, "exponent.is", &[("formula", formula)])
}

/// What the table is, in one line.
pub fn summary(report: &Report, lang: Lang) -> String {
    let say = |key: &str, values: &[(&str, &str)]| say(lang, key, values);
    let mut parts = vec![say(&format!("kind.{}", report.kind.name()), &[])];
    parts.extend(report.layout.map(|layout| match layout {
        "interleaved" => say("order.interleaved", &[]),
        "concatenated" => say("order.halves", &[]),
        other => other.to_string(),
    }));
    parts.extend(report.exponent.map(|rule| exponent(rule, lang)));
    if let Some(base) = report.base {
        parts.push(say("part.base", &[("base", &cell_number(base))]));
    }
    if let Some(start) = report.start {
        parts.push(say("part.start", &[("start", &start.to_string())]));
    }
    if let Some(scale) = report.scale.filter(|scale| *scale != 1.0) {
        parts.push(say("part.scale", &[("scale", &cell_number(scale))]));
    }
    if let Some(precision) = report.arithmetic {
        parts.push(say("part.arithmetic", &[("name", precision.name())]));
    }
    let (stored, rounded) = (report.storage.name(), report.precision.name());
    if matches!(report.storage, Storage::Binary(_)) && stored != rounded {
        parts.push(say("part.rounded", &[("name", rounded)]));
    }
    parts.join(&say("part.comma", &[]))
}

/// A wrong cell with the value found and, if there is one, the expected value.
pub fn wrong_cell(cell: &Cell, lang: Lang) -> String {
    let key = match cell.expected.is_nan() {
        true => "cell.alone",
        false => "cell.wrong",
    };
    let [position, dimension] = [cell.position, cell.dimension].map(|it| it.to_string());
    let [found, expected] = [cell.found, cell.expected].map(cell_number);
    let values = [
        ("position", &position[..]),
        ("dimension", &dimension),
        ("found", &found),
        ("expected", &expected),
    ];
    say(lang, key, &values)
}

/// Conventions with the same numbers as a table; `None` if there are none.
pub fn also(report: &Report, lang: Lang) -> Option<String> {
    let name = |name: &&'static str| match *name {
        "vllm-cos-sin-cache" => "cos_sin_cache (vLLM, SGLang)".into(),
        "diffusion-timestep" => say(lang, "also.diffusion-timestep", &[]),
        "llama-freqs-cis" => "freqs_cis (Llama)".into(),
        "gpt-j" => "create_sinusoidal_positions (GPT-J)".into(),
        "gpt-j-rotary" => "apply_rotary_pos_emb (GPT-J)".into(),
        "mlx" => "mlx.nn.SinusoidalPositionalEncoding".into(),
        "hf-rotary-embedding" => "LlamaRotaryEmbedding (transformers)".into(),
        other => other.into(),
    };
    let names: Vec<String> = report.also.iter().map(name).collect();
    (!names.is_empty()).then(|| names.join(&say(lang, "part.comma", &[])))
}

/// The first cell that differs from the correct table.
pub fn first_wrong(cell: &Cell, report: &Report, lang: Lang) -> String {
    let cell = wrong_cell(cell, lang);
    match report.also.is_empty() {
        true => say(lang, "report.first", &[("cell", &cell)]),
        false => say(lang, "report.differs", &[("cell", &cell)]),
    }
}

/// A finding in a sentence or two.
pub fn finding(finding: &Finding, report: &Report, lang: Lang) -> String {
    let say = |key: &str, values: &[(&str, &str)]| say(lang, key, values);
    let number = |value: Option<f64>| value.map(cell_number).unwrap_or_default();
    let count = finding.count.unwrap_or_default();
    let counted = count.to_string();
    let cell = finding.cell.map(|cell| wrong_cell(&cell, lang));
    let cell = cell.unwrap_or_default();
    let row = finding.cell.map_or(0, |cell| cell.position).to_string();
    let formula = report.formula;
    let key = finding.code.name();
    if let Some(words) = measured(finding, report, lang) {
        return words;
    }
    match finding.code {
        Code::Correct => match report.layout {
            Some("tensor2tensor") => say("correct.tensor2tensor", &[]),
            Some("concatenated") => say("correct.concatenated", &[]),
            _ => say("correct.interleaved", &[]),
        },
        Code::Swapped => match also(report, lang) {
            Some(names) => say("swapped.also", &[("names", &names)]),
            None => say(key, &[]),
        },
        Code::StartOffset => {
            let start = formula.map_or(0, |formula| formula.start);
            let values = [
                ("start", &start.to_string()[..]),
                ("off", &start.abs().to_string()),
            ];
            match start.abs() {
                1 => say("start-offset.one", &values),
                _ => say("start-offset.more", &values),
            }
        }
        Code::ExponentDoubled => {
            let squared = number(formula.map(|it| it.base * it.base));
            say(key, &[("squared", &squared)])
        }
        Code::Base => {
            let Some(base) = report.base else {
                return say("base.unknown", &[]);
            };
            let root = cell_number(base.sqrt());
            let values = [("base", &cell_number(base)[..]), ("root", &root)];
            match base {
                100.0 => say("base.halved", &values),
                1e6 | 1e8 => say("base.squared", &values),
                _ => say("base", &values),
            }
        }
        Code::HalfPrecisionAngle => {
            let name = report.arithmetic.map_or("", |precision| precision.name());
            // bf16 has eight significant bits, f16 has eleven.
            let most = if name == "bf16" { "256" } else { "2048" };
            say(key, &[("name", name), ("most", most)])
        }
        Code::SinglePrecisionAngle => {
            let max = report.residual.map_or(0.0, |it| it.max);
            let key = if max > 1e-3 {
                "single-precision-angle.far"
            } else {
                key
            };
            say(key, &[("max", &small_number(max))])
        }
        Code::ArithmeticHidden => {
            let name = match report.storage {
                Storage::Text { decimals, digits } if report.precision != Precision::F32 => {
                    match decimals <= digits {
                        true => format!("{:.*}", decimals as usize, 0.1_f64.powi(decimals as i32)),
                        false => say("digits", &[("count", &digits.to_string())]),
                    }
                }
                _ => report.precision.name().into(),
            };
            say(key, &[("name", &name)])
        }
        Code::RepeatedRow => match report.repeated_position {
            Some(position) => {
                let position = position.to_string();
                let values = [("count", &counted[..]), ("position", &position)];
                say("repeated-row.known", &values)
            }
            None => say(key, &[("count", &counted)]),
        },
        Code::ZeroRow => say(key, &[("row", &row), ("count", &counted)]),
        Code::OddWidth if finding.cell.is_some() => say("odd-width.wrong", &[]),
        Code::Squeezed => {
            let shape = report.squeezed.clone().unwrap_or_default();
            let shape = format!("{shape:?}");
            let [rows, columns] = [report.shape.0, report.shape.1].map(|it| it.to_string());
            let values = [
                ("shape", &shape[..]),
                ("rows", &rows),
                ("columns", &columns),
            ];
            say(key, &values)
        }
        Code::PositionStep => say(key, &[("step", &number(formula.map(|it| it.step)))]),
        Code::Scaled => say(key, &[("scale", &number(report.scale))]),
        Code::Shifted => say(key, &[("offset", &number(report.offset))]),
        Code::Sign => match report.signs {
            Some((-1, -1)) => say("sign.both", &[]),
            Some((1, -1)) => say("sign.cosines", &[]),
            _ => say("sign.sines", &[]),
        },
        Code::CorruptCell | Code::NotFinite => {
            let some = if count == 1 { "one" } else { "more" };
            let values = [("count", &counted[..]), ("cell", &cell)];
            say(&format!("{key}.{some}"), &values)
        }
        Code::Truncated => {
            // Rows of zeros have no expected value.
            let rows = finding.cell.is_some_and(|cell| cell.expected.is_nan());
            let values = [("row", &row[..]), ("count", &counted)];
            match rows {
                true => say("truncated.rows", &values),
                false => say("truncated.columns", &values),
            }
        }
        Code::Learned => {
            let share = 100.0 * report.nearest_is_neighbour.unwrap_or_default();
            say(key, &[("share", &format!("{share:.0}"))])
        }
        Code::Unknown if report.is_recognised() && finding.cell.is_none() => {
            let max = report.residual.map(|it| small_number(it.max));
            say("unknown.unproven", &[("max", &max.unwrap_or_default())])
        }
        Code::Unknown if report.is_recognised() => {
            let values = [("count", &counted[..]), ("cell", &cell)];
            say("unknown.close", &values)
        }
        Code::Unknown => match report.nearest_is_neighbour {
            Some(share) if share >= 0.5 => say("unknown.smooth", &[]),
            _ => say("unknown.noise", &[]),
        },
        _ => say(key, &[]),
    }
}

/// The line of code that usually causes a mistake, and the correct lines.
pub struct Fix {
    /// The line that usually causes the mistake.
    pub cause: &'static str,
    /// The correct line in NumPy.
    pub numpy: &'static str,
    /// The correct line in PyTorch.
    pub pytorch: &'static str,
    /// The correct line in JAX.
    pub jax: &'static str,
}

/// The fix of a mistake; `None` if no line of code causes it, or none in this order of the dimensions.
pub fn fix(code: Code, report: &Report) -> Option<Fix> {
    let interleaves = matches!(code, Code::Swapped | Code::Degrees | Code::ExponentColumn);
    let is_of_paper = matches!(code, Code::Base | Code::NoDivision | Code::ExponentDoubled);
    let other_order = interleaves && report.layout != Some("interleaved")
        || is_of_paper && report.layout == Some("tensor2tensor");
    // What a convention has so is no mistake.
    let is_convention = code == Code::Scaled && !report.also.is_empty();
    if other_order || is_convention || report.is_measured() {
        return None;
    }
    let (_, lines) = FIXES.iter().find(|(key, _)| *key == code.name())?;
    let [cause, numpy, pytorch, jax] = *lines;
    Some(Fix {
        cause,
        numpy,
        pytorch,
        jax,
    })
}

/// The residual of the table, and that of the runner-up among the formulas, each in a line.
pub fn fits(report: &Report, lang: Lang) -> Vec<String> {
    let say = |key: &str, values: &[(&str, &str)]| say(lang, key, values);
    let residual = report
        .residual
        .filter(|_| report.is_recognised())
        .map(|residual| {
            let [max, rms] = [residual.max, residual.rms].map(small_number);
            say("report.residual", &[("max", &max), ("rms", &rms)])
        });
    let nearest = report.nearest.filter(|_| !report.is_recognised());
    let nearest = nearest.and_then(|it| Some((it.formula?, it.rms)));
    let nearest = nearest.map(|(it, rms)| {
        let (what, rms) = (formula(&it, report, lang), small_number(rms));
        say("report.nearest", &[("rms", &rms), ("formula", &what)])
    });
    let also = also(report, lang).map(|names| say("report.also", &[("names", &names)]));
    let runner_up = report.runner_up.map(|runner_up| {
        let (what, rms) = (
            formula(&runner_up.formula, report, lang),
            small_number(runner_up.rms),
        );
        say("report.runner-up", &[("rms", &rms), ("formula", &what)])
    });
    residual
        .into_iter()
        .chain(nearest)
        .chain(runner_up)
        .chain(also)
        .collect()
}

/// The line of code that usually causes a mistake and the correct lines, one per line.
pub fn listing(fix: &Fix, lang: Lang) -> String {
    let cause = say(lang, "report.cause", &[("code", fix.cause)]);
    let right = [
        ("NumPy", fix.numpy),
        ("PyTorch", fix.pytorch),
        ("JAX", fix.jax),
    ];
    let right = right.map(|(name, code)| format!("\n{name:8} {code}"));
    cause + &right.concat()
}

/// The report of a file as readable text.
pub fn report(name: &str, report: &Report, lang: Lang) -> String {
    let (rows, columns) = report.shape;
    let stored = report.storage.name();
    let mut text = format!("{name}: {rows} × {columns}, {stored}\n");
    text += &format!("{}\n", summary(report, lang));
    for line in fits(report, lang) {
        text += &format!("{line}\n");
    }
    for found in &report.findings {
        let words = finding(found, report, lang);
        text += &format!("\n{}: {words}\n", found.code.name());
        if let Some(fix) = fix(found.code, report) {
            for line in listing(&fix, lang).lines() {
                text += &format!("  {line}\n");
            }
        }
    }
    if let Some(cell) = report.first_wrong {
        text += &format!("\n{}\n", first_wrong(&cell, report, lang));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use crate::text::inspection_words::{FORMAT_KEYS, KEYS, format_sentence, sentence};
    use std::collections::HashSet;

    #[test]
    fn the_runner_up_of_an_odd_width_has_words_of_its_own() {
        for name in ["sinusoid_table-20x7", "tensor2tensor_odd-20x9"] {
            let bytes = std::fs::read(format!("tests/corpus/tables/{name}.npy")).unwrap();
            let report =
                posenc_inspect::Inspector::new(posenc_inspect::read(&bytes, None).unwrap()).run();
            let both = [report.formula.unwrap(), report.runner_up.unwrap().formula];
            for lang in [Lang::En, Lang::Zh] {
                let [first, second] = both.map(|it| formula(&it, &report, lang));
                assert_ne!(first, second, "{name}");
            }
        }
    }

    #[test]
    fn numbers_of_cells_have_six_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (10_000.0, "10000"),
            (0.841_470_984_8, "0.841471"),
            (-0.5, "-0.5"),
            (1.234_567_8e-9, "0.000000001235"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(cell_number(value), text);
        }
        assert_eq!(small_number(3.14e-5), "3.1e-5");
    }

    fn names(text: &str) -> HashSet<&str> {
        let names = text.split('{').skip(1).filter_map(|it| it.split_once('}'));
        names.map(|(name, _)| name).collect()
    }

    #[test]
    fn sentences_have_the_same_gaps_in_both_languages() {
        let mut keys = HashSet::new();
        for key in KEYS.iter().chain(FORMAT_KEYS) {
            let found = sentence(key).or_else(|| format_sentence(key));
            let Text { en, zh } = found.unwrap();
            assert!(keys.insert(key), "{key}");
            assert_eq!(names(en), names(zh), "{key}");
        }
    }

    /// Every key that the code uses exists, and every sentence is used.
    #[test]
    fn no_key_is_missing_or_unused() {
        let code = [
            include_str!("inspection.rs"),
            include_str!("inspection_faults.rs"),
            include_str!("inspection_measured.rs"),
            include_str!("../cli/inspect.rs"),
            include_str!("../../crates/inspect/src/report.rs"),
        ];
        let code = code.map(|code| code.split("#[cfg(test)]").next().unwrap());
        let code = code.concat();
        let formats = include_str!("../../crates/inspect/src/file.rs");
        for key in KEYS.iter().chain(FORMAT_KEYS) {
            let made = ["kind.", "corrupt-cell.", "not-finite."];
            let made = made.iter().any(|prefix| key.starts_with(prefix));
            // Of a format that is told apart: its name.
            let name = key.strip_prefix("fault.").unwrap_or(key);
            let is_format = formats.contains(&format!("\"{name}\""));
            let is_said = made || is_format || code.contains(&format!("\"{key}\""));
            assert!(is_said, "{key}");
        }
        let said = code.split("say(").skip(1);
        let said = said.filter_map(|it| it.trim_start().strip_prefix('"')?.split('"').next());
        let said: Vec<&str> = said.filter(|key| !key.contains('{')).collect();
        assert!(said.len() > 50, "{}", said.len());
        for key in said {
            let found = sentence(key).or_else(|| format_sentence(key));
            assert!(found.is_some(), "{key}");
        }
        for (key, _) in FIXES {
            assert!(code.contains(&format!("\"{key}\"")), "{key}");
        }
    }
}
