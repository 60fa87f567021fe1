pub mod attend;
pub mod nearest;
pub mod similarity;
