//! The resolution of the heatmap.

/// The cells that an image pixel covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grain {
    /// Numbers of positions, and of dimensions or pairs, per pixel.
    pub positions: f64,
    pub columns: f64,
    /// Whether the columns are pairs and angles are averaged.
    pub angles: bool,
    /// Whether every pixel covers whole pairs of dimensions.
    pub whole_pairs: bool,
}
