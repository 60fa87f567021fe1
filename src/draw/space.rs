//! Where labels go: each has a list of places, and takes one that covers nothing. In a picture after another, it keeps its
//! place while it can.

use super::{Circle, Pen, Point, Rect, TextStyle};
use std::cell::Cell;

/// The place of a label in the picture before, as its index in the list; `None` if it had none.
pub type KeptPlace = Cell<Option<usize>>;

/// The room that labels share, and what they keep clear of in it.
pub struct Space {
    bounds: Rect,
    rects: Vec<Rect>,
    discs: Vec<Circle>,
    /// The ends of lines, and half their widths.
    lines: Vec<([Point; 2], f64)>,
    rims: Vec<Circle>,
}

/// The cost of a place on a rim; that of a place is its index in the list.
const ON_RIM: f64 = 2.5;
/// By how much a place must be better than the kept one, and how far from all that is taken, in CSS pixels.
const BETTER: f64 = 1.5;
const MARGIN: f64 = 5.0;
/// The overlap of a free place, in CSS pixels.
const ROUNDING: f64 = 1e-6;

impl Space {
    pub fn new(bounds: Rect) -> Space {
        Space {
            bounds,
            rects: Vec::new(),
            discs: Vec::new(),
            lines: Vec::new(),
            rims: Vec::new(),
        }
    }

    pub fn take(&mut self, rect: Rect) {
        self.rects.push(rect);
    }

    pub fn take_disc(&mut self, centre: Point, radius: f64) {
        self.discs.push(Circle { centre, radius });
    }

    pub fn take_line(&mut self, ends: [Point; 2], width: f64) {
        self.lines.push((ends, width / 2.0));
    }

    /// A circle that labels cross if they find no better place.
    pub fn avoid_rim(&mut self, circle: Circle) {
        self.rims.push(circle);
    }

    /// How far a rectangle reaches over what is taken and over the bounds, in CSS pixels, summed; 0 if it is free.
    pub fn overlap(&self, rect: Rect) -> f64 {
        self.overlap_with_margin(rect, 0.0)
    }

    /// The same for a rectangle with a margin, which may reach over the bounds.
    fn overlap_with_margin(&self, rect: Rect, margin: f64) -> f64 {
        let bounds = self.bounds;
        let outside = (bounds.x - rect.x).max(0.0)
            + (rect.right() - bounds.right()).max(0.0)
            + (bounds.y - rect.y).max(0.0)
            + (rect.bottom() - bounds.bottom()).max(0.0);
        let rect = rect.inset(-margin);
        let rects = self.rects.iter().map(|taken| depth(rect, *taken));
        let discs = self.discs.iter().map(|disc| {
            let (near, _) = reach(rect, disc.centre);
            (disc.radius - near).max(0.0)
        });
        let lines = self.lines.iter().map(|&(ends, half)| {
            let inside = length_inside(rect.inset(-half), ends);
            inside.min(rect.height)
        });
        outside + rects.chain(discs).chain(lines).sum::<f64>()
    }

    /// Whether a rectangle covers nothing, but for the rounding of coordinates.
    pub fn is_free(&self, rect: Rect) -> bool {
        self.overlap(rect) < ROUNDING
    }

    /// Whether a line crosses no label and no disc that is taken.
    pub fn is_open(&self, line: [Point; 2]) -> bool {
        let rects = self
            .rects
            .iter()
            .all(|rect| length_inside(*rect, line) == 0.0);
        rects
            && self.discs.iter().all(|disc| {
                // The square in the circle.
                length_inside(Rect::around(disc.centre, 0.7 * disc.radius), line) == 0.0
            })
    }

    /// The index of the best free place; `None` if none is free.
    pub fn find(&self, places: &[Rect]) -> Option<usize> {
        self.find_again(places, &KeptPlace::default())
    }

    /// The same, but the kept place while it is free and no other is clearly better.
    pub fn find_again(&self, places: &[Rect], kept: &KeptPlace) -> Option<usize> {
        let before = kept.get();
        let found = self.best(places, before);
        kept.set(found);
        found
    }

    fn best(&self, places: &[Rect], kept: Option<usize>) -> Option<usize> {
        let cost = |(index, place): (usize, &Rect)| {
            let crossed = |rim: &&Circle| {
                let (near, far) = reach(*place, rim.centre);
                (near..far).contains(&rim.radius)
            };
            let rims = self.rims.iter().filter(crossed).count();
            let other = kept.is_some_and(|kept| kept != index);
            let (margin, more) = if other { (MARGIN, BETTER) } else { (0.0, 0.0) };
            (self.overlap_with_margin(*place, margin) < ROUNDING)
                .then_some((index, index as f64 + ON_RIM * rims as f64 + more))
        };
        let free = places.iter().enumerate().filter_map(cost);
        let best = free.min_by(|a, b| a.1.total_cmp(&b.1));
        match (best, kept) {
            (None, Some(_)) => self.best(places, None),
            _ => Some(best?.0),
        }
    }

