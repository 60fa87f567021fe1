pub mod codes;
pub mod corridor;
pub mod counter;
pub mod guess;
