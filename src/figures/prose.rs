//! Tests that the numbers in the text of the lesson are those that the code computes.
//!
//! Every number in `static/lesson/*.html` and in the lesson plans, `static/pages/plans.html`, is in an element `<data>`
//! with
//! - `value="name(arguments)"`: computed by `core` below, by `rounding`, `readback` or `projections`, or by a figure, in
//!   `Figure::lesson_number`; the text must be that value rounded to the digits it shows,
//! - `value="given"`: chosen for an example, or
//! - `value="from SOURCE"`: published by others; the text beside it names the source.
//!
//! A number that follows a figure while it is read (`static/kit/scrub.mjs`) is one of the text until then.
//!
//! Exempt are the minutes of reading, which `tests/native/reading_time.rs` checks, and numbers in `<code>`, `<cite>`,
//! `<sub>`, `<sup>`, `<h2>`, `<var>` and `<mn>`.

use nalgebra::DMatrix;
use posenc_encoding::{Encoding, Layout, ModelSize, Sinusoidal, T5_BUCKETS};
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::fs;

fn interleaved(d_model: f64) -> Sinusoidal {
    Sinusoidal::new(d_model as usize, 10_000.0, Layout::Interleaved)
}

fn core(name: &str, arguments: &[f64]) -> Option<f64> {
    Some(match (name, arguments) {
        ("wavelength", &[d, pair]) => interleaved(d).wavelength(pair as usize),
        ("frequency", &[d, pair]) => interleaved(d).frequency(pair as usize),
        ("pe", &[d, pos, dimension]) => interleaved(d).value(pos as i64, dimension as usize),
        // The angle by which the offset k rotates a pair.
        ("degrees", &[d, pair, k]) => (k * interleaved(d).frequency(pair as usize)).to_degrees(),
        ("norm", &[d]) => (d / 2.0).sqrt(),
        // The root mean square norm of an embedding with this standard deviation, 1/√d for 0, and √d times that.
        ("embedding_norm", &[0.0, _]) => 1.0,
        ("embedding_norm", &[deviation, d]) => deviation * d.sqrt(),
        ("scaled_norm", &[deviation, d]) => d.sqrt() * core("embedding_norm", &[deviation, d])?,
        ("cycles", &[d, len]) => {
            let pe = interleaved(d);
            let within = |&pair: &usize| pe.wavelength(pair) <= len;
            (0..pe.pairs()).filter(within).count() as f64
        }
        ("pairs", &[d]) => interleaved(d).pairs() as f64,
        // Number of pairs whose wavelength exceeds `len`: with the encoding's frequencies, and with evenly spaced
        // frequencies between the same extremes.
        ("slower", &[d, len]) => {
            let pe = interleaved(d);
            (0..pe.pairs())
                .filter(|&pair| pe.wavelength(pair) > len)
                .count() as f64
        }
        ("slower_evenly", &[d, len]) => {
            let pe = interleaved(d);
            let last = pe.pairs() - 1;
            let [high, low] = [0, last].map(|pair| pe.frequency(pair));
            let step = (high - low) / last as f64;
            let frequencies = (0..=last).map(|pair| high - pair as f64 * step);
            frequencies
                .filter(|frequency| TAU / frequency > len)
                .count() as f64
        }
        // Number of principal directions that hold a share of the variance of the rows of `len` positions.
        ("variance_directions", &[d, len, share]) => {
            let pe = interleaved(d);
            let (rows, width) = (len as usize, d as usize);
            let mut rows = DMatrix::from_fn(rows, width, |pos, d| pe.value(pos as i64, d));
            let mean = rows.row_mean();
            for mut row in rows.row_iter_mut() {
                row -= &mean;
            }
            let mut variances = (&rows * rows.transpose()).symmetric_eigenvalues();
            variances.as_mut_slice().sort_by(|a, b| b.total_cmp(a));
            let mut missing = share * variances.sum();
            let enough = |&variance: &f64| {
                missing -= variance;
                missing <= 0.0
            };
            variances.iter().position(enough)? as f64 + 1.0
        }
        // Numbers of learned parameters of a whole model.
        ("learned-numbers", &[len, d]) => parameters(Encoding::Learned, [len, d, 1.0, 1.0]),
        ("xl-numbers", &[d, layers]) => parameters(Encoding::TransformerXl, [1.0, d, 1.0, layers]),
        ("t5-numbers", &[heads]) => parameters(Encoding::T5, [1.0, 1.0, heads, 1.0]),
        ("t5-buckets", []) => T5_BUCKETS as f64,
        // The rows of ViT for a picture of side × side patches, and one for the class token.
        ("patch-rows", &[side]) => side * side + 1.0,
        // |cos| of an angle with this sine.
        ("cosine_beside", &[sine]) => (1.0 - sine * sine).sqrt(),
        ("power", &[base, exponent]) => base.powf(exponent),
        _ => return None,
    })
}

fn parameters(encoding: Encoding, [max_len, d_model, heads, layers]: [f64; 4]) -> f64 {
    let size = ModelSize {
        max_len: max_len as usize,
        d_model: d_model as usize,
        heads: heads as usize,
        layers: layers as usize,
    };
    (encoding.info().parameters)(&size) as f64
}

/// The text nodes, each with the tags that enclose it, innermost last.
fn texts(html: &str) -> Vec<(Vec<String>, String)> {
    let mut open: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut rest = html;
    while !rest.is_empty() {
        let end = rest.find('<').unwrap_or(rest.len());
        let text = rest[..end]
            .replace("&nbsp;", " ")
            .replace("&lt;", "<")
            .replace("&amp;", "&");
        if !text.trim().is_empty() {
            found.push((open.clone(), text));
        }
        rest = &rest[end..];
        let Some(close) = rest.find('>') else { break };
        let tag = &rest[1..close.max(1)];
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop().unwrap_or_default();
            assert_eq!(last.split(' ').next(), Some(name), "in {html:.80}");
        } else if !tag.starts_with("input") && !tag.starts_with("br") && !tag.starts_with('!') {
            open.push(tag.to_string());
        }
        rest = &rest[close + 1..];
    }
    found
}

