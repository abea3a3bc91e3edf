//! Metrics against hand-computed numbers and against plain, slow computations.

use std::borrow::Cow;
use std::collections::BTreeMap;

use proptest::prelude::*;
use wayveil_core::{Coordinate, Location, Origin, Sequences, Universe, UniverseDocument};
use wayveil_evaluate::metrics::{self, Better};
use wayveil_evaluate::{Compared, Settings};

const RADIUS: f64 = 6_371_008.8;
const DIVERGENCES: [&str; 6] = [
    "length-divergence",
    "trip-divergence",
    "transition-divergence",
    "location-divergence",
    "diameter-divergence",
    "distance-divergence",
];
const OTHERS: [&str; 10] = [
    "kendall-tau",
    "hot-spot-ndcg",
    "pattern-f1",
    "pattern-support-error",
    "range-query-error",
    "radius-of-gyration",
    "earth-movers-distance",
    "mutual-information",
    "lost-instances",
    "flow-error",
];

type Records = Vec<Vec<u32>>;

fn all() -> impl Iterator<Item = &'static str> {
    DIVERGENCES.into_iter().chain(OTHERS)
}

fn universe(coordinates: &[Option<(f64, f64)>]) -> Universe {
    let locations = coordinates.iter().enumerate().map(|(code, at)| Location {
        label: code.to_string(),
        at: at.map(|(lat, lng)| Coordinate { lat, lng }),
        ..Location::default()
    });
    Universe::try_from(UniverseDocument {
        origin: Origin::FromData,
        locations: locations.collect(),
        groups: Vec::new(),
    })
    .unwrap()
}

/// Locations on the equator, at these degrees of longitude.
fn line(degrees: &[f64]) -> Universe {
    let at: Vec<_> = degrees.iter().map(|&lng| Some((0.0, lng))).collect();
    universe(&at)
}

/// Six locations in general position.
fn town() -> Universe {
    let at = |lat: u32, lng: u32| Some((45.0 + f64::from(lat) / 1e3, 7.0 + f64::from(lng) / 1e3));
    universe(&[
        at(0, 0),
        at(7, 31),
        at(50, 13),
        at(44, 77),
        at(23, 19),
        at(90, 88),
    ])
}

type Values = BTreeMap<String, Option<f64>>;

fn run_with(metric: &str, universe: &Universe, compared: [&Sequences; 2], s: &Settings) -> Values {
    let compared = Compared {
        in_place: None,
        universe,
        raw: compared[0],
        released: Cow::Borrowed(compared[1]),
    };
    let metric = metrics::find(metric).expect("a known metric");
    let values = (metric.run)(&compared, s).unwrap();
    for value in &values {
        assert!(value.value.is_none_or(f64::is_finite), "{value:?}");
    }
    values.into_iter().map(|v| (v.name, v.value)).collect()
}

fn run(metric: &str, universe: &Universe, raw: &Records, released: &Records) -> Values {
    let sides = [raw, released].map(Sequences::from_codes);
    run_with(
        metric,
        universe,
        [&sides[0], &sides[1]],
        &Settings::default(),
    )
}

#[track_caller]
fn close(found: Option<f64>, expected: f64) {
    let found = found.expect("a defined value");
    let tolerance = 1e-9 * expected.abs().max(1.0);
    assert!(
        (found - expected).abs() <= tolerance,
        "{found}, not {expected}"
    );
}

fn haversine((lat, lng): (f64, f64), (other_lat, other_lng): (f64, f64)) -> f64 {
    let half = |a: f64, b: f64| ((b - a).to_radians() / 2.0).sin().powi(2);
    let h = half(lat, other_lat)
        + lat.to_radians().cos() * other_lat.to_radians().cos() * half(lng, other_lng);
    2.0 * RADIUS * h.sqrt().min(1.0).asin()
}

fn distance(universe: &Universe, a: u32, b: u32) -> f64 {
    let at = |code: u32| {
        let at = universe.locations()[code as usize].at.unwrap();
        (at.lat, at.lng)
    };
    haversine(at(a), at(b))
}

