//! A map for each term and their sum, and the selected entry as bars.

use super::words::{AHEAD, KEY, NAMES, QUERY};
use super::{FourTerms, QUERIES};
use crate::draw::colour_map::readable_on;
use crate::draw::grid::{cell_rect, cells, horizontal_bar};
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::text::Lang;
use crate::text::number::{fixed, whole};
use plotters::style::RGBColor;

/// The layout of the picture: the maps in the order of [`NAMES`], and the bars.
pub struct Plan {
    pub(super) maps: [Rect; 4],
    pub(super) bars: Rect,
    pub(super) legend: f64,
}

const LEFT: f64 = 3.4;

const GAP: f64 = 1.5;

const TITLE: f64 = 2.0;

/// Least height of the bars.
const BARS: f64 = 7.5;

impl Plan {
    /// The bars are beside the maps of a wide picture, and below those of a narrow one.
    pub(super) fn new(width: f64, theme: &Theme) -> Plan {
        let size = theme.label_size();
        let wide = width > 42.0 * size;
        let columns = if wide { 3.3 } else { 2.0 };
        let gaps = if wide { 3.0 } else { 1.0 };
        let side = (width - (LEFT + GAP * gaps + 0.4) * size) / columns;
        let around = (2.0 * TITLE + 1.3 + 4.5) * size;
        let high = match wide {
            true => {
                let fitted = theme.fitted(2.0 * 0.95 * side + around, 0.0);
                (0.5 * (fitted - around)).max(6.7 * size)
            }
            false => (0.7 * side).max(7.0 * size),
        };
        let place = |column: usize, row: usize| {
            Rect::new(
                LEFT * size + column as f64 * (side + GAP * size),
                TITLE * size + row as f64 * (high + (TITLE + 1.3) * size),
                side,
                high,
            )
        };
        let (left, right) = (place(0, 1), place(1, 1));
        let bars = match wide {
            true => {
                let x = right.right() + 2.0 * GAP * size;
                let top = place(0, 0).y;
                Rect::new(x, top, width - x - 0.4 * size, right.bottom() - top)
            }
            false => Rect::new(
                left.x,
                left.bottom() + (TITLE + 2.6) * size,
                right.right() - left.x,
                BARS * size,
            ),
        };
        Plan {
            maps: [place(0, 0), place(1, 0), left, right],
            bars,
            legend: match wide {
                true => left.bottom() + 3.6 * size,
                false => bars.bottom() + 1.3 * size,
            },
        }
    }
}

impl FourTerms {
    pub(super) fn draw_map(&self, pen: &Pen, context: &DrawContext, map: usize, rect: Rect) {
        let (theme, size, shape) = (context.theme, context.theme.label_size(), self.shape());
        cells(pen, context, rect, shape, self.most, |row, column| {
            self.terms.at(row, column).all()[map]
        });
        for row in 0..QUERIES {
            let first = self.memory + row + 1;
            if first < shape.1 {
                let from = cell_rect(rect, shape, row, first);
                // Slightly higher than its row, so that no gap shows between two rows.
                let ahead = from.with_size(
                    rect.right() - from.x,
                    (from.bottom() + 0.5).min(rect.bottom()) - from.y,
                );
                pen.fill(ahead, theme.rule, 1.0);
            }
        }
        if self.memory > 0 {
            let x = cell_rect(rect, shape, 0, self.memory).x;
            pen.line(&rect.vertical(x), theme.ink, theme.hairline());
        }
        pen.outline(rect, theme.muted, 0.6, theme.hairline());

        let cell = |row: usize, column: usize| {
            let cell = cell_rect(rect, shape, row, column);
            cell.centre()
        };
        let (row, column) = (self.query, self.column(self.key));
        // The line along which the term is constant: a column for (c), a diagonal for (d).
        let along = match map {
            2 => Some((
                cell(column.saturating_sub(self.memory), column),
                cell(QUERIES - 1, column),
            )),
            3 => {
                let back = row.min(column);
                let on = (QUERIES - 1 - row).min(shape.1 - 1 - column);
                Some((cell(row - back, column - back), cell(row + on, column + on)))
            }
            _ => None,
        };
        // Which terms depend on what is a prediction until the keys have moved.
        if let Some((from, to)) = along.filter(|_| self.far > 0) {
            pen.dashes(from, to, theme.there, 0.6 * theme.stroke());
        }
        let here = cell_rect(rect, shape, row, column);
        pen.outline(here, theme.accent, 1.0, theme.stroke());

        let (sees, level) = (self.sees(map), rect.y - 0.85 * size);
        let colour = if sees { theme.accent } else { theme.ink };
        let (name, style) = (
            NAMES[map].get(self.lang),
            TextStyle::new(1.1 * size, colour),
        );
        // All four names have one size.
        let style = style.align_left().bold();
        let names = NAMES.map(|name| name.get(self.lang)).into_iter();
        let style = names.fold(style, |style, name| style.fitting(name, rect.width));
        pen.text((rect.x, level), name, style);
        // The same cell enlarged, in the corner that is masked.
        let large = rect.across(rect.right() - 3.6 * size, 3.2 * size);
        let large = large.down(rect.y + 0.4 * size, 1.5 * size);
        let term = self.printed()[map];
        cells(pen, context, large, (1, 1), self.most, |_, _| term);
        pen.outline(large, theme.accent, 1.0, theme.stroke());
        let ink = readable_on(context.colours.colour((term / self.most) as f32));
        pen.text(large.centre(), &fixed(term, 2), TextStyle::new(size, ink));
        if map == 3 && sees {
            pen.outline(rect, theme.there, 1.0, 1.5 * theme.stroke());
        }
        let style = TextStyle::new(size, theme.muted);
        // Without a memory the first two keys are the same.
        let first = usize::from(self.memory == 0);
        for &key in &[-(self.memory as i64), 0, QUERIES as i64 - 1][first..] {
            let at = (cell(0, self.column(key)).x, rect.bottom() + 0.85 * size);
            pen.text(at, &whole(key), style);
        }
    }

