//! By hand, and against every subset of every record.

use std::collections::{BTreeMap, BTreeSet};

use crate::rational::Rational;
use crate::sequences::Sequences;
use proptest::prelude::*;

use super::{Column, Demand, MAX_LENGTH, Published, verify, verify_within};

type Record = Vec<(u32, u32)>;

fn trips(records: &[Record]) -> Sequences {
    let mut trips = Sequences::empty(true);
    for record in records {
        let (bins, places): (Vec<u32>, Vec<u32>) = record.iter().copied().unzip();
        trips.push(&places, &bins);
    }
    trips
}

fn demand(k: u32, c: (u64, u64), l: Option<u32>) -> Demand {
    Demand {
        k,
        c: Rational::new(c.0, c.1).unwrap(),
        l: l.and_then(std::num::NonZeroU32::new),
    }
}

/// `a1 d2` and the like, a place and a bin each.
fn parse(records: &[&str]) -> Vec<Record> {
    let doublet = |text: &str| {
        (
            text[1..].parse().unwrap(),
            u32::from(text.as_bytes()[0] - b'a'),
        )
    };
    let record = |text: &&str| text.split_whitespace().map(doublet).collect();
    records.iter().map(record).collect()
}

const TABLE_1: [&str; 8] = [
    "a1 d2 b3 e4 f6 e8",
    "d2 c5 f6 c7 e9",
    "b3 c7 e8",
    "b3 e4 f6 e8",
    "a1 d2 c5 f6 c7",
    "c5 f6 e9",
    "f6 c7 e8",
    "a1 d2 f6 c7 e9",
];
const TABLE_2: [&str; 8] = [
    "b3 e4 f6 e8",
    "d2 c5 f6 c7 e9",
    "c7 e8",
    "b3 e4 f6 e8",
    "d2 c5 f6 c7",
    "c5 f6 e9",
    "f6 c7 e8",
    "d2 f6 c7 e9",
];
/// HIV is 0, hepatitis 2.
const DIAGNOSES: [u32; 8] = [0, 1, 2, 3, 0, 2, 1, 3];

#[test]
fn the_papers_tables() {
    let columns = [Column {
        of_record: &DIAGNOSES,
        sensitive: &[0, 2],
    }];
    let look = |records: &[&str], l| {
        let trips = trips(&parse(records));
        let published = Published {
            trips: &trips,
            owners: None,
            columns: &columns,
        };
        verify(&published, &demand(2, (1, 2), Some(l)), 3).unwrap()
    };
    let raw = look(&TABLE_1, 2);
    assert!(!raw.holds());
    assert_eq!(raw.too_few.len(), 3);
    // Worst of those that two share: a1, or a1 with something, two of three with HIV; a1 c7 and
    // others one of two.
    let first = &raw.too_certain[0];
    assert_eq!(first.sequence, parse(&["a1"])[0]);
    let tie = first.tie.unwrap();
    assert_eq!((tie.column, tie.value, tie.with, tie.of), (0, 0, 2, 3));
    assert_eq!((first.owners, first.records), (3, 3));

    assert!(look(&TABLE_2, 2).holds());
    let longer = look(&TABLE_2, 3);
    assert!(!longer.holds());
}

#[test]
fn whole_records_are_enough_where_confidence_is_free() {
    let look = |records: &[Record], owners: Option<&[u32]>, k| {
        let trips = trips(records);
        let published = Published {
            trips: &trips,
            owners,
            columns: &[],
        };
        verify(&published, &demand(k, (1, 1), None), 5).unwrap()
    };
    let records = parse(&["a1 b2", "a1 b2", "a1", ""]);
    assert!(look(&records, None, 2).holds());
    let three = look(&records, None, 3);
    assert_eq!(three.violations, 1);
    assert_eq!(three.too_few[0].sequence, records[0]);
    assert_eq!((three.too_few[0].owners, three.too_few[0].records), (2, 2));
    assert!(!look(&records, Some(&[1, 1, 2, 3]), 2).holds());
    // Far beyond what could be enumerated.
    let long: Record = (0..5000).map(|bin| (bin, 0)).collect();
    assert!(look(&[long.clone(), long], None, 2).holds());
}

