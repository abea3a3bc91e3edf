//! Whole estimates beside what is true, on data that is made up.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayveil_core::{
    Budget, Dataset, Origin, Owners, RandomSource, Raw, Release, Sequences, Silent, Terms,
    Universe, publish,
};
use wayveil_noise::choose_distinct;

use super::constants::CALIBRATION;
use super::flows::divergence;
use super::{ErrorEstimate, calibrated, constants};
use crate::parameters::Parameters;
use crate::weave::Weave;
use crate::weave::draw::unit;

const PLACES: usize = 24;

/// People who go to places nearby, and often back to where they were.
fn made_up(people: usize) -> Vec<Vec<u32>> {
    let mut rng = RandomSource::insecure_seed(11).stream();
    let mut person = || {
        let length = 2 + (unit(&mut rng) * unit(&mut rng) * 9.0) as usize;
        let mut record = vec![(unit(&mut rng) * unit(&mut rng) * PLACES as f64) as u32];
        while record.len() < length {
            let here = record[record.len() - 1];
            let next = match unit(&mut rng) {
                back if back < 0.3 => record[0],
                near if near < 0.9 => (here + 1 + (unit(&mut rng) * 4.0) as u32) % PLACES as u32,
                _ => (unit(&mut rng) * PLACES as f64) as u32,
            };
            record.push(next);
        }
        record
    };
    (0..people).map(|_| person()).collect()
}

fn released(records: &[Vec<u32>], epsilon: &str, seed: u64) -> Release {
    let labels: Vec<String> = (0..PLACES).map(|place| format!("p{place:02}")).collect();
    let universe = Universe::from_labels(labels, Origin::Declared("a test".into())).unwrap();
    let data = Dataset::new(
        Arc::new(universe),
        None,
        Sequences::from_codes(records),
        Owners::EachRecord,
        Vec::new(),
        "made up".into(),
    );
    let parameters = Parameters::new(Weave::PARAMETERS, [("epsilon", epsilon)]).unwrap();
    let mechanism = Weave::build(&parameters).unwrap();
    publish(
        &Raw::new(data.unwrap()),
        mechanism.as_ref(),
        &Terms::default(),
        &mut Budget::without_allowance(),
        &mut RandomSource::insecure_seed(seed),
        &Silent,
    )
    .unwrap()
}

fn estimate<'a>(release: &'a Release, name: &str) -> &'a ErrorEstimate {
    let expected = release.manifest().expected_error.as_ref().unwrap();
    let found = expected.estimates.iter().find(|it| it.name == name);
    found.unwrap_or_else(|| panic!("no estimate of {name}"))
}

type Flows = BTreeMap<(u32, u32), (f64, f64)>;

/// Flow error and divergence, one flow at a time.
fn flows(raw: &Sequences, release: &Sequences, of: fn(&[u32]) -> Vec<(u32, u32)>) -> (f64, f64) {
    let mut counts = Flows::new();
    for flow in raw.iter().flat_map(of) {
        counts.entry(flow).or_default().0 += 1.0;
    }
    for flow in release.iter().flat_map(of) {
        counts.entry(flow).or_default().1 += 1.0;
    }
    let counts: Vec<(f64, f64)> = counts.into_values().collect();
    let all: f64 = counts.iter().map(|it| it.0).sum();
    let wrong: f64 = counts.iter().map(|it| (it.0 - it.1).abs()).sum();
    (wrong / all, divergence(&counts))
}

fn steps(record: &[u32]) -> Vec<(u32, u32)> {
    record.windows(2).map(|step| (step[0], step[1])).collect()
}

fn trips(record: &[u32]) -> Vec<(u32, u32)> {
    match record {
        [first, .., last] => vec![(*first, *last)],
        _ => Vec::new(),
    }
}

