//! Every type of every column, nulls, and the words of errors.

use arrow_array::types::{Int8Type, Int32Type, UInt16Type};
use arrow_array::{
    Array, BooleanArray, Date32Array, Date64Array, Decimal128Array, DictionaryArray,
    FixedSizeBinaryArray, Float32Array, Float64Array, Int8Array, Int16Array, Int32Array,
    LargeStringArray, NullArray, StringViewArray, Time32MillisecondArray, Time32SecondArray,
    Time64MicrosecondArray, Time64NanosecondArray, TimestampMicrosecondArray,
    TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray, UInt8Array,
    UInt16Array, UInt32Array, UInt64Array,
};

use super::*;
use crate::events::InvalidPoints;

/// The table with other columns instead of its own.
fn with(changes: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let base = simple();
    let schema = base.schema();
    let mut columns: Vec<(&str, ArrayRef)> = schema
        .fields()
        .iter()
        .map(|field| {
            let name = field.name().as_str();
            (name, base.column_by_name(name).unwrap().clone())
        })
        .collect();
    for (name, array) in changes {
        match columns.iter_mut().find(|(own, _)| *own == name) {
            Some(column) => column.1 = array,
            None => columns.push((name, array)),
        }
    }
    batch(columns)
}

fn failure(changes: Vec<(&str, ArrayRef)>, options: &EventsOptions) -> String {
    let error = import_all(&with(changes), options).unwrap_err();
    assert!(error.advice().is_some(), "{error}");
    error.to_string()
}

#[test]
fn owners_and_trips_are_text_or_whole_numbers() {
    let coded: DictionaryArray<Int8Type> = vec!["7", "8", "7"].into_iter().collect();
    let coded_numbers = DictionaryArray::<UInt16Type>::try_new(
        UInt16Array::from(vec![1, 0, 1]),
        Arc::new(Int32Array::from(vec![8, 7])),
    )
    .unwrap();
    let all: Vec<ArrayRef> = vec![
        texts(&["7", "8", "7"]),
        Arc::new(LargeStringArray::from(vec!["7", "8", "7"])),
        Arc::new(StringViewArray::from(vec!["7", "8", "7"])),
        Arc::new(coded),
        Arc::new(coded_numbers),
        Arc::new(Int8Array::from(vec![7, 8, 7])),
        Arc::new(Int16Array::from(vec![7, 8, 7])),
        Arc::new(Int32Array::from(vec![7, 8, 7])),
        numbers(&[7, 8, 7]),
        Arc::new(UInt8Array::from(vec![7, 8, 7])),
        Arc::new(UInt16Array::from(vec![7, 8, 7])),
        Arc::new(UInt32Array::from(vec![7, 8, 7])),
        Arc::new(UInt64Array::from(vec![7, 8, 7])),
    ];
    for array in all {
        let kind = array.data_type().clone();
        let seen = import_all(&with(vec![("uid", array.clone())]), &options()).unwrap();
        let expected = records(&[("7", &["A", "B"]), ("8", &["C"])]);
        assert_eq!(seen.records, expected, "{kind}");
        let by_trip = EventsOptions {
            trip: Some("trip".into()),
            ..options()
        };
        let all_x = with(vec![
            ("uid", texts(&["x", "x", "x"])),
            ("trip", array.clone()),
        ]);
        let seen = import_all(&all_x, &by_trip).unwrap();
        let mut trips = seen.records;
        trips.sort();
        assert_eq!(
            trips,
            records(&[("x", &["A", "B"]), ("x", &["C"])]),
            "{kind}"
        );
        let places = with(vec![("location", array)]);
        let seen = import_all(&places, &free()).unwrap();
        assert_eq!(
            seen.records,
            records(&[("x", &["7", "7"]), ("y", &["8"])]),
            "{kind}"
        );
    }
    let extremes: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX, 0, u64::MAX]));
    let seen = import_all(&with(vec![("uid", extremes)]), &options()).unwrap();
    assert_eq!(seen.records[0].0, "18446744073709551615");
    let seen = import_all(&with(vec![("uid", numbers(&[i64::MIN, 0, 1]))]), &options()).unwrap();
    assert_eq!(seen.records[0].0, "-9223372036854775808");
}