    /// Whether a map is marked as one of the terms that change with the offset.
    fn sees(&self, map: usize) -> bool {
        self.far > 0 && matches!(map, 1 | 3)
    }

    /// Draws the terms as bars end to end, and their sum, the logit.
    pub(super) fn draw_bars(&self, pen: &Pen, context: &DrawContext, rect: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let (terms, printed) = (self.selected(), self.printed());
        let mut ends = [0.0; 5];
        for (i, term) in terms.all().iter().enumerate() {
            ends[i + 1] = ends[i] + term;
        }
        let low = ends.iter().copied().fold(0.0, f64::min);
        let high = ends.iter().copied().fold(0.0, f64::max);
        let line = (rect.height / 5.0).min(4.4 * size);
        // The sum is what the terms are for.
        let large = TextStyle::new((1.9 * size).min(1.2 * line), theme.accent).bold();
        let sum: f64 = printed.iter().sum();
        let numbers = (3.6 * size).max(large.width(&fixed(sum, 2)));
        let plot = rect.across(
            rect.x + 2.4 * size,
            (rect.width - 3.2 * size - numbers).max(1.0),
        );
        let x = |value: f64| plot.x + (value - low) / (high - low).max(1e-9) * plot.width;
        let zero = x(0.0);
        pen.line(
            &[(zero, rect.y), (zero, rect.y + 5.0 * line)],
            theme.muted,
            theme.hairline(),
        );
        let mark = Rect::centred((rect.x + 0.5 * size, rect.y - 0.85 * size), size, size);
        pen.outline(mark, theme.accent, 1.0, theme.stroke());
        let title = match self.lang {
            Lang::En => format!("offset {}", whole(self.offset())),
            Lang::Zh => format!("偏移量 {}", whole(self.offset())),
        };
        let at = (mark.right() + 0.5 * size, mark.centre_y());
        let style = TextStyle::new(size, theme.there).align_left().bold();
        pen.text(at, &title, style);
        for row in 0..5 {
            let (from, to, value) = match printed.get(row) {
                Some(&term) => (ends[row], ends[row + 1], term),
                None => (0.0, ends[4], sum),
            };
            let colour = match row {
                4 => theme.accent,
                _ if self.sees(row) => theme.accent,
                // The colour of its sign in the maps.
                _ => {
                    let [r, g, b] = context.colours.colour(value.signum() as f32);
                    RGBColor(r, g, b)
                }
            };
            let middle = rect.y + (row as f64 + 0.5) * line;
            let (left, right) = (x(from.min(to)), x(from.max(to)));
            let bar = Rect::new(
                left,
                middle - 0.25 * line,
                (right - left).max(1.0),
                0.5 * line,
            );
            pen.fill(bar, colour, 0.85);
            // The next bar starts where this one ends.
            if row < 4 {
                let end = x(ends[row + 1]);
                let ends = [(end, middle), (end, middle + line)];
                pen.line(&ends, theme.muted, theme.hairline());
            }
            if (1..4).contains(&row) {
                let at = (rect.x - 0.3 * size, middle);
                pen.text(at, "+", TextStyle::new(size, theme.muted).align_right());
            }
            let name = ["(a)", "(b)", "(c)", "(d)", "="][row];
            let style = TextStyle::new(size, colour);
            pen.text((rect.x, middle), name, style.align_left());
            let number = (rect.right(), middle);
            let style = if row == 4 { large } else { style };
            pen.text(number, &fixed(value, 2), style.align_right());
        }
    }

    pub(super) fn draw_legend(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size, y) = (context.theme, context.theme.label_size(), plan.legend);
        let style = TextStyle::new(size, theme.muted);
        let left = plan.maps[0].x;
        let bar = Rect::new(left + 2.4 * size, y - 0.4 * size, 5.0 * size, 0.8 * size);
        let most = fixed(self.most, 1);
        let colours = context.colours.steps().concat();
        horizontal_bar(pen, theme, bar, &colours, [&format!("−{most}"), &most]);
        let grey = bar.across(bar.right() + 3.2 * size, 1.2 * size);
        pen.fill(grey, theme.rule, 1.0);
        let at = (grey.right() + 0.4 * size, y);
        pen.text(at, AHEAD.get(self.lang), style.align_left());
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        let (theme, size) = (context.theme, context.theme.label_size());
        for (map, rect) in plan.maps.into_iter().enumerate() {
            self.draw_map(pen, context, map, rect);
        }
        let style = TextStyle::new(size, theme.muted);
        for rect in [plan.maps[0], plan.maps[2]] {
            for row in [0, QUERIES - 1] {
                let cell = cell_rect(rect, self.shape(), row, 0);
                let at = (rect.x - 0.4 * size, cell.centre_y());
                pen.text(at, &row.to_string(), style.align_right());
            }
            let at = (rect.x - 2.0 * size, rect.centre_y());
            pen.text(at, QUERY.get(self.lang), style.rotated());
        }
        let at = (plan.maps[2].x, plan.maps[2].bottom() + 2.1 * size);
        pen.text(at, KEY.get(self.lang), style.align_left());
        self.draw_bars(pen, context, plan.bars);
        self.draw_legend(pen, context, plan);
    }
}