/// The error of sets of up to three places, one set at a time.
fn count_error(raw: &Sequences, release: &Sequences) -> f64 {
    let mut rng = RandomSource::insecure_seed(12).stream();
    const SETS: u64 = 600;
    let mut sum = 0.0;
    for at in 0..SETS {
        let set = choose_distinct(PLACES as u64, 1 + at % 3, &mut rng).unwrap();
        let has = |record: &&[u32]| set.iter().all(|place| record.contains(&(*place as u32)));
        let truth = raw.iter().filter(has).count() as f64;
        let found = release.iter().filter(has).count() as f64;
        sum += (found - truth).abs() / truth.max(0.001 * raw.len() as f64);
    }
    sum / SETS as f64
}

#[test]
fn estimates_are_within_a_factor_of_the_truth() {
    let records = made_up(6_000);
    let raw = Sequences::from_codes(&records);
    for (epsilon, seed) in [("0.3", 1), ("1", 2), ("4", 3)] {
        let release = released(&records, epsilon, seed);
        let made = release.trajectories();
        let (of_steps, of_trips) = (flows(&raw, made, steps), flows(&raw, made, trips));
        let factor = 2.5;
        for (name, actual) in [
            ("flow-error.transitions", of_steps.0),
            ("flow-error.trips", of_trips.0),
        ] {
            let found = estimate(&release, name);
            let ratio = found.value / actual;
            assert!(
                (1.0 / factor..factor).contains(&ratio),
                "{name} at ε {epsilon}: {} for {actual}",
                found.value
            );
        }
        // Of so few records counts of sets are hard to foresee; the truth lies where the release says.
        let (sets, actual) = (
            estimate(&release, "count-query-error.group-1"),
            count_error(&raw, made),
        );
        let within = (sets.low..=sets.high).contains(&actual);
        assert!(within, "counts at ε {epsilon}: {sets:?} for {actual}");
        // Divergences grow with the square of errors.
        for (name, actual) in [
            ("transition-divergence", of_steps.1),
            ("trip-divergence", of_trips.1),
        ] {
            let ratio = estimate(&release, name).value / actual;
            let factor = factor * factor;
            assert!((1.0 / factor..factor).contains(&ratio), "{name} {ratio}");
        }
    }
}

#[test]
fn errors_grow_where_there_is_less_to_see_and_seeds_decide() {
    let records = made_up(6_000);
    let (much, little) = (released(&records, "4", 5), released(&records, "0.3", 5));
    for name in CALIBRATION.map(|it| it.name) {
        let (much, little) = (estimate(&much, name), estimate(&little, name));
        match name.starts_with("top-patterns") {
            true => assert!(much.value > little.value, "{name}"),
            false => assert!(much.value < little.value, "{name}"),
        }
        assert!(much.low <= much.value && much.value <= much.high, "{name}");
    }
    let again = released(&records, "4", 5);
    assert_eq!(
        again.manifest().expected_error,
        much.manifest().expected_error
    );
    // ε/100 for the total: its noise has scale 100/4 records.
    let records = estimate(&much, "records");
    assert!((records.value - 25.0).abs() < 1e-9);
    assert!((records.high - 57.56).abs() < 0.01 && (records.low - 2.634).abs() < 0.001);
}

#[test]
fn nothing_to_publish_is_estimated_without_failing() {
    for records in [&[][..], &[vec![]], &[vec![3]]] {
        let release = released(records, "1", 1);
        assert!(
            release
                .manifest()
                .expected_error
                .as_ref()
                .unwrap()
                .is_sound()
        );
    }
}

#[test]
fn where_more_is_better_what_is_missing_is_scaled() {
    let with = constants::Calibration {
        name: "top-patterns.true-positives-100",
        factor: 2.0,
        low: 0.5,
        high: 6.0,
    };
    // Ten of 100 are missed by the plain estimate: 20 when scaled, from 10 to 100 at most.
    let found = calibrated(with.name, 90.0, Some(100.0), &with);
    assert_eq!((found.low, found.value, found.high), (0.0, 80.0, 90.0));
    let found = calibrated("x", 0.1, None, &with);
    assert_eq!((found.low, found.value, found.high), (0.1, 0.2, 0.2 * 6.0));
}
