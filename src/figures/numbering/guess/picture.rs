//! Draws the positions that fit each fork, and those that fit all of them.

use super::words::{DRAG, HIDDEN, TOGETHER, YOUR_PICK, fork};
use super::{Guess, PAIRS, runs};
use crate::draw::grid::cell_rect;
use crate::draw::text_style::tag_width;
use crate::draw::{Circle, DrawContext, Frame, Pen, Point, Rect, TextStyle, Theme};
use crate::text::{Lang, labels};

/// In units of the type size: the height of a fork's row, and the space above, beside and below the rows.
pub(super) mod em {
    pub const ROW: f64 = 2.1;
    pub const TITLE: f64 = 2.4;
    pub const NAMES: f64 = 7.8;
    pub const TOGETHER: f64 = 3.0;
    pub const BELOW: f64 = 4.7;
    /// The minimum of `ROW` and `TOGETHER`, for a limited height.
    pub const LOW: [f64; 2] = [1.36, 2.4];
}

/// Heights of a fork's row and of the row of all forks together, and height of the figure; all in multiples of the label
/// size.
fn sizes(theme: &Theme) -> ([f64; 2], f64) {
    let height =
        |[row, together]: [f64; 2]| em::TITLE + PAIRS as f64 * row + 0.6 + together + em::BELOW;
    let usual = [em::ROW, em::TOGETHER];
    let least = height(em::LOW);
    let fitted = theme.fitted(height(usual) * theme.label_size(), least) / theme.label_size();
    // Both shrink by the same share of their range.
    let share = ((fitted - least) / (height(usual) - least)).clamp(0.0, 1.0);
    let parts = [0, 1].map(|part| em::LOW[part] + share * (usual[part] - em::LOW[part]));
    (parts, height(parts))
}

pub(super) fn height(theme: &Theme) -> f64 {
    sizes(theme).1 * theme.label_size()
}

pub struct Plan {
    /// The rows of all forks; those not yet revealed are empty.
    pub(super) rows: Rect,
    pub(super) together: Rect,
}

impl Plan {
    pub(super) fn new(frame: Frame, theme: &Theme) -> Plan {
        let (size, ([row, together], _)) = (theme.label_size(), sizes(theme));
        let rows = Rect::new(
            em::NAMES * size,
            em::TITLE * size,
            (frame.width - (em::NAMES + 1.0) * size).max(1.0),
            PAIRS as f64 * row * size,
        );
        let together = rows.down(rows.bottom() + 0.6 * size, together * size);
        Plan { rows, together }
    }
}

impl Guess {
    pub(super) fn position(&self, place: Rect, position: usize) -> Rect {
        cell_rect(place, (1, self.max_len), 0, position)
    }

    /// Draws a bar for each run of possible positions.
    pub(super) fn bars(
        &self,
        pen: &Pen,
        context: &DrawContext,
        row: Rect,
        fits: &[bool],
        strong: bool,
    ) {
        let theme = context.theme;
        pen.fill(row, theme.rule, 0.45);
        let colour = if strong {
            theme.series[1]
        } else {
            theme.series[0]
        };
        for (first, end) in runs(fits) {
            let (left, right) = (self.position(row, first).x, self.position(row, end).x);
            // At least wide enough to be visible.
            let bar = row.across(left, (right - left).max(1.5));
            pen.fill(bar, colour, if strong { 1.0 } else { 0.75 });
        }
    }

    pub(super) fn place(&self, pen: &Pen, context: &DrawContext, place: usize, row: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (pair, middle) = (self.pair(place), row.centre_y());
        let known = self.fits.get(place);
        let ink = if known.is_some() {
            theme.ink
        } else {
            theme.muted
        };
        let name = fork(self.lang, pair);
        let style = TextStyle::new(size, ink).align_left();
        pen.text((0.4 * size, middle), &name, style);
        let (centre, radius) = (Point::new(row.x - 1.4 * size, middle), 0.8 * size);
        pen.ring(centre, radius, theme.muted, theme.hairline());
        let Some(fits) = known else {
            pen.text(centre, "?", TextStyle::new(size, theme.muted));
            return pen.outline(row, theme.rule, 1.0, theme.hairline());
        };
        let (sin, cos) = self.pe.sin_cos(pair, self.hidden as i64);
        let tip = Circle { centre, radius }.point(sin, cos);
        pen.line(&[centre, tip], theme.here, 0.9 * theme.stroke());
        self.bars(pen, context, row, fits, false);
    }

