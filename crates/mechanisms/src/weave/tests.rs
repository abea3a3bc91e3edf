//! The bound of every group by brute force, and whole releases at the extremes.

use std::sync::Arc;

use proptest::prelude::*;
use wayveil_core::{
    Budget, Dataset, Origin, Owners, PrivacyUnit, RandomSource, Raw, Release, Result, Sequences,
    Silent, Terms, Universe, publish,
};
use wayveil_noise::{DiscreteGaussian, DiscreteLaplace, Rate};

use super::features::{Features, Kind, UNITS};
use super::measure::{Counts, measure};
use super::noise::{Allowance, Noise};
use super::norm::Norm;
use super::options::Options;
use super::shape::Recent;
use super::times::Visits;
use crate::parameters::Parameters;

mod spent;
mod whole;

const KINDS: [Kind; 11] = [
    Kind::Total,
    Kind::Length,
    Kind::Shape,
    Kind::Novelty,
    Kind::Step,
    Kind::Variety,
    Kind::First,
    Kind::Place,
    Kind::Ends,
    Kind::Transition,
    Kind::Pair,
];
/// Groups in which a record counts at most once, whatever the bound.
const SINGLE: [Kind; 6] = [
    Kind::Total,
    Kind::Length,
    Kind::Shape,
    Kind::Variety,
    Kind::First,
    Kind::Ends,
];

fn counted_in(features: &Features, record: &[u32]) -> (Vec<u64>, u64) {
    let mut cells = Vec::new();
    let units = features.of(Visits::untimed(record), &mut Recent::default(), &mut cells);
    (cells, units)
}

fn cells(features: &Features, record: &[u32]) -> Vec<u64> {
    counted_in(features, record).0
}

/// Noise of this rate is nothing, but once in 10⁴³ draws.
fn silent() -> Noise {
    Noise::Laplace(DiscreteLaplace::new(Rate::new(100, 1).unwrap()))
}

fn counted(features: &Features, records: &[Vec<u32>]) -> Vec<i64> {
    let mut random = RandomSource::insecure_seed(1);
    let sequences = Sequences::from_codes(records);
    match measure(&sequences, features.clone(), silent(), &mut random)
        .unwrap()
        .counts
    {
        Counts::Dense(counts) => counts,
        Counts::Sparse { .. } => panic!("few cells are all visited"),
    }
}

fn record() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..6u32, 0..30)
}

proptest! {
    #[test]
    fn one_record_moves_counts_by_no_more_than_the_bound(
        records in prop::collection::vec(record(), 0..6),
        one in record(),
        most in 1..8usize,
        max_length in 1..20usize,
    ) {
        for kind in KINDS {
            let most = if SINGLE.contains(&kind) { 1 } else { most };
            let features = Features::new(kind, most, 6, max_length);
            let without = counted(&features, &records);
            let mut with = records.clone();
            with.insert(records.len() / 2, one.clone());
            let moved: u64 = counted(&features, &with)
                .iter()
                .zip(&without)
                .map(|(with, without)| with.abs_diff(*without))
                .sum();
            prop_assert!(
                moved <= most as u64 * UNITS,
                "{kind:?} moved by {moved}, bound {most}"
            );
        }
    }

    #[test]
    fn one_record_moves_counts_by_no_more_than_the_bound_in_length(
        records in prop::collection::vec(record(), 0..4),
        one in record(),
        most in 1..8usize,
        max_length in 1..30usize,
    ) {
        for kind in KINDS {
            let most = if SINGLE.contains(&kind) { 1 } else { most };
            let features = Features::new(kind, most, 6, max_length).bounded_in(Norm::Euclidean);
            let without = counted(&features, &records);
            let mut with = records.clone();
            with.insert(records.len() / 2, one.clone());
            let squared: u64 = counted(&features, &with)
                .iter()
                .zip(&without)
                .map(|(with, without)| with.abs_diff(*without).pow(2))
                .sum();
            prop_assert!(
                squared <= most as u64 * UNITS * UNITS,
                "{kind:?} moved by the root of {squared}, bound {most}"
            );
        }
    }

    /// Records that walk to and fro, hundreds of times, on few cells and on many.
    #[test]
    fn the_longest_records_are_within_the_bound_in_length(
        length in 0..900usize,
        places in 1..40u32,
        step in 1..40u32,
        most in 1..12usize,
    ) {
        let one: Vec<u32> = (0..length as u32).map(|visit| visit * step % places).collect();
        for kind in KINDS {
            let most = if SINGLE.contains(&kind) { 1 } else { most };
            let features = Features::new(kind, most, 40, 1_000).bounded_in(Norm::Euclidean);
            let (cells, units) = counted_in(&features, &one);
            let mut often = std::collections::BTreeMap::<u64, u64>::new();
            cells.iter().for_each(|&cell| *often.entry(cell).or_default() += units);
            let squared: u64 = often.values().map(|count| count * count).sum();
            prop_assert!(squared <= most as u64 * UNITS * UNITS, "{kind:?}: {squared}");
        }
    }

    #[test]
    fn pairs_are_those_of_a_slow_search(record in record()) {
        let features = Features::new(Kind::Pair, 1_000, 6, 30);
        let mut slow: Vec<u64> = Vec::new();
        for (at, &later) in record.iter().enumerate() {
            slow.extend(record[..at].iter().map(|&earlier| u64::from(earlier * 6 + later)));
        }
        slow.sort_unstable();
        slow.dedup();
        let mut fast = cells(&features, &record);
        let listed = fast.len();
        fast.sort_unstable();
        fast.dedup();
        prop_assert_eq!(fast.len(), listed, "a pair was listed twice");
        prop_assert_eq!(fast, slow);
    }
}

