//! Formats numbers for display: a true minus sign, fixed widths, powers of ten.

/// `value` with `digits` decimals, a true minus sign, and no minus before a zero.
pub fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|b| matches!(b, b'0' | b'.')) => rest.to_string(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// [`fixed`], with a figure space instead of a missing minus, so that columns keep their width.
pub fn aligned(value: f64, digits: usize) -> String {
    let text = fixed(value, digits);
    if text.starts_with('−') {
        text
    } else {
        format!("\u{2007}{text}")
    }
}

/// At most `digits` decimals, thousands in groups, a true minus sign, no trailing zeros.
pub fn trimmed(value: f64, digits: usize) -> String {
    let text = fixed(value, digits);
    if text.contains('.') {
        group(text.trim_end_matches('0').trim_end_matches('.'))
    } else {
        group(&text)
    }
}

/// A share (0 … 1) as a percentage.
pub fn percent(share: f64, digits: usize) -> String {
    trimmed(100.0 * share, digits) + "%"
}

/// The fewest digits that identify the number exactly, thousands in groups.
pub fn exact(value: f64) -> String {
    group(&value.to_string().replace('-', "−"))
}

/// An entry of a matrix: three decimals, four below 0.01, and a digit with a power of ten below
/// 0.001. Positive entries begin with a figure space in place of a sign.
pub fn entry(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || size >= 0.01 {
        return aligned(value, 3);
    }
    if size >= 0.001 {
        return aligned(value, 4);
    }
    let (mantissa, raised) = powers_of_ten(value, 0);
    let sign = if value < 0.0 { "" } else { "\u{2007}" };
    format!("{sign}{mantissa}·10{raised}")
}

/// About `digits` significant digits, thousands in groups, powers of ten beyond 10⁷ and below 10⁻³.
pub fn short(value: f64, digits: usize) -> String {
    let size = value.abs();
    if size == 0.0 {
        return "0".to_string();
    }
    if !(1e-3..1e7).contains(&size) {
        return scientific(value, digits.saturating_sub(1));
    }
    let before = size.log10().floor() as i64 + 1;
    let decimals = (digits as i64 - before).clamp(0, 12) as usize;
    let text = fixed(value, decimals);
    if text.contains('.') {
        group(text.trim_end_matches('0').trim_end_matches('.'))
    } else {
        group(&text)
    }
}

/// An angle: two decimals, or two significant digits below 0.095.
pub fn angle(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.095 {
        short(value, 2)
    } else {
        fixed(value, 2)
    }
}

/// A whole number with its thousands in groups and a true minus sign.
pub fn whole(value: i64) -> String {
    group(&value.to_string().replace("-", "−"))
}

/// An index in subscript digits, as in M₃.
pub fn subscript(index: usize) -> String {
    let digit = |digit: char| char::from_u32('₀' as u32 + digit as u32 - '0' as u32);
    index.to_string().chars().filter_map(digit).collect()
}

/// The singular or plural noun for a formatted count.
pub fn noun(count: &str, one: &'static str, more: &'static str) -> &'static str {
    if count == "1" { one } else { more }
}

/// A measured difference: 0, or one decimal and a power of ten.
pub fn tiny(value: f64) -> String {
    if value == 0.0 {
        "0".to_string()
    } else {
        scientific(value, 1)
    }
}

/// A power with an integer exponent.
pub fn power(base: f64, exponent: i32) -> String {
    let raised: String = exponent.to_string().chars().map(superscript).collect();
    format!("{base}{raised}")
}

fn scientific(value: f64, decimals: usize) -> String {
    let (mantissa, raised) = powers_of_ten(value, decimals);
    format!("{mantissa}\u{a0}×\u{a0}10{raised}")
}

/// The mantissa, and the exponent of ten in superscript digits.
fn powers_of_ten(value: f64, decimals: usize) -> (String, String) {
    let text = format!("{value:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (
        mantissa.replace('-', "−"),
        exponent.chars().map(superscript).collect(),
    )
}

fn superscript(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => c
            .to_digit(10)
            .and_then(|d| char::from_u32(0x2070 + d))
            .unwrap_or(c),
    }
}

/// Inserts narrow no-break spaces between groups of three digits, from five digits up.
fn group(text: &str) -> String {
    let head = text.split('.').next().unwrap_or(text);
    let tail = text.strip_prefix(head).unwrap_or_default();
    let (sign, digits) = match head.strip_prefix('−') {
        Some(digits) => ("−", digits),
        None => ("", head),
    };
    if digits.len() < 5 {
        return text.to_string();
    }
    let mut out = String::from(sign);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_below_the_line() {
        assert_eq!(subscript(3), "₃");
        assert_eq!(subscript(1032), "₁₀₃₂");
    }

    #[test]
    fn minus_is_true_and_never_stands_before_zero() {
        assert_eq!(fixed(-0.98999, 3), "−0.990");
        assert_eq!(fixed(-0.0001, 3), "0.000");
        assert_eq!(
            aligned(0.5, 3).chars().count(),
            aligned(-0.5, 3).chars().count()
        );
    }

    #[test]
    fn short_keeps_the_digits_that_matter() {
        assert_eq!(short(std::f64::consts::TAU, 5), "6.2832");
        assert_eq!(short(60611.477, 5), "60\u{202f}611");
        assert_eq!(short(10000.0, 5), "10\u{202f}000");
        assert_eq!(short(100.0, 3), "100");
        assert_eq!(short(1.0e9, 3), "1.00\u{a0}×\u{a0}10⁹");
        assert_eq!(short(0.0001, 3), "1.00\u{a0}×\u{a0}10⁻⁴");
    }

    #[test]
    fn entries_show_what_is_small() {
        assert_eq!(entry(-0.116_2).trim(), "−0.116");
        assert_eq!(entry(0.003_46), "\u{2007}0.0035");
        assert_eq!(entry(-0.000_346_2), "−3·10⁻⁴");
        assert_eq!(entry(0.0), "\u{2007}0.000");
    }

    #[test]
    fn exact_keeps_every_digit() {
        assert_eq!(exact(1.0000001), "1.0000001");
        assert_eq!(exact(1e9), "1\u{202f}000\u{202f}000\u{202f}000");
        assert_eq!(trimmed(30_860.198_414, 6), "30\u{202f}860.198414");
        assert_eq!(trimmed(10.0, 6), "10");
    }

    #[test]
    fn whole_groups_from_five_digits() {
        assert_eq!(whole(1024), "1024");
        assert_eq!(whole(-1_048_576), "−1\u{202f}048\u{202f}576");
    }

    #[test]
    fn tiny_is_a_power_of_ten() {
        assert_eq!(tiny(1.11e-16), "1.1\u{a0}×\u{a0}10⁻¹⁶");
        assert_eq!(tiny(0.0), "0");
    }
}
