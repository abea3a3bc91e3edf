use std::collections::BTreeSet;

use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::*;

const CALENDAR_HEADER: &str =
    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n";
const DATES_HEADER: &str = "service_id,date,exception_type\n";

fn service(files: &[(&str, &str)]) -> Result<Option<Service>> {
    Place::zip(files).open()?.service()
}

#[test]
fn regular_days_and_exceptions_make_the_days_of_service() {
    // 2026-01-05 is a Monday. Weekdays of two weeks, without the first and the last day; w2 runs on
    // the Sunday between.
    let calendar = format!("{CALENDAR_HEADER}w,1,1,1,1,1,0,0,20260105,20260116\n");
    let dates = format!("{DATES_HEADER}w,20260105,2\nw,20260116,2\nw2,20260111,1\nw,20260106,1\n");
    let files = [
        (CALENDAR, calendar.as_str()),
        (CALENDAR_DATES, dates.as_str()),
        (AGENCY, AGENCY_TEXT),
        (STOP_TIMES, STOP_TIMES_TEXT),
    ];
    let found = service(&files).unwrap().unwrap();
    let wanted = Service {
        first: date(2026, 1, 6),
        last: date(2026, 1, 15),
        days: 9,
        timezone: Some("America/Montreal".into()),
        latest_departure: Some(ServiceTime { seconds: 92_100 }),
    };
    assert_eq!(found, wanted);
    let found = service(&files[..1]).unwrap().unwrap();
    assert_eq!(
        (found.first, found.last),
        (date(2026, 1, 5), date(2026, 1, 16))
    );
    assert_eq!(
        (found.days, found.timezone, found.latest_departure),
        (10, None, None)
    );
    let found = service(&files[1..2]).unwrap().unwrap();
    assert_eq!(
        (found.first, found.last, found.days),
        (date(2026, 1, 6), date(2026, 1, 11), 2)
    );
}

#[test]
fn feeds_without_service_have_none() {
    assert_eq!(service(&[(AGENCY, AGENCY_TEXT)]).unwrap(), None);
    assert_eq!(service(&[(CALENDAR, CALENDAR_HEADER)]).unwrap(), None);
    let calendar = format!("{CALENDAR_HEADER}w,0,0,0,0,0,0,0,20260105,20260116\n");
    let dates = format!("{DATES_HEADER}w,20260106,2\n");
    let files = [
        (CALENDAR, calendar.as_str()),
        (CALENDAR_DATES, dates.as_str()),
    ];
    assert_eq!(service(&files).unwrap(), None);
}

#[test]
fn the_end_of_the_calendar_is_reached() {
    let calendar = format!("{CALENDAR_HEADER}w,1,1,1,1,1,1,1,00010101,99991231\n");
    let found = service(&[(CALENDAR, &calendar)]).unwrap().unwrap();
    assert_eq!(
        (found.first, found.last),
        (date(1, 1, 1), date(9999, 12, 31))
    );
    assert_eq!(found.days, 3_652_059);
}

#[test]
fn bad_calendars_are_placed() {
    for (row, column, says) in [
        (
            "w,1,1,1,1,1,0,0,2026015,20260116",
            "start_date",
            "\"2026015\"",
        ),
        (
            "w,1,1,1,1,1,0,0,20260105,20260230",
            "end_date",
            "\"20260230\"",
        ),
        (
            "w,1,1,1,1,1,0,0,20260105,2026-1-1",
            "end_date",
            "invalid date",
        ),
        ("w,1,1,1,1,1,0,0,20260105,", "end_date", "invalid date"),
        (
            "w,1,1,1,1,1,0,0,2026010é,20260116",
            "start_date",
            "invalid date",
        ),
        (
            "w,1,1,1,1,1,0,0,20260117,20260116",
            "end_date",
            "before it begins",
        ),
        ("w,1,1,1,1,2,0,0,20260105,20260116", "friday", "\"2\""),
        (
            "x,1,1,1,1,1,0,0,20260105,20260116",
            "service_id",
            "first in line 2",
        ),
    ] {
        let calendar = format!("{CALENDAR_HEADER}x,1,1,1,1,1,0,0,20260105,20260116\n{row}\n");
        let error = assert_says(service(&[(CALENDAR, &calendar)]), &[says]);
        assert_at(&error, CALENDAR, 3, column);
    }
    for (row, column, says) in [
        ("w,20260101,3", "exception_type", "\"3\""),
        ("w,20261301,1", "date", "invalid date"),
        (",20260101,1", "service_id", "empty"),
        ("x,20260101,2", "date", "second exception on 2026-01-01"),
    ] {
        let dates = format!("{DATES_HEADER}x,20260101,1\n{row}\n");
        let error = assert_says(service(&[(CALENDAR_DATES, &dates)]), &[says]);
        assert_at(&error, CALENDAR_DATES, 3, column);
    }
    assert_says(service(&[(CALENDAR, "service_id\n")]), &["no column"]);
}

