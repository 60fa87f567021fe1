pub mod attend;
pub mod near_collisions;
pub mod nearest;
pub mod projections;
pub mod similarity;