#[test]
fn groups_of_a_record_by_hand() {
    let record = [0, 1, 0, 2];
    let of = |kind, most| cells(&Features::new(kind, most, 3, 10), &record);
    assert_eq!(of(Kind::Length, 1), [4]);
    assert_eq!(of(Kind::First, 1), [0]);
    assert_eq!(of(Kind::Ends, 1), [2]);
    assert_eq!(of(Kind::Place, 9), [0, 1, 2]);
    assert_eq!(of(Kind::Transition, 9), [1, 3, 2]);
    // 0 before 1; then 0 and 1 before 0; then 0 and 1 before 2.
    assert_eq!(of(Kind::Pair, 9), [1, 0, 3, 2, 5]);
    // With a bound of 2, five pairs share its units.
    let bounded = Features::new(Kind::Pair, 2, 3, 10);
    assert_eq!(
        counted_in(&bounded, &record),
        (vec![1, 0, 3, 2, 5], 2 * UNITS / 5)
    );
    assert_eq!(of(Kind::Novelty, 9).len(), 3);
    // Cut at two visits, as if there were no more.
    let cut = |kind| cells(&Features::new(kind, 9, 3, 2), &record);
    assert_eq!(cut(Kind::Length), [2]);
    assert_eq!(cut(Kind::Ends), [1]);
    assert_eq!(cut(Kind::Pair), [1]);
}

#[test]
fn too_many_cells_are_not_visited_and_frequent_ones_are_found() {
    let features = Features::new(Kind::Ends, 1, 5_000, 10);
    let mut records = vec![vec![7, 4_999]; 400];
    records.push(vec![1, 2]);
    let mut random = RandomSource::insecure_seed(3);
    let sequences = Sequences::from_codes(&records);
    let noise = Noise::Laplace(DiscreteLaplace::new(Rate::new(1, 4 * UNITS).unwrap()));
    let measured = measure(&sequences, features, noise, &mut random).unwrap();
    let Counts::Sparse { cells, noisy } = measured.counts else {
        panic!("25,000,000 cells were visited");
    };
    assert!(cells.is_sorted() && cells.len() == noisy.len());
    // About 20 empty cells pass, each by a little.
    assert!((5..60).contains(&cells.len()), "{}", cells.len());
    let at = cells.binary_search(&(7 * 5_000 + 4_999)).unwrap();
    let count = noisy[at] / UNITS as i64;
    assert!((count - 400).abs() < 80, "{count}");
}

fn raw(locations: usize, rows: &[Vec<u32>]) -> Raw<Dataset> {
    let labels = (0..locations).map(|place| place.to_string());
    let universe = Universe::from_labels(labels, Origin::FromData).unwrap();
    let data = Dataset::new(
        Arc::new(universe),
        None,
        Sequences::from_codes(rows),
        Owners::EachRecord,
        vec![],
        "people".into(),
    );
    Raw::new(data.unwrap())
}

fn options(parameters: &[(&str, &str)]) -> Options {
    let values = Parameters::new(super::Weave::PARAMETERS, parameters.iter().copied());
    Options::read(&values.unwrap()).unwrap()
}

