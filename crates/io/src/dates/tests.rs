use super::*;

fn parser(order: Option<DateOrder>, format: Option<&str>, zone: &str) -> DateParser {
    let options = DateOptions {
        order,
        format: format.map(Into::into),
        zone: zone.into(),
        ..DateOptions::default()
    };
    DateParser::new(&options).unwrap()
}

fn read(text: &str) -> Result<i64> {
    parser(None, None, "UTC").parse(text)
}

fn micros(text: &str) -> i64 {
    text.parse::<jiff::Timestamp>().unwrap().as_microsecond()
}

#[test]
fn reads_iso_forms() {
    for (text, instant) in [
        ("2019-03-01T07:45:00Z", "2019-03-01T07:45:00Z"),
        ("2019-03-01 07:45:00", "2019-03-01T07:45:00Z"),
        ("2019-03-01 07:45", "2019-03-01T07:45:00Z"),
        (" 2019-03-01 07:45 ", "2019-03-01T07:45:00Z"),
        ("2019-03-01", "2019-03-01T00:00:00Z"),
        ("2019/3/1 7:45", "2019-03-01T07:45:00Z"),
        ("2019.03.01 07:45 PM", "2019-03-01T19:45:00Z"),
        ("2019-03-01 12:00am", "2019-03-01T00:00:00Z"),
        ("2019-03-01t07:45:00.25z", "2019-03-01T07:45:00.25Z"),
        ("2019-03-01 07:45:00,1234567", "2019-03-01T07:45:00.123456Z"),
        ("2019-03-01T07:45:00-05:00", "2019-03-01T12:45:00Z"),
        ("2019-03-01T07:45:00+0530", "2019-03-01T02:15:00Z"),
        ("2019-03-01 07:45:00 +01", "2019-03-01T06:45:00Z"),
        ("2019-03-01 07:45:00 UTC", "2019-03-01T07:45:00Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"),
        ("2000-02-29 00:00:00", "2000-02-29T00:00:00Z"),
        ("1969-12-31 23:59:59", "1969-12-31T23:59:59Z"),
        ("0001-01-01 00:00:00", "0001-01-01T00:00:00Z"),
    ] {
        assert_eq!(read(text).unwrap(), micros(instant), "{text}");
    }
}

#[test]
fn every_day_agrees_with_the_library() {
    let mut day = jiff::civil::date(1599, 1, 1);
    while day < jiff::civil::date(2405, 1, 1) {
        let text = format!("{day} 12:34:56");
        assert_eq!(read(&text).unwrap(), micros(&format!("{day}T12:34:56Z")));
        day = day.tomorrow().unwrap();
    }
}

#[test]
fn reads_unix_time() {
    let instant = micros("2019-03-01T07:45:00Z");
    assert_eq!(read("1551426300").unwrap(), instant);
    assert_eq!(read("1551426300000").unwrap(), instant);
    assert_eq!(read("1551426300.5").unwrap(), instant + 500_000);
    assert_eq!(read("1551426300000.25").unwrap(), instant + 250);
    assert_eq!(read("-1.5").unwrap(), -1_500_000);
    assert_eq!(read("0").unwrap(), 0);
    assert!(read("1551426300000000").is_err());
    assert!(read("99999999999999999999999").is_err());
}

#[test]
fn does_not_guess() {
    let error = read("03/04/2019 10:00").unwrap_err();
    assert!(
        error
            .message()
            .starts_with("ambiguous date (got \"03/04/2019 10:00\")")
    );
    assert_eq!(error.advice(), Some("--date-order dmy (or mdy)"));
    assert!(read("13.04.2019").is_err());
    let error = read("20190301").unwrap_err();
    assert!(error.advice().unwrap().starts_with("--date-format %Y%m%d"));
    assert!(read("20190301074500").is_err());
    assert_eq!(read("12345678").unwrap(), 12_345_678_000_000);
}

#[test]
fn reads_stated_orders() {
    let instant = micros("2019-04-03T10:00:00Z");
    for text in ["03/04/2019 10:00", "3.4.2019 10:00:00", "03-04-2019T10:00Z"] {
        assert_eq!(
            parser(Some(DateOrder::Dmy), None, "UTC")
                .parse(text)
                .unwrap(),
            instant
        );
    }
    let mut us = parser(Some(DateOrder::Mdy), None, "UTC");
    assert_eq!(us.parse("4/3/2019 10:00 AM").unwrap(), instant);
    assert_eq!(
        us.parse("2019-04-03 10:00").unwrap(),
        instant,
        "the year first is plain"
    );
    assert!(us.parse("13/04/2019").is_err());
    assert!(
        parser(Some(DateOrder::Ymd), None, "UTC")
            .parse("03/04/2019")
            .is_err()
    );
}

