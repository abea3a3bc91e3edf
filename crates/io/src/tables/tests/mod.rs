//! Files written by the Arrow crates themselves, of every type; then damage.

mod damage;
mod geometry;
mod lists;
mod other_programs;
mod same_as_text;
mod types;

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use wayveil_core::{Dataset, NonPrivate, Origin, Owners, Raw, Result, Silent, Universe};

use super::*;
use crate::events::Position;
use crate::place::{GeoBox, Places};
use crate::summary::ImportSummary;
use crate::universe::{UniverseChoice, Unknown};
use crate::visits::Arrangement;

/// Records as (owner, labels), attributes as values per record.
#[derive(Debug, PartialEq)]
struct Seen {
    records: Vec<(String, Vec<String>)>,
    attributes: Vec<Vec<String>>,
    bins: Option<Vec<u32>>,
    summary: ImportSummary,
}

fn seen(raw: &Raw<Dataset>, summary: ImportSummary) -> Seen {
    let seen = raw.inspect(NonPrivate::because("a test compares"), |data| {
        let owner = |record: usize| match data.owners() {
            Owners::Known { of_record, labels } => {
                labels.get(of_record[record] as usize).to_owned()
            }
            _ => String::new(),
        };
        let label = |&code: &u32| data.universe().label(code).to_owned();
        let record =
            |(record, codes): (usize, &[u32])| (owner(record), codes.iter().map(label).collect());
        let values = |record: usize| {
            let all = data.attributes().iter();
            all.map(|it| it.values.get(it.of_record[record] as usize).to_owned())
                .collect()
        };
        Seen {
            records: data.trips().iter().enumerate().map(record).collect(),
            attributes: (0..data.trips().len()).map(values).collect(),
            bins: data.trips().bins().map(<[u32]>::to_vec),
            summary: ImportSummary::default(),
        }
    });
    Seen {
        summary,
        ..seen.for_publisher_only()
    }
}

fn import(bytes: Vec<u8>, options: &EventsOptions) -> Result<Seen> {
    let imported = import_columns_from("taps", bytes, options, &Silent)?;
    let (raw, summary) = imported.into_dataset(&Silent)?;
    Ok(seen(&raw, summary.for_publisher_only()))
}

fn declared(labels: &[&str]) -> UniverseChoice {
    let origin = Origin::Declared("test".into());
    UniverseChoice::Declared(Universe::from_labels(labels.to_vec(), origin).unwrap())
}

/// Locations A, B and C, nothing else.
fn options() -> EventsOptions {
    let position = Position::labels(declared(&["A", "B", "C"]));
    EventsOptions::new(position, Arrangement::new("test"))
}

/// Whatever locations there are.
fn free() -> EventsOptions {
    let position = Position::labels(UniverseChoice::FromData);
    EventsOptions::new(position, Arrangement::new("test"))
}

/// A grid over a town, in columns `lat` and `lng`.
fn places() -> EventsOptions {
    let area: GeoBox = "45.0,-74.0,46.0,-73.0".parse().unwrap();
    let places = Places::grid(area, 10, 10).unwrap();
    EventsOptions::new(Position::points(Arc::new(places)), Arrangement::new("test"))
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let field =
        |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

fn texts(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn numbers(values: &[i64]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

/// Two people, three visits.
fn simple() -> RecordBatch {
    batch(vec![
        ("uid", texts(&["x", "y", "x"])),
        ("location", texts(&["B", "C", "A"])),
        ("datetime", numbers(&[120, 60, 60])),
    ])
}

fn as_parquet_by(batch: &RecordBatch, compression: Compression, rows: usize) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(rows))
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn as_parquet(batch: &RecordBatch) -> Vec<u8> {
    as_parquet_by(batch, Compression::SNAPPY, 1000)
}

fn as_file(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn as_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

/// What all three forms give, which must be the same.
fn import_all(batch: &RecordBatch, options: &EventsOptions) -> Result<Seen> {
    let parquet = import(as_parquet(batch), options);
    for bytes in [as_file(batch), as_stream(batch)] {
        let other = import(bytes, options);
        match (&parquet, &other) {
            (Ok(one), Ok(other)) => assert_eq!(one, other),
            (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
            _ => panic!("{parquet:?} {other:?}"),
        }
    }
    parquet
}

fn records(pairs: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect();
    let pairs = pairs.iter();
    pairs
        .map(|(owner, labels)| (owner.to_string(), owned(labels)))
        .collect()
}

#[test]
fn groups_sorts_and_counts() {
    let seen = import_all(&simple(), &options()).unwrap();
    assert_eq!(seen.records, records(&[("x", &["A", "B"]), ("y", &["C"])]));
    assert_eq!(seen.summary.rows, 3);
    assert_eq!((seen.summary.owners, seen.summary.records), (2, 2));
    assert_eq!((seen.summary.out_of_order, seen.summary.files), (1, 1));
    assert_eq!(seen.summary.last.unwrap().as_second(), 120);
    assert_eq!(seen.summary.delimiter, None);
}

#[test]
fn reads_more_than_a_batch_and_counts_rows_through() {
    let count: i64 = 200_000;
    let uids: Vec<i64> = (0..count).map(|row| row % 777).collect();
    let times: Vec<i64> = (0..count).collect();
    let mut labels: Vec<&str> = (0..count as usize)
        .map(|row| ["A", "B", "C"][row % 3])
        .collect();
    let table = |labels: &[&str]| {
        batch(vec![
            ("other", texts(labels)),
            ("uid", numbers(&uids)),
            ("location", texts(labels)),
            ("datetime", numbers(&times)),
        ])
    };
    // Unix times of four digits look like years.
    let mut dated = options();
    dated.dates.format = Some("%s".into());
    let parquet = |table: &RecordBatch| as_parquet_by(table, Compression::UNCOMPRESSED, 70_000);
    let seen = import_all(&table(&labels), &dated).unwrap();
    assert_eq!(seen.summary.rows, count as u64);
    assert_eq!(seen.summary.owners, 777);
    assert_eq!(import(parquet(&table(&labels)), &dated).unwrap(), seen);
    labels[150_000] = "Z";
    let error = import_all(&table(&labels), &dated).unwrap_err();
    assert_eq!(
        error.to_string(),
        "taps column location: row 150001: the location \"Z\" is not in the universe"
    );
    assert!(error.advice().unwrap().contains("--unknown drop"));
    let mut dropping = dated.clone();
    dropping.position = Position::Location {
        column: "location".into(),
        universe: declared(&["A", "B", "C"]),
        unknown: Unknown::Drop,
    };
    let seen = import(parquet(&table(&labels)), &dropping).unwrap();
    assert_eq!(seen.summary.unknown.examples, [("Z".to_owned(), 1)]);
}