fn release(raw: &Raw<Dataset>, parameters: &[(&str, &str)], seed: u64) -> Result<Release> {
    let values = Parameters::new(super::Weave::PARAMETERS, parameters.iter().copied())?;
    let terms = Terms {
        unit: PrivacyUnit::Owner,
        universe_from_data: true,
        ..Terms::default()
    };
    publish(
        raw,
        super::Weave::build(&values)?.as_ref(),
        &terms,
        &mut Budget::without_allowance(),
        &mut RandomSource::insecure_seed(seed),
        &Silent,
    )
}

fn ways() -> Vec<Vec<u32>> {
    let mut rows = vec![vec![0, 1, 0]; 6_000];
    rows.extend(vec![vec![2, 3]; 3_000]);
    rows.extend(vec![vec![4, 5, 6, 5, 4]; 1_000]);
    rows
}

#[test]
fn frequent_ways_come_out_about_as_often_as_they_are() {
    let release = release(&raw(12, &ways()), &[("epsilon", "2")], 1).unwrap();
    let often = |way: &[u32]| {
        release
            .trajectories()
            .iter()
            .filter(|row| *row == way)
            .count()
    };
    assert!(
        (5_500..6_500).contains(&often(&[0, 1, 0])),
        "{}",
        often(&[0, 1, 0])
    );
    assert!(
        (2_700..3_300).contains(&often(&[2, 3])),
        "{}",
        often(&[2, 3])
    );
    assert!(often(&[4, 5, 6, 5, 4]) > 300, "{}", often(&[4, 5, 6, 5, 4]));
    let all = release.trajectories().len();
    assert!((9_700..10_300).contains(&all), "{all}");
}

/// What a share of the budget buys, with δ: every group spends what it may, by its bound.
#[test]
fn gaussian_noise_spends_its_share_and_sparse_groups_have_laplace_noise() {
    let options = options(&[("epsilon", "1"), ("delta", "1e-6")]);
    let allowance = Allowance::of(&options).unwrap();
    let Allowance::Concentrated(rho) = allowance else {
        panic!("no delta");
    };
    let rho_value = rho.0 as f64 / rho.1 as f64;
    assert!((0.0243..0.0244).contains(&rho_value), "{rho_value}");
    for (kind, locations, records) in [(Kind::Pair, 100, 3), (Kind::Pair, 5_000, 3)] {
        let features = Features::new(kind, 7, locations, 30);
        let features = allowance.bounded(features);
        let norm = features.norm;
        let noise = allowance.noise(300, &features, records).unwrap();
        let share = 0.3 * rho_value;
        let spent = match noise {
            Noise::Gaussian(noise) => {
                assert_eq!((norm, locations), (Norm::Euclidean, 100));
                let (num, den) = noise.parts();
                9.0 * 7.0 * 3_600.0 / (2.0 * num as f64 / den as f64)
            }
            Noise::Laplace(noise) => {
                assert_eq!((norm, locations), (Norm::Sum, 5_000));
                (noise.rate().as_f64() * 3.0 * 7.0 * 60.0).powi(2) / 2.0
            }
        };
        assert!(spent <= share && spent > 0.999 * share, "{spent} {share}");
    }
}

#[test]
fn measured_counts_scatter_as_their_law_says() {
    let features = Features::new(Kind::Ends, 1, 100, 10).bounded_in(Norm::Euclidean);
    let noise = Noise::Gaussian(DiscreteGaussian::new(90_000, 1).unwrap());
    let sequences = Sequences::from_codes(&[vec![0, 1]]);
    let mut random = RandomSource::insecure_seed(5);
    let measured = measure(&sequences, features, noise, &mut random).unwrap();
    let counts = measured.dense();
    let square = counts
        .iter()
        .map(|&count| (count * count) as f64)
        .sum::<f64>()
        / 1e4;
    // Ten thousand cells: its relative deviation is a seventieth.
    assert!(
        (square / measured.law.variance() - 1.0).abs() < 0.07,
        "{square}"
    );
    assert_eq!(measured.law.deviation(), 300.0);
}

