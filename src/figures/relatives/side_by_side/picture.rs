//! The panels of each encoding, side by side: the values that it adds, a map and a curve of logits.

use super::SideBySide;
use super::compute::Column;
use super::words::{KEY, LOGIT_AXIS, OFFSET, POSITION, QUERY, UNDEFINED};
use crate::draw::grid::{cell_rect, cells};
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Rect, TextStyle, Theme};
use crate::field::encoding_name;
use crate::math::Clamp;
use crate::text::Lang;
use crate::text::labels::LOGIT;
use crate::text::number::{fixed, short, whole};
use posenc_encoding::{Matrix, OffsetLogit};

/// The three panels of a column.
pub(super) struct Panels {
    /// The values that the encoding adds; `None` if there is no room for them.
    pub(super) done: Option<Rect>,
    pub(super) map: Rect,
    pub(super) curve: Rect,
    /// Whether it is the first of its line, which has the titles of the axes.
    pub(super) first: bool,
}

pub(super) const LEFT: f64 = 4.2;

pub(super) const GAP: f64 = 1.4;

/// The panels of each column, and the height of the picture.
pub(super) fn plan(columns: usize, width: f64, theme: &Theme) -> (Vec<Panels>, f64) {
    let size = theme.label_size();
    let most = if width > 42.0 * size { 4 } else { 2 };
    let across = columns.clamp(1, most);
    let room = width - (LEFT + GAP * (across - 1) as f64 + 0.6) * size;
    let side = (room / across as f64).min(20.0 * size);
    let low = if most == 4 { 0.38 } else { 0.66 };
    let usual = ([low * side, side, low * side], [3.8, 3.6, 4.2]);
    let height = |(heights, tops): ([f64; 3], [f64; 3])| {
        heights.iter().sum::<f64>() + (tops.iter().sum::<f64>() + 3.2) * size
    };
    let lines = columns.div_ceil(across) as f64;
    // The legend of the logits is below all panels.
    let bar = 1.6 * size;
    let whole = lines * height(usual) + bar;
    // If the height is limited, all panels shrink in proportion; if they become too low, the first one is left out.
    let fitted = theme.fitted(whole, 0.0);
    let shrunk = |parts: [f64; 3], tops: [f64; 3], foot: f64| {
        let room = (fitted - foot) / lines - height(([0.0; 3], tops));
        let share = room / parts.iter().sum::<f64>();
        (parts.map(|part| (share * part).min(side)), tops)
    };
    let least = 7.0 * size;
    let (heights, tops, foot) = match shrunk(usual.0, usual.1, bar) {
        _ if fitted >= whole - 1.0 || most < 4 => (usual.0, usual.1, bar),
        (heights, tops) if heights[2] >= least => (heights, tops, bar),
        _ => {
            let ([_, map, curve], tops) = shrunk([0.0, 1.0, 1.0], [0.0, 2.9, 3.1], 0.0);
            ([0.0, map.max(least), curve.max(least)], tops, 0.0)
        }
    };
    let tops = tops.map(|top| top * size);
    let line = height((heights, tops.map(|top| top / size)));
    let panels = (0..columns).map(|column| {
        let (row, place) = (column / across, column % across);
        let x = LEFT * size + place as f64 * (side + GAP * size);
        let mut y = row as f64 * line;
        let mut next = |panel: usize| {
            y += tops[panel];
            let rect = Rect::new(x, y, side, heights[panel]);
            y += heights[panel];
            rect
        };
        Panels {
            done: (heights[0] > 0.0).then_some(next(0)),
            map: next(1),
            curve: next(2),
            first: place == 0,
        }
    });
    (panels.collect(), lines * line + foot)
}

impl SideBySide {
    /// Draws cells, with those that have no value in grey.
    pub(super) fn draw_cells(
        &self,
        pen: &Pen,
        context: &DrawContext,
        rect: Rect,
        table: &Matrix<Option<f64>>,
        most: f64,
    ) {
        let theme = context.theme;
        let shape = (table.positions, table.dimensions);
        cells(pen, context, rect, shape, most, |row, column| {
            table.at(row, column).unwrap_or_default()
        });
        for row in 0..shape.0 {
            // Cells without a value are at the end of their row.
            let line = table.row(row);
            let Some(first) = line.iter().position(Option::is_none) else {
                continue;
            };
            let from = cell_rect(rect, shape, row, first);
            // Slightly higher than its row, so that no gap shows between two rows.
            let bottom = (from.bottom() + 0.5).min(rect.bottom());
            let grey = from.with_size(rect.right() - from.x, bottom - from.y);
            pen.fill(grey, theme.rule, 1.0);
        }
        pen.outline(rect, theme.muted, 0.6, theme.hairline());
    }

