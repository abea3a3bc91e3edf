//! The papers' count queries through the index, beside a scan for each.
//!
//! Ours builds the index and answers all queries with it. The peer looks at every record, in
//! parallel, and stops at a record's first missing location; it answers some of the queries, evenly
//! chosen, and is counted per query. Before any timing both must give the same answers.

use std::hint::black_box;

use wayveil_core::{NonPrivate, Sequences};
use wayveil_evaluate::query::{SetIndex, count_set, random_sets};

use super::stm::{size, stm};
use super::{Benchmark, Effort};
use crate::report::{Comparison, Goal};
use crate::rounds::{Work, interleaved};

const QUERIES: usize = 40_000;
const LONGEST: usize = 12;
/// Queries that are scanned for.
const SCANNED: usize = 100;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "queries",
    about: "40,000 count queries with the index built, beside a scan for each",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    let raw = stm(records, None)?;
    let because = NonPrivate::because("asks generated data, to be timed");
    let compared = raw.inspect(because, |data| {
        compare(data.trips(), data.universe().len(), rounds)
    });
    compared.for_publisher_only().map(|one| vec![one])
}

fn compare(trips: &Sequences, locations: usize, rounds: usize) -> Result<Comparison, String> {
    let sets = random_sets(locations, QUERIES, LONGEST, 1).map_err(|e| e.to_string())?;
    let sets = sets.concat();
    let some: Vec<&[u32]> = sets
        .iter()
        .step_by(QUERIES / SCANNED)
        .map(Vec::as_slice)
        .collect();
    let ask = || Ok::<_, wayveil_core::Error>(SetIndex::new(trips, locations)?.counts(&sets));
    let scan = || -> Vec<u64> { some.iter().map(|set| count_set(trips, set)).collect() };
    let answers = ask().map_err(|e| e.to_string())?;
    if !answers.iter().step_by(QUERIES / SCANNED).eq(&scan()) {
        return Err("the index and the scans disagree".into());
    }
    let (ours, peer) = interleaved(
        rounds,
        Work {
            run: &mut || {
                ask()
                    .map(|counts| drop(black_box(counts)))
                    .map_err(|e| e.to_string())
            },
            units: QUERIES as u64,
        },
        Work {
            run: &mut || {
                black_box(scan());
                Ok(())
            },
            units: SCANNED as u64,
        },
    )?;
    Ok(Comparison {
        case: format!("{} records", trips.len()),
        unit: "ns/query",
        peer_name: "scan",
        ours,
        peer,
        goal: Goal::ratio(200.0),
        size: None,
    })
}
