//! Random rows against a plain implementation, in memory and through a file.

use proptest::prelude::*;
use wayveil_core::{Origin, Owners, Silent, Universe};

use super::*;
use crate::dates::DateOptions;
use crate::intern::Key;
use crate::native::read_dataset;

const MINUTE: i64 = 60_000_000;

/// Owner, named trip, minute, location.
type Visit = (u8, u8, i64, u8);
/// Owner, locations, bins.
type Record = (String, Vec<u32>, Vec<u32>);

#[derive(Clone, Copy, Debug)]
struct Wanted {
    gap_minutes: Option<u64>,
    day_cut: bool,
    collapse: bool,
    bins: bool,
    named: bool,
}

fn arrangement(wanted: Wanted) -> Arrangement {
    let dates = DateOptions::default();
    Arrangement {
        max_gap: wanted.gap_minutes.map(|minutes| minutes * 60),
        days: wanted
            .day_cut
            .then(|| ServiceDays::new("00:10", "UTC").unwrap()),
        collapse_stays: wanted.collapse,
        axis: wanted
            .bins
            .then(|| BinAxis::new("1970-01-01 00:05", 120, 6, &dates).unwrap()),
        ..Arrangement::new("test")
    }
}

fn import(rows: &[Visit], wanted: Wanted, run_rows: usize) -> Imported {
    let arrangement = arrangement(wanted);
    let folder = std::env::temp_dir();
    let mut gatherer = Gatherer::new(&folder, ["odd".to_owned()]).with_runs_of(&folder, run_rows);
    for (line, &(owner, trip, minute, code)) in rows.iter().enumerate() {
        let uid = format!("u{owner}");
        let number = gatherer.owner(&uid, Key::of(&uid)).unwrap();
        let odd = if owner % 2 == 1 { "yes" } else { "no" };
        gatherer.attributes(number, line as u64, [odd]).unwrap();
        let trip = match wanted.named {
            true => gatherer.trip(&trip.to_string()).unwrap(),
            false => 0,
        };
        gatherer
            .push(number, trip, minute * MINUTE, u32::from(code))
            .unwrap();
    }
    let origin = Origin::Declared("test".into());
    let universe = Universe::from_labels(["A", "B", "C"], origin).unwrap();
    let summary = ImportSummary {
        dated: true,
        ..ImportSummary::default()
    };
    Imported::new(gatherer, Located::declared(universe), summary, &arrangement)
}

fn records(raw: &Raw<Dataset>) -> Vec<Record> {
    let seen = raw.inspect(NonPrivate::because("a test compares"), |data| {
        let Owners::Known { of_record, labels } = data.owners() else {
            panic!("owners");
        };
        let record = |record: usize| {
            let owner = labels.get(of_record[record] as usize).to_owned();
            let odd = &data.attributes()[0];
            let value = odd.values.get(odd.of_record[record] as usize);
            let number: u8 = owner[1..].parse().unwrap();
            assert_eq!(value == "yes", number % 2 == 1);
            let (codes, bins) = (data.trips().codes_of(record), data.trips().bins_of(record));
            (owner, codes.to_vec(), bins.to_vec())
        };
        (0..data.trips().len()).map(record).collect()
    });
    seen.for_publisher_only()
}

