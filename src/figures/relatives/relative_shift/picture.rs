//! What leads from one matrix to the next, and at first where the entry that is followed has to go.

use super::words::CHANGES;
use super::{LAST, Plan, QUERIES, Shift};
use crate::draw::grid::cell_rect;
use crate::draw::{DrawContext, Pen, Point, TextStyle};
use crate::text::Lang;

impl Shift {
    /// Draws the arrow between the two matrices, with what it does on both sides of it or beside it.
    pub(super) fn draw_change(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        if self.step == 0 && !plan.is_beside {
            return self.draw_asked(pen, context, plan);
        }
        let [before, after] = plan.rooms;
        let before = self.rect(plan, before, self.before());
        let style = TextStyle::new(size, theme.accent).bold();
        let (from, to, at, style, room) = if plan.is_beside {
            let y = before.y + 2.0 * plan.cell;
            let (from, to) = (before.right() + 0.6 * size, after.x - 2.9 * size);
            let at = Point::new(0.5 * (from + to), y);
            ((from, y), (to, y), at, style, to - from + size)
        } else {
            // Beside the title of the second matrix.
            let x = before.x + (before.width + 1.2 * size).max(13.0 * size);
            let (from, to) = (before.centre_y(), after.y + 0.5 * plan.cell);
            let at = Point::new(x + 0.6 * size, 0.5 * (from + to));
            let room = context.frame.width - at.x;
            ((x, from), (x, to), at, style.align_left(), room)
        };
        pen.arrow(from, to, theme.accent, theme.stroke());
        // Nothing is asked about an entry that has no place.
        let (query, offset) = self.followed;
        if self.step == 0 && offset > query + self.memory {
            return;
        }
        for (words, down) in CHANGES[self.step].iter().zip([-0.9, 0.9]) {
            let words = words.get(self.lang);
            let at = at + (0.0, down * size);
            pen.text(at, words, style.fitting(words, room));
        }
    }

    /// Draws the way from the entry that is followed to its place in the matrix below, between the columns, and asks for it.
    fn draw_asked(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (query, offset) = self.followed;
        let shape = (QUERIES, self.keys());
        // Nothing is asked about an entry that has no place.
        let Some(column) = (query + self.memory).checked_sub(offset) else {
            return;
        };
        let from = cell_rect(
            self.rect(plan, plan.rooms[0], 0),
            shape,
            query,
            shape.1 - 1 - offset,
        );
        let to = cell_rect(self.rect(plan, plan.rooms[1], LAST), shape, query, column);
        let (colour, width) = (theme.accent, theme.stroke());
        let x = if from.x > to.x {
            let corner = (from.right(), to.centre_y());
            pen.line(&[(from.right(), from.bottom()), corner], colour, width);
            pen.arrow(corner, (to.right(), to.centre_y()), colour, width);
            from.right()
        } else {
            let x = from.x + 0.85 * from.width;
            pen.arrow((x, from.bottom()), (x, to.y), colour, width);
            x
        };
        let words = CHANGES[0].map(|words| words.get(self.lang));
        let words = words.join(if self.lang == Lang::En { " " } else { "" });
        let at = Point::new(x + 0.8 * size, plan.rooms[1].y - 2.6 * size);
        let style = TextStyle::new(1.2 * size, colour).bold().align_left();
        pen.text(
            at,
            &words,
            style.fitting(&words, context.frame.width - at.x),
        );
    }

    /// Draws the matrix of keys without its entries, and the place of the one that is followed.
    pub(super) fn draw_wanted(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let theme = context.theme;
        let (rect, shape) = (self.rect(plan, plan.rooms[1], LAST), (QUERIES, self.keys()));
        let (query, offset) = self.followed;
        for row in 0..shape.0 {
            for column in (0..shape.1).filter(|&column| !self.ahead(row, column)) {
                let cell = cell_rect(rect, shape, row, column);
                pen.outline(cell, theme.muted, 0.5, theme.hairline());
                if row == query && column + offset == query + self.memory {
                    pen.outline(cell, theme.accent, 1.0, 1.2 * theme.stroke());
                    let style = TextStyle::new(1.2 * theme.label_size(), theme.accent);
                    pen.text(cell.centre(), "?", style.bold());
                }
            }
        }
        self.draw_headings(pen, context, rect, LAST);
    }
}
