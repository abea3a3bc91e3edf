//! Draws from integer weights.

use std::num::NonZeroU64;

use rand_core::Rng;
use rayon::prelude::*;
use wayveil_core::{RandomSource, Sequences};
use wayveil_noise::below;

use super::Public;
use super::automaton::{Automaton, ROOT};
use super::fit::Model;

/// What the weights of one choice add up to, about.
const WHOLE: f64 = (1_u64 << 40) as f64;
/// Trajectories drawn from one stream.
const PIECE: usize = 16_384;

/// Running sums of integer weights.
#[derive(Clone, Debug, Default)]
struct Choice(Vec<u64>);

impl Choice {
    fn new(weights: &[f64]) -> Self {
        let sum: f64 = weights.iter().sum();
        let mut running = 0;
        let add = |weight: &f64| {
            // A conversion of a float saturates, and what is not a number becomes 0.
            running += (weight / sum * WHOLE) as u64;
            running
        };
        Self(weights.iter().map(add).collect())
    }

    /// The place of a weight, in proportion; none if all are 0.
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<usize> {
        let total = NonZeroU64::new(*self.0.last()?)?;
        let drawn = below(total, rng);
        Some(self.0.partition_point(|&sum| sum <= drawn))
    }

    /// The same without one of the places.
    fn draw_other<R: Rng + ?Sized>(&self, but: usize, rng: &mut R) -> Option<usize> {
        let before = if but == 0 { 0 } else { self.0[but - 1] };
        let width = self.0[but] - before;
        let total = NonZeroU64::new(self.0.last()? - width)?;
        let drawn = below(total, rng);
        let drawn = if drawn < before { drawn } else { drawn + width };
        Some(self.0.partition_point(|&sum| sum <= drawn))
    }
}

/// A chain, ready to be drawn from.
pub(super) struct Tables<'a> {
    automaton: &'a Automaton,
    /// The empty trajectory, then every single location.
    start: Choice,
    /// Every single location.
    jump: Choice,
    /// By context: to end, to jump, then every follower.
    onward: Vec<Choice>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(automaton: &'a Automaton, model: &Model<'_>) -> Self {
        let flows = &model.flows;
        let fitted = |weights: &[f64]| -> Vec<f64> {
            let factors = &model.factors[1..];
            weights.iter().zip(factors).map(|(w, f)| w * f).collect()
        };
        let mut start = vec![flows.nowhere];
        start.extend(fitted(&flows.begin));
        let mut onward = vec![Choice::default(); automaton.nodes().len()];
        // Weights of followers by context, for the contexts that are longer by one.
        let mut known: Vec<Vec<f64>> = vec![Vec::new(); automaton.nodes().len()];
        let mut dampings = model.dampings.iter();
        for (context, node) in (0_u32..).zip(automaton.nodes()) {
            if context == ROOT || automaton.context(context) != context {
                continue;
            }
            let targets = automaton.targets(context).iter().enumerate();
            let weights: Vec<f64> = targets
                .zip(&mut dampings)
                .map(|((way, &target), damping)| {
                    let shorter = match node.length {
                        1 => automaton.node(target).count as f64,
                        _ => known[node.link as usize][way],
                    };
                    let extended = automaton.node(target).length > node.length;
                    let factor = if extended {
                        model.factors[target as usize]
                    } else {
                        1.0
                    };
                    shorter * factor * damping
                })
                .collect();
            let single = automaton.single(node.last) as usize - 1;
            let mut all = vec![flows.end[single], flows.leave[single] * model.leaving];
            all.extend(&weights);
            onward[context as usize] = Choice::new(&all);
            known[context as usize] = weights;
        }
        Self {
            automaton,
            start: Choice::new(&start),
            jump: Choice::new(&fitted(&flows.arrive)),
            onward,
        }
    }

    /// Draws one trajectory and shows, for each of its locations, the longest fragment it then ends
    /// with, and which way was taken from which context, if it was one of the ways.
    pub(super) fn walk<R: Rng + ?Sized>(
        &self,
        longest: usize,
        rng: &mut R,
        mut show: impl FnMut(u32, Option<(u32, usize)>),
    ) {
        let automaton = self.automaton;
        let (mut node, mut taken) = match self.start.draw(rng) {
            None | Some(0) => return,
            Some(single) => (single as u32, None),
        };
        for length in 1..=longest {
            show(node, taken);
            if length == longest {
                return;
            }
            let context = automaton.context(node);
            let way = match self.onward[context as usize].draw(rng) {
                None | Some(0) => return,
                Some(1) => {
                    let last = automaton.single(automaton.node(context).last);
                    let Some(other) = self.jump.draw_other(last as usize - 1, rng) else {
                        return;
                    };
                    node = other as u32 + 1;
                    automaton.follower(context, automaton.node(node).last)
                }
                Some(onward) => Some(onward - 2),
            };
            taken = way.map(|way| (context, way));
            if let Some(way) = way {
                node = automaton.targets(context)[way];
            }
        }
    }

    /// Draws all trajectories.
    pub(super) fn sequences(&self, public: &Public, random: &mut RandomSource) -> Sequences {
        let streams = random.streams(public.records.div_ceil(PIECE));
        let pieces: Vec<(Vec<usize>, Vec<u32>)> = streams
            .into_par_iter()
            .enumerate()
            .map(|(piece, mut stream)| {
                let (mut lengths, mut codes) = (Vec::new(), Vec::new());
                for _ in 0..PIECE.min(public.records - piece * PIECE) {
                    let before = codes.len();
                    self.walk(public.longest, &mut stream, |node, _| {
                        codes.push(self.automaton.node(node).last);
                    });
                    lengths.push(codes.len() - before);
                }
                (lengths, codes)
            })
            .collect();
        let mut sequences = Sequences::empty(false);
        for (lengths, codes) in &pieces {
            let mut rest = codes.as_slice();
            for &length in lengths {
                let (record, after) = rest.split_at(length);
                sequences.push(record, &[]);
                rest = after;
            }
        }
        sequences
    }
}