#[test]
fn with_a_delta_the_claim_says_so_and_less_noise_is_needed() {
    let raw = raw(12, &ways());
    let given = [("epsilon", "1"), ("delta", "1e-6")];
    let release = release(&raw, &given, 1).unwrap();
    let often = release
        .trajectories()
        .iter()
        .filter(|row| *row == [0, 1, 0])
        .count();
    assert!((5_500..6_500).contains(&often), "{often}");
    let manifest = serde_json::to_value(release.manifest())
        .unwrap()
        .to_string();
    for told in ["\"delta\":\"1/1000000\"", "\"rho\":", "discrete Gaussian"] {
        assert!(manifest.contains(told), "{told}: {manifest}");
    }
    let total = |parameters: &[(&str, &str)]| {
        let allowance = Allowance::of(&options(parameters)).unwrap();
        let features = Features::new(Kind::Pair, 30, 12, 128);
        let features = allowance.bounded(features);
        allowance
            .noise(300, &features, 1)
            .unwrap()
            .law()
            .deviation()
    };
    assert!(total(&given) < 0.5 * total(&given[..1]));
}

#[test]
fn deltas_that_mean_nothing_are_refused() {
    let raw = raw(3, &[vec![0, 1]]);
    for delta in ["1", "0.01", "-1e-9", "0.0011"] {
        let refused = release(&raw, &[("epsilon", "1"), ("delta", delta)], 1).unwrap_err();
        assert!(refused.to_string().contains("delta"), "{refused}");
    }
    // Digits do not matter: variances are rounded up.
    for (epsilon, delta) in [
        ("0.333333333333", "1e-9"),
        ("1/3", "0.001"),
        ("100", "1e-30"),
        ("1000000", "1e-9"),
    ] {
        let made = release(&raw, &[("epsilon", epsilon), ("delta", delta)], 1);
        assert!(made.is_ok(), "{epsilon}: {}", made.unwrap_err());
    }
    for epsilon in ["0.0001", "0.000001"] {
        let refused = release(&raw, &[("epsilon", epsilon), ("delta", "1e-9")], 1).unwrap_err();
        assert!(refused.to_string().contains("noise"), "{refused}");
    }
}

#[test]
fn the_same_seed_gives_the_same_release_on_any_number_of_threads() {
    let raw = raw(12, &ways());
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let made = pool.install(|| release(&raw, &[("epsilon", "0.5")], 9).unwrap());
        made.trajectories().clone()
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn nothing_and_next_to_nothing_can_be_released() {
    for rows in [vec![], vec![vec![]], vec![vec![0]], vec![vec![1, 1, 0]; 3]] {
        for (epsilon, delta) in [
            ("0.01", "0"),
            ("1", "0"),
            ("100", "0"),
            ("0.05", "1e-9"),
            ("9", "1e-4"),
        ] {
            let given = [("epsilon", epsilon), ("delta", delta)];
            let release = release(&raw(2, &rows), &given, 4).unwrap();
            assert!(release.trajectories().iter().all(|row| row.len() <= 128));
        }
    }
    assert!(release(&raw(1, &[vec![0, 0]]), &[("epsilon", "1")], 4).is_ok());
}

#[test]
fn long_records_are_cut_and_large_universes_fit() {
    let rows = vec![(0..400).map(|visit| visit % 50).collect::<Vec<u32>>(); 300];
    let parameters = [("epsilon", "5"), ("max-length", "20")];
    let cut = release(&raw(50, &rows), &parameters, 2).unwrap();
    assert!(cut.trajectories().iter().all(|row| row.len() <= 20));
    let wide = release(&raw(4_000, &ways()), &[("epsilon", "2")], 2).unwrap();
    let often = wide
        .trajectories()
        .iter()
        .filter(|row| *row == [2, 3])
        .count();
    assert!(often > 2_000, "{often}");
    let given = [("epsilon", "1"), ("delta", "1e-6")];
    assert!(release(&raw(4_000, &ways()), &given, 2).is_ok());
}

#[test]
fn what_cannot_work_is_refused_before_any_record_is_seen() {
    let raw = raw(3, &[vec![0, 1]]);
    for epsilon in ["0.0001", "0.333333333333333"] {
        assert!(
            release(&raw, &[("epsilon", epsilon)], 1).is_err(),
            "{epsilon}"
        );
    }
    for (name, value) in [
        ("task", "everything"),
        ("max-length", "0"),
        ("delta", "0.5"),
        ("grid", "adaptive"),
    ] {
        assert!(release(&raw, &[("epsilon", "1"), (name, value)], 1).is_err());
    }
    for task in ["counts", "patterns", "flows", "all"] {
        assert!(release(&raw, &[("epsilon", "1"), ("task", task)], 1).is_ok());
    }
}
