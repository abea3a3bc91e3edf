//! Published timetables (GTFS): a folder or a zip archive of tables.
//!
//! A feed is public and makes good public inputs: the universe of stops or stations
//! ([`read_feed_universe`]), the lines that group them, and the days of service
//! ([`Feed::service`]). Tables are read as streams, also out of an archive; nothing is unpacked to
//! disk.

mod agency;
mod archive;
mod ids;
pub(crate) mod lines;
mod service;
mod sheet;
mod stops;
mod universe;
mod unpack;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use wayveil_core::{Error, Result};

use crate::input::{Input, open_file};
use archive::Archive;
pub(crate) use ids::{Ids, unknown};
pub use service::{Service, ServiceTime};
pub(crate) use sheet::Sheet;
pub use universe::{FeedLocations, FeedUniverse, Level, StopLabel, read_feed_universe};

pub(crate) const AGENCY: &str = "agency.txt";
pub(crate) const CALENDAR: &str = "calendar.txt";
pub(crate) const CALENDAR_DATES: &str = "calendar_dates.txt";
pub(crate) const FEED_INFO: &str = "feed_info.txt";
pub(crate) const ROUTES: &str = "routes.txt";
pub(crate) const STOPS: &str = "stops.txt";
pub(crate) const STOP_TIMES: &str = "stop_times.txt";
pub(crate) const TRIPS: &str = "trips.txt";

/// A GTFS feed that was found and looked into, but not read yet.
pub struct Feed {
    /// The feed as the user named it.
    name: String,
    source: Source,
}

enum Source {
    Folder(PathBuf),
    Archive(Archive),
}

impl Feed {
    /// Opens a folder or a zip archive; an archive is known by its content, not by its name.
    ///
    /// In an archive the tables may lie in a folder; it is the one that holds `stops.txt`.
    pub fn open(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let source = if path.is_dir() {
            Source::Folder(path.to_owned())
        } else if !path.exists() {
            return Err(Error::input("there is no such folder or archive")
                .in_file(name)
                .hint("check the path; it is taken relative to the current folder"));
        } else if begins_as_zip(path)? {
            Source::Archive(Archive::open(path)?)
        } else {
            return Err(
                Error::input("this is a file, and neither a folder nor a zip archive")
                    .in_file(name)
                    .hint("give the folder or the zip archive of a GTFS feed"),
            );
        };
        Ok(Self { name, source })
    }

    /// Whether this is a folder, or a file that begins as zip archives do.
    pub fn is_here(path: &Path) -> Result<bool> {
        Ok(path.is_dir() || begins_as_zip(path)?)
    }

    /// What error messages call one of its files.
    pub(crate) fn file_name(&self, file: &str) -> String {
        match &self.source {
            Source::Folder(folder) => folder.join(file).display().to_string(),
            Source::Archive(archive) => archive.file_name(file),
        }
    }

    /// Whether the feed has a file.
    pub(crate) fn has(&self, file: &str) -> bool {
        match &self.source {
            Source::Folder(folder) => folder.join(file).exists(),
            Source::Archive(archive) => archive.has(file),
        }
    }

    /// Begins to read one of the tables; none where the feed does not have it.
    pub(crate) fn open_sheet(&self, file: &str) -> Result<Option<Sheet>> {
        if !self.has(file) {
            return Ok(None);
        }
        let input = match &self.source {
            Source::Folder(folder) => Input::open(&folder.join(file))?,
            Source::Archive(archive) => archive.open_file(file)?,
        };
        Sheet::open(input).map(Some)
    }

    /// Begins to read a table that the feed must have.
    pub(crate) fn need_sheet(&self, file: &str, hint: &str) -> Result<Sheet> {
        self.open_sheet(file)?
            .ok_or_else(|| self.missing(file, hint))
    }

    /// The error for a file that is not there.
    pub(crate) fn missing(&self, file: &str, hint: &str) -> Error {
        let error = Error::input(format!("the feed has no {file}")).in_file(&self.name);
        let nested = match &self.source {
            Source::Folder(_) => None,
            Source::Archive(archive) => archive.nested_archive(),
        };
        match nested {
            Some(inner) => error.hint(format!(
                "the archive holds another archive, {inner:?}; unpack that one and give it"
            )),
            None => error.hint(hint),
        }
    }
}

/// Looks at a file's first bytes. Too short a file is no archive.
fn begins_as_zip(path: &Path) -> Result<bool> {
    let mut start = Vec::with_capacity(4);
    let file: File = open_file(path)?;
    file.take(4)
        .read_to_end(&mut start)
        .map_err(|cause| crate::input::cannot_read(&path.display().to_string(), &cause))?;
    Ok(archive::is_start(&start))
}

#[cfg(test)]
mod tests;
