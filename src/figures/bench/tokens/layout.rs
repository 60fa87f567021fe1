//! Where each token is: tokens have their natural widths, positions without one have the width of their number.

use crate::draw::text_style::text_width;
use crate::draw::{Frame, Pen, Rect, TextStyle, Theme};
use crate::figures::bench::model::Model;
use crate::math::Clamp;
use crate::text::number;
use crate::text::tokens::shortened;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// Size of numbers in label sizes.
const NUMBER: f64 = 0.97;
/// Size of words, space between a number and its word, and that on both sides of a token, in label sizes; the
/// second on phones.
const WIDE: [f64; 3] = [1.25, 0.42, 0.48];
const TIGHT: [f64; 3] = [1.1, 0.3, 0.36];
/// Space between a ring and the tokens beside its own, in label sizes.
pub(super) const RING: f64 = 0.1;
/// Maximum number of characters of a token.
const MAX_CHARACTERS: usize = 18;
/// Width of the strip at an end in which the number of hidden tokens stands, or in a narrow picture an arrow alone, in
/// label sizes.
const STRIP: (f64, f64) = (6.2, 1.3);
/// Width of a picture that is not narrow, in label sizes.
const NARROW: f64 = 45.0;

/// The line of tokens, of which a window is shown.
pub struct Plan {
    pub(super) room: Rect,
    /// The vertical centre of the tokens, and half the height of a ring around one.
    pub(super) row: f64,
    pub(super) ring: f64,
    pub(super) size: f64,
    /// The sizes of numbers and words, and the spaces between them and beside both.
    number: f64,
    word: f64,
    pub(super) between: f64,
    pub(super) beside: f64,
    pub(super) words: Vec<String>,
    /// The left edges of the tokens and the right edge of the last one, from that of the first; measured when the axes
    /// are drawn.
    edges: OnceCell<Vec<f64>>,
}

/// The part of the line that is shown: for the same positions always the same.
pub(super) struct Window<'a> {
    plan: &'a Plan,
    edges: Cow<'a, [f64]>,
    /// The number of positions.
    positions: usize,
    /// The width of a position without a token.
    empty: f64,
    /// How far the line is moved to the left, in CSS pixels.
    scroll: f64,
}

impl Plan {
    pub(super) fn new(frame: Frame, theme: &Theme, model: &Model) -> Option<Plan> {
        let room = Rect::inside(frame, 0.0, 0.0, 0.0, 0.0);
        // The tokens and the arc above them are 3.85 label sizes high.
        let size = theme.label_size().min(room.height / 3.85);
        if room.width < 8.0 * size || size < 4.0 {
            return None;
        }
        // Numbers are small, but where type has to be read from afar not smaller than that.
        let number = theme.reduced(NUMBER).min(size);
        let sizes = if room.width < NARROW * size {
            TIGHT
        } else {
            WIDE
        };
        let [word, between, beside] = sizes.map(|share| share * size);
        let shown = |token: &String| shortened(token, MAX_CHARACTERS);
        Some(Plan {
            room,
            row: room.y + room.height - 1.4 * size,
            ring: 1.08 * size,
            size,
            number,
            word,
            between,
            beside,
            words: model.tokens.iter().map(shown).collect(),
            edges: OnceCell::new(),
        })
    }

    pub(super) fn word_style(&self, theme: &Theme) -> TextStyle {
        TextStyle::new(self.word, theme.ink).align_left()
    }

    pub(super) fn number_style(&self, theme: &Theme) -> TextStyle {
        TextStyle::new(self.number, theme.muted).align_left()
    }

    /// Measures the tokens, with the widths of bold type.
    pub(super) fn measure(&self, pen: &Pen, theme: &Theme) {
        let style = self.word_style(theme).bold();
        self.edges
            .get_or_init(|| self.edges_of(|word| pen.measure(word, style)));
    }

