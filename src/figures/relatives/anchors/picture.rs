//! The graph with its anchors, and the vector of each node as cells.

use super::{Anchors, NODES, SET};
use crate::draw::colour_map::readable_on;
use crate::draw::grid::{cell_rect, cells};
use crate::draw::{DrawContext, Pen, Point, Rect, TextStyle, Theme};
use crate::figure::Picture;
use crate::text::Lang;

/// Positions of the nodes, as shares of the graph's rectangle.
pub(super) const PLACES: [(f64, f64); NODES] = [
    (0.06, 0.5),
    (0.3, 0.14),
    (0.3, 0.86),
    (0.55, 0.5),
    (0.77, 0.14),
    (0.77, 0.86),
    (0.97, 0.32),
    (0.97, 0.68),
];

/// Whether the vectors are beside the graph.
pub(super) fn beside(width: f64, theme: &Theme) -> bool {
    width > 42.0 * theme.label_size()
}

impl Anchors {
    /// The rectangle of the graph, and that of the vectors' cells.
    pub(super) fn plan(&self, context: &DrawContext) -> (Rect, Rect) {
        let (width, height) = (context.frame.width, context.frame.height);
        let size = context.theme.label_size();
        let beside = beside(width, context.theme);
        let left = if beside { 0.52 * width } else { width };
        let high = if beside { height } else { 0.46 * height };
        let margin = 1.9 * size;
        let graph = Rect::new(margin, margin, left - 2.0 * margin, high - 2.0 * margin);
        let (x, y) = if beside { (left, 0.0) } else { (0.0, high) };
        let columns = self.sets.len().max(1) as f64;
        let room = width - x - 10.0 * size;
        let table = Rect::new(
            x + 3.4 * size,
            y + 2.6 * size,
            room.min(6.0 * size * columns),
            height - y - 3.0 * size,
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
        if let Some(from) = self.from.filter(|&from| from != self.node) {
            let [from, to] = [from, self.node].map(|node| Anchors::place(room, node));
            pen.dashes(from, to, theme.accent, theme.stroke());
        }
        let radius = Anchors::radius(theme);
        for node in 0..NODES {
            let at = Anchors::place(room, node);
            let anchor = self.is_anchor(node);
            let (fill, ink) = if anchor {
                (theme.series[0], theme.panel)
            } else {
                (theme.panel, theme.ink)
            };
            pen.disc(at, radius, fill);
            pen.ring(at, radius, theme.ink, theme.hairline());
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

    pub(super) fn draw_vectors(&self, pen: &Pen, context: &DrawContext, table: Rect) {
        let (theme, size) = (context.theme, context.theme.label_size());
        let grid = (NODES, self.sets.len());
        let style = TextStyle::new(size, theme.muted);
        let title = match self.lang {
            Lang::En => "1 / (steps to the anchor + 1)",
            Lang::Zh => "1 /（到锚点的步数 + 1）",
        };
        let start = (table.x - 2.4 * size, table.y - 1.9 * size);
        pen.text(start, title, style.align_left());
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
            self.vectors.at(row, column)
        });
        for node in (0..NODES).filter(|&node| !self.shows(node)) {
            pen.fill(cell_rect(table, (NODES, 1), node, 0), theme.panel, 1.0);
        }
        for (column, set) in self.sets.iter().enumerate() {
            let cell = cell_rect(table, grid, 0, column);
            let at = (cell.centre_x(), table.y - 0.7 * size);
            let name = match &set[..] {
                [anchor] => anchor.to_string(),
                _ => SET.get(self.lang).into(),
            };
            pen.text(at, &name, TextStyle::new(size, theme.series[0]).bold());
        }
        for node in 0..NODES {
            for column in 0..self.sets.len() {
                let cell = cell_rect(table, grid, node, column);
                let value = self.vectors.at(node, column);
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
                pen.text(at, &name, TextStyle::new(size, ink));
            }
            let line = cell_rect(table, (NODES, 1), node, 0);
            let y = line.centre_y();
            pen.text(
                (table.x - 0.7 * size, y),
                &node.to_string(),
                style.align_right(),
            );
            if let Some(group) = self.group(node) {
                let others = self.collisions[group]
                    .iter()
                    .filter(|&&other| other != node);
                let others: Vec<String> = others.map(|other| other.to_string()).collect();
                let others = format!("= {}", others.join(", "));
                let at = (table.right() + 0.5 * size, y);
                pen.text(
                    at,
                    &others,
                    TextStyle::new(size, theme.series[1]).bold().align_left(),
                );
            }
            if node == self.node {
                pen.outline(line, theme.accent, 1.0, theme.stroke());
            }
        }
        pen.outline(table, theme.muted, 0.6, theme.hairline());
    }
}
