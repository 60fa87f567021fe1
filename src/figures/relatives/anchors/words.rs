//! Texts of the figure: the caption and the elements around the picture.

use super::{Anchors, NODES};
use crate::text::markup::{Node, html};
use crate::text::number::noun;
use crate::text::{Lang, Text};

pub(super) fn list(nodes: &[usize], lang: Lang) -> String {
    let names: Vec<String> = nodes.iter().map(|node| node.to_string()).collect();
    match lang {
        Lang::En => names.join(", "),
        Lang::Zh => names.join("、"),
    }
}

impl Anchors {
    pub(super) fn describe(&self) -> String {
        let (node, sets, lang) = (self.node, self.sets.len(), self.lang);
        if sets == 0 {
            let none = Text::new(
                "Without an anchor no node has a number, and none can be told from another.",
                "没有锚点，节点就没有数，任何两个节点都分不开。",
            );
            return none.get(lang).into();
        }
        let anchors = self.sets.concat().len();
        let one_set = sets == 1 && anchors > 1;
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
            (Lang::En, _) => format!(
                "Steps from node {node} to the {}: {}. ",
                match one_set {
                    true => "nearest anchor",
                    false => noun(&anchors.to_string(), "anchor", "anchors"),
                },
                far.join(", ")
            ),
            (Lang::Zh, _) if one_set => {
                format!("节点 {node} 到最近锚点的步数：{}。", far.join("、"))
            }
            (Lang::Zh, 1) => format!("节点 {node} 到锚点的步数：{}。", far.join("、")),
            (Lang::Zh, _) => format!("节点 {node} 到各锚点的步数：{}。", far.join("、")),
        };
        if !self.compared {
            let next = match lang {
                Lang::En => "Click a node for its number.",
                Lang::Zh => "点击一个节点，看它的数。",
            };
            return start + next;
        }
        start
            + &match (lang, collide) {
                (Lang::En, 0) => "Every node has a vector of its own.".to_string(),
                (Lang::Zh, 0) => "每个节点的向量都不相同。".to_string(),
                (Lang::En, _) => format!(
                    "{collide} of {NODES} nodes collide, being equally far from {}: {}.",
                    if one_set {
                        "the nearest anchor"
                    } else {
                        "every anchor"
                    },
                    groups.join("; ")
                ),
                (Lang::Zh, _) => format!(
                    "{NODES} 个节点中有 {collide} 个相互重合，因为它们到{}锚点的步数都相同：{}。",
                    if one_set { "最近" } else { "每个" },
                    groups.join("；")
                ),
            }
    }

    pub(super) fn how(&self) -> Node {
        let how = match self.lang {
            Lang::En => {
                "Click a node to choose it, click it again to make it an anchor, drag from node to node for an edge. Keys: ← → select, Enter sets an anchor, a digit adds or removes an edge to that node."
            }
            Lang::Zh => {
                "点击节点选中它，再点一次设为锚点；从一个节点拖到另一个，添加或去掉边。键盘：← → 选择，Enter 设锚点，数字键连边或断边。"
            }
        };
        html::p(how).class("note")
    }

    /// Buttons that join the selected node to others, or part them.
    pub(super) fn edges(&self) -> Node {
        let node = self.node;
        let pressed = |on: bool| if on { "true" } else { "false" };
        let join = match self.lang {
            Lang::En => format!("Edges from {node} to"),
            Lang::Zh => format!("节点 {node} 的边连到"),
        };
        let mut row = vec![Node::text("span", join)];
        for other in (0..NODES).filter(|&other| other != node) {
            let button = html::button("edge", other.to_string(), other.to_string());
            row.push(button.attribute("aria-pressed", pressed(self.graph.joined(node, other))));
        }
        html::div("row", row)
    }
}
