//! The public axis of time bins, and the days of a service.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use wayveil_core::{Clock, Error, Origin, Result, TimeAxis};

use crate::calendar::Calendar;
use crate::dates::{DateOptions, DateParser};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Bins of equal width from a stated instant on. A public input: never read off the data.
#[derive(Clone, Debug)]
pub struct BinAxis {
    origin: i64,
    width: i64,
    axis: TimeAxis,
}

impl BinAxis {
    /// `bins` bins of `width_seconds` each. The origin is a date as in the data, in its zone.
    pub fn new(origin: &str, width_seconds: u64, bins: u32, dates: &DateOptions) -> Result<Self> {
        let most = u64::from(u32::MAX);
        if width_seconds == 0 || width_seconds > most {
            return Err(Error::input(format!(
                "invalid width of time bins (got {width_seconds} s): from 1 to {most} seconds"
            ))
            .hint("--bin-width 1h"));
        }
        if !(1..=TimeAxis::MAX_BINS).contains(&bins) {
            return Err(Error::input(format!(
                "invalid number of time bins (got {bins}): must be from 1 to {}",
                TimeAxis::MAX_BINS
            ))
            .hint("--bins 24"));
        }
        let plain = DateOptions {
            order: dates.order,
            format: None,
            zone: dates.zone.clone(),
            ..DateOptions::default()
        };
        let start = DateParser::new(&plain)?.parse(origin).map_err(|error| {
            Error::input(format!(
                "invalid origin of the time bins: {}",
                error.message()
            ))
            .hint("--bin-origin 2024-03-04T00:00")
        })?;
        let zone = time_zone(&dates.zone)?;
        let mut starts = Timestamp::from_microsecond(start)
            .map_err(|cause| Error::input(format!("invalid origin of the time bins: {cause}")))?
            .to_zoned(zone);
        if starts.offset().seconds() % 60 != 0 {
            // Before there were time zones, a town had its own time, to the second; RFC 3339 has
            // offsets to the minute.
            starts = starts.with_time_zone(TimeZone::UTC);
        }
        let mut axis = TimeAxis::new(
            bins,
            Origin::Declared("width, origin and number of bins".into()),
        );
        axis.clock = Some(Clock {
            starts: starts.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
            bin_seconds: width_seconds as u32,
            zone: dates.zone.clone(),
        });
        // Every bin needs a place in the calendar, from the year 0 to the year 9999.
        Calendar::of(&axis)
            .map_err(|error| Error::input(error.message()).hint("--bin-origin 2024-03-04T00:00"))?;
        Ok(Self {
            // Bins begin at whole seconds, as the clock says.
            origin: start.div_euclid(SECOND) * SECOND,
            width: width_seconds as i64 * SECOND,
            axis,
        })
    }

    /// The axis without its arithmetic.
    pub fn time_axis(&self) -> &TimeAxis {
        &self.axis
    }

    /// The bin of an instant in microseconds; none outside the axis.
    pub(crate) fn bin(&self, time: i64) -> Option<u32> {
        let since = i128::from(time) - i128::from(self.origin);
        let bin = since.div_euclid(i128::from(self.width));
        u32::try_from(bin).ok().filter(|&bin| bin < self.axis.bins)
    }
}

/// The zone of a name, or an error that shows one.
fn time_zone(name: &str) -> Result<TimeZone> {
    TimeZone::get(name).map_err(|_| {
        Error::input(format!(
            "invalid time zone (got {name:?}): not in the IANA database"
        ))
        .hint("--timezone America/Montreal")
    })
}

/// Reads a length of time such as `900`, `90s`, `15m`, `1h` or `1d` as seconds.
pub fn parse_duration(text: &str) -> Result<u64> {
    let invalid = || {
        Error::input(format!("invalid length of time (got {text:?})"))
            .hint("write a whole number of seconds, or 90s, 15m, 1h, 1d")
    };
    let trimmed = text.trim();
    let digits = trimmed.trim_end_matches(|last: char| last.is_ascii_alphabetic());
    let scale = match &trimmed[digits.len()..] {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        "d" => 86_400,
        _ => return Err(invalid()),
    };
    let number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse::<u64>().ok().filter(|_| number);
    let seconds = number.and_then(|number| number.checked_mul(scale));
    seconds
        .filter(|&seconds| seconds <= u64::from(u32::MAX))
        .ok_or_else(invalid)
}

/// Days on the local clock that begin at a stated time, such as service days that end at 3 a.m.
#[derive(Clone, Debug)]
pub struct ServiceDays {
    zone: TimeZone,
    starts: i64,
}

impl ServiceDays {
    /// Days that begin at `HH:MM` in a zone.
    pub fn new(starts: &str, zone: &str) -> Result<Self> {
        let invalid = || {
            Error::input(format!(
                "invalid start of the day (got {starts:?}): a time from 00:00 to 23:59"
            ))
            .hint("--day-starts 03:00")
        };
        let (hour, minute) = starts.split_once(':').ok_or_else(invalid)?;
        let part = |text: &str, below: i64| {
            let digits =
                (1..=2).contains(&text.len()) && text.bytes().all(|it| it.is_ascii_digit());
            let value = text.parse::<i64>().ok().filter(|_| digits);
            value.filter(|&value| value < below).ok_or_else(invalid)
        };
        Ok(Self {
            zone: time_zone(zone)?,
            starts: (part(hour, 24)? * 60 + part(minute, 60)?) * 60 * SECOND,
        })
    }

    /// Something that numbers days quickly.
    pub(crate) fn numbering(&self) -> DayNumbering {
        DayNumbering {
            days: self.clone(),
            offset: 0,
            from: 0,
            until: 0,
        }
    }
}

