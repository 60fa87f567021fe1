//! A part of an axis, in cells: the positions or dimensions that the zoomed heatmap shows.

use crate::math::Clamp;

/// `start..end` in cells; cell `n` covers `n..n+1`. A span set by a link or a control is at least one cell wide, with
/// edges in hundredths of a cell so that a link restores exactly what was shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    start: f64,
    end: f64,
}

impl Span {
    /// The whole of an axis with `cells` cells, at least one.
    pub fn whole(cells: usize) -> Span {
        Span {
            start: 0.0,
            end: cells as f64,
        }
    }

    /// The valid span within `0..cells` that is nearest to `start..end`; `None` if an edge is NaN.
    pub fn fitted(start: f64, end: f64, cells: usize) -> Option<Span> {
        if start.is_nan() || end.is_nan() {
            return None;
        }
        let cells = cells as f64;
        let (low, high) = (start.min(end), start.max(end));
        let width = hundredths((high - low).clamped(1.0, cells));
        let start = hundredths(low.clamped(0.0, cells - width));
        Some(Span {
            start,
            end: hundredths(start + width),
        })
    }

    pub fn start(self) -> f64 {
        self.start
    }

    pub fn end(self) -> f64 {
        self.end
    }

    pub fn width(self) -> f64 {
        self.end - self.start
    }

    /// The same span in cells of twice the width, for drawing: it may be half a cell wide.
    pub fn halved(self) -> Span {
        Span {
            start: self.start / 2.0,
            end: self.end / 2.0,
        }
    }

    /// The span with `factor` times its width; `anchor`, in cells, keeps its relative position unless an end of the
    /// axis is reached.
    pub fn zoomed(self, factor: f64, anchor: f64, cells: usize) -> Span {
        let width = (self.width() * factor).clamped(1.0, cells as f64);
        let share = (anchor - self.start) / self.width();
        Span::fitted(
            anchor - share * width,
            anchor + (1.0 - share) * width,
            cells,
        )
        .unwrap_or(self)
    }

    /// The span moved by `cells_moved`, stopping at the ends of the axis.
    pub fn moved(self, cells_moved: f64, cells: usize) -> Span {
        // An infinite distance would make the width NaN.
        let moved = cells_moved.clamped(-(cells as f64), cells as f64);
        Span::fitted(self.start + moved, self.end + moved, cells).unwrap_or(self)
    }

    /// The span moved just far enough to contain the whole cell.
    pub fn showing(self, cell: usize, cells: usize) -> Span {
        let cell = cell as f64;
        if cell < self.start {
            self.moved(cell - self.start, cells)
        } else if cell + 1.0 > self.end {
            self.moved(cell + 1.0 - self.end, cells)
        } else {
            self
        }
    }
}

fn hundredths(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fitting_keeps_the_width_and_stays_inside() {
        let span = Span::fitted(-5.0, 5.0, 64).unwrap();
        assert_eq!((span.start(), span.end()), (0.0, 10.0));
        let span = Span::fitted(60.0, 70.0, 64).unwrap();
        assert_eq!((span.start(), span.end()), (54.0, 64.0));
        assert_eq!(
            Span::fitted(0.0, f64::INFINITY, 64).unwrap(),
            Span::whole(64)
        );
        assert!(Span::fitted(f64::NAN, 3.0, 64).is_none());
    }

    #[test]
    fn zooming_keeps_the_anchor() {
        let span = Span::whole(100).zoomed(0.5, 20.0, 100);
        assert_eq!((span.start(), span.end()), (10.0, 60.0));
        assert_eq!(span.zoomed(1e-9, 20.0, 100).width(), 1.0);
        assert_eq!(span.zoomed(1e9, 20.0, 100), Span::whole(100));
    }

    #[test]
    fn showing_moves_no_more_than_needed() {
        let span = Span::fitted(10.0, 20.0, 100).unwrap();
        assert_eq!(span.showing(15, 100), span);
        assert_eq!(span.showing(20, 100).end(), 21.0);
        assert_eq!(span.showing(3, 100).start(), 3.0);
    }
}
