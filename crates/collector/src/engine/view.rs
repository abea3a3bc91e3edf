//! What can be told of a campaign at one moment.

use std::sync::Arc;
use std::time::Duration;

use wayveil_federated::campaign::Slot;
use wayveil_federated::collector::{Collector, Findings, Round};

use crate::store::CampaignState;

/// A campaign at one moment, cheap to copy.
#[derive(Clone, Debug)]
pub struct View {
    /// What has become of it.
    pub state: CampaignState,
    /// The round that is open.
    pub open: Option<OpenRound>,
    /// The rounds that are over.
    pub past: Vec<ClosedRound>,
    /// What was found, once it is complete.
    pub findings: Option<Arc<Findings>>,
    /// What closed rounds say, for the operator's eyes; none after a failure, when counts are gone.
    pub closed_rounds: Option<Arc<Collector>>,
    /// Whether the store worked when it was last used.
    pub store_works: bool,
    /// What has become of the release.
    pub publication: Publication,
}

/// What has become of the release of what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Publication {
    /// It was not tried yet.
    Waiting,
    /// It is in its place.
    Done,
    /// It was tried in vain, and will be tried again: why, without the names of files.
    Failed(String),
}

impl View {
    /// Whether there is a release, as `waiting`, `yes` or `no`, and why not.
    pub(crate) fn published(&self) -> (&'static str, Option<&str>) {
        match (&self.state, &self.publication) {
            (CampaignState::Failed(why), _) => ("no", Some(why)),
            (_, Publication::Waiting) => ("waiting", None),
            (_, Publication::Done) => ("yes", None),
            (_, Publication::Failed(why)) => ("no", Some(why)),
        }
    }
}

/// The round that is open.
#[derive(Clone, Debug)]
pub struct OpenRound {
    /// Its questions.
    pub round: Arc<Round>,
    /// How long it has been open while the service ran.
    pub elapsed: Duration,
    /// How many answers were counted.
    pub answers: u64,
}

impl OpenRound {
    /// Its number.
    pub fn index(&self) -> u32 {
        self.round.index() as u32
    }
}

/// A round that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosedRound {
    /// Its number.
    pub index: u32,
    /// The length asked about, and the phase.
    pub slot: Slot,
    /// How many answers were counted.
    pub answers: u64,
}