fn jensen_shannon<K: Ord + Clone>(raw: &[K], released: &[K]) -> Option<f64> {
    if raw.is_empty() || released.is_empty() {
        return None;
    }
    let share = |side: &[K], key: &K| {
        side.iter().filter(|other| *other == key).count() as f64 / side.len() as f64
    };
    let entropy = |shares: Vec<f64>| -> f64 {
        let positive = shares.into_iter().filter(|&share| share > 0.0);
        positive.map(|share| -share * share.log2()).sum()
    };
    let mut keys = [raw, released].concat();
    keys.sort();
    keys.dedup();
    let p: Vec<f64> = keys.iter().map(|key| share(raw, key)).collect();
    let q: Vec<f64> = keys.iter().map(|key| share(released, key)).collect();
    let middle = p.iter().zip(&q).map(|(a, b)| (a + b) / 2.0).collect();
    Some(entropy(middle) - (entropy(p) + entropy(q)) / 2.0)
}

/// The same bins, said another way: how many inner edges lie at or below the value.
fn binned(raw: &[f64], values: &[f64]) -> Vec<usize> {
    let greatest = raw.iter().copied().fold(0.0, f64::max);
    let bin = |&value: &f64| {
        let edges = (1..=19).filter(|&i| value >= greatest * (f64::from(i) - 1e-9) / 20.0);
        match value > greatest * (1.0 + 1e-9) {
            true => 20,
            false if greatest == 0.0 => 0,
            false => edges.count(),
        }
    };
    values.iter().map(bin).collect()
}

#[test]
fn every_metric_says_what_it_is() {
    for name in all() {
        let metric = metrics::find(name).unwrap_or_else(|| panic!("{name} is not on the list"));
        for text in [metric.about, metric.definition, metric.source] {
            assert!(!text.is_empty() && !text.contains("  "), "{name}: {text:?}");
        }
        assert!(metric.definition.contains("Undefined"), "{name}");
    }
}

#[test]
fn a_copy_is_perfect() {
    let records: Records = vec![
        vec![0, 1, 2],
        vec![3, 4],
        vec![2, 2, 5, 0],
        vec![1],
        vec![2, 0],
    ];
    for name in all().filter(|name| *name != "mutual-information") {
        let perfect = match metrics::find(name).unwrap().better {
            Better::Lower => 0.0,
            Better::Higher => 1.0,
        };
        for (value, number) in run(name, &town(), &records, &records) {
            if !["tau-a", "coverage"].contains(&value.as_str()) {
                assert_eq!(number, Some(perfect), "{name} {value}");
            }
        }
    }
    let values = run("mutual-information", &town(), &records, &records);
    close(values["share"], 1.0);
}

#[test]
fn extremes_are_defined_or_not_but_never_nan() {
    let (empty, blank, one) = (vec![], vec![vec![], vec![]], vec![vec![3]]);
    let some: Records = vec![vec![0, 1, 2], vec![3, 4], vec![]];
    let more: Records = (0..50).map(|r| vec![r % 6, (r + 1) % 6, r % 4]).collect();
    let sets = [empty, blank, one, some, more];
    let bare = universe(&[None; 6]);
    let alone = line(&[3.0]);
    for name in all() {
        let names: Vec<String> = run(name, &town(), &sets[3], &sets[4]).into_keys().collect();
        for (raw, released) in sets.iter().flat_map(|a| sets.iter().map(move |b| (a, b))) {
            let spatial = metrics::find(name).unwrap().spatial;
            let values = run(name, &town(), raw, released);
            assert!(values.keys().eq(&names), "{name}: {values:?}");
            let values = run(name, &bare, raw, released);
            assert!(values.keys().eq(&names), "{name}: {values:?}");
            assert!(!spatial || values.values().all(Option::is_none), "{name}");
            let stay = |set: &Records| set.iter().map(|r| vec![0; r.len()]).collect();
            let values = run(name, &alone, &stay(raw), &stay(released));
            assert!(values.keys().eq(&names), "{name}: {values:?}");
        }
    }
    for name in DIVERGENCES {
        assert_eq!(run(name, &town(), &sets[3], &sets[0])[""], None, "{name}");
        assert_eq!(run(name, &town(), &sets[0], &sets[3])[""], None, "{name}");
    }
    let empty_release = |name: &str| run(name, &town(), &sets[3], &sets[0]);
    assert_eq!(empty_release("pattern-f1")[""], Some(0.0));
    assert_eq!(empty_release("pattern-support-error")[""], Some(1.0));
    assert_eq!(empty_release("lost-instances")[""], Some(1.0));
    assert_eq!(empty_release("kendall-tau")["tau-a"], Some(0.0));
    assert_eq!(empty_release("kendall-tau")["tau-b"], None);
    assert_eq!(empty_release("hot-spot-ndcg")["visits"], None);
    assert_eq!(empty_release("earth-movers-distance")["metres"], None);
    assert!(empty_release("range-query-error")["circles"] > Some(0.0));
}

