//! The style of texts in pictures, and estimates of their width.

use plotters::style::RGBColor;
use plotters::style::text_anchor::{HPos, VPos};

/// The font families of texts, in the order of preference.
pub const FONT: &str = "system-ui, 'Noto Sans', 'Noto Sans CJK SC', sans-serif";

/// The style of a text, and its alignment to its anchor point.
#[derive(Clone, Copy)]
pub struct TextStyle {
    pub(super) size: f64,
    pub(super) colour: RGBColor,
    pub(super) h: HPos,
    pub(super) v: VPos,
    pub(super) bold: bool,
    pub(super) upwards: bool,
}

impl TextStyle {
    /// The approximate extent of a text to the left of its anchor point, and its approximate width.
    pub(super) fn extent(&self, text: &str) -> (f64, f64) {
        let bold = if self.bold { 1.1 } else { 1.0 };
        let width = bold * text_width(text, self.size);
        let before = match self.h {
            HPos::Left => 0.0,
            HPos::Center => width / 2.0,
            HPos::Right => width,
        };
        (before, width)
    }

    /// The approximate width of a text in this style.
    pub fn width(&self, text: &str) -> f64 {
        self.extent(text).1
    }

    /// The size in CSS pixels.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// A style centred on the anchor point.
    pub fn new(size: f64, colour: RGBColor) -> TextStyle {
        TextStyle {
            size,
            colour,
            h: HPos::Center,
            v: VPos::Center,
            bold: false,
            upwards: false,
        }
    }

    pub fn align_left(self) -> TextStyle {
        TextStyle {
            h: HPos::Left,
            ..self
        }
    }

    pub fn align_right(self) -> TextStyle {
        TextStyle {
            h: HPos::Right,
            ..self
        }
    }

    pub fn below(self) -> TextStyle {
        TextStyle {
            v: VPos::Top,
            ..self
        }
    }

    /// The same style, made smaller if necessary for a text to be no wider than this.
    pub fn fitting(self, text: &str, width: f64) -> TextStyle {
        let (_, wide) = self.extent(text);
        TextStyle {
            size: self.size * (width / wide).min(1.0),
            ..self
        }
    }

    /// The same style at another size, relative to this one.
    pub fn scaled(self, share: f64) -> TextStyle {
        TextStyle {
            size: share * self.size,
            ..self
        }
    }

    pub fn bold(self) -> TextStyle {
        TextStyle { bold: true, ..self }
    }

    /// Rotated to be read from bottom to top.
    pub fn rotated(self) -> TextStyle {
        TextStyle {
            upwards: true,
            ..self
        }
    }
}

/// The approximate width of a `Pen::tag`.
pub fn tag_width(text: &str, size: f64) -> f64 {
    // Bold text is wider.
    1.1 * text_width(text, size) + 0.8 * size
}

/// The approximate width of a text; measuring it would force a browser to lay out the page.
pub fn text_width(text: &str, size: f64) -> f64 {
    let ems = |c: char| match c {
        '\u{2000}'..='\u{200a}' | '\u{202f}' | ' ' | '.' | ',' => 0.3,
        // Combining marks, joiners and variation selectors; then wide letters, then emoji.
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200f}' | '\u{fe00}'..='\u{fe0f}' => 0.0,
        '\u{2e80}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}' => 1.0,
        '\u{1f000}'..='\u{1faff}' => 1.3,
        'm' | 'M' | 'w' | 'W' => 0.85,
        _ => 0.61,
    };
    size * text.chars().map(ems).sum::<f64>()
}
