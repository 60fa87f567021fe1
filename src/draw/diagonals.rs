//! Square tables of position by position, summarised along their diagonals, on which the offset is constant.

use crate::draw::chart::Chart;
use crate::draw::grid::{cells, colour_bar, grid_axes, grid_in};
use crate::draw::{DrawContext, Pen, Rect, Scale, Theme};
use posenc_encoding::Matrix;

/// The range and the mean of the cells of one diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diagonal {
    /// Column minus row.
    pub offset: i64,
    pub low: f64,
    pub mean: f64,
    pub high: f64,
}

/// The diagonals of a square table, in ascending order of offset.
pub fn diagonals(table: &Matrix<f64>) -> Vec<Diagonal> {
    let n = table.positions as i64;
    let diagonal = |offset: i64| {
        let rows = (-offset).max(0)..n - offset.max(0);
        let (mut low, mut high, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for row in rows.clone() {
            let value = table.at(row as usize, (row + offset) as usize);
            low = value.min(low);
            high = value.max(high);
            sum += value;
        }
        Diagonal {
            offset,
            low,
            mean: sum / rows.count() as f64,
            high,
        }
    };
    (1 - n..n).map(diagonal).collect()
}

/// The layout of a table's map and the chart of its diagonals.
pub struct Panels {
    pub map: Rect,
    bar: Rect,
    pub chart: Chart,
}

impl Panels {
    /// The width, in label sizes, below which the chart is placed under the map.
    const NARROW: f64 = 42.0;
    /// The map's fraction of the width if the chart is beside it.
    const MAP: f64 = 0.62;
    /// The excess of the width of a square map with its axes and colour bar over its height, in label sizes.
    const AROUND: f64 = 4.6;

    pub fn height(width: f64, theme: &Theme) -> f64 {
        let size = theme.label_size();
        if width < Panels::NARROW * size {
            Panels::map_height(width, size) + 17.5 * size
        } else {
            Panels::map_height(Panels::map_width(width, theme), size)
        }
    }

    /// The map's part of this width, with its colour bar; limited by the maximum height of a picture.
    fn map_width(width: f64, theme: &Theme) -> f64 {
        let size = theme.label_size();
        let max_width = theme.fitted(width, 16.0) + Panels::AROUND * size;
        (Panels::MAP * width).min(max_width)
    }

    /// The height of a square map with axes and colour bar at this width.
    fn map_height(width: f64, size: f64) -> f64 {
        width - Panels::AROUND * size
    }

    pub fn new(context: &DrawContext, offsets: Scale, values: Scale) -> Panels {
        let size = context.theme.label_size();
        let all = Rect::all(context.frame);
        let narrow = all.width < Panels::NARROW * size;
        let width = if narrow {
            all.width
        } else {
            Panels::map_width(all.width, context.theme)
        };
        let left = all.with_size(width, Panels::map_height(width, size));
        let area = grid_in(context, left.with_width(left.width - 3.8 * size));
        let side = area.width.min(area.height);
        let map = area.with_size(side, side);
        let bar = map.across(map.right() + 0.8 * size, 0.8 * size);
        let right = if narrow {
            all.split_top(left.height).1
        } else {
            all.split_left(left.right()).1
        };
        Panels {
            map,
            bar,
            chart: Chart::new(context, right, offsets, values),
        }
    }

    /// Draws the table in the colours of −limit … limit, its axes, its colour bar with the name of what is measured, and a
    /// dashed line along the diagonal of `offset`.
    pub fn draw_map(
        &self,
        pen: &Pen,
        context: &DrawContext,
        table: &Matrix<f64>,
        (limit, offset): (f64, i64),
        titles: [&str; 2],
        measured: &str,
    ) {
        let (n, map, theme) = (table.positions, self.map, context.theme);
        cells(pen, context, map, (n, n), limit, |row, column| {
            table.at(row, column)
        });
        grid_axes(pen, context, map, (n, n), titles);
        colour_bar(pen, context, self.bar, limit, measured);
        let cell = map.width / n as f64;
        let ahead = offset as f64 * cell;
        let from = (map.x + ahead.max(0.0), map.y + (-ahead).max(0.0));
        let to = (map.right() + ahead.min(0.0), map.bottom() - ahead.max(0.0));
        pen.dashes(from, to, theme.there, 0.75 * theme.stroke());
    }

    /// Draws the mean of each diagonal against its offset, with the range of its cells as a band.
    pub fn draw_curve(&self, pen: &Pen, context: &DrawContext, diagonals: &[Diagonal]) {
        let theme = context.theme;
        let edge = |diagonal: &Diagonal, value: f64| self.chart.at((diagonal.offset as f64, value));
        let mut band: Vec<_> = diagonals.iter().map(|d| edge(d, d.high)).collect();
        band.extend(diagonals.iter().rev().map(|d| edge(d, d.low)));
        pen.polygon(&band, theme.accent, 0.22);
        let means = diagonals.iter().map(|d| (d.offset as f64, d.mean));
        self.chart.curve(pen, means, theme.accent, theme.stroke());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(value: impl Fn(i64, i64) -> f64) -> Matrix<f64> {
        let cells = (0..4).flat_map(|p| (0..4).map(move |q| (p, q)));
        Matrix {
            positions: 4,
            dimensions: 4,
            values: cells.map(|(p, q)| value(p, q)).collect(),
        }
    }

    #[test]
    fn diagonals_are_those_of_column_minus_row() {
        let all = diagonals(&table(|p, q| (10 * p + q) as f64));
        assert_eq!(all.len(), 7);
        let above = all[4];
        assert_eq!(
            (above.offset, above.low, above.mean, above.high),
            (1, 1.0, 12.0, 23.0)
        );
    }
}
