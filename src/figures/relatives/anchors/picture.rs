//! The graph with its anchors, and the vector of each node as cells.

use super::{Anchors, NODES, SET};
use crate::draw::colour_map::readable_on;
use crate::draw::grid::{cell_rect, cells};
use crate::draw::{DrawContext, Pen, Point, Rect, TextStyle, Theme};
use crate::figure::Picture;
use crate::text::{Lang, Text};
use plotters::style::RGBColor;

/// Positions of the nodes, as shares of the graph's rectangle.
pub(super) const PLACES: [(f64, f64); NODES] = [
    (0.06, 0.5),
    (0.3, 0.14),
    (0.3, 0.86),
    (0.55, 0.5),
    (0.77, 0.14),
    (0.77, 0.86),
    (0.97, 0.24),
    (0.97, 0.76),
];

const ANCHOR: Text = Text::new("anchor", "锚点");

impl Anchors {
    /// The rectangle of the graph, and below it that of the vectors' cells, with a row for each anchor and a column for each
    /// node.
    pub(super) fn plan(&self, context: &DrawContext) -> (Rect, Rect) {
        let (frame, size) = (context.frame, context.theme.label_size());
        let rows = self.sets.len().max(1) as f64;
        let high = (1.8 * rows).min(1.8 + 1.2 * rows) * size;
        let high = high.min(0.35 * frame.height);
        let top = frame.height - high - 1.7 * size;
        let table = Rect::new(6.0 * size, top, frame.width - 6.4 * size, high);
        let margin = 1.9 * size;
        let graph = Rect::new(
            margin,
            2.2 * size,
            frame.width - 2.0 * margin,
            top - 5.0 * size - margin,
        );
        (graph, table)
    }

    pub(super) fn place(room: Rect, node: usize) -> Point {
        let (x, y) = PLACES[node];
        Point::new(room.x + x * room.width, room.y + y * room.height)
    }

    pub(super) fn radius(theme: &Theme) -> f64 {
        1.05 * theme.label_size()
    }

    pub(super) fn node_at(picture: &Picture<(Rect, Rect)>, at: Point) -> Option<usize> {
        let (room, radius) = (picture.layout.0, Anchors::radius(picture.context.theme));
        (0..NODES).find(|&node| Anchors::place(room, node).distance(at) < 1.5 * radius)
    }

    pub(super) fn draw_graph(&self, pen: &Pen, context: &DrawContext, room: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let paths = self.paths();
        for (a, b) in self.graph.edges() {
            let ends = [a, b].map(|node| Anchors::place(room, node));
            let (colour, width) = if paths.contains(&(a, b)) {
                (theme.accent, 2.0)
            } else {
                (theme.muted, 0.6)
            };
            pen.line(&ends, colour, width * theme.stroke());
        }
        // The edges of a path are counted from the selected node.
        let steps = self.graph.distances(&[self.node]);
        for (a, b) in paths {
            let [from, to] = [a, b].map(|node| Anchors::place(room, node));
            let count = steps[a].max(steps[b]).unwrap_or_default().to_string();
            let small = theme.reduced(0.9);
            pen.tag(from.midpoint(to), &count, small, theme.accent, theme.panel);
        }
        if let Some(from) = self.from.filter(|&from| from != self.node) {
            let [from, to] = [from, self.node].map(|node| Anchors::place(room, node));
            pen.dashes(from, to, theme.accent, theme.stroke());
        }
        let radius = Anchors::radius(theme);
        for node in 0..NODES {
            let at = Anchors::place(room, node);
            let (fill, ink) = self.colours(context, node);
            pen.disc(at, radius, fill);
            pen.ring(at, radius, theme.ink, theme.hairline());
            if self.is_anchor(node) {
                pen.ring(at, radius, theme.series[0], 1.5 * theme.stroke());
                // Above the highest nodes, below all others.
                let high = at.y < room.y + 0.2 * room.height;
                let down = if high { -2.15 } else { 2.15 };
                let style = TextStyle::new(size, theme.series[0]).bold();
                pen.text(at + (0.0, down * size), ANCHOR.get(self.lang), style);
            }
            if self.group(node).is_some() {
                pen.ring(at, 1.25 * radius, theme.series[1], 1.2 * theme.stroke());
            }
            if node == self.node {
                let around = Rect::around(at, 1.6 * radius);
                pen.outline(around, theme.accent, 1.0, theme.stroke());
            }
            pen.text(at, &node.to_string(), TextStyle::new(size, ink).bold());
        }
    }

