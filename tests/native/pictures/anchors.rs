//! Anchors in a graph: edges, shortest paths, and a vector with entries 1/(steps + 1) for every node.

use super::axes::number;
use super::cells::assert_cells;
use super::query::{distance, picture};
use super::{light, rgb};
use crate::recording::{Point, Recording};
use posenc::ViewName;
use std::collections::VecDeque;

const NODES: usize = 8;
/// A square, with two chains from the corner opposite to node 0.
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

/// The number of steps from the nearest of the given nodes, by breadth-first search.
fn steps(from: &[usize]) -> [usize; NODES] {
    let mut steps = [usize::MAX; NODES];
    let mut queue: VecDeque<usize> = from.iter().copied().collect();
    from.iter().for_each(|&node| steps[node] = 0);
    while let Some(node) = queue.pop_front() {
        for (a, b) in EDGES {
            for (this, next) in [(a, b), (b, a)] {
                if this == node && steps[next] == usize::MAX {
                    steps[next] = steps[node] + 1;
                    queue.push_back(next);
                }
            }
        }
    }
    steps
}

/// The positions of the nodes in the picture.
fn places(it: &Recording) -> Vec<Point> {
    let place = |node: usize| {
        let name = node.to_string();
        let named = it.texts().find(|words| {
            let ringed = |ring: &(Point, f64, _)| distance(ring.0, words.at) < 0.5;
            words.text == name && it.rings().iter().any(ringed)
        });
        named.expect("a node with its number").at
    };
    (0..NODES).map(place).collect()
}

/// The edges that are drawn as lines of a colour, each with the lower node first.
fn joined(it: &Recording, colour: crate::recording::Rgb, places: &[Point]) -> Vec<(usize, usize)> {
    let node = |p: Point| places.iter().position(|place| distance(*place, p) < 0.5);
    let lines = it.paths(colour).into_iter();
    let mut pairs: Vec<_> = lines
        .filter_map(|(line, _)| Some((node(line[0])?, node(line[line.len() - 1])?)))
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect();
    pairs.sort_unstable();
    pairs
}

#[test]
fn vectors_count_the_steps_to_each_anchor() {
    for (anchors, together) in [(vec![0], false), (vec![1, 6], false), (vec![0, 7], true)] {
        let bits: usize = anchors.iter().map(|anchor| 1 << anchor).sum();
        let settings = format!(
            "anchors={bits}&node=5&together={}",
            if together { "on" } else { "off" }
        );
        let it = picture(ViewName::Anchors, &settings, 720.0);
        let sets: Vec<Vec<usize>> = match together {
            true => vec![anchors.clone()],
            false => anchors.iter().map(|anchor| vec![*anchor]).collect(),
        };
        let all: Vec<_> = sets.iter().map(|set| steps(set)).collect();
        let table = it.grid(sets.len(), NODES);
        assert_cells(table, (sets.len(), NODES), |set, node| {
            1.0 / (all[set][node] + 1) as f64
        });
        for node in 0..NODES {
            for (set, steps) in all.iter().enumerate() {
                let said = match steps[node] {
                    0 => "1".to_string(),
                    steps => format!("1/{}", steps + 1),
                };
                assert!(
                    it.says(&said, table.cell(node, set), 3.0),
                    "node {node}: {said}"
                );
            }
            let (x, _) = table.cell(node, 0);
            let level = |words: &&crate::recording::Words| (words.at.0 - x).abs() < 0.5;
            let mut above = it
                .texts()
                .filter(level)
                .filter(|words| (0.0..15.0).contains(&(table.rect.y - words.at.1)));
            assert_eq!(
                above.find_map(|words| number(&words.text)),
                Some(node as f64)
            );
            // Nodes with the same vector are listed below it.
            let same = (0..NODES).filter(|&other| {
                other != node && all.iter().all(|steps| steps[other] == steps[node])
            });
            let same: Vec<String> = same.map(|other| other.to_string()).collect();
            let mut below = it
                .texts()
                .filter(level)
                .filter(|words| words.at.1 > table.rect.bottom());
            let said = below.next().map(|words| words.text.clone());
            let wanted = (!same.is_empty()).then(|| format!("= {}", same.join(", ")));
            assert_eq!(said, wanted, "node {node}");
        }
        // The names of the rows, in the colour of the anchors.
        for (set, nodes) in sets.iter().enumerate() {
            let (_, y) = table.cell(0, set);
            let name = if together {
                "set".into()
            } else {
                format!("anchor {}", nodes[0])
            };
            let head = it.texts().any(|words| {
                words.text == name
                    && words.bold
                    && (words.at.1 - y).abs() < 0.5
                    && words.at.0 < table.rect.x
            });
            assert!(head, "{name}");
        }
        let (places, theme) = (places(&it), light());
        let named: Vec<_> = it.texts().filter(|words| words.text == "anchor").collect();
        assert_eq!(named.len(), anchors.len());
        for (node, place) in places.iter().enumerate() {
            let mut rings = it.rings().into_iter();
            let ringed =
                rings.any(|ring| distance(ring.0, *place) < 0.5 && ring.2 == rgb(theme.series[0]));
            assert_eq!(ringed, anchors.contains(&node), "node {node}");
            let near = named.iter().any(|words| distance(words.at, *place) < 35.0);
            assert!(near || !ringed, "node {node} is not named");
            // With one number each, a node has the colour of its cell.
            if sets.len() == 1 {
                let shade = table.pixel(node, 0);
                let filled = it.discs(shade);
                assert!(
                    filled.iter().any(|disc| distance(disc.0, *place) < 0.5),
                    "node {node}"
                );
            }
        }
    }
}

