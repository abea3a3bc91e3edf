//! Counts lost maximal frequent sequences, kept in a tree.
//!
//! Every maximal frequent sequence of the raw table is a path from the root to a leaf. It is lost
//! when its support falls below the minimum. As none begins another, a leaf stands for one.

use rustc_hash::FxHashMap;

use super::Utility;
use super::maximal::mine;
use crate::suppress::working::Working;

const ROOT: u32 = 0;

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    doublet: u32,
    /// How many sequences that are not lost go through it.
    sharing: u32,
    /// At a leaf, how many records hold the sequence.
    support: u32,
}

/// The tree, and for each doublet what it has to do with it.
#[derive(Clone, Debug)]
pub(in crate::suppress) struct MaximalFrequent {
    min_support: u32,
    nodes: Vec<Node>,
    children: FxHashMap<(u32, u32), u32>,
    /// How many sequences that are not lost hold each doublet.
    containing: Vec<u32>,
    /// The records that each doublet can certainly lose without a sequence being lost.
    slack: Vec<u32>,
}

impl MaximalFrequent {
    pub(in crate::suppress) fn new(working: &Working<'_>, min_support: u32) -> Self {
        let doublets = working.table.doublets();
        let mut tree = Self {
            min_support,
            nodes: vec![Node {
                parent: ROOT,
                doublet: 0,
                sharing: 0,
                support: 0,
            }],
            children: FxHashMap::default(),
            containing: vec![0; doublets],
            slack: vec![u32::MAX; doublets],
        };
        for (sequence, support) in mine(working, min_support) {
            tree.insert(&sequence, support);
        }
        tree
    }

    fn insert(&mut self, sequence: &[u32], support: u32) {
        let mut at = ROOT;
        self.nodes[ROOT as usize].sharing += 1;
        for &doublet in sequence {
            let next = self.nodes.len() as u32;
            let parent = at;
            at = *self.children.entry((at, doublet)).or_insert(next);
            if at == next {
                self.nodes.push(Node {
                    parent,
                    doublet,
                    sharing: 0,
                    support: 0,
                });
            }
            self.nodes[at as usize].sharing += 1;
            self.containing[doublet as usize] += 1;
            let slack = &mut self.slack[doublet as usize];
            *slack = (*slack).min(support - self.min_support);
        }
        self.nodes[at as usize].support = support;
    }

    /// Calls `visit` with the leaf of every sequence that holds `doublet` and that `rest` completes
    /// from this node on.
    fn matches(&self, at: u32, rest: &[u32], doublet: u32, seen: bool, visit: &mut dyn FnMut(u32)) {
        let node = &self.nodes[at as usize];
        if seen && node.support > 0 {
            return visit(at);
        }
        for (position, &code) in rest.iter().enumerate() {
            if code > doublet && !seen {
                return;
            }
            if let Some(&child) = self.children.get(&(at, code))
                && self.nodes[child as usize].sharing > 0
            {
                let seen = seen || code == doublet;
                self.matches(child, &rest[position + 1..], doublet, seen, visit);
            }
        }
    }

    /// How many sequences that are not lost `rest` completes from this node on.
    fn completed(&self, at: u32, rest: &[u32]) -> u32 {
        if self.nodes[at as usize].support > 0 {
            return 1;
        }
        let children =
            rest.iter()
                .enumerate()
                .map(|(position, &code)| match self.children.get(&(at, code)) {
                    Some(&child) if self.nodes[child as usize].sharing > 0 => {
                        self.completed(child, &rest[position + 1..])
                    }
                    _ => 0,
                });
        children.sum()
    }

    /// The leaf of every sequence with `doublet` in these records, and how many of them hold it.
    fn hits(&self, working: &Working<'_>, doublet: u32, records: &[u32]) -> Vec<(u32, u32)> {
        let mut leaves = Vec::new();
        for &record in records {
            let row = working.record(record);
            self.matches(ROOT, row, doublet, false, &mut |leaf| leaves.push(leaf));
        }
        leaves.sort_unstable();
        let same = leaves.chunk_by(|a, b| a == b);
        same.map(|leaves| (leaves[0], leaves.len() as u32))
            .collect()
    }

    fn is_lost(&self, leaf: u32, hits: u32) -> bool {
        self.nodes[leaf as usize].support - hits < self.min_support
    }

    /// Takes a leaf out; returns its doublets.
    fn delete(&mut self, leaf: u32) -> Vec<u32> {
        let mut sequence = Vec::new();
        let mut at = leaf;
        while at != ROOT {
            let node = &mut self.nodes[at as usize];
            node.sharing -= 1;
            sequence.push(node.doublet);
            self.containing[node.doublet as usize] -= 1;
            at = node.parent;
        }
        self.nodes[ROOT as usize].sharing -= 1;
        sequence
    }

    fn lower(&mut self, leaf: u32, hits: u32) {
        self.nodes[leaf as usize].support -= hits;
        let left = self.nodes[leaf as usize].support - self.min_support;
        let mut at = leaf;
        while at != ROOT {
            let node = &self.nodes[at as usize];
            let slack = &mut self.slack[node.doublet as usize];
            *slack = (*slack).min(left);
            at = node.parent;
        }
    }
}

impl Utility for MaximalFrequent {
    fn loss(&self, working: &Working<'_>, doublet: u32, records: &[u32]) -> u32 {
        let safe = self.slack[doublet as usize] as usize;
        if self.containing[doublet as usize] == 0 || records.len() <= safe {
            return 0;
        }
        let hits = self.hits(working, doublet, records);
        let lost = hits
            .iter()
            .filter(|&&(leaf, hits)| self.is_lost(leaf, hits));
        lost.count() as u32
    }

    fn loss_everywhere(&self, _: &Working<'_>, doublet: u32) -> u32 {
        self.containing[doublet as usize]
    }

    fn worth(&self, part: &[u32]) -> u32 {
        self.completed(ROOT, part)
    }

    fn removing(&mut self, working: &Working<'_>, doublet: u32, records: &[u32]) -> Vec<u32> {
        let mut cheaper = Vec::new();
        if self.containing[doublet as usize] > 0 {
            for (leaf, hits) in self.hits(working, doublet, records) {
                if self.is_lost(leaf, hits) {
                    cheaper.extend(self.delete(leaf));
                } else {
                    self.lower(leaf, hits);
                }
            }
        }
        cheaper.sort_unstable();
        cheaper.dedup();
        cheaper
    }

    fn frequent_left(&self) -> u64 {
        self.nodes[ROOT as usize].sharing.into()
    }
}
