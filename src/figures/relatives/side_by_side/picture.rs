//! The panels of each encoding, side by side: the logit by offset, the values that it adds, and a map of logits.

use super::SideBySide;
use super::compute::Column;
use super::words::{
    KEY, LOGIT_AXIS, MEAN, NO_KEYS_AHEAD, NOTHING, OFFSET, OFFSET_ONLY, POSITION, POSITION_TOO,
    QUERY, UNDEFINED,
};
use crate::draw::grid::{cell_rect, cells};
use crate::draw::text_style::text_width;
use crate::draw::{DrawContext, Pen, Point, Rect, TextStyle, Theme};
use crate::field::encoding_name;
use crate::math::Clamp;
use crate::text::Lang;
use crate::text::labels::LOGIT;
use crate::text::number::{fixed, short, whole};
use posenc_encoding::{Matrix, OffsetLogit, Target};

/// The panels of a column.
pub struct Panels {
    pub(super) curve: Rect,
    /// The values that the encoding adds; `None` without maps, or if there is no room for them.
    pub(super) done: Option<Rect>,
    pub(super) map: Option<Rect>,
    /// Whether it is the first of its line, which has the titles of the axes.
    pub(super) first: bool,
}

/// Everything in units of the type size.
pub(super) const LEFT: f64 = 4.2;
pub(super) const GAP: f64 = 1.4;
const LEGEND: f64 = 2.0;
/// Opacity of the band.
const BAND: f64 = 0.4;
/// Above the curve, the values and the map, and above and below each together.
const ABOVE: [f64; 3] = [3.2, 1.7, 1.8];
const AROUND: [f64; 3] = [6.1, 3.5, 3.5];

/// The panels of each column, and the height of the picture.
pub(super) fn plan(columns: usize, maps: bool, width: f64, theme: &Theme) -> (Vec<Panels>, f64) {
    let size = theme.label_size();
    let most = if width > 42.0 * size { 4 } else { 2 };
    let across = columns.clamp(1, most);
    let room = width / size - LEFT - GAP * (across - 1) as f64 - 0.6;
    let side = (room / across as f64).min(20.0);
    let lines = columns.div_ceil(across) as f64;
    let mut heights = match maps {
        true => [(0.75 * side).max(11.0), 2.6, side],
        false => [(0.75 * side).max(12.0), 0.0, 0.0],
    };
    let line = |heights: [f64; 3]| -> f64 {
        let parts = heights.iter().zip(AROUND);
        let shown = parts.filter(|(height, _)| **height > 0.0);
        shown.map(|(height, around)| height + around).sum()
    };
    let all = |heights| (lines * line(heights) + LEGEND) * size;
    let fitted = theme.fitted(all(heights), 0.0);
    if most == 4 && fitted < all(heights) - 1.0 {
        // If the height is limited, the values are left out, and curve and map share the room.
        heights[1] = 0.0;
        let left = (fitted - all(heights)) / (lines * size);
        let parts = if maps { 2.0 } else { 1.0 };
        for height in heights.iter_mut().filter(|height| **height > 0.0) {
            *height = (*height + left / parts).max(6.0);
        }
    }
    let panels = (0..columns).map(|column| {
        let (row, place) = (column / across, column % across);
        let x = LEFT + place as f64 * (side + GAP);
        let mut y = row as f64 * line(heights);
        let mut next = |panel: usize| {
            let at = Rect::new(x, y + ABOVE[panel], side, heights[panel]);
            y += heights[panel] + AROUND[panel];
            Rect::new(at.x * size, at.y * size, at.width * size, at.height * size)
        };
        Panels {
            curve: next(0),
            done: (heights[1] > 0.0).then(|| next(1)),
            map: (heights[2] > 0.0).then(|| next(2)),
            first: place == 0,
        }
    });
    (panels.collect(), all(heights))
}

impl SideBySide {
    /// Draws cells, with those that have no value in grey.
    fn draw_cells(
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

    /// Draws the logit by offset: the mean over all positions, and a band as wide as its spread.
    fn draw_curve(
        &self,
        pen: &Pen,
        context: &DrawContext,
        column: &Column,
        rect: Rect,
        (low, high): (f64, f64),
    ) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let style = TextStyle::new(size, theme.muted);
        let len = column.len.max(1) as f64;
        let line = 0.6 * theme.stroke();
        let beyond = column.ends && column.max_len < column.len;
        let title = encoding_name(column.encoding).get(self.lang);
        let plain = TextStyle::new(size, theme.ink).align_left();
        pen.text((rect.x, rect.y - 2.2 * size), title, plain);
        let info = column.encoding.info();
        let (depends, colour) = match (info.target, info.relative) {
            (Target::None, _) => (NOTHING, theme.accent),
            (_, true) => (OFFSET_ONLY, theme.accent),
            (_, false) => (POSITION_TOO, theme.ink),
        };
        let depends = depends.get(self.lang);
        let bold = TextStyle::new(1.1 * size, colour).bold().align_left();
        let level = (rect.x, rect.y - 0.9 * size);
        pen.text(level, depends, bold.fitting(depends, rect.width));
        pen.outline(rect, theme.muted, 0.6, theme.hairline());
        // `offset` is query − key, and the axis has key − query.
        let at = |offset: i64, value: f64| {
            let x = rect.x + (0.5 - offset as f64 / (2.0 * len)) * rect.width;
            let share = (value - low) / (high - low);
            Point::new(x, rect.bottom() - share.clamped(0.0, 1.0) * rect.height)
        };
        let (from, to) = (at(column.len as i64, 0.0), at(-(column.len as i64), 0.0));
        pen.line(&[from, to], theme.rule, theme.hairline());
        let tick = column.len as i64 / 2;
        for offset in [-tick, 0, tick] {
            let x = at(-offset, 0.0).x;
            pen.line(&rect.vertical(x), theme.rule, theme.hairline());
            pen.text((x, rect.bottom() + 0.95 * size), &whole(offset), style);
        }
        if beyond {
            for offset in [column.max_len as i64, -(column.max_len as i64)] {
                let x = at(offset, 0.0).x;
                pen.dashes((x, rect.y), (x, rect.bottom()), theme.accent, line);
            }
        }
        let here = at(-self.k, 0.0).x;
        let ends = rect.vertical(here);
        pen.line(&ends, theme.there, theme.hairline());
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
            pen.polygon(&band, theme.accent, BAND);
        }
        if !curve.is_empty() && curve.iter().all(|it| it.offset >= 0) {
            let words = NO_KEYS_AHEAD.get(self.lang);
            let at = (rect.x + 0.75 * rect.width, rect.centre_y());
            pen.text(at, words, style.fitting(words, rect.height).rotated());
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
        let middle = (rect.centre_x(), rect.bottom() + 2.1 * size);
        pen.text(middle, OFFSET.get(self.lang), style);
    }

