//! Grows the noisy tree from exact counts, a level at a time.

use std::ops::Range;

use rayon::prelude::*;
use wayveil_core::{Error, Progress, RandomSource, Result};

use super::ask::{Passed, PassedGroup, ask};
use super::count::{Level, PrefixCounts};
use super::plan::LevelPlan;

/// A tree of noisy counts, level by level; the children of a node stand side by side, by
/// ascending symbol. The root is not stored: its children are the first [`Tree::roots`] nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) roots: usize,
    pub(crate) symbol: Vec<u32>,
    pub(crate) noisy: Vec<i64>,
    /// Standard deviation of the noise in `noisy`.
    pub(crate) deviation: Vec<f64>,
    first_child: Vec<u32>,
    child_count: Vec<u32>,
    /// Groups that passed on the way to nodes.
    pub(crate) groups: Vec<GroupBelow>,
}

/// A group that passed below a node, or below the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupBelow {
    pub(crate) parent: Option<usize>,
    pub(crate) step: usize,
    pub(crate) bin: u32,
    pub(crate) noisy: i64,
}

impl Tree {
    pub(crate) fn len(&self) -> usize {
        self.symbol.len()
    }

    pub(crate) fn children(&self, node: usize) -> Range<usize> {
        let first = self.first_child[node] as usize;
        first..first + self.child_count[node] as usize
    }

    fn push(&mut self, passed: &Passed, deviation: f64) {
        self.symbol.push(passed.symbol);
        self.noisy.push(passed.noisy);
        self.deviation.push(deviation);
        self.first_child.push(0);
        self.child_count.push(0);
    }

    /// A tree by level, the first `roots` nodes at the top, with equal trust in every count.
    pub(crate) fn from_parts(roots: usize, noisy: Vec<i64>, child_count: Vec<u32>) -> Self {
        let mut next = roots as u32;
        let first_child = child_count
            .iter()
            .map(|&count| {
                next += count;
                next - count
            })
            .collect();
        let symbol = (0..noisy.len() as u32).collect();
        let deviation = vec![1.0; noisy.len()];
        Self {
            roots,
            symbol,
            noisy,
            deviation,
            first_child,
            child_count,
            groups: Vec::new(),
        }
    }
}

/// Nodes whose noise is drawn from one stream of randomness. A constant, so that a release does
/// not depend on the number of threads.
const NODES_PER_STREAM: usize = 64;

/// A tree beyond this size cannot be numbered.
const MOST_NODES: usize = u32::MAX as usize / 2;

/// A node to expand.
#[derive(Clone, Copy)]
struct Open {
    /// Its number in the tree; none for the root.
    node: Option<usize>,
    /// The symbol that leads there; none for the root.
    symbol: Option<u32>,
    /// Where the exact answer has its children; none for a node that only noise keeps alive.
    answer: Option<usize>,
}

/// Grows the tree by one plan per level, to at most `cap` nodes.
pub(super) fn grow(
    counts: &mut dyn PrefixCounts,
    plans: &[&LevelPlan],
    cap: Option<usize>,
    random: &mut RandomSource,
    progress: &dyn Progress,
) -> Result<Tree> {
    let mut tree = Tree::default();
    progress.begin("growing the tree", Some(plans.len() as u64));
    let mut frontier = vec![Open {
        node: None,
        symbol: None,
        answer: Some(0),
    }];
    let mut exact = counts.root()?;
    for (depth, plan) in plans.iter().enumerate() {
        let first_new = tree.len();
        let room = cap.map_or(MOST_NODES, |cap| cap.min(MOST_NODES)) - first_new;
        if cap.is_some() {
            keep_within(&mut frontier, &tree, room, plan);
        }
        let (mut passed, groups) = pass_level(&frontier, &exact, plan, random);
        let total: usize = passed.iter().map(Vec::len).sum();
        if total > room {
            if cap.is_none() {
                return Err(
                    Error::refused("the noisy tree has grown beyond two billion nodes")
                        .hint("choose higher thresholds, a larger epsilon or --node-cap"),
                );
            }
            keep_largest(&mut passed, room);
        }
        for (open, groups) in frontier.iter().zip(groups) {
            tree.groups.extend(groups.iter().map(|group| GroupBelow {
                parent: open.node,
                step: group.step,
                bin: group.bin,
                noisy: group.noisy,
            }));
        }
        let mut kept = Vec::new();
        for (open, children) in frontier.iter().zip(&passed) {
            if let Some(node) = open.node {
                tree.first_child[node] = tree.len() as u32;
                tree.child_count[node] = children.len() as u32;
            }
            for child in children {
                tree.push(child, plan.deviation_of(child.symbol));
                kept.push(*child);
            }
        }
        if depth == 0 {
            tree.roots = tree.len();
        }
        progress.advance(1);
        if kept.is_empty() || depth + 1 == plans.len() {
            break;
        }
        let held: Vec<usize> = kept.iter().filter_map(|child| child.held).collect();
        exact = counts.descend(&held)?;
        let mut answered = 0..;
        frontier = kept
            .iter()
            .enumerate()
            .map(|(at, child)| Open {
                node: Some(first_new + at),
                symbol: Some(child.symbol),
                answer: child.held.and_then(|_| answered.next()),
            })
            .collect();
    }
    progress.end();
    Ok(tree)
}

/// Under a cap, expands only as many nodes as are expected to fit, those with the greatest noisy
/// counts first. This looks at released numbers and public inputs only.
fn keep_within(frontier: &mut Vec<Open>, tree: &Tree, room: usize, plan: &LevelPlan) {
    let each = 1.0 + plan.false_children();
    let most = ((room as f64 / each).ceil() as usize).max(1);
    if frontier.len() <= most {
        return;
    }
    let count = |open: &Open| open.node.map_or(i64::MAX, |node| tree.noisy[node]);
    let mut order: Vec<usize> = (0..frontier.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(count(&frontier[at])), at));
    order.truncate(most);
    order.sort_unstable();
    *frontier = order.into_iter().map(|at| frontier[at]).collect();
}

/// Keeps the children with the greatest noisy counts of a level, the first ones among equals.
fn keep_largest(passed: &mut [Vec<Passed>], room: usize) {
    let mut order: Vec<(std::cmp::Reverse<i64>, usize, usize)> = Vec::new();
    for (parent, children) in passed.iter().enumerate() {
        for (at, child) in children.iter().enumerate() {
            order.push((std::cmp::Reverse(child.noisy), parent, at));
        }
    }
    order.sort_unstable();
    order.truncate(room);
    let mut stays: Vec<Vec<bool>> = passed.iter().map(|own| vec![false; own.len()]).collect();
    for (_, parent, at) in order {
        stays[parent][at] = true;
    }
    for (children, stays) in passed.iter_mut().zip(stays) {
        let mut stays = stays.into_iter();
        children.retain(|_| stays.next().unwrap_or(false));
    }
}

fn pass_level(
    frontier: &[Open],
    exact: &Level,
    plan: &LevelPlan,
    random: &mut RandomSource,
) -> (Vec<Vec<Passed>>, Vec<Vec<PassedGroup>>) {
    let streams = random.streams(frontier.len().div_ceil(NODES_PER_STREAM));
    frontier
        .par_chunks(NODES_PER_STREAM)
        .zip(streams)
        .flat_map_iter(|(nodes, mut stream)| {
            nodes
                .iter()
                .map(|open| {
                    let children = open.answer.map_or(0..0, |node| exact.children(node));
                    let asked = ask(open.symbol, exact, children, plan, &mut stream);
                    (asked.passed, asked.groups)
                })
                .collect::<Vec<_>>()
        })
        .unzip()
}
