//! Time bins: what is counted of them, at which public resolution, and how candidates come by theirs.
//!
//! | group | counts, for one record | cells |
//! | --- | --- | --- |
//! | start | the bin of its first visit, by class of its length | 6 · at most 512 stretches of the axis |
//! | span | the bins of its first and last visit, of two visits or more | at most 64 · 64 stretches |
//! | gap | bins between consecutive visits, by class; given the phase of the day (or the bin, on a short axis), how many visits are left, and whether the place is the same, or one of the same bin | at most 64 · 3 · 87 |
//! | when | a place in a bin, each once | at most 2²⁰ |
//! | move | consecutive places, by the stretch of the axis of the second visit | at most 2¹⁹ |
//!
//! Candidates get their bins before their places: the first from `start`, the others by `gap`. Places are then
//! drawn by what `when` tells of their bins. `span` and `move` come in when candidates are reweighted.
//!
//! All resolutions are functions of the axis, its clock and the number of locations, which are public.

mod cells;
mod draw;
mod gaps;
mod learn;
mod shares;
#[cfg(test)]
mod tests;

pub(super) use learn::Timing;
pub(super) use shares::shares;

use wayveil_core::{Sequences, TimeAxis};

/// The most stretches of the axis in which records start.
const STARTS: u32 = 512;
/// The most stretches in which records start and end.
const SPANS: u32 = 64;
/// The most phases that gaps are told apart by.
const PHASES: u32 = 64;
/// The most cells of places in bins, and of steps in stretches.
const WHEN_CELLS: u64 = 1 << 20;
const MOVE_CELLS: u64 = 1 << 19;
/// The most stretches of the axis that places and steps are told apart by.
const STRETCHES: u32 = 4_096;
/// The seconds of a day.
const DAY: u32 = 86_400;

/// A record as it is counted: its places, and a bin for each where there are any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visits<'a> {
    pub(super) places: &'a [u32],
    /// Empty in untimed data.
    bins: &'a [u32],
}

impl<'a> Visits<'a> {
    /// A record of a set.
    pub(super) fn of(sequences: &'a Sequences, record: usize) -> Self {
        Self {
            places: sequences.codes_of(record),
            bins: sequences.bins_of(record),
        }
    }

    /// A record without times.
    pub(super) fn untimed(places: &'a [u32]) -> Self {
        Self { places, bins: &[] }
    }

    /// What counts of it: so many visits at most, cut where time goes back. Decided by this record alone.
    pub(super) fn cut(self, max_length: usize) -> Self {
        let back = self.bins.windows(2).position(|pair| pair[1] < pair[0]);
        let monotone = back.map_or(self.places.len(), |at| at + 1);
        let length = self.places.len().min(max_length).min(monotone);
        Self {
            places: &self.places[..length],
            bins: &self.bins[..length.min(self.bins.len())],
        }
    }

    fn bin(&self, at: usize) -> u32 {
        self.bins.get(at).copied().unwrap_or(0)
    }
}

/// The resolution at which time is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    /// The bins of the axis.
    bins: u32,
    /// After so many bins a phase comes again.
    period: u32,
    starts: u32,
    spans: u32,
    phases: u32,
    when: u32,
    moves: u32,
}

impl Times {
    /// The resolution for an axis and so many locations. Without an axis everything happens in one bin.
    pub(super) fn new(axis: Option<&TimeAxis>, locations: usize) -> Self {
        let bins = axis.map_or(1, |axis| axis.bins).max(1);
        let day = axis
            .and_then(|axis| axis.clock.as_ref())
            .map_or(bins, |clock| DAY / clock.bin_seconds.max(1));
        let period = match (2..bins).contains(&day) && bins > PHASES {
            true => day,
            false => bins,
        };
        let most = u64::from(bins.min(STRETCHES));
        let fit = |cells: u64, each: u64| (cells / each.max(1)).clamp(1, most) as u32;
        let locations = locations as u64;
        Self {
            bins,
            period,
            starts: bins.min(STARTS),
            spans: bins.min(SPANS),
            phases: period.min(PHASES),
            when: fit(WHEN_CELLS, locations),
            moves: fit(MOVE_CELLS, locations.saturating_mul(locations)),
        }
    }

    fn phase(&self, bin: u32) -> usize {
        stretch(bin % self.period, self.phases, self.period)
    }
}

/// Which of so many stretches a bin lies in.
fn stretch(bin: u32, stretches: u32, bins: u32) -> usize {
    (u64::from(bin) * u64::from(stretches) / u64::from(bins.max(1))) as usize
}

/// The bins of a stretch.
fn bins_of(at: usize, stretches: u32, bins: u32) -> std::ops::Range<u32> {
    let edge = |at: u64| (at * u64::from(bins)).div_ceil(stretches.max(1).into()) as u32;
    edge(at as u64)..edge(at as u64 + 1)
}
