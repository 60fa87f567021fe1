//! Layout and drawing: clocks in a column, on the diagonal of a matrix, and in another column.

use super::{MAX_CLOCKS, MatrixClocks, PairClock};
use crate::draw::text_style::text_width;
use crate::draw::{Circle, Clock, DrawContext, Pen, Point, Rect, TextStyle, Theme};
use crate::figures::bench::clock_wall::Shown;
use crate::text::labels;
use crate::text::number::{fixed, whole};
use plotters::style::RGBColor;

/// Heights above and below the rows, in label sizes.
const ABOVE: f64 = 2.8;
const BELOW: f64 = 2.6;
/// Minimum and maximum side of a block, in label sizes.
const SIDES: (f64, f64) = (2.2, 3.6);
/// Maximum height of all rows together, in label sizes, so that a window shows all of them.
const ROWS: f64 = 29.0;

pub struct Plan {
    pub(super) shown: Shown,
    pub(super) height: f64,
    /// Side of a block, and height of a row.
    side: f64,
    /// The x coordinates of the columns: right edge of the numbers, centres of the clocks, left and right edge of the
    /// matrix, right edge of the angles.
    number: f64,
    clocks: [f64; 2],
    matrix: (f64, f64),
    angle: f64,
    left: f64,
    top: f64,
    /// Of the whole figure.
    width: f64,
}

impl Plan {
    pub(super) fn new(it: &MatrixClocks, width: f64, theme: &Theme) -> Plan {
        let size = theme.label_size();
        let wide = width > 40.0 * size;
        let arrow = if wide { 3.0 * size } else { 1.3 * size };
        // The first pair rotates the most; the selected one's angle is bold.
        let (longest, first) = ("−999.99°", it.angle_text(0).unwrap_or_default());
        let widest = text_width(&first, size).max(text_width(longest, size));
        let (number, angle) = (2.3 * size, 1.1 * widest + 0.5 * size);
        let bracket = 0.7 * size;
        let fixed = number + angle + 2.0 * (arrow + bracket) + 0.6 * size;
        let side = |blocks: usize| (width - fixed) / (blocks as f64 + 2.0);
        let rows = theme.fitted((ROWS + ABOVE + BELOW) * size, 17.0) - (ABOVE + BELOW) * size;
        let room = (1..=MAX_CLOCKS).rev().find(|&blocks| {
            side(blocks) >= SIDES.0 * size && rows >= blocks as f64 * SIDES.0 * size
        });
        let shown = it.shown(room.unwrap_or(1));
        let blocks = shown.pairs.len();
        let highest = rows / blocks as f64;
        let side = side(blocks).min(SIDES.1 * size).min(highest);
        let used = fixed + (blocks as f64 + 2.0) * side;
        let left = (0.5 * (width - used)).max(0.0);
        let here = left + number + 0.5 * side + 0.3 * size;
        let from = here + 0.5 * side + arrow + bracket;
        let to = from + blocks as f64 * side;
        let there = to + bracket + arrow + 0.5 * side;
        let top = ABOVE * size;
        Plan {
            height: (top + blocks as f64 * side + BELOW * size).round(),
            side,
            number: left + number - 0.5 * size,
            clocks: [here, there],
            matrix: (from, to),
            angle: there + 0.5 * side + angle,
            left,
            top,
            width,
            shown,
        }
    }

    /// The rows of all pairs, from the numbers to the angles.
    pub(super) fn rows(&self) -> Rect {
        let height = self.shown.pairs.len() as f64 * self.side;
        Rect::new(self.left, self.top, self.angle - self.left, height)
    }

    fn row(&self, row: usize) -> Rect {
        let y = self.top + row as f64 * self.side;
        self.rows().down(y, self.side)
    }

    fn block(&self, row: usize, column: usize) -> Rect {
        let x = self.matrix.0 + column as f64 * self.side;
        self.row(row).across(x, self.side)
    }

    /// The clocks of PE(pos) and of PE(pos + k) in the row of a pair; `None` if the pair is not shown.
    pub(super) fn clocks_of(&self, pair: usize) -> Option<[Circle; 2]> {
        let row = self.shown.pairs.iter().position(|&shown| shown == pair)?;
        Some(self.clocks.map(|x| self.clock(row, x)))
    }

    fn clock(&self, row: usize, x: f64) -> Circle {
        Circle {
            centre: Point::new(x, self.row(row).centre_y()),
            radius: 0.4 * self.side,
        }
    }
}

fn hand(pen: &Pen, theme: &Theme, circle: Circle, angle: f64, colour: RGBColor) {
    pen.ring(circle.centre, circle.radius, theme.edge, theme.hairline());
    let tip = circle.at(angle, 0.97);
    pen.line(&[circle.centre, tip], colour, theme.stroke());
}

impl MatrixClocks {
    /// kω of a pair in degrees.
    fn angle_text(&self, pair: usize) -> Option<String> {
        let (_, turn) = self.row(pair).angles?;
        let degrees = turn.to_degrees();
        let digits = if degrees.abs() < 1000.0 { 2 } else { 0 };
        Some(format!("{}°", fixed(degrees, digits)))
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let selected = self.model.state.pair();
        for (row, &pair) in plan.shown.pairs.iter().enumerate() {
            if pair == selected {
                pen.fill(plan.row(row), context.theme.accent, 0.1);
            }
        }
        self.draw_dots(pen, context.theme, plan);
        for (row, &pair) in plan.shown.pairs.iter().enumerate() {
            self.draw_row(pen, context.theme, plan, row, &self.row(pair));
        }
        self.draw_frame(pen, context.theme, plan);
    }

