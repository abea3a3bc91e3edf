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
use crate::growth::Size;
use crate::memory;
use crate::report::{Comparison, Goal};
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

pub(super) const BY_HEIGHT: Benchmark = Benchmark {
    name: "trees-by-height",
    about: "publishing in memory by both trees, for heights from 4 to 20",
    run: by_height,
};

fn standard(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    let raw = stm(records, None)?;
    let loaded = memory::peak_rss_bytes().map_err(|e| e.to_string())?;
    let mut comparisons = Vec::new();
    for method in METHODS {
        // Before sorting has filled the allocator.
        memory::reset_peak().map_err(|e| e.to_string())?;
        publish_by(method, HEIGHT, &raw)?;
        let peak = memory::peak_rss_bytes().map_err(|e| e.to_string())?;
        let one = |bytes: u64| Times::new(vec![bytes as f64 / f64::from(1 << 20)]);
        comparisons.push(Comparison {
            case: format!("{method}, peak memory"),
            unit: "MiB",
            peer_name: "data loaded",
            ours: one(peak).ok_or("no value")?,
            peer: one(loaded).ok_or("no value")?,
            goal: Goal::at_most(1024.0),
            size: None,
        });
    }
    for method in METHODS {
        let case = format!("{method}, {records} records");
        comparisons.push(compare(method, &raw, HEIGHT, rounds, case)?);
    }
    Ok(comparisons)
}

fn by_records(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    let sizes = (2..=6).map(|fifth| records * fifth / 6);
    let cases = sizes.map(|records| Case {
        size: ("records", records as f64),
        ..Case::whole(records)
    });
    sweep(cases, rounds)
}

fn by_locations(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    let cases = [500, 1000, 2000, 4000, 8000].map(|locations| Case {
        locations: Some(locations),
        size: ("locations", f64::from(locations)),
        ..Case::whole(records)
    });
    sweep(cases, rounds)
}

fn by_height(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    let cases = [4, 8, 12, 16, 20].map(|height: u32| Case {
        height: height as usize,
        size: ("levels", f64::from(height)),
        ..Case::whole(records)
    });
    sweep(cases, rounds)
}

/// One point of a sweep.
struct Case {
    records: u64,
    locations: Option<u32>,
    height: usize,
    /// What is varied, and its value here.
    size: (&'static str, f64),
}

impl Case {
    fn whole(records: u64) -> Self {
        Self {
            records,
            locations: None,
            height: HEIGHT,
            size: ("", 0.0),
        }
    }
}

fn sweep(cases: impl IntoIterator<Item = Case>, rounds: usize) -> Result<Vec<Comparison>, String> {
    let mut comparisons = Vec::new();
    for case in cases {
        let raw = stm(case.records, case.locations)?;
        let (of, value) = case.size;
        for method in METHODS {
            let name = format!("{method}, {value} {of}");
            let compared = compare(method, &raw, case.height, rounds, name)?;
            comparisons.push(Comparison {
                size: Size::new(of, value, method),
                ..compared
            });
        }
    }
    Ok(comparisons)
}

fn compare(
    method: &str,
    raw: &Raw<Dataset>,
    height: usize,
    rounds: usize,
    case: String,
) -> Result<Comparison, String> {
    let because = NonPrivate::because("sorts generated data, to be compared with");
    let timed = raw.inspect(because, |data| {
        let trips = data.trips();
        let cut: Vec<&[u32]> = trips.iter().map(|r| &r[..r.len().min(height)]).collect();
        // Copies are made beforehand: the floor is sorting alone.
        let mut copies = vec![cut; rounds + 1];
        let mut sort = || {
            let mut own = copies.pop().ok_or("no copy is left")?;
            own.par_sort_unstable();
            Ok(())
        };
        let mut ours = || publish_by(method, height, raw);
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
    Ok(Comparison {
        case,
        unit: "ms",
        peer_name: "parallel sort",
        ours,
        peer,
        goal: Goal::ratio(0.67),
        size: None,
    })
}

fn publish_by(method: &str, height: usize, raw: &Raw<Dataset>) -> Result<(), String> {
    let run = || {
        let entry = find(method)?;
        let height = height.to_string();
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
