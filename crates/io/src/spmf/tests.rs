use std::io::{Cursor, Read};

use proptest::prelude::*;
use wayveil_core::{Dataset, NonPrivate, Origin, Result, Sequences, Universe};

use super::*;
use crate::input::Input;
use crate::summary::ImportSummary;

fn declared(labels: &[&str]) -> SpmfOptions {
    let origin = Origin::Declared("test".into());
    let universe = Universe::from_labels(labels.to_vec(), origin).unwrap();
    SpmfOptions::new(UniverseChoice::Declared(universe), "p")
}

fn from_data() -> SpmfOptions {
    SpmfOptions::new(UniverseChoice::FromData, "p")
}

fn with_bins(options: SpmfOptions, bins: u32) -> SpmfOptions {
    SpmfOptions {
        bins: Some(Bins::Declared(bins)),
        ..options
    }
}

fn read(text: impl AsRef<[u8]>, options: &SpmfOptions) -> Result<(Dataset, ImportSummary)> {
    let input = Input::from_reader("x.txt", Cursor::new(text.as_ref().to_vec()))?;
    let (raw, summary) = read_spmf_from(input, options)?;
    let data = raw.inspect(NonPrivate::because("a test compares"), Clone::clone);
    Ok((data.for_publisher_only(), summary.for_publisher_only()))
}

#[test]
fn reads_sequences_and_skips_remarks() {
    let text = "# one\n1 -1 02 -1 -2\n\n%\n@META\n-2\n  2 \t-1 -2  \n";
    let (data, summary) = read(text, &declared(&["1", "2"])).unwrap();
    assert_eq!(
        data.trips(),
        &Sequences::from_codes([vec![0, 1], vec![], vec![1]])
    );
    assert_eq!((summary.rows, summary.records, summary.symbols), (3, 3, 3));
    assert_eq!((summary.blank_lines, summary.comment_lines), (1, 3));
    let (data, _) = read("00 -1 10 -1 9 -1 -2", &from_data()).unwrap();
    let labels: Vec<_> = (0..3).map(|code| data.universe().label(code)).collect();
    assert_eq!(labels, ["0", "10", "9"]);
}

#[test]
fn the_header_may_name_the_items() {
    let text = "@CONVERTED_FROM_TEXT\n@ITEM=1=an apple\n@ITEM=2=a=b\n@ITEM=-1=|\n2 -1 1 -1 -2\n";
    let (data, summary) = read(text, &declared(&["an apple", "a=b"])).unwrap();
    assert_eq!(data.trips(), &Sequences::from_codes([[1u32, 0]]));
    assert_eq!(summary.comment_lines, 4);
}

#[test]
fn itemsets_of_several_items_are_flattened_on_request() {
    let flatten = SpmfOptions {
        itemsets: Itemsets::Flatten,
        ..declared(&["1", "2", "3"])
    };
    let (data, _) = read("3 1 -1 2 -1 -2\n", &flatten).unwrap();
    assert_eq!(data.trips(), &Sequences::from_codes([[2u32, 0, 1]]));
    let (data, _) = read("<4> 3 1 -1 <2> 2 -1 -2\n", &with_bins(flatten, 5)).unwrap();
    assert_eq!(data.trips().bins(), Some(&[4, 4, 2][..]));
}

#[test]
fn time_stamps_are_bins() {
    let (data, summary) = read(
        "<2> 1 -1 <1> 1 -1 -2\n<0> 1 -1 -2\n",
        &with_bins(declared(&["1"]), 3),
    )
    .unwrap();
    assert_eq!(data.trips().bins(), Some(&[2, 1, 0][..]));
    assert_eq!(data.time().unwrap().bins, 3);
    assert_eq!(summary.out_of_order, 1, "a record begins anew");
    let error = read("<1> 1 -1 -2\n", &declared(&["1"])).unwrap_err();
    assert_eq!(error.advice(), Some("--bins N"));
    let (data, _) = read("<1> 1 -1 -2\n", &from_data()).unwrap();
    assert_eq!(data.time().unwrap().declared, Origin::FromData);
}

#[test]
fn unknown_items_are_dropped_on_request() {
    let dropping = SpmfOptions {
        unknown: Unknown::Drop,
        ..declared(&["1"])
    };
    let (data, summary) = read("7 -1 1 -1 -2\n7 -1 -2\n", &dropping).unwrap();
    assert_eq!(data.trips(), &Sequences::from_codes([vec![0], vec![]]));
    assert_eq!(summary.unknown.examples, [("7".into(), 2)]);
}

#[test]
fn line_ends_and_marks_change_nothing() {
    let plain = read("1 -1 -2\n2 -1 -2\n", &from_data()).unwrap().0;
    for text in [
        "1 -1 -2\r\n2 -1 -2\n",
        "1 -1 -2\n2 -1 -2",
        "1 -1 -2\r\n2 -1 -2\r",
        "\u{feff}1 -1 -2\n2 -1 -2",
    ] {
        let (data, _) = read(text, &from_data()).unwrap();
        assert_eq!(data.trips(), plain.trips(), "{text:?}");
    }
}

