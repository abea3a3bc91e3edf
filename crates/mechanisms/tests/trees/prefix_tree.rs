//! The prefix tree through the one door.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use super::common::{bushy, busy, count, records, universe};
use wayveil_core::{
    Dataset, Labels, Origin, Owners, PrivacyUnit, RandomSource, Raw, Release, Result, Sequences,
    TimeAxis,
};
use wayveil_noise::statistics::{
    Outcome, assert_plausible, assert_rejected, fit_integers, same_distribution,
};
use wayveil_noise::{DiscreteLaplace, Rate};

fn untimed(locations: usize, rows: &[&[u32]]) -> Raw<Dataset> {
    records(universe(locations), rows)
}

fn run(
    raw: &Raw<Dataset>,
    parameters: &[(&str, &str)],
    unit: PrivacyUnit,
    random: &mut RandomSource,
) -> Result<Release> {
    super::common::run("prefix-tree", raw, parameters, unit, random)
}

fn seeded(raw: &Raw<Dataset>, parameters: &[(&str, &str)], seed: u64) -> Result<Release> {
    super::common::seeded("prefix-tree", raw, parameters, seed)
}

#[test]
fn finds_the_busy_ways() {
    for inference in ["none", "paper", "projected", "least-squares"] {
        let parameters = [("epsilon", "1"), ("height", "4"), ("inference", inference)];
        let release = seeded(&busy(universe(30)), &parameters, 1).unwrap();
        for way in [&[0, 1, 2, 3][..], &[0, 1], &[4, 2, 0], &[5]] {
            let found = count(&release, way);
            assert!(
                (900..1100).contains(&found),
                "{inference}, {way:?}: {found}"
            );
        }
        let manifest = release.manifest();
        assert!(!manifest.publishable, "made with a fixed seed");
        assert_eq!(manifest.method.variant, "repaired");
    }
}

#[test]
fn the_same_seed_gives_the_same_release_on_any_number_of_threads() {
    let raw = bushy(universe(200));
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| seeded(&raw, &[("epsilon", "20"), ("height", "4")], 9).unwrap())
    };
    let (one, four) = (with_threads(1), with_threads(4));
    let nodes = one.counts().unwrap().noisy.len();
    assert!(
        nodes > 1500,
        "{nodes} nodes are drawn from too few streams to tell"
    );
    assert_eq!(one.trajectories(), four.trajectories());
    assert_eq!(one.counts().unwrap().noisy, four.counts().unwrap().noisy);
}

/// The joint law of two levels, against visiting every candidate of every node that passed, also
/// of nodes that only noise keeps alive.
#[test]
fn two_levels_are_as_if_every_candidate_were_visited() {
    const RUNS: usize = 40_000;
    for held in [0usize, 1, 2] {
        let raw = records(universe(2), &vec![[0u32, 1]; held]);
        let mut random = RandomSource::os().unwrap();
        let parameters = [
            ("epsilon", "2"),
            ("height", "2"),
            ("threshold", "1"),
            ("node-cap", "9"),
        ];
        let fast = (0..RUNS).map(|_| {
            let release = run(&raw, &parameters, PrivacyUnit::Owner, &mut random).unwrap();
            let counts = release.counts().unwrap();
            (0..counts.noisy.len())
                .map(|at| (counts.prefixes.codes_of(at).to_vec(), counts.noisy[at]))
                .collect::<Vec<_>>()
        });
        let fast: Vec<_> = fast.collect();
        let mut rng = RandomSource::os().unwrap().stream();
        let slow: Vec<_> = (0..RUNS)
            .map(|_| visit_two_levels(held as i64, true, &mut rng))
            .collect();
        assert_plausible(&compare(&fast, &slow));
        // A tree that does not expand nodes without records would be caught.
        let leaky: Vec<_> = (0..RUNS)
            .map(|_| visit_two_levels(held as i64, false, &mut rng))
            .collect();
        assert_rejected(&compare(&leaky, &slow));
    }
}

type Tree = Vec<(Vec<u32>, i64)>;

/// Noise of rate 1 on every candidate of both levels, threshold 1, in the order of a release.
fn visit_two_levels(held: i64, expand_empty: bool, rng: &mut wayveil_noise::Stream) -> Tree {
    let laplace = DiscreteLaplace::new(Rate::new(1, 1).unwrap());
    let mut tree = Vec::new();
    for first in 0..2 {
        let count = if first == 0 { held } else { 0 };
        let noisy = count + laplace.sample(rng);
        if noisy < 1 {
            continue;
        }
        tree.push((vec![first], noisy));
        for second in 0..2 {
            let below = if (first, second) == (0, 1) { held } else { 0 };
            let noisy = below + laplace.sample(rng);
            if noisy >= 1 && (count > 0 || expand_empty) {
                tree.push((vec![first, second], noisy));
            }
        }
    }
    tree
}

