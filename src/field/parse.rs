//! Parses numbers, and describes input that is invalid.

use crate::math::Clamp;

/// Invalid input for a setting, and what is used instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// The name of the setting; for an unknown name, that of the suggested setting, or empty.
    pub name: &'static str,
    pub kind: DiagnosticKind,
    /// The input, shortened.
    pub input: String,
    /// The value that is used instead.
    pub fallback: String,
    /// The valid name that may have been meant.
    pub suggestion: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiagnosticKind {
    NotANumber,
    NotAnInteger,
    OutOfRange,
    NotAnOption,
    NotARange,
    /// No setting has this name.
    Unknown,
}

/// Longer input is shortened in messages.
const MAX_SHOWN_CHARS: usize = 24;

impl Diagnostic {
    /// Removes the problems of a field.
    pub fn remove(problems: &mut Vec<Diagnostic>, name: &str) {
        problems.retain(|problem| problem.name != name);
    }

    pub fn new(
        name: &'static str,
        kind: DiagnosticKind,
        input: &str,
        fallback: String,
    ) -> Diagnostic {
        let mut shown: String = input
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(MAX_SHOWN_CHARS)
            .collect();
        if input.chars().nth(MAX_SHOWN_CHARS).is_some() {
            shown.push('…');
        }
        Diagnostic {
            name,
            kind,
            input: shown,
            fallback,
            suggestion: None,
        }
    }

    /// A diagnostic for an unknown name, filed under the closest setting, if any.
    pub fn unknown(input: &str, suggestion: Option<&'static str>) -> Diagnostic {
        let name = suggestion.unwrap_or_default();
        Diagnostic::new(name, DiagnosticKind::Unknown, input, String::new())
            .with_suggestion(suggestion)
    }

    /// Adds the valid name that may have been meant.
    pub fn with_suggestion(mut self, suggestion: Option<&str>) -> Diagnostic {
        self.suggestion = suggestion.map(str::to_string);
        self
    }
}

/// Longer input is rejected.
const MAX_INPUT_BYTES: usize = 400;

/// A decimal number, infinite if it is too large; `None` if the text is not a number. Full-width
/// digits and signs, as an East Asian keyboard writes them, are read as their ASCII equivalents; so
/// is the true minus sign.
pub fn number(text: &str) -> Option<f64> {
    if text.len() > MAX_INPUT_BYTES {
        return None;
    }
    let ascii: String = text.trim().chars().map(to_ascii).collect();
    // Only digits, signs, a point and an exponent; words such as "inf" and "nan" are not numbers.
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    if ascii.chars().all(numeric) {
        decimal(&ascii)
    } else {
        None
    }
}

/// Further digits exceed the precision of a `u64`.
const MAX_SIGNIFICANT_DIGITS: u32 = 19;

/// A decimal number in ASCII: exact for up to fifteen digits and powers of ten up to 22, otherwise
/// within a few ULP. A correctly rounded parser needs a table of ten kilobytes.
fn decimal(text: &str) -> Option<f64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = || before.bytes().chain(after.bytes());
    if digits().next().is_none() || !digits().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (mut value, mut digit_count, mut exponent10) =
        (0u64, 0, exponent.saturating_add(before.len() as i32));
    for digit in digits() {
        if digit_count == 0 && digit == b'0' {
            exponent10 = exponent10.saturating_sub(1);
        } else if digit_count < MAX_SIGNIFICANT_DIGITS {
            value = 10 * value + u64::from(digit - b'0');
            digit_count += 1;
        }
    }
    let power = exponent10
        .saturating_sub(digit_count as i32)
        .clamp(-700, 700);
    let mut magnitude = value as f64;
    if value > 0 {
        // 10^700 overflows, so the scaling is split in two.
        for part in [power.clamp(-300, 300), power - power.clamp(-300, 300)] {
            let factor = 10f64.powi(part.abs());
            magnitude = if part < 0 {
                magnitude / factor
            } else {
                magnitude * factor
            };
        }
    }
    Some(if negative { -magnitude } else { magnitude })
}

fn to_ascii(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '−' => '-',
        '。' => '.',
        c => c,
    }
}

/// The nearest valid integer, and the kind of error if it differs from the input. The integer is
/// `None` for input that is not a number.
pub fn whole(text: &str, low: i64, high: i64) -> (Option<i64>, Option<DiagnosticKind>) {
    let Some(value) = number(text) else {
        return (None, Some(DiagnosticKind::NotANumber));
    };
    let nearest = value.clamped(low as f64, high as f64).round() as i64;
    let kind = if value < low as f64 || value > high as f64 {
        Some(DiagnosticKind::OutOfRange)
    } else if value.fract() != 0.0 {
        Some(DiagnosticKind::NotAnInteger)
    } else {
        None
    };
    (Some(nearest), kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_people_write_them() {
        assert_eq!(number(" 128 "), Some(128.0));
        assert_eq!(number("１２８"), Some(128.0));
        assert_eq!(number("−３"), Some(-3.0));
        assert_eq!(number("1e3"), Some(1000.0));
        assert_eq!(number("1e400"), Some(f64::INFINITY));
        for bad in [
            "", "NaN", "inf", "infinity", "0x10", "1,5", "abc", "1e", "--1",
        ] {
            assert_eq!(number(bad), None, "{bad}");
        }
        assert_eq!(number(&"9".repeat(20_000)), None);
    }

    #[test]
    fn numbers_are_read_as_the_standard_library_reads_them() {
        for text in [
            "0",
            "-0",
            "1",
            "0.1",
            "10000",
            "123.456",
            "1e22",
            "1e-22",
            "0.000123",
            "007.50",
            "5.",
            ".5",
            "9007199254740991",
            "1048575.25",
        ] {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        for text in [
            "1.7e308",
            "3.3e-300",
            "123456789012345678901234567890",
            "1e-320",
        ] {
            let (ours, theirs) = (decimal(text).unwrap(), text.parse::<f64>().unwrap());
            assert!((ours / theirs - 1.0).abs() < 1e-3, "{text}: {ours}");
        }
        assert_eq!(decimal("1e400"), Some(f64::INFINITY));
        assert_eq!(decimal("1e-400"), Some(0.0));
        for bad in ["", ".", "+", "e5", "1e", "1e5.0", "--1", "1-"] {
            assert_eq!(decimal(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_nearest_legal_number_is_used() {
        assert_eq!(
            whole("-1", 1, 64),
            (Some(1), Some(DiagnosticKind::OutOfRange))
        );
        assert_eq!(
            whole("1e400", 1, 64),
            (Some(64), Some(DiagnosticKind::OutOfRange))
        );
        assert_eq!(
            whole("2.4", 1, 64),
            (Some(2), Some(DiagnosticKind::NotAnInteger))
        );
        assert_eq!(whole("x", 1, 64), (None, Some(DiagnosticKind::NotANumber)));
    }

    #[test]
    fn a_problem_repeats_little_and_no_control_characters() {
        let problem = Diagnostic::new(
            "k",
            DiagnosticKind::NotANumber,
            &"\n".repeat(20_000),
            "3".into(),
        );
        assert_eq!(problem.input.chars().count(), MAX_SHOWN_CHARS + 1);
        assert!(!problem.input.contains('\n'));
    }
}