    /// The colours of a node and of its number: those of its only cell, if there is one that is shown.
    fn colours(&self, context: &DrawContext, node: usize) -> (RGBColor, RGBColor) {
        if self.sets.len() != 1 || !self.shows(node) {
            return (context.theme.panel, context.theme.ink);
        }
        let [r, g, b] = context.colours.colour(self.vectors.at(node, 0) as f32);
        (RGBColor(r, g, b), readable_on([r, g, b]))
    }

    pub(super) fn draw_vectors(&self, pen: &Pen, context: &DrawContext, table: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let grid = (self.sets.len(), NODES);
        let style = TextStyle::new(size, theme.muted);
        let title = match self.lang {
            Lang::En => "1 / (steps to the anchor + 1)",
            Lang::Zh => "1 /（到锚点的步数 + 1）",
        };
        pen.text((table.x, table.y - 2.0 * size), title, style.align_left());
        if self.sets.is_empty() {
            let style = TextStyle::new(size, theme.series[1]).bold().align_left();
            let none = match self.lang {
                Lang::En => "no anchor, no numbers",
                Lang::Zh => "没有锚点，就没有数",
            };
            pen.text((table.x, table.y + size), none, style);
            return;
        }
        cells(pen, context, table, grid, 1.0, |row, column| {
            self.vectors.at(column, row)
        });
        for node in (0..NODES).filter(|&node| !self.shows(node)) {
            pen.fill(cell_rect(table, (1, NODES), 0, node), theme.panel, 1.0);
        }
        // Many rows are low.
        let fitted = size * (table.height / grid.0 as f64 / (1.2 * size)).min(1.0);
        for (row, set) in self.sets.iter().enumerate() {
            let cell = cell_rect(table, grid, row, 0);
            let at = (table.x - 0.6 * size, cell.centre_y());
            let name = match &set[..] {
                [anchor] => format!("{} {anchor}", ANCHOR.get(self.lang)),
                _ => SET.get(self.lang).into(),
            };
            let style = TextStyle::new(fitted, theme.series[0]).bold().align_right();
            pen.text(at, &name, style.fitting(&name, 5.2 * size));
        }
        let nodes = Text::new("node", "节点").get(self.lang);
        let at = (table.x - 0.6 * size, table.y - 0.8 * size);
        pen.text(at, nodes, style.align_right());
        for node in 0..NODES {
            for row in 0..self.sets.len() {
                let cell = cell_rect(table, grid, row, node);
                let value = self.vectors.at(node, row);
                if !self.shows(node) {
                    pen.text(cell.centre(), "?", style);
                    continue;
                }
                let name = if value > 0.0 && value < 1.0 {
                    format!("1/{:.0}", 1.0 / value)
                } else {
                    format!("{value:.0}")
                };
                let ink = readable_on(context.colours.colour(value as f32));
                let at = cell.centre();
                pen.text(at, &name, TextStyle::new(fitted, ink));
            }
            let line = cell_rect(table, (1, NODES), 0, node);
            let x = line.centre_x();
            pen.text((x, table.y - 0.8 * size), &node.to_string(), style);
            if let Some(group) = self.group(node) {
                let others = self.collisions[group]
                    .iter()
                    .filter(|&&other| other != node);
                let others: Vec<String> = others.map(|other| other.to_string()).collect();
                let others = format!("= {}", others.join(", "));
                let style = TextStyle::new(size, theme.series[1]).bold();
                let style = style.fitting(&others, 0.96 * line.width);
                pen.text((x, table.bottom() + 0.9 * size), &others, style);
            }
            if node == self.node {
                pen.outline(line, theme.accent, 1.0, theme.stroke());
            }
        }
        pen.outline(table, theme.muted, 0.6, theme.hairline());
    }
}
