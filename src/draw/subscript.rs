//! Texts with subscripts that Unicode does not have, such as the Q of a matrix's name.

use super::{Pen, Point, TextStyle};
use plotters::style::text_anchor::HPos;

/// Draws a text in which the letter after each underscore is a subscript.
pub fn subscripted(pen: &Pen, at: impl Into<Point>, text: &str, style: TextStyle) {
    let Point { x, y } = at.into();
    let small = style.scaled(0.72);
    let mut pieces: Vec<(&str, TextStyle)> = Vec::new();
    let count = text.matches('_').count();
    for (at, part) in text.split('_').enumerate() {
        let first = part.chars().next().filter(|_| at > 0);
        let (lowered, rest) = part.split_at(first.map_or(0, char::len_utf8));
        // The letter before the subscript is a piece of its own, so that it stands close whatever stands before it.
        let last = rest.char_indices().next_back().map_or(0, |last| last.0);
        let last = if at < count { last } else { rest.len() };
        let (rest, letter) = rest.split_at(last);
        pieces.extend([(lowered, small), (rest, style), (letter, style)]);
    }
    let width = |piece: &str, style: TextStyle| {
        let measured = pen.measured(piece, style);
        measured.unwrap_or_else(|| estimate(piece, style))
    };
    let widths = pieces.iter().map(|(piece, style)| width(piece, *style));
    let widths: Vec<f64> = widths.collect();
    let total: f64 = widths.iter().sum();
    let mut left = match style.h {
        HPos::Left => x,
        HPos::Center => x - total / 2.0,
        HPos::Right => x - total,
    };
    for ((piece, own), width) in pieces.into_iter().zip(widths) {
        // Renderers leave out spaces at the beginning of a text.
        let words = piece.trim_start();
        let spaces = (piece.len() - words.len()) as f64 * SPACE * own.size;
        let down = if own.size < style.size { 0.28 } else { 0.0 };
        if !words.is_empty() {
            let at = (left + spaces, y + down * style.size);
            pen.text_at(at, words, own.align_left());
        }
        left += width;
    }
}

/// The width of a space, in multiples of the type size.
const SPACE: f64 = 0.26;

/// The width of a piece in Noto Sans. The pieces stand side by side, for which [`TextStyle::width`] is not accurate enough.
fn estimate(piece: &str, style: TextStyle) -> f64 {
    let ems = |c: char| match c {
        ' ' => SPACE,
        '.' | ',' | ':' | 'i' | 'l' | 'j' => 0.28,
        '[' | ']' | '(' | ')' | 't' | 'f' | 'r' | 's' | 'ᵀ' => 0.38,
        'W' => 0.93,
        'Q' => 0.78,
        'm' | 'w' | 'M' => 0.87,
        _ if c.is_ascii() => 0.57,
        '\u{2e80}'..='\u{ffef}' => 1.0,
        _ => 0.57,
    };
    let bold = if style.bold { 1.07 } else { 1.0 };
    bold * style.size * piece.chars().map(ems).sum::<f64>()
}
