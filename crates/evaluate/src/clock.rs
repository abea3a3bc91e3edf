//! From time bins to local time.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use wayveil_core::{Clock, Error, Result, TimeAxis};

const DAY_SECONDS: u32 = 86_400;

/// When each bin begins, in local time; none without a clock.
pub(crate) fn beginnings(axis: &TimeAxis) -> Result<Option<Vec<DateTime>>> {
    let Some(clock) = &axis.clock else {
        return Ok(None);
    };
    let invalid = |cause: jiff::Error| invalid(clock, &cause);
    let starts: Timestamp = clock.starts.parse().map_err(invalid)?;
    let zone = TimeZone::get(&clock.zone).map_err(invalid)?;
    let begins = |bin: u32| {
        let since = i64::from(bin) * i64::from(clock.bin_seconds);
        let begins = starts.checked_add(SignedDuration::from_secs(since))?;
        Ok(zone.to_datetime(begins))
    };
    let of_bins: Result<_, jiff::Error> = (0..axis.bins).map(begins).collect();
    of_bins.map(Some).map_err(invalid)
}

/// The time zone, and the hour of the day at which each bin begins; none without a clock and where a bin
/// is a day or more.
pub(crate) fn hours(axis: &TimeAxis) -> Result<Option<(String, Vec<u8>)>> {
    let Some(clock) = axis
        .clock
        .as_ref()
        .filter(|clock| clock.bin_seconds < DAY_SECONDS)
    else {
        return Ok(None);
    };
    let hours = |all: Vec<DateTime>| all.iter().map(|at| at.hour().unsigned_abs()).collect();
    Ok(beginnings(axis)?.map(|all| (clock.zone.clone(), hours(all))))
}

fn invalid(clock: &Clock, cause: &jiff::Error) -> Error {
    Error::input(format!(
        "invalid clock of the time axis (got bins of {} s from {:?} in {:?}): {cause}",
        clock.bin_seconds, clock.starts, clock.zone
    ))
    .hint("import the data again with --bin-width, --bin-origin and --bins")
}
