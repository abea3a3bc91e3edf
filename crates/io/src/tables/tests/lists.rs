//! Files with one trajectory per row.

use arrow_array::builder::{LargeListBuilder, ListBuilder, StringBuilder, UInt32Builder};
use arrow_array::types::Int32Type;
use arrow_array::{Array, DictionaryArray, ListArray};
use arrow_buffer::OffsetBuffer;

use arrow_schema::DataType;
use wayveil_core::Sequences;

use super::*;
use crate::columns::{dictionary_type, label_array, list_field, lists, writer};
use crate::seq::Bins;

fn read(bytes: Vec<u8>, options: &TrajectoryTableOptions) -> Result<Seen> {
    let (raw, summary) = read_trajectories_from("trips", bytes, options)?;
    Ok(seen(&raw, summary.for_publisher_only()))
}

fn read_all(batch: &RecordBatch, options: &TrajectoryTableOptions) -> Result<Seen> {
    let parquet = read(as_parquet(batch), options);
    for bytes in [as_file(batch), as_stream(batch)] {
        match (&parquet, &read(bytes, options)) {
            (Ok(one), Ok(other)) => assert_eq!(one, other),
            (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
            (one, other) => panic!("{one:?} {other:?}"),
        }
    }
    parquet
}

fn labels(rows: &[Option<&[Option<&str>]>]) -> ArrayRef {
    let mut builder = ListBuilder::new(StringBuilder::new());
    for row in rows {
        match row {
            Some(items) => builder.append_value(items.iter().copied()),
            None => builder.append_null(),
        }
    }
    Arc::new(builder.finish())
}

fn bins(rows: &[&[Option<u32>]]) -> ArrayRef {
    let mut builder = ListBuilder::new(UInt32Builder::new());
    for row in rows {
        builder.append_value(row.iter().copied());
    }
    Arc::new(builder.finish())
}

fn base() -> TrajectoryTableOptions {
    TrajectoryTableOptions::new(declared(&["A", "B"]), "test")
}

const TRIPS: [Option<&[Option<&str>]>; 3] = [
    Some(&[Some("A"), Some("B"), Some("A")]),
    Some(&[]),
    Some(&[Some("B")]),
];

#[test]
fn lists_of_every_type_are_trajectories() {
    let expected = records(&[("", &["A", "B", "A"]), ("", &[]), ("", &["B"])]);
    let mut large = LargeListBuilder::new(StringBuilder::new());
    for row in TRIPS.iter().flatten() {
        large.append_value(row.iter().copied());
    }
    let coded: DictionaryArray<Int32Type> = vec!["A", "B", "A", "B"].into_iter().collect();
    let item = Arc::new(Field::new("item", coded.data_type().clone(), true));
    let ends = OffsetBuffer::from_lengths([3, 0, 1]);
    let coded = ListArray::new(item, ends, Arc::new(coded), None);
    for column in [
        labels(&TRIPS),
        Arc::new(large.finish()),
        Arc::new(coded) as ArrayRef,
    ] {
        let seen = read_all(&batch(vec![("locations", column)]), &base()).unwrap();
        assert_eq!(seen.records, expected);
        assert_eq!((seen.summary.rows, seen.summary.records), (3, 3));
        assert_eq!((seen.summary.owners, seen.summary.symbols), (3, 4));
    }
    let numbers = ListArray::from_iter_primitive::<Int32Type, _, _>(vec![
        Some(vec![Some(7), Some(8)]),
        Some(vec![Some(7)]),
    ]);
    let from_data = TrajectoryTableOptions::new(UniverseChoice::FromData, "test");
    let seen = read_all(&batch(vec![("locations", Arc::new(numbers))]), &from_data).unwrap();
    assert_eq!(seen.records, records(&[("", &["7", "8"]), ("", &["7"])]));
}

#[test]
fn owners_attributes_and_bins_stand_beside() {
    let file = batch(vec![
        ("locations", labels(&TRIPS)),
        (
            "bins",
            bins(&[&[Some(3), Some(2), Some(4)], &[], &[Some(0)]]),
        ),
        ("card", numbers(&[7, 8, 7])),
        ("age", texts(&["old", "", "young"])),
    ]);
    let options = TrajectoryTableOptions {
        bins_column: Some("bins".into()),
        uid: Some("card".into()),
        attributes: vec!["age".into()],
        bins: Some(Bins::Declared(5)),
        ..base()
    };
    let seen = read_all(&file, &options).unwrap();
    let expected = records(&[("7", &["A", "B", "A"]), ("8", &[]), ("7", &["B"])]);
    assert_eq!(seen.records, expected);
    assert_eq!(seen.bins, Some(vec![3, 2, 4, 0]));
    assert_eq!(seen.attributes, [["old"], [""], ["young"]]);
    assert_eq!((seen.summary.owners, seen.summary.out_of_order), (2, 1));
    let fewer = TrajectoryTableOptions {
        bins: Some(Bins::Declared(4)),
        ..options.clone()
    };
    let error = read_all(&file, &fewer).unwrap_err();
    assert_eq!(
        error.to_string(),
        "trips column bins: row 1: the time bin 4 lies outside the declared 4 bins, which are 0 to 3"
    );
    let silent = TrajectoryTableOptions {
        bins: None,
        ..options.clone()
    };
    assert_eq!(
        read_all(&file, &silent).unwrap_err().advice(),
        Some("--bins N")
    );
    let dropping = TrajectoryTableOptions {
        universe: declared(&["A"]),
        unknown: Unknown::Drop,
        ..options
    };
    let seen = read_all(&file, &dropping).unwrap();
    assert_eq!(seen.bins, Some(vec![3, 4]));
    assert_eq!((seen.summary.unknown.visits, seen.summary.symbols), (2, 2));
}

#[test]
fn what_does_not_fit_is_named_by_row() {
    let with_bins = TrajectoryTableOptions {
        bins_column: Some("bins".into()),
        bins: Some(Bins::FromData),
        ..base()
    };
    let one: &[Option<&str>] = &[Some("A")];
    for (column, times, message) in [
        (
            labels(&[Some(one), None]),
            bins(&[&[Some(1)], &[]]),
            "column locations: row 2: the trajectory is missing (null)",
        ),
        (
            labels(&[Some(&[Some("A"), None])]),
            bins(&[&[Some(1), Some(1)]]),
            "column locations: row 1: the location is missing (null)",
        ),
        (
            labels(&[Some(&[Some("Z")])]),
            bins(&[&[Some(1)]]),
            "column locations: row 1: the location \"Z\" is not in the universe",
        ),
        (
            labels(&[Some(one)]),
            bins(&[&[]]),
            "column bins: row 1: there are 0 time bins for 1 locations",
        ),
        (
            labels(&[Some(one)]),
            bins(&[&[None]]),
            "column bins: row 1: the time bin is missing (null)",
        ),
        (
            labels(&[Some(one)]),
            bins(&[&[Some(u32::MAX)]]),
            "column bins: row 1: invalid time bin (got 4294967295)",
        ),
    ] {
        let file = batch(vec![("locations", column), ("bins", times)]);
        let error = read_all(&file, &with_bins).unwrap_err();
        assert!(
            error.to_string().starts_with(&format!("trips {message}")),
            "{error}"
        );
        assert!(error.advice().is_some());
    }
    let file = batch(vec![
        ("locations", labels(&TRIPS)),
        ("bins", texts(&["", "", ""])),
    ]);
    let error = read_all(&file, &with_bins).unwrap_err();
    assert!(error.message().contains("the type Utf8"), "{error}");
    let other = TrajectoryTableOptions {
        column: "stops".into(),
        ..base()
    };
    let error = read_all(&file, &other).unwrap_err();
    assert!(
        error.message().starts_with("there is no column \"stops\""),
        "{error}"
    );
    let flat = batch(vec![("locations", texts(&["A"]))]);
    assert!(
        read_all(&flat, &base())
            .unwrap_err()
            .message()
            .contains("no trajectory")
    );
    let stated = TrajectoryTableOptions {
        bins: Some(Bins::Declared(3)),
        ..base()
    };
    assert!(read_all(&file, &stated).is_err());
}

#[test]
fn the_trajectories_of_a_release_are_read_back() {
    let labels = ["A", "B", "C"];
    let universe = Universe::from_labels(labels, Origin::Declared("test".into())).unwrap();
    let (offsets, codes, bins) = (vec![0, 2, 2, 3], vec![0, 1, 2], vec![4, 5, 0]);
    let sequences = Sequences::new(offsets, codes, Some(bins.clone())).unwrap();
    let schema = Arc::new(Schema::new(vec![
        list_field("locations", dictionary_type()),
        list_field("bins", DataType::UInt32),
    ]));
    let all = label_array(&universe).unwrap();
    let (places, times) = lists(&sequences, 0..3, &all).unwrap();
    let columns: Vec<ArrayRef> = vec![Arc::new(places), Arc::new(times.unwrap())];
    let mut bytes = Vec::new();
    let mut out = writer(&mut bytes, schema.clone(), None, None).unwrap();
    out.write(&RecordBatch::try_new(schema, columns).unwrap())
        .unwrap();
    out.close().unwrap();
    let options = TrajectoryTableOptions {
        bins_column: Some("bins".into()),
        bins: Some(Bins::Declared(6)),
        ..TrajectoryTableOptions::new(UniverseChoice::Declared(universe), "test")
    };
    let seen = read(bytes, &options).unwrap();
    let expected = records(&[("", &["A", "B"]), ("", &[]), ("", &["C"])]);
    assert_eq!((seen.records, seen.bins), (expected, Some(bins)));
}
