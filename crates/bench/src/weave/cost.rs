//! What publishing costs on `stm`: time and memory of `weave` beside the simple tree, in turn.

use std::time::Instant;

use wayveil_core::{Budget, RandomSource, Silent, Terms, publish};
use wayveil_evaluate::samples::Samples;
use wayveil_mechanisms::{Parameters, find};

use super::data::{Data, Source};
use crate::memory;
use wayveil_reproduce::kept::{Kept, Key, Run};

/// The data set that the goal is about.
pub(super) const DATA: &str = "stm";
const EPSILON: &str = "1";
/// The height that the benchmark `trees` has.
const SIDES: [(&str, &[(&str, &str)]); 2] = [("weave", &[]), ("prefix-tree", &[("height", "20")])];
/// The first of them warms up and is not counted.
const ROUNDS: usize = 4;
const SECONDS: &str = "seconds";
const MEBIBYTES: &str = "peak-mebibytes";
/// The goals: times as long, and MiB.
const GOALS: (f64, f64) = (10.0, 4096.0);

fn key(method: &str, data: &str, round: usize) -> Key {
    Key {
        data: data.to_owned(),
        epsilon: EPSILON.to_owned(),
        setting: format!("{method}, published"),
        run: round,
    }
}

/// Publishes in memory what is not kept yet.
pub(super) fn run(kept: &mut Kept, source: &mut Source) -> Result<(), String> {
    for round in 0..ROUNDS {
        for (method, given) in SIDES {
            let key = key(method, &source.name, round);
            if kept.get(&key).is_some() {
                continue;
            }
            let Some(data) = source.data()? else {
                return Ok(());
            };
            let made = once(method, given, data)?;
            kept.put(key, made)?;
        }
    }
    Ok(())
}

fn once(method: &str, given: &[(&str, &str)], data: &Data) -> Result<Run, String> {
    // Where a container forbids it, the peak is the largest so far.
    let _ = memory::reset_peak();
    let started = Instant::now();
    let publish = || {
        let entry = find(method)?;
        let given = given.iter().copied().chain([("epsilon", EPSILON)]);
        let mechanism = (entry.build)(&Parameters::new(entry.parameters, given)?)?;
        let terms = Terms::default();
        let mut budget = Budget::without_allowance();
        let mut random = RandomSource::insecure_seed(1);
        let mechanism = mechanism.as_ref();
        publish(
            &data.raw,
            mechanism,
            &terms,
            &mut budget,
            &mut random,
            &Silent,
        )
    };
    publish()
        .map(drop)
        .map_err(|it: wayveil_core::Error| it.to_string())?;
    let seconds = started.elapsed().as_secs_f64();
    let peak = memory::peak_rss_bytes().map_err(|it| it.to_string())?;
    let numbers = [
        (SECONDS.to_owned(), seconds),
        (MEBIBYTES.to_owned(), peak as f64 / f64::from(1 << 20)),
    ];
    Ok(Run {
        numbers: numbers.into(),
        refused: None,
    })
}

/// A line on time and memory; nothing where neither was measured.
pub(super) fn markdown(kept: &Kept, data: &str) -> Option<String> {
    let of = |method: &str, number: &str| -> Samples {
        let rounds = (1..ROUNDS).filter_map(|round| kept.get(&key(method, data, round)));
        rounds
            .filter_map(|run| run.numbers.get(number).copied())
            .collect()
    };
    let [(ours, _), (tree, _)] = SIDES;
    let (time, peak) = (of(ours, SECONDS).mean()?, of(ours, MEBIBYTES).mean()?);
    let (tree_time, tree_peak) = (of(tree, SECONDS).mean()?, of(tree, MEBIBYTES).mean()?);
    let word = |met: bool| if met { "met" } else { "missed" };
    let times = time / tree_time;
    Some(format!(
        "Publishing {data} at ε = {EPSILON}, in turn, means of {} rounds: {time:.1} s, {times:.1} times the simple tree \
         of height 20 ({tree_time:.1} s; goal at most {}: {}). Peak memory with the data loaded {peak:.0} MiB, the \
         tree's {tree_peak:.0} MiB (goal below {} MiB: {}).\n",
        of(ours, SECONDS).len(),
        GOALS.0,
        word(times <= GOALS.0),
        GOALS.1,
        word(peak < GOALS.1)
    ))
}