#[test]
fn what_cannot_be_verified_is_refused() {
    let long: Record = (0..=MAX_LENGTH as u32).map(|bin| (bin, 0)).collect();
    let trips = trips(&[long.clone(), long]);
    let columns = [Column {
        of_record: &[0, 1],
        sensitive: &[0],
    }];
    let published = Published {
        trips: &trips,
        owners: None,
        columns: &columns,
    };
    let refused = |demand: Demand| verify(&published, &demand, 1).unwrap_err().to_string();
    assert!(refused(demand(1, (1, 2), None)).contains("at most 16"));
    assert!(refused(demand(0, (1, 2), Some(2))).contains("got 0"));
    assert!(refused(demand(1, (3, 2), Some(2))).contains("not from 0 to 1"));
    assert!(
        verify(&published, &demand(2, (1, 2), Some(3)), 1)
            .unwrap()
            .holds()
    );
    let untimed = Sequences::from_codes([[1u32]]);
    let untimed = Published {
        trips: &untimed,
        owners: None,
        columns: &[],
    };
    assert!(verify(&untimed, &demand(1, (1, 1), Some(1)), 1).is_err());
}

/// Twenty equal records of sixty doublets without a sensitive value, and one with it that holds the
/// first so many of them.
fn long_records(with_value: u32) -> (Sequences, Vec<u32>) {
    let mut records: Vec<Record> = vec![(0..60).map(|bin| (bin, 0)).collect(); 20];
    records.push((0..with_value).map(|bin| (bin, 0)).collect());
    let mut values = vec![1; 20];
    values.push(0);
    (trips(&records), values)
}

#[test]
fn what_leads_to_no_sensitive_value_is_not_followed() {
    let (trips, values) = long_records(3);
    let columns = [Column {
        of_record: &values,
        sensitive: &[0],
    }];
    let published = Published {
        trips: &trips,
        owners: None,
        columns: &columns,
    };
    let found = verify(&published, &demand(1, (1, 2), Some(16)), 1).unwrap();
    assert!(found.holds());
    // All sixty, and what follows each of the seven sequences of the record with the value: 59 after
    // the first doublet alone, 58 where the second is the last, 57 where the third is.
    assert_eq!(found.sequences, 60 + 59 + 2 * 58 + 4 * 57);
    // A violation behind such sequences is found: the value is one of one in its own doublet.
    let mut records = parse(&["a1 b2", "a1 b2", "a1 b2 c3"]);
    records[2].push((4, 0));
    let trips = self::trips(&records);
    let columns = [Column {
        of_record: &[1, 1, 0],
        sensitive: &[0],
    }];
    let published = Published {
        trips: &trips,
        columns: &columns,
        ..published
    };
    let found = verify(&published, &demand(1, (1, 2), Some(3)), 1).unwrap();
    assert_eq!(found.too_certain[0].sequence, [(3, 2)]);
}

#[test]
fn too_much_work_is_refused_and_not_cut_short() {
    let (trips, values) = long_records(60);
    let columns = [Column {
        of_record: &values,
        sensitive: &[0],
    }];
    let published = Published {
        trips: &trips,
        owners: None,
        columns: &columns,
    };
    let error = verify_within(&published, &demand(1, (1, 2), Some(16)), 1, 1 << 20).unwrap_err();
    assert!(error.message().contains("up to 16 visits"), "{error}");
    assert!(error.advice().unwrap().contains("--l"), "{error}");
    // Sixty doublets and their pairs: so many sequences, each with 21 records and one value.
    let sequences = 60 + 60 * 59 / 2;
    let pairs = |most| verify_within(&published, &demand(1, (1, 2), Some(2)), 1, most);
    assert_eq!(pairs(sequences * 22).unwrap().sequences, sequences);
    assert!(pairs(sequences * 22 - 1).is_err());
}

