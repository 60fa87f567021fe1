//! An editable graph: anchors, shortest paths to them, the vector of each node's closeness to them, and nodes that
//! collide because their vectors are equal.

mod picture;
mod words;

use crate::draw::{DrawContext, Pen, Rect, Theme};
use crate::field::{Field, Key, Values, ViewName, fields};
use crate::figure::{
    DragMode, Figure, Handle, Mapping, Picture, Pointer, PointerAction, apply_pointer,
};
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text};
use posenc_encoding::{Graph, Matrix, collisions};

const NODES: usize = 8;
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

/// The bit of an edge in the field `edges`.
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
    /// One set per anchor, or one set of all anchors.
    sets: Vec<Vec<usize>>,
    vectors: Matrix<f64>,
    collisions: Vec<Vec<usize>>,
    node: usize,
    /// Whether the vectors of all nodes are shown and compared; otherwise those of the anchors and the selected node.
    compared: bool,
    /// The node at which the current drag began.
    from: Option<usize>,
}

impl Anchors {
    fn is_anchor(&self, node: usize) -> bool {
        self.sets.iter().any(|set| set.contains(&node))
    }

    /// Whether the vector of a node is shown.
    fn shows(&self, node: usize) -> bool {
        self.compared || node == self.node || self.is_anchor(node)
    }

    /// The index in `collisions` of the group that contains a node, if nodes are compared.
    fn group(&self, node: usize) -> Option<usize> {
        self.collisions
            .get(
                ..if self.compared {
                    self.collisions.len()
                } else {
                    0
                },
            )?
            .iter()
            .position(|group| group.contains(&node))
    }

    /// The edges on a shortest path from the selected node to each set.
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
}

fields! {
    COMPARED: bool = Key::toggle("collisions", "Compare all nodes", "比较所有节点", true);
    TOGETHER: bool = Key::toggle("together", "All anchors as one set", "所有锚点合为一个集合", false);
    NODE: i64 = Key::whole("node", "node", "节点", 4, |_| (0, NODES as i64 - 1)).without_control();
    EDGE_BITS: i64 = Key::whole("edges", "edges", "边", first_edges(), |_| {
        (0, 2 * bit(NODES - 2, NODES - 1) - 1)
    })
    .without_control();
    ANCHOR_BITS: i64 = Key::whole("anchors", "anchors", "锚点", 1, |_| (0, (1 << NODES) - 1)).without_control();
    FROM: i64 = Key::whole("from", "drag from", "拖动起点", -1, |_| (-1, NODES as i64 - 1)).transient();
    // Whether the pressed node was already selected.
    AGAIN: bool = Key::toggle("again", "pressed again", "再次按下", false).transient();
}

