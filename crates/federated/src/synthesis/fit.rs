//! Factors moved until drawn supports are the released counts.

use rayon::prelude::*;
use wayveil_core::RandomSource;

use super::automaton::{Automaton, ROOT};
use super::draw::Tables;
use super::flows::Flows;

/// Trial draws.
const ROUNDS: usize = 60;
/// Rounds with full steps; later ones are smaller, so that the chance of single rounds averages out.
const FULL_ROUNDS: usize = 30;
/// The share of the way that a full step goes.
const STEP: f64 = 0.5;
/// Trajectories drawn in one round, at least and at most.
const FEWEST: usize = 256;
const MOST: usize = 100_000;
/// Between these, so many for each trajectory that is wanted: the chance of a round is then a quarter
/// of that of the result, and less over all rounds.
const FOR_EACH: usize = 16;
/// Trajectories drawn from one stream.
const PIECE: usize = 4_096;
/// The greatest change in one round, and the bounds of factors, both ways.
const GREATEST_CHANGE: f64 = 4.0;
const GREATEST_FACTOR: f64 = 1e6;

/// How frequent an extension that was not released may become, as a share of the rarest released
/// fragment of its length: it lies below the threshold, most likely not far below.
const BOUND: f64 = 0.75;
/// Starts and jumps are only some of the visits, so that supports follow them slowly: their steps are
/// so many times larger.
const START_GAIN: f64 = 2.0;
const LEAVING_GAIN: f64 = 8.0;

/// The weights of a chain.
#[derive(Clone, Debug)]
pub(super) struct Model<'a> {
    automaton: &'a Automaton,
    pub(super) flows: Flows,
    /// By node: of one location, the factor of starts and jumps to it; of more, the factor of its
    /// last location behind the others.
    pub(super) factors: Vec<f64>,
    /// By way: a factor of at most 1 for an extension that was not released.
    pub(super) dampings: Vec<f64>,
    /// By way: the greatest count of an extension that was not released.
    bounds: Vec<Option<u64>>,
    /// The factor of all jumps.
    pub(super) leaving: f64,
}

/// What trial trajectories hold.
struct Supports {
    nodes: Vec<u64>,
    ways: Vec<u64>,
}

impl<'a> Model<'a> {
    /// The first guess.
    pub(super) fn new(automaton: &'a Automaton) -> Self {
        let nodes = automaton.nodes();
        let longest = nodes.iter().map(|node| node.length).max().unwrap_or(0);
        let mut rarest: Vec<Option<u64>> = vec![None; longest + 2];
        for node in nodes.iter().filter(|node| node.released) {
            let rarest = &mut rarest[node.length];
            *rarest = Some(rarest.map_or(node.count, |count| count.min(node.count)));
        }
        let mut bounds = Vec::new();
        for (context, node) in (0..).zip(nodes) {
            let bound = |&target: &u32| {
                let released = automaton.node(target).length > node.length;
                rarest[node.length + 1]
                    .filter(|_| !released)
                    .map(|rarest| (BOUND * rarest as f64) as u64)
            };
            bounds.extend(automaton.targets(context).iter().map(bound));
        }
        let guess = |node: &super::automaton::Node| {
            if node.length < 3 {
                return 1.0;
            }
            let count = |node: u32| automaton.node(node).count as f64;
            let inner = count(automaton.node(node.link).parent);
            node.count as f64 * inner / (count(node.link) * count(node.parent))
        };
        Self {
            automaton,
            flows: Flows::guess(automaton),
            factors: nodes.iter().map(guess).collect(),
            dampings: vec![1.0; automaton.ways()],
            bounds,
            leaving: 1.0,
        }
    }

    /// Moves the factors.
    pub(super) fn fit(&mut self, records: usize, longest: usize, random: &mut RandomSource) {
        let size = records.saturating_mul(FOR_EACH).clamp(FEWEST, MOST);
        let share = size as f64 / self.automaton.clients() as f64;
        let nodes = self.automaton.nodes();
        for round in 0..ROUNDS {
            let step = STEP * (FULL_ROUNDS as f64 / (round + 1) as f64).min(1.0);
            let moved = |factor: f64, wanted: u64, drawn: u64, gain: f64| {
                // Half a trajectory more on both sides: nothing drawn is not a ratio of infinity.
                let ratio = (wanted as f64 * share + 0.5) / (drawn as f64 + 0.5);
                let change = 1.0 + step * gain * (ratio - 1.0);
                let factor = factor * change.clamp(1.0 / GREATEST_CHANGE, GREATEST_CHANGE);
                factor.clamp(1.0 / GREATEST_FACTOR, GREATEST_FACTOR)
            };
            let drawn = self.trial(size, longest, random);
            for ((node, factor), &drawn) in nodes.iter().zip(&mut self.factors).zip(&drawn.nodes) {
                if node.released {
                    let gain = if node.length == 1 { START_GAIN } else { 1.0 };
                    *factor = moved(*factor, node.count, drawn, gain);
                }
            }
            for ((bound, factor), &drawn) in
                (self.bounds.iter().zip(&mut self.dampings)).zip(&drawn.ways)
            {
                if let Some(bound) = bound {
                    *factor = moved(*factor, *bound, drawn, 1.0).min(1.0);
                }
            }
            let singles = nodes.iter().zip(&drawn.nodes);
            let (wanted, drawn) = singles
                .filter(|(node, _)| node.length == 1 && node.released)
                .fold((0, 0), |sums, (node, drawn)| {
                    (sums.0 + node.count, sums.1 + drawn)
                });
            self.leaving = moved(self.leaving, wanted, drawn, LEAVING_GAIN);
        }
    }

    /// How many of `size` freshly drawn trajectories hold each fragment and each extension that was not
    /// released.
    fn trial(&self, size: usize, longest: usize, random: &mut RandomSource) -> Supports {
        let tables = Tables::new(self.automaton, self);
        let none = || Supports {
            nodes: vec![0; self.factors.len()],
            ways: vec![0; self.bounds.len()],
        };
        let streams = random.streams(size.div_ceil(PIECE));
        streams
            .into_par_iter()
            .enumerate()
            .map(|(piece, mut stream)| {
                let (mut counts, mut last) = (none(), none());
                for record in 1..=PIECE.min(size - piece * PIECE) as u64 {
                    tables.walk(longest, &mut stream, |node, taken| {
                        self.meet(record, node, taken, &mut counts, &mut last);
                    });
                }
                counts
            })
            .reduce(none, |mut left, right| {
                let add = |left: &mut Vec<u64>, right: Vec<u64>| {
                    left.iter_mut().zip(right).for_each(|(l, r)| *l += r);
                };
                add(&mut left.nodes, right.nodes);
                add(&mut left.ways, right.ways);
                left
            })
    }

    /// Counts what a record holds at a place, once for each record. Where something was met before in
    /// the record, so were the parts at its end.
    fn meet(
        &self,
        record: u64,
        mut node: u32,
        taken: Option<(u32, usize)>,
        counts: &mut Supports,
        last: &mut Supports,
    ) {
        if let Some((mut context, way)) = taken {
            while let Some(first) = self.automaton.first_way(context) {
                let way = first + way;
                if self.bounds[way].is_none() || last.ways[way] == record {
                    break;
                }
                last.ways[way] = record;
                counts.ways[way] += 1;
                context = self.automaton.node(context).link;
            }
        }
        while node != ROOT && last.nodes[node as usize] != record {
            last.nodes[node as usize] = record;
            counts.nodes[node as usize] += 1;
            node = self.automaton.node(node).link;
        }
    }
}
