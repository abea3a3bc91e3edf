//! Every kind of bad input with its place; then random tables against a plain implementation.

use std::collections::BTreeMap;
use std::io::{Cursor as Bytes, Read};

use proptest::prelude::*;
use wayveil_core::{NonPrivate, Origin, Owners, Silent, Universe};

use super::*;
use crate::dates::DateOrder;
use crate::universe::{UniverseChoice, Unknown};

fn declared(labels: &[&str]) -> UniverseChoice {
    let origin = Origin::Declared("test".into());
    UniverseChoice::Declared(Universe::from_labels(labels.to_vec(), origin).unwrap())
}

fn options() -> EventsOptions {
    of_labels(declared(&["A", "B", "C"]), Unknown::Error)
}

fn of_labels(universe: UniverseChoice, unknown: Unknown) -> EventsOptions {
    let position = Position::Location {
        column: "location".into(),
        universe,
        unknown,
    };
    EventsOptions::new(position, Arrangement::new("test"))
}

/// Records as (owner, labels), attributes as values per record.
#[derive(Debug, PartialEq)]
struct Seen {
    records: Vec<(String, Vec<String>)>,
    attributes: Vec<Vec<String>>,
    labels: Vec<String>,
    summary: ImportSummary,
}

fn read_bytes(bytes: &[u8], options: &EventsOptions) -> Result<Seen> {
    let input = Input::from_reader("taps.csv", Bytes::new(bytes.to_vec()))?;
    let (raw, summary) = read_events_from(input, options, &Silent)?;
    let seen = raw.inspect(NonPrivate::because("a test compares"), |data| {
        let Owners::Known { of_record, labels } = data.owners() else {
            panic!("owners")
        };
        let label = |&code: &u32| data.universe().label(code).to_owned();
        let record = |(record, codes): (usize, &[u32])| {
            let owner = labels.get(of_record[record] as usize).to_owned();
            (owner, codes.iter().map(label).collect())
        };
        let values = |record: usize| {
            let all = data.attributes().iter();
            all.map(|it| it.values.get(it.of_record[record] as usize).to_owned())
                .collect()
        };
        Seen {
            records: data.trips().iter().enumerate().map(record).collect(),
            attributes: (0..data.trips().len()).map(values).collect(),
            labels: data
                .universe()
                .locations()
                .iter()
                .map(|it| it.label.clone())
                .collect(),
            summary: ImportSummary::default(),
        }
    });
    let seen = seen.for_publisher_only();
    Ok(Seen {
        summary: summary.for_publisher_only(),
        ..seen
    })
}

fn read(text: &str, options: &EventsOptions) -> Result<Seen> {
    read_bytes(text.as_bytes(), options)
}

fn records(pairs: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect();
    pairs
        .iter()
        .map(|(owner, labels)| (owner.to_string(), owned(labels)))
        .collect()
}

#[test]
fn groups_sorts_and_counts() {
    let text = "uid,location,datetime\n\
                y,B,2019-03-01 08:00\nx,A,2019-03-01 07:00\ny,A,2019-03-01 07:00\n\
                y,B,2019-03-01T08:00Z\n\nx,C,1551423600\nx,A,2019-03-01 07:00:00\n";
    let seen = read(text, &options()).unwrap();
    assert_eq!(
        seen.records,
        records(&[("y", &["A", "B"]), ("x", &["A", "C"])])
    );
    let summary = seen.summary;
    assert_eq!(
        (
            summary.rows,
            summary.records,
            summary.owners,
            summary.symbols
        ),
        (6, 2, 2, 4)
    );
    assert_eq!(
        (
            summary.duplicates,
            summary.out_of_order,
            summary.blank_lines
        ),
        (2, 1, 1)
    );
    assert_eq!(summary.first.unwrap().to_string(), "2019-03-01T07:00:00Z");
    assert_eq!(summary.last.unwrap().to_string(), "2019-03-01T08:00:00Z");
    assert_eq!((summary.locations, summary.delimiter), (3, Some(',')));
}

