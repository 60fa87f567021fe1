//! Layout of the heatmap: the map, the magnified rows of pos and pos+k below it, and the legend.

use crate::draw::text_style::{TextStyle, text_width};
use crate::draw::{Circle, Frame, Point, Rect, Scale, Theme};
use crate::field::Span;
use crate::figures::bench::model::Model;
use crate::text::number;

/// Minimum distance of the numbers on the position axis, in label sizes.
pub(super) const TICKS: f64 = 2.6;

/// In label sizes: height of the band above the map, which contains the names of the position axis and of the pair, and
/// the colour bar; height of the band with the numbers below the map, and of their line in it; thickness of a scrollbar.
const ABOVE: f64 = 2.0;
const BELOW: f64 = 1.75;
const NUMBERS: f64 = 0.9;
const SCROLLBAR: f64 = 0.9;
/// Heights of a magnified row, of the gap between the two, and of that below the last.
const MAGNIFIED: f64 = 1.75;
const BETWEEN: f64 = 0.25;
const LAST: f64 = 0.25;
/// Width of the lines at the right, which connect a row with its magnified copy.
const LINES: f64 = 1.55;
/// Radius of the colour wheel.
const WHEEL: f64 = 1.75;
/// Minimum width of the map beside the legend, and minimum height above the magnified rows; these are omitted if it
/// would be smaller.
const NARROW: f64 = 8.0;
const LOW: f64 = 12.0;
/// Cells are whole CSS pixels wide and high if that leaves at most this share of the available length empty.
const SPARE: f64 = 0.14;

pub struct Plan {
    pub(super) plot: Rect,
    pub(super) rows: Scale,
    /// Of dimensions, or of pairs in the heatmap of angles.
    pub(super) columns: Scale,
    /// `None` if there is no room for it.
    pub(super) legend: Option<Legend>,
    /// The magnified rows of pos and of pos+k; `None` if there is no room for them.
    pub(super) magnified: Option<[Rect; 2]>,
    /// The y coordinate of the numbers on the dimension axis, and of the brackets around columns.
    pub(super) numbers: f64,
}

/// The legend of the colours.
#[derive(Clone, Copy)]
pub enum Legend {
    /// A colour bar, from the lowest value at the left to the highest, or through a full turn.
    Bar(Rect),
    /// A colour wheel, and how many quarters of it are numbered.
    Wheel(Circle, usize),
}

impl Plan {
    pub(super) fn new(frame: Frame, theme: &Theme, model: &Model) -> Option<Plan> {
        let size = theme.label_size();
        let state = &model.state;
        let longest = number::whole(state.max_len() as i64 - 1);
        let phase = state.shows_phase() && !model.transient.beside_others;
        let narrow = frame.width < 22.0 * size;
        // The numbers of two quarters take less room than those of four.
        let quarters = if frame.width < 44.0 * size { 2 } else { 4 };
        let wheel = match (phase, quarters) {
            (false, _) => 0.0,
            (true, 2) => 6.0,
            (true, _) => 8.4,
        };
        let bold = TextStyle::new(size, theme.ink).bold();
        let left = bold.width(&longest).max(text_width("00", size)) + 1.1 * size;
        let scrollbar = if state.is_zoomed() { SCROLLBAR } else { 0.0 };
        let right = (LINES + scrollbar + wheel) * size;
        let magnified = 2.0 * MAGNIFIED + BETWEEN + LAST;
        let roomy = frame.height > (LOW + ABOVE + BELOW + magnified) * size;
        let magnified = if roomy { magnified } else { 0.1 };
        let below = (magnified + BELOW + scrollbar) * size;
        let full = Rect::inside(frame, left, ABOVE * size, right, below);
        let room = match full.width < NARROW * size {
            true => Rect::inside(frame, left, ABOVE * size, 0.7 * size, below),
            false => full,
        };
        if room.is_empty() {
            return None;
        }
        let (positions, columns) = (state.positions(), axis(model));
        let plot = room.with_size(
            whole_cells(room.width, columns.width(), state.is_zoomed()),
            whole_cells(room.height, positions.width(), state.is_zoomed()),
        );
        let legend = || {
            if phase {
                let numbered = if quarters == 2 { 0.6 } else { 2.8 };
                let side = plot.right() + (LINES + scrollbar + numbered + WHEEL) * size;
                let centre = Point::new(side, plot.y + (0.9 + WHEEL) * size);
                let radius = WHEEL * size;
                return Legend::Wheel(Circle { centre, radius }, quarters);
            }
            let width = if narrow { 3.0 * size } else { 4.8 * size };
            let number = if state.shows_phase() { 2.1 } else { 1.1 };
            let bar = Rect::new(
                plot.right() - width - number * size,
                0.55 * size,
                width,
                0.8 * size,
            );
            Legend::Bar(bar)
        };
        let row = |index: f64| {
            let top = plot.bottom() + (BELOW + index * (MAGNIFIED + BETWEEN)) * size;
            plot.down(top, MAGNIFIED * size)
        };
        Some(Plan {
            plot,
            rows: Scale::new(
                (positions.start(), positions.end()),
                (plot.y, plot.bottom()),
            ),
            columns: Scale::new((columns.start(), columns.end()), (plot.x, plot.right())),
            legend: (full == room).then(legend),
            magnified: roomy.then(|| [row(0.0), row(1.0)]),
            numbers: plot.bottom() + NUMBERS * size,
        })
    }

