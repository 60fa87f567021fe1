//! A graph to edit: anchors, shortest paths to them, the vector that they give each node, and nodes that nothing tells
//! apart.

use crate::draw::chart::{cell_rect, cells};
use crate::draw::theme::readable_on;
use crate::draw::{DrawContext, DrawResult, Pen, Picture, Rect, Theme, Words};
use crate::field::{Field, Values, ViewName};
use crate::figure::{Figure, Handle, Hold, Mapping, Pointer, PointerAction, point};
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text};
use posenc_encoding::Matrix;
use posenc_encoding::{Graph, collisions};

const NODES: usize = 8;
/// Where nodes stand, in shares of their room.
const PLACES: [(f64, f64); NODES] = [
    (0.06, 0.5),
    (0.3, 0.14),
    (0.3, 0.86),
    (0.55, 0.5),
    (0.77, 0.14),
    (0.77, 0.86),
    (0.97, 0.32),
    (0.97, 0.68),
];
/// A square, and two chains from its far corner.
const EDGES: [(usize, usize); 8] = [
    (0, 1),
    (0, 2),
    (1, 3),
    (2, 3),
    (3, 4),
    (3, 5),
    (4, 6),
    (5, 7),
];

const SET: Text = Text::new("set", "集合");

/// The bit of an edge among all pairs of nodes.
const fn bit(a: usize, b: usize) -> i64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    1 << (high * (high - 1) / 2 + low)
}

const fn first_edges() -> i64 {
    let (mut bits, mut index) = (0, 0);
    while index < EDGES.len() {
        bits |= bit(EDGES[index].0, EDGES[index].1);
        index += 1;
    }
    bits
}

pub struct Anchors {
    lang: Lang,
    graph: Graph,
    /// One per anchor, or one of all.
    sets: Vec<Vec<usize>>,
    vectors: Matrix<f64>,
    collisions: Vec<Vec<usize>>,
    node: usize,
    /// The node that a drag began at.
    from: Option<usize>,
}

impl Anchors {
    fn is_anchor(&self, node: usize) -> bool {
        self.sets.iter().any(|set| set.contains(&node))
    }

    /// The group that a node collides in.
    fn group(&self, node: usize) -> Option<usize> {
        self.collisions
            .iter()
            .position(|group| group.contains(&node))
    }

    /// Edges on a shortest path from the chosen node to each set.
    fn paths(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for set in &self.sets {
            let distances = self.graph.distances(set);
            let mut at = self.node;
            while let Some(left @ 1..) = distances[at] {
                let nearer = |&next: &usize| {
                    self.graph.joined(at, next) && distances[next] == Some(left - 1)
                };
                let Some(next) = (0..NODES).find(nearer) else {
                    break;
                };
                edges.push((at.min(next), at.max(next)));
                at = next;
            }
        }
        edges
    }

    /// The room of the graph, and the cells of the vectors.
    fn plan(&self, context: &DrawContext) -> (Rect, Rect) {
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

    fn place(room: Rect, node: usize) -> (f64, f64) {
        let (x, y) = PLACES[node];
        (room.x + x * room.width, room.y + y * room.height)
    }

    fn radius(theme: &Theme) -> f64 {
        1.05 * theme.label_size()
    }

    fn node_at(&self, context: &DrawContext, at: (f64, f64)) -> Option<usize> {
        let (room, _) = self.plan(context);
        (0..NODES).find(|&node| {
            let (x, y) = Anchors::place(room, node);
            (x - at.0).hypot(y - at.1) < 1.5 * Anchors::radius(context.theme)
        })
    }

    fn draw_graph<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        room: Rect,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let paths = self.paths();
        for (a, b) in self.graph.edges() {
            let ends = [a, b].map(|node| Anchors::place(room, node));
            let (colour, width) = if paths.contains(&(a, b)) {
                (theme.accent, 2.0)
            } else {
                (theme.muted, 0.6)
            };
            pen.line(&ends, colour, width * theme.stroke())?;
        }
        if let Some(from) = self.from.filter(|&from| from != self.node) {
            let ends = [from, self.node].map(|node| Anchors::place(room, node));
            pen.dashes(ends[0], ends[1], theme.accent, theme.stroke())?;
        }
        let radius = Anchors::radius(theme);
        for node in 0..NODES {
            let at = Anchors::place(room, node);
            let anchor = self.is_anchor(node);
            let (fill, ink) = if anchor {
                (theme.sine, theme.panel)
            } else {
                (theme.panel, theme.ink)
            };
            pen.disc(at, radius, fill)?;
            pen.ring(at, radius, theme.ink, theme.hairline())?;
            if self.group(node).is_some() {
                pen.ring(at, 1.25 * radius, theme.there, 1.2 * theme.stroke())?;
            }
            if node == self.node {
                let around = Rect::around(at, 1.6 * radius);
                pen.outline(around, theme.accent, 1.0, theme.stroke())?;
            }
            pen.words(at, &node.to_string(), Words::new(size, ink).bold())?;
        }
        Ok(())
    }