#[test]
fn columns_have_any_order_name_and_delimiter() {
    let mapped = EventsOptions {
        uid: "card".into(),
        position: Position::Location {
            column: "stop".into(),
            universe: declared(&["A", "B", "C"]),
            unknown: Unknown::Error,
        },
        datetime: vec!["when".into()],
        attributes: vec!["fare".into()],
        dates: DateOptions {
            order: Some(DateOrder::Dmy),
            ..DateOptions::default()
        },
        ..options()
    };
    for (delimiter, header) in [
        (';', "when;x;fare;card;stop"),
        ('\t', "when\tx\tfare\tcard\tstop"),
    ] {
        let row = [
            "01/03/2019 07:00",
            "\"multi\nline, \"\"x\"\"\"",
            "full",
            "\"a\"\"b\"",
            "A",
        ];
        let text = format!(
            "\u{feff}{header}\r\n{}\r\n",
            row.join(&delimiter.to_string())
        );
        let seen = read(&text, &mapped).unwrap();
        assert_eq!(seen.records, records(&[("a\"b", &["A"])]));
        assert_eq!(seen.attributes, [["full"]]);
        assert_eq!(seen.summary.delimiter, Some(delimiter));
    }
}

#[test]
fn equal_times_keep_the_order_of_the_file() {
    let crowd: Vec<String> = (0..100)
        .map(|number| format!("L{:02}", (number * 37) % 50))
        .collect();
    let mut text = String::from("uid,location,datetime\n");
    for label in &crowd {
        text += &format!("x,{label},2019-03-01 07:00\n");
    }
    let free = of_labels(UniverseChoice::FromData, Unknown::Error);
    let seen = read(&text, &free).unwrap();
    assert_eq!(seen.records[0].1, crowd[..50]);
    assert_eq!(seen.summary.duplicates, 50);
    let mut sorted = crowd[..50].to_vec();
    sorted.sort();
    assert_eq!(seen.labels, sorted);
}

#[test]
fn unknown_locations_are_dropped_only_on_request_and_counted() {
    let text = "uid,location,datetime\nx,A,1\nz,X9,2\nx,X9,3\nx,Q,4\ny,B,5\n";
    let dropping = of_labels(declared(&["A", "B", "C"]), Unknown::Drop);
    let seen = read(text, &dropping).unwrap();
    assert_eq!(seen.records, records(&[("x", &["A"]), ("y", &["B"])]));
    assert_eq!(seen.summary.unknown.visits, 3);
    assert_eq!(
        seen.summary.unknown.examples,
        [("X9".into(), 2), ("Q".into(), 1)]
    );
    assert_eq!(seen.summary.owners_without_known_location, 1);
    assert_eq!(seen.summary.last.unwrap().as_second(), 5);
    let error = read(text, &options()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "taps.csv:3, column location: the location \"X9\" is not in the universe"
    );
    assert!(error.advice().unwrap().contains("--unknown drop"));
}

#[test]
fn values_that_no_record_has_are_not_kept() {
    let with = EventsOptions {
        attributes: vec!["fare".into()],
        ..of_labels(declared(&["A"]), Unknown::Drop)
    };
    // The first owner to say "full" and the only one to say "staff" visit nothing that is known.
    let text = "uid,location,datetime,fare\nw,Z,2019-03-01,full\nx,A,2019-03-01,half\n\
                y,A,2019-03-01,full\nz,Z,2019-03-01,staff\n";
    let input = Input::from_reader("taps.csv", Bytes::new(text)).unwrap();
    let (raw, _) = read_events_from(input, &with, &Silent).unwrap();
    let fares = raw.inspect(NonPrivate::because("a test compares"), |data| {
        data.attributes().to_vec()
    });
    let [fare] = &fares.for_publisher_only()[..] else {
        panic!("one attribute")
    };
    assert_eq!(fare.values, ["half", "full"].into_iter().collect());
    assert_eq!(fare.of_record, [0, 1]);
}

#[test]
fn attributes_belong_to_the_owner() {
    let with = EventsOptions {
        attributes: vec!["age".into(), "fare".into()],
        ..options()
    };
    let text = "uid,location,datetime,age,fare\nx,A,1,old,\ny,A,2,young,full\nx,B,3,old,\n";
    assert_eq!(
        read(text, &with).unwrap().attributes,
        [["old", ""], ["young", "full"]]
    );
    let error = read(&text.replace("3,old", "3,odd"), &with).unwrap_err();
    assert_eq!(
        error.to_string(),
        "taps.csv:4, column age: the same owner has another value here than in line 2"
    );
}