/// Before a prediction only the anchors and the chosen node have their numbers, and no node is said to be like another.
#[test]
fn numbers_of_other_nodes_can_be_left_out() {
    let it = picture(ViewName::Anchors, "collisions=off&anchors=1&node=4", 720.0);
    let table = it.grid(1, NODES);
    for node in 0..NODES {
        let said = match node {
            0 => "1",
            4 => "1/4",
            _ => "?",
        };
        assert!(it.says(said, table.cell(node, 0), 3.0), "{node}");
    }
    assert!(it.texts().all(|words| !words.text.starts_with("= ")));
}

/// Every edge is drawn, and those on a shortest path from the chosen node to each anchor are marked.
#[test]
fn marked_edges_are_a_shortest_path_to_each_anchor() {
    for (anchors, node) in [(vec![0usize], 6usize), (vec![2, 7], 4), (vec![6], 7)] {
        let bits: usize = anchors.iter().map(|anchor| 1 << anchor).sum();
        let it = picture(
            ViewName::Anchors,
            &format!("anchors={bits}&node={node}"),
            720.0,
        );
        let places = places(&it);
        let marked = joined(&it, rgb(light().accent), &places);
        let mut all = joined(&it, rgb(light().muted), &places);
        all.extend(&marked);
        all.sort_unstable();
        assert_eq!(all, EDGES);
        let mut used = Vec::new();
        for anchor in &anchors {
            let steps = steps(&[*anchor]);
            let mut at = node;
            while at != *anchor {
                let nearer = marked.iter().find_map(|&(a, b)| {
                    let next = if a == at { b } else { a };
                    let touches = a == at || b == at;
                    (touches && steps[next] + 1 == steps[at]).then_some((next, (a, b)))
                });
                let (next, edge) = nearer.unwrap_or_else(|| panic!("no way on from {at}"));
                used.push(edge);
                at = next;
            }
        }
        // Each is counted from the chosen node.
        let from = steps(&[node]);
        for &(a, b) in &used {
            let middle = (
                (places[a].0 + places[b].0) / 2.0,
                (places[a].1 + places[b].1) / 2.0,
            );
            let count = from[a].max(from[b]).to_string();
            assert!(it.says(&count, middle, 0.5), "{count} on {a}–{b}");
        }
        used.sort_unstable();
        used.dedup();
        assert_eq!(used, marked, "{anchors:?} from {node}");
    }
}
