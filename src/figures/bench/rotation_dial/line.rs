//! A line of text on the dial.

use crate::draw::{Pen, Point, Rect, TextStyle};

/// A line of text in its place.
pub struct Line {
    text: String,
    at: Point,
    style: TextStyle,
}

impl Line {
    /// A text whose centre is that of a rectangle.
    pub fn centred(text: impl Into<String>, place: Rect, style: TextStyle) -> Line {
        Line {
            text: text.into(),
            at: place.centre(),
            style,
        }
    }

    pub fn place(&self) -> Rect {
        let style = self.style;
        Rect::centred(self.at, style.width(&self.text), 1.1 * style.size())
    }

    pub fn write(&self, pen: &Pen) {
        pen.text(self.at, &self.text, self.style);
    }
}