fn compare(left: &[Tree], right: &[Tree]) -> Outcome {
    let mut cells: BTreeMap<&Tree, (u64, u64)> = BTreeMap::new();
    for tree in left {
        cells.entry(tree).or_default().0 += 1;
    }
    for tree in right {
        cells.entry(tree).or_default().1 += 1;
    }
    let (left, right): (Vec<u64>, Vec<u64>) = cells.into_values().unzip();
    same_distribution(&left, &right).unwrap()
}

#[test]
fn mere_noise_is_refused_before_it_fills_the_memory() {
    let raw = untimed(5, &[&[0]]);
    let unit = PrivacyUnit::OwnerBounded(NonZeroU32::MAX);
    let random = &mut RandomSource::insecure_seed(1);
    let refusal = run(&raw, &[("epsilon", "1"), ("height", "7")], unit, random).unwrap_err();
    assert!(
        refusal.to_string().contains("nothing but noise"),
        "{refusal}"
    );
}

/// With one location and height 1 the output is one noisy count or nothing, and its distribution
/// is known exactly: count + noise where that reaches the threshold, for every record count. That
/// is the whole privacy argument on a small scale.
#[test]
fn the_released_count_has_exactly_the_claimed_distribution() {
    for records in [0usize, 1, 3] {
        let sample: &[u32] = &[0];
        let raw = untimed(1, &vec![sample; records]);
        let mut random = RandomSource::os().unwrap();
        let mut threshold = 0;
        let drawn: Vec<i64> = (0..40_000)
            .map(|_| {
                let parameters = [("epsilon", "1"), ("height", "1")];
                let release = run(&raw, &parameters, PrivacyUnit::Owner, &mut random).unwrap();
                threshold = release.manifest().method.parameters["location_threshold"][0]
                    .as_i64()
                    .unwrap();
                // Nothing released is marked by −1, which no released count can be.
                release
                    .counts()
                    .unwrap()
                    .noisy
                    .first()
                    .copied()
                    .unwrap_or(-1)
            })
            .collect();
        assert!(threshold >= 1);
        let laplace = DiscreteLaplace::new(Rate::new(1, 1).unwrap());
        let count = records as i64;
        let hidden: f64 = (-60..threshold)
            .map(|value| laplace.pmf(value - count))
            .sum();
        let pmf = |value: i64| match value {
            -1 => hidden,
            _ if value < threshold => 0.0,
            _ => laplace.pmf(value - count),
        };
        assert_plausible(&fit_integers(&drawn, -1..=threshold + 12, pmf).unwrap());
    }
}

#[test]
fn several_trips_of_one_owner_get_the_noise_they_need() {
    let records: Vec<&[u32]> = vec![&[0, 1]; 60];
    let owners = Owners::Known {
        of_record: (0..60).map(|row| row / 3).collect(),
        labels: (0..20).map(|owner| owner.to_string()).collect::<Labels>(),
    };
    let trips = Sequences::from_codes(records);
    let data = Dataset::new(universe(4), None, trips, owners, vec![], "p".into()).unwrap();
    let raw = Raw::new(data);
    let deviation = |unit| {
        let random = &mut RandomSource::insecure_seed(1);
        let release = run(&raw, &[("epsilon", "2"), ("height", "2")], unit, random).unwrap();
        release.counts().unwrap().standard_error[0]
    };
    let expected = |num, den| DiscreteLaplace::new(Rate::new(num, den).unwrap()).std_dev();
    assert_eq!(deviation(PrivacyUnit::Owner), expected(1, 1));
    assert_eq!(
        deviation(PrivacyUnit::OwnerBounded(NonZeroU32::new(3).unwrap())),
        expected(1, 3)
    );
    assert_eq!(deviation(PrivacyUnit::Trip), expected(1, 1));
}

#[test]
fn time_bins_are_part_of_what_is_counted() {
    let mut trips = Sequences::empty(true);
    for _ in 0..500 {
        trips.push(&[0, 1], &[1, 3]);
    }
    let axis = TimeAxis::new(4, Origin::Declared("test".into()));
    let data = Dataset::new(
        universe(3),
        Some(axis),
        trips,
        Owners::EachRecord,
        vec![],
        "p".into(),
    );
    let release = seeded(
        &Raw::new(data.unwrap()),
        &[("epsilon", "2"), ("height", "3")],
        4,
    )
    .unwrap();
    let out = release.trajectories();
    let whole = (0..out.len())
        .filter(|&at| out.codes_of(at) == [0, 1] && out.bins_of(at) == [1, 3])
        .count();
    assert!((480..=520).contains(&whole), "{whole}");
    let back = (0..out.len()).any(|at| out.bins_of(at).windows(2).any(|pair| pair[1] < pair[0]));
    assert!(!back, "a released trajectory goes back in time");
}