    pub(super) fn result(&self) -> String {
        let (picked, hidden) = (self.picked, self.hidden);
        let off = picked.abs_diff(hidden);
        match (self.lang, off) {
            (Lang::En, 0) => format!("Right: you are at position {hidden}."),
            (Lang::Zh, 0) => format!("答对了：你就在位置 {hidden}。"),
            (Lang::En, 1) => format!("1 position off: you are at {hidden}, not at {picked}."),
            (Lang::En, _) => format!("{off} positions off: you are at {hidden}, not at {picked}."),
            (Lang::Zh, _) => format!("差了 {off} 个位置：你在位置 {hidden}，不在 {picked}。"),
        }
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let Plan { rows, together } = *plan;
        let asked = match self.answered {
            true => self.result(),
            false => DRAG.get(self.lang).to_string(),
        };
        let style = TextStyle::new(1.3 * size, theme.ink).bold();
        let style = style.fitting(&asked, context.frame.width - size);
        pen.text((context.frame.width / 2.0, 1.1 * size), &asked, style);
        for place in 0..PAIRS {
            let row = cell_rect(rows, (PAIRS, 1), place, 0);
            let row = row.down(row.y + 0.12 * row.height, 0.76 * row.height);
            self.place(pen, context, place, row);
        }
        let left = self.possible_count();
        let left = match self.lang {
            Lang::En => format!("{left} possible"),
            Lang::Zh => format!("还剩 {left} 个"),
        };
        for (words, up, colour) in [
            (TOGETHER.get(self.lang), -0.65, theme.ink),
            (&left, 0.65, theme.series[1]),
        ] {
            let style = TextStyle::new(size, colour).bold().align_left();
            let at = (0.4 * size, together.centre_y() + up * size);
            pen.text(at, words, style.fitting(words, together.x - 0.7 * size));
        }
        self.bars(pen, context, together, &self.possible, true);
        pen.outline(together, theme.muted, 1.0, theme.hairline());

        let centre = |position| {
            let cell = self.position(together, position);
            cell.centre_x()
        };
        let line = together.bottom() + 0.9 * size;
        let mut marks = vec![(self.picked, YOUR_PICK, theme.here, line + 1.5 * size)];
        if self.answered {
            marks.push((self.hidden, HIDDEN, theme.right, line + 2.95 * size));
        }
        let mut every = 1;
        while every as f64 * together.width / (self.max_len as f64) < 4.0 * size {
            every *= 2;
        }
        for position in (0..self.max_len).step_by(every) {
            let style = TextStyle::new(size, theme.muted);
            pen.text((centre(position), line), &position.to_string(), style);
        }
        let axis = labels::POSITION_AXIS.get(self.lang);
        let style = TextStyle::new(size, theme.muted).align_left();
        pen.text((0.4 * size, line), axis, style);
        for &(position, _, colour, _) in &marks {
            let x = centre(position);
            let (from, to) = ((x, rows.y), (x, together.bottom() + 0.2 * size));
            pen.dashes(from, to, colour, 0.75 * theme.stroke());
        }
        for (position, name, colour, y) in marks {
            let x = centre(position);
            let words = format!("{} {position}", name.get(self.lang));
            let half = tag_width(&words, size) / 2.0 + 1.0;
            let at = (x.min(context.frame.width - half).max(half), y);
            pen.tag(at, &words, size, colour, theme.panel);
        }
        // The grip of the pick.
        let grip = Point::new(centre(self.picked), together.centre_y());
        let radius = 0.75 * size;
        pen.disc(grip, radius, theme.panel);
        pen.ring(grip, radius, theme.here, 1.2 * theme.stroke());
        for side in [-1.0, 1.0] {
            let arrow = [(2.2, 0.0), (1.3, -0.55), (1.3, 0.55)]
                .map(|(x, y)| grip + (side * x * size, y * size));
            pen.polygon(&arrow, theme.here, 1.0);
        }
    }
}
