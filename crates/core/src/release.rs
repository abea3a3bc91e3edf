//! What may leave the house.
//!
//! A [`Release`] is made by [`crate::publish`] and by nothing else:
//! ```compile_fail,E0451
//! use wayveil_core::{Release, Sequences};
//! fn forge(trajectories: Sequences) -> Release {
//!     Release { trajectories, ..todo!() }
//! }
//! ```
//! ```compile_fail,E0624
//! use wayveil_core::{Output, Release};
//! fn forge(output: Output) -> Release {
//!     Release::new(output, todo!(), todo!(), todo!())
//! }
//! ```
//! Raw data does not turn into one:
//! ```compile_fail,E0277
//! use wayveil_core::{Dataset, Raw, Release};
//! fn forge(raw: Raw<Dataset>) -> Release {
//!     raw.into()
//! }
//! ```
//! Nor does anything that was only looked at:
//! ```compile_fail,E0277
//! use wayveil_core::{Internal, Release, Sequences};
//! fn forge(seen: Internal<Sequences>) -> Release {
//!     seen.into()
//! }
//! ```
//! A release made on a budget in memory does not become one that can be written:
//! ```compile_fail,E0277
//! use wayveil_core::{Booked, Release};
//! fn forge(trial: Release) -> Booked {
//!     trial.into()
//! }
//! ```
//! ```compile_fail,E0624
//! use wayveil_core::{Booked, Release};
//! fn forge(trial: Release) -> Booked {
//!     Booked::new(trial, Vec::new())
//! }
//! ```
//! Nor can one be read from a document:
//! ```compile_fail,E0277
//! let release: wayveil_core::Release = serde_json::from_str("{}").unwrap();
//! ```

use std::sync::Arc;

use crate::attribute::Attribute;
use crate::dataset::TimeAxis;
use crate::fragments::FragmentCounts;
use crate::manifest::{FileRecord, Manifest};
use crate::mechanism::{NoisyCounts, Output};
use crate::sequences::Sequences;
use crate::universe::Universe;

/// A release: trajectories, columns beside them, counts, fragments and manifest. There is no place in it for a
/// transcript.
#[derive(Debug)]
pub struct Release {
    trajectories: Sequences,
    attributes: Vec<Attribute>,
    counts: Option<NoisyCounts>,
    fragments: Option<FragmentCounts>,
    universe: Arc<Universe>,
    time: Option<TimeAxis>,
    manifest: Manifest,
}

impl Release {
    pub(crate) fn new(
        output: Output,
        universe: Arc<Universe>,
        time: Option<TimeAxis>,
        manifest: Manifest,
    ) -> Self {
        Self {
            trajectories: output.trajectories,
            attributes: output.attributes,
            counts: output.counts,
            fragments: output.fragments,
            universe,
            time,
            manifest,
        }
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

    /// The public set of locations.
    pub fn universe(&self) -> &Arc<Universe> {
        &self.universe
    }

    /// The public axis of time bins, in a timed release.
    pub fn time(&self) -> Option<&TimeAxis> {
        self.time.as_ref()
    }

    /// The manifest, not yet naming files.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The manifest, naming the files that a writer has made.
    pub fn manifest_with_files(&self, files: Vec<FileRecord>) -> Manifest {
        Manifest {
            files,
            ..self.manifest.clone()
        }
    }
}

/// A release whose spend is in the publisher's books: what can be written. Made by
/// [`crate::publish_booked`], [`crate::publish_counted`] and [`crate::publish_collected`], and by nothing else.
#[derive(Debug)]
pub struct Booked {
    release: Release,
    warnings: Vec<String>,
}

impl Booked {
    pub(crate) fn new(release: Release, warnings: Vec<String>) -> Self {
        Self { release, warnings }
    }

    /// The release itself.
    pub fn release(&self) -> &Release {
        &self.release
    }

    /// The entry of the books, which is also the manifest's id.
    pub fn entry(&self) -> &str {
        &self.release.manifest.id
    }

    /// What the books had to say about the spend.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
