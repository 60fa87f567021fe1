//! Parses decimal numbers, and rounds to a number of digits. The standard library's parser is exact for any number of digits,
//! but adds 16 KB to the page.

/// Significant digits that are kept: more do not fit into 64 bits.
const DIGITS: u32 = 19;
/// The largest exponent of a power of ten that `f64` represents exactly.
const EXACT: i32 = 22;

/// Returns a positive number rounded to so many significant digits.
pub(crate) fn round(value: f64, digits: i32) -> f64 {
    let unit = 10.0_f64.powi(value.log10().floor() as i32 + 1 - digits);
    (value / unit).round() * unit
}

/// Parses a number as Rust and Python write it; `None` if the text is not a number. With up to 17 digits and powers of
/// ten up to 10²² the result is the nearest `f64`, otherwise within a few units in the last place.
pub(crate) fn number(text: &str) -> Option<f64> {
    let (negative, text) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    let is = |word: &str| text.eq_ignore_ascii_case(word.as_bytes());
    let size = if is("inf") || is("infinity") {
        f64::INFINITY
    } else if is("nan") {
        f64::NAN
    } else {
        finite(text)?
    };
    Some(if negative { -size } else { size })
}

fn finite(text: &[u8]) -> Option<f64> {
    let (mut digits, mut power, mut seen, mut kept) = (0_u64, 0_i32, false, 0);
    let mut behind_point = false;
    let mut rest = text;
    while let [first, others @ ..] = rest {
        match first {
            b'0'..=b'9' => {
                seen = true;
                if kept < DIGITS {
                    digits = 10 * digits + u64::from(first - b'0');
                    kept += u32::from(digits > 0);
                    power = power.saturating_sub(i32::from(behind_point));
                } else {
                    power = power.saturating_add(i32::from(!behind_point));
                }
            }
            b'.' if !behind_point => behind_point = true,
            b'e' | b'E' => {
                power = power.saturating_add(whole(others)?);
                break;
            }
            _ => return None,
        }
        rest = others;
    }
    seen.then(|| scaled(digits, power))
}

/// Parses the exponent of a number, clamped to ±100,000; `None` if it is not an integer.
pub(crate) fn whole(text: &[u8]) -> Option<i32> {
    let (sign, digits) = match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        all => (1, all),
    };
    let mut value = 0_i32;
    for digit in digits {
        let digit = digit.is_ascii_digit().then(|| i32::from(digit - b'0'))?;
        value = (10 * value + digit).min(100_000);
    }
    (!digits.is_empty()).then_some(sign * value)
}

/// digits · 10^power.
fn scaled(digits: u64, power: i32) -> f64 {
    let of = |power: i32| (0..power).fold(1.0, |product, _| 10.0 * product);
    // `digits` as the sum of two numbers, the second of which is the rounding error of the first.
    let high = digits as f64;
    let low = (digits as i128 - high as i128) as f64;
    let step = power.clamp(-EXACT, EXACT);
    let ten = of(step.abs());
    let mut value = if step < 0 {
        let quotient = high / ten;
        quotient + (remainder(high, quotient, ten) + low) / ten
    } else {
        high * ten + low * ten
    };
    let mut left = power - step;
    while left != 0 && value != 0.0 && value.is_finite() {
        let step = left.clamp(-EXACT, EXACT);
        value = match step < 0 {
            true => value / of(-step),
            false => value * of(step),
        };
        left -= step;
    }
    value
}

/// a − q·b without rounding, where q is a/b rounded (Dekker 1971).
fn remainder(a: f64, q: f64, b: f64) -> f64 {
    let split = |it: f64| {
        let high = 134_217_729.0 * it;
        let high = high - (high - it);
        (high, it - high)
    };
    let ((q_high, q_low), (b_high, b_low)) = (split(q), split(b));
    let product = q * b;
    let lost = q_high * b_high - product + q_high * b_low + q_low * b_high + q_low * b_low;
    (a - product) - lost
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        for text in [
            "0",
            "-0",
            "1",
            "+1.5",
            ".5",
            "5.",
            "1e3",
            "1E-3",
            "-2.5e+2",
            "inf",
            "-Infinity",
            "nan",
            "1e-400",
            "1e400",
            "0.000000000000000000001",
            "100000000000000000000000",
        ] {
            let (found, wanted) = (number(text).unwrap(), text.parse::<f64>().unwrap());
            assert!(
                found == wanted || found.is_nan() && wanted.is_nan(),
                "{text}: {found}"
            );
        }
        for text in [
            "", ".", "-", "e5", "1e", "1.2.3", "0x10", "1,5", "1_000", "--1", "1e5.0", "∞",
        ] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_that_programs_print_are_read_exactly() {
        let mut seed = 7_u64;
        for _ in 0..200_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let value = (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
            let small = value * 10_f64.powi((seed % 5) as i32 - 4);
            for text in [
                small.to_string(),
                f64::from(small as f32).to_string(),
                format!("{small:.18e}"),
            ] {
                let wanted: f64 = text.parse().unwrap();
                let far = (number(&text).unwrap() - wanted).abs();
                // NumPy's savetxt writes 19 digits; 17 digits of a small number need a power of ten that is not exact.
                let exact = !text.contains('e') && small.abs() > 1e-5;
                let most = if exact {
                    0.0
                } else {
                    2.0 * f64::EPSILON * wanted.abs()
                };
                assert!(far <= most, "{text}: {far}");
            }
        }
    }
}
