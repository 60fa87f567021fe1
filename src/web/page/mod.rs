//! The page around bench and lesson: its address and its list of chapters.

pub mod address;
pub mod contents;