#[test]
fn other_types_are_named() {
    let bytes: ArrayRef = Arc::new(
        FixedSizeBinaryArray::try_from_iter([[1u8; 16], [2; 16], [1; 16]].iter()).unwrap(),
    );
    let error = failure(vec![("uid", bytes)], &options());
    assert_eq!(
        error,
        "taps column uid: the column is of the type FixedSizeBinary(16), which is no uid"
    );
    let doubles: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0, 3.0]));
    for (column, what) in [
        ("uid", "uid"),
        ("location", "location"),
        ("datetime", "date"),
    ] {
        let error = failure(vec![(column, doubles.clone())], &options());
        let expected =
            format!("taps column {column}: the column is of the type Float64, which is no {what}");
        assert_eq!(error, expected);
    }
    let with_attribute = EventsOptions {
        attributes: vec!["age".into()],
        ..options()
    };
    let error = failure(vec![("age", doubles)], &with_attribute);
    assert!(
        error.ends_with("the type Float64, which is no attribute"),
        "{error}"
    );
    let times: ArrayRef = Arc::new(Time32SecondArray::from(vec![1, 2, 3]));
    let error = failure(vec![("datetime", times)], &options());
    assert!(error.ends_with("which is no date"), "{error}");
    let truth: ArrayRef = Arc::new(BooleanArray::from(vec![true, false, true]));
    let error = failure(vec![("location", truth)], &options());
    assert!(
        error.ends_with("the type Boolean, which is no location"),
        "{error}"
    );
}

/// The first and the last time of a table with this column of dates.
fn span(column: ArrayRef, zone: &str) -> (String, String) {
    let mut local = options();
    local.dates.zone = zone.into();
    let summary = import_all(&with(vec![("datetime", column)]), &local)
        .unwrap()
        .summary;
    (
        summary.first.unwrap().to_string(),
        summary.last.unwrap().to_string(),
    )
}

#[test]
fn timestamps_of_any_unit_are_instants_with_a_zone_and_local_without() {
    // 2019-03-01 07:00 and a second before 1970, 18 nanoseconds apart from whole microseconds.
    let (late, early) = (1_551_423_600, -1);
    let by_unit = |zone: Option<&str>| -> Vec<ArrayRef> {
        let seconds = [late, early, early];
        let scaled = |scale: i64| -> Vec<i64> { seconds.iter().map(|it| it * scale).collect() };
        let nanos: Vec<i64> = scaled(1_000_000_000).iter().map(|it| it + 18).collect();
        let zone = zone.map(Arc::<str>::from);
        vec![
            Arc::new(TimestampSecondArray::from(scaled(1)).with_timezone_opt(zone.clone())),
            Arc::new(
                TimestampMillisecondArray::from(scaled(1_000)).with_timezone_opt(zone.clone()),
            ),
            Arc::new(
                TimestampMicrosecondArray::from(scaled(1_000_000)).with_timezone_opt(zone.clone()),
            ),
            Arc::new(TimestampNanosecondArray::from(nanos).with_timezone_opt(zone)),
        ]
    };
    let instant = (
        "1969-12-31T23:59:59Z".to_owned(),
        "2019-03-01T07:00:00Z".to_owned(),
    );
    for column in by_unit(Some("UTC"))
        .into_iter()
        .chain(by_unit(Some("+05:00")))
    {
        assert_eq!(span(column, "America/Montreal"), instant);
    }
    for column in by_unit(None) {
        assert_eq!(span(column.clone(), "UTC"), instant);
        let local = (
            "1970-01-01T04:59:59Z".to_owned(),
            "2019-03-01T12:00:00Z".to_owned(),
        );
        assert_eq!(span(column, "America/Montreal"), local);
    }
}

