//! From local clock to instant, day by day.
//!
//! Asking the zone's rules for every row would dominate an import. A day without a clock change
//! has one offset, which is remembered.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result};

const DAY: i64 = 86_400_000_000;

/// A time zone and the offsets of days seen so far.
pub(super) struct Zone {
    zone: TimeZone,
    is_utc: bool,
    /// For each local day the offset in microseconds, or none where clocks change near it.
    offset_of_day: FxHashMap<i64, Option<i64>>,
}

impl Zone {
    pub(super) fn new(name: &str) -> Result<Self> {
        let zone = TimeZone::get(name).map_err(|_| {
            Error::input(format!(
                "invalid time zone (got {name:?}): not in the IANA database"
            ))
            .hint("--timezone America/Montreal")
        })?;
        Ok(Self {
            is_utc: zone == TimeZone::UTC,
            zone,
            offset_of_day: FxHashMap::default(),
        })
    }

    /// The instant of a local time, both in microseconds since 1970.
    pub(super) fn instant(&mut self, local: i64, text: &str) -> Result<i64> {
        if self.is_utc {
            return Ok(local);
        }
        let day = local.div_euclid(DAY);
        let offset = match self.offset_of_day.get(&day) {
            Some(&offset) => offset,
            None => {
                let offset = self.constant_offset(day);
                self.offset_of_day.insert(day, offset);
                offset
            }
        };
        match offset {
            Some(offset) => Ok(local - offset),
            None => self.exact(local, text),
        }
    }

    pub(super) fn instant_of_parsed(&mut self, parsed: &BrokenDownTime, text: &str) -> Result<i64> {
        let unreadable = |cause: jiff::Error| {
            Error::input(format!("invalid date (got {text:?}): {cause}"))
                .hint("--date-format must cover year, month and day")
        };
        if parsed.iana_time_zone().is_some() {
            let zoned = parsed.to_zoned().map_err(unreadable)?;
            return Ok(zoned.timestamp().as_microsecond());
        }
        if parsed.offset().is_some() || parsed.to_datetime().is_err() {
            return Ok(parsed.to_timestamp().map_err(unreadable)?.as_microsecond());
        }
        let local = parsed.to_datetime().map_err(unreadable)?;
        let local = local.to_zoned(TimeZone::UTC).map_err(unreadable)?;
        self.instant(local.timestamp().as_microsecond(), text)
    }

    /// The offset of a local day, if no clock change is near it. Local and universal days differ
    /// by less than a day, so that the days before and after bound every instant of this one.
    fn constant_offset(&self, day: i64) -> Option<i64> {
        let start = Timestamp::from_microsecond(day.checked_sub(1)? * DAY).ok()?;
        let end = Timestamp::from_microsecond(day.checked_add(2)? * DAY).ok()?;
        let change = self.zone.following(start).next();
        let constant = change.is_none_or(|change| change.timestamp() > end);
        constant.then(|| i64::from(self.zone.to_offset(start).seconds()) * 1_000_000)
    }

    fn exact(&self, local: i64, text: &str) -> Result<i64> {
        let outside = |cause: jiff::Error| {
            Error::input(format!("invalid date (got {text:?}): {cause}"))
                .hint("dates lie between the years 1 and 9998")
        };
        let written: DateTime =
            TimeZone::UTC.to_datetime(Timestamp::from_microsecond(local).map_err(outside)?);
        let instant = self.zone.to_ambiguous_timestamp(written).compatible();
        Ok(instant.map_err(outside)?.as_microsecond())
    }
}
