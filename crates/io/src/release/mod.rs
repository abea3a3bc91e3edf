//! A release as a folder that its recipient can open without Wayveil.
//!
//! | file | holds |
//! | --- | --- |
//! | `trajectories.parquet` | `locations`: list of labels; `bins` in timed releases; one column of text per released attribute, as the manifest names them. No ids |
//! | `locations.parquet` | `label`, `name`, `lat`, `lng`, `parent` |
//! | `counts.parquet` | `prefix`, `noisy_count`, `estimate`, `standard_error`, where released |
//! | `fragments.csv` | `fragment`, `count`, `length`, `standard_error`, `low`, `high`, where released; see [`crate::fragments`] |
//! | `report.html` | the release in words, maps and charts, where the publisher asked for it |
//! | `README.md` | for people |
//! | `manifest.json` | for programs: what it is, what it promises, hashes of the other files |
//!
//! [`write_release`] takes a [`wayveil_core::Booked`] release, which only the one door makes, after
//! the publisher's books were charged. Raw data is refused by the compiler:
//! ```compile_fail,E0308
//! use std::path::Path;
//! use wayveil_core::{Books, Dataset, Raw};
//! fn leak(raw: &Raw<Dataset>, books: &mut dyn Books) {
//!     let _ = wayveil_io::write_release(Path::new("out"), raw, None, books, false);
//! }
//! ```
//! So is what the publisher only looked at:
//! ```compile_fail,E0308
//! use std::path::Path;
//! use wayveil_core::{Books, Internal, Sequences};
//! fn leak(seen: &Internal<Sequences>, books: &mut dyn Books) {
//!     let _ = wayveil_io::write_release(Path::new("out"), seen, None, books, false);
//! }
//! ```
//! And so is what was tried out on a budget in memory:
//! ```compile_fail,E0308
//! use std::path::Path;
//! use wayveil_core::{Books, Release};
//! fn leak(trial: &Release, books: &mut dyn Books) {
//!     let _ = wayveil_io::write_release(Path::new("out"), trial, None, books, false);
//! }
//! ```
//! Nor can a page for recipients bring raw data along:
//! ```compile_fail,E0308
//! use std::path::Path;
//! use wayveil_core::{Booked, Books, Dataset};
//! fn leak(data: &Dataset, booked: &Booked, books: &mut dyn Books) {
//!     let page: wayveil_io::Page = |_| Ok(data.trips().len().to_string());
//!     let _ = wayveil_io::write_release(Path::new("out"), booked, Some(page), books, false);
//! }
//! ```

mod read;
mod readme;
mod tables;
mod write;

use std::sync::Arc;

use wayveil_core::{
    Attribute, FragmentCounts, Manifest, NoisyCounts, Released, Sequences, TimeAxis, Universe,
};

pub use read::{read_manifest, read_release, release_around};
pub use write::{Page, check_release_target, write_release};

const TRAJECTORIES: &str = "trajectories.parquet";
const LOCATIONS: &str = "locations.parquet";
const COUNTS: &str = "counts.parquet";
const FRAGMENTS: &str = "fragments.csv";
const REPORT: &str = "report.html";
const README: &str = "README.md";
/// The name of the manifest, by which a folder is known as a release.
pub(crate) const MANIFEST: &str = "manifest.json";

/// A release as read from its folder. Only [`read_release`] makes one.
#[derive(Debug)]
pub struct Published {
    manifest: Box<Manifest>,
    universe: Arc<Universe>,
    trajectories: Sequences,
    attributes: Vec<Attribute>,
    counts: Option<NoisyCounts>,
    fragments: Option<FragmentCounts>,
}

impl Published {
    /// What it is and what it promises.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The public set of locations.
    pub fn universe(&self) -> &Arc<Universe> {
        &self.universe
    }

    /// The public axis of time bins, in a timed release.
    pub fn time(&self) -> Option<&TimeAxis> {
        self.manifest.public_inputs.time.as_ref()
    }

    /// The released trajectories.
    pub fn trajectories(&self) -> &Sequences {
        &self.trajectories
    }

    /// The released columns beside the trajectories, where there are any.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The released counts, where there are any.
    pub fn counts(&self) -> Option<&NoisyCounts> {
        self.counts.as_ref()
    }

    /// The released fragments, where there are any.
    pub fn fragments(&self) -> Option<&FragmentCounts> {
        self.fragments.as_ref()
    }
}

impl Released for Published {
    fn manifest(&self) -> &Manifest {
        Published::manifest(self)
    }

    fn universe(&self) -> &Arc<Universe> {
        Published::universe(self)
    }

    fn time(&self) -> Option<&TimeAxis> {
        Published::time(self)
    }

    fn trajectories(&self) -> &Sequences {
        Published::trajectories(self)
    }

    fn attributes(&self) -> &[Attribute] {
        Published::attributes(self)
    }

    fn counts(&self) -> Option<&NoisyCounts> {
        Published::counts(self)
    }

    fn fragments(&self) -> Option<&FragmentCounts> {
        Published::fragments(self)
    }
}

#[cfg(test)]
mod tests;
