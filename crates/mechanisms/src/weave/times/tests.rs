//! The bound of every group of time by brute force, by hand, and whole releases with times.

use std::sync::Arc;

use proptest::prelude::*;
use wayveil_core::{
    Budget, Clock, Dataset, Origin, Owners, PrivacyUnit, RandomSource, Raw, Release, Result,
    Sequences, Silent, Terms, TimeAxis, Universe, publish,
};
use wayveil_noise::{DiscreteLaplace, Rate};

use super::super::features::{Features, Kind, UNITS};
use super::super::measure::{Counts, measure};
use super::super::noise::Noise;
use super::super::shape::Recent;
use super::super::shares::{PARTS, TOTAL, Task};
use super::{Times, Visits, bins_of, shares, stretch};
use crate::parameters::Parameters;

type Record = Vec<(u32, u32)>;

const KINDS: [Kind; 5] = [Kind::Start, Kind::Span, Kind::Gap, Kind::When, Kind::Move];

fn axis(bins: u32) -> TimeAxis {
    TimeAxis::new(bins, Origin::Declared("hours".into()))
}

fn sequences(records: &[Record]) -> Sequences {
    let mut sequences = Sequences::empty(true);
    for record in records {
        let (codes, bins): (Vec<u32>, Vec<u32>) = record.iter().copied().unzip();
        sequences.push(&codes, &bins);
    }
    sequences
}

fn counted(features: &Features, records: &[Record]) -> Vec<i64> {
    // Noise of this rate is nothing, but once in 10⁴³ draws.
    let silent = Rate::new(100, 1).unwrap();
    let mut random = RandomSource::insecure_seed(1);
    let counts = measure(
        &sequences(records),
        features.clone(),
        Noise::Laplace(DiscreteLaplace::new(silent)),
        &mut random,
    );
    match counts.unwrap().counts {
        Counts::Dense(counts) => counts,
        Counts::Sparse { .. } => panic!("few cells are all visited"),
    }
}

fn moved(features: &Features, records: &[Record], one: &Record) -> u64 {
    let without = counted(features, records);
    let mut with = records.to_vec();
    with.insert(records.len() / 2, one.clone());
    let with = counted(features, &with);
    with.iter().zip(&without).map(|(a, b)| a.abs_diff(*b)).sum()
}

/// Visits at any times, also such that go back.
fn record(bins: u32) -> impl Strategy<Value = Record> {
    prop::collection::vec((0..6u32, 0..bins), 0..30)
}

/// Visits in their order, many of them in one bin.
fn ordered(bins: u32) -> impl Strategy<Value = Record> {
    record(bins).prop_map(|mut record| {
        record.sort_by_key(|visit| visit.1);
        record
    })
}

fn any_record(bins: u32) -> impl Strategy<Value = Record> {
    prop_oneof![record(bins), ordered(bins)]
}

proptest! {
    #[test]
    fn one_record_moves_counts_by_no_more_than_the_bound(
        records in prop::collection::vec(any_record(100), 0..5),
        one in any_record(100),
        most in 1..8usize,
        max_length in 1..20usize,
        bins in prop::sample::select(vec![1u32, 2, 24, 100, 5_000]),
    ) {
        // Bins beyond the axis never get here; these lie within.
        let within = |record: &Record| record.iter().map(|&(p, b)| (p, b % bins)).collect::<Record>();
        let records: Vec<Record> = records.iter().map(within).collect();
        let one = within(&one);
        let times = Times::new(Some(&axis(bins)), 6);
        for kind in KINDS {
            let single = matches!(kind, Kind::Start | Kind::Span);
            let most = if single { 1 } else { most };
            let features = Features::new(kind, most, 6, max_length).at(times);
            let moved = moved(&features, &records, &one);
            prop_assert!(moved <= most as u64 * UNITS, "{kind:?} moved by {moved}, bound {most}");
        }
    }

    #[test]
    fn places_in_bins_are_those_of_a_slow_search(record in ordered(9)) {
        let times = Times::new(Some(&axis(9)), 6);
        let features = Features::new(Kind::When, 1_000, 6, 30).at(times);
        let mut slow: Vec<u64> = record.iter().map(|&(p, b)| u64::from(p * 9 + b)).collect();
        slow.sort_unstable();
        slow.dedup();
        let mut fast = cells(&features, &record);
        fast.sort_unstable();
        prop_assert_eq!(fast, slow);
    }

    #[test]
    fn stretches_and_their_bins_agree(bins in 1..3_000u32, stretches in 1..600u32) {
        let stretches = stretches.min(bins);
        let mut next = 0;
        for at in 0..stretches as usize {
            let own = bins_of(at, stretches, bins);
            prop_assert_eq!(own.start, next);
            prop_assert!(own.clone().all(|bin| stretch(bin, stretches, bins) == at));
            next = own.end;
        }
        prop_assert_eq!(next, bins);
    }
}

