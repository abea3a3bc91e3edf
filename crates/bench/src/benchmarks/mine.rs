//! Sequential patterns, beside counting pairs and beside PrefixSpan-py.
//!
//! On generated data the floor is the least that any search for patterns would do: one pass that
//! counts each record's pairs of locations in a table. Where the MSNBC page visits and Python are
//! at hand, the package `prefixspan` mines the same records in the same run; patterns and supports
//! must be equal before anything is timed.

mod peer;

use std::hint::black_box;
use std::path::Path;

use wayveil_core::{NonPrivate, Sequences, Silent};
use wayveil_evaluate::mine::{Pattern, frequent, top_k};

use super::python::Missing;
use super::stm::{size, stm};
use super::{Benchmark, Effort};
use crate::memory;
use crate::msnbc;
use crate::report::{Comparison, Goal};
use crate::rounds::{Times, Work, interleaved};
use peer::Peer;

const MAX_LENGTH: usize = 5;

pub(super) const BENCHMARK: Benchmark = Benchmark {
    name: "mine",
    about: "sequential patterns, beside counting pairs and beside PrefixSpan-py",
    run,
};

fn run(effort: Effort) -> Result<Vec<Comparison>, String> {
    // The peer first: its memory is measured before this process has grown.
    let mut comparisons = match beside_peer(effort) {
        Ok(comparisons) => comparisons,
        Err(Missing::Left(why)) => {
            eprintln!("mine: the comparison with PrefixSpan-py is left out: {why}");
            Vec::new()
        }
        Err(Missing::Failed(why)) => return Err(why),
    };
    comparisons.extend(beside_floor(effort)?);
    Ok(comparisons)
}

fn beside_peer(effort: Effort) -> Result<Vec<Comparison>, Missing> {
    let rounds = match effort {
        Effort::Quick => 3,
        Effort::Full => 9,
    };
    let file = msnbc::beside_workspace();
    if !file.is_file() {
        let what = "there is no shared/data/msnbc/msnbc.seq beside the workspace";
        return Err(Missing::Left(what.into()));
    }
    let python = peer::python().map_err(Missing::Left)?;
    compare(&file, &python, rounds).map_err(Missing::Failed)
}

fn compare(file: &Path, python: &Path, rounds: usize) -> Result<Vec<Comparison>, String> {
    let visits = msnbc::read(file)?;
    let support = visits.len().div_ceil(10) as u64;
    let mine = || frequent(&visits, support, 1..=MAX_LENGTH, &Silent).map_err(|e| e.to_string());

    memory::reset_peak().map_err(|e| e.to_string())?;
    let found = mine()?;
    let peak = memory::peak_rss_bytes().map_err(|e| e.to_string())?;

    let mut peer = Peer::start(python, file, support, MAX_LENGTH)?;
    let mut expected = peer.patterns()?;
    let key = |pattern: &Pattern| (pattern.support, pattern.codes.clone());
    expected.sort_by_key(key);
    let mut sorted = found.clone();
    sorted.sort_by_key(key);
    if sorted != expected {
        return Err(format!(
            "PrefixSpan-py finds {} patterns and ours {}, or their supports differ",
            expected.len(),
            found.len()
        ));
    }
    let their_peak = peer.peak_bytes()?;
    let mut ours = || mine().map(|found| drop(black_box(found)));
    let mut theirs = || peer.run();
    let (ours, theirs) = interleaved(
        rounds,
        Work::in_milliseconds(&mut ours),
        Work::in_milliseconds(&mut theirs),
    )?;
    let size = format!("MSNBC, support 10 %, {} patterns", found.len());
    Ok(vec![
        Comparison {
            case: format!("{size}, time"),
            unit: "ms",
            peer_name: "PrefixSpan-py",
            ours,
            peer: theirs,
            goal: Goal::ratio(100.0),
            size: None,
        },
        Comparison {
            case: format!("{size}, peak memory"),
            unit: "MiB",
            peer_name: "PrefixSpan-py",
            ours: Times::mebibytes(peak),
            peer: Times::mebibytes(their_peak),
            goal: Goal::ratio(1.0),
            size: None,
        },
    ])
}

fn beside_floor(effort: Effort) -> Result<Vec<Comparison>, String> {
    let (rounds, records) = size(effort);
    let raw = stm(records, None)?;
    let because = NonPrivate::because("mines generated data, to be timed");
    let timed = raw.inspect(because, |data| {
        let (trips, locations) = (data.trips(), data.universe().len());
        let mut top =
            || top_k(trips, 300, 2..=MAX_LENGTH, &Silent).map(|found| drop(black_box(found)));
        let mut all = || {
            frequent(trips, records.div_ceil(1000), 1..=MAX_LENGTH, &Silent)
                .map(|found| drop(black_box(found)))
        };
        let compare = |case: &str, run: &mut dyn FnMut() -> wayveil_core::Result<()>| {
            let mut ours = || run().map_err(|e| e.to_string());
            let mut floor = || {
                black_box(count_pairs(trips, locations));
                Ok(())
            };
            let (ours, peer) = interleaved(
                rounds,
                Work::in_milliseconds(&mut ours),
                Work::in_milliseconds(&mut floor),
            )?;
            Ok::<_, String>(Comparison {
                case: format!("{records} records, {case}"),
                unit: "ms",
                peer_name: "pair count",
                ours,
                peer,
                goal: Goal::ratio(0.1),
                size: None,
            })
        };
        Ok(vec![
            compare("top 300, lengths 2 to 5", &mut top)?,
            compare("support 0.1 %, lengths 1 to 5", &mut all)?,
        ])
    });
    timed.for_publisher_only()
}

/// How often each location comes before each other one.
fn count_pairs(trips: &Sequences, locations: usize) -> Vec<u32> {
    let mut pairs = vec![0; locations * locations];
    for record in trips.iter() {
        for (at, &first) in record.iter().enumerate() {
            let row = &mut pairs[first as usize * locations..][..locations];
            for &second in &record[at + 1..] {
                row[second as usize] += 1;
            }
        }
    }
    pairs
}
