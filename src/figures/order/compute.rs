//! Tokens of the sentence, their order as a text, embeddings, and differences of the outputs.

use super::{EXAMPLES, Split, WIDTH};
use crate::math::attention::Attended;
use crate::math::random::Normals;
use posenc_encoding::{Layout, Matrix, Sinusoidal};

/// Splits a text into what readers see as characters: combining marks, and characters after a zero-width joiner, stay
/// with the character before them, and two regional indicators form a flag.
pub(super) fn characters(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut joined = false;
    for c in text.chars() {
        let flag = |c| matches!(c, '\u{1f1e6}'..='\u{1f1ff}');
        let half_flag = found
            .last()
            .is_some_and(|last| last.chars().count() == 1 && last.chars().all(flag));
        let stays = joined || is_mark(c) || flag(c) && half_flag;
        joined = c == '\u{200d}';
        match found.last_mut() {
            Some(last) if stays => last.push(c),
            _ => found.push(c.into()),
        }
    }
    found
}

/// Whether this is a combining mark, variation selector, zero-width joiner, skin tone modifier or tag.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{93a}'..='\u{93c}'
        | '\u{93e}'..='\u{94f}' | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{200d}'
        | '\u{20d0}'..='\u{20ff}' | '\u{302a}'..='\u{302f}' | '\u{3099}' | '\u{309a}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e0020}'..='\u{e007f}')
}

/// Returns the tokens of the sentence: words, or characters if `how` says so, or if it is automatic and there is one word.
pub(super) fn split(sentence: &str, how: Split) -> Vec<String> {
    let words: Vec<String> = sentence.split_whitespace().map(String::from).collect();
    match how {
        Split::Words => words,
        Split::Auto if words.len() > 1 => words,
        Split::Auto | Split::Characters => characters(&words.concat()),
    }
}

/// Parses an order in which token 0 is `a`. A text that is not a permutation of all tokens gives the original order with
/// the first and last token exchanged.
pub(super) fn read_order(text: &str, count: usize) -> Vec<usize> {
    let letters = text.bytes().map(|b| usize::from(b.wrapping_sub(b'a')));
    // Letters of tokens that a shorter sentence does not have are left out: "abcdefghijkl" is the original order of any.
    let order: Vec<usize> = letters
        .filter(|&token| token < count || token >= super::MAX_TOKENS)
        .collect();
    if order.len() == count && (0..count).all(|token| order.contains(&token)) {
        return order;
    }
    let mut order: Vec<usize> = (0..count).collect();
    if count > 1 {
        order.swap(0, count - 1);
    }
    order
}

/// The order in which the figure shows a sentence if none is set.
pub(super) fn other_order(sentence: &str, count: usize) -> Vec<usize> {
    let twin = EXAMPLES.iter().find(|(words, _)| *words == sentence);
    read_order(twin.map_or("", |(_, order)| order), count)
}

pub(super) fn write_order(order: &[usize]) -> String {
    order.iter().map(|&i| char::from(b'a' + i as u8)).collect()
}

/// A token's embedding: `WIDTH` normally distributed numbers, seeded with the FNV-1a hash of its bytes.
pub(super) fn embedding(token: &str) -> impl Iterator<Item = f64> {
    let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let seed = token.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    Normals::seeded(seed).take(WIDTH)
}

pub(super) fn inputs<'a>(tokens: impl Iterator<Item = &'a String>, pe: bool) -> Matrix<f64> {
    let mut values: Vec<f64> = tokens.flat_map(|token| embedding(token)).collect();
    let count = values.len() / WIDTH;
    if pe {
        let encoding = Sinusoidal::new(WIDTH, 10_000.0, Layout::Interleaved);
        for (index, value) in values.iter_mut().enumerate() {
            *value += encoding.value((index / WIDTH) as i64, index % WIDTH);
        }
    }
    Matrix {
        positions: count,
        dimensions: WIDTH,
        values,
    }
}

pub(super) fn mean(outputs: &Matrix<f64>, dimension: usize) -> f64 {
    let column = (0..outputs.positions).map(|row| outputs.at(row, dimension));
    column.sum::<f64>() / outputs.positions.max(1) as f64
}

pub(super) fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.map(f64::abs).fold(0.0, f64::max)
}

/// The largest absolute difference between the output at a position of the other order and the output of the same token
/// in the original order.
pub(super) fn of_token([a, b]: &[Attended; 2], order: &[usize], place: usize) -> f64 {
    let (a, b) = (a.outputs.row(order[place]), b.outputs.row(place));
    largest(a.iter().zip(b).map(|(a, b)| a - b))
}

pub(super) fn of_mean([a, b]: &[Attended; 2]) -> f64 {
    largest((0..WIDTH).map(|d| mean(&a.outputs, d) - mean(&b.outputs, d)))
}
