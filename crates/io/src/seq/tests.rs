use std::io::{Cursor, Read};
use std::sync::Arc;

use proptest::prelude::*;
use wayveil_core::{
    Attribute, Dataset, NonPrivate, Origin, Owners, Result, Sequences, TimeAxis, Universe,
};

use super::write::write_seq;
use super::*;
use crate::input::Input;
use crate::summary::ImportSummary;

fn declared(labels: &[&str]) -> UniverseChoice {
    let origin = Origin::Declared("test".into());
    UniverseChoice::Declared(Universe::from_labels(labels.to_vec(), origin).unwrap())
}

fn read(text: &str, options: &SeqOptions) -> Result<(Dataset, ImportSummary)> {
    let input = Input::from_reader("x.seq", Cursor::new(text.as_bytes().to_vec()))?;
    let (raw, summary) = read_seq_from(input, options)?;
    let data = raw.inspect(NonPrivate::because("a test compares"), Clone::clone);
    Ok((data.for_publisher_only(), summary.for_publisher_only()))
}

fn written(data: &Dataset) -> String {
    let mut out = Vec::new();
    write_seq(&mut out, data.universe(), data.trips(), data.attributes()).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn reads_plain_and_timed_lines() {
    let plain = SeqOptions::new(declared(&["A", "B b"]), "p");
    let (data, summary) = read("A B%20b\n\n  B%20b\r\n", &plain).unwrap();
    assert_eq!(
        data.trips(),
        &Sequences::from_codes([vec![0, 1], vec![], vec![1]])
    );
    assert_eq!((summary.rows, summary.records, summary.symbols), (3, 3, 3));
    assert_eq!(data.owners(), &Owners::EachRecord);
    assert!(data.time().is_none());

    let timed = SeqOptions {
        bins: Some(Bins::Declared(24)),
        ..plain.clone()
    };
    let (data, summary) = read("A@7 A@3\tHIV\nB%20b@23\tFlu\n", &timed).unwrap();
    assert_eq!(data.trips().bins().unwrap(), [7, 3, 23]);
    let axis = TimeAxis::new(24, Origin::Declared("number of bins".into()));
    assert_eq!(data.time(), Some(&axis));
    assert_eq!(data.attributes()[0].name, "sensitive");
    assert_eq!(summary.out_of_order, 1);
}

#[test]
fn the_data_may_give_locations_and_bins() {
    let free = SeqOptions::new(UniverseChoice::FromData, "p");
    let (data, _) = read("b@2 a@5\ta\tb\n", &free).unwrap();
    assert_eq!(data.time(), Some(&TimeAxis::new(6, Origin::FromData)));
    assert_eq!(data.universe().origin(), &Origin::FromData);
    assert_eq!(data.trips().codes(), [1, 0], "labels are sorted");
    let names: Vec<_> = data
        .attributes()
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["sensitive1", "sensitive2"]);
    let half = SeqOptions {
        bins: Some(Bins::FromData),
        ..SeqOptions::new(declared(&["a"]), "p")
    };
    assert_eq!(
        read("a@5\n", &half).unwrap().0.time().unwrap().declared,
        Origin::FromData
    );
}

#[test]
fn unknown_symbols_are_dropped_on_request() {
    let dropping = SeqOptions {
        unknown: Unknown::Drop,
        ..SeqOptions::new(declared(&["A"]), "p")
    };
    let (data, summary) = read("X A X\nX\n", &dropping).unwrap();
    assert_eq!(data.trips(), &Sequences::from_codes([vec![0], vec![]]));
    assert_eq!(summary.unknown.visits, 3);
    assert_eq!(summary.unknown.examples, [("X".into(), 3)]);
}