    /// The map's size in device pixels.
    pub(super) fn image_size(&self, frame: Frame) -> (usize, usize) {
        let pixels = |v: f64| (v * frame.pixels).round().max(1.0) as usize;
        (pixels(self.plot.width), pixels(self.plot.height))
    }

    /// The visible part of a row of cells.
    pub(super) fn row(&self, position: f64) -> Option<Rect> {
        let (top, height) = stretch(&self.rows, position, self.plot.y, self.plot.bottom())?;
        Some(self.plot.down(top, height))
    }

    pub(super) fn column(&self, column: f64) -> Option<Rect> {
        let (left, width) = stretch(&self.columns, column, self.plot.x, self.plot.right())?;
        Some(self.plot.across(left, width))
    }

    /// The x coordinate of the position scrollbar, right of the lines.
    pub(super) fn scrollbar(&self, theme: &Theme) -> f64 {
        self.plot.right() + LINES * theme.label_size()
    }
}

/// The visible columns: dimensions, or in the heatmap of angles pairs. A pair is as wide as two dimensions, whatever the
/// layout; with an odd d_model the last column is half as wide.
pub(super) fn axis(model: &Model) -> Span {
    let dimensions = model.state.dimensions();
    match model.state.shows_phase() {
        true => dimensions.halved(),
        false => dimensions,
    }
}

/// The largest part of a length in which every cell is a whole number of CSS pixels; all of it if zoomed, or if too much
/// would stay empty.
fn whole_cells(length: f64, cells: f64, zoomed: bool) -> f64 {
    let whole = (length / cells).floor() * cells;
    match !zoomed && whole >= (1.0 - SPARE) * length {
        true => whole,
        false => length,
    }
}

/// Start and length of a cell along an axis, no thinner than a visible line and clipped to `low` … `high`; `None` if it
/// is outside.
fn stretch(axis: &Scale, cell: f64, low: f64, high: f64) -> Option<(f64, f64)> {
    const THINNEST: f64 = 2.0;
    let (a, b) = (axis.pixel(cell), axis.pixel(cell + 1.0));
    if b <= low || a >= high {
        return None;
    }
    let widen = ((THINNEST - (b - a)) / 2.0).max(0.0);
    let start = (a - widen).max(low);
    Some((start, (b + widen).min(high) - start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_whole_pixels_where_little_room_is_lost() {
        assert_eq!(whole_cells(556.0, 128.0, false), 512.0);
        assert_eq!(whole_cells(640.0, 512.0, false), 640.0);
        assert_eq!(whole_cells(300.0, 5000.0, false), 300.0);
        assert_eq!(whole_cells(556.0, 128.0, true), 556.0);
    }
}