#[test]
fn reads_explicit_formats() {
    let instant = micros("2019-04-03T10:00:00Z");
    let mut short = parser(None, Some("%d%m%y %H%M"), "UTC");
    assert_eq!(short.parse("030419 1000").unwrap(), instant);
    assert!(short.parse("2019-04-03 10:00").is_err());
    assert_eq!(
        parser(None, Some("%Y%m%d"), "UTC")
            .parse("20190403")
            .unwrap(),
        micros("2019-04-03T00:00:00Z")
    );
    assert_eq!(
        parser(None, Some("%s"), "UTC").parse("20190301").unwrap(),
        20_190_301_000_000
    );
    let mut offset = parser(None, Some("%d/%b/%Y:%H:%M:%S %z"), "Europe/Berlin");
    assert_eq!(offset.parse("03/Apr/2019:05:00:00 -0500").unwrap(), instant);
    let mut local = parser(None, Some("%Y-%m-%d %H:%M"), "America/Montreal");
    assert_eq!(local.parse("2019-04-03 06:00").unwrap(), instant);
    assert!(parser(None, Some("%H:%M"), "UTC").parse("10:00").is_err());
    let options = DateOptions {
        format: Some("%!".into()),
        ..DateOptions::default()
    };
    assert!(DateParser::new(&options).is_err());
}

#[test]
fn zones_and_clock_changes() {
    let mut montreal = parser(None, None, "America/Montreal");
    let mut at = |text: &str| montreal.parse(text).unwrap();
    assert_eq!(at("2019-01-15 12:00:00"), micros("2019-01-15T17:00:00Z"));
    assert_eq!(at("2019-07-15 12:00:00"), micros("2019-07-15T16:00:00Z"));
    assert_eq!(at("2019-07-15 12:00:00Z"), micros("2019-07-15T12:00:00Z"));
    assert_eq!(
        at("2019-03-10 02:30:00"),
        micros("2019-03-10T07:30:00Z"),
        "skipped: forward"
    );
    assert_eq!(
        at("2019-11-03 01:30:00"),
        micros("2019-11-03T05:30:00Z"),
        "twice: the first"
    );
    let bad = DateOptions {
        zone: "Mars/Base".into(),
        ..DateOptions::default()
    };
    assert!(
        DateParser::new(&bad)
            .err()
            .unwrap()
            .message()
            .contains("Mars/Base")
    );
}

#[test]
fn offsets_by_day_are_those_of_the_rules() {
    for name in [
        "America/Montreal",
        "Asia/Kolkata",
        "Pacific/Apia",
        "Africa/Casablanca",
    ] {
        let zone = jiff::tz::TimeZone::get(name).unwrap();
        let mut ours = parser(None, None, name);
        let mut local = jiff::civil::datetime(2011, 1, 1, 0, 17, 0, 0);
        while local.year() < 2013 {
            let theirs = zone.to_ambiguous_timestamp(local).compatible().unwrap();
            let text = local.strftime("%Y-%m-%d %H:%M:%S").to_string();
            assert_eq!(
                ours.parse(&text).unwrap(),
                theirs.as_microsecond(),
                "{name} {text}"
            );
            local = local.checked_add(jiff::ToSpan::hours(1)).unwrap();
        }
    }
}

#[test]
fn refuses_nonsense_without_panicking() {
    for text in [
        "",
        " ",
        "-",
        ".",
        "yesterday",
        "2019",
        "2019-13-01",
        "2019-02-29",
        "2019-00-10",
        "2019-01-01T",
        "2019-01-01 24:00:00",
        "2019-01-01 10:60",
        "2019-01-01 10:00:00x",
        "2019-01/01",
        "2019-01-01 10:00 +25:00",
        "2019-01-01 10:00:00.",
        "2019-01-01 13:00 PM",
        "2019-01-01\u{0}10:00",
        "１９-01-01",
        "0000-00-00 00:00:00",
        "9999-99-99 99:99:99",
        "NULL",
        "--1",
    ] {
        assert!(read(text).is_err(), "{text:?} was read as {:?}", read(text));
        let _ = parser(Some(DateOrder::Dmy), None, "Asia/Tokyo").parse(text);
        let _ = parser(None, Some("%F %T"), "Asia/Tokyo").parse(text);
    }
    let mut tokyo = parser(None, None, "Asia/Tokyo");
    let _ = tokyo.parse("9999-12-31 23:59:59");
    let _ = tokyo.parse("0000-01-01 00:00:00");
}

#[test]
fn a_service_day_may_go_on_after_midnight_when_stated() {
    let mut service = DateParser::new(&DateOptions {
        hours_beyond_midnight: true,
        ..DateOptions::default()
    })
    .unwrap();
    let next_day = read("2024-03-01 01:10:05").unwrap();
    assert_eq!(service.parse("2024-02-29 25:10:05").unwrap(), next_day);
    assert_eq!(
        service.parse("2024-02-29 24:00").unwrap(),
        read("2024-03-01").unwrap()
    );
    assert!(service.parse("2024-02-29 47:59:59").is_ok());
    assert!(service.parse("2024-02-29 48:00:00").is_err());
    assert!(service.parse("2024-02-29 25:10 PM").is_err());
    assert!(read("2024-02-29 25:10:05").is_err());
}

#[test]
fn a_zone_that_a_format_reads_is_used() {
    let mut named = parser(None, Some("%Y-%m-%d %H:%M %Q"), "America/New_York");
    let paris = named.parse("2024-01-01 08:00 Europe/Paris").unwrap();
    assert_eq!(paris, read("2024-01-01 07:00:00Z").unwrap());
}

#[test]
fn years_beyond_the_calendar_are_refused_in_every_form() {
    for text in ["0000-06-01", "9999-12-31 23:59", "9999-01-01T00:00:00Z"] {
        assert!(
            read(text).unwrap_err().message().contains("1 and 9998"),
            "{text}"
        );
    }
    assert!(read("9998-12-31 23:59:59").is_ok());
}