    fn draw_vectors<DB: Picture>(
        &self,
        pen: &Pen<DB>,
        context: &DrawContext,
        table: Rect,
    ) -> DrawResult<DB> {
        let (theme, size) = (context.theme, context.theme.label_size());
        let grid = (NODES, self.sets.len());
        let words = Words::new(size, theme.muted);
        let title = match self.lang {
            Lang::En => "1 / (steps to the anchor + 1)",
            Lang::Zh => "1 /（到锚点的步数 + 1）",
        };
        let start = (table.x - 2.4 * size, table.y - 1.9 * size);
        pen.words(start, title, words.starting())?;
        if self.sets.is_empty() {
            let words = Words::new(size, theme.there).bold().starting();
            let none = match self.lang {
                Lang::En => "no anchor, no numbers",
                Lang::Zh => "没有锚点，就没有数",
            };
            pen.words((table.x, table.y + size), none, words)?;
            return Ok(());
        }
        cells(pen, context, table, grid, 1.0, |row, column| {
            self.vectors.at(row, column)
        })?;
        for (column, set) in self.sets.iter().enumerate() {
            let cell = cell_rect(table, grid, 0, column);
            let at = (cell.centre_x(), table.y - 0.7 * size);
            let name = match &set[..] {
                [anchor] => anchor.to_string(),
                _ => SET.get(self.lang).into(),
            };
            pen.words(at, &name, Words::new(size, theme.sine).bold())?;
        }
        for node in 0..NODES {
            for column in 0..self.sets.len() {
                let cell = cell_rect(table, grid, node, column);
                let value = self.vectors.at(node, column);
                let name = if value > 0.0 && value < 1.0 {
                    format!("1/{:.0}", 1.0 / value)
                } else {
                    format!("{value:.0}")
                };
                let ink = readable_on(context.colours.colour(value as f32));
                let at = cell.centre();
                pen.words(at, &name, Words::new(size, ink))?;
            }
            let line = cell_rect(table, (NODES, 1), node, 0);
            let y = line.centre_y();
            pen.words((table.x - 0.7 * size, y), &node.to_string(), words.ending())?;
            if let Some(group) = self.group(node) {
                let others = self.collisions[group]
                    .iter()
                    .filter(|&&other| other != node);
                let others: Vec<String> = others.map(|other| other.to_string()).collect();
                let others = format!("= {}", others.join(", "));
                let at = (table.right() + 0.5 * size, y);
                pen.words(at, &others, Words::new(size, theme.there).bold().starting())?;
            }
            if node == self.node {
                pen.outline(line, theme.accent, 1.0, theme.stroke())?;
            }
        }
        pen.outline(table, theme.muted, 0.6, theme.hairline())
    }
}

/// Whether vectors stand beside the graph.
fn beside(width: f64, theme: &Theme) -> bool {
    width > 42.0 * theme.label_size()
}

