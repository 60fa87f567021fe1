//! Texts and formatted numbers, in both languages.

pub mod inspection;
mod inspection_faults;
mod inspection_measured;
mod inspection_values;
mod inspection_words;
pub mod labels;
mod lang;
pub mod markup;
pub mod number;
pub mod tokens;

pub use lang::{Lang, Text};