#[test]
fn dates_unix_time_and_text_are_read_as_in_a_table_of_text() {
    let day = 17_956; // 2019-03-01
    let whole_days = || Date64Array::from(vec![day * 86_400_000, 0, 0]);
    let days: Vec<ArrayRef> = vec![
        Arc::new(Date32Array::from(vec![day as i32, 0, 0])),
        Arc::new(whole_days()),
    ];
    for column in days {
        let expected = (
            "1970-01-01T05:00:00Z".to_owned(),
            "2019-03-01T05:00:00Z".to_owned(),
        );
        assert_eq!(span(column, "America/Montreal"), expected);
    }
    let expected = (
        "1970-01-01T00:00:05Z".to_owned(),
        "2019-03-01T07:00:00.5Z".to_owned(),
    );
    assert_eq!(
        span(numbers(&[1_551_423_600_500, 5, 5]), "America/Montreal"),
        expected
    );
    let written = texts(&["2019-03-01T07:00:00.5Z", "1970-01-01T00:00:05Z", "5"]);
    assert_eq!(span(written, "America/Montreal"), expected);
    let error = failure(vec![("datetime", numbers(&[20_190_301, 5, 5]))], &options());
    assert!(
        error.starts_with("taps column datetime: row 1: ambiguous date"),
        "{error}"
    );
    let mut by_format = options();
    by_format.dates.format = Some("%Y%m%d".into());
    let days = with(vec![(
        "datetime",
        numbers(&[20_190_301, 20_190_302, 20_190_303]),
    )]);
    let seen = import_all(&days, &by_format).unwrap();
    assert_eq!(
        seen.summary.last.unwrap().to_string(),
        "2019-03-03T00:00:00Z"
    );
    let far: ArrayRef = Arc::new(TimestampSecondArray::from(vec![i64::MAX, 0, 0]));
    let error = failure(vec![("datetime", far)], &options());
    assert!(
        error.contains("dates lie between the years 1 and 9998"),
        "{error}"
    );
    let far: ArrayRef =
        Arc::new(TimestampMicrosecondArray::from(vec![i64::MIN, 0, 0]).with_timezone("UTC"));
    assert!(failure(vec![("datetime", far)], &options()).contains("years 1 and 9998"));
}

#[test]
fn date_and_time_of_day_may_stand_apart() {
    let day = 17_956;
    let seven = 7 * 3600;
    let dates: Vec<ArrayRef> = vec![
        Arc::new(Date32Array::from(vec![day, day, day])),
        Arc::new(TimestampMillisecondArray::from(vec![
            i64::from(day)
                * 86_400_000;
            3
        ])),
        texts(&["2019-03-01"; 3]),
        texts(&["2019/03/01 "; 3]),
    ];
    let times: Vec<ArrayRef> = vec![
        Arc::new(Time32SecondArray::from(vec![
            seven,
            seven + 60,
            seven + 120,
        ])),
        Arc::new(Time32MillisecondArray::from(vec![
            seven * 1000,
            seven * 1000 + 1,
            (seven + 120) * 1000,
        ])),
        Arc::new(Time64MicrosecondArray::from(vec![
            i64::from(seven) * 1_000_000,
            i64::from(seven + 1) * 1_000_000,
            i64::from(seven + 120) * 1_000_000,
        ])),
        Arc::new(Time64NanosecondArray::from(vec![
            i64::from(seven) * 1_000_000_000 + 999,
            i64::from(seven + 1) * 1_000_000_000,
            i64::from(seven + 120) * 1_000_000_000,
        ])),
        texts(&["07:00", "07:01", "07:02:00"]),
    ];
    let mut two = options();
    two.datetime = vec!["day".into(), "time".into()];
    two.dates.zone = "America/Montreal".into();
    for date in &dates {
        for time in &times {
            let table = with(vec![("day", date.clone()), ("time", time.clone())]);
            let seen = import_all(&table, &two).unwrap_or_else(|error| {
                panic!("{} {}: {error}", date.data_type(), time.data_type())
            });
            let summary = seen.summary;
            assert_eq!(summary.first.unwrap().to_string(), "2019-03-01T12:00:00Z");
            assert_eq!(summary.last.unwrap().to_string(), "2019-03-01T12:02:00Z");
        }
    }
    let zoned: ArrayRef = Arc::new(TimestampSecondArray::from(vec![0; 3]).with_timezone("UTC"));
    let error = failure(vec![("day", zoned), ("time", times[0].clone())], &two);
    assert!(
        error.starts_with("taps column day: the column is of the type Timestamp"),
        "{error}"
    );
    let noon: ArrayRef = Arc::new(TimestampSecondArray::from(vec![43_200; 3]));
    let error = failure(vec![("day", noon), ("time", times[4].clone())], &two);
    assert!(
        error.contains("has a time of day, and another column holds one"),
        "{error}"
    );
    let gap: ArrayRef = Arc::new(Time32SecondArray::from(vec![Some(1), None, None]));
    let error = failure(vec![("day", dates[0].clone()), ("time", gap)], &two);
    assert_eq!(error, "taps column time: row 2: the date is missing (null)");
}

