//! The hybrid tree through the one door.

use super::common::{bushy, busy, count, grouped, groups, records, run, seeded, universe};
use wayveil_core::{Group, PrivacyUnit, RandomSource};
use wayveil_noise::statistics::{assert_plausible, fit_integers};
use wayveil_noise::{DiscreteLaplace, Rate};

const METHOD: &str = "hybrid-tree";

fn lines(sizes: &[usize]) -> Vec<u32> {
    sizes
        .iter()
        .enumerate()
        .flat_map(|(at, &size)| vec![at as u32; size])
        .collect()
}

#[test]
fn finds_the_busy_ways_with_any_taxonomy() {
    let nested = |label: &str, parent| Group {
        label: label.into(),
        parent,
    };
    let deep = vec![
        nested("metro", None),
        nested("bus", None),
        nested("green", Some(0)),
        nested("blue", Some(0)),
        nested("night", Some(1)),
    ];
    for universe in [
        grouped(groups(3), &lines(&[10, 10, 10])).unwrap(),
        grouped(groups(4), &lines(&[1, 2, 24, 3])).unwrap(),
        grouped(groups(30), &lines(&[1; 30])).unwrap(),
        grouped(groups(1), &lines(&[30])).unwrap(),
        grouped(deep, &[2, 2, 3, 3, 1, 4, 4, 1, 0, 0]).unwrap(),
    ] {
        let parameters = [("epsilon", "2"), ("height", "4")];
        let release = seeded(METHOD, &busy(universe), &parameters, 1).unwrap();
        for way in [&[0, 1, 2, 3][..], &[0, 1], &[4, 2, 0], &[5]] {
            let found = count(&release, way);
            assert!((900..1100).contains(&found), "{way:?}: {found}");
        }
    }
}

#[test]
fn a_taxonomy_can_be_built_by_fan_out() {
    let raw = busy(universe(30));
    let without = seeded(METHOD, &raw, &[("epsilon", "1"), ("height", "4")], 1).unwrap_err();
    assert!(without.advice().unwrap().contains("--fan-out"));
    for fan_out in ["2", "7", "30", "1000"] {
        let parameters = [("epsilon", "2"), ("height", "4"), ("fan-out", fan_out)];
        let release = seeded(METHOD, &raw, &parameters, 1).unwrap();
        assert!((900..1100).contains(&count(&release, &[4, 2, 0])));
    }
    for bad in ["0", "1", "-2", "x"] {
        let parameters = [("epsilon", "2"), ("height", "4"), ("fan-out", bad)];
        assert!(
            seeded(METHOD, &raw, &parameters, 1).is_err(),
            "{bad:?} was accepted"
        );
    }
}

/// With two stations on one line the line is asked for with half the budget and the stations with
/// the other half. The first station's released count is then known exactly: the line must pass,
/// and then the station.
#[test]
fn a_stations_count_has_exactly_the_claimed_distribution() {
    for held in [0usize, 2] {
        // A second line keeps the first from being skipped as the only branch.
        let universe = grouped(groups(2), &[0, 0, 1, 1]).unwrap();
        let raw = records(universe, &vec![[0u32]; held]);
        let mut random = RandomSource::os().unwrap();
        let parameters = [
            ("epsilon", "2"),
            ("height", "1"),
            ("threshold", "2"),
            ("group-share", "1/2"),
        ];
        let drawn: Vec<i64> = (0..40_000)
            .map(|_| {
                let release =
                    run(METHOD, &raw, &parameters, PrivacyUnit::Owner, &mut random).unwrap();
                let counts = release.counts().unwrap();
                let station =
                    (0..counts.noisy.len()).find(|&at| counts.prefixes.codes_of(at) == [0]);
                // Nothing released is marked by −1, which no released count can be.
                station.map_or(-1, |at| counts.noisy[at])
            })
            .collect();
        let noise = DiscreteLaplace::new(Rate::new(1, 1).unwrap());
        let at_least = |t: i64| {
            (t..t + 80)
                .map(|value| noise.pmf(value - held as i64))
                .sum::<f64>()
        };
        let line = at_least(2);
        let hidden = 1.0 - line * at_least(2);
        let pmf = |value: i64| match value {
            -1 => hidden,
            0 | 1 => 0.0,
            _ => line * noise.pmf(value - held as i64),
        };
        assert_plausible(&fit_integers(&drawn, -1..=14, pmf).unwrap());
    }
}

#[test]
fn as_published_runs_on_a_large_network_and_names_what_it_cannot_do() {
    let metro_and_bus = grouped(groups(46), &lines(&[22; 46])).unwrap();
    let published = [("epsilon", "1"), ("height", "12"), ("as-published", "true")];
    let release = seeded(METHOD, &busy(metro_and_bus), &published, 3).unwrap();
    let branching = release.manifest().method.parameters["false_children"]
        .as_f64()
        .unwrap();
    assert!((0.03..0.08).contains(&branching), "{branching}");

    let pairs = grouped(groups(5), &lines(&[2; 5])).unwrap();
    let refusal = seeded(METHOD, &records(pairs, &[[0u32]]), &published, 3).unwrap_err();
    assert!(refusal.to_string().contains("no budget"), "{refusal}");
    let mut nested = groups(3);
    nested[2].parent = Some(0);
    let nested = grouped(nested, &[0, 1, 2, 2, 2]).unwrap();
    let refusal = seeded(METHOD, &records(nested, &[[0u32]]), &published, 3).unwrap_err();
    assert!(refusal.to_string().contains("two levels"), "{refusal}");
}

#[test]
fn extremes_are_sensible() {
    let parameters = [("epsilon", "1"), ("height", "3")];
    let none: [[u32; 1]; 0] = [];
    for raw in [
        records(grouped(groups(2), &[0, 1]).unwrap(), &none),
        records(grouped(groups(1), &[0]).unwrap(), &[[0u32]]),
        records(
            grouped(groups(3), &[0, 0, 2]).unwrap(),
            &[vec![0u32, 1, 2, 0], vec![]],
        ),
    ] {
        let release = seeded(METHOD, &raw, &parameters, 2).unwrap();
        assert!(
            release
                .trajectories()
                .iter()
                .all(|record| record.len() <= 3)
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_release_on_any_number_of_threads() {
    let raw = bushy(grouped(groups(10), &lines(&[20; 10])).unwrap());
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let parameters = [("epsilon", "40"), ("height", "4")];
        pool.install(|| seeded(METHOD, &raw, &parameters, 9).unwrap())
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