#[test]
fn settings_that_ask_for_nothing_give_nothing() {
    let nothing = Settings {
        hot_spots: 0,
        fragment_length: 1,
        range_queries: 0,
        ..Settings::default()
    };
    let records = Sequences::from_codes([[0, 1, 2]]);
    for name in [
        "hot-spot-ndcg",
        "pattern-f1",
        "pattern-support-error",
        "range-query-error",
    ] {
        let values = run_with(name, &town(), [&records, &records], &nothing);
        assert!(values.values().all(Option::is_none), "{name}: {values:?}");
    }
}

#[test]
fn an_unknown_code_is_an_error() {
    let (fine, wild) = (
        Sequences::from_codes([[0, 1]]),
        Sequences::from_codes([[0, 9]]),
    );
    let universe = town();
    for name in [
        "location-divergence",
        "kendall-tau",
        "hot-spot-ndcg",
        "diameter-divergence",
        "distance-divergence",
        "radius-of-gyration",
        "range-query-error",
        "earth-movers-distance",
        "mutual-information",
    ] {
        for [raw, released] in [[&fine, &wild], [&wild, &fine]] {
            let compared = Compared {
                in_place: None,
                universe: &universe,
                raw,
                released: Cow::Borrowed(released),
            };
            let metric = metrics::find(name).unwrap();
            assert!(
                (metric.run)(&compared, &Settings::default()).is_err(),
                "{name}"
            );
        }
    }
}

#[test]
fn divergences_by_hand() {
    // Raw trips 0→1 and 0→2, released 0→1 twice: p = (½, ½), q = (1, 0), m = (¾, ¼), so that
    // H(m) = 2 − ¾ log 3 and half of H(p) + H(q) is ½.
    let raw: Records = vec![vec![0, 1], vec![0, 3, 2], vec![4]];
    let released: Records = vec![vec![0, 1], vec![0, 1]];
    let log = 3.0_f64.log2();
    close(
        run("trip-divergence", &town(), &raw, &released)[""],
        1.5 - 0.75 * log,
    );
    // Lengths 2, 3, 1 against 2, and transitions 01, 03, 32 against 01: m = (⅔, ⅙, ⅙), so that
    // H(m) = log 3 − ⅓ and half of H(p) + H(q) is ½ log 3.
    for name in ["length-divergence", "transition-divergence"] {
        close(
            run(name, &town(), &raw, &released)[""],
            log / 2.0 - 1.0 / 3.0,
        );
    }
    // Nothing in common.
    let other: Records = vec![vec![5, 4, 5, 4]];
    for name in [
        "trip-divergence",
        "transition-divergence",
        "length-divergence",
    ] {
        assert_eq!(
            run(name, &town(), &released, &other)[""],
            Some(1.0),
            "{name}"
        );
    }
}