fn cells(features: &Features, record: &Record) -> Vec<u64> {
    let sequences = sequences(std::slice::from_ref(record));
    let mut cells = Vec::new();
    features.of(
        Visits::of(&sequences, 0),
        &mut Recent::default(),
        &mut cells,
    );
    cells
}

#[test]
fn groups_of_a_record_by_hand() {
    // Four bins, three places; then time goes back, and nothing behind that counts.
    let record = vec![(2, 0), (1, 1), (1, 3), (0, 2), (0, 3)];
    let times = Times::new(Some(&axis(4)), 3);
    let of = |kind| cells(&Features::new(kind, 9, 3, 10).at(times), &record);
    // Three visits are of length class 2, and the first is in bin 0.
    assert_eq!(of(Kind::Start), [8]);
    assert_eq!(of(Kind::Span), [3]);
    // Contexts: bin 0 with two visits left, bin 1 with one; four classes of gaps, doubled by staying, and one
    // cell for returns.
    assert_eq!(of(Kind::Gap), [9 + 1, 3 * 9 + 4 + 2]);
    let returns = vec![(0, 2), (1, 2), (0, 2)];
    let gaps = Features::new(Kind::Gap, 9, 3, 10).at(times);
    assert_eq!(cells(&gaps, &returns), [(2 * 3 + 1) * 9, 2 * 3 * 9 + 8]);
    assert_eq!(of(Kind::When), [2 * 4, 4 + 1, 4 + 3]);
    assert_eq!(of(Kind::Move), [(2 * 3 + 1) * 4 + 1, (3 + 1) * 4 + 3]);
    // Groups that know no time are cut there, too.
    assert_eq!(of(Kind::Length), [3]);
    assert_eq!(of(Kind::Transition), [7, 4]);
    assert!(cells(&Features::new(Kind::Start, 1, 3, 9).at(times), &vec![]).is_empty());
}

#[test]
fn resolutions_follow_from_public_sizes() {
    let wide = Times::new(Some(&axis(48)), 1_000);
    assert_eq!((wide.when, wide.moves, wide.phases), (48, 1, 48));
    let huge = Times::new(Some(&axis(1_000_000)), 100_000);
    assert_eq!((huge.when, huge.starts, huge.phases), (10, 512, 64));
    let few = Times::new(Some(&axis(1_000_000)), 3);
    assert_eq!((few.when, few.moves), (4_096, 4_096));
    for kind in KINDS {
        let of = |times: &Times, locations| times.cells(kind, locations).unwrap();
        assert!(of(&wide, 1_000) <= 1 << 20, "{kind:?}");
        // Steps of so many places are not told apart by time.
        assert!(
            kind == Kind::Move || of(&huge, 100_000) <= 1 << 20,
            "{kind:?}"
        );
    }
    let clock = Clock {
        starts: "2026-01-05T00:00:00Z".into(),
        bin_seconds: 1_800,
        zone: "UTC".into(),
    };
    let week = TimeAxis {
        clock: Some(clock),
        ..axis(336)
    };
    let week = Times::new(Some(&week), 50);
    assert_eq!((week.period, week.phases), (48, 48));
    assert_eq!(week.phase(10), week.phase(10 + 3 * 48));
}

#[test]
fn shares_of_timed_data_are_all_of_the_budget() {
    for task in Task::ALL {
        for seen in [0.0, 1.0, 7_654.0, 123_456.0, 1e9, f64::NAN] {
            for (bins, locations) in [(1, 5), (24, 26), (48, 1_000), (1_000_000, 100_000)] {
                let times = Times::new(Some(&axis(bins)), locations);
                let shares = shares(&task.shares(seen), &times);
                let sum: u64 = shares.iter().map(|(_, share)| share).sum();
                assert_eq!(sum + TOTAL, PARTS, "{task:?} {seen} {bins}");
                assert!(shares.iter().all(|(_, share)| *share > 0));
                let timed = shares.iter().filter(|(kind, _)| KINDS.contains(kind));
                let groups = match (bins, locations) {
                    (1, _) => 0,
                    (_, 1_000..) => 4,
                    _ => 5,
                };
                assert_eq!(timed.count(), groups);
            }
        }
    }
}