    /// Draws the values that the encoding adds.
    fn draw_done(&self, pen: &Pen, context: &DrawContext, column: &Column, rect: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let style = TextStyle::new(size, theme.muted);
        let edge = column.max_len as f64 / column.len.max(1) as f64;
        let line = 0.6 * theme.stroke();
        let (what, across) = column.titles();
        let what = what.get(self.lang);
        let done = column.done();
        if done.values.is_empty() {
            pen.outline(rect, theme.rule, 1.0, theme.hairline());
            let at = rect.centre();
            pen.text(at, what, style);
        } else {
            let values = done.values.iter().flatten();
            let most = values.fold(1e-9, |most: f64, value| most.max(value.abs()));
            let at = (rect.x, rect.y - 0.9 * size);
            let comma = match self.lang {
                Lang::En => ", ",
                Lang::Zh => "，",
            };
            let range = format!("{what}{comma}±{}", short(most, 2));
            let fits = text_width(&range, size) < rect.width;
            let range = if fits { &range } else { what };
            pen.text(at, range, style.align_left());
            self.draw_cells(pen, context, rect, &done, most);
            let at = (rect.centre_x(), rect.bottom() + 0.85 * size);
            pen.text(at, across.get(self.lang), style);
            if edge < 1.0 {
                let y = rect.y + edge * rect.height;
                pen.dashes((rect.x, y), (rect.right(), y), theme.accent, line);
            }
        }
    }

    pub(super) fn draw_column(
        &self,
        pen: &Pen,
        context: &DrawContext,
        column: &Column,
        panels: &Panels,
        (most, (low, high)): (f64, (f64, f64)),
    ) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let style = TextStyle::new(size, theme.muted);
        let len = column.len.max(1) as f64;
        let edge = column.max_len as f64 / len;
        let beyond = edge < 1.0;
        let line = 0.6 * theme.stroke();

        let title = encoding_name(column.encoding).get(self.lang);
        let bold = TextStyle::new(size, theme.ink).bold().align_left();
        let top = panels.done.unwrap_or(panels.map);
        pen.text((top.x, top.y - 2.3 * size), title, bold);
        if let Some(rect) = panels.done {
            self.draw_done(pen, context, column, rect);
        }

        let rect = panels.map;
        let value = match column.logit(self.pos, self.key()) {
            Some(logit) => fixed(logit, 2),
            None => UNDEFINED.get(self.lang).into(),
        };
        let at = (rect.x, rect.y - 0.9 * size);
        let picked = TextStyle::new(size, theme.there).align_left().bold();
        pen.text(at, &format!("{} {value}", LOGIT.get(self.lang)), picked);
        if column.map.positions > 0 {
            self.draw_cells(pen, context, rect, &column.map, most);
            if beyond {
                let (x, y) = (rect.x + edge * rect.width, rect.y + edge * rect.height);
                pen.dashes((rect.x, y), (rect.right(), y), theme.accent, line);
                pen.dashes((x, rect.y), (x, rect.bottom()), theme.accent, line);
            }
            let shape = (column.map.positions, column.map.positions);
            if self.pos.max(self.key()) < shape.0 {
                let cell = cell_rect(rect, shape, self.pos, self.key());
                let middle = cell.centre();
                pen.ring(
                    middle,
                    1.2 * cell.width.max(4.0),
                    theme.there,
                    theme.stroke(),
                );
            }
        }
        for position in [0, column.len.saturating_sub(1)] {
            let x = rect.x + (position as f64 + 0.5) / len * rect.width;
            pen.text(
                (x, rect.bottom() + 0.85 * size),
                &position.to_string(),
                style,
            );
        }
        let at = (rect.centre_x(), rect.bottom() + 0.85 * size);
        pen.text(at, KEY.get(self.lang), style);

