use std::io::{Cursor, Read};

use wayveil_core::{Dataset, NonPrivate, Origin, Owners, Result, Sequences, Universe};

use super::*;
use crate::input::Input;
use crate::summary::ImportSummary;

fn declared(labels: &[&str]) -> VisitsOptions {
    let origin = Origin::Declared("test".into());
    let universe = Universe::from_labels(labels.to_vec(), origin).unwrap();
    VisitsOptions::new(UniverseChoice::Declared(universe), "p")
}

fn with_bins(bins: u32) -> VisitsOptions {
    VisitsOptions {
        bins: Some(Bins::Declared(bins)),
        ..declared(&["A", "B"])
    }
}

fn read(text: impl AsRef<[u8]>, options: &VisitsOptions) -> Result<(Dataset, ImportSummary)> {
    let input = Input::from_reader("x.csv", Cursor::new(text.as_ref().to_vec()))?;
    let (raw, summary) = read_visits_from(input, options)?;
    let data = raw.inspect(NonPrivate::because("a test compares"), Clone::clone);
    Ok((data.for_publisher_only(), summary.for_publisher_only()))
}

#[test]
fn reads_what_the_export_writes() {
    let text = "uid,trajectory,position,location,bin,age\nq,1,1,A,0,old\nq,1,2,B,1,old\n\
                p,2,0,,,\nq,3,1,B,4,\"\"\n";
    let (data, summary) = read(text, &with_bins(5)).unwrap();
    let trips = Sequences::new(vec![0, 2, 2, 3], vec![0, 1, 1], Some(vec![0, 1, 4])).unwrap();
    assert_eq!(data.trips(), &trips);
    let owners = Owners::Known {
        of_record: vec![0, 1, 0],
        labels: ["q", "p"].into_iter().collect(),
    };
    assert_eq!(data.owners(), &owners);
    let [age] = data.attributes() else {
        panic!("one attribute")
    };
    assert_eq!(age.name, "age");
    assert_eq!(age.values, ["old", ""].into_iter().collect());
    assert_eq!(age.of_record, [0, 1, 1]);
    assert_eq!((summary.rows, summary.records, summary.owners), (4, 3, 2));
    assert_eq!((summary.symbols, summary.delimiter), (3, Some(',')));
}

#[test]
fn columns_may_stand_anywhere_and_numbers_have_gaps() {
    let text = "location;position;trajectory\nB;2;3\n\nA;9;3\nA;1;7\n";
    let (data, summary) = read(text, &declared(&["A", "B"])).unwrap();
    assert_eq!(data.trips(), &Sequences::from_codes([vec![1, 0], vec![0]]));
    assert_eq!(data.owners(), &Owners::EachRecord);
    assert_eq!((summary.owners, summary.blank_lines), (2, 1));
    assert_eq!(summary.delimiter, Some(';'));
}

#[test]
fn locations_and_bins_may_come_from_the_data() {
    let text = "trajectory,position,location,bin\n1,1,b,2\n1,2,a,5\n";
    let free = VisitsOptions::new(UniverseChoice::FromData, "p");
    let (data, _) = read(text, &free).unwrap();
    assert_eq!(data.time().unwrap().bins, 6);
    assert_eq!(data.trips().codes(), [1, 0]);
}

#[test]
fn unknown_locations_are_dropped_on_request() {
    let dropping = VisitsOptions {
        unknown: Unknown::Drop,
        ..declared(&["A"])
    };
    let text = "trajectory,position,location\n1,1,X\n1,2,A\n2,1,X\n";
    let (data, summary) = read(text, &dropping).unwrap();
    assert_eq!(data.trips(), &Sequences::from_codes([vec![0], vec![]]));
    assert_eq!(summary.unknown.visits, 2);
}

#[test]
fn a_header_alone_has_no_records() {
    let (data, _) = read("trajectory,position,location", &declared(&["A"])).unwrap();
    assert!(data.trips().is_empty());
    let (data, _) = read("trajectory,position,location,bin\n", &with_bins(3)).unwrap();
    assert!(data.trips().is_timed());
}

#[test]
fn line_ends_and_marks_change_nothing() {
    let head = "trajectory,position,location\n";
    let plain = read(format!("{head}1,1,A\n2,1,B\n"), &declared(&["A", "B"]));
    let plain = plain.unwrap().0;
    for text in ["1,1,A\r\n2,1,B\n", "1,1,A\n2,1,B", "1,1,A\r\n2,1,B\r"] {
        for head in [head, "\u{feff}trajectory,position,location\r\n"] {
            let (data, _) = read(format!("{head}{text}"), &declared(&["A", "B"])).unwrap();
            assert_eq!(data.trips(), plain.trips(), "{text:?}");
        }
    }
}