#[test]
fn bad_rows_are_named_by_line_and_column() {
    let good = "uid,location,datetime\nx,A,2019-03-01 07:00\n";
    for (row, line, column, message) in [
        (",A,1", 3, "uid", "the uid is empty"),
        ("  ,A,1", 3, "uid", "the uid is empty"),
        (" x,A,1", 3, "uid", "has blanks around it"),
        ("x,,1", 3, "location", "the location is empty"),
        ("x,A,", 3, "datetime", "the date is empty"),
        ("x,A,soon", 3, "datetime", "invalid date"),
        ("x,A,03/04/2019", 3, "datetime", "ambiguous date"),
        (
            "x,A",
            3,
            "datetime",
            "the row has 2 columns and the header has 3",
        ),
        (
            "x,A,1,2",
            3,
            "4",
            "the row has 4 columns and the header has 3",
        ),
        (
            "x\u{0}y,A,1",
            3,
            "uid",
            "contains the control character U+0000",
        ),
        (
            "x,\"A\nB\",1",
            3,
            "location",
            "contains the control character U+000A",
        ),
        ("x,\"A,1", 3, "2", "a quoted field is not closed"),
        ("x,\"A\"B,1", 3, "2", "text follows a closing quote"),
        ("\"q\nr\",A,x\ns,A,1", 3, "datetime", "invalid date"),
    ] {
        let error = read(&format!("{good}{row}\n"), &options()).unwrap_err();
        let place = error.place().unwrap();
        assert!(error.message().contains(message), "{row:?}: {error}");
        let person = column == "uid" && error.to_string().contains('x');
        assert!(!person, "{row:?}: the error names the person: {error}");
        assert_eq!(place.file, "taps.csv");
        assert_eq!(
            (place.line, place.column.as_deref()),
            (Some(line), Some(column)),
            "{row:?}"
        );
        assert!(error.advice().is_some(), "{row:?}");
    }
}

#[test]
fn lines_are_counted_through_quoted_line_ends() {
    let text = "uid,location,datetime,note\nx,A,1,\"two\nlines\"\nx,Z,1,\n";
    assert_eq!(
        read(text, &options()).unwrap_err().place().unwrap().line,
        Some(4)
    );
}

#[test]
fn bad_files_are_errors() {
    let error = read("", &options()).unwrap_err();
    assert_eq!(error.message(), "the file is empty");
    assert!(read("\n\n", &options()).is_err());
    let error = read("card,location,datetime\n", &options()).unwrap_err();
    assert_eq!(
        error.message(),
        "there is no column \"uid\"; the columns are: card, location, datetime"
    );
    assert!(error.advice().unwrap().contains("--uid-column NAME"));
    assert!(read("uid,uid,location,datetime\n", &options()).is_err());
    let error = read_bytes(b"uid,location,datetime\nx,A,1\nx,caf\xe9,1\n", &options()).unwrap_err();
    let place = error.place().unwrap();
    assert_eq!((place.line, place.column.as_deref()), (Some(3), Some("2")));
    assert!(
        error
            .advice()
            .unwrap()
            .starts_with("iconv -f latin1 -t utf-8")
    );
    assert!(
        read_bytes(b"\xff\xfeu\0i\0", &options())
            .unwrap_err()
            .message()
            .contains("UTF-16")
    );
    assert!(
        read(
            "uid,location,datetime\n",
            &EventsOptions {
                delimiter: Some(b'"'),
                ..options()
            }
        )
        .is_err()
    );
    let reserved = EventsOptions {
        attributes: vec!["bins".into()],
        ..options()
    };
    assert!(read("uid,location,datetime,bins\n", &reserved).is_err());
}

#[test]
fn a_header_alone_is_an_empty_set_over_a_declared_universe() {
    let seen = read("uid,location,datetime\n", &options()).unwrap();
    assert_eq!(
        (seen.records.len(), seen.summary.rows, seen.summary.first),
        (0, 0, None)
    );
    let free = of_labels(UniverseChoice::FromData, Unknown::Error);
    let error = read("uid,location,datetime\n", &free).unwrap_err();
    assert!(error.advice().unwrap().contains("--universe FILE"));
}