    /// Draws a dot for each block of zeros.
    fn draw_dots(&self, pen: &Pen, theme: &Theme, plan: &Plan) {
        let blocks = plan.shown.pairs.len();
        for row in 0..blocks {
            for column in 0..blocks {
                let block = plan.block(row, column);
                let zero = self.row(plan.shown.pairs[row]).angles.is_none();
                if row != column || zero {
                    pen.disc(block.centre(), 0.09 * theme.label_size(), theme.edge);
                }
            }
        }
    }

    fn draw_row(&self, pen: &Pen, theme: &Theme, plan: &Plan, row: usize, pair: &PairClock) {
        let size = theme.label_size();
        let (lit, y) = (
            pair.index == self.model.state.pair(),
            plan.row(row).centre_y(),
        );
        let named = |colour: RGBColor| match lit {
            true => TextStyle::new(size, colour).bold(),
            false => TextStyle::new(size, colour),
        };
        let number = named(if lit { theme.accent } else { theme.muted });
        let text = pair.index.to_string();
        pen.text((plan.number, y), &text, number.align_right());
        let [here, there] = plan.clocks.map(|x| plan.clock(row, x));
        let Some((angle, turn)) = pair.angles else {
            for circle in [here, there] {
                pen.ring(circle.centre, circle.radius, theme.rule, theme.hairline());
            }
            return pen.text(
                (plan.angle - 0.3 * size, y),
                "–",
                named(theme.muted).align_right(),
            );
        };
        let rows = plan.shown.pairs.len();
        let angle = angle - self.remaining_turn(row, rows, turn);
        hand(pen, theme, here, angle, theme.here);
        hand(pen, theme, there, angle + turn, theme.there);
        let gap = 0.35 * size;
        let bracket = 0.7 * size;
        for (from, to) in [
            (here.centre.x + here.radius, plan.matrix.0 - bracket),
            (plan.matrix.1 + bracket, there.centre.x - there.radius),
        ] {
            let (from, to) = ((from + gap, y), (to - gap, y));
            pen.arrow(from, to, theme.edge, 0.8 * theme.hairline());
        }
        let block = plan.block(row, row).inset(0.04 * plan.side);
        let share = self.share(row, rows);
        let is_turning = 0.0 < share && share < 1.0;
        if is_turning {
            pen.fill(block, theme.there, 0.3);
        }
        let (colour, width) = match (is_turning, lit) {
            (true, _) => (theme.there, 0.8 * theme.stroke()),
            (false, true) => (theme.accent, 0.8 * theme.stroke()),
            (false, false) => (theme.rule, theme.hairline()),
        };
        let clock = Clock {
            circle: Circle {
                centre: block.centre(),
                radius: 0.4 * plan.side,
            },
            here: None,
            turn: Some(turn),
        };
        clock.draw(pen, theme);
        pen.outline(block, colour, 1.0, width);
        let text = self.angle_text(pair.index).unwrap_or_default();
        let at = (plan.angle - 0.3 * size, y);
        pen.text(at, &text, named(theme.there).align_right());
    }

    /// Draws the brackets, the titles, and the number of pairs that are not shown.
    fn draw_frame(&self, pen: &Pen, theme: &Theme, plan: &Plan) {
        let (size, lang) = (theme.label_size(), self.model.lang);
        let rows = plan.rows();
        let (top, bottom) = (rows.y - 0.3 * size, rows.bottom() + 0.3 * size);
        let hook = 0.5 * size;
        for (x, inward) in [
            (plan.matrix.0 - 0.4 * size, hook),
            (plan.matrix.1 + 0.4 * size, -hook),
        ] {
            let corners = [
                (x + inward, top),
                (x, top),
                (x, bottom),
                (x + inward, bottom),
            ];
            pen.line(&corners, theme.ink, 0.75 * theme.stroke());
        }
        let title = rows.y - 1.4 * size;
        let bold = |colour| TextStyle::new(size, colour).bold();
        let name = |position: i64| format!("PE({})", whole(position));
        let here = (plan.clocks[0], title);
        pen.text(here, &name(self.model.drawn_pos()), bold(theme.here));
        let middle = 0.5 * (plan.matrix.0 + plan.matrix.1);
        pen.text((middle, title), "Mₖ", bold(theme.ink));
        let name = name(self.model.drawn_target());
        let there = plan.clocks[1].min(plan.angle - 3.0 * size - 0.55 * text_width(&name, size));
        pen.text((there, title), &name, bold(theme.there));
        let turn = (plan.angle - 0.3 * size, title);
        pen.text(turn, "kωᵢ", bold(theme.there).align_right());
        let shown = plan.shown.pairs.len();
        let slower = plan.shown.slower;
        let count = labels::clocks_shown(lang, shown, self.model.pairs());
        let below = rows.bottom() + 1.6 * size;
        let muted = TextStyle::new(size, theme.muted);
        if slower == 0 {
            return pen.text((middle, below), &count, muted);
        }
        let [slow, _] = labels::slow_pairs(lang, slower);
        let both = format!("{count} · {slow}");
        let words = muted.fitting(&both, 0.95 * plan.width);
        pen.text((middle, below), &both, words);
    }
}