        let rect = panels.curve;
        let spread = fixed(column.spread(), 2);
        let spread = match self.lang {
            Lang::En => format!("spread ≤ {spread}"),
            Lang::Zh => format!("离散程度 ≤ {spread}"),
        };
        pen.text((rect.x, rect.y - 0.9 * size), &spread, style.align_left());
        pen.outline(rect, theme.muted, 0.6, theme.hairline());
        // `offset` is query − key, and the axis has key − query.
        let at = |offset: i64, value: f64| {
            let x = rect.x + (0.5 - offset as f64 / (2.0 * len)) * rect.width;
            let share = (value - low) / (high - low);
            (x, rect.bottom() - share.clamped(0.0, 1.0) * rect.height)
        };
        let (from, to) = (at(column.len as i64, 0.0), at(-(column.len as i64), 0.0));
        pen.line(&[from, to], theme.rule, theme.hairline());
        let middle = at(0, 0.0).0;
        let ends = [(middle, rect.y), (middle, rect.bottom())];
        pen.line(&ends, theme.rule, theme.hairline());
        if beyond {
            for offset in [column.max_len as i64, -(column.max_len as i64)] {
                let (x, _) = at(offset, 0.0);
                pen.dashes((x, rect.y), (x, rect.bottom()), theme.accent, line);
            }
        }
        // The curve of a longer sequence may still be shown after the length has been reduced.
        let within = |it: &&OffsetLogit| it.offset.unsigned_abs() < column.len as u64;
        let curve: Vec<&OffsetLogit> = column.curve.iter().filter(within).collect();
        let ups = curve.iter().map(|it| at(it.offset, it.mean + it.spread));
        let downs = curve
            .iter()
            .rev()
            .map(|it| at(it.offset, it.mean - it.spread));
        let band: Vec<_> = ups.chain(downs).collect();
        if !band.is_empty() {
            pen.polygon(&band, theme.accent, 0.22);
        }
        let means: Vec<_> = curve.iter().map(|it| at(it.offset, it.mean)).collect();
        pen.line(&means, theme.accent, theme.stroke());
        if let Some(here) = curve.iter().find(|it| it.offset == -self.k) {
            pen.disc(
                at(here.offset, here.mean),
                1.8 * theme.stroke(),
                theme.there,
            );
        }
        let last = column.len as i64 - 1;
        let ends = [
            (-last, rect.x, style.align_left()),
            (last, rect.right(), style.align_right()),
        ];
        for (offset, x, style) in ends {
            pen.text((x, rect.bottom() + 0.85 * size), &whole(offset), style);
        }
        let middle = (rect.centre_x(), rect.bottom() + 2.1 * size);
        pen.text(middle, OFFSET.get(self.lang), style);

        if panels.first {
            let titles = [
                (panels.done, POSITION),
                (Some(panels.map), QUERY),
                (Some(panels.curve), LOGIT_AXIS),
            ];
            for (rect, title) in titles {
                let Some(rect) = rect else { continue };
                let at = (rect.x - 3.3 * size, rect.centre_y());
                pen.text(at, title.get(self.lang), style.rotated());
            }
            for (value, y) in [(high, rect.y), (low, rect.bottom())] {
                let y = y + if value == high {
                    0.5 * size
                } else {
                    -0.5 * size
                };
                pen.text(
                    (rect.x - 0.4 * size, y),
                    &fixed(value, 1),
                    style.align_right(),
                );
            }
            for rect in [panels.done, Some(panels.map)].into_iter().flatten() {
                for position in [0, column.len.saturating_sub(1)] {
                    let y = rect.y + (position as f64 + 0.5) / len * rect.height;
                    let at = (rect.x - 0.4 * size, y);
                    pen.text(at, &position.to_string(), style.align_right());
                }
            }
        }
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext) {
        let (most, range) = (self.largest_logit(), self.logit_range());
        let panels = self.panels(context);
        for (column, panels) in self.columns.iter().zip(&panels) {
            self.draw_column(pen, context, column, panels, (most, range));
        }
        // If the first panels are left out, there is no room for the legend either.
        if panels.iter().all(|panels| panels.done.is_none()) {
            return;
        }
        let (theme, size) = (context.theme, context.theme.label_size());
        let style = TextStyle::new(size, theme.muted);
        let bar = Rect::new(
            (LEFT + 6.2) * size,
            context.frame.height - 1.3 * size,
            7.0 * size,
            0.8 * size,
        );
        let y = bar.y + 0.4 * size;
        cells(pen, context, bar, (1, 64), 31.5, |_, step| {
            step as f64 - 31.5
        });
        let least = format!("{} {}", LOGIT.get(self.lang), fixed(-most, 1));
        pen.text((bar.x - 0.4 * size, y), &least, style.align_right());
        pen.text(
            (bar.right() + 0.4 * size, y),
            &fixed(most, 1),
            style.align_left(),
        );
    }
}
