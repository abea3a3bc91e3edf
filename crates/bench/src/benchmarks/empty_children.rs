//! The empty children of one node: the short way beside visiting each of them.
//!
//! The peer is the plain algorithm with our own sampler, so the ratio shows what the short way saves
//! and nothing else. Thresholds are those of a tree with scale-12 noise and half a false child a node.

use std::hint::black_box;

use wayveil_noise::{DiscreteLaplace, EmptyChildren, RandomSource, Rate, auto_threshold};

use super::{Benchmark, Effort};
use crate::report::{Comparison, Goal};
use crate::rounds::{Work, interleaved};

const CHILDREN: [u64; 3] = [68, 1_012, 24_288];

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "empty-children",
    about: "empty children that pass a threshold, beside visiting all",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    CHILDREN
        .iter()
        .map(|&children| compare(children, effort))
        .collect()
}

fn compare(children: u64, effort: Effort) -> Result<Comparison, String> {
    let (rounds, visits) = match effort {
        Effort::Quick => (5, 400_000),
        Effort::Full => (15, 4_000_000),
    };
    let peer_nodes = visits / children;
    let nodes = peer_nodes * 20;
    let rate = Rate::new(1, 12).map_err(|e| e.to_string())?;
    let noise = DiscreteLaplace::new(rate);
    let threshold = auto_threshold(&rate, children, (1, 2)).map_err(|e| e.to_string())?;
    let least = i64::try_from(threshold).map_err(|e| e.to_string())?;
    let mut source = RandomSource::os().map_err(|e| e.to_string())?;
    let (mut our_rng, mut peer_rng) = (source.stream(), source.stream());
    let empty = EmptyChildren::new(noise, threshold);
    let mut ours = || {
        for _ in 0..nodes {
            black_box(empty.draw(children, &mut our_rng));
        }
        Ok(())
    };
    let mut peer = || {
        for _ in 0..peer_nodes {
            let noisy = (0..children).map(|rank| (rank, noise.sample(&mut peer_rng)));
            black_box(noisy.filter(|&(_, x)| x >= least).collect::<Vec<_>>());
        }
        Ok(())
    };
    let (ours, peer) = interleaved(
        rounds,
        Work {
            run: &mut ours,
            units: nodes,
        },
        Work {
            run: &mut peer,
            units: peer_nodes,
        },
    )?;
    Ok(Comparison {
        case: format!("{children} children"),
        unit: "ns/node",
        peer_name: "visiting",
        ours,
        peer,
        goal: Goal::ratio(1.0),
        size: None,
    })
}
