//! People in a city and in a metro, by the hour.

use std::collections::{HashMap, HashSet};

use wayveil_core::{Clock, Dataset, Origin, Owners, RandomSource, Silent, TimeAxis};
use wayveil_io::generate::{GenerateOptions, Preset, STARTS, generate};

use super::{apart, look, made, sized, timed, universe};

const DOUBLETS: [Preset; 2] = [Preset::City, Preset::StmHours];

/// Checks what holds at every size.
fn check(preset: Preset, data: &Dataset, records: u64, locations: u32, bins: u32) {
    let trips = data.trips();
    assert_eq!(trips.len() as u64, records);
    assert_eq!(data.universe().len() as u32, locations);
    let axis = TimeAxis {
        bins,
        declared: Origin::Declared(format!("generator {preset}")),
        clock: Some(Clock {
            starts: STARTS.into(),
            bin_seconds: 3600,
            zone: "UTC".into(),
        }),
    };
    assert_eq!(data.time(), Some(&axis));
    assert_eq!(trips.symbols() as u64, 5 * records);
    for record in 0..trips.len() {
        let bins = trips.bins_of(record);
        assert!((1..=10).contains(&bins.len()));
        assert!(bins.is_sorted(), "goes back in time: {bins:?}");
        let doublets: HashSet<_> = trips.codes_of(record).iter().zip(bins).collect();
        assert_eq!(doublets.len(), bins.len(), "a doublet occurs twice");
    }
    let Owners::Known { of_record, .. } = data.owners() else {
        panic!("owners are not known");
    };
    assert!(of_record.iter().copied().eq(0..records as u32));
}

/// How many records have each value.
fn values(data: &Dataset) -> Vec<(String, u64)> {
    let [column] = data.attributes() else {
        panic!("not one attribute");
    };
    let mut counts = vec![0; column.values.len()];
    for &value in &column.of_record {
        counts[value as usize] += 1;
    }
    column
        .values
        .iter()
        .map(str::to_owned)
        .zip(counts)
        .collect()
}

#[test]
fn city_has_its_published_figures() {
    look(&made(Preset::City, GenerateOptions::default(), 1), |data| {
        check(Preset::City, data, 80_000, 26, 24);
        let values = values(data);
        assert_eq!(values.len(), 5);
        assert_eq!(values[0], ("HIV".to_owned(), 16_000));
        assert!(values.iter().all(|&(_, records)| records == 16_000));

        let trips = data.trips();
        let mut support: HashMap<(u32, u32), u32> = HashMap::new();
        let mut by_hour = [0u32; 24];
        for (&place, &hour) in trips.codes().iter().zip(trips.bins().unwrap()) {
            *support.entry((place, hour)).or_default() += 1;
            by_hour[hour as usize] += 1;
        }
        // Of 624 doublets nearly all occur, some are frequent and some are rare.
        assert!(support.len() > 600, "{}", support.len());
        let frequent = support.values().filter(|&&records| records >= 800).count();
        let rare = support.values().filter(|&&records| records < 50).count();
        assert!(frequent > 100 && rare > 20, "{frequent} {rare}");
        let night: u32 = by_hour[..5].iter().sum();
        assert!(by_hour[8] > night && by_hour[17] > night, "{by_hour:?}");
    });
}

#[test]
fn stm_hours_has_its_published_figures() {
    let info = Preset::StmHours.info();
    assert_eq!((info.records, info.locations), (462_483, 68));
    let attribute = info.attribute.unwrap();
    assert_eq!(attribute.values().count(), 24);
    assert_eq!(attribute.sensitive.len(), 6);
    assert_eq!(attribute.sensitive_records(462_483), 115_621);
    look(&made(Preset::StmHours, sized(60_001, None), 2), |data| {
        check(Preset::StmHours, data, 60_001, 68, 48);
        let values = values(data);
        let sensitive: u64 = values[..6].iter().map(|&(_, records)| records).sum();
        assert_eq!((values.len(), sensitive), (24, 15_000));
        assert!(
            values
                .iter()
                .all(|&(_, records)| (2_500..=2_501).contains(&records))
        );
        let names = values[..6].iter().map(|(name, _)| name.as_str());
        assert!(names.eq(attribute.sensitive.iter().copied()));
    });
    let metro = universe(&made(Preset::Metro, sized(1, None), 2));
    let hours = universe(&made(Preset::StmHours, sized(1, None), 2));
    assert_eq!(metro.locations(), hours.locations());
}