    /// The edges, estimated until they are measured.
    fn edges(&self) -> Cow<'_, [f64]> {
        match self.edges.get() {
            Some(edges) => Cow::Borrowed(edges),
            None => Cow::Owned(self.edges_of(|word| text_width(word, self.word))),
        }
    }

    fn edges_of(&self, width: impl Fn(&str) -> f64) -> Vec<f64> {
        let mut edges = vec![0.0];
        let mut edge = 0.0;
        for (position, word) in self.words.iter().enumerate() {
            edge +=
                self.number_width(position as i64) + self.between + width(word) + 2.0 * self.beside;
            edges.push(edge);
        }
        edges
    }

    pub(super) fn number_width(&self, position: i64) -> f64 {
        width_of_number(position, self.number)
    }

    pub(super) fn is_narrow(&self) -> bool {
        self.room.width < NARROW * self.size
    }

    fn strip(&self) -> f64 {
        let (wide, narrow) = STRIP;
        self.size * if self.is_narrow() { narrow } else { wide }
    }

    /// The window of a line of this many positions from its beginning or, if one of two positions is beyond the end of the
    /// window, with that one at its end. Of positions that are too far apart, it shows the first.
    pub(super) fn window(&self, positions: usize, [pos, target]: [f64; 2]) -> Window<'_> {
        let mut window = Window {
            plan: self,
            edges: self.edges(),
            positions,
            empty: self.number_width(positions as i64 - 1) + 2.0 * self.beside,
            scroll: 0.0,
        };
        let [pos, target] = [pos, target].map(|position| window.extent(position));
        let (strip, width) = (self.strip(), self.room.width);
        let (left, right) = (pos.0.min(target.0), pos.1.max(target.1));
        let end = window.end().max(right);
        let to_the_end = |right: f64| match right > width - strip {
            true => (right + strip - width).min(end - width),
            false => 0.0,
        };
        let scroll = to_the_end(right).min(left);
        let shows = |scroll: f64, (left, right): (f64, f64)| {
            let before = if scroll > 0.0 { strip } else { 0.0 };
            left >= scroll + before && right <= scroll + width
        };
        window.scroll = match shows(scroll, pos) && shows(scroll, target) {
            true => scroll,
            // pos alone, at the side from which the other is seen.
            false if target.0 > pos.0 => (pos.0 - strip).max(0.0).min(pos.0),
            false => to_the_end(pos.1).min(pos.0),
        };
        window
    }
}

/// The width of a position's number in type of this size: figures are equally wide.
fn width_of_number(position: i64, size: f64) -> f64 {
    0.62 * size * number::whole(position).chars().count() as f64
}

