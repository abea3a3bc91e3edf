use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

use proptest::prelude::*;
use wayveil_core::{Coordinate, Origin, PrivacyUnit, Silent, TimeAxis, Universe};
use wayveil_noise::thresholded;

use super::*;
use crate::generalize::kmeans::Clustering;
use crate::generalize::merge::merge;
use crate::generalize::testing::{options, public, towns};

fn mechanism(given: &[(&str, &str)]) -> Generalize {
    Generalize {
        options: options(given),
    }
}

fn run(mechanism: &Generalize, public: PublicInputs<'_>, rows: Sequences, seed: u64) -> Output {
    let records = Records {
        public,
        sequences: Cow::Owned(rows),
        attributes: Vec::new(),
        owners: None,
    };
    let random = &mut RandomSource::insecure_seed(seed);
    mechanism.run(&records, random, &Silent).unwrap()
}

/// Two crowds, each on a way of its own between the two towns.
fn crowds(size: usize) -> Sequences {
    let ways: [&[u32]; 2] = [&[0, 3, 1, 4], &[5, 2, 4, 0]];
    Sequences::from_codes((0..2 * size).map(|person| ways[person % 2]))
}

fn different(rows: &Sequences) -> BTreeMap<Vec<u32>, usize> {
    let mut counts = BTreeMap::new();
    rows.iter()
        .for_each(|row| *counts.entry(row.to_vec()).or_default() += 1);
    counts
}

#[test]
fn crowds_are_released_as_clusters_with_decoys_among_them() {
    let universe = towns();
    let public = public(&universe, None, PrivacyUnit::Owner);
    for centres in ["public", "private"] {
        let given = [("clusters", "2"), ("decoys", "3"), ("centres", centres)];
        let out = run(&mechanism(&given), public, crowds(2000), 3);
        let counts = different(&out.trajectories);
        assert_eq!(counts.len(), 5, "{centres} {counts:?}");
        // The places nearest to the middles of the towns, and both crowds.
        let mut largest: Vec<(usize, Vec<u32>)> = counts
            .into_iter()
            .map(|(way, count)| (count, way))
            .collect();
        largest.sort();
        for (count, way) in &largest[3..] {
            assert!((1900..2100).contains(count));
            let towns: Vec<u32> = way.iter().map(|place| place / 3).collect();
            assert!(towns == [0, 1, 0, 1] || towns == [1, 0, 1, 0], "{way:?}");
        }
        assert!(largest[..3].iter().all(|(count, _)| *count < 200));
        assert!(out.trajectories.iter().is_sorted());
    }
}

#[test]
fn times_are_coarse_or_left_out() {
    let universe = towns();
    let axis = TimeAxis::new(24, Origin::Declared("test".into()));
    let public = public(&universe, Some(&axis), PrivacyUnit::Owner);
    let mut rows = Sequences::empty(true);
    (0..500).for_each(|_| rows.push(&[0, 3], &[7, 23]));
    let given = [("clusters", "6"), ("decoys", "0"), ("bins-together", "5")];
    let out = run(&mechanism(&given), public, rows.clone(), 1);
    assert_eq!(out.trajectories.codes_of(0), [0, 3]);
    assert_eq!(out.trajectories.bins_of(0), [5, 20]);
    // A decoy longer than the two coarse bins is cut to them.
    let given = [("clusters", "6"), ("decoys", "4"), ("bins-together", "12")];
    let mut long = Sequences::empty(true);
    (0..500).for_each(|_| long.push(&[0, 1, 3, 4], &[7, 8, 22, 23]));
    let out = run(&mechanism(&given), public, long, 1);
    let lengths: Vec<usize> = different(&out.trajectories).keys().map(Vec::len).collect();
    assert_eq!(
        lengths.iter().filter(|&&length| length == 2).count(),
        4,
        "{lengths:?}"
    );
    let out = run(&mechanism(&[("clusters", "6")]), public, rows, 1);
    assert!(
        out.trajectories
            .bins()
            .is_some_and(|bins| bins.iter().all(|&bin| bin == 0))
    );
}

#[test]
fn one_taxi_is_nothing_to_release() {
    let universe = towns();
    let public = public(&universe, None, PrivacyUnit::Owner);
    let taxi = Sequences::from_codes([[0u32, 1, 2, 3, 4, 5]]);
    for given in [("window", "all"), ("noise", "truncated")] {
        let out = run(
            &mechanism(&[("clusters", "3"), given]),
            public,
            taxi.clone(),
            2,
        );
        assert!(out.trajectories.is_empty(), "{given:?}");
    }
}