#[test]
fn bad_times_and_zones_are_placed() {
    let dates = format!("{DATES_HEADER}x,20260101,1\n");
    let times = "trip_id,arrival_time,departure_time,stop_id\n1,8:00:00,8:00:00,a\n1,8:60:00,,b\n";
    let files = [(CALENDAR_DATES, dates.as_str()), (STOP_TIMES, times)];
    let error = assert_says(service(&files), &["\"8:60:00\""]);
    assert_at(&error, STOP_TIMES, 3, "arrival_time");
    for (zone, says) in [("UTC", "disagree"), ("", "disagree")] {
        let agency = format!("agency_name,agency_timezone\na,Europe/Paris\nb,{zone}\n");
        let files = [(CALENDAR_DATES, dates.as_str()), (AGENCY, agency.as_str())];
        let error = assert_says(service(&files), &[says, "line 2"]);
        assert_at(&error, AGENCY, 3, "agency_timezone");
    }
    let agency = "agency_name,agency_timezone\na,Europe/Nowhere\n";
    let files = [(CALENDAR_DATES, dates.as_str()), (AGENCY, agency)];
    assert_says(service(&files), &["Europe/Nowhere"]);
}

/// A service of a week pattern from one day on, for some days, and its exceptions.
type Drawn = ([bool; 7], u8, u8, Vec<(u8, bool)>);

fn day(number: u8) -> Date {
    date(2024, 2, 20)
        .checked_add(jiff::ToSpan::days(i64::from(number)))
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Against sets of dates, one for each service.
    #[test]
    fn days_are_counted_right(drawn in prop::collection::vec(
        (any::<[bool; 7]>(), 0u8..30, 0u8..30, prop::collection::vec((0u8..60, any::<bool>()), 0..6)),
        0..6,
    )) {
        let drawn: Vec<Drawn> = drawn;
        let (mut calendar, mut dates) = (CALENDAR_HEADER.to_owned(), DATES_HEADER.to_owned());
        let mut all: BTreeSet<Date> = BTreeSet::new();
        for (number, (week, start, length, exceptions)) in drawn.iter().enumerate() {
            let week_text: Vec<_> = week.iter().map(|&runs| u8::from(runs).to_string()).collect();
            calendar += &format!(
                "{number},{},{},{}\n",
                week_text.join(","),
                day(*start).strftime("%Y%m%d"),
                day(start + length).strftime("%Y%m%d"),
            );
            let mut own: BTreeSet<Date> = (*start..=start + length)
                .map(day)
                .filter(|date| week[date.weekday().to_monday_zero_offset() as usize])
                .collect();
            let mut seen = BTreeSet::new();
            for &(on, adds) in exceptions {
                if !seen.insert(on) {
                    continue;
                }
                if adds { own.insert(day(on)); } else { own.remove(&day(on)); }
                let kind = if adds { 1 } else { 2 };
                dates += &format!("{number},{},{kind}\n", day(on).strftime("%Y%m%d"));
            }
            all.extend(own);
        }
        let found = service(&[(CALENDAR, &calendar), (CALENDAR_DATES, &dates)]).unwrap();
        let found = found.map(|it| (it.first, it.last, it.days));
        let wanted = all.first().zip(all.last()).map(|(&first, &last)| (first, last, all.len() as u64));
        prop_assert_eq!(found, wanted);
    }
}