impl Figure for Anchors {
    const NAME: ViewName = ViewName::Anchors;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(NODE), None];

    type Layout = (Rect, Rect);

    fn new(values: &Values, lang: Lang, _: Option<Anchors>) -> Anchors {
        let (edges, bits) = (values.get(EDGE_BITS), values.get(ANCHOR_BITS));
        let mut graph = Graph::new(NODES, &[]);
        for b in 0..NODES {
            for a in 0..b {
                if edges & bit(a, b) != 0 {
                    graph.toggle(a, b);
                }
            }
        }
        let anchors: Vec<usize> = (0..NODES).filter(|node| bits >> node & 1 == 1).collect();
        let sets = if values.get(TOGETHER) && !anchors.is_empty() {
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
            node: values.count(NODE),
            compared: values.get(COMPARED),
            from: usize::try_from(values.get(FROM)).ok(),
        }
    }

    fn title(&self) -> Text {
        match (self.sets.len(), self.collisions.is_empty()) {
            (0, _) => Text::new("Without an anchor there is no number", "没有锚点，就没有数"),
            _ if !self.compared => Text::new(
                "A node’s place: how far to the anchor",
                "节点在哪里：离锚点几步",
            ),
            (_, true) => Text::new("Every node has its own numbers", "每个节点的数都不同"),
            (_, false) => Text::new(
                "Equally far from the anchors: alike",
                "离锚点同样远，就分不开",
            ),
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        let node = self.node;
        let words = match (self.lang, self.is_anchor(node)) {
            (Lang::En, false) => format!("Make {node} an anchor"),
            (Lang::En, true) => format!("No anchor at {node}"),
            (Lang::Zh, false) => format!("设 {node} 为锚点"),
            (Lang::Zh, true) => format!("取消锚点 {node}"),
        };
        let button = html::button("anchor", "", words);
        Some(html::div("row", vec![button]))
    }

    fn more(&self) -> Option<Node> {
        Some(html::div("edges", vec![self.edges(), self.how()]))
    }

    fn act(&self, action: &str, value: &str, values: &mut Values) {
        match action {
            "anchor" => values.set_to(ANCHOR_BITS, values.get(ANCHOR_BITS) ^ (1 << self.node)),
            "edge" => {
                if let Ok(other) = value.parse::<usize>()
                    && other < NODES
                    && other != self.node
                {
                    values.set_to(EDGE_BITS, values.get(EDGE_BITS) ^ bit(self.node, other));
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

    fn height(&self, _: f64, theme: &Theme) -> Option<f64> {
        let rows = 1.2 * self.sets.len() as f64;
        let high = (20.4 + rows).max(24.0) * theme.label_size();
        Some(theme.fitted(high, 16.8 + rows))
    }

    fn layout(&self, context: &DrawContext) -> (Rect, Rect) {
        self.plan(context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, rects: &(Rect, Rect)) {
        let (room, table) = *rects;
        self.draw_graph(pen, context, room);
        self.draw_vectors(pen, context, table);
    }

    fn handles(&self, context: &DrawContext, rects: &(Rect, Rect)) -> Vec<Handle> {
        let (room, table) = *rects;
        let radius = 1.5 * Anchors::radius(context.theme);
        let nodes = (0..NODES).map(|node| {
            let mark = Handle::mark(Anchors::place(room, node), radius).dragged(DragMode::Free);
            let mark = mark.sets(NODE, Mapping::Constant(node as i64));
            mark.sets(EDGE_BITS, Mapping::Custom)
                .sets(ANCHOR_BITS, Mapping::Custom)
        });
        nodes.chain([Handle::columns(table, NODES, NODE)]).collect()
    }

    /// A drag from one node to another adds or removes their edge; pressing the selected node toggles it as an anchor.
    fn pointer(&self, picture: &Picture<(Rect, Rect)>, pointer: Pointer, values: &mut Values) {
        if pointer.pressed.is_some_and(|index| index >= NODES) {
            return apply_pointer(picture.handles, pointer, values);
        }
        let node = Anchors::node_at(picture, pointer.at);
        match (pointer.action, self.from, node) {
            (PointerAction::Press, _, Some(node)) => {
                values.set_to(AGAIN, node == self.node);
                values.set_to(NODE, node as i64);
                values.set_to(FROM, node as i64);
            }
            (PointerAction::Drag, Some(from), Some(node)) if node != from => {
                values.set_to(NODE, node as i64);
                values.set_to(AGAIN, false);
            }
            (PointerAction::Release, Some(from), to) => {
                if let Some(to) = to.filter(|&to| to != from) {
                    values.set_to(EDGE_BITS, values.get(EDGE_BITS) ^ bit(from, to));
                } else if to == Some(from) && values.get(AGAIN) {
                    self.act("anchor", "", values);
                }
                values.set_to(AGAIN, false);
                values.set_to(FROM, -1);
            }
            _ => {}
        }
    }

    /// `collide(anchors)`: the number of nodes of the initial graph that collide, with the anchors as bits;
    /// `closeness(steps)`: 1/(steps + 1).
    #[cfg(test)]
    fn lesson_number(name: &str, arguments: &[f64]) -> Option<f64> {
        let &[argument] = arguments else {
            return None;
        };
        if name == "closeness" {
            return Some(1.0 / (argument + 1.0));
        }
        let mut values = Values::new(Anchors::FIELDS);
        values.set_to(ANCHOR_BITS, argument as i64);
        let shown = Anchors::new(&values, Lang::En, None);
        (name == "collide").then(|| shown.collisions.iter().map(Vec::len).sum::<usize>() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Frame;
    use crate::figure::pass_pointer;

    fn shown(changes: &str) -> (Anchors, Values) {
        let values = Values::with(Anchors::FIELDS, changes);
        (Anchors::new(&values, Lang::En, None), values)
    }

    #[test]
    fn nodes_equally_far_from_the_anchor_collide_until_another_tells_them_apart() {
        let (one, _) = shown("");
        assert_eq!(one.collisions, [vec![1, 2], vec![4, 5], vec![6, 7]]);
        // With anchors 0 and 4, nodes 1 and 2 are still symmetric; with 0, 1 and 6 no nodes are.
        let (two, _) = shown("anchors=17");
        assert_eq!(two.collisions, [vec![1, 2]]);
        let (three, _) = shown("anchors=67");
        assert!(three.collisions.is_empty());
        // One number instead of three: that of the nearest anchor.
        let (together, _) = shown("anchors=67 together=on");
        assert_eq!(together.vectors.dimensions, 1);
        assert!(together.group(0).is_some());
    }

    #[test]
    fn without_an_anchor_no_node_has_a_number() {
        for changes in ["anchors=0", "anchors=0 collisions=off"] {
            let caption = shown(changes).0.caption();
            assert!(
                caption.starts_with("Without an anchor no node"),
                "{caption}"
            );
        }
    }

    #[test]
    fn shortest_paths_are_marked() {
        let (figure, mut values) = shown("node=6");
        assert_eq!(figure.paths(), [(4, 6), (3, 4), (1, 3), (0, 1)]);
        figure.act("edge", "0", &mut values);
        let figure = Anchors::new(&values, Lang::En, None);
        assert_eq!(figure.paths(), [(0, 6)]);
        // A disconnected node has no path and the closeness 0.
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
            let at = Anchors::place(figure.layout(&context).0, node);
            let pressed = Some(node);
            let pointer = Pointer {
                at,
                action,
                pressed,
            };
            pass_pointer(&figure, &context, pointer, &mut by_hand);
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
        assert_eq!(by_keys.get(ANCHOR_BITS), 17);
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
