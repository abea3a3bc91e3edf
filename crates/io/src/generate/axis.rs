//! The public axes of time.

use wayveil_core::{Clock, Origin, TimeAxis};

use super::Preset;

/// When every axis, and every taxi's week, begins: a Monday.
pub const STARTS: &str = "2024-03-04T00:00:00Z";
/// [`STARTS`] in seconds since 1970.
pub(super) const STARTS_SECONDS: i64 = 1_709_510_400;

/// So many bins of so many seconds from [`STARTS`] on.
pub(super) fn axis(preset: Preset, bins: u32, bin_seconds: u32) -> TimeAxis {
    TimeAxis {
        bins,
        declared: Origin::Declared(format!("generator {preset}")),
        clock: Some(Clock {
            starts: STARTS.to_owned(),
            bin_seconds,
            zone: "UTC".to_owned(),
        }),
    }
}