#[test]
fn space_by_hand() {
    let universe = line(&[0.0, 1.0, 3.0]);
    let degree = RADIUS.to_radians();
    // All raw visits at 0, a third of the released at each.
    let (raw, released) = (vec![vec![0; 4]], vec![vec![0, 1], vec![2]]);
    let values = run("earth-movers-distance", &universe, &raw, &released);
    close(values["metres"], 4.0 / 3.0 * degree);
    assert_eq!(values["error-bound"], Some(0.0));
    // Radii: two points a degree apart have half a degree, three degrees apart 1.5.
    let (raw, released) = (vec![vec![0, 1]], vec![vec![0, 2], vec![1, 0]]);
    let values = run("radius-of-gyration", &universe, &raw, &released);
    close(values["mean-error"], 1.0);
    // Half of the released radii lie beyond the raw range: p = (1, 0), q = (½, ½).
    let expected = jensen_shannon(&[0], &[0, 1]).unwrap();
    close(values["divergence"], expected);
    close(
        run("diameter-divergence", &universe, &raw, &released)[""],
        expected,
    );
    // Going to and fro is a small diameter and a long way.
    let to_and_fro = vec![vec![0, 1, 0, 1, 0, 1], vec![0, 1]];
    assert_eq!(
        run("diameter-divergence", &universe, &raw, &to_and_fro)[""],
        Some(0.0)
    );
    close(
        run("distance-divergence", &universe, &raw, &to_and_fro)[""],
        expected,
    );
    // On a line there are circles but no squares.
    let values = run("range-query-error", &universe, &raw, &released);
    assert!(values["circles"] > Some(0.0));
    assert_eq!((values["squares"], values["square-visits"]), (None, None));
}

#[test]
fn counts_scale_where_they_should() {
    let raw: Records = vec![vec![0, 1, 2, 0], vec![3, 4], vec![2, 5]];
    let twice = [raw.clone(), raw.clone()].concat();
    for (name, value, expected) in [
        ("location-divergence", "", 0.0),
        ("earth-movers-distance", "metres", 0.0),
        ("kendall-tau", "tau-b", 1.0),
        ("hot-spot-ndcg", "visits", 1.0),
        ("pattern-f1", "", 1.0),
        ("pattern-support-error", "", 1.0),
        ("lost-instances", "", 0.0),
    ] {
        assert_eq!(
            run(name, &town(), &raw, &twice)[value],
            Some(expected),
            "{name}"
        );
    }
    assert!(run("range-query-error", &town(), &raw, &twice)["squares"] > Some(0.0));
    assert_eq!(
        run("mutual-information", &town(), &raw, &twice)["bits"],
        None
    );
}

#[test]
fn lost_instances_are_doublets_in_timed_data() {
    let timed = |bins| Sequences::new(vec![0, 3], vec![0, 1, 0], Some(bins)).unwrap();
    let (raw, released) = (timed(vec![0, 1, 2]), timed(vec![0, 1, 1]));
    let values = run_with(
        "lost-instances",
        &town(),
        [&raw, &released],
        &Settings::default(),
    );
    assert_eq!(values[""], Some(1.0 / 3.0));
    let untimed: Records = vec![vec![0, 1, 0]];
    assert_eq!(
        run("lost-instances", &town(), &untimed, &vec![vec![0, 0, 0]])[""],
        Some(1.0 / 3.0)
    );
}

#[test]
fn mutual_information_by_hand() {
    // The first location is kept, the second hidden, the third is known anyway.
    let raw: Records = vec![vec![0, 0, 5], vec![1, 1, 5]];
    let released: Records = vec![vec![2, 4, 4], vec![3, 4, 4]];
    let values = run("mutual-information", &town(), &raw, &released);
    close(values["bits"], 1.0);
    close(values["share"], 0.5);
    let same: Records = vec![vec![5], vec![5]];
    let values = run("mutual-information", &town(), &same, &released);
    assert_eq!((values["bits"], values["share"]), (Some(0.0), None));
}

fn some_records() -> impl Strategy<Value = Records> {
    prop::collection::vec(prop::collection::vec(0u32..6, 0..40), 1..12)
}

