//! From rows of visits, in whatever order and number, to records.
//!
//! ```text
//!  reader ─▶ Gatherer ─▶ sorted runs ─▶ duplicates, trips, bins, stays ─▶ memory or a data file
//! ```
//! Every reader of dated visits ends here. Memory holds the ids of the owners, the names of trips,
//! one run of rows and one owner's named trips, however long the input is; a result in memory comes
//! on top.

mod assemble;
mod axis;
mod gather;
mod sink;
mod spool;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use wayveil_core::{Dataset, Internal, NonPrivate, Progress, Raw, Result, TimeAxis};

use crate::native::{Frame, Writer};
use crate::output;
use crate::summary::ImportSummary;
use crate::universe::Located;
use assemble::{Counts, Sink, assemble};
pub(crate) use axis::DayNumbering;
pub use axis::{BinAxis, ServiceDays, parse_duration};
use gather::Collected;
pub(crate) use gather::{Gatherer, check_owner, check_value};
use sink::{Memory, Nowhere, ToFile};

/// How visits become records.
#[derive(Clone, Debug)]
pub struct Arrangement {
    /// A longer time without a visit ends a trip, in seconds.
    pub max_gap: Option<u64>,
    /// A trip ends where a day ends.
    pub days: Option<ServiceDays>,
    /// Of visits to one location that follow each other, the first is kept.
    pub collapse_stays: bool,
    /// The public axis of time bins.
    pub axis: Option<BinAxis>,
    /// The name under which spending on these people is kept.
    pub population: String,
    /// Where long inputs are sorted: a folder of the publisher's own, for the rows are raw data.
    pub scratch: PathBuf,
}

impl Arrangement {
    /// One record per owner, without time; long inputs are sorted in the system's folder for
    /// temporary files.
    pub fn new(population: impl Into<String>) -> Self {
        Self {
            max_gap: None,
            days: None,
            collapse_stays: false,
            axis: None,
            population: population.into(),
            scratch: std::env::temp_dir(),
        }
    }

    fn max_gap_micros(&self) -> Option<i64> {
        let micros = |seconds: u64| i64::try_from(seconds).ok()?.checked_mul(1_000_000);
        self.max_gap.map(|gap| micros(gap).unwrap_or(i64::MAX))
    }

    fn time_axis(&self) -> Option<&TimeAxis> {
        self.axis.as_ref().map(BinAxis::time_axis)
    }
}

/// Everything that a reader took from its input. It is raw data, and can only be kept, or counted
/// for the publisher.
pub struct Imported {
    collected: Collected,
    located: Located,
    /// What the reader itself counted.
    summary: ImportSummary,
    arrangement: Arrangement,
}

impl Imported {
    pub(crate) fn new(
        gatherer: Gatherer,
        located: Located,
        summary: ImportSummary,
        arrangement: &Arrangement,
    ) -> Self {
        Self {
            collected: gatherer.finish(),
            located,
            summary,
            arrangement: arrangement.clone(),
        }
    }

    /// The data set in memory.
    pub fn into_dataset(
        mut self,
        progress: &dyn Progress,
    ) -> Result<(Raw<Dataset>, Internal<ImportSummary>)> {
        let timed = self.arrangement.axis.is_some();
        let mut memory = Memory::new(timed);
        let summary = self.arrange(&mut memory, progress)?;
        let Collected {
            owners, attributes, ..
        } = self.collected;
        let (trips, owners, attributes) = memory.finish(owners, attributes);
        let dataset = Dataset::new(
            Arc::new(self.located.universe),
            self.arrangement.time_axis().cloned(),
            trips,
            owners,
            attributes,
            self.arrangement.population.clone(),
        )?;
        let raw = Raw::new(dataset);
        let summary = raw.inspect(for_the_publisher(), |_| summary);
        Ok((raw, summary))
    }

    /// Writes a data file, in memory that does not grow with the number of rows.
    pub fn into_file(
        mut self,
        path: &Path,
        overwrite: bool,
        progress: &dyn Progress,
    ) -> Result<Internal<ImportSummary>> {
        let owners = std::mem::take(&mut self.collected.owners);
        let attributes = std::mem::take(&mut self.collected.attributes);
        let values: Vec<_> = attributes.iter().map(|it| it.values.labels()).collect();
        let names = attributes.iter().map(|it| it.name.as_str());
        let universe = self.located.universe.clone();
        let time = self.arrangement.time_axis().cloned();
        let population = self.arrangement.population.clone();
        let frame = Frame {
            universe: &universe,
            time: time.as_ref(),
            population: &population,
            owners: Some(&owners),
            attributes: names.zip(values.iter().copied()).collect(),
        };
        let count = owners.len();
        let summary = output::write_file(path, overwrite, |out| {
            let writer = Writer::new(out, &frame)?;
            let mut sink = ToFile::new(writer, &attributes, time.is_some());
            let summary = self.arrange_for(count, &mut sink, progress)?;
            sink.finish()?;
            Ok(summary)
        })?;
        Ok(internal(summary))
    }

    /// Counts what a data file would hold.
    pub fn into_summary(mut self, progress: &dyn Progress) -> Result<Internal<ImportSummary>> {
        self.arrange(&mut Nowhere, progress).map(internal)
    }

    fn arrange(&mut self, sink: &mut dyn Sink, progress: &dyn Progress) -> Result<ImportSummary> {
        self.arrange_for(self.collected.owners.len(), sink, progress)
    }

    fn arrange_for(
        &mut self,
        owners: usize,
        sink: &mut dyn Sink,
        progress: &dyn Progress,
    ) -> Result<ImportSummary> {
        progress.begin("sorting by person and time", None);
        let rows = self.collected.take_rows().sorted()?;
        progress.end();
        progress.begin("making records", None);
        let counts = assemble(
            rows,
            &self.arrangement,
            self.collected.named_trips,
            self.located.code_of.as_deref(),
            sink,
        )?;
        progress.end();
        Ok(self.summarise(counts, owners as u64))
    }

    fn summarise(&mut self, counts: Counts, owners: u64) -> ImportSummary {
        let date = |micros: i64| jiff::Timestamp::from_microsecond(micros).ok();
        let (first, last) = match counts.span {
            Some((first, last)) if self.summary.dated => (date(first), date(last)),
            _ => (None, None),
        };
        ImportSummary {
            rows: self.collected.rows,
            records: counts.records,
            owners: counts.owners,
            symbols: counts.symbols,
            locations: self.located.universe.len() as u64,
            unknown: std::mem::take(&mut self.located.left_out),
            owners_without_known_location: owners - counts.owners,
            duplicates: counts.duplicates,
            out_of_order: self.collected.out_of_order,
            outside_axis: counts.outside_axis,
            stays_collapsed: counts.collapsed,
            first,
            last,
            ..std::mem::take(&mut self.summary)
        }
    }
}

fn for_the_publisher() -> NonPrivate {
    NonPrivate::because("the publisher is told what an import read and left out")
}

fn internal(summary: ImportSummary) -> Internal<ImportSummary> {
    Raw::new(summary).inspect(for_the_publisher(), ImportSummary::clone)
}

#[cfg(test)]
mod tests;