    /// Draws the logits of every query and key.
    fn draw_map(&self, pen: &Pen, context: &DrawContext, column: &Column, rect: Rect, most: f64) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let style = TextStyle::new(size, theme.muted);
        let len = column.len.max(1) as f64;
        let edge = column.max_len as f64 / len;
        let line = 0.6 * theme.stroke();
        let value = match column.logit(self.pos, self.key()) {
            Some(logit) => fixed(logit, 2),
            None => UNDEFINED.get(self.lang).into(),
        };
        let at = (rect.x, rect.y - 0.9 * size);
        let picked = TextStyle::new(size, theme.there).align_left().bold();
        pen.text(at, &format!("{} {value}", LOGIT.get(self.lang)), picked);
        if column.map.positions > 0 {
            self.draw_cells(pen, context, rect, &column.map, most);
            if edge < 1.0 {
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
                    1.2 * cell.width.clamp(4.0, 1.2 * theme.label_size()),
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
    }

    /// Draws the titles of the vertical axes.
    fn draw_titles(
        &self,
        pen: &Pen,
        context: &DrawContext,
        panels: &Panels,
        (low, high): (f64, f64),
    ) {
        let size = context.theme.label_size();
        let style = TextStyle::new(size, context.theme.muted);
        let titles = [
            (Some(panels.curve), LOGIT_AXIS),
            (panels.done, POSITION),
            (panels.map, QUERY),
        ];
        for (rect, title) in titles {
            let Some(rect) = rect else { continue };
            let at = (rect.x - 3.3 * size, rect.centre_y());
            pen.text(at, title.get(self.lang), style.rotated());
        }
        let curve = panels.curve;
        let ends = [
            (high, curve.y + 0.5 * size),
            (low, curve.bottom() - 0.5 * size),
        ];
        for (value, y) in ends {
            let at = (curve.x - 0.4 * size, y);
            pen.text(at, &fixed(value, 0), style.align_right());
        }
        let zero = curve.bottom() + low / (high - low) * curve.height;
        if curve.inset(1.5 * size).contains((curve.centre_x(), zero)) {
            pen.text((curve.x - 0.4 * size, zero), "0", style.align_right());
        }
        for rect in [panels.done, panels.map].into_iter().flatten() {
            for (position, y) in [
                (0, rect.y + 0.4 * size),
                (self.len.saturating_sub(1), rect.bottom() - 0.4 * size),
            ] {
                let at = (rect.x - 0.4 * size, y);
                pen.text(at, &position.to_string(), style.align_right());
            }
        }
    }

    /// Draws the one legend: the curve with its band, and the colours of the maps.
    fn draw_legend(&self, pen: &Pen, context: &DrawContext, most: f64) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let style = TextStyle::new(theme.reduced(0.92), theme.muted).align_left();
        let y = context.frame.height - 0.8 * size;
        let mut x = LEFT * size;
        let mut sample = |width: f64, text: &str| {
            let bar = Rect::new(x, y - 0.4 * size, width * size, 0.8 * size);
            let at = bar.right() + 0.4 * size;
            pen.text((at, y), text, style);
            x = at + style.width(text) + 1.2 * size;
            bar
        };
        let bar = sample(1.8, MEAN.get(self.lang));
        pen.fill(bar, theme.accent, BAND);
        let ends = bar.horizontal(y);
        pen.line(&ends, theme.accent, theme.stroke());
        let is_marked = self.maps || self.columns.iter().any(|column| column.ends);
        if is_marked && self.max_len < self.len {
            let bar = sample(0.6, "max_len");
            let (from, to) = ((bar.x, bar.y), (bar.x, bar.bottom()));
            pen.dashes(from, to, theme.accent, 0.6 * theme.stroke());
        }
        if self.maps {
            let bar = sample(3.0, &format!("±{}", fixed(most, 1)));
            cells(pen, context, bar, (1, 64), 31.5, |_, step| {
                step as f64 - 31.5
            });
        }
    }

    pub(super) fn draw_all(&self, pen: &Pen, context: &DrawContext, panels: &[Panels]) {
        let (most, range) = (self.largest_logit(), self.logit_range());
        for (column, panels) in self.columns.iter().zip(panels) {
            self.draw_curve(pen, context, column, panels.curve, range);
            if let Some(rect) = panels.done {
                self.draw_done(pen, context, column, rect);
            }
            if let Some(rect) = panels.map {
                self.draw_map(pen, context, column, rect, most);
            }
            if panels.first {
                self.draw_titles(pen, context, panels, range);
            }
        }
        self.draw_legend(pen, context, most);
    }
}