#[test]
fn attributes_are_text_and_null_is_empty() {
    let coded: DictionaryArray<Int32Type> =
        vec![Some("old"), None, Some("old")].into_iter().collect();
    let all: Vec<(ArrayRef, [&str; 2])> = vec![
        (texts(&["old", "", "old"]), ["old", ""]),
        (
            Arc::new(StringArray::from(vec![Some("old"), None, Some("old")])),
            ["old", ""],
        ),
        (Arc::new(coded), ["old", ""]),
        (numbers(&[3, -4, 3]), ["3", "-4"]),
        (
            Arc::new(BooleanArray::from(vec![
                Some(true),
                Some(false),
                Some(true),
            ])),
            ["true", "false"],
        ),
        (Arc::new(NullArray::new(3)), ["", ""]),
    ];
    let with_attribute = EventsOptions {
        attributes: vec!["age".into()],
        ..options()
    };
    for (array, expected) in all {
        let kind = array.data_type().clone();
        let seen = import_all(&with(vec![("age", array)]), &with_attribute).unwrap();
        assert_eq!(
            seen.attributes,
            expected.map(|it| vec![it.to_owned()]),
            "{kind}"
        );
    }
    let error = failure(vec![("age", numbers(&[1, 1, 2]))], &with_attribute);
    assert_eq!(
        error,
        "taps column age: row 3: the same owner has another value here than in row 1"
    );
    assert!(failure(vec![("age", texts(&["a\nb", "", ""]))], &with_attribute).contains("U+000A"));
}

#[test]
fn nulls_are_named_by_row_and_column() {
    let gap = || -> ArrayRef { Arc::new(StringArray::from(vec![Some("A"), None, Some("A")])) };
    for (column, what) in [
        ("uid", "uid"),
        ("location", "location"),
        ("datetime", "date"),
    ] {
        let array: ArrayRef = match column {
            "datetime" => Arc::new(TimestampSecondArray::from(vec![Some(1), None, Some(1)])),
            _ => gap(),
        };
        let error = failure(vec![(column, array)], &options());
        assert_eq!(
            error,
            format!("taps column {column}: row 2: the {what} is missing (null)")
        );
    }
    let by_trip = EventsOptions {
        trip: Some("trip".into()),
        ..options()
    };
    let error = failure(vec![("trip", gap())], &by_trip);
    assert_eq!(error, "taps column trip: row 2: the trip is missing (null)");
    for (uid, message) in [
        ("", "the uid is empty"),
        (" x", "has blanks around it"),
        ("\t", "is empty"),
    ] {
        let error = failure(vec![("uid", texts(&["x", uid, "x"]))], &options());
        assert!(error.starts_with("taps column uid: row 2: "), "{error}");
        assert!(error.contains(message), "{error}");
    }
    let error = failure(vec![("location", texts(&["A", "a\u{0}", "A"]))], &free());
    assert!(
        error.contains("row 2") && error.contains("U+0000"),
        "{error}"
    );
    let error = failure(vec![("datetime", texts(&["1", "soon", "1"]))], &options());
    assert!(
        error.starts_with("taps column datetime: row 2: invalid date"),
        "{error}"
    );
}

#[test]
fn degrees_have_any_type_of_number() {
    let decimals = Decimal128Array::from(vec![455_000_000i128, 455_000_000, 455_000_000])
        .with_precision_and_scale(12, 7)
        .unwrap();
    let lats: Vec<ArrayRef> = vec![
        Arc::new(Float64Array::from(vec![45.5; 3])),
        Arc::new(Float32Array::from(vec![45.5; 3])),
        Arc::new(decimals),
        texts(&["45.5"; 3]),
    ];
    let lng: ArrayRef = Arc::new(Float64Array::from(vec![-73.5; 3]));
    let mut all = Vec::new();
    for lat in lats {
        let seen = import_all(&with(vec![("lat", lat), ("lng", lng.clone())]), &places()).unwrap();
        all.push(seen.records);
    }
    assert!(all.iter().all(|one| *one == all[0]), "{all:?}");
    let whole = with(vec![
        ("lat", numbers(&[45; 3])),
        ("lng", numbers(&[-74; 3])),
    ]);
    assert_eq!(
        import_all(&whole, &places()).unwrap().summary.outside_area,
        0
    );
}

