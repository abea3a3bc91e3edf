//! Reads columnar files of other programs: Parquet, and Arrow as a file (Feather version 2) or as a
//! stream. They are recognised by content.
//!
//! ```text
//!  file ─▶ needed columns, batch by batch ─▶ rows as text, degrees, times ─▶ gatherer ─▶ records
//! ```
//! A table of visits has the same columns as a text of events, under the same options: only the
//! delimiter means nothing here.
//!
//! | column | types |
//! | --- | --- |
//! | owner, trip, location | text or whole numbers, also by dictionary |
//! | latitude, longitude | floating point, decimal or whole numbers, text |
//! | date | timestamps of any unit, dates, text, Unix time; or a date and a time of day apart |
//! | attribute | text, whole numbers, truth values, also by dictionary; null is the empty text |
//!
//! A timestamp with a zone is an instant; one without is local to the zone of the options. Digits
//! after the sixth of a second are cut off. A GeoParquet file without columns of degrees gives its
//! points by its primary geometry, which must be of points in degrees. A file may also hold one
//! trajectory per row, as a list of labels ([`read_trajectories`]).
//!
//! Memory holds one batch of the needed columns, and for Arrow one batch as it was written.

mod coordinates;
mod geo;
mod ipc;
mod layout;
mod moments;
mod open;
mod parquet_file;
mod place;
mod texts;
mod trajectories;
mod visits;
mod wkb;

use std::path::Path;

use wayveil_core::{Progress, Result};

use crate::events::EventsOptions;
use crate::visits::Imported;
pub use open::Handed;
use open::TableFile;
pub use trajectories::{
    TrajectoryTableOptions, read_trajectories, read_trajectories_from, read_trajectory_batches,
};

/// Reads a Parquet or Arrow file with one visit per row.
pub fn import_columns(
    path: &Path,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    visits::import(TableFile::open(path)?, options, progress)
}

/// Reads such a file that lies in memory, under a name for error messages.
pub fn import_columns_from(
    name: &str,
    bytes: Vec<u8>,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    visits::import(TableFile::from_bytes(name, bytes)?, options, progress)
}

/// Reads batches in memory with one visit per row, under a name for error messages.
///
/// Their columns are read where they lie: nothing is copied but what becomes of the rows.
pub fn import_batches(
    name: &str,
    batches: Handed,
    rows: Option<u64>,
    options: &EventsOptions,
    progress: &dyn Progress,
) -> Result<Imported> {
    visits::import(
        TableFile::from_memory(name, batches, rows),
        options,
        progress,
    )
}

#[cfg(test)]
mod tests;
