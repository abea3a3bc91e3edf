use std::fs;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use wayveil_core::{
    Attribute, Coordinate, Dataset, Group, Labels, Location, NonPrivate, Origin, Owners, Raw,
    Sequences, UniverseDocument,
};

use super::*;

fn universe(size: u32) -> Universe {
    let location = |code: u32| Location {
        label: format!("L{code} é,\""),
        name: code.is_multiple_of(2).then(|| format!("name {code}")),
        at: Some(Coordinate {
            lat: f64::from(code) / 7.0,
            lng: -73.1 - f64::from(code) / 3.0,
        }),
        group: Some(code % 2),
    };
    let groups = vec![
        Group {
            label: "green".into(),
            parent: None,
        },
        Group {
            label: "blue".into(),
            parent: Some(0),
        },
    ];
    let locations = (0..size).map(location).collect();
    let origin = Origin::Declared("test".into());
    Universe::try_from(UniverseDocument {
        origin,
        locations,
        groups,
    })
    .unwrap()
}

fn data(records: &[(Vec<(u32, u32)>, u32)], timed: bool, owned: bool, width: usize) -> Dataset {
    let mut trips = Sequences::empty(timed);
    for (visits, _) in records {
        let codes: Vec<u32> = visits.iter().map(|visit| visit.0).collect();
        let bins: Vec<u32> = visits
            .iter()
            .map(|visit| visit.1)
            .filter(|_| timed)
            .collect();
        trips.push(&codes, &bins);
    }
    let numbered = |name: &str| -> (Labels, Vec<u32>) {
        let labels = (0..5).map(|number| format!("{name}{number}")).collect();
        (labels, records.iter().map(|record| record.1).collect())
    };
    let (labels, of_record) = numbered("owner");
    let owners = if owned {
        Owners::Known { of_record, labels }
    } else {
        Owners::EachRecord
    };
    let attributes = (0..width).map(|column| {
        let (values, of_record) = numbered("value");
        Attribute {
            name: format!("a {column}"),
            values,
            of_record,
        }
    });
    let time = timed.then_some(TimeAxis::new(9, Origin::FromData));
    Dataset::new(
        Arc::new(universe(6)),
        time,
        trips,
        owners,
        attributes.collect(),
        "stm".into(),
    )
    .unwrap()
}

fn sample() -> Raw<Dataset> {
    Raw::new(data(
        &[(vec![(0, 1), (5, 2)], 1), (vec![], 0), (vec![(3, 8)], 1)],
        true,
        true,
        1,
    ))
}

/// Everything that must survive, with strings in place of codes.
fn seen(raw: &Raw<Dataset>) -> (Universe, Option<TimeAxis>, Sequences, Vec<String>, String) {
    let look = |data: &Dataset| {
        let mut texts = Vec::new();
        for record in 0..data.trips().len() {
            if let Owners::Known { of_record, labels } = data.owners() {
                texts.push(labels.get(of_record[record] as usize).to_owned());
            }
            for it in data.attributes() {
                let value = it.values.get(it.of_record[record] as usize);
                texts.push(format!("{}={value}", it.name));
            }
        }
        (
            (**data.universe()).clone(),
            data.time().cloned(),
            data.trips().clone(),
            texts,
            data.population().to_owned(),
        )
    };
    raw.inspect(NonPrivate::because("a test compares"), look)
        .for_publisher_only()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn reading_gives_back_what_was_written(
        records in prop::collection::vec(
            (prop::collection::vec((0u32..6, 0u32..9), 0..7), 0u32..5), 0..20),
        timed: bool,
        owned: bool,
        width in 0usize..3,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.parquet");
        let raw = Raw::new(data(&records, timed, owned, width));
        write_dataset(&path, &raw, false).unwrap();
        let back = read_dataset(&path).unwrap();
        prop_assert_eq!(seen(&back), seen(&raw));
        let again = folder.path().join("y.parquet");
        write_dataset(&again, &back, false).unwrap();
        prop_assert_eq!(fs::read(path).unwrap(), fs::read(again).unwrap(), "bytes differ");
    }
}

#[test]
fn many_batches_and_row_groups_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let long = vec![(2, 3); 1_500_000];
    let mut records = vec![(vec![(1, 2), (4, 4)], 3); 40_000];
    records[7].0 = long.clone();
    records[39_999].0 = long;
    let raw = Raw::new(data(&records, true, true, 1));
    write_dataset(&path, &raw, false).unwrap();
    assert!(seen(&read_dataset(&path).unwrap()) == seen(&raw));
}

#[test]
fn an_existing_file_is_refused_without_overwrite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    fs::write(&path, "mine").unwrap();
    assert!(
        write_dataset(&path, &sample(), false)
            .unwrap_err()
            .advice()
            .unwrap()
            .contains("--force")
    );
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    write_dataset(&path, &sample(), true).unwrap();
    assert!(read_dataset(&path).is_ok());
}

#[test]
fn what_is_not_ours_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let refused = |bytes: &[u8], message: &str| {
        fs::write(&path, bytes).unwrap();
        let error = read_dataset(&path).err().unwrap();
        assert!(error.message().contains(message), "{error}");
        assert_eq!(error.place().unwrap().file, path.display().to_string());
        assert!(error.advice().is_some());
    };
    refused(b"", "not a readable Parquet file");
    refused(b"uid,location,datetime\n", "not a readable Parquet file");
    write_dataset(&path, &sample(), true).unwrap();
    let whole = fs::read(&path).unwrap();
    refused(&whole[..whole.len() - 9], "not a readable Parquet file");
    refused(&whole[9..], "");
    let other = |from: &str, to: &str| {
        let at = memchr::memmem::find(&whole, from.as_bytes()).unwrap();
        let mut bytes = whole.clone();
        bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        bytes
    };
    refused(&other("\"version\":1", "\"version\":9"), "format version 9");
    refused(
        &other("wayveil-data", "wayveil-dart"),
        "not a wayveil data set",
    );
    assert!(
        read_dataset(Path::new("/no/such"))
            .err()
            .unwrap()
            .message()
            .contains("no such file")
    );
}

#[test]
fn a_foreign_parquet_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    let schema = arrow_schema::Schema::new(vec![crate::columns::list_field(
        LOCATIONS,
        crate::columns::dictionary_type(),
    )]);
    let file = fs::File::create(&path).unwrap();
    crate::columns::writer(file, Arc::new(schema), None, None)
        .unwrap()
        .close()
        .unwrap();
    let error = read_dataset(&path).err().unwrap();
    assert_eq!(
        error.message(),
        "this Parquet file was not written by wayveil"
    );
    assert!(error.advice().unwrap().contains("wayveil import"));
}

#[test]
fn no_damage_makes_it_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.parquet");
    write_dataset(&path, &sample(), false).unwrap();
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        for bits in [0xff, 0x01, 0x80] {
            let mut bent = whole.clone();
            bent[at] ^= bits;
            fs::write(&path, &bent).unwrap();
            let _ = read_dataset(&path);
        }
    }
}
