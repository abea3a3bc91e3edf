//! Merging equal journeys, beside a plain sort of them.

use std::hint::black_box;
use std::num::NonZeroU64;

use rayon::prelude::*;
use wayveil_core::{RandomSource, Sequences};
use wayveil_mechanisms::generalize::merge::merge;
use wayveil_noise::{Stream, below};

use super::{Benchmark, Effort};
use crate::report::{Comparison, Goal};
use crate::rounds::{Work, interleaved};

/// From nanoseconds to milliseconds.
const MILLISECONDS: u64 = 1_000_000;
const CLUSTERS: u64 = 20;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "merge",
    about: "merging equal journeys, beside a plain sort of them",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, number) = match effort {
        Effort::Quick => (3, 50_000),
        Effort::Full => (9, 1_000_000),
    };
    let cases = [
        ("5 clusters each, most journeys equal", 5..=5, 10),
        ("8 to 40 clusters each, most different", 8..=40, 10),
        ("40 clusters each, long stays", 40..=40, 1),
    ];
    let compare = |(case, lengths, moves): (&str, std::ops::RangeInclusive<u64>, u64)| {
        let mut rng = RandomSource::insecure_seed(12).stream();
        let journeys = journeys(number, *lengths.start(), *lengths.end(), moves, &mut rng);
        let mut ours = || {
            black_box(merge(&journeys, None).map_err(|e| e.to_string())?);
            Ok(())
        };
        let mut floor = || {
            let mut sorted: Vec<&[u32]> = journeys.iter().collect();
            sorted.par_sort_unstable();
            black_box(sorted);
            Ok(())
        };
        let (ours, peer) = interleaved(rounds, work(&mut ours), work(&mut floor))?;
        Ok(Comparison {
            case: format!("{number} journeys, {case}"),
            unit: "ms",
            peer_name: "plain sort",
            ours,
            peer,
            goal: Goal::ratio(1.0 / 3.0),
            size: None,
        })
    };
    cases.into_iter().map(compare).collect()
}

fn work(run: &mut dyn FnMut() -> Result<(), String>) -> Work<'_> {
    Work {
        run,
        units: MILLISECONDS,
    }
}

/// Journeys through neighbouring clusters; with `moves` in twenty each point moves on.
fn journeys(number: u64, shortest: u64, longest: u64, moves: u64, rng: &mut Stream) -> Sequences {
    let mut upto = |most: u64| NonZeroU64::new(most).map_or(0, |most| below(most, rng));
    let mut journeys = Sequences::empty(false);
    let mut journey = Vec::new();
    for _ in 0..number {
        journey.clear();
        let length = shortest + upto(longest - shortest + 1);
        // Some clusters are busier than others.
        let mut cluster = upto(CLUSTERS).min(upto(CLUSTERS));
        for _ in 0..length {
            journey.push(cluster as u32);
            if upto(20) < moves {
                cluster = (cluster + 1 + upto(2)) % CLUSTERS;
            }
        }
        journeys.push(&journey, &[]);
    }
    journeys
}
