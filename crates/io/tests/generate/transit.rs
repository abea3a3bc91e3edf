//! Passengers of metro and buses.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use wayveil_core::{Dataset, Owners, Progress, RandomSource, Silent};
use wayveil_io::generate::{GenerateOptions, Lengths, Preset, generate};

use super::{apart, look, made, sized, timed, universe};

const TRANSIT: [Preset; 3] = [Preset::Metro, Preset::Bus, Preset::Stm];

fn lengths(preset: Preset) -> &'static Lengths {
    preset.info().lengths.as_ref().unwrap()
}

fn longest(data: &Dataset) -> usize {
    data.trips().iter().map(<[u32]>::len).max().unwrap()
}

/// Checks what holds for every data set, whatever its size.
fn check(preset: Preset, data: &Dataset, records: u64, locations: u32) {
    let trips = data.trips();
    assert_eq!(trips.len() as u64, records);
    assert_eq!(data.universe().len() as u32, locations);
    let total = (records * u64::from(lengths(preset).mean_hundredths) + 50) / 100;
    assert_eq!(
        trips.symbols() as u64,
        total,
        "{preset} {records} {locations}"
    );
    for trip in trips.iter() {
        assert!(!trip.is_empty());
        assert!(
            trip.windows(2).all(|pair| pair[0] != pair[1]),
            "stays at a station: {trip:?}"
        );
    }
    let longest_allowed = usize::from(lengths(preset).longest);
    assert!(longest(data) <= longest_allowed);
    assert!(records < 1_000 || longest(data) == longest_allowed);
}

#[test]
fn metro_and_stm_have_their_published_figures() {
    for (preset, records, locations, longest_trip, mean) in [
        (Preset::Metro, 847_668, 68, 90, "4.21"),
        (Preset::Stm, 1_210_096, 1_012, 121, "6.70"),
    ] {
        look(&made(preset, GenerateOptions::default(), 1), |data| {
            check(preset, data, records, locations);
            assert_eq!(longest(data), longest_trip);
            let mean_length = data.trips().symbols() as f64 / data.trips().len() as f64;
            assert_eq!(format!("{mean_length:.2}"), mean);
        });
    }
}

#[test]
fn sizes_scale() {
    for preset in TRANSIT {
        let default = preset.info().locations;
        for records in [1, 2, 10, 1_000, 50_000] {
            look(&made(preset, sized(records, None), 2), |data| {
                check(preset, data, records, default);
            });
        }
        for locations in (2..=120).chain([1_000, 5_000]) {
            look(&made(preset, sized(1_000, Some(locations)), 3), |data| {
                check(preset, data, 1_000, locations);
            });
        }
    }
}

#[test]
fn a_hundred_thousand_locations_are_a_network_too() {
    look(&made(Preset::Stm, sized(2_000, Some(100_000)), 4), |data| {
        check(Preset::Stm, data, 2_000, 100_000);
    });
}

#[test]
fn owners_are_numbered_one_per_record() {
    look(&made(Preset::Metro, sized(12, None), 8), |data| {
        let Owners::Known { of_record, labels } = data.owners() else {
            panic!("owners are not known");
        };
        assert!(of_record.iter().copied().eq(0..12));
        assert_eq!((labels.get(0), labels.get(11)), ("p0000001", "p0000012"));
    });
}

#[test]
fn the_taxonomy_is_lines_within_modes() {
    for preset in TRANSIT {
        let universe = universe(&made(preset, sized(1, None), 9));
        let taxonomy = universe.taxonomy().unwrap();
        let mut stations = vec![0; taxonomy.groups().len()];
        for location in universe.locations() {
            let group = location.group.unwrap() as usize;
            stations[group] += 1;
            let line = &taxonomy.groups()[group].label;
            let mode = if location.label.starts_with('M') {
                "metro-"
            } else {
                "bus-"
            };
            assert!(line.starts_with(mode), "{} on {line}", location.label);
            let at = location.at.unwrap();
            assert!((45.2..45.8).contains(&at.lat) && (-74.0..-73.2).contains(&at.lng));
        }
        let has_modes = preset == Preset::Stm;
        for (group, &stations) in taxonomy.groups().iter().zip(&stations) {
            let is_line = group.label.contains('-');
            assert_eq!(group.parent.is_some(), is_line && has_modes);
            let expected = if is_line { 15..=35 } else { 0..=0 };
            assert!(expected.contains(&stations), "{}: {stations}", group.label);
        }
    }
}

