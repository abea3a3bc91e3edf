//! The same rows as text and as columns give the same records.

use std::io::Cursor;

use arrow_array::DictionaryArray;
use arrow_array::{TimestampMillisecondArray, types::Int32Type};
use proptest::prelude::*;

use super::*;
use crate::events::read_events_from;
use crate::input::Input;

type Row = (u8, u8, i64, bool);

fn text_of(rows: &[Row]) -> String {
    let mut text = String::from("uid,location,datetime,age\n");
    for (uid, location, time, old) in rows {
        let stamp = jiff::Timestamp::from_millisecond(*time).unwrap();
        let written = jiff::tz::TimeZone::UTC.to_datetime(stamp);
        text += &format!("u{uid},L{location},{written},{}\n", old_of(*uid, *old));
    }
    text
}

/// An attribute belongs to the owner; sometimes rows disagree.
fn old_of(uid: u8, disagrees: bool) -> String {
    format!("{}", (uid % 3) + u8::from(disagrees) * 9)
}

fn columns_of(rows: &[Row]) -> RecordBatch {
    let uids: Vec<String> = rows.iter().map(|row| format!("u{}", row.0)).collect();
    let labels: Vec<String> = rows.iter().map(|row| format!("L{}", row.1)).collect();
    let labels: DictionaryArray<Int32Type> = labels.iter().map(String::as_str).collect();
    let times: Vec<i64> = rows.iter().map(|row| row.2).collect();
    let ages: Vec<i64> = rows
        .iter()
        .map(|row| old_of(row.0, row.3).parse().unwrap())
        .collect();
    batch(vec![
        ("location", Arc::new(labels)),
        ("datetime", Arc::new(TimestampMillisecondArray::from(times))),
        ("age", numbers(&ages)),
        ("uid", Arc::new(StringArray::from(uids))),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn text_and_columns_agree(
        rows in prop::collection::vec(
            (0u8..6, 0u8..5, -2_000_000_000_000i64..2_000_000_000_000, prop::bool::weighted(0.02)),
            0..50),
        known in 1usize..6,
        montreal: bool,
    ) {
        let labels = ["L0", "L1", "L2", "L3", "L4"];
        let mut options = options();
        options.position = Position::Location {
            column: "location".into(),
            universe: declared(&labels[..known]),
            unknown: Unknown::Drop,
        };
        options.attributes = vec!["age".into()];
        if montreal {
            options.dates.zone = "America/Montreal".into();
        }
        let input = Input::from_reader("taps", Cursor::new(text_of(&rows).into_bytes())).unwrap();
        let by_text = read_events_from(input, &options, &Silent)
            .map(|(raw, summary)| seen(&raw, summary.for_publisher_only()));
        let by_columns = import_all(&columns_of(&rows), &options);
        match (by_text, by_columns) {
            (Ok(mut text), Ok(columns)) => {
                text.summary.delimiter = None;
                prop_assert_eq!(text, columns);
            }
            (Err(text), Err(columns)) => {
                let (line, row) = (text.place().unwrap().line.unwrap(), columns.message());
                prop_assert!(row.starts_with(&format!("row {}: ", line - 1)), "{} {}", line, row);
            }
            (text, columns) => prop_assert!(false, "{:?} {:?}", text, columns),
        }
    }
}
