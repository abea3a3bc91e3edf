//! Which released fragment a trajectory ends with, after each location.

use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result, Sequences};

/// The empty fragment.
pub(super) const ROOT: u32 = 0;

/// A released fragment, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Its number of locations.
    pub(super) length: usize,
    pub(super) last: u32,
    /// The fragment without its first location.
    pub(super) link: u32,
    /// The fragment without its last location.
    pub(super) parent: u32,
    /// How many clients hold it; a lower bound if it was not released.
    pub(super) count: u64,
    pub(super) released: bool,
    /// Where its ways on begin among all; none if it is too long for a context.
    ways: Option<usize>,
}

/// All fragments and the ways from each to the next.
///
/// The set is closed under taking parts, so the longest fragment that a trajectory ends with is
/// known from the one before and the new location.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    nodes: Vec<Node>,
    /// By node of one location: the locations that follow it in released fragments, ascending.
    followers: Vec<Vec<u32>>,
    /// For each context, a node for each follower of its last location.
    targets: Vec<u32>,
    /// The nodes of single locations by code.
    singles: FxHashMap<u32, u32>,
    clients: u64,
}

impl Automaton {
    pub(super) fn new(fragments: &Sequences, counts: &[u64], clients: u64) -> Result<Self> {
        let listed = parts(fragments, counts, clients);
        if u32::try_from(listed.len()).is_err() {
            return Err(Error::input("too many fragments to draw trajectories from"));
        }
        let number: FxHashMap<&[u32], u32> = (listed.iter().map(|part| part.codes))
            .zip(1..)
            .chain([(&[][..], ROOT)])
            .collect();
        let longest = listed.last().map_or(0, |part| part.codes.len());
        let contexts = longest.saturating_sub(1).max(1);
        let mut automaton = Self {
            nodes: vec![root(clients)],
            followers: Vec::new(),
            targets: Vec::new(),
            singles: FxHashMap::default(),
            clients,
        };
        for (part, at) in listed.iter().zip(1..) {
            let codes = part.codes;
            automaton.nodes.push(Node {
                length: codes.len(),
                last: codes[codes.len() - 1],
                link: number[&codes[1..]],
                parent: number[&codes[..codes.len() - 1]],
                count: part.count,
                released: part.released,
                ways: None,
            });
            match codes {
                [only] => {
                    automaton.singles.insert(*only, at);
                    automaton.followers.push(Vec::new());
                }
                [first, second] => {
                    let first = automaton.singles[first] as usize - 1;
                    automaton.followers[first].push(*second);
                }
                _ => {}
            }
        }
        let mut longer = Vec::new();
        for (part, at) in listed.iter().zip(1_u32..) {
            if part.codes.len() > contexts {
                break;
            }
            let start = automaton.targets.len();
            for way in 0..automaton.followers(at).len() {
                longer.clear();
                longer.extend_from_slice(part.codes);
                longer.push(automaton.followers(at)[way]);
                // Followers of one location are released behind it, so a shorter context knows.
                let target = number.get(longer.as_slice()).copied();
                let target =
                    target.unwrap_or_else(|| automaton.targets(automaton.node(at).link)[way]);
                automaton.targets.push(target);
            }
            automaton.nodes[at as usize].ways = Some(start);
        }
        Ok(automaton)
    }

    /// Whether nothing was released.
    pub(super) fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    pub(super) fn clients(&self) -> u64 {
        self.clients
    }

    /// The root, then all fragments, shorter ones first.
    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// How many single locations there are: the nodes 1, 2, …, in order of their codes.
    pub(super) fn singles(&self) -> usize {
        self.singles.len()
    }

    /// The node of a single location that is known.
    pub(super) fn single(&self, code: u32) -> u32 {
        self.singles.get(&code).copied().unwrap_or(ROOT)
    }

    /// The locations that may follow a fragment, ascending.
    pub(super) fn followers(&self, node: u32) -> &[u32] {
        match self.single(self.node(node).last) {
            ROOT => &[],
            single => &self.followers[single as usize - 1],
        }
    }

    /// Where each follower leads from a context.
    pub(super) fn targets(&self, context: u32) -> &[u32] {
        let length = self.followers(context).len();
        match self.node(context).ways {
            Some(start) => &self.targets[start..start + length],
            None => &[],
        }
    }

    /// The number of a context's first way, of all ways of all contexts.
    pub(super) fn first_way(&self, context: u32) -> Option<usize> {
        self.node(context).ways
    }

    /// How many ways there are.
    pub(super) fn ways(&self) -> usize {
        self.targets.len()
    }

    /// What the next location is drawn from: the node, or the longest part at its end that is short
    /// enough.
    pub(super) fn context(&self, node: u32) -> u32 {
        match self.node(node).ways {
            Some(_) => node,
            None => self.node(node).link,
        }
    }

    /// Which of a context's followers a location is.
    pub(super) fn follower(&self, context: u32, code: u32) -> Option<usize> {
        self.followers(context).binary_search(&code).ok()
    }
}

fn root(clients: u64) -> Node {
    Node {
        length: 0,
        last: 0,
        link: ROOT,
        parent: ROOT,
        count: clients,
        released: false,
        ways: None,
    }
}

struct Part<'a> {
    codes: &'a [u32],
    count: u64,
    released: bool,
}

/// All parts of fragments with a positive count, by length and codes.
fn parts<'a>(fragments: &'a Sequences, counts: &[u64], clients: u64) -> Vec<Part<'a>> {
    let mut parts: FxHashMap<&[u32], (u64, bool)> = FxHashMap::default();
    for (codes, &count) in fragments.iter().zip(counts) {
        let count = count.min(clients);
        if count == 0 {
            continue;
        }
        parts.insert(codes, (count, true));
    }
    for (codes, &count) in fragments.iter().zip(counts) {
        let count = count.min(clients);
        let lengths = if count == 0 { 0 } else { codes.len() };
        for part in (1..lengths).flat_map(|length| codes.windows(length)) {
            let (known, released) = parts.entry(part).or_insert((count, false));
            if !*released {
                *known = (*known).max(count);
            }
        }
    }
    let mut parts: Vec<Part<'a>> = parts
        .into_iter()
        .map(|(codes, (count, released))| Part {
            codes,
            count,
            released,
        })
        .collect();
    parts.sort_unstable_by_key(|part| (part.codes.len(), part.codes));
    parts
}
