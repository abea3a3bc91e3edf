//! When the bins of a time axis are.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use wayveil_core::{Clock, Error, Result, TimeAxis};

const SECOND: i128 = 1_000_000_000;

/// An axis whose bins have a place in the calendar, all of them.
pub struct Calendar {
    /// Nanoseconds since 1970 at which bin 0 begins.
    starts: i128,
    /// Nanoseconds.
    width: i128,
    zone: TimeZone,
}

impl Calendar {
    /// The calendar of an axis; none where its bins are bare numbers.
    pub fn of(axis: &TimeAxis) -> Result<Option<Self>> {
        let Some(clock) = &axis.clock else {
            return Ok(None);
        };
        let first: Timestamp = clock.starts.parse().map_err(|cause| {
            invalid(clock, &format!("{:?} is no instant: {cause}", clock.starts))
        })?;
        let zone = TimeZone::get(&clock.zone).map_err(|_| {
            let unknown = format!("{:?} is not in the IANA database", clock.zone);
            invalid(clock, &unknown)
        })?;
        if clock.bin_seconds == 0 {
            return Err(invalid(clock, "bins have no length"));
        }
        let calendar = Self {
            starts: first.as_nanosecond(),
            width: i128::from(clock.bin_seconds) * SECOND,
            zone,
        };
        if Timestamp::from_nanosecond(calendar.start_of(axis.bins)).is_err() {
            return Err(invalid(clock, "the last bin lies beyond the year 9999"));
        }
        Ok(Some(calendar))
    }

    /// The hour of the day, 0 to 23, at which a bin begins for people in the axis' zone.
    pub fn hour_of(&self, bin: u32) -> usize {
        let local = self.zone.to_datetime(timestamp(self.start_of(bin)));
        usize::from(local.hour().unsigned_abs())
    }

    /// When a bin begins, in nanoseconds since 1970.
    pub(crate) fn start_of(&self, bin: u32) -> i128 {
        self.starts + i128::from(bin) * self.width
    }

    /// The fewest digits after the second with which so many visits in a bin stay apart; nine
    /// are enough for a billion visits in a second.
    pub(crate) fn digits_for(&self, visits: u64) -> u8 {
        let enough = |digits: &u8| {
            let unit = unit(*digits);
            self.starts % unit == 0 && self.width / unit >= i128::from(visits)
        };
        [0, 3, 6].into_iter().find(enough).unwrap_or(9)
    }

    /// The instant of one of several visits that are spread evenly over a bin, rounded down.
    pub(crate) fn spread(&self, bin: u32, (visit, visits): (u64, u64), digits: u8) -> i128 {
        let unit = unit(digits);
        let units = self.width / unit * i128::from(visit) / i128::from(visits.max(1));
        self.start_of(bin) + units * unit
    }

    /// An instant in RFC 3339, in UTC.
    pub(crate) fn text(&self, instant: i128, digits: u8) -> String {
        format!("{:.*}", usize::from(digits), timestamp(instant))
    }
}

/// The nanoseconds of one step in the last digit.
fn unit(digits: u8) -> i128 {
    SECOND / 10_i128.pow(u32::from(digits))
}

/// Every bin of a calendar was checked to lie within the range of timestamps.
fn timestamp(nanoseconds: i128) -> Timestamp {
    Timestamp::from_nanosecond(nanoseconds).unwrap_or(Timestamp::MAX)
}

fn invalid(clock: &Clock, reason: &str) -> Error {
    Error::input(format!(
        "invalid clock of the time axis (got bins of {} s from {:?} in {:?}): {reason}",
        clock.bin_seconds, clock.starts, clock.zone
    ))
    .hint("import the data again with --bin-width, --bin-origin and --bins")
}

#[cfg(test)]
mod tests {
    use wayveil_core::Origin;

    use super::*;

    fn axis(starts: &str, bin_seconds: u32, zone: &str, bins: u32) -> TimeAxis {
        TimeAxis {
            clock: Some(Clock {
                starts: starts.into(),
                bin_seconds,
                zone: zone.into(),
            }),
            ..TimeAxis::new(bins, Origin::Declared("test".into()))
        }
    }

    fn calendar(starts: &str, bin_seconds: u32, zone: &str) -> Calendar {
        Calendar::of(&axis(starts, bin_seconds, zone, 100))
            .unwrap()
            .unwrap()
    }

    #[test]
    fn hours_are_local_also_where_clocks_change() {
        // Lisbon goes from 00:59 to 02:00 on 31 March 2024.
        let calendar = calendar("2024-03-30T22:00:00+00:00", 3600, "Europe/Lisbon");
        let hours: Vec<usize> = (0..6).map(|bin| calendar.hour_of(bin)).collect();
        assert_eq!(hours, [22, 23, 0, 2, 3, 4]);
        assert_eq!(
            calendar.text(calendar.start_of(3), 0),
            "2024-03-31T01:00:00Z"
        );
    }

    #[test]
    fn visits_are_spread_over_a_bin() {
        let calendar = calendar("2024-01-01T00:00:00Z", 10, "UTC");
        let digits = calendar.digits_for(4);
        assert_eq!(digits, 0);
        let times: Vec<String> = (0..4)
            .map(|visit| calendar.text(calendar.spread(1, (visit, 4), digits), digits))
            .collect();
        assert_eq!(
            times,
            [
                "2024-01-01T00:00:10Z",
                "2024-01-01T00:00:12Z",
                "2024-01-01T00:00:15Z",
                "2024-01-01T00:00:17Z"
            ]
        );
    }

    #[test]
    fn a_crowd_needs_more_digits_and_stays_in_order() {
        let calendar = calendar("2024-01-01T00:00:00.5Z", 1, "UTC");
        assert_eq!(calendar.digits_for(1), 3, "half a second is not lost");
        for (visits, digits) in [(1000, 3), (1001, 6), (1_000_001, 9)] {
            assert_eq!(calendar.digits_for(visits), digits);
            let time = |visit| calendar.text(calendar.spread(0, (visit, visits), digits), digits);
            let last = visits - 1;
            assert!(time(0) < time(1) && time(last - 1) < time(last));
            assert!(time(last) < calendar.text(calendar.start_of(1), digits));
        }
    }

    #[test]
    fn clocks_that_cannot_be_are_refused() {
        let bare = TimeAxis::new(1, Origin::FromData);
        assert!(Calendar::of(&bare).unwrap().is_none());
        for (starts, seconds, zone, bins) in [
            ("yesterday", 60, "UTC", 1),
            ("2024-01-01T00:00:00", 60, "UTC", 1),
            ("2024-01-01T00:00:00Z", 0, "UTC", 1),
            ("2024-01-01T00:00:00Z", 60, "Mars/Olympus", 1),
            ("2024-01-01T00:00:00Z", u32::MAX, "UTC", 1_000_000),
        ] {
            let outcome = Calendar::of(&axis(starts, seconds, zone, bins));
            assert!(outcome.is_err(), "{starts} {seconds} {zone} {bins}");
        }
    }
}