#[test]
fn extremes_are_sensible() {
    let parameters = [("epsilon", "1"), ("height", "3")];
    for raw in [
        untimed(5, &[]),
        untimed(5, &[&[]]),
        untimed(1, &[&[0, 0, 0, 0]]),
        untimed(5, &[&[0, 1, 2, 3, 4]]),
    ] {
        let release = seeded(&raw, &parameters, 2).unwrap();
        assert!(
            release
                .trajectories()
                .iter()
                .all(|record| record.len() <= 3)
        );
    }
    for bad in [
        [("epsilon", "0"), ("height", "3")],
        [("epsilon", "1"), ("height", "0")],
        [("epsilon", "1"), ("height", "1001")],
        [("epsilon", "nan"), ("height", "3")],
    ] {
        let error = seeded(&untimed(5, &[]), &bad, 2).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{error}");
    }
    for rho in ["0", "1", "2", "x"] {
        let bad = [("epsilon", "1"), ("height", "3"), ("rho", rho)];
        assert!(
            seeded(&untimed(5, &[]), &bad, 2).is_err(),
            "rho {rho} was accepted"
        );
    }
}

#[test]
fn a_large_universe_does_not_explode() {
    // As published, each node would have 30 false children here and the tree 5·10^17 nodes.
    let raw = untimed(1012, &[]);
    for seed in 0..20 {
        let release = seeded(&raw, &[("epsilon", "1"), ("height", "12")], seed).unwrap();
        assert!(release.counts().unwrap().noisy.len() < 200);
    }
}

#[test]
fn as_published_runs_where_it_can_and_is_refused_with_its_branching_where_not() {
    let published = [("epsilon", "1"), ("height", "12"), ("as-published", "true")];
    let release = seeded(&busy(universe(17)), &published, 3).unwrap();
    assert_eq!(release.manifest().method.variant, "as-published");
    let raw = untimed(1012, &[]);
    let refusal = seeded(&raw, &published, 3).unwrap_err();
    assert_eq!(refusal.exit_code(), 1);
    let message = refusal.to_string();
    assert!(
        message.contains("31.0 false children") && message.contains("1012"),
        "{message}"
    );
    assert!(refusal.advice().unwrap().contains("--node-cap"));
}

#[test]
fn a_cap_lets_the_published_form_run_and_is_kept() {
    let mut parameters = vec![("epsilon", "1"), ("height", "12"), ("as-published", "true")];
    parameters.push(("node-cap", "5000"));
    let release = seeded(&busy(universe(1012)), &parameters, 3).unwrap();
    let nodes = release.counts().unwrap().noisy.len();
    assert!((2500..=5000).contains(&nodes), "{nodes}");
    // The busiest branches are expanded first, so that the true ways are there all the same.
    assert!(count(&release, &[0, 1, 2, 3]) > 500);
    let manifest = release.manifest();
    assert_eq!(manifest.method.parameters["node_cap"], 5000);
    assert!(
        manifest
            .limits
            .iter()
            .any(|limit| limit.starts_with("Capped"))
    );
}

#[test]
fn a_fixed_threshold_that_lets_the_tree_explode_is_refused() {
    let parameters = [("epsilon", "1"), ("height", "4"), ("threshold", "1")];
    assert!(seeded(&untimed(500, &[]), &parameters, 1).is_err());
    let parameters = [("epsilon", "1"), ("height", "4"), ("threshold", "60")];
    let release = seeded(&busy(universe(500)), &parameters, 1).unwrap();
    assert!(
        release
            .counts()
            .unwrap()
            .noisy
            .iter()
            .all(|&noisy| noisy >= 60)
    );
}

#[test]
fn levels_have_the_noise_of_their_part_of_the_budget() {
    let parameters = [("epsilon", "6"), ("height", "3"), ("split", "3,2,1")];
    let release = seeded(&busy(universe(30)), &parameters, 1).unwrap();
    let counts = release.counts().unwrap();
    for node in 0..counts.noisy.len() {
        let level = counts.prefixes.length(node) as u64;
        let rate = Rate::new(4 - level, 1).unwrap();
        assert_eq!(
            counts.standard_error[node],
            DiscreteLaplace::new(rate).std_dev()
        );
    }
}
