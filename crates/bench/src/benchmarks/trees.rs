//! The trees, from data in memory to a release in memory, beside merely sorting the data.
//!
//! The floor is what a careful programmer would do first: rayon's parallel sort of the same
//! trajectories, cut at the same height. Ours charges, counts, draws noise, infers and emits
//! synthetic trajectories.

use wayveil_core::{Budget, Dataset, NonPrivate, RandomSource, Raw, Silent, Terms, publish};
use wayveil_mechanisms::{Parameters, find};

use rayon::prelude::*;

use super::stm::{size, stm};
use super::{Benchmark, Effort};
use crate::memory;
use crate::report::Comparison;
use crate::rounds::{Times, Work, interleaved};

const HEIGHT: usize = 20;
const METHODS: [&str; 2] = ["prefix-tree", "hybrid-tree"];

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "trees",
    about: "publishing in memory by both trees, beside sorting the same trajectories",
    run: standard,
};

pub(super) const BY_RECORDS: Benchmark = Benchmark {
    name: "trees-by-records",
    about: "publishing in memory by both trees, for 0.4 to 1.2 million records",
    run: by_records,
};

pub(super) const BY_LOCATIONS: Benchmark = Benchmark {
    name: "trees-by-locations",
    about: "publishing in memory by both trees, for 500 to 8,000 locations",
    run: by_locations,
};

fn standard(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    let raw = stm(records, None)?;
    let loaded = memory::peak_rss_bytes().map_err(|e| e.to_string())?;
    let mut comparisons = Vec::new();
    for method in METHODS {
        // Before sorting has filled the allocator.
        memory::reset_peak().map_err(|e| e.to_string())?;
        publish_by(method, &raw)?;
        let peak = memory::peak_rss_bytes().map_err(|e| e.to_string())?;
        let one = |bytes: u64| Times::new(vec![bytes as f64 / f64::from(1 << 20)]);
        comparisons.push(Comparison {
            case: format!("{method}, peak memory"),
            unit: "MiB",
            peer_name: "data loaded",
            ours: one(peak).ok_or("no value")?,
            peer: one(loaded).ok_or("no value")?,
            goal: "below 1024 MiB",
        });
    }
    for method in METHODS {
        let case = format!("{method}, {records} records");
        comparisons.push(compare(method, &raw, rounds, case)?);
    }
    Ok(comparisons)
}

fn by_records(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    sweep((2..=6).map(|fifth| (records * fifth / 6, None)), rounds)
}

fn by_locations(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    sweep(
        [500, 1000, 2000, 4000, 8000].map(|locations| (records, Some(locations))),
        rounds,
    )
}

fn sweep(
    sizes: impl IntoIterator<Item = (u64, Option<u32>)>,
    rounds: usize,
) -> Result<Vec<Comparison>, String> {
    let mut comparisons = Vec::new();
    for (records, locations) in sizes {
        let raw = stm(records, locations)?;
        for method in METHODS {
            let case = match locations {
                Some(locations) => format!("{method}, {locations} locations"),
                None => format!("{method}, {records} records"),
            };
            comparisons.push(compare(method, &raw, rounds, case)?);
        }
    }
    Ok(comparisons)
}

fn compare(
    method: &str,
    raw: &Raw<Dataset>,
    rounds: usize,
    case: String,
) -> Result<Comparison, String> {
    let because = NonPrivate::because("sorts generated data, to be compared with");
    let timed = raw.inspect(because, |data| {
        let trips = data.trips();
        let cut: Vec<&[u32]> = trips.iter().map(|r| &r[..r.len().min(HEIGHT)]).collect();
        // Copies are made beforehand: the floor is sorting alone.
        let mut copies = vec![cut; rounds + 1];
        let mut sort = || {
            let mut own = copies.pop().ok_or("no copy is left")?;
            own.par_sort_unstable();
            Ok(())
        };
        let mut ours = || publish_by(method, raw);
        interleaved(
            rounds,
            Work {
                run: &mut ours,
                units: 1_000_000,
            },
            Work {
                run: &mut sort,
                units: 1_000_000,
            },
        )
    });
    let (ours, peer) = timed.for_publisher_only()?;
    let goal = "peer/ours at least 0.67";
    Ok(Comparison {
        case,
        unit: "ms",
        peer_name: "parallel sort",
        ours,
        peer,
        goal,
    })
}

fn publish_by(method: &str, raw: &Raw<Dataset>) -> Result<(), String> {
    let run = || {
        let entry = find(method)?;
        let height = HEIGHT.to_string();
        let given = [("epsilon", "1"), ("height", height.as_str())];
        let mechanism = (entry.build)(&Parameters::new(entry.parameters, given)?)?;
        let mut budget = Budget::without_allowance();
        let mut random = RandomSource::insecure_seed(1);
        let terms = Terms::default();
        publish(
            raw,
            mechanism.as_ref(),
            &terms,
            &mut budget,
            &mut random,
            &Silent,
        )
    };
    run()
        .map(drop)
        .map_err(|e: wayveil_core::Error| e.to_string())
}