#[test]
fn nothing_violates_where_nothing_is() {
    for records in [vec![], vec![Record::new(), Record::new()]] {
        let trips = trips(&records);
        let values = vec![0; records.len()];
        let columns = [Column {
            of_record: &values,
            sensitive: &[0],
        }];
        let published = Published {
            trips: &trips,
            owners: None,
            columns: &columns,
        };
        for c in [(0, 1), (1, 1)] {
            let verdict = verify(&published, &demand(5, c, None), 1).unwrap();
            assert!(verdict.holds() && verdict.sequences == 0);
        }
    }
}

/// Whether the demand is met, by looking at every subset of every record.
fn holds(
    records: &[Record],
    owners: &[u32],
    columns: &[(Vec<u32>, Vec<u32>)],
    demand: &Demand,
) -> bool {
    let mut all: BTreeMap<Record, Vec<usize>> = BTreeMap::new();
    for (at, record) in records.iter().enumerate() {
        let set: BTreeSet<(u32, u32)> = record.iter().copied().collect();
        let set: Record = set.into_iter().collect();
        for mask in 1_u32..1 << set.len() {
            if demand.l.is_none_or(|l| mask.count_ones() <= l.get()) {
                let part = set
                    .iter()
                    .enumerate()
                    .filter(|(bit, _)| mask >> bit & 1 == 1);
                let part = part.map(|(_, &doublet)| doublet).collect();
                all.entry(part).or_default().push(at);
            }
        }
    }
    let people = |records: &[usize]| {
        let people: BTreeSet<u32> = records.iter().map(|&record| owners[record]).collect();
        people.len() as u64
    };
    all.values().all(|records| {
        people(records) >= u64::from(demand.k)
            && columns.iter().all(|(column, sensitive)| {
                sensitive.iter().all(|&secret| {
                    let with = records
                        .iter()
                        .copied()
                        .filter(|&record| column[record] == secret);
                    let with: Vec<usize> = with.collect();
                    let share = |part, all| Rational::new(part, all).unwrap();
                    share(with.len() as u64, records.len() as u64) <= demand.c
                        && share(people(&with), people(records)) <= demand.c
                })
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn agrees_with_brute_force(
        records in prop::collection::vec(prop::collection::vec((0_u32..3, 0_u32..2), 0..5), 0..12),
        owners in prop::collection::vec(0_u32..6, 12),
        values in prop::collection::vec(prop::collection::vec(0_u32..4, 12), 0..3),
        single in any::<bool>(),
        k in 1_u32..4,
        c in prop::sample::select(vec![(0_u64, 1_u64), (3, 10), (1, 2), (3, 5), (1, 1)]),
        l in prop::option::of(1_u32..4),
    ) {
        let count = records.len();
        let owners: Vec<u32> = match single {
            true => (0..count as u32).collect(),
            false => owners[..count].to_vec(),
        };
        let columns: Vec<(Vec<u32>, Vec<u32>)> =
            values.iter().map(|column| (column[..count].to_vec(), vec![0, 1])).collect();
        let demand = demand(k, c, l);
        let trips = trips(&records);
        let described: Vec<Column<'_>> = columns
            .iter()
            .map(|(of_record, sensitive)| Column { of_record, sensitive })
            .collect();
        let published = Published {
            trips: &trips,
            owners: (!single).then_some(owners.as_slice()),
            columns: &described,
        };
        let verdict = verify(&published, &demand, 2).unwrap();
        prop_assert_eq!(verdict.holds(), holds(&records, &owners, &columns, &demand));
        prop_assert_eq!(
            verdict.holds(),
            verdict.too_few.is_empty() && verdict.too_certain.is_empty()
        );
    }
}
