//! The completion code of a worksheet: the sheet, the number of right answers, and a checksum of both and of the initials.
//! It detects typing errors; it proves nothing, since anyone who reads this file can compute one.

use super::sheet::{SEEDS, Sheet, Topic};
use crate::field::Choice;
use crate::figures::quiz::question::split_mix;

/// Crockford's base 32 (<https://www.crockford.com/base32.html>): no I, L, O and U.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Ten digits of 5 bits: 26 bits of payload, below them 24 bits of checksum.
const LENGTH: usize = 10;
const CHECKSUM_BITS: u32 = 24;
const PAYLOAD_BITS: u32 = 26;
/// The maximum number of characters of the initials; further ones are ignored.
pub const INITIALS: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub sheet: Sheet,
    pub right: usize,
    /// Letters and digits only, in capitals.
    pub initials: String,
}

/// Normalises initials: the first [`INITIALS`] letters and digits, in capitals.
pub fn initials(written: &str) -> String {
    let letters = written.chars().filter(|letter| letter.is_alphanumeric());
    letters
        .flat_map(char::to_uppercase)
        .take(INITIALS)
        .collect()
}

/// The lowest `bits` bits of a number.
fn low(number: u64, bits: u32) -> u64 {
    number & ((1 << bits) - 1)
}

fn checksum(payload: u64, initials: &str) -> u64 {
    let mut state = payload;
    let mut mixed = split_mix(&mut state);
    for letter in initials.chars() {
        state ^= u64::from(letter);
        mixed ^= split_mix(&mut state);
    }
    low(mixed, CHECKSUM_BITS)
}

/// A mask that the payload is XORed with, so that codes of one sheet do not look alike.
fn mask(checksum: u64) -> u64 {
    let mut state = !checksum;
    low(split_mix(&mut state), PAYLOAD_BITS)
}

impl Receipt {
    /// The code, with the initials before it: `AB-12345-6789X`.
    pub fn code(&self) -> String {
        let Sheet { seed, count, topic } = self.sheet;
        let parts = [seed, count as u64 - 1, topic as u64, self.right as u64];
        let payload = parts
            .iter()
            .zip([14, 5, 2, 5])
            .fold(0, |payload, (part, bits)| payload << bits | part);
        let checksum = checksum(payload, &self.initials);
        let number = (payload ^ mask(checksum)) << CHECKSUM_BITS | checksum;
        let digits = (0..LENGTH as u32)
            .rev()
            .map(|place| char::from(DIGITS[low(number >> (5 * place), 5) as usize]));
        let digits: String = digits.collect();
        let (first, last) = digits.split_at(LENGTH / 2);
        let parts = [self.initials.as_str(), first, last];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("-")
    }

    /// Parses a code in letters of either case, with O for 0 and I or L for 1, with or without hyphens. `None` if it is not
    /// valid, or not with these initials.
    pub fn read(written: &str) -> Option<Receipt> {
        let letters = written.chars().filter(|letter| letter.is_alphanumeric());
        let letters: Vec<char> = letters.flat_map(char::to_uppercase).collect();
        let begin = letters.len().checked_sub(LENGTH)?;
        let (before, digits) = letters.split_at(begin);
        let initials: String = before.iter().collect();
        let mut number = 0;
        for digit in digits {
            let digit = match digit {
                'O' => '0',
                'I' | 'L' => '1',
                digit => *digit,
            };
            let value = DIGITS.iter().position(|it| char::from(*it) == digit)?;
            number = number << 5 | value as u64;
        }
        let found = low(number, CHECKSUM_BITS);
        let payload = (number >> CHECKSUM_BITS) ^ mask(found);
        let right = low(payload, 5) as usize;
        let topic = Topic::ALL[low(payload >> 5, 2) as usize];
        let count = low(payload >> 7, 5) as usize + 1;
        let seed = payload >> 12;
        let legal = (1..=SEEDS).contains(&seed)
            && count <= topic.question_count()
            && right <= count
            && initials.chars().count() <= INITIALS;
        let sheet = Sheet { seed, count, topic };
        (legal && checksum(payload, &initials) == found).then_some(Receipt {
            sheet,
            right,
            initials,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn receipts() -> impl Iterator<Item = Receipt> {
        let mut state = 5;
        let names = ["", "AB", "李明", "Q", "WXYZ", "7"];
        (0..3000).map(move |turn| {
            let mut below = |length: u64| split_mix(&mut state) % length;
            let topic = Topic::ALL[below(Topic::ALL.len() as u64) as usize];
            let count = 1 + below(topic.question_count() as u64) as usize;
            Receipt {
                sheet: Sheet {
                    seed: 1 + below(SEEDS),
                    count,
                    topic,
                },
                right: below(count as u64 + 1) as usize,
                initials: names[turn % names.len()].to_string(),
            }
        })
    }

    #[test]
    fn a_code_is_read_as_it_was_made() {
        for receipt in receipts() {
            let code = receipt.code();
            assert_eq!(Receipt::read(&code), Some(receipt.clone()), "{code}");
            let spoken = code
                .to_lowercase()
                .replace('-', " ")
                .replace('0', "o")
                .replace('1', "l");
            let letters = receipt.initials.contains(['0', '1']);
            assert!(
                letters || Receipt::read(&spoken) == Some(receipt),
                "{spoken}"
            );
        }
    }

    #[test]
    fn a_typing_error_is_refused() {
        let mut refused = 0;
        let mut accepted = 0;
        for receipt in receipts().take(300) {
            let code: Vec<char> = receipt.code().chars().collect();
            let begin = code.len() - LENGTH - 1;
            let mut count = |changed: Vec<char>| {
                let changed: String = changed.into_iter().collect();
                match Receipt::read(&changed) {
                    Some(_) => accepted += 1,
                    None => refused += 1,
                }
            };
            for place in begin..code.len() {
                if code[place] == '-' {
                    continue;
                }
                for digit in ['0', '5', 'G', 'Z'] {
                    if code[place] != digit {
                        let mut changed = code.clone();
                        changed[place] = digit;
                        count(changed);
                    }
                }
                if place + 1 < code.len()
                    && code[place + 1] != '-'
                    && code[place] != code[place + 1]
                {
                    let mut changed = code.clone();
                    changed.swap(place, place + 1);
                    count(changed);
                }
            }
        }
        // One in 2^24 would pass by chance.
        assert_eq!(accepted, 0);
        assert!(refused > 10_000, "{refused}");
    }

    #[test]
    fn a_code_is_that_of_its_initials() {
        let receipt = receipts().nth(1).unwrap();
        let code = receipt.code();
        assert_eq!(receipt.initials, "AB");
        assert_eq!(Receipt::read(&code.replacen("AB", "CD", 1)), None);
        assert_eq!(Receipt::read(&code.replacen("AB-", "", 1)), None);
    }

    #[test]
    fn what_is_no_code_is_refused() {
        for text in [
            "",
            "AB",
            "0000000000",
            "ZZZZZZZZZZ",
            "not a code at all",
            "一二三四五六七八九十",
        ] {
            assert_eq!(Receipt::read(text), None, "{text}");
        }
        assert_eq!(initials(" a.b-c d e"), "ABCD");
        assert_eq!(initials("李 明"), "李明");
        assert_eq!(initials("<&>"), "");
    }
}