/// Numbers the days of instants; remembers the zone's offset up to its next change.
pub(crate) struct DayNumbering {
    days: ServiceDays,
    offset: i64,
    from: i64,
    until: i64,
}

impl DayNumbering {
    /// The number of the day in which an instant in microseconds lies.
    pub(crate) fn day(&mut self, time: i64) -> i64 {
        if !(self.from..self.until).contains(&time) {
            self.learn(time);
        }
        time.saturating_add(self.offset)
            .saturating_sub(self.days.starts)
            .div_euclid(DAY)
    }

    fn learn(&mut self, time: i64) {
        let Ok(instant) = Timestamp::from_microsecond(time) else {
            // Beyond the calendar; no date that was read lies there.
            (self.offset, self.from, self.until) = (0, time, time.saturating_add(1));
            return;
        };
        let zone = &self.days.zone;
        let next = zone.following(instant).next();
        self.offset = i64::from(zone.to_offset(instant).seconds()) * SECOND;
        self.from = time;
        self.until = next.map_or(i64::MAX, |change| change.timestamp().as_microsecond());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_microsecond()
    }

    fn in_zone(zone: &str) -> DateOptions {
        DateOptions {
            zone: zone.into(),
            ..DateOptions::default()
        }
    }

    #[test]
    fn bins_are_half_open_and_end() {
        let axis = BinAxis::new("2024-03-04 00:00", 3600, 24, &in_zone("UTC")).unwrap();
        assert_eq!(axis.bin(micros("2024-03-03T23:59:59.999999Z")), None);
        assert_eq!(axis.bin(micros("2024-03-04T00:00:00Z")), Some(0));
        assert_eq!(axis.bin(micros("2024-03-04T00:59:59.999999Z")), Some(0));
        assert_eq!(axis.bin(micros("2024-03-04T01:00:00Z")), Some(1));
        assert_eq!(axis.bin(micros("2024-03-04T23:59:59Z")), Some(23));
        assert_eq!(axis.bin(micros("2024-03-05T00:00:00Z")), None);
        assert_eq!(axis.bin(i64::MIN), None);
        assert_eq!(axis.bin(i64::MAX), None);
    }

    #[test]
    fn the_clock_is_elapsed_time_where_clocks_change() {
        let axis = BinAxis::new("2024-03-31", 3600, 23, &in_zone("Europe/Lisbon")).unwrap();
        let clock = axis.time_axis().clock.clone().unwrap();
        assert_eq!(clock.starts, "2024-03-31T00:00:00+00:00");
        assert_eq!((clock.bin_seconds, &*clock.zone), (3600, "Europe/Lisbon"));
        // That day has 23 hours: local midnight of the next is the end of the axis.
        assert_eq!(axis.bin(micros("2024-03-31T22:59:59Z")), Some(22));
        assert_eq!(axis.bin(micros("2024-03-31T23:00:00Z")), None);
        let old = BinAxis::new("1880-01-01", 60, 9, &in_zone("America/Toronto")).unwrap();
        let clock = old.time_axis().clock.clone().unwrap();
        assert_eq!(clock.starts, "1880-01-01T05:17:32+00:00");
        let east = BinAxis::new("2008-02-02T00:00", 60, 9, &in_zone("Asia/Shanghai")).unwrap();
        let clock = east.time_axis().clock.clone().unwrap();
        assert_eq!(clock.starts, "2008-02-02T00:00:00+08:00");
    }

    #[test]
    fn refuses_what_is_no_axis() {
        let utc = in_zone("UTC");
        assert!(BinAxis::new("2024-03-04", 0, 24, &utc).is_err());
        assert!(BinAxis::new("2024-03-04", 1 << 40, 24, &utc).is_err());
        assert!(BinAxis::new("2024-03-04", 60, 0, &utc).is_err());
        assert!(BinAxis::new("2024-03-04", 60, 1_000_001, &utc).is_err());
        assert!(BinAxis::new("03/04/2024", 60, 1, &utc).is_err());
        assert!(BinAxis::new("soon", 60, 1, &utc).is_err());
        assert!(BinAxis::new("-99999999999", 60, 1, &utc).is_err());
        assert!(BinAxis::new("9999-12-29", 86_400, 2, &utc).is_err());
        assert!(BinAxis::new("2024-03-04", 60, 1, &in_zone("Mars/Olympus")).is_err());
    }

    #[test]
    fn reads_lengths_of_time() {
        let all = ["900", "90s", "15m", "15min", "1h", "2d", " 7 "];
        let seconds = [900, 90, 900, 900, 3600, 172_800, 7];
        for (text, seconds) in all.iter().zip(seconds) {
            assert_eq!(parse_duration(text).unwrap(), seconds, "{text}");
        }
        for text in [
            "",
            "h",
            "-1h",
            "1.5h",
            "1w",
            "1 h",
            "99999999999d",
            "+5",
            "5000000000",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_service_day_ends_at_three_also_when_clocks_change() {
        let days = ServiceDays::new("03:00", "Europe/Lisbon").unwrap();
        let mut day = days.numbering();
        let mut at = |text: &str| day.day(micros(text));
        let saturday = at("2024-03-30T03:00:00Z");
        assert_eq!(at("2024-03-30T02:59:59Z"), saturday - 1);
        assert_eq!(at("2024-03-31T00:59:59Z"), saturday);
        // 02:30 local summer time.
        assert_eq!(at("2024-03-31T01:30:00Z"), saturday);
        assert_eq!(at("2024-03-31T02:00:00Z"), saturday + 1);
        assert_eq!(at("2024-03-30T12:00:00Z"), saturday);
        for bad in ["3", "24:00", "03:60", "-1:00", "a:b", "003:00", ""] {
            assert!(ServiceDays::new(bad, "UTC").is_err(), "{bad}");
        }
    }
}
