//! Text to values, and what to say when the text is bad.

use crate::math::Clamp;

/// A value that could not be taken as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The setting's.
    pub name: &'static str,
    pub fault: Fault,
    /// What was written, shortened.
    pub given: String,
    /// What is used instead.
    pub used: String,
    /// The valid name that may have been meant.
    pub nearest: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    NotANumber,
    NotWhole,
    OutOfRange,
    NotAChoice,
    NotASpan,
    /// There is no setting of this name.
    Unknown,
}

/// At most this much of a bad value is repeated to the person who wrote it.
const SHOWN: usize = 24;

impl Problem {
    pub fn new(name: &'static str, fault: Fault, given: &str, used: String) -> Problem {
        let mut shown: String = given
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(SHOWN)
            .collect();
        if given.chars().nth(SHOWN).is_some() {
            shown.push('…');
        }
        Problem {
            name,
            fault,
            given: shown,
            used,
            nearest: None,
        }
    }

    /// A name that is no setting's. The problem belongs to the setting that may have been meant, if there is one.
    pub fn unknown(given: &str, nearest: Option<&'static str>) -> Problem {
        let name = nearest.unwrap_or_default();
        Problem::new(name, Fault::Unknown, given, String::new()).meaning(nearest)
    }

    /// The same with the valid name that may have been meant.
    pub fn meaning(mut self, nearest: Option<&str>) -> Problem {
        self.nearest = nearest.map(str::to_string);
        self
    }
}

/// A number longer than this is not read: nobody writes one.
const LONGEST: usize = 400;

/// A decimal number, infinite if it is too large. Full-width digits and signs are read as their
/// ASCII twins, as an East Asian keyboard writes them; so is the true minus sign.
pub fn number(text: &str) -> Option<f64> {
    if text.len() > LONGEST {
        return None;
    }
    let ascii: String = text.trim().chars().map(to_ascii).collect();
    // Rust also reads "inf" and "nan"; a person who writes letters did not write a number.
    let numeric = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    if ascii.chars().all(numeric) {
        decimal(&ascii)
    } else {
        None
    }
}

/// Most digits that are read; what follows them is below a `u64`'s precision.
const DIGITS: u32 = 19;

/// A decimal number in ASCII: exact up to fifteen digits and powers of ten up to 22, else off by a
/// few units in the last place. The standard library's way to the last bit takes a table of ten
/// kilobytes.
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
    let (mut value, mut kept, mut scale) = (0u64, 0, exponent.saturating_add(before.len() as i32));
    for digit in digits() {
        if kept == 0 && digit == b'0' {
            scale = scale.saturating_sub(1);
        } else if kept < DIGITS {
            value = 10 * value + u64::from(digit - b'0');
            kept += 1;
        }
    }
    let power = scale.saturating_sub(kept as i32).clamp(-700, 700);
    let mut size = value as f64;
    if value > 0 {
        // Past the reach of one power, in two steps.
        for part in [power.clamp(-300, 300), power - power.clamp(-300, 300)] {
            let factor = 10f64.powi(part.abs());
            size = if part < 0 {
                size / factor
            } else {
                size * factor
            };
        }
    }
    Some(if negative { -size } else { size })
}

fn to_ascii(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '−' => '-',
        '。' => '.',
        c => c,
    }
}

/// The legal whole number nearest to what was written, and the fault if it is not the same.
/// `None` where nothing is near.
pub fn whole(text: &str, low: i64, high: i64) -> (Option<i64>, Option<Fault>) {
    let Some(value) = number(text) else {
        return (None, Some(Fault::NotANumber));
    };
    let nearest = value.clamped(low as f64, high as f64).round() as i64;
    let fault = if value < low as f64 || value > high as f64 {
        Some(Fault::OutOfRange)
    } else if value.fract() != 0.0 {
        Some(Fault::NotWhole)
    } else {
        None
    };
    (Some(nearest), fault)
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
        assert_eq!(whole("-1", 1, 64), (Some(1), Some(Fault::OutOfRange)));
        assert_eq!(whole("1e400", 1, 64), (Some(64), Some(Fault::OutOfRange)));
        assert_eq!(whole("2.4", 1, 64), (Some(2), Some(Fault::NotWhole)));
        assert_eq!(whole("x", 1, 64), (None, Some(Fault::NotANumber)));
    }

    #[test]
    fn a_problem_repeats_little_and_no_control_characters() {
        let problem = Problem::new("k", Fault::NotANumber, &"\n".repeat(20_000), "3".into());
        assert_eq!(problem.given.chars().count(), SHOWN + 1);
        assert!(!problem.given.contains('\n'));
    }
}