/// The rules, written down once more without sorting tricks.
fn reference(rows: &[Visit], wanted: Wanted) -> (Vec<Record>, [u64; 3]) {
    let (mut duplicates, mut outside, mut collapsed) = (0, 0, 0);
    let mut owners: Vec<u8> = Vec::new();
    for row in rows {
        if !owners.contains(&row.0) {
            owners.push(row.0);
        }
    }
    let mut all = Vec::new();
    for owner in owners {
        let mut names: Vec<u8> = Vec::new();
        for row in rows.iter().filter(|row| row.0 == owner) {
            let name = if wanted.named { row.1 } else { 0 };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut trips: Vec<(i64, Vec<u32>, Vec<u32>)> = Vec::new();
        for name in names {
            let mut own: Vec<(i64, u8)> = rows
                .iter()
                .filter(|row| row.0 == owner && (!wanted.named || row.1 == name))
                .map(|row| (row.2, row.3))
                .collect();
            own.sort_by_key(|visit| visit.0);
            let mut distinct: Vec<(i64, u8)> = Vec::new();
            for visit in own {
                if distinct.contains(&visit) {
                    duplicates += 1;
                } else {
                    distinct.push(visit);
                }
            }
            let bin = |minute: i64| (minute - 5).div_euclid(2);
            let inside = |minute: i64| !wanted.bins || (0..6).contains(&bin(minute));
            outside += distinct.iter().filter(|visit| !inside(visit.0)).count() as u64;
            distinct.retain(|visit| inside(visit.0));
            let mut before: Option<i64> = None;
            for (minute, code) in distinct {
                let day = |minute: i64| (minute - 10).div_euclid(1440);
                let cut = before.is_none_or(|before| {
                    let gap = (minute - before) as u64;
                    wanted.gap_minutes.is_some_and(|most| gap > most)
                        || (wanted.day_cut && day(before) != day(minute))
                });
                if cut {
                    trips.push((minute, vec![], vec![]));
                }
                before = Some(minute);
                let trip = trips.last_mut().unwrap();
                if wanted.collapse && trip.1.last() == Some(&u32::from(code)) {
                    collapsed += 1;
                    continue;
                }
                trip.1.push(u32::from(code));
                if wanted.bins {
                    trip.2.push(bin(minute) as u32);
                }
            }
        }
        // Names are not compared: they were numbered over all owners.
        if wanted.named {
            trips.sort();
        }
        all.extend(
            trips
                .into_iter()
                .map(|trip| (format!("u{owner}"), trip.1, trip.2)),
        );
    }
    (all, [duplicates, outside, collapsed])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn agrees_with_the_reference_in_memory_and_through_a_file(
        rows in prop::collection::vec((0u8..4, 0u8..3, 0i64..25, 0u8..3), 0..50),
        gap_minutes in prop::option::of(0u64..6),
        [day_cut, collapse, bins, named] in any::<[bool; 4]>(),
        run_rows in 1usize..60,
    ) {
        let wanted = Wanted { gap_minutes, day_cut, collapse, bins, named };
        let (expected, counted) = reference(&rows, wanted);
        let (raw, summary) = import(&rows, wanted, run_rows).into_dataset(&Silent).unwrap();
        let summary = summary.for_publisher_only();
        prop_assert_eq!(records(&raw), expected.clone());
        prop_assert_eq!(
            [summary.duplicates, summary.outside_axis, summary.stays_collapsed],
            counted
        );
        // What becomes of a person depends on that person's rows alone, in their order.
        for owner in 0..4 {
            let own: Vec<Visit> = rows.iter().copied().filter(|row| row.0 == owner).collect();
            let (alone, _) = import(&own, wanted, run_rows).into_dataset(&Silent).unwrap();
            let mut together = expected.clone();
            together.retain(|record| record.0 == format!("u{owner}"));
            prop_assert_eq!(records(&alone), together);
        }
        let owners = |records: &[Record]| {
            let mut owners: Vec<String> = records.iter().map(|it| it.0.clone()).collect();
            owners.dedup();
            owners.len() as u64
        };
        let mut all: Vec<u8> = rows.iter().map(|row| row.0).collect();
        all.sort();
        all.dedup();
        prop_assert_eq!(summary.rows, rows.len() as u64);
        prop_assert_eq!(summary.records, expected.len() as u64);
        prop_assert_eq!(summary.owners, owners(&expected));
        prop_assert_eq!(
            summary.owners_without_known_location,
            all.len() as u64 - owners(&expected)
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.parquet");
        let of_file = import(&rows, wanted, run_rows).into_file(&path, false, &Silent).unwrap();
        prop_assert_eq!(of_file.for_publisher_only(), summary.clone());
        prop_assert_eq!(records(&read_dataset(&path).unwrap()), expected);
        let counted = import(&rows, wanted, run_rows).into_summary(&Silent).unwrap();
        prop_assert_eq!(counted.for_publisher_only(), summary);
    }
}

#[test]
fn a_long_input_is_written_in_several_batches() {
    let wanted = Wanted {
        gap_minutes: None,
        day_cut: false,
        collapse: false,
        bins: false,
        named: false,
    };
    let rows: Vec<Visit> = (0..300_000)
        .map(|row| ((row % 5) as u8, 0, row, (row % 3) as u8))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let summary = import(&rows, wanted, 70_000).into_file(&path, false, &Silent);
    assert_eq!(summary.unwrap().for_publisher_only().rows, 300_000);
    let read = records(&read_dataset(&path).unwrap());
    let (raw, _) = import(&rows, wanted, 1 << 20)
        .into_dataset(&Silent)
        .unwrap();
    assert_eq!(read.iter().map(|it| it.1.len()).sum::<usize>(), 300_000);
    assert_eq!(read, records(&raw));
}

#[test]
fn a_day_begins_once_where_clocks_go_back_over_its_start() {
    let mut arrangement = Arrangement::new("test");
    arrangement.days = Some(ServiceDays::new("02:30", "Europe/Berlin").unwrap());
    let folder = std::env::temp_dir();
    let mut gatherer = Gatherer::new(&folder, []);
    let owner = gatherer.owner("a", Key::of("a")).unwrap();
    // 02:10, 02:40, and after the change 02:10 and 02:40 again.
    for (code, at) in ["00:10", "00:40", "01:10", "01:40"].iter().enumerate() {
        let at: jiff::Timestamp = format!("2024-10-27T{at}:00Z").parse().unwrap();
        gatherer
            .push(owner, 0, at.as_microsecond(), code as u32 % 3)
            .unwrap();
    }
    let origin = Origin::Declared("test".into());
    let universe = Universe::from_labels(["A", "B", "C"], origin).unwrap();
    let located = Located::declared(universe);
    let imported = Imported::new(gatherer, located, ImportSummary::default(), &arrangement);
    let summary = imported.into_summary(&Silent).unwrap();
    assert_eq!(summary.for_publisher_only().records, 2);
}