#[test]
fn bad_lines_are_named_by_line_and_column() {
    let plain = declared(&["1", "2"]);
    let timed = with_bins(plain.clone(), 5);
    let huge = format!("{} -1 -2", "9".repeat(99));
    let long_label = format!("@ITEM=1={}\u{0}", "x".repeat(9));
    for (options, text, line, column, message) in [
        (&plain, "1 -1 -2\n1 -1 3 -1 -2", 2, 6, "not in the universe"),
        (&plain, "1 2 -1 -2", 1, 3, "has a second item, 2"),
        (&plain, "1 -1", 1, 5, "does not end with -2"),
        (&plain, "1 -1 \r\n-2", 1, 6, "does not end with -2"),
        (&plain, "1 -2", 1, 3, "that -1 has not ended"),
        (&timed, "<1> -2", 1, 5, "that -1 has not ended"),
        (&plain, "1 -1 -2 1", 1, 9, "something follows -2"),
        (&plain, "1 -1 -2 -2", 1, 9, "something follows -2"),
        (&plain, "1 -1 -2 # x", 1, 9, "something follows -2"),
        (&plain, "-1 -2", 1, 1, "the itemset is empty"),
        (&plain, "1 -1 -1 -2", 1, 6, "the itemset is empty"),
        (&timed, "<1> -1 -2", 1, 5, "the itemset is empty"),
        (&plain, "-3 -1 -2", 1, 1, "invalid item (got \"-3\")"),
        (&plain, "+1 -1 -2", 1, 1, "invalid item (got \"+1\")"),
        (&plain, "1\u{0} -1 -2", 1, 1, "invalid item (got \"1\\0\")"),
        (&plain, "é x", 1, 1, "invalid item (got \"é\")"),
        (&plain, &huge, 1, 1, "invalid item (got \"9999"),
        (&timed, "1 -1 -2", 1, 1, "has no time bin"),
        (&timed, "<1> 1 -1 2 -1 -2", 1, 10, "has no time bin"),
        (&plain, "1 -1 <1> 2 -1 -2", 1, 6, "has a time bin"),
        (&plain, "<1> 1 -1 -2", 1, 1, "bins is not stated"),
        (&timed, "<5> 1 -1 -2", 1, 1, "outside the declared 5"),
        (&timed, "<x> 1 -1 -2", 1, 1, "invalid time bin (got \"x\")"),
        (&timed, "<1 1 -1 -2", 1, 1, "invalid time bin (got \"<1\")"),
        (&timed, "<-1> 1 -1 -2", 1, 1, "invalid time bin"),
        (&timed, "<4294967296> 1 -1 -2", 1, 1, "invalid time bin"),
        (&timed, "<1> <2> 1 -1 -2", 1, 5, "inside an itemset"),
        (&timed, "<1> 1 <2> -1 -2", 1, 7, "inside an itemset"),
        (&plain, "@ITEM=1", 1, 1, "invalid name of an item"),
        (&plain, "\n@ITEM=x=y", 2, 1, "invalid name of an item"),
        (&plain, "@ITEM=1= ", 1, 1, "the name of the item is empty"),
        (&plain, &long_label, 1, 1, "control character"),
        (&plain, "@ITEM=1=a\n@ITEM=1=b", 2, 1, "named twice"),
        (&plain, "@ITEM=1=a\n@ITEM=2=a", 2, 1, "two items are called"),
        (&plain, "-2\n@ITEM=1=a", 2, 1, "after the first sequence"),
        (&plain, "@ITEM=1=1\n2 -1 -2", 2, 1, "2 is not named"),
    ] {
        let error = read(text, options).err().unwrap();
        let place = error.place().unwrap();
        assert!(error.message().contains(message), "{text:?}: {error}");
        assert_eq!(
            (place.line, place.column.clone()),
            (Some(line), Some(column.to_string())),
            "{text:?}"
        );
        assert!(error.advice().is_some(), "{text:?}");
    }
    let error = read(b"1 -1 -2\n1 \xff -1\n", &plain).err().unwrap();
    assert_eq!(error.place().unwrap().line, Some(2));
}

#[test]
fn an_endless_line_is_an_error() {
    let endless = Cursor::new(b"-2\n").chain(std::io::repeat(b'1').take(1 << 40));
    let input = Input::from_reader("x", endless).unwrap();
    let error = read_spmf_from(input, &from_data()).err().unwrap();
    assert_eq!(error.message(), "the line is longer than 16 MiB");
    assert_eq!(error.place().unwrap().line, Some(2));
}

proptest! {
    #[test]
    fn sequences_come_back(
        records in prop::collection::vec(
            prop::collection::vec(prop::collection::vec((0u64..5, 0u32..9), 1..3), 0..5),
            0..8,
        ),
        timed: bool,
    ) {
        let mut text = String::new();
        let mut expected = Sequences::empty(timed);
        for itemsets in &records {
            let (mut codes, mut bins) = (Vec::new(), Vec::new());
            for itemset in itemsets {
                let bin = itemset[0].1;
                if timed {
                    text += &format!("<{bin}> ");
                }
                for (item, _) in itemset {
                    text += &format!("{item} ");
                    codes.push(*item as u32);
                    bins.extend(timed.then_some(bin));
                }
                text += "-1 ";
            }
            text += "-2\n";
            expected.push(&codes, &bins);
        }
        let options = SpmfOptions {
            itemsets: Itemsets::Flatten,
            bins: timed.then_some(Bins::Declared(9)),
            ..declared(&["0", "1", "2", "3", "4"])
        };
        let (data, summary) = read(&text, &options).unwrap();
        prop_assert_eq!(data.trips(), &expected);
        prop_assert_eq!(summary.rows, records.len() as u64);
    }
}