#[test]
fn riders_behave_like_riders() {
    // The share of the busiest station, in percent, and the least share of the busiest tenth.
    for (preset, hub, busiest_tenth) in [
        (Preset::Metro, 5.0..8.0, 20.0),
        (Preset::Bus, 1.0..4.0, 30.0),
        (Preset::Stm, 3.0..8.0, 45.0),
    ] {
        look(&made(preset, sized(60_000, None), 10), |data| {
            let (trips, universe) = (data.trips(), data.universe());
            let mut visits = vec![0u64; universe.len()];
            trips
                .codes()
                .iter()
                .for_each(|&code| visits[code as usize] += 1);
            assert!(
                visits.iter().all(|&visits| visits > 0),
                "a station is never used"
            );
            visits.sort_unstable_by(|one, other| other.cmp(one));
            let percent = |part: u64| part as f64 * 100.0 / trips.symbols() as f64;
            assert!(
                hub.contains(&percent(visits[0])),
                "{preset}: hub {}",
                percent(visits[0])
            );
            let tenth = percent(visits[..visits.len() / 10].iter().sum());
            assert!(tenth > busiest_tenth, "{preset}: busiest tenth {tenth}");

            let long = trips.iter().filter(|trip| trip.len() >= 3);
            let (returned, all) = long.fold((0, 0), |(returned, all), trip| {
                (returned + u32::from(trip[1..].contains(&trip[0])), all + 1)
            });
            assert!(
                returned * 10 > all * 7,
                "{preset}: {returned} of {all} come back"
            );

            let legs = || trips.iter().flat_map(|trip| trip.windows(2));
            let kilometres: f64 = legs().map(|leg| apart(universe, leg[0], leg[1])).sum();
            let mean = kilometres / legs().count() as f64;
            assert!((2.0..9.0).contains(&mean), "{preset}: a leg is {mean} km");
            assert!(legs().all(|leg| apart(universe, leg[0], leg[1]) < 26.0));
        });
    }
}

#[test]
fn there_are_patterns_to_find() {
    look(&made(Preset::Metro, sized(60_000, None), 11), |data| {
        let mut support: HashMap<&[u32], u32> = HashMap::new();
        for trip in data.trips().iter() {
            let mut round_trips: Vec<&[u32]> = trip.windows(3).filter(|w| w[0] == w[2]).collect();
            round_trips.sort_unstable();
            round_trips.dedup();
            for pattern in round_trips {
                *support.entry(pattern).or_default() += 1;
            }
        }
        let frequent = support.values().filter(|&&support| support >= 60).count();
        assert!(
            frequent >= 100,
            "{frequent} round trips in a thousandth of the records"
        );
    });
}

#[test]
fn bad_sizes_are_explained() {
    for options in [
        sized(0, None),
        sized(u64::MAX, None),
        sized(10, Some(0)),
        sized(10, Some(1)),
        sized(10, Some(100_001)),
    ] {
        let mut random = RandomSource::insecure_seed(12);
        let Err(error) = generate(Preset::Metro, &options, &mut random, &Silent) else {
            panic!("{options:?} was accepted");
        };
        assert!(error.message().contains("it lies between"), "{error}");
        assert!(error.advice().is_some());
    }
}

#[test]
fn presets_without_time_refuse_bins() {
    for preset in TRANSIT {
        let mut random = RandomSource::insecure_seed(12);
        let options = timed(10, None, 24);
        let Err(error) = generate(preset, &options, &mut random, &Silent) else {
            panic!("{preset} took bins");
        };
        assert!(error.message().contains("has no time bins"), "{error}");
        assert!(error.advice().unwrap().contains("--bins"));
    }
}

/// Counts what it is told.
#[derive(Default)]
struct Listener {
    begun: AtomicU64,
    done: AtomicU64,
    ended: AtomicU64,
}

impl Progress for Listener {
    fn begin(&self, _step: &str, total: Option<u64>) {
        self.begun.fetch_add(total.unwrap_or(0), Ordering::Relaxed);
    }
    fn advance(&self, parts: u64) {
        self.done.fetch_add(parts, Ordering::Relaxed);
    }
    fn end(&self) {
        self.ended.fetch_add(1, Ordering::Relaxed);
    }
    fn warn(&self, warning: &str) {
        panic!("nothing to warn of: {warning}");
    }
}

#[test]
fn progress_is_told_of_every_record() {
    let listener = Listener::default();
    let mut random = RandomSource::insecure_seed(13);
    let options = sized(10_000, None);
    assert!(generate(Preset::Metro, &options, &mut random, &listener).is_ok());
    let told = [&listener.begun, &listener.done, &listener.ended];
    let told = told.map(|count| count.load(Ordering::Relaxed));
    assert_eq!(told, [10_000, 10_000, 1]);
}