fn list(nodes: &[usize], lang: Lang) -> String {
    let names: Vec<String> = nodes.iter().map(|node| node.to_string()).collect();
    match lang {
        Lang::En => names.join(", "),
        Lang::Zh => names.join("、"),
    }
}

impl Figure for Anchors {
    const NAME: ViewName = ViewName::Anchors;
    const FIELDS: &'static [Field] = &[
        Field::toggle(
            "together",
            "All anchors as one set",
            "所有锚点合为一个集合",
            false,
        ),
        Field::whole("node", "node", "节点", 4, |_| (0, NODES as i64 - 1)).linked(),
        Field::whole("edges", "edges", "边", first_edges(), |_| {
            (0, 2 * bit(NODES - 2, NODES - 1) - 1)
        })
        .linked(),
        Field::whole("anchors", "anchors", "锚点", 1, |_| (0, (1 << NODES) - 1)).linked(),
        Field::whole("from", "drag from", "拖动起点", -1, |_| {
            (-1, NODES as i64 - 1)
        })
        .transient(),
        // The pressed node was chosen already.
        Field::toggle("again", "pressed again", "再次按下", false).transient(),
    ];
    const ARROWS: [&'static str; 2] = ["node", ""];

    fn new(values: &Values, lang: Lang, _: Option<Anchors>) -> Anchors {
        let (edges, bits) = (values.whole("edges"), values.whole("anchors"));
        let mut graph = Graph::new(NODES, &[]);
        for b in 0..NODES {
            for a in 0..b {
                if edges & bit(a, b) != 0 {
                    graph.toggle(a, b);
                }
            }
        }
        let anchors: Vec<usize> = (0..NODES).filter(|node| bits >> node & 1 == 1).collect();
        let sets = if values.on("together") && !anchors.is_empty() {
            vec![anchors]
        } else {
            anchors.into_iter().map(|anchor| vec![anchor]).collect()
        };
        let vectors = graph.closeness(&sets);
        Anchors {
            lang,
            collisions: collisions(&vectors),
            vectors,
            graph,
            sets,
            node: values.count("node"),
            from: usize::try_from(values.whole("from")).ok(),
        }
    }

    fn caption(&self) -> String {
        let (node, sets, lang) = (self.node, self.sets.len(), self.lang);
        let collide: usize = self.collisions.iter().map(Vec::len).sum();
        let groups: Vec<String> = self
            .collisions
            .iter()
            .map(|group| list(group, lang))
            .collect();
        let far = self.sets.iter().map(|set| self.graph.distances(set)[node]);
        let far: Vec<String> = far
            .map(|steps| steps.map_or("∞".to_string(), |steps| steps.to_string()))
            .collect();
        let start = match (lang, sets) {
            (_, 0) => String::new(),
            (Lang::En, _) => format!(
                "Steps from node {node} to the anchors: {}. ",
                far.join(", ")
            ),
            (Lang::Zh, _) => format!("节点 {node} 到各锚点的步数：{}。", far.join("、")),
        };
        start
            + &match (lang, collide) {
                (Lang::En, 0) => "Every node has a vector of its own.".to_string(),
                (Lang::Zh, 0) => "每个节点的向量都不相同。".to_string(),
                (Lang::En, _) => format!(
                    "{collide} of {NODES} nodes collide, being equally far from every anchor: {}.",
                    groups.join("; ")
                ),
                (Lang::Zh, _) => format!(
                    "{NODES} 个节点中有 {collide} 个相互重合，因为它们到每个锚点的步数都相同：{}。",
                    groups.join("；")
                ),
            }
    }

    fn above(&self) -> Option<Node> {
        let how = match self.lang {
            Lang::En => {
                "Click a node to choose it, click it again to make it an anchor, drag from node to node for an edge. Keys: ← → choose, Enter anchors, a digit joins or parts."
            }
            Lang::Zh => {
                "点击节点选中它，再点一次设为锚点；从一个节点拖到另一个，添加或去掉边。键盘：← → 选择，Enter 设锚点，数字键连边或断边。"
            }
        };
        Some(html::p(how).class("note"))
    }

    fn below(&self) -> Option<Node> {
        let node = self.node;
        let pressed = |on: bool| if on { "true" } else { "false" };
        let (anchor, join) = match (self.lang, self.is_anchor(node)) {
            (Lang::En, false) => (
                format!("Make {node} an anchor"),
                format!("Joined to {node}"),
            ),
            (Lang::En, true) => (format!("No anchor at {node}"), format!("Joined to {node}")),
            (Lang::Zh, false) => (format!("设 {node} 为锚点"), format!("与节点 {node} 相连")),
            (Lang::Zh, true) => (format!("取消锚点 {node}"), format!("与节点 {node} 相连")),
        };
        let anchor = html::button("anchor", "", anchor);
        let mut row = vec![anchor, Node::text("span", join)];
        for other in (0..NODES).filter(|&other| other != node) {
            let button = html::button("edge", other.to_string(), other.to_string());
            row.push(button.attribute("aria-pressed", pressed(self.graph.joined(node, other))));
        }
        Some(html::div("row", row))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        match action {
            "anchor" => values.set_whole("anchors", values.whole("anchors") ^ (1 << self.node)),
            "edge" => {
                if let Ok(other) = value.parse::<usize>()
                    && other < NODES
                    && other != self.node
                {
                    values.set_whole("edges", values.whole("edges") ^ bit(self.node, other));
                }
            }
            _ => {}
        }
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        match key {
            "Enter" | " " => self.act("anchor", "", values),
            _ if key.len() == 1 && key.parse().is_ok_and(|node: usize| node < NODES) => {
                self.act("edge", key, values);
            }
            _ => return crate::figure::arrows(Self::ARROWS, key, shift, values),
        }
        true
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        let size = theme.label_size();
        Some(if beside(width, theme) { 26.0 } else { 44.0 } * size)
    }

    fn draw<DB: Picture>(&self, pen: &Pen<DB>, context: &DrawContext) -> DrawResult<DB> {
        let (room, table) = self.plan(context);
        self.draw_graph(pen, context, room)?;
        self.draw_vectors(pen, context, table)
    }

    fn handles(&self, context: &DrawContext) -> Vec<Handle> {
        let (room, table) = self.plan(context);
        let radius = 1.5 * Anchors::radius(context.theme);
        let nodes = (0..NODES).map(|node| {
            let mark = Handle::mark(Anchors::place(room, node), radius).held(Hold::Free);
            let mark = mark.sets("node", Mapping::number(node));
            mark.sets("edges", Mapping::Own)
                .sets("anchors", Mapping::Own)
        });
        nodes.chain([Handle::rows(table, NODES, "node")]).collect()
    }

    /// From one node to another a drag is an edge, drawn or taken away; pressed again, a node becomes an anchor.
    fn pointer(&self, context: &DrawContext, pointer: Pointer, values: &mut Values) {
        if pointer.held.is_some_and(|index| index >= NODES) {
            return point(&self.handles(context), pointer, values);
        }
        let node = self.node_at(context, pointer.at);
        match (pointer.action, self.from, node) {
            (PointerAction::Press, _, Some(node)) => {
                values.set_on("again", node == self.node);
                values.set_whole("node", node as i64);
                values.set_whole("from", node as i64);
            }
            (PointerAction::Drag, Some(from), Some(node)) if node != from => {
                values.set_whole("node", node as i64);
                values.set_on("again", false);
            }
            (PointerAction::Release, Some(from), to) => {
                if let Some(to) = to.filter(|&to| to != from) {
                    values.set_whole("edges", values.whole("edges") ^ bit(from, to));
                } else if to == Some(from) && values.on("again") {
                    self.act("anchor", "", values);
                }
                values.set_on("again", false);
                values.set_whole("from", -1);
            }
            _ => {}
        }
    }
}