    /// Writes a text at the best of its places, which is taken then; nothing if none is free.
    pub fn write(&mut self, pen: &Pen, text: &str, places: &[(Point, TextStyle)]) {
        let bounds = places
            .iter()
            .map(|(at, style)| pen.text_bounds(*at, text, *style));
        let bounds: Vec<_> = bounds.collect();
        if let Some(found) = self.find(&bounds) {
            self.take(bounds[found]);
            let (at, style) = places[found];
            pen.text(at, text, style);
        }
    }

    /// The index of the best free place or, if none is free, of that which covers least.
    pub fn find_nearly(&self, places: &[Rect], kept: &KeptPlace) -> usize {
        self.find_again(places, kept).unwrap_or_else(|| {
            let overlaps = places.iter().map(|place| self.overlap(*place));
            let least = overlaps.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            least.map_or(0, |least| least.0)
        })
    }
}

/// By how much two rectangles would have to move apart.
fn depth(a: Rect, b: Rect) -> f64 {
    let across = a.right().min(b.right()) - a.x.max(b.x);
    let down = a.bottom().min(b.bottom()) - a.y.max(b.y);
    across.min(down).max(0.0)
}

/// The smallest and the largest distance of a point from the points of a rectangle.
fn reach(rect: Rect, at: Point) -> (f64, f64) {
    let across = (at.x - rect.x).abs().max((rect.right() - at.x).abs());
    let down = (at.y - rect.y).abs().max((rect.bottom() - at.y).abs());
    (rect.nearest(at).distance(at), across.hypot(down))
}

/// The length of a line's part in a rectangle.
fn length_inside(rect: Rect, [from, to]: [Point; 2]) -> f64 {
    // The part of the line, 0 … 1, between the edges on both axes (Liang and Barsky).
    let (mut first, mut last) = (0.0f64, 1.0f64);
    for (start, way, low, high) in [
        (from.x, to.x - from.x, rect.x, rect.right()),
        (from.y, to.y - from.y, rect.y, rect.bottom()),
    ] {
        if way.abs() < 1e-9 {
            if !(low..high).contains(&start) {
                return 0.0;
            }
            continue;
        }
        let (a, b) = ((low - start) / way, (high - start) / way);
        first = first.max(a.min(b));
        last = last.min(a.max(b));
    }
    (last - first).max(0.0) * from.distance(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Rect = Rect {
        x: 0.0,
        y: 0.0,
        width: 100.0,
        height: 100.0,
    };

    fn label(x: f64, y: f64) -> Rect {
        Rect::new(x, y, 20.0, 10.0)
    }

    #[test]
    fn a_label_takes_the_first_free_place() {
        let mut space = Space::new(BOUNDS);
        let places = [label(10.0, 10.0), label(40.0, 10.0), label(70.0, 10.0)];
        assert_eq!(space.find(&places), Some(0));
        space.take(label(25.0, 15.0));
        assert_eq!(space.find(&places), Some(2));
        space.take_disc(Point::new(75.0, 25.0), 6.0);
        assert_eq!(space.find(&places), None);
        assert_eq!(
            space.find_nearly(&places, &KeptPlace::default()),
            2,
            "it reaches over by 1 px"
        );
    }

    #[test]
    fn lines_and_edges_are_kept_clear() {
        let mut space = Space::new(BOUNDS);
        space.take_line([Point::ZERO, Point::new(100.0, 100.0)], 4.0);
        assert_eq!(space.find(&[label(40.0, 40.0), label(10.0, 40.0)]), Some(1));
        assert_eq!(space.find(&[label(85.0, 10.0)]), None, "over the edge");
        // The line passes the corner (20, 16) at a distance of 4/√2 px, and (20, 17.5) at 1.8 px.
        assert_eq!(space.overlap(label(20.0, 4.0)), 0.0);
        assert!(space.overlap(label(20.0, 9.0)) > 0.0);
        let line = [Point::new(0.0, 45.0), Point::new(100.0, 45.0)];
        let across = length_inside(label(40.0, 40.0), line);
        assert!((across - 20.0).abs() < 1e-9);
    }

    #[test]
    fn a_rim_is_crossed_only_for_want_of_better_places() {
        let mut space = Space::new(BOUNDS);
        let (centre, radius) = (Point::new(50.0, 50.0), 30.0);
        space.avoid_rim(Circle { centre, radius });
        let (on, inside) = (label(70.0, 45.0), label(40.0, 45.0));
        assert_eq!(space.find(&[on, inside]), Some(1));
        assert_eq!(space.find(&[on]), Some(0));
    }
}
