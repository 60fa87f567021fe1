//! Positions in a graph: the closeness of a node to a few anchors (P-GNN, You et al. 2019, arXiv 1906.04817).

use crate::Matrix;

/// An undirected graph without self-loops. The position of a node is its closeness to a few anchors (P-GNN, You et al.
/// 2019, arXiv 1906.04817).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Graph {
    /// The neighbours of each node, in ascending order.
    neighbours: Vec<Vec<usize>>,
}

impl Graph {
    /// Creates a graph. Edges of a node to itself or to a node that does not exist are ignored.
    pub fn new(nodes: usize, edges: &[(usize, usize)]) -> Self {
        let mut graph = Self {
            neighbours: vec![Vec::new(); nodes],
        };
        for &(a, b) in edges {
            if !graph.joined(a, b) {
                graph.toggle(a, b);
            }
        }
        graph
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns every edge once, the smaller node first.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let all = self.neighbours.iter().enumerate();
        all.flat_map(|(a, others)| others.iter().map(move |&b| (a, b)))
            .filter(|(a, b)| a < b)
            .collect()
    }

    /// Returns whether an edge joins two nodes.
    pub fn joined(&self, a: usize, b: usize) -> bool {
        let others = self.neighbours.get(a);
        others.is_some_and(|others| others.binary_search(&b).is_ok())
    }

    /// Adds the edge between two nodes, or removes it if it exists. Does nothing if the nodes are the same or do not exist.
    pub fn toggle(&mut self, a: usize, b: usize) {
        if a == b || a.max(b) >= self.nodes() {
            return;
        }
        for (from, to) in [(a, b), (b, a)] {
            let others = &mut self.neighbours[from];
            match others.binary_search(&to) {
                Ok(at) => {
                    others.remove(at);
                }
                Err(at) => others.insert(at, to),
            }
        }
    }

    /// Adds a node without edges and returns its index.
    pub fn add(&mut self) -> usize {
        self.neighbours.push(Vec::new());
        self.nodes() - 1
    }

    /// Returns, for every node, the number of edges to the nearest of the nodes `from`; `None` if there is no path.
    pub fn distances(&self, from: &[usize]) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.nodes()];
        let mut layer: Vec<usize> = from
            .iter()
            .copied()
            .filter(|&node| node < self.nodes())
            .collect();
        let mut distance = 0;
        while !layer.is_empty() {
            let mut next = Vec::new();
            for node in layer {
                if distances[node].is_none() {
                    distances[node] = Some(distance);
                    next.extend_from_slice(&self.neighbours[node]);
                }
            }
            layer = next;
            distance += 1;
        }
        distances
    }

    /// Returns, as nodes × sets, the closeness s = 1/(distance + 1) of a node to the nearest anchor of a set, which is the
    /// largest over the set; 0 if there is no path.
    pub fn closeness(&self, sets: &[Vec<usize>]) -> Matrix<f64> {
        let mut closeness = Matrix::zeros(self.nodes(), sets.len());
        for (column, set) in sets.iter().enumerate() {
            for (node, distance) in self.distances(set).into_iter().enumerate() {
                let s = distance.map(|distance| 1.0 / (distance as f64 + 1.0));
                *closeness.at_mut(node, column) = s.unwrap_or_default();
            }
        }
        closeness
    }
}

/// Returns the groups of two or more nodes that have equal vectors (rows of the table) and so cannot be distinguished.
/// Nodes of a group, and groups by their first node, are in ascending order.
pub fn collisions(vectors: &Matrix<f64>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for node in 0..vectors.positions {
        let same = |group: &&mut Vec<usize>| vectors.row(group[0]) == vectors.row(node);
        match groups.iter_mut().find(same) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 – 1 – 2 – 3 with a branch 1 – 4, and the isolated node 5.
    fn tree() -> Graph {
        Graph::new(6, &[(0, 1), (1, 2), (2, 3), (1, 4), (4, 1), (2, 2), (0, 9)])
    }

    #[test]
    fn edges_are_kept_once_and_toggled() {
        let mut graph = tree();
        assert_eq!(graph.edges(), [(0, 1), (1, 2), (1, 4), (2, 3)]);
        graph.toggle(3, 0);
        assert!(graph.joined(0, 3) && graph.joined(3, 0));
        graph.toggle(0, 3);
        graph.toggle(2, 2);
        graph.toggle(0, 17);
        assert_eq!(graph, tree());
        assert_eq!(graph.add(), 6);
        assert_eq!(graph.distances(&[6])[6], Some(0));
    }

    #[test]
    fn distances_are_shortest_paths() {
        let some = |distances: [i64; 6]| distances.map(|distance| usize::try_from(distance).ok());
        assert_eq!(tree().distances(&[0]), some([0, 1, 2, 3, 2, -1]));
        assert_eq!(tree().distances(&[3, 4]), some([2, 1, 1, 0, 0, -1]));
        assert_eq!(tree().distances(&[]), [None; 6]);
        // A new edge makes no path longer.
        let (before, mut graph) = (tree().distances(&[0]), tree());
        graph.toggle(0, 3);
        let after = graph.distances(&[0]);
        assert_eq!((after[3], after[2]), (Some(1), Some(2)));
        assert!(
            before
                .iter()
                .zip(&after)
                .all(|(before, after)| before.is_none() || after <= before)
        );
    }

    #[test]
    fn closeness_is_the_largest_over_a_set() {
        let closeness = tree().closeness(&[vec![0], vec![3, 4]]);
        assert_eq!(closeness.row(0), [1.0, 1.0 / 3.0]);
        assert_eq!(closeness.row(2), [1.0 / 3.0, 0.5]);
        assert_eq!(closeness.row(5), [0.0, 0.0]);
        let apart = tree().closeness(&[vec![3], vec![4]]);
        for node in 0..6 {
            assert_eq!(
                closeness.at(node, 1),
                apart.at(node, 0).max(apart.at(node, 1))
            );
        }
    }

    #[test]
    fn nodes_equally_far_from_all_anchors_collide() {
        let graph = tree();
        // Both are two edges from 0.
        assert_eq!(collisions(&graph.closeness(&[vec![0]])), [[2, 4]]);
        assert!(collisions(&graph.closeness(&[vec![0], vec![3]])).is_empty());
        assert_eq!(collisions(&graph.closeness(&[])), [[0, 1, 2, 3, 4, 5]]);
    }
}
