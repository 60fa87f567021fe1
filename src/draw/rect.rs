//! Rectangles in CSS pixels.

use super::Frame;

/// A rectangle in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    /// The whole frame.
    pub fn all(frame: Frame) -> Rect {
        Rect {
            x: 0.0,
            y: 0.0,
            width: frame.width,
            height: frame.height,
        }
    }

    /// What remains of the frame inside margins, its edges on image pixels; never negative.
    pub fn inside(frame: Frame, left: f64, top: f64, right: f64, bottom: f64) -> Rect {
        let snap = |v: f64| (v * frame.pixels).round() / frame.pixels;
        let (x, y) = (snap(left), snap(top));
        Rect {
            x,
            y,
            width: snap((frame.width - right - x).max(0.0)),
            height: snap((frame.height - bottom - y).max(0.0)),
        }
    }

    /// The part that lies in the frame.
    pub fn within(self, frame: Frame) -> Rect {
        let (x, y) = (self.x.max(0.0), self.y.max(0.0));
        Rect {
            x,
            y,
            width: (self.right().min(frame.width) - x).max(0.0),
            height: (self.bottom().min(frame.height) - y).max(0.0),
        }
    }

    /// What is left, and a strip of the given width at the right.
    pub fn split_right(self, width: f64) -> (Rect, Rect) {
        let rest = self.width - width;
        let strip = Rect {
            x: self.x + rest,
            width,
            ..self
        };
        (
            Rect {
                width: rest,
                ..self
            },
            strip,
        )
    }

    /// What is left, and a strip of the given height at the bottom.
    pub fn split_below(self, height: f64) -> (Rect, Rect) {
        let rest = self.height - height;
        let strip = Rect {
            y: self.y + rest,
            height,
            ..self
        };
        (
            Rect {
                height: rest,
                ..self
            },
            strip,
        )
    }

    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.x..self.right()).contains(&x) && (self.y..self.bottom()).contains(&y)
    }

    pub fn is_empty(&self) -> bool {
        self.width < 1.0 || self.height < 1.0
    }
}