#[test]
fn bad_lines_are_named_by_line_and_column() {
    let plain = SeqOptions::new(declared(&["A", "é"]), "p");
    let timed = SeqOptions {
        bins: Some(Bins::Declared(5)),
        ..plain.clone()
    };
    for (options, text, line, column, message) in [
        (&plain, "A\nA X\n", 2, "3", "is not in the universe"),
        (&plain, "é X\n", 1, "3", "is not in the universe"),
        (
            &plain,
            "A A@1\n",
            1,
            "3",
            "has a time bin, others have none",
        ),
        (
            &plain,
            "A@1\n",
            1,
            "3",
            "the number of time bins is not stated",
        ),
        (
            &timed,
            "A@1\nA@1 A\n",
            2,
            "5",
            "has no time bin, others have",
        ),
        (&timed, "A@5\n", 1, "3", "outside the declared 5 bins"),
        (&timed, "A@x\n", 1, "3", "invalid time bin"),
        (&timed, "A@+1\n", 1, "3", "invalid time bin"),
        (&timed, "A@\n", 1, "3", "invalid time bin"),
        (&timed, "A@1@2\n", 1, "3", "invalid time bin"),
        (&timed, "@1\n", 1, "1", "the location is empty"),
        (&timed, "A@99999999999\n", 1, "3", "invalid time bin"),
        (&plain, "A %4\n", 1, "3", "nor a percent code"),
        (&plain, "A\tx%zz\n", 1, "4", "nor a percent code"),
        (&plain, "A\u{1}\n", 1, "2", "neither plain text"),
        (
            &plain,
            "A\tx\nA\n",
            2,
            "2",
            "has 0 values after tabs, 1 are expected",
        ),
        (
            &plain,
            "A\nA\tx\n",
            2,
            "2",
            "has 1 values after tabs, 0 are expected",
        ),
    ] {
        let error = read(text, options).err().unwrap();
        let place = error.place().unwrap();
        assert!(error.message().contains(message), "{text:?}: {error}");
        assert_eq!(
            (place.line, place.column.as_deref()),
            (Some(line), Some(column)),
            "{text:?}"
        );
        assert!(error.advice().is_some(), "{text:?}");
    }
    assert_eq!(
        read("A@1\n", &plain).err().unwrap().advice(),
        Some("--bins N")
    );
    let input = Input::from_reader("x", Cursor::new(b"A\nA \xff\n".to_vec())).unwrap();
    let error = read_seq_from(input, &plain).err().unwrap();
    assert_eq!(error.place().unwrap().line, Some(2));
}

#[test]
fn an_empty_file_has_no_records() {
    let (data, _) = read("", &SeqOptions::new(declared(&["A"]), "p")).unwrap();
    assert_eq!(data.trips().len(), 0);
    assert!(read("", &SeqOptions::new(UniverseChoice::FromData, "p")).is_err());
}

#[test]
fn an_endless_line_is_an_error() {
    let endless = Cursor::new(b"A\n").chain(std::io::repeat(b'A').take(1 << 40));
    let input = Input::from_reader("x", endless).unwrap();
    let error = read_seq_from(input, &SeqOptions::new(declared(&["A"]), "p"))
        .err()
        .unwrap();
    assert_eq!(error.message(), "the line is longer than 16 MiB");
    assert_eq!(error.place().unwrap().line, Some(2));
}

/// Codes and bins.
type Visits = Vec<(u32, u32)>;

fn any_data() -> impl Strategy<Value = Dataset> {
    let labels = prop::collection::btree_set("[a-z @%\t\n\u{feff}é#]{1,4}", 1..6);
    (labels, any::<bool>(), 0usize..3).prop_flat_map(|(labels, timed, width)| {
        let count = labels.len() as u32;
        let visits = prop::collection::vec((0..count, 0u32..9), 0..6);
        let records = prop::collection::vec((visits, prop::collection::vec(".{0,3}", width)), 1..8);
        records.prop_map(move |records| data(labels.iter(), timed, width, &records))
    })
}

fn data<'a>(
    labels: impl Iterator<Item = &'a String>,
    timed: bool,
    width: usize,
    records: &[(Visits, Vec<String>)],
) -> Dataset {
    let origin = || Origin::Declared("test".into());
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
    let attributes = (0..width).map(|column| Attribute {
        name: format!("a{column}"),
        values: records.iter().map(|record| &record.1[column]).collect(),
        of_record: (0..records.len() as u32).collect(),
    });
    Dataset::new(
        Arc::new(Universe::from_labels(labels, origin()).unwrap()),
        timed.then(|| TimeAxis::new(9, origin())),
        trips,
        Owners::EachRecord,
        attributes.collect(),
        "p".into(),
    )
    .unwrap()
}

proptest! {
    #[test]
    fn reading_gives_back_what_was_written(data in any_data()) {
        let options = SeqOptions {
            bins: data.time().map(|axis| Bins::Declared(axis.bins)),
            attributes: data.attributes().iter().map(|it| it.name.clone()).collect(),
            ..SeqOptions::new(UniverseChoice::Declared((**data.universe()).clone()), "p")
        };
        let text = written(&data);
        let (back, _) = read(&text, &options).unwrap();
        prop_assert_eq!(back.trips(), data.trips());
        prop_assert_eq!(written(&back), text);
    }

    #[test]
    fn no_text_makes_it_panic(text in "[A@%0-9 \t\n\r\u{0}é]{0,40}") {
        let _ = read(&text, &SeqOptions::new(UniverseChoice::FromData, "p"));
        let _ = read(&text, &SeqOptions::new(declared(&["A"]), "p"));
    }
}
