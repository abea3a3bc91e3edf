use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroU32;

use proptest::prelude::*;
use wayveil_core::{
    Coordinate, Location, Origin, PrivacyUnit, Silent, TimeAxis, Universe, UniverseDocument,
};
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
        units: None,
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
    // A decoy longer than the two coarse bins has several points in one, as released journeys have.
    let given = [("clusters", "6"), ("decoys", "4"), ("bins-together", "12")];
    let mut long = Sequences::empty(true);
    (0..500).for_each(|_| long.push(&[0, 1, 3, 4], &[7, 8, 22, 23]));
    let out = run(&mechanism(&given), public, long, 1);
    assert_eq!(different(&out.trajectories).len(), 5);
    for row in 0..out.trajectories.len() {
        let bins = out.trajectories.bins_of(row);
        assert!(bins.len() == 4 && bins.is_sorted(), "{bins:?}");
        assert!(bins.iter().all(|bin| [0, 12].contains(bin)));
    }
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
fn a_journey_that_passes_by_chance_must_fit() {
    let universe = towns();
    let public = public(&universe, None, PrivacyUnit::Owner);
    let pure = |epsilon| {
        let given = [
            ("noise", "pure"),
            ("window", "1000"),
            ("decoys", "0"),
            ("epsilon", epsilon),
        ];
        mechanism(&given).claim(&public)
    };
    assert!(pure("1").is_ok());
    let error = pure("0.01").unwrap_err();
    assert!(error.to_string().contains("by chance"), "{error}");
}

#[test]
fn centres_that_are_all_noise_are_refused() {
    let universe = towns();
    let public = public(&universe, None, PrivacyUnit::Owner);
    for (share, says) in [
        ("0.000001", "nothing but noise"),
        ("0.0000000000000000000001", "share"),
    ] {
        let given = [("centres", "private"), ("centres-share", share)];
        let error = mechanism(&given).claim(&public).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert!(
            error
                .advice()
                .is_some_and(|hint| hint.contains("--centres-share"))
        );
    }
}

#[test]
fn a_large_delta_is_a_limit() {
    let universe = towns();
    let public = public(&universe, None, PrivacyUnit::Owner);
    for (delta, weak) in [("1e-9", false), ("0.05", true)] {
        let limits = mechanism(&[("delta", delta)])
            .claim(&public)
            .unwrap()
            .limits;
        assert_eq!(
            limits.iter().any(|it| it.contains("weak promise")),
            weak,
            "{limits:?}"
        );
        assert!(limits[0].contains("made by at least one person"));
    }
}

/// All places are one place: of six locations there is one cluster, or six of which one is used.
#[test]
fn identical_places_are_defined_for_every_form() {
    let universe = Universe::try_from(UniverseDocument {
        origin: Origin::Declared("test".into()),
        locations: (0..6)
            .map(|code| Location {
                label: code.to_string(),
                at: Some(Coordinate {
                    lat: 45.0,
                    lng: 7.0,
                }),
                ..Location::default()
            })
            .collect(),
        groups: Vec::new(),
    })
    .unwrap();
    let public = public(&universe, None, PrivacyUnit::Owner);
    for noise in ["laplace", "truncated", "pure"] {
        for centres in ["public", "private"] {
            for collapse in ["false", "true"] {
                let given = [
                    ("noise", noise),
                    ("centres", centres),
                    ("collapse", collapse),
                    ("clusters", "4"),
                    ("epsilon", "2"),
                ];
                let out = run(&mechanism(&given), public, crowds(500), 4);
                // Everybody is in one place all the time; whatever else there is is a decoy or chance.
                let length = if collapse == "true" { 1 } else { 4 };
                let counts = different(&out.trajectories);
                let (way, count) = counts.iter().max_by_key(|(_, count)| **count).unwrap();
                assert!((900..1100).contains(count), "{given:?} {counts:?}");
                assert_eq!(*way, vec![way[0]; length], "{given:?}");
            }
        }
    }
}

/// With times and without stays: what nobody made looks like what somebody could make.
#[test]
fn no_impossible_journey_is_released() {
    let universe = towns();
    let axis = TimeAxis::new(24, Origin::Declared("test".into()));
    let public = public(&universe, Some(&axis), PrivacyUnit::Owner);
    let mut rows = Sequences::empty(true);
    (0..300).for_each(|_| rows.push(&[0, 3, 1], &[7, 7, 20]));
    for seed in 0..40 {
        let given = [
            ("noise", "pure"),
            ("clusters", "6"),
            ("collapse", "true"),
            ("bins-together", "6"),
            ("window", "3"),
            ("decoys", "5"),
        ];
        let out = run(&mechanism(&given), public, rows.clone(), seed);
        for row in 0..out.trajectories.len() {
            assert!(out.trajectories.bins_of(row).is_sorted());
            let codes = out.trajectories.codes_of(row);
            assert!(codes.windows(2).all(|pair| pair[0] != pair[1]), "{codes:?}");
        }
    }
}

#[test]
fn what_is_shown_of_each_record_stands_beside_the_same_release() {
    let universe = towns();
    let public = public(&universe, None, PrivacyUnit::Owner);
    let mut rows = crowds(300);
    rows.push(&[1, 1, 1, 1], &[]);
    let records = Records {
        public,
        sequences: Cow::Owned(rows.clone()),
        attributes: Vec::new(),
        owners: None,
        units: None,
    };
    for given in [vec![], vec![("as-published", "true")]] {
        let mechanism = mechanism(&[&given[..], &[("clusters", "2"), ("decoys", "3")]].concat());
        let random = &mut RandomSource::insecure_seed(6);
        let (out, shown) = mechanism.run_in_place(&records, random, &Silent).unwrap();
        assert_eq!(
            out.trajectories,
            run(&mechanism, public, rows.clone(), 6).trajectories
        );
        let shown = shown.unwrap();
        assert_eq!(shown.len(), 601);
        assert_eq!(shown.bins_of(0), [0, 1, 2, 3]);
        let clusters = shown.codes_of(0);
        assert!(clusters[0] == clusters[2] && clusters[0] != clusters[1]);
        // One taxi alone is not shown by what holds, and nearly always by what does not.
        assert_eq!(shown.codes_of(600).is_empty(), given.is_empty());
    }
}

#[test]
fn public_inputs_that_do_not_fit_are_refused() {
    let universe = towns();
    let owner = public(&universe, None, PrivacyUnit::Owner);
    for (given, says) in [
        (("bins-together", "2"), "--bins"),
        (("decoys", "1000000"), "--decoys"),
        // 300,000 decoys of two points are too few rows to refuse, and of 1000 too many symbols.
        (("window", "1000"), "--window"),
    ] {
        let mut all = vec![("clusters", "3"), ("decoys", "300000")];
        let fits = [("epsilon", "2"), ("window", "2")];
        assert!(mechanism(&[&all[..], &fits].concat()).claim(&owner).is_ok());
        all.push(given);
        all.push(("epsilon", "2"));
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
