//! Vehicles on roads.

use std::sync::Arc;

use wayveil_core::{Origin, RandomSource, Silent};
use wayveil_io::Input;
use wayveil_io::generate::{GenerateOptions, Preset, RoadNetwork, generate};

use super::{apart, look, made, on_threads, sized, timed};

#[test]
fn vehicles_drive_over_the_grid() {
    look(&made(Preset::Oldenburg, sized(3_000, None), 1), |data| {
        let (trips, universe) = (data.trips(), data.universe());
        assert_eq!((trips.len(), universe.len()), (3_000, 64));
        let origin = "generator oldenburg, 8 rows and 8 columns over its own network";
        assert_eq!(universe.origin(), &Origin::Declared(origin.into()));
        let mean = trips.symbols() as f64 / 3_000.0;
        assert!((4.0..8.0).contains(&mean), "mean length {mean}");
        let mut visits = vec![0; 64];
        let (mut legs, mut neighbours) = (0, 0);
        for trip in trips.iter() {
            assert!(!trip.is_empty());
            assert!(trip.windows(2).all(|pair| pair[0] != pair[1]));
            trip.iter().for_each(|&cell| visits[cell as usize] += 1);
            for pair in trip.windows(2) {
                let (rows, columns) = ([0, 1].map(|i| pair[i] / 8), [0, 1].map(|i| pair[i] % 8));
                let steps = rows[0]
                    .abs_diff(rows[1])
                    .max(columns[0].abs_diff(columns[1]));
                assert!(steps <= 2, "{pair:?} are not close");
                legs += 1;
                neighbours += u32::from(steps == 1);
                assert!(apart(universe, pair[0], pair[1]) < 3.6);
            }
        }
        assert!(neighbours * 100 >= legs * 99, "{neighbours} of {legs}");
        assert!(visits.iter().all(|&visits| visits > 10), "{visits:?}");
    });
}

#[test]
fn bins_are_steps() {
    look(&made(Preset::Oldenburg, timed(800, None, 50), 2), |data| {
        let axis = data.time().unwrap();
        assert_eq!(
            (axis.bins, axis.clock.as_ref().unwrap().bin_seconds),
            (50, 60)
        );
        let trips = data.trips();
        for record in 0..trips.len() {
            let bins = trips.bins_of(record);
            assert!(!bins.is_empty() && bins.windows(2).all(|pair| pair[0] < pair[1]));
        }
    });
    // Without a clock nobody is cut short.
    let symbols = |options| {
        look(&made(Preset::Oldenburg, options, 3), |data| {
            data.trips().symbols()
        })
    };
    let untimed = symbols(sized(800, None));
    assert!(symbols(timed(800, None, 100_000)) > untimed * 95 / 100);
    assert!(symbols(timed(800, None, 1)) == 800);
}

#[test]
fn sizes_scale() {
    for (records, locations, cells) in [
        (1, 2, 2),
        (3, 64, 64),
        (4_097, 100, 100),
        (2_000, 10_000, 10_000),
    ] {
        let raw = made(Preset::Oldenburg, sized(records, Some(locations)), 4);
        look(&raw, |data| {
            assert_eq!(data.trips().len() as u64, records);
            assert_eq!(data.universe().len(), cells);
        });
    }
}

#[test]
fn a_given_network_is_moved_on() {
    let input = |name: &str, text: &'static str| Input::from_reader(name, text.as_bytes()).unwrap();
    let network = RoadNetwork::read_from(
        input("vertices.txt", "1 0 0\n2 15 0\n3 30 0\n"),
        input("edges.txt", "1 1 2 15\n2 2 3 15\n"),
    );
    let options = GenerateOptions {
        network: Some(Arc::new(network.unwrap())),
        ..sized(300, Some(9))
    };
    look(&made(Preset::Oldenburg, options.clone(), 5), |data| {
        let origin = "generator oldenburg, 3 rows and 3 columns over a given network of 3 \
                      vertices and 2 edges";
        assert_eq!(data.universe().origin(), &Origin::Declared(origin.into()));
        // A road along the lowest row: all that can happen.
        let all: [&[u32]; 6] = [&[0, 1], &[0, 1, 2], &[1, 0], &[1, 2], &[2, 1], &[2, 1, 0]];
        for trip in data.trips().iter() {
            let jumped = trip == [0, 2] || trip == [2, 0];
            assert!(jumped || all.contains(&trip), "{trip:?}");
        }
    });
    let many = GenerateOptions {
        records: Some(20_000),
        bins: Some(500),
        ..options.clone()
    };
    let on = |threads| {
        let raw = on_threads(threads, || made(Preset::Oldenburg, many.clone(), 5));
        look(&raw, |data| data.trips().clone())
    };
    assert!(on(1) == on(2));
    let mut random = RandomSource::insecure_seed(6);
    let Err(error) = generate(Preset::City, &options, &mut random, &Silent) else {
        panic!("city took a network");
    };
    assert!(error.message().contains("road network"), "{error}");
}
