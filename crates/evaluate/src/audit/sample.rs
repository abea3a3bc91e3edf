//! Runs a mechanism many times, on all processors, and gathers what was seen.

use rayon::prelude::*;
use wayveil_core::{Internal, Progress, RandomSource, Rehearsal};

use super::observation::Observation;

/// Runs that share a source of randomness, each with streams of its own below it. A constant, as
/// is the next, so that nothing depends on the number of threads.
const CHUNK: u64 = 64;
/// Chunks that are gathered in order before more are begun.
const CHUNKS: u64 = 64;

/// Runs so many times; `see` adds a run to a gathering, `gather` takes gatherings in order.
pub(super) fn sample<G: Default + Send>(
    rehearsal: &Rehearsal<'_>,
    runs: u64,
    release_wanted: bool,
    random: &mut RandomSource,
    progress: &dyn Progress,
    see: impl Fn(&mut G, Observation) + Sync,
    mut gather: impl FnMut(G),
) {
    let mut left = runs;
    while left > 0 {
        let mut work = Vec::new();
        while left > 0 && (work.len() as u64) < CHUNKS {
            let size = left.min(CHUNK);
            left -= size;
            work.push((random.split(), size));
        }
        let gathered: Vec<G> = work
            .into_par_iter()
            .map(|(mut source, size)| {
                let mut gathering = G::default();
                for _ in 0..size {
                    let outcome = rehearsal.run(&mut source.split());
                    // The data is made up; nobody's secret is looked at.
                    let outcome = Internal::for_publisher_only(outcome);
                    see(&mut gathering, Observation::of(outcome, release_wanted));
                }
                progress.advance(size);
                gathering
            })
            .collect();
        gathered.into_iter().for_each(&mut gather);
    }
}
