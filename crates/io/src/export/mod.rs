//! Writes trajectories in formats that other programs read.
//!
//! | format | what it is | needs |
//! | --- | --- | --- |
//! | CSV | one visit per row | – |
//! | GeoJSON (RFC 7946) | one line per trajectory, or one point per location | coordinates |
//! | MF-JSON (OGC 19-045r3, Prism) | one moving point per trajectory | coordinates, bins with a clock |
//!
//! Each is written feature by feature, so that memory does not grow with the number of
//! trajectories, and appears under its name when it is complete. A raw export says inside that it
//! is raw, where the format has room for that.

mod antimeridian;
mod csv;
mod features;
mod geojson;
mod mfjson;

#[cfg(test)]
mod tests;

use std::path::Path;

use wayveil_core::{
    Attribute, Dataset, Error, NonPrivate, Owners, Raw, Result, Sequences, TimeAxis, Universe,
};

pub use csv::{export_published_csv, export_raw_csv};
pub use geojson::GeoJson;
pub use mfjson::MovingFeatures;

use crate::output::{cannot_write, write_file};
use crate::release::Published;

/// How many locations a message names.
const NAMED: usize = 3;

/// Exports raw data as GeoJSON, for the publisher.
pub fn export_raw_geojson(
    path: &Path,
    raw: &Raw<Dataset>,
    what: GeoJson,
    overwrite: bool,
) -> Result<()> {
    let because = NonPrivate::because("the publisher converts their own data to GeoJSON");
    raw.inspect(because, |data| {
        write_geojson(path, &View::of_raw(data), what, overwrite)
    })
    .for_publisher_only()
}

/// Exports a release as GeoJSON.
pub fn export_published_geojson(
    path: &Path,
    release: &Published,
    what: GeoJson,
    overwrite: bool,
) -> Result<()> {
    write_geojson(path, &View::of_release(release), what, overwrite)
}

/// Exports raw data as MF-JSON, for the publisher.
pub fn export_raw_mfjson(
    path: &Path,
    raw: &Raw<Dataset>,
    overwrite: bool,
) -> Result<MovingFeatures> {
    let because = NonPrivate::because("the publisher converts their own data to MF-JSON");
    raw.inspect(because, |data| {
        write_mfjson(path, &View::of_raw(data), overwrite)
    })
    .for_publisher_only()
}

/// Exports a release as MF-JSON.
pub fn export_published_mfjson(
    path: &Path,
    release: &Published,
    overwrite: bool,
) -> Result<MovingFeatures> {
    write_mfjson(path, &View::of_release(release), overwrite)
}

fn write_geojson(path: &Path, view: &View<'_>, what: GeoJson, overwrite: bool) -> Result<()> {
    let document = geojson::Document::new(view, what)?;
    write_file(path, overwrite, |out| {
        document
            .write(out)
            .map_err(|cause| cannot_write(path, cause))
    })
}

fn write_mfjson(path: &Path, view: &View<'_>, overwrite: bool) -> Result<MovingFeatures> {
    let document = mfjson::Document::new(view)?;
    write_file(path, overwrite, |out| {
        document
            .write(out)
            .map_err(|cause| cannot_write(path, cause))
    })
}

/// What there is to export, of raw data or of a release.
struct View<'a> {
    universe: &'a Universe,
    time: Option<&'a TimeAxis>,
    sequences: &'a Sequences,
    owners: &'a Owners,
    attributes: &'a [Attribute],
    /// What must be said inside the file, where it must not be given away.
    note: Option<String>,
}

impl<'a> View<'a> {
    fn of_raw(data: &'a Dataset) -> Self {
        Self {
            universe: data.universe(),
            time: data.time(),
            sequences: data.trips(),
            owners: data.owners(),
            attributes: data.attributes(),
            note: Some("raw data: not for publication".into()),
        }
    }

    fn of_release(release: &'a Published) -> Self {
        let reason = release.manifest().not_publishable_because.as_ref();
        Self {
            universe: release.universe(),
            time: release.time(),
            sequences: release.trajectories(),
            owners: &Owners::EachRecord,
            attributes: release.attributes(),
            note: reason.map(|reason| format!("this release must not be published: {reason}")),
        }
    }

    /// How often each location is visited, by code.
    fn visits(&self) -> Vec<u64> {
        let mut visits = vec![0; self.universe.len()];
        for &code in self.sequences.codes() {
            visits[code as usize] += 1;
        }
        visits
    }

    /// Refuses visits to locations whose place on earth is not known.
    fn check_coordinates(&self) -> Result<()> {
        let mut lacking = Vec::new();
        for (location, visits) in self.universe.locations().iter().zip(self.visits()) {
            if visits > 0 && location.at.is_none() {
                lacking.push(location.label.as_str());
            }
        }
        match lacking.len() {
            0 => Ok(()),
            all => Err(no_coordinates(&lacking[..all.min(NAMED)], all)),
        }
    }
}

fn no_coordinates(first: &[&str], all: usize) -> Error {
    let named: Vec<String> = first.iter().map(|label| format!("{label:?}")).collect();
    let more = if all > first.len() {
        format!(" and {} more", all - first.len())
    } else {
        String::new()
    };
    let what = if all == 1 { "location" } else { "locations" };
    Error::input(format!(
        "{all} {what} without coordinates ({}{more}): this format needs a universe with \
         coordinates",
        named.join(", ")
    ))
    .hint(
        "import the data again with --universe FILE.csv, a table with the columns label, lat and \
         lng; the stops of a GTFS feed have them",
    )
}
