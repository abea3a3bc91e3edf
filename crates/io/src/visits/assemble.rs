//! Makes records of sorted visits: removes duplicates, cuts trips, bins times, collapses stays.
//!
//! In this order, each step on what the one before leaves:
//!
//! 1. The same owner, trip, time and location again is left out.
//! 2. A visit outside the axis of time bins is left out.
//! 3. A trip ends where the input names another one, where the gap to the visit before is longer
//!    than allowed, and where a day ends.
//! 4. Of visits to one location that follow each other in a trip, the first is kept, if stays
//!    are to be collapsed.
//!
//! An owner's trips come in the order of their first visits; of named trips that begin at the same
//! instant, in the order of their locations and bins. Nothing depends on other owners' rows: names
//! of trips are numbered over all owners, and these numbers decide nothing.

use rustc_hash::FxHashSet;
use wayveil_core::Result;

use super::spool::{Row, Sorted};
use super::{Arrangement, DayNumbering};

/// From this many visits at one instant on, a set finds duplicates instead of a walk.
const CROWD: usize = 32;

/// Receives records.
pub(super) trait Sink {
    /// A record with at least one visit; bins only where there is an axis.
    fn record(&mut self, owner: u32, codes: &[u32], bins: &[u32]) -> Result<()>;
}

/// What the steps left out and what came through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) records: u64,
    pub(super) owners: u64,
    pub(super) symbols: u64,
    pub(super) duplicates: u64,
    pub(super) outside_axis: u64,
    pub(super) collapsed: u64,
    pub(super) span: Option<(i64, i64)>,
}

/// Reads all rows and hands records to the sink. `code_of` gives locations their final codes.
pub(super) fn assemble(
    mut rows: Sorted,
    arrangement: &Arrangement,
    named_trips: bool,
    code_of: Option<&[u32]>,
    sink: &mut dyn Sink,
) -> Result<Counts> {
    let mut assembler = Assembler {
        arrangement,
        max_gap: arrangement.max_gap_micros(),
        days: arrangement.days.as_ref().map(|days| days.numbering()),
        named_trips,
        sink,
        counts: Counts::default(),
        owner: None,
        trip: 0,
        last: None,
        instant: None,
        at_this_time: Vec::new(),
        crowd: FxHashSet::default(),
        codes: Vec::new(),
        bins: Vec::new(),
        starts: 0,
        waiting: Vec::new(),
        owner_has_records: false,
    };
    while let Some(mut row) = rows.next()? {
        if let Some(code_of) = code_of {
            row.code = code_of[row.code as usize];
        }
        assembler.add(row)?;
    }
    assembler.end_owner()?;
    Ok(assembler.counts)
}

struct Assembler<'a> {
    arrangement: &'a Arrangement,
    max_gap: Option<i64>,
    days: Option<DayNumbering>,
    /// Whether an owner's trips may overlap in time and have to wait for each other.
    named_trips: bool,
    sink: &'a mut dyn Sink,
    counts: Counts,
    owner: Option<u32>,
    trip: u32,
    /// Time and day of the visit before, kept or collapsed, in the current trip.
    last: Option<(i64, i64)>,
    /// The instant of the row before in the same named trip, and the locations met at it.
    instant: Option<i64>,
    at_this_time: Vec<u32>,
    crowd: FxHashSet<u32>,
    codes: Vec<u32>,
    bins: Vec<u32>,
    /// When the current trip begins.
    starts: i64,
    waiting: Vec<Waiting>,
    owner_has_records: bool,
}

/// A trip that waits for the others of its owner; its order is that of its fields.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    starts: i64,
    codes: Vec<u32>,
    bins: Vec<u32>,
}

impl Assembler<'_> {
    fn add(&mut self, row: Row) -> Result<()> {
        if self.owner != Some(row.owner()) {
            self.end_owner()?;
            self.owner = Some(row.owner());
            self.trip = row.trip();
        } else if self.trip != row.trip() {
            self.end_trip()?;
            self.trip = row.trip();
        } else if self.is_duplicate(row) {
            self.counts.duplicates += 1;
            return Ok(());
        }
        self.note_time(row);
        let bin = match &self.arrangement.axis {
            None => None,
            Some(axis) => match axis.bin(row.time) {
                None => {
                    self.counts.outside_axis += 1;
                    return Ok(());
                }
                bin => bin,
            },
        };
        let mut day = self.days.as_mut().map_or(0, |days| days.day(row.time));
        if let Some((time, last_day)) = self.last {
            // Where clocks go back over the start of a day, that day has begun once.
            day = day.max(last_day);
            let gap = row.time.saturating_sub(time);
            if last_day != day || self.max_gap.is_some_and(|most| gap > most) {
                self.cut()?;
            }
        }
        self.last = Some((row.time, day));
        if self.arrangement.collapse_stays && self.codes.last() == Some(&row.code) {
            self.counts.collapsed += 1;
            return Ok(());
        }
        if self.codes.is_empty() {
            self.starts = row.time;
        }
        self.codes.push(row.code);
        self.bins.extend(bin);
        Ok(())
    }

    /// Whether the location was visited at this instant before, in this owner's trip.
    fn is_duplicate(&mut self, row: Row) -> bool {
        if self.instant != Some(row.time) {
            return false;
        }
        if self.at_this_time.len() <= CROWD {
            return self.at_this_time.contains(&row.code);
        }
        if self.crowd.is_empty() {
            self.crowd.extend(&self.at_this_time);
        }
        self.crowd.contains(&row.code)
    }

    /// Remembers a visit of the current instant, to find it again.
    fn note_time(&mut self, row: Row) {
        if self.instant != Some(row.time) {
            self.at_this_time.clear();
            self.crowd.clear();
        }
        self.at_this_time.push(row.code);
        if !self.crowd.is_empty() {
            self.crowd.insert(row.code);
        }
        self.instant = Some(row.time);
        let (first, last) = self.counts.span.unwrap_or((row.time, row.time));
        self.counts.span = Some((first.min(row.time), last.max(row.time)));
    }

    /// Ends a trip where the input names another, or another owner's rows begin.
    fn end_trip(&mut self) -> Result<()> {
        self.instant = None;
        self.cut()
    }

    fn end_owner(&mut self) -> Result<()> {
        self.end_trip()?;
        if let Some(owner) = self.owner {
            let mut waiting = std::mem::take(&mut self.waiting);
            waiting.sort();
            for trip in waiting {
                self.sink.record(owner, &trip.codes, &trip.bins)?;
            }
        }
        self.counts.owners += u64::from(self.owner_has_records);
        self.owner_has_records = false;
        self.owner = None;
        Ok(())
    }

    /// Ends the record that is being filled.
    fn cut(&mut self) -> Result<()> {
        self.last = None;
        if self.codes.is_empty() {
            return Ok(());
        }
        self.counts.records += 1;
        self.counts.symbols += self.codes.len() as u64;
        self.owner_has_records = true;
        if self.named_trips {
            self.waiting.push(Waiting {
                starts: self.starts,
                codes: std::mem::take(&mut self.codes),
                bins: std::mem::take(&mut self.bins),
            });
        } else if let Some(owner) = self.owner {
            self.sink.record(owner, &self.codes, &self.bins)?;
            self.codes.clear();
            self.bins.clear();
        }
        Ok(())
    }
}
