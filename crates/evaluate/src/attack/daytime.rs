//! Which bins lie in the night and which in working hours.

use jiff::civil::DateTime;
use wayveil_core::{Result, TimeAxis};

use crate::clock::beginnings;

/// A part of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Daytime {
    /// From 20 to 6 o'clock, on any day.
    Night,
    /// From 9 to 17 o'clock, Monday to Friday.
    Work,
    /// Any other time.
    Other,
}

/// The part of the week in which each bin begins, in local time; none without a clock.
pub(super) fn daytimes(axis: &TimeAxis) -> Result<Option<Vec<Daytime>>> {
    let daytime = |local: &DateTime| {
        let weekday = local.weekday().to_monday_zero_offset() < 5;
        match local.hour() {
            20.. | ..6 => Daytime::Night,
            9..17 if weekday => Daytime::Work,
            _ => Daytime::Other,
        }
    };
    Ok(beginnings(axis)?.map(|all| all.iter().map(daytime).collect()))
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Clock, Origin};

    use super::*;

    fn of(starts: &str, bin_seconds: u32, zone: &str, bins: u32) -> Result<Option<Vec<Daytime>>> {
        daytimes(&TimeAxis {
            clock: Some(Clock {
                starts: starts.into(),
                bin_seconds,
                zone: zone.into(),
            }),
            ..TimeAxis::new(bins, Origin::Declared("test".into()))
        })
    }

    #[test]
    fn nights_and_working_hours_are_local() {
        // A Friday and a Saturday, in a zone five hours behind.
        let of_hours = of("2024-03-01T05:00:00Z", 3600, "America/New_York", 48)
            .unwrap()
            .unwrap();
        for (hour, &daytime) in of_hours.iter().enumerate() {
            let expected = match hour % 24 {
                20..=23 | 0..=5 => Daytime::Night,
                9..=16 if hour < 24 => Daytime::Work,
                _ => Daytime::Other,
            };
            assert_eq!(daytime, expected, "hour {hour}");
        }
    }

    #[test]
    fn clocks_that_cannot_be_are_refused() {
        let bare = TimeAxis::new(9, Origin::FromData);
        assert_eq!(daytimes(&bare).unwrap(), None);
        assert!(of("yesterday", 60, "UTC", 1).is_err());
        assert!(of("2024-03-01T05:00:00Z", 60, "Mars/Olympus", 1).is_err());
        assert!(of("2024-03-01T05:00:00Z", u32::MAX, "UTC", 1_000_000).is_err());
    }
}
