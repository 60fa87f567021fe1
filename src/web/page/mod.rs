//! The page around the bench and the lesson: its address and its list of chapters.

pub mod address;
pub mod contents;