#[test]
fn bad_headers_are_named() {
    let timed = with_bins(5);
    let plain = declared(&["A"]);
    for (options, head, message) in [
        (&plain, "trajectory,location", "no column \"position\""),
        (&plain, "uid,location,datetime", "no column \"trajectory\""),
        (
            &plain,
            "trajectory,position,location,uid,uid",
            "two columns",
        ),
        (&plain, "trajectory,position,location,a,a", "given twice"),
        (&plain, "trajectory,position,location,bins", "one of"),
        (&plain, "trajectory,position,location,", "has no name"),
        (&plain, "trajectory,position,location,bin", "is not stated"),
        (&timed, "trajectory,position,location", "no column \"bin\""),
    ] {
        let error = read(format!("{head}\n"), options).err().unwrap();
        assert!(error.message().contains(message), "{head:?}: {error}");
        assert_eq!(error.place().unwrap().line, Some(1), "{head:?}");
        assert!(error.advice().is_some(), "{head:?}");
    }
    let error = read("", &plain).err().unwrap();
    assert_eq!(error.message(), "the file is empty");
}

#[test]
fn bad_rows_are_named_by_line_and_column() {
    let huge = format!("{},1,A,p,x", "9".repeat(99));
    for (rows, line, column, message) in [
        (
            "2,1,A,p,x\n1,1,A,p,x",
            3,
            "trajectory",
            "after the trajectory 2",
        ),
        (
            "1,1,A,p,x\n2,1,A,p,x\n1,2,A,p,x",
            4,
            "trajectory",
            "stands after",
        ),
        ("1,2,A,p,x\n1,2,A,p,x", 3, "position", "2 stands after 2"),
        ("1,2,A,p,x\n1,1,A,p,x", 3, "position", "1 stands after 2"),
        (
            "1,0,,p,x\n1,1,A,p,x",
            3,
            "position",
            "position 0 and another",
        ),
        (
            "1,1,A,p,x\n1,0,,p,x",
            3,
            "position",
            "position 0 and another",
        ),
        (
            "1,0,,p,x\n1,0,,p,x",
            3,
            "position",
            "position 0 and another",
        ),
        ("1,0,A,p,x", 2, "location", "position 0 has a visit"),
        ("1,1,,p,x", 2, "location", "the location is empty"),
        ("1,1,X,p,x", 2, "location", "not in the universe"),
        ("1,1,X\u{0},p,x", 2, "location", "control character U+0000"),
        ("x,1,A,p,x", 2, "trajectory", "invalid number (got \"x\")"),
        (&huge, 2, "trajectory", "invalid number (got \"999"),
        ("1,-1,A,p,x", 2, "position", "invalid number"),
        ("1,,A,p,x", 2, "position", "invalid number (got \"\")"),
        ("1,1,A,,x", 2, "uid", "the uid is empty"),
        (
            "1,1,A,p,x\n\n1,2,A,q,x",
            4,
            "uid",
            "has \"q\" here and \"p\" in line 2",
        ),
        (
            "1,1,A,p,x\n1,2,A,p,x\n1,3,A,p,y",
            4,
            "age",
            "has \"y\" here and \"x\" in line 2",
        ),
        ("1,1,A,p", 2, "age", "the row has 4 columns"),
    ] {
        let text = format!("trajectory,position,location,uid,age\n{rows}\n");
        let error = read(&text, &declared(&["A"])).err().unwrap();
        let place = error.place().unwrap();
        assert!(error.message().contains(message), "{rows:?}: {error}");
        assert_eq!(
            (place.line, place.column.as_deref()),
            (Some(line), Some(column)),
            "{rows:?}"
        );
        assert!(error.advice().is_some(), "{rows:?}");
    }
    for (row, message) in [
        ("1,1,A,5", "outside the declared 5"),
        ("1,1,A,", "invalid time bin (got \"\")"),
        ("1,1,A,-1", "invalid time bin"),
        ("1,0,,1", "position 0 has a visit"),
    ] {
        let text = format!("trajectory,position,location,bin\n{row}\n");
        let error = read(&text, &with_bins(5)).err().unwrap();
        assert!(error.message().contains(message), "{row:?}: {error}");
        assert_eq!(error.place().unwrap().column.as_deref(), Some("bin"));
    }
    let text = b"trajectory,position,location\n1,1,A\n1,2,\xff\n";
    let error = read(text, &declared(&["A"])).err().unwrap();
    assert_eq!(error.place().unwrap().line, Some(3));
}

#[test]
fn an_endless_row_is_an_error() {
    let start = Cursor::new(b"trajectory,position,location\n1,1,");
    let input = Input::from_reader("x", start.chain(std::io::repeat(b'A').take(1 << 40))).unwrap();
    let error = read_visits_from(input, &declared(&["A"])).err().unwrap();
    assert_eq!(error.message(), "the record is longer than 1 MiB");
    assert_eq!(error.place().unwrap().line, Some(2));
}
