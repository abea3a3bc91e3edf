//! The closed set of largest gain in a directed graph, by a minimum cut (Picard 1976).
//!
//! A set is closed if with a node it holds all that its arcs lead to. Let what gains flow along the
//! arcs to what loses: a maximal flow leaves over what can be gained net of what must come along, and
//! the best set is what can still be reached from gains that are left over.

/// Who is in the set must have `to` in it as well.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) from: usize,
    pub(super) to: usize,
}

/// The smallest of the closed sets with the largest Σ gain; empty if none gains.
pub(super) fn largest(gains: &[f64], arcs: &[Arc]) -> Vec<bool> {
    let mut flow = Flow::new(gains, arcs);
    while flow.measure() {
        flow.push_all();
    }
    flow.level.iter().map(|&level| level != UNREACHED).collect()
}

const UNREACHED: u32 = u32::MAX;

/// Dinic's algorithm (1970). A path's bottleneck is set to zero by subtracting it from itself, which is
/// exact in floats, so rounding cannot keep a round from ending.
struct Flow<'a> {
    arcs: &'a [Arc],
    /// Of every node, the arcs that leave it and that enter it, from `first[node]` on.
    touching: Vec<usize>,
    first: Vec<usize>,
    /// What a node has left to give, and what it can still take.
    supply: Vec<f64>,
    demand: Vec<f64>,
    /// On each arc; as much can be sent back.
    sent: Vec<f64>,
    /// How many arcs away from the nearest supply.
    level: Vec<u32>,
    queue: Vec<usize>,
}

impl<'a> Flow<'a> {
    fn new(gains: &[f64], arcs: &'a [Arc]) -> Self {
        let mut first = vec![0; gains.len() + 1];
        for arc in arcs {
            first[arc.from + 1] += 1;
            first[arc.to + 1] += 1;
        }
        for node in 0..gains.len() {
            first[node + 1] += first[node];
        }
        let mut free = first.clone();
        let mut touching = vec![0; 2 * arcs.len()];
        for (index, arc) in arcs.iter().enumerate() {
            for node in [arc.from, arc.to] {
                touching[free[node]] = index;
                free[node] += 1;
            }
        }
        Self {
            arcs,
            touching,
            first,
            supply: gains.iter().map(|gain| gain.max(0.0)).collect(),
            demand: gains.iter().map(|gain| (-gain).max(0.0)).collect(),
            sent: vec![0.0; arcs.len()],
            level: Vec::new(),
            queue: Vec::new(),
        }
    }

    /// Where one gets from `node` by its arc, and how much can be moved.
    fn across(&self, node: usize, arc: usize) -> (usize, f64) {
        let Arc { from, to } = self.arcs[arc];
        if from == node {
            (to, f64::INFINITY)
        } else {
            (from, self.sent[arc])
        }
    }

    /// Finds the levels; whether a demand can be reached.
    fn measure(&mut self) -> bool {
        self.level.clear();
        self.level.resize(self.supply.len(), UNREACHED);
        self.queue.clear();
        for (node, &supply) in self.supply.iter().enumerate() {
            if supply > 0.0 {
                self.level[node] = 0;
                self.queue.push(node);
            }
        }
        let mut reached = false;
        let mut head = 0;
        while let Some(&node) = self.queue.get(head) {
            head += 1;
            reached |= self.demand[node] > 0.0;
            for at in self.first[node]..self.first[node + 1] {
                let (next, room) = self.across(node, self.touching[at]);
                if room > 0.0 && self.level[next] == UNREACHED {
                    self.level[next] = self.level[node] + 1;
                    self.queue.push(next);
                }
            }
        }
        reached
    }

    /// Sends along paths of rising level until none leads to a demand.
    fn push_all(&mut self) {
        let mut cursor = self.first.clone();
        for root in 0..self.supply.len() {
            while self.supply[root] > 0.0 {
                let Some(path) = self.path(root, &mut cursor) else {
                    break;
                };
                self.send(root, &path);
            }
        }
    }

    /// Arcs from `root` to a node with demand. What the cursors have passed leads nowhere.
    fn path(&self, root: usize, cursor: &mut [usize]) -> Option<Vec<usize>> {
        let mut path = Vec::new();
        let mut nodes = vec![root];
        while let Some(&node) = nodes.last() {
            if self.demand[node] > 0.0 {
                return Some(path);
            }
            let onward = (cursor[node]..self.first[node + 1]).find(|&at| {
                let (next, room) = self.across(node, self.touching[at]);
                room > 0.0 && self.level[next] == self.level[node] + 1
            });
            if let Some(at) = onward {
                cursor[node] = at;
                path.push(self.touching[at]);
                nodes.push(self.across(node, self.touching[at]).0);
            } else {
                cursor[node] = self.first[node + 1];
                nodes.pop();
                path.pop();
                if let Some(&before) = nodes.last() {
                    cursor[before] += 1;
                }
            }
        }
        None
    }

    fn send(&mut self, root: usize, path: &[usize]) {
        let mut node = root;
        let mut amount = self.supply[root];
        for &arc in path {
            let (next, room) = self.across(node, arc);
            amount = amount.min(room);
            node = next;
        }
        amount = amount.min(self.demand[node]);
        self.demand[node] -= amount;
        self.supply[root] -= amount;
        node = root;
        for &arc in path {
            let forward = self.arcs[arc].from == node;
            node = self.across(node, arc).0;
            self.sent[arc] += if forward { amount } else { -amount };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn gain_of(set: usize, gains: &[f64]) -> f64 {
        let members = gains.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
        members.map(|(_, gain)| gain).sum()
    }

    fn is_closed(set: usize, arcs: &[Arc]) -> bool {
        arcs.iter()
            .all(|arc| set >> arc.from & 1 == 0 || set >> arc.to & 1 == 1)
    }

    #[test]
    fn by_hand() {
        // 0 gains 3 and needs 1, which costs 2; 2 gains 1 and needs 3, which costs 2.
        let arcs = [Arc { from: 0, to: 1 }, Arc { from: 2, to: 3 }];
        let found = largest(&[3.0, -2.0, 1.0, -2.0], &arcs);
        assert_eq!(found, [true, true, false, false]);
        assert!(largest(&[], &[]).is_empty());
    }

    proptest! {
        #[test]
        fn as_by_brute_force(
            gains in prop::collection::vec((-20_i32..20).prop_map(f64::from), 1..10),
            ends in prop::collection::vec((0_usize..10, 0_usize..10), 0..25),
        ) {
            let arcs: Vec<Arc> = ends
                .into_iter()
                .map(|(from, to)| Arc { from: from % gains.len(), to: to % gains.len() })
                .filter(|arc| arc.from != arc.to)
                .collect();
            let found = largest(&gains, &arcs)
                .iter()
                .enumerate()
                .fold(0, |set, (i, &inside)| set | usize::from(inside) << i);
            prop_assert!(is_closed(found, &arcs));
            let closed = (0..1_usize << gains.len()).filter(|&set| is_closed(set, &arcs));
            let best = closed.map(|set| gain_of(set, &gains)).fold(0.0, f64::max);
            prop_assert_eq!(gain_of(found, &gains), best);
        }
    }
}
