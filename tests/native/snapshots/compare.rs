//! Whether two pictures look the same. Their texts are compared exactly. Numbers may differ by the effect of the last bit of
//! a computed coordinate: mathematical libraries differ between machines, and a coordinate between two units may be rounded
//! either way.

/// The tolerance for coordinates in backend units, each an eighth of a pixel: rounding can move a point by one.
const UNITS: f64 = 1.01;
/// The tolerance for a colour channel: adjacent values of a colour map are no further apart.
const CHANNEL: i32 = 4;

/// Returns the first line that differs, old and new; `None` if there is none.
pub fn difference(old: &str, new: &str) -> Option<String> {
    let mut lines = (1.., old.lines(), new.lines());
    loop {
        let number = lines.0.next().unwrap_or_default();
        match (lines.1.next(), lines.2.next()) {
            (None, None) => return None,
            (Some(old), Some(new)) if alike(old, new) => {}
            (old, new) => {
                let text = |line: Option<&str>| line.unwrap_or("(its end)").to_string();
                let (old, new) = (text(old), text(new));
                return Some(format!(
                    "differs in line {number}:\n  - {old:.300}\n  + {new:.300}"
                ));
            }
        }
    }
}

fn alike(old: &str, new: &str) -> bool {
    if old == new {
        return true;
    }
    let ((old_markup, old_words), (new_markup, new_words)) = (parts(old), parts(new));
    without_rounding(old_words) == without_rounding(new_words) && near(old_markup, new_markup)
}

/// The markup of a line, and the text between its tags.
fn parts(line: &str) -> (&str, &str) {
    if line.starts_with("<text") {
        line.split_once('>').unwrap_or((line, ""))
    } else if line.starts_with('<') && !line.starts_with("<desc") && !line.starts_with("<p>") {
        (line, "")
    } else {
        ("", line)
    }
}

/// The magnitude of rounding errors, 1e-10 and below, depends on the processor: in texts that contain one, digits are
/// ignored.
pub fn without_rounding(words: &str) -> String {
    let tells = words.split("10⁻¹").skip(1);
    if tells
        .into_iter()
        .any(|rest| rest.starts_with(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']))
    {
        let digit = |c: &char| !(c.is_ascii_digit() || "⁰¹²³⁴⁵⁶⁷⁸⁹.".contains(*c));
        words.chars().filter(digit).collect()
    } else {
        words.to_string()
    }
}

fn near(old: &str, new: &str) -> bool {
    let (mut old, mut new) = (Tokens(old), Tokens(new));
    loop {
        match (old.next(), new.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b => {}
            (Some(Token::Number(a)), Some(Token::Number(b))) if (a - b).abs() <= UNITS => {}
            (Some(Token::Colour(a)), Some(Token::Colour(b))) => {
                let channels = (0..3).map(|i| (a >> (8 * i) & 255, b >> (8 * i) & 255));
                if channels.into_iter().any(|(a, b)| (a - b).abs() > CHANNEL) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Number(f64),
    Colour(i32),
    Other(&'a str),
}

struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let text = self.0;
        let mut chars = text.char_indices();
        let (_, first) = chars.next()?;
        let until = |not: fn(char) -> bool| {
            text.char_indices()
                .skip(1)
                .find(|(_, c)| not(*c))
                .map_or(text.len(), |(i, _)| i)
        };
        if first == '#'
            && let Some(Ok(colour)) = text.get(1..7).map(|hex| i32::from_str_radix(hex, 16))
        {
            self.0 = &text[7..];
            return Some(Token::Colour(colour));
        }
        let end = until(|c| !(c.is_ascii_digit() || c == '.'));
        if (first.is_ascii_digit() || first == '-')
            && let Ok(number) = text[..end].parse()
        {
            self.0 = &text[end..];
            return Some(Token::Number(number));
        }
        let end = until(|c| c.is_ascii_digit() || c == '-' || c == '#');
        self.0 = &text[end..];
        Some(Token::Other(&text[..end]))
    }
}

#[test]
fn a_unit_is_forgiven_and_a_word_is_not() {
    let old = "<rect x=\"12\" y=\"-3.5\" fill=\"#102030\"/>\n<text x=\"1\">pos 3</text>";
    let same = "<rect x=\"13\" y=\"-4\" fill=\"#122030\"/>\n<text x=\"1\">pos 3</text>";
    assert_eq!(difference(old, same), None);
    for (from, to) in [
        ("12", "14"),
        ("-3.5", "3.5"),
        ("#102030", "#302010"),
        ("rect", "path"),
        ("pos 3", "pos 4"),
        ("<text x=\"1\">pos 3</text>", ""),
    ] {
        let other = old.replace(from, to);
        assert!(difference(old, &other).is_some(), "{from} {to}");
    }
    let error = |digits: &str| format!("<desc>off by {digits} × 10⁻¹⁶</desc>");
    assert_eq!(difference(&error("2.2"), &error("1.14")), None);
    assert!(difference("<desc>4 × 10⁻¹</desc>", "<desc>5 × 10⁻¹</desc>").is_some());
}