#[test]
fn coordinates_that_are_none_are_errors_or_counted() {
    let lng = || -> ArrayRef { Arc::new(Float64Array::from(vec![-73.5; 3])) };
    let mut dropping = places();
    if let Position::Point { invalid, .. } = &mut dropping.position {
        *invalid = InvalidPoints::Drop;
    }
    for (bad, message) in [
        (None, "row 2: the latitude is missing (null)"),
        (Some(f64::NAN), "row 2: invalid latitude (got \"NaN\")"),
        (Some(f64::INFINITY), "row 2: invalid latitude (got \"inf\")"),
        (
            Some(-116.3),
            "row 2: invalid latitude (got \"-116.3\"): degrees lie between -90 and 90",
        ),
    ] {
        let lat: ArrayRef = Arc::new(Float64Array::from(vec![Some(45.5), bad, Some(45.5)]));
        let error = failure(vec![("lat", lat.clone()), ("lng", lng())], &places());
        assert!(
            error.starts_with(&format!("taps column lat: {message}")),
            "{error}"
        );
        let seen = import_all(&with(vec![("lat", lat), ("lng", lng())]), &dropping).unwrap();
        assert_eq!((seen.summary.invalid_points, seen.summary.rows), (1, 3));
        assert_eq!(seen.summary.owners_without_known_location, 1);
    }
    let lat: ArrayRef = Arc::new(Float64Array::from(vec![45.5; 3]));
    let east: ArrayRef = Arc::new(Float64Array::from(vec![-73.5, 286.5, -73.5]));
    let error =
        import_all(&with(vec![("lat", lat.clone()), ("lng", east)]), &places()).unwrap_err();
    assert_eq!(error.place().unwrap().column.as_deref(), Some("lng"));
    assert!(error.advice().unwrap().contains("subtract 360"));
    let swapped = with(vec![("lng", lat), ("lat", lng())]);
    let error = import_all(&swapped, &places()).unwrap_err();
    assert!(error.message().contains("seem to be swapped"), "{error}");
    assert!(error.advice().unwrap().contains("--lat-column"));
}

#[test]
fn columns_are_found_by_name_or_listed() {
    let mapped = EventsOptions {
        uid: "card".into(),
        ..options()
    };
    let error = import_all(&simple(), &mapped).unwrap_err();
    assert_eq!(
        error.to_string(),
        "taps: there is no column \"card\"; the columns are: uid, location, datetime"
    );
    assert!(error.advice().unwrap().contains("--uid-column NAME"));
    let error = import_all(&simple(), &places()).unwrap_err();
    assert!(
        error.message().starts_with("there is no column \"lat\""),
        "{error}"
    );
    let twice = batch(vec![
        ("uid", texts(&["x"])),
        ("uid", texts(&["x"])),
        ("location", texts(&["A"])),
        ("datetime", texts(&["1"])),
    ]);
    let error = import(as_stream(&twice), &options()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "taps column uid: two columns are called \"uid\""
    );
    let reserved = EventsOptions {
        attributes: vec!["bins".into()],
        ..options()
    };
    assert!(import_all(&simple(), &reserved).is_err());
    let both = EventsOptions {
        uid: "location".into(),
        attributes: vec!["location".into()],
        ..options()
    };
    assert_eq!(import_all(&simple(), &both).unwrap().attributes[0], ["B"]);
}

#[test]
fn no_rows_are_an_empty_set_over_a_declared_universe() {
    let none = simple().slice(0, 0);
    let seen = import_all(&none, &options()).unwrap();
    assert_eq!((seen.records.len(), seen.summary.rows), (0, 0));
    assert!(import_all(&none, &free()).is_err());
}
