//! Fills the sentences of an inspection with values.

use super::Lang;
#[cfg(not(target_arch = "wasm32"))]
use super::inspection_words::format_sentence;
use super::inspection_words::sentence;

/// The sentence of a key, with the names in braces replaced by their values.
pub fn say(lang: Lang, key: &str, values: &[(&str, &str)]) -> String {
    let sentence = sentence(key);
    #[cfg(not(target_arch = "wasm32"))]
    let sentence = sentence.or_else(|| format_sentence(key));
    let mut rest = sentence.map_or("", |sentence| sentence.get(lang));
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let value = values.iter().find(|(it, _)| *it == name);
        text.push_str(before);
        text.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    text + rest
}

/// The value of a cell with six significant digits, and at most twelve decimals.
pub fn cell_number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}").replace("-0", "0");
    }
    if value.abs() >= 1e15 {
        return small_number(value);
    }
    let decimals = (5 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

/// A residual in scientific notation with two significant digits.
pub fn small_number(value: f64) -> String {
    if value == 0.0 {
        "0".into()
    } else {
        format!("{value:.1e}")
    }
}