#[test]
fn claims_state_what_is_spent() {
    let universe = towns();
    let public = public(&universe, None, PrivacyUnit::Owner);
    for (given, delta) in [
        (vec![], Some("1e-9")),
        (vec![("noise", "truncated"), ("windows", "3")], Some("1e-9")),
        (
            vec![("centres", "private"), ("delta", "1e-5")],
            Some("1e-5"),
        ),
        (vec![("noise", "pure")], None),
    ] {
        let mut given = given;
        given.push(("clusters", "3"));
        let claim = mechanism(&given).claim(&public).unwrap();
        let Cost::DifferentialPrivacy {
            epsilon,
            delta: spent,
        } = &claim.cost
        else {
            panic!("a cost");
        };
        assert_eq!(epsilon.to_string(), "1");
        match delta {
            None => assert!(spent.is_zero()),
            Some(most) => assert!(
                !spent.is_zero() && *spent <= most.parse().unwrap(),
                "{spent}"
            ),
        }
    }
    // Worked by hand: m = 1, ε = 1; e^(−(T−1))/(1 + e^(−1)) ≤ 10⁻⁹ from T = 22 on.
    let claim = mechanism(&[("clusters", "3")]).claim(&public).unwrap();
    assert_eq!(claim.parameters["threshold"], 22);
    let rate = wayveil_noise::Rate::new(1, 1).unwrap();
    let by = thresholded::Contribution::ONE_KEY;
    let expected = thresholded::laplace_delta(rate, 22.try_into().unwrap(), by).to_string();
    let Cost::DifferentialPrivacy { delta, .. } = &claim.cost else {
        panic!("a cost");
    };
    assert_eq!(delta.to_string(), expected);
    let nothing = mechanism(&[("as-published", "true")])
        .claim(&public)
        .unwrap();
    assert_eq!(nothing.cost, Cost::NotComposing);
    assert_eq!(nothing.guarantee.model.name(), "none");
}

#[test]
fn public_inputs_that_do_not_fit_are_refused() {
    let universe = towns();
    let owner = public(&universe, None, PrivacyUnit::Owner);
    for (given, says) in [
        (("bins-together", "2"), "--bins"),
        (("decoys", "1000000"), "--decoys"),
    ] {
        let mut all = vec![("clusters", "3")];
        all.push(given);
        let error = mechanism(&all).claim(&owner).unwrap_err();
        assert!(
            error.advice().is_some_and(|hint| hint.contains(says)),
            "{error}"
        );
    }
    let bare = Universe::from_labels(["A", "B"], Origin::Declared("test".into())).unwrap();
    let bare = public(&bare, None, PrivacyUnit::Owner);
    for given in [vec![("clusters", "2")], vec![("as-published", "true")]] {
        let error = mechanism(&given).claim(&bare).unwrap_err();
        assert!(error.to_string().contains("no coordinates"), "{error}");
    }
}

proptest! {
    /// The sensitivity that noise is made for, by brute force: one more person, with as many records as
    /// the unit allows, changes counts by no more than the plan says. The person comes last, so that all
    /// others keep their coins where windows are drawn.
    #[test]
    fn a_person_changes_no_more_counts_than_are_paid_for(
        others in prop::collection::vec(prop::collection::vec(0u32..6, 0..20), 0..6),
        own in prop::collection::vec(prop::collection::vec(0u32..6, 0..20), 1..4),
        window in prop_oneof![Just("all"), Just("1"), Just("2"), Just("3")],
        windows in 1u32..4, collapse: bool, seed: u64,
        choose in prop_oneof![Just("usual"), Just("first"), Just("random")],
    ) {
        let universe = towns();
        let records = NonZeroU32::new(own.len() as u32).unwrap();
        let unit = match records.get() {
            1 => PrivacyUnit::Owner,
            _ => PrivacyUnit::OwnerBounded(records),
        };
        let (windows, collapse) = (windows.to_string(), collapse.to_string());
        let chosen = mechanism(&[
            ("clusters", "3"), ("window", window), ("windows", &windows), ("collapse", &collapse),
            ("choose", choose),
        ]);
        let plan = chosen.plan(&public(&universe, None, unit)).unwrap();
        let counts = |rows: &[Vec<u32>]| -> BTreeMap<Vec<u32>, u64> {
            let clustering = Clustering {
                centres: vec![Coordinate { lat: 0.0, lng: 0.0 }; 3],
                of_point: vec![0, 0, 1, 1, 2, 2],
                rounds: 0,
                settled: true,
            };
            let canonical = chosen.options.canonical(&clustering, None);
            let random = &mut RandomSource::insecure_seed(seed);
            let made = canonical.journeys(&Sequences::from_codes(rows), random).unwrap();
            let merged = merge(&made.sequences, None).unwrap();
            merged.keys.iter().map(<[u32]>::to_vec).zip(merged.counts).collect()
        };
        let without = counts(&others);
        let with = counts(&[others, own].concat());
        prop_assert!(without.keys().all(|key| with.contains_key(key)));
        let grown: Vec<u64> = with
            .iter()
            .map(|(key, count)| count - without.get(key).copied().unwrap_or(0))
            .collect();
        let most = u64::from(plan.counting.by.most().get());
        prop_assert!(grown.iter().sum::<u64>() <= most);
        if let thresholded::Contribution::DistinctKeys(_) = plan.counting.by {
            prop_assert!(grown.iter().all(|&by| by <= 1));
        }
    }
}