#[test]
fn people_move_like_people() {
    for (preset, farthest_mean) in [(Preset::City, 1.5), (Preset::StmHours, 7.0)] {
        look(&made(preset, sized(20_000, None), 3), |data| {
            let (trips, universe) = (data.trips(), data.universe());
            let mut two_in_an_hour = 0;
            let (mut kilometres, mut moves, mut returned) = (0.0, 0, 0);
            for record in 0..trips.len() {
                let (codes, bins) = (trips.codes_of(record), trips.bins_of(record));
                two_in_an_hour += usize::from(bins.windows(2).any(|pair| pair[0] == pair[1]));
                let places: HashSet<_> = codes.iter().collect();
                returned += usize::from(places.len() < codes.len());
                for pair in codes.windows(2).filter(|pair| pair[0] != pair[1]) {
                    kilometres += apart(universe, pair[0], pair[1]);
                    moves += 1;
                }
            }
            let mean = kilometres / f64::from(moves);
            assert!((0.4..farthest_mean).contains(&mean), "{preset}: {mean} km");
            assert!(
                (4_000..19_000).contains(&two_in_an_hour),
                "{two_in_an_hour}"
            );
            assert!(returned > 10_000, "{preset}: {returned} come back");
        });
    }
}

/// The attribute tells nothing about where a person is: among those seen at the busiest doublets
/// about as many are sensitive as among all.
#[test]
fn attributes_depend_on_nothing() {
    for preset in DOUBLETS {
        look(&made(preset, sized(60_000, None), 4), |data| {
            let info = preset.info().attribute.unwrap();
            let sensitive = info.sensitive.len() as u32;
            let mut seen: HashMap<(u32, u32), (f64, f64)> = HashMap::new();
            let of_record = &data.attributes()[0].of_record;
            for (record, &value) in of_record.iter().enumerate() {
                let codes = data.trips().codes_of(record).iter();
                for (&code, &bin) in codes.zip(data.trips().bins_of(record)) {
                    let (all, with) = seen.entry((code, bin)).or_default();
                    *all += 1.0;
                    *with += f64::from(u8::from(value < sensitive));
                }
            }
            let share = info.sensitive_percent as f64 / 100.0;
            for (all, with) in seen.into_values().filter(|&(all, _)| all >= 400.0) {
                let spread = (all * share * (1.0 - share)).sqrt();
                assert!(
                    (with - all * share).abs() < 6.0 * spread,
                    "{preset}: {with} of {all}"
                );
            }
        });
    }
}

#[test]
fn sizes_scale() {
    for preset in DOUBLETS {
        for (records, locations, bins) in [
            (1, 2, 12),
            (2, 3, 13),
            (10, 26, 24),
            (1_000, 26, 25),
            (5_000, 200, 40),
            (5_000, 1_000, 168),
            (2_000, 20_000, 1_000_000),
        ] {
            look(
                &made(preset, timed(records, Some(locations), bins), 5),
                |data| {
                    check(preset, data, records, locations, bins);
                },
            );
        }
        // The whole axis is used, however long it is.
        look(&made(preset, timed(5_000, None, 1_000), 6), |data| {
            let used: HashSet<u32> = data
                .trips()
                .bins()
                .unwrap()
                .iter()
                .map(|bin| bin / 24)
                .collect();
            assert_eq!(used.len(), 42);
        });
        for bins in [0, 11, 1_000_001] {
            let mut random = RandomSource::insecure_seed(7);
            let Err(error) = generate(preset, &timed(10, None, bins), &mut random, &Silent) else {
                panic!("{bins} bins were accepted");
            };
            assert!(
                error.message().contains("between 12 and 1000000"),
                "{error}"
            );
        }
    }
}