/// The number that a text shows, and half a unit of its last digit.
fn shown(text: &str) -> Option<(f64, f64)> {
    let plain: String = text
        .trim()
        .replace('−', "-")
        .chars()
        .filter(|c| !matches!(c, '\u{202f}' | '\u{a0}' | ' ' | ',' | '%'))
        .collect();
    let (mantissa, exponent) = match plain.split_once("×10") {
        Some((mantissa, raised)) => (mantissa.to_string(), lowered(raised).parse().ok()?),
        None => (plain, 0),
    };
    let decimals = mantissa.split_once('.').map_or(0, |(_, after)| after.len());
    let unit = 10f64.powi(exponent - decimals as i32);
    let value = mantissa.parse::<f64>().ok()? * 10f64.powi(exponent);
    Some((value, 0.5000001 * unit))
}

/// Replaces superscript digits by ordinary ones.
fn lowered(raised: &str) -> String {
    let digit = |c| match c {
        '⁻' => '-',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        c => char::from_digit((c as u32).wrapping_sub(0x2070), 10).unwrap_or(c),
    };
    raised.chars().map(digit).collect()
}

/// A cache of computed expressions: some train a model, and both languages quote the same ones.
#[derive(Default)]
struct Computed(HashMap<String, Option<f64>>);

impl Computed {
    fn of(&mut self, expression: &str) -> Option<f64> {
        let known = self.0.entry(expression.to_string());
        *known.or_insert_with(|| computed(expression))
    }
}

fn computed(expression: &str) -> Option<f64> {
    let (name, arguments) = expression.strip_suffix(')')?.split_once('(')?;
    let arguments: Vec<f64> = arguments
        .split(',')
        .filter(|argument| !argument.trim().is_empty())
        .map(|argument| argument.trim().parse().ok())
        .collect::<Option<_>>()?;
    core(name, &arguments)
        .or_else(|| super::rounding::lesson_number(name, &arguments))
        .or_else(|| super::readback::lesson_number(name, &arguments))
        .or_else(|| super::projections::lesson_number(name, &arguments))
        .or_else(|| super::lesson_number(name, &arguments))
}

fn problem(known: &mut Computed, tags: &[String], text: &str) -> Option<String> {
    const FREE: [&str; 7] = ["code", "cite", "sub", "sup", "var", "mn", "h2"];
    let names = |free: &str| tags.iter().any(|tag| tag.split(' ').next() == Some(free));
    let data = tags
        .iter()
        .find_map(|tag| tag.strip_prefix("data value=\""));
    let Some((value, _)) = data.and_then(|value| value.split_once('"')) else {
        let loose = text.chars().any(|c| c.is_ascii_digit()) && !FREE.into_iter().any(names);
        return loose.then(|| format!("a number outside <data>: {text}"));
    };
    if value == "given"
        || value
            .strip_prefix("from ")
            .is_some_and(|source| !source.is_empty())
    {
        return None;
    }
    let Some((number, half)) = shown(text) else {
        return Some(format!("no number: {text}"));
    };
    match known.of(value) {
        None => Some(format!("nothing computes {value}")),
        // A share may be given in per cent.
        Some(exact) if text.trim().ends_with('%') && (100.0 * exact - number).abs() <= half => None,
        Some(exact) if (exact - number).abs() <= half => None,
        Some(exact) => Some(format!("{value} is {exact}, not {text}")),
    }
}

#[test]
fn every_number_in_the_lesson_is_computed() {
    let mut problems = Vec::new();
    let mut known = Computed::default();
    let chapters = fs::read_dir("static/lesson").unwrap();
    let chapters = chapters.map(|entry| entry.unwrap().path());
    for path in chapters.chain(["static/pages/plans.html".into()]) {
        let html = fs::read_to_string(&path).unwrap();
        // The text of a complete page is in `<main>`.
        let body = html.split("<main>").nth(1);
        let html = body.map_or(&html[..], |body| {
            body.split("</main>").next().unwrap_or(body)
        });
        let lines = html
            .lines()
            .filter(|line| !line.starts_with("<p class=\"time\">"));
        for (tags, text) in texts(&lines.collect::<Vec<_>>().join("\n")) {
            let found = problem(&mut known, &tags, &text);
            problems.extend(found.map(|p| format!("{}: {p}", path.display())));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn wrong_and_loose_numbers_are_found() {
    let problems = |html: &str| -> Vec<String> {
        let texts = texts(html);
        texts
            .iter()
            .filter_map(|(tags, text)| problem(&mut Computed::default(), tags, text))
            .collect()
    };
    assert!(problems("<p>one <data value=\"wavelength(512, 64)\">62.83</data> two</p>").is_empty());
    assert!(problems("<p><data value=\"power(10000, 0.99609375)\">9 646.6</data></p>").is_empty());
    assert!(problems("<p><data value=\"pe(4, 2, 2)\">2.0×10⁻²</data></p>").is_empty());
    assert_eq!(
        problems("<p><data value=\"wavelength(512, 64)\">62.84</data></p>").len(),
        1
    );
    assert_eq!(problems("<p>within 50 positions</p>").len(), 1);
    assert_eq!(
        problems("<p><data value=\"nonsense(1)\">1</data></p>").len(),
        1
    );
}