#[test]
fn endless_records_end_in_an_error_not_in_memory() {
    for start in ["x,", "x,\"A\n"] {
        let head = format!("uid,location,datetime\nx,A,1\n{start}");
        let endless = Bytes::new(head.into_bytes()).chain(std::io::repeat(b'z').take(1 << 40));
        let input = Input::from_reader("taps.csv", endless).unwrap();
        let error = read_events_from(input, &options(), &Silent).err().unwrap();
        assert_eq!(error.message(), "the record is longer than 1 MiB");
        assert_eq!(error.place().unwrap().line, Some(3));
    }
}

#[test]
fn the_first_error_in_the_file_is_reported() {
    let rows = "x,A,2019-03-01 07:00:00\n".repeat(100_000);
    let text = format!("uid,location,datetime\n{rows},A,1\n{rows}x,Z,soon\n");
    let error = read(&text, &options()).unwrap_err();
    assert_eq!(error.place().unwrap().line, Some(100_002));
    assert_eq!(error.message(), "the uid is empty");
}

/// What the reader does, said as plainly as possible.
fn reference(rows: &[(u8, u8, i64)], known: u8) -> (Vec<(String, Vec<String>)>, u64, u64) {
    let mut order = Vec::new();
    let mut of_owner: BTreeMap<u8, Vec<(i64, u8)>> = BTreeMap::new();
    for &(owner, location, time) in rows.iter().filter(|row| row.1 < known) {
        if !order.contains(&owner) {
            order.push(owner);
        }
        of_owner.entry(owner).or_default().push((time, location));
    }
    // Owners are in the order of their first row, also of one that was left out.
    let first = |owner: &u8| rows.iter().position(|row| row.0 == *owner);
    order.sort_by_key(first);
    let (mut duplicates, mut late, mut all) = (0, 0, Vec::new());
    for owner in order {
        let visits = of_owner.remove(&owner).unwrap();
        for at in 0..visits.len() {
            late += u64::from(visits[..at].iter().any(|before| before.0 > visits[at].0));
        }
        let mut kept: Vec<(i64, u8)> = Vec::new();
        for visit in visits {
            if kept.contains(&visit) {
                duplicates += 1;
            } else {
                kept.push(visit);
            }
        }
        kept.sort_by_key(|visit| visit.0);
        let labels = kept
            .into_iter()
            .map(|(_, location)| format!("L{location}"))
            .collect();
        all.push((format!("u{owner}"), labels));
    }
    (all, duplicates, late)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn agrees_with_the_reference(
        rows in prop::collection::vec((0u8..8, 0u8..6, 0i64..12), 0..60),
        crlf: bool,
        last_end: bool,
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut text = format!("datetime,uid,location{end}");
        for (index, (owner, location, time)) in rows.iter().enumerate() {
            let quote = if index % 3 == 0 { "\"" } else { "" };
            text += &format!("2019-03-01T00:00:{time:02},u{owner},{quote}L{location}{quote}{end}");
        }
        if !last_end {
            text.truncate(text.len() - end.len());
        }
        let known = of_labels(declared(&["L0", "L1", "L2", "L3"]), Unknown::Drop);
        let seen = read(&text, &known).unwrap();
        let (records, duplicates, late) = reference(&rows, 4);
        prop_assert_eq!(&seen.records, &records);
        prop_assert_eq!((seen.summary.duplicates, seen.summary.out_of_order), (duplicates, late));
        if !rows.is_empty() {
            let free = of_labels(UniverseChoice::FromData, Unknown::Error);
            prop_assert_eq!(read(&text, &free).unwrap().records, reference(&rows, 6).0);
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(prop::sample::select(
        b"uid,location\ndatetime\"\r;\xff\x00A1-: ".to_vec()), 0..200)) {
        let _ = read_bytes(&bytes, &options());
        let mut headed = b"uid,location,datetime\n".to_vec();
        headed.extend(bytes);
        let _ = read_bytes(&headed, &options());
    }
}
