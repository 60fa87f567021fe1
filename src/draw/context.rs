//! The size of a picture, and the colours and sizes it is drawn with.

use super::{ColourMap, Theme};

/// The size of a picture and its resolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width and height are in CSS pixels.
    pub width: f64,
    pub height: f64,
    /// Image pixels per CSS pixel: the device pixel ratio on a screen.
    pub pixels: f64,
    /// Backend units per CSS pixel: plotters places points on whole units.
    pub units: f64,
}

/// The theme, the colour map and the frame that a picture is drawn with.
#[derive(Clone, Copy)]
pub struct DrawContext<'a> {
    pub theme: &'a Theme,
    pub colours: &'a ColourMap,
    pub frame: Frame,
}

impl DrawContext<'_> {
    /// Whether the picture is so low and wide that parts are placed side by side instead of one
    /// below the other.
    pub fn is_low(&self) -> bool {
        let size = self.theme.label_size();
        self.frame.height < LOW * size && self.frame.width > WIDE * size
    }
}

/// A picture is low if it is lower than `LOW` and wider than `WIDE`, both in label sizes.
const LOW: f64 = 26.0;
const WIDE: f64 = 46.0;