fn raw(locations: usize, bins: u32, records: &[Record]) -> Raw<Dataset> {
    let labels = (0..locations).map(|place| place.to_string());
    let universe = Universe::from_labels(labels, Origin::FromData).unwrap();
    let data = Dataset::new(
        Arc::new(universe),
        Some(axis(bins)),
        sequences(records),
        Owners::EachRecord,
        vec![],
        "people".into(),
    );
    Raw::new(data.unwrap())
}

fn release(raw: &Raw<Dataset>, epsilon: &str, seed: u64) -> Result<Release> {
    let values = Parameters::new(super::super::Weave::PARAMETERS, [("epsilon", epsilon)])?;
    let terms = Terms {
        unit: PrivacyUnit::Owner,
        universe_from_data: true,
        ..Terms::default()
    };
    publish(
        raw,
        super::super::Weave::build(&values)?.as_ref(),
        &terms,
        &mut Budget::without_allowance(),
        &mut RandomSource::insecure_seed(seed),
        &Silent,
    )
}

fn visits(release: &Release, record: usize) -> Record {
    let made = release.trajectories();
    let codes = made.codes_of(record).iter().copied();
    codes.zip(made.bins_of(record).iter().copied()).collect()
}

/// Commuters who leave place 0 at 7 and come back at 17, others who go out from 1 to 3 late, and a few who are
/// seen once at noon.
fn habits() -> Vec<Record> {
    let mut records = vec![vec![(0, 7), (2, 8), (2, 16), (0, 17)]; 5_000];
    records.extend(vec![vec![(1, 19), (3, 20), (1, 23)]; 3_000]);
    records.extend(vec![vec![(4, 12)]; 2_000]);
    records
}

#[test]
fn mornings_and_evenings_survive() {
    let release = release(&raw(8, 24, &habits()), "2", 3).unwrap();
    let all = release.trajectories().len();
    let often = |way: &[(u32, u32)]| (0..all).filter(|&at| visits(&release, at) == way).count();
    for (way, count) in [
        (&[(0, 7), (2, 8), (2, 16), (0, 17)][..], 5_000),
        (&[(1, 19), (3, 20), (1, 23)], 3_000),
        (&[(4, 12)], 2_000),
    ] {
        let found = often(way);
        assert!(found.abs_diff(count) < count / 8, "{way:?} {found} times");
    }
}

#[test]
fn times_never_go_back_nor_beyond_the_axis() {
    for bins in [1, 2, 24, 100, 3_000] {
        let records: Vec<Record> = (0..2_000u32)
            .map(|person| {
                let visit = |at: u32| ((person + at) % 5, (person % 7 + at * at) % bins);
                let mut record: Record = (0..person % 9).map(visit).collect();
                record.sort_by_key(|visit| visit.1);
                record
            })
            .collect();
        for epsilon in ["0.02", "1", "50"] {
            let release = release(&raw(5, bins, &records), epsilon, 8).unwrap();
            let made = release.trajectories();
            assert!(made.is_timed());
            assert!(made.check_ranges(5, Some(bins)).is_ok());
            assert!((0..made.len()).all(|at| made.bins_of(at).is_sorted()));
        }
    }
}

#[test]
fn extremes_can_be_released() {
    let nothing: [Vec<Record>; 5] = [
        vec![],
        vec![vec![]],
        vec![vec![(0, 5)]],
        // All in one bin, one place again and again; and time that goes back.
        vec![vec![(1, 3); 40]; 50],
        vec![vec![(0, 5), (1, 2), (0, 1)]; 30],
    ];
    for records in nothing {
        for (locations, bins) in [(2, 6), (3, 1_000_000)] {
            let made = release(&raw(locations, bins, &records), "1", 4).unwrap();
            assert!(made.trajectories().is_timed());
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_times_on_any_number_of_threads() {
    let raw = raw(8, 24, &habits());
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let made = pool.install(|| release(&raw, "0.5", 9).unwrap());
        made.trajectories().clone()
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn an_axis_of_one_bin_costs_nothing() {
    let records: Vec<Record> = habits()
        .into_iter()
        .map(|record| record.into_iter().map(|(place, _)| (place, 0)).collect())
        .collect();
    let timed = release(&raw(8, 1, &records), "1", 5).unwrap();
    let places: Vec<Vec<u32>> = records
        .iter()
        .map(|record| record.iter().map(|visit| visit.0).collect())
        .collect();
    let labels = (0..8).map(|place: u32| place.to_string());
    let data = Dataset::new(
        Arc::new(Universe::from_labels(labels, Origin::FromData).unwrap()),
        None,
        Sequences::from_codes(&places),
        Owners::EachRecord,
        vec![],
        "people".into(),
    );
    let untimed = release(&Raw::new(data.unwrap()), "1", 5).unwrap();
    assert_eq!(timed.trajectories().codes(), untimed.trajectories().codes());
}
