//! The size of a picture and what it is drawn with.

use super::{ColourMap, Theme};

/// The size of a figure and the grain it is drawn with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// CSS pixels.
    pub width: f64,
    pub height: f64,
    /// Image pixels per CSS pixel: the device pixel ratio on a screen.
    pub pixels: f64,
    /// Backend units per CSS pixel: plotters places points on whole units.
    pub units: f64,
}

/// What a picture is drawn with.
#[derive(Clone, Copy)]
pub struct DrawContext<'a> {
    pub theme: &'a Theme,
    pub colours: &'a ColourMap,
    pub frame: Frame,
}

impl DrawContext<'_> {
    /// So low and wide that parts stand beside each other which stand below each other elsewhere.
    pub fn is_low(&self) -> bool {
        let size = self.theme.label_size();
        self.frame.height < LOW * size && self.frame.width > WIDE * size
    }
}

/// In sizes of a label: lower than the first and wider than the second, a picture is low.
pub const LOW: f64 = 26.0;
const WIDE: f64 = 46.0;