proptest! {
    #[test]
    fn divergences_as_computed_plainly(raw in some_records(), released in some_records()) {
        let universe = town();
        let check = |name: &str, expected: Option<f64>| {
            match (run(name, &universe, &raw, &released)[""], expected) {
                (None, None) => {}
                (found, Some(expected)) => close(found, expected),
                (found, None) => panic!("{name}: {found:?}"),
            }
        };
        let lengths = |records: &Records| records.iter().map(Vec::len).collect::<Vec<_>>();
        check("length-divergence", jensen_shannon(&lengths(&raw), &lengths(&released)));
        let visits = |records: &Records| records.concat();
        check("location-divergence", jensen_shannon(&visits(&raw), &visits(&released)));
        let pairs = |records: &Records| -> Vec<Vec<u32>> {
            records.iter().flat_map(|r| r.windows(2).map(<[u32]>::to_vec)).collect()
        };
        check("transition-divergence", jensen_shannon(&pairs(&raw), &pairs(&released)));
        let trips = |records: &Records| -> Vec<(u32, u32)> {
            let long = records.iter().filter(|r| r.len() > 1);
            long.map(|r| (r[0], r[r.len() - 1])).collect()
        };
        check("trip-divergence", jensen_shannon(&trips(&raw), &trips(&released)));

        let per_record = |number: &dyn Fn(&[u32]) -> f64| {
            let of = |records: &Records| -> Vec<f64> {
                records.iter().filter(|r| !r.is_empty()).map(|r| number(r)).collect()
            };
            let (raw, released) = (of(&raw), of(&released));
            jensen_shannon(&binned(&raw, &raw), &binned(&raw, &released))
        };
        check("diameter-divergence", per_record(&|record| {
            let all = record.iter().flat_map(|a| record.iter().map(move |b| (*a, *b)));
            all.map(|(a, b)| distance(&universe, a, b)).fold(0.0, f64::max)
        }));
        check("distance-divergence", per_record(&|record| {
            record.windows(2).map(|step| distance(&universe, step[0], step[1])).sum()
        }));
    }

    #[test]
    fn kendall_as_counted_pair_by_pair(raw in some_records(), released in some_records()) {
        let values = run("kendall-tau", &town(), &raw, &released);
        let visits = |records: &Records, code| {
            records.iter().flatten().filter(|c| **c == code).count() as i64
        };
        let visitors = |records: &Records, code| {
            records.iter().filter(|r| r.contains(&code)).count() as i64
        };
        let (mut balance, mut left, mut right, mut coverage) = (0, 0, 0, 0);
        for a in 0..6 {
            for b in 0..a {
                let x = (visits(&raw, a) - visits(&raw, b)).signum();
                let y = (visits(&released, a) - visits(&released, b)).signum();
                balance += x * y;
                left += x.abs();
                right += y.abs();
                let x = (visitors(&raw, a) - visitors(&raw, b)).signum();
                let y = (visitors(&released, a) - visitors(&released, b)).signum();
                coverage += if x == 0 { 0 } else if x == y { 1 } else { -1 };
            }
        }
        close(values["tau-a"], balance as f64 / 15.0);
        close(values["coverage"], coverage as f64 / 15.0);
        match left * right {
            0 => prop_assert_eq!(values["tau-b"], None),
            _ => close(values["tau-b"], balance as f64 / ((left * right) as f64).sqrt()),
        }
    }

    #[test]
    fn earth_is_moved_as_by_the_best_matching(
        visits in prop::collection::vec((0u32..6, 0u32..6), 1..7),
    ) {
        let universe = town();
        let (from, to): (Vec<u32>, Vec<u32>) = visits.into_iter().unzip();
        fn best(universe: &Universe, from: &[u32], to: &mut Vec<u32>) -> f64 {
            let Some((first, rest)) = from.split_first() else { return 0.0 };
            let mut least = f64::INFINITY;
            for index in 0..to.len() {
                let taken = to.swap_remove(index);
                let cost = distance(universe, *first, taken) + best(universe, rest, to);
                least = least.min(cost);
                to.push(taken);
                let last = to.len() - 1;
                to.swap(index, last);
            }
            least
        }
        let expected = best(&universe, &from, &mut to.clone()) / from.len() as f64;
        let found = run("earth-movers-distance", &universe, &vec![from], &vec![to]);
        close(found["metres"], expected);
    }
}
