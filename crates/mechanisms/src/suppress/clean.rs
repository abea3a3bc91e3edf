//! The sequences that violate nothing and hold nothing that does, with their counts. Those that
//! never will violate are left out ([`Judge::harmless`](super::tally::Judge::harmless)).
//!
//! They form a tree: what begins a clean sequence is clean. A node is known by its parent and its
//! last doublet. Counts are kept exact while doublets are taken out; so a question about the
//! present table is answered by looking up, not by scanning.

use rustc_hash::FxHashMap;

/// A clean sequence; [`Clean::ROOT`] is the empty one.
pub(super) type Node = u32;

#[derive(Clone, Debug)]
pub(super) struct Clean {
    children: FxHashMap<u64, Node>,
    width: usize,
    rows: Vec<u32>,
}

fn key(parent: Node, doublet: u32) -> u64 {
    u64::from(parent) << 32 | u64::from(doublet)
}

impl Clean {
    pub(super) const ROOT: Node = 0;

    /// Only the empty sequence; rows of counts have `width` numbers.
    pub(super) fn new(width: usize) -> Self {
        Self {
            children: FxHashMap::default(),
            width,
            rows: vec![0; width],
        }
    }

    /// How many nodes there are, the root included.
    pub(super) fn len(&self) -> usize {
        self.rows.len() / self.width
    }

    pub(super) fn reserve(&mut self, nodes: usize) {
        self.children.reserve(nodes);
        self.rows.reserve(nodes * self.width);
    }

    #[inline]
    pub(super) fn child(&self, parent: Node, doublet: u32) -> Option<Node> {
        self.children.get(&key(parent, doublet)).copied()
    }

    /// The node of a rising sequence.
    pub(super) fn find(&self, sequence: impl IntoIterator<Item = u32>) -> Option<Node> {
        let mut sequence = sequence.into_iter();
        sequence.try_fold(Self::ROOT, |node, doublet| self.child(node, doublet))
    }

    /// Adds a child, or sets the counts of one that is there.
    pub(super) fn insert(&mut self, parent: Node, doublet: u32, row: &[u32]) -> Node {
        let next = self.len() as Node;
        let node = *self.children.entry(key(parent, doublet)).or_insert(next);
        if node == next {
            self.rows.extend_from_slice(row);
        } else {
            self.row_mut(node).copy_from_slice(row);
        }
        node
    }

    #[inline]
    pub(super) fn row(&self, node: Node) -> &[u32] {
        let at = node as usize * self.width;
        &self.rows[at..at + self.width]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, node: Node) -> &mut [u32] {
        let at = node as usize * self.width;
        &mut self.rows[at..at + self.width]
    }

    /// All clean sequences with their counts, in no particular order.
    #[cfg(test)]
    pub(super) fn sequences(&self) -> Vec<(Vec<u32>, Vec<u32>)> {
        let parents: FxHashMap<Node, (Node, u32)> = self
            .children
            .iter()
            .map(|(&key, &node)| (node, ((key >> 32) as Node, key as u32)))
            .collect();
        let path = |mut node: Node| {
            let mut path = Vec::new();
            while let Some(&(parent, doublet)) = parents.get(&node) {
                path.push(doublet);
                node = parent;
            }
            path.reverse();
            path
        };
        (1..self.len() as Node)
            .map(|node| (path(node), self.row(node).to_vec()))
            .collect()
    }
}
