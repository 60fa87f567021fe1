pub mod attend;
pub mod nearest;
pub mod projections;
pub mod similarity;
