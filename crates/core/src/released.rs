//! What a release shows, wherever it is: in memory or read from its folder.

use std::sync::Arc;

use crate::attribute::Attribute;
use crate::dataset::TimeAxis;
use crate::fragments::FragmentCounts;
use crate::manifest::Manifest;
use crate::mechanism::NoisyCounts;
use crate::release::Release;
use crate::sequences::Sequences;
use crate::universe::Universe;

/// The parts of a release, all of them public. Pages for recipients are made of this alone.
///
/// Only a [`Release`] and what is read from a release's folder may be one: raw data behind this trait
/// would reach recipients.
pub trait Released {
    /// What it is and what it promises; names files only where it was read from its folder.
    fn manifest(&self) -> &Manifest;
    /// The public set of locations.
    fn universe(&self) -> &Arc<Universe>;
    /// The public axis of time bins, in a timed release.
    fn time(&self) -> Option<&TimeAxis>;
    /// The released trajectories.
    fn trajectories(&self) -> &Sequences;
    /// The released columns beside the trajectories, where there are any.
    fn attributes(&self) -> &[Attribute];
    /// The released counts, where there are any.
    fn counts(&self) -> Option<&NoisyCounts>;
    /// The released fragments, where there are any.
    fn fragments(&self) -> Option<&FragmentCounts>;
}

impl Released for Release {
    fn manifest(&self) -> &Manifest {
        Release::manifest(self)
    }

    fn universe(&self) -> &Arc<Universe> {
        Release::universe(self)
    }

    fn time(&self) -> Option<&TimeAxis> {
        Release::time(self)
    }

    fn trajectories(&self) -> &Sequences {
        Release::trajectories(self)
    }

    fn attributes(&self) -> &[Attribute] {
        Release::attributes(self)
    }

    fn counts(&self) -> Option<&NoisyCounts> {
        Release::counts(self)
    }

    fn fragments(&self) -> Option<&FragmentCounts> {
        Release::fragments(self)
    }
}