impl Window<'_> {
    /// Left edge and width of a position's place in the line.
    fn slot(&self, position: i64) -> (f64, f64) {
        let (edges, last) = (&self.edges, self.plan.words.len() as i64);
        if position < 0 {
            return (position as f64 * self.empty, self.empty);
        }
        if position >= last {
            let end = edges.last().copied().unwrap_or_default();
            return (end + (position - last) as f64 * self.empty, self.empty);
        }
        let at = position as usize;
        (edges[at], edges[at + 1] - edges[at])
    }

    /// The end of the last position in the line.
    fn end(&self) -> f64 {
        self.slot(self.positions as i64).0
    }

    /// Left and right edge of the token at a position in the line, between tokens at a fractional one.
    fn extent(&self, position: f64) -> (f64, f64) {
        let (low, part) = (position.floor(), position - position.floor());
        let [from, to] = [low, low + 1.0].map(|position| self.slot(position as i64));
        let left = from.0 + part * (to.0 - from.0);
        (left, left + from.1 + part * (to.1 - from.1))
    }

    /// Left and right edge on screen of the token at a position, between tokens at a fractional one.
    pub(super) fn token(&self, position: f64) -> (f64, f64) {
        let (left, right) = self.extent(position);
        let shift = self.plan.room.x - self.scroll;
        (left + shift, right + shift)
    }

    /// The space around the token at a position in which its ring is drawn.
    pub(super) fn ring_around(&self, position: f64) -> Rect {
        let plan = self.plan;
        let (left, right) = self.token(position);
        let gap = RING * plan.size;
        let number = plan.number_width(position.round() as i64);
        // The number of a position beyond the table may be longer than the others.
        let width = (right - left).max(number + 2.0 * plan.beside) - 2.0 * gap;
        let (x, top) = ((left + right - width) / 2.0, plan.row - plan.ring);
        Rect::new(x, top, width, 2.0 * plan.ring)
    }

    /// The ring around a token, or at the edge of the window if that is outside.
    pub(super) fn ring(&self, position: f64) -> Rect {
        let (ring, shown) = (self.ring_around(position), self.shown());
        // The stroke is inside the picture.
        let (low, high) = (shown.x + 1.0, shown.right() - ring.width - 1.0);
        ring.with_x(ring.x.clamped(low, high.max(low)))
    }

    /// The position at a point on screen, fractional between the centres of two tokens.
    pub(super) fn position(&self, x: f64) -> f64 {
        let place = self.slot_at(x);
        let centre = |position| {
            let (left, width) = self.slot(position);
            left + width / 2.0
        };
        let x = x - self.plan.room.x + self.scroll;
        let here = centre(place);
        let next = if x < here { place - 1 } else { place + 1 };
        place as f64 + (x - here).abs() / (centre(next) - here).abs() * (next - place) as f64
    }

    /// The position whose place is at a point on screen.
    pub(super) fn slot_at(&self, x: f64) -> i64 {
        let x = x - self.plan.room.x + self.scroll;
        let end = self.edges.last().copied().unwrap_or_default();
        if x < 0.0 {
            (x / self.empty).floor() as i64
        } else if x >= end {
            self.plan.words.len() as i64 + ((x - end) / self.empty).floor() as i64
        } else {
            self.edges.partition_point(|edge| *edge <= x) as i64 - 1
        }
    }

    /// Everything on which the tokens in the window depend.
    pub(super) fn contents(&self) -> [f64; 4] {
        let end = self.whole_tokens().end;
        let has_more = self.strips()[1].is_some();
        [self.scroll, self.empty, end as f64, f64::from(has_more)]
    }

    /// The strips at both ends, which hide tokens and tell how many.
    pub(super) fn strips(&self) -> [Option<Rect>; 2] {
        let room = self.plan.room;
        let width = self.plan.strip();
        let end = self.end();
        [
            (self.scroll > 0.5).then(|| room.with_width(width)),
            (self.scroll + room.width < end - 0.5)
                .then(|| room.across(room.right() - width, width)),
        ]
    }

    /// The part of the picture that the strips leave to tokens.
    pub(super) fn shown(&self) -> Rect {
        let [left, right] = self.strips();
        let room = self.plan.room;
        let from = left.map_or(room.x, |strip| strip.right());
        let to = right.map_or(room.right(), |strip| strip.x);
        room.across(from, to - from)
    }

    /// The positions of the table of which all is in the window.
    pub(super) fn whole_tokens(&self) -> Range<i64> {
        let shown = self.shown();
        let first = self.slot_at(shown.x).max(0);
        let last = self.slot_at(shown.right() - 0.1);
        let end = (last + 1).min(self.positions as i64);
        let fits = |position: &i64| self.fits(*position);
        match (first..end).find(fits) {
            Some(first) => first..(first..end).rfind(fits).unwrap_or(first) + 1,
            None => first..first,
        }
    }

    /// How many of the words at positions of the table are before the window and after it.
    pub(super) fn hidden_words(&self, words: usize) -> [i64; 2] {
        let (shown, words) = (self.whole_tokens(), words.min(self.positions) as i64);
        [shown.start.min(words), words - shown.end]
    }

    /// Whether all of a token is in the window.
    pub(super) fn fits(&self, position: i64) -> bool {
        let (shown, (left, right)) = (self.shown(), self.token(position as f64));
        left >= shown.x - 1.0 && right <= shown.right() + 1.0
    }

    /// The part of it with positions of the table.
    pub(super) fn selectable(&self) -> Rect {
        let shown = self.shown();
        let from = self.token(0.0).0.max(shown.x);
        let last = self.positions.saturating_sub(1) as f64;
        let to = self.token(last).1.min(shown.right());
        shown.across(from, (to - from).max(0.0))
    }
}