/// `collide(anchors)`: how many nodes of the first graph do, with anchors as bits; `closeness(steps)`.
#[cfg(test)]
pub fn numbers(name: &str, arguments: &[f64]) -> Option<f64> {
    let &[argument] = arguments else {
        return None;
    };
    if name == "closeness" {
        return Some(1.0 / (argument + 1.0));
    }
    let mut values = Values::new(Anchors::FIELDS);
    values.set_whole("anchors", argument as i64);
    let shown = Anchors::new(&values, Lang::En, None);
    (name == "collide").then(|| shown.collisions.iter().map(Vec::len).sum::<usize>() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Frame;

    fn shown(changes: &str) -> (Anchors, Values) {
        let values = Values::with(Anchors::FIELDS, changes);
        (Anchors::new(&values, Lang::En, None), values)
    }

    #[test]
    fn nodes_equally_far_from_the_anchor_collide_until_another_tells_them_apart() {
        let (one, _) = shown("");
        assert_eq!(one.collisions, [vec![1, 2], vec![4, 5], vec![6, 7]]);
        // 0 and 4 as anchors: 1 and 2 still mirror each other; 0 and 1 and 6: nothing does.
        let (two, _) = shown("anchors=17");
        assert_eq!(two.collisions, [vec![1, 2]]);
        let (three, _) = shown("anchors=67");
        assert!(three.collisions.is_empty());
        // One number instead of three, the nearest anchor's.
        let (together, _) = shown("anchors=67 together=on");
        assert_eq!(together.vectors.dimensions, 1);
        assert!(together.group(0).is_some());
    }

    #[test]
    fn shortest_paths_are_marked() {
        let (figure, mut values) = shown("node=6");
        assert_eq!(figure.paths(), [(4, 6), (3, 4), (1, 3), (0, 1)]);
        figure.act("edge", "0", &mut values);
        let figure = Anchors::new(&values, Lang::En, None);
        assert_eq!(figure.paths(), [(0, 6)]);
        // Cut off: no path, and zero.
        let (alone, _) = shown("edges=0");
        assert!(alone.paths().is_empty());
        assert_eq!(alone.vectors.at(4, 0), 0.0);
        assert!(alone.caption().contains('∞'));
    }

    #[test]
    fn a_hand_and_keys_do_the_same() {
        let theme = Theme::named(crate::field::ThemeName::Light);
        let frame = Frame {
            width: 700.0,
            height: 320.0,
            pixels: 1.0,
            units: 1.0,
        };
        let context = DrawContext {
            theme,
            colours: &theme.colour_map(),
            frame,
        };
        let (_, mut by_hand) = shown("node=4");
        let mut pointer = |node: usize, action| {
            let figure = Anchors::new(&by_hand, Lang::En, None);
            let at = Anchors::place(figure.plan(&context).0, node);
            let held = Some(node);
            figure.pointer(&context, Pointer { at, action, held }, &mut by_hand);
        };
        for (node, what) in [
            (4, PointerAction::Press),
            (4, PointerAction::Release),
            (6, PointerAction::Press),
            (7, PointerAction::Drag),
            (7, PointerAction::Release),
        ] {
            pointer(node, what);
        }
        let (_, mut by_keys) = shown("node=4");
        for key in ["Enter", "ArrowRight", "ArrowRight", "ArrowRight", "6"] {
            let figure = Anchors::new(&by_keys, Lang::En, None);
            assert!(figure.key(key, false, &mut by_keys));
        }
        assert_eq!(by_hand, by_keys);
        assert_eq!(by_keys.whole("anchors"), 17);
    }

    #[test]
    fn every_pair_has_its_bit() {
        let pairs = (0..NODES).flat_map(|b| (0..b).map(move |a| bit(a, b)));
        let all = pairs.fold(0, |all, bit| {
            assert_eq!(all & bit, 0);
            all | bit
        });
        assert_eq!(all, (1 << 28) - 1);
    }
}
