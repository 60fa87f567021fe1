//! Rectangles in CSS pixels.

use super::{Frame, Point};

/// A rectangle in CSS pixels. It has a size where kurbo's has a second corner: layouts are computed from sizes, and
/// differences of corners would round them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    /// Left edge, top edge, width and height.
    pub fn new(x: f64, y: f64, width: f64, height: f64) -> Rect {
        Rect {
            x,
            y,
            width,
            height,
        }
    }

    /// A rectangle of this size around its centre.
    pub fn centred(centre: impl Into<Point>, width: f64, height: f64) -> Rect {
        let Point { x, y } = centre.into();
        Rect::new(x - width / 2.0, y - height / 2.0, width, height)
    }

    /// The square around a circle.
    pub fn around(centre: impl Into<Point>, radius: f64) -> Rect {
        Rect::centred(centre, 2.0 * radius, 2.0 * radius)
    }

    /// The whole frame.
    pub fn all(frame: Frame) -> Rect {
        Rect::new(0.0, 0.0, frame.width, frame.height)
    }

    /// The frame inside margins, with its edges on image pixels; its size is never negative.
    pub fn inside(frame: Frame, left: f64, top: f64, right: f64, bottom: f64) -> Rect {
        let snap = |v: f64| (v * frame.pixels).round() / frame.pixels;
        let (x, y) = (snap(left), snap(top));
        let width = snap((frame.width - right - x).max(0.0));
        let height = snap((frame.height - bottom - y).max(0.0));
        Rect::new(x, y, width, height)
    }

    /// The part that lies in the frame.
    pub fn within(self, frame: Frame) -> Rect {
        let (x, y) = (self.x.max(0.0), self.y.max(0.0));
        let width = (self.right().min(frame.width) - x).max(0.0);
        let height = (self.bottom().min(frame.height) - y).max(0.0);
        Rect::new(x, y, width, height)
    }

    /// The rectangle shrunk by a margin on every side; its size is never negative.
    pub fn inset(self, margin: f64) -> Rect {
        Rect::new(
            self.x + margin,
            self.y + margin,
            (self.width - 2.0 * margin).max(0.0),
            (self.height - 2.0 * margin).max(0.0),
        )
    }

    /// The smallest rectangle that contains both.
    pub fn union(self, other: Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = self.right().max(other.right());
        let bottom = self.bottom().max(other.bottom());
        Rect::new(x, y, right - x, bottom - y)
    }

    /// The same rectangle with another left edge and width.
    pub fn across(self, x: f64, width: f64) -> Rect {
        Rect { x, width, ..self }
    }

    /// The same rectangle with another top edge and height.
    pub fn down(self, y: f64, height: f64) -> Rect {
        Rect { y, height, ..self }
    }

    pub fn with_x(self, x: f64) -> Rect {
        Rect { x, ..self }
    }

    pub fn with_y(self, y: f64) -> Rect {
        Rect { y, ..self }
    }

    pub fn with_width(self, width: f64) -> Rect {
        Rect { width, ..self }
    }

    pub fn with_height(self, height: f64) -> Rect {
        Rect { height, ..self }
    }

    /// The same top left corner with another size.
    pub fn with_size(self, width: f64, height: f64) -> Rect {
        Rect::new(self.x, self.y, width, height)
    }

    /// A strip of this width at the left, and the rest.
    pub fn split_left(self, width: f64) -> (Rect, Rect) {
        let rest = self.across(self.x + width, self.width - width);
        (self.with_width(width), rest)
    }

    /// A strip of this height at the top, and the rest.
    pub fn split_top(self, height: f64) -> (Rect, Rect) {
        let rest = self.down(self.y + height, self.height - height);
        (self.with_height(height), rest)
    }

    /// The rest, and a strip of this width at the right.
    pub fn split_right(self, width: f64) -> (Rect, Rect) {
        let rest = self.width - width;
        (self.with_width(rest), self.across(self.x + rest, width))
    }

    /// The rest, and a strip of this height at the bottom.
    pub fn split_bottom(self, height: f64) -> (Rect, Rect) {
        let rest = self.height - height;
        (self.with_height(rest), self.down(self.y + rest, height))
    }

    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn centre(&self) -> Point {
        Point::new(self.centre_x(), self.centre_y())
    }

    pub fn centre_x(&self) -> f64 {
        self.x + self.width / 2.0
    }

    pub fn centre_y(&self) -> f64 {
        self.y + self.height / 2.0
    }

    /// The ends of a horizontal line from edge to edge.
    pub fn horizontal(&self, y: f64) -> [Point; 2] {
        [Point::new(self.x, y), Point::new(self.right(), y)]
    }

    /// The ends of a vertical line from edge to edge.
    pub fn vertical(&self, x: f64) -> [Point; 2] {
        [Point::new(x, self.y), Point::new(x, self.bottom())]
    }

    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    pub fn contains(&self, at: impl Into<Point>) -> bool {
        let Point { x, y } = at.into();
        (self.x..self.right()).contains(&x) && (self.y..self.bottom()).contains(&y)
    }

    /// The point of the rectangle that is nearest to a point.
    pub fn nearest(&self, at: Point) -> Point {
        Point::new(
            at.x.min(self.right()).max(self.x),
            at.y.min(self.bottom()).max(self.y),
        )
    }

    pub fn is_empty(&self) -> bool {
        self.width < 1.0 || self.height < 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECT: Rect = Rect {
        x: 10.0,
        y: 20.0,
        width: 40.0,
        height: 30.0,
    };

    #[test]
    fn parts_make_the_whole() {
        for (left, right) in [RECT.split_left(15.0), RECT.split_right(25.0)] {
            assert_eq!(left, Rect::new(10.0, 20.0, 15.0, 30.0));
            assert_eq!(right, Rect::new(25.0, 20.0, 25.0, 30.0));
        }
        for (top, bottom) in [RECT.split_top(12.0), RECT.split_bottom(18.0)] {
            assert_eq!(top, Rect::new(10.0, 20.0, 40.0, 12.0));
            assert_eq!(bottom, Rect::new(10.0, 32.0, 40.0, 18.0));
        }
    }

    #[test]
    fn a_centre_is_as_far_from_every_side() {
        assert_eq!(RECT.centre(), Point::new(30.0, 35.0));
        assert_eq!(RECT.inset(5.0).centre(), RECT.centre());
        assert_eq!(Rect::around((3.0, 4.0), 2.0), Rect::new(1.0, 2.0, 4.0, 4.0));
        assert_eq!(RECT.inset(18.0).height, 0.0);
    }

    #[test]
    fn edges_at_the_left_and_top_belong_to_a_rectangle() {
        assert!(RECT.contains((10.0, 20.0)) && RECT.contains((49.9, 49.9)));
        assert!(!RECT.contains((50.0, 20.0)) && !RECT.contains((10.0, 50.0)));
        let (left, right) = RECT.split_left(15.0);
        assert!(left.overlaps(&RECT) && !left.overlaps(&right));
        assert_eq!(left.union(right), RECT);
    }

    #[test]
    fn nothing_reaches_out_of_the_frame_or_below_nothing() {
        let frame = Frame {
            width: 30.0,
            height: 25.0,
            pixels: 2.0,
            units: 8.0,
        };
        assert_eq!(RECT.within(frame), Rect::new(10.0, 20.0, 20.0, 5.0));
        let far = RECT.with_x(90.0).within(frame);
        assert_eq!((far.width, far.is_empty()), (0.0, true));
        let inside = Rect::inside(frame, 1.1, 2.0, 3.0, 90.0);
        assert_eq!(inside, Rect::new(1.0, 2.0, 26.0, 0.0));
    }
}
