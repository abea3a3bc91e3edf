//! A campaign as its pages are told of it: numbers for everybody, fragments for the operator alone.

use wayveil_core::Universe;

/// How a campaign stands, as far as everybody may know: there is no place for a fragment in it.
#[derive(Clone, Debug)]
pub struct CampaignFacts {
    /// Its name, for people.
    pub name: String,
    /// Its number.
    pub number: String,
    /// What changes whenever something else than a number of the open round does.
    pub revision: String,
    /// What is asked of whom.
    pub asked: AskedFacts,
    /// The rounds of the schedule, in order.
    pub rounds: Vec<RoundRow>,
    /// What has become of it.
    pub standing: CampaignStanding,
    /// The round that is open.
    pub open: Option<OpenFacts>,
    /// How many fragments were found, once it is complete.
    pub found: Option<u64>,
    /// What has become of the release of what was found.
    pub release: ReleaseStanding,
    /// Whether answers can be kept at the moment.
    pub store_works: bool,
}

/// The public terms of a campaign.
#[derive(Clone, Debug)]
pub struct AskedFacts {
    /// People who were asked to take part.
    pub clients: u64,
    /// So many must share a fragment.
    pub k: u64,
    /// The greatest length of a fragment.
    pub length: u32,
    /// ε of one client, as given.
    pub epsilon: String,
    /// The same as a number.
    pub epsilon_value: f64,
    /// The level of false admissions.
    pub xi: f64,
    /// Over what that level is promised, in words.
    pub control: &'static str,
    /// The most fragments in one question.
    pub per_client: u32,
    /// Public locations.
    pub locations: u64,
    /// Whether one needs a token to answer.
    pub tokens: bool,
}

/// When a round closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundFacts {
    /// Seconds that a round is open at most.
    pub open_for: u64,
    /// With fewer answers the campaign fails.
    pub quorum: u64,
    /// With so many a round closes early.
    pub enough: Option<u64>,
}

/// One round of the schedule.
#[derive(Clone, Copy, Debug)]
pub struct RoundRow {
    /// Its number, from 0.
    pub index: u32,
    /// The length asked about.
    pub length: u32,
    /// The phase of that length, from 0.
    pub phase: u32,
    /// How many clients are expected in it.
    pub expected: u64,
    /// How many answered, once it has begun.
    pub answers: Option<u64>,
    /// When it closes.
    pub rule: RoundFacts,
}

/// The round that is open.
#[derive(Clone, Copy, Debug)]
pub struct OpenFacts {
    /// Its number, from 0.
    pub index: u32,
    /// Answers so far.
    pub answers: u64,
    /// Seconds until its time is over.
    pub closes_in: u64,
}

/// What has become of a campaign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CampaignStanding {
    /// A round is open.
    Running,
    /// Nothing is left to ask.
    Complete,
    /// It ended without a result, and why.
    Failed(String),
}

/// What has become of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReleaseStanding {
    /// It was not tried yet.
    Waiting,
    /// It is in its place.
    Published,
    /// It was tried in vain, and why.
    NotPublished(String),
}

/// What the operator sees besides.
#[derive(Clone, Debug)]
pub struct OperatorFacts<'a> {
    /// The public set of locations.
    pub universe: &'a Universe,
    /// What is known of fragments; none after a failure, when counts are gone.
    pub fragments: Option<&'a FragmentsFacts>,
    /// Requests by outcome since the start.
    pub outcomes: Vec<(&'static str, u64)>,
    /// Milliseconds since the start.
    pub uptime: u64,
}

/// What is known of fragments after the closed rounds.
#[derive(Clone, Debug, Default)]
pub struct FragmentsFacts {
    /// By length: what was asked about.
    pub lengths: Vec<LengthFacts>,
    /// Those that survive, the most important first; not more than a page can show.
    pub survivors: Vec<FragmentFacts>,
    /// How many survive in all.
    pub all: u64,
}

/// What became of the candidates of one length.
#[derive(Clone, Copy, Debug, Default)]
pub struct LengthFacts {
    /// The length.
    pub length: u32,
    /// Candidates asked about.
    pub candidates: u64,
    /// Not asked about, since too few people are expected to have them.
    pub cleaned: u64,
    /// Not asked about, since there were too many.
    pub left_out: u64,
    /// Admitted so far.
    pub admitted: u64,
    /// Asked about in the open round, and not admitted.
    pub asked_now: u64,
}

/// One fragment that survives.
#[derive(Clone, Debug)]
pub struct FragmentFacts {
    /// Its locations.
    pub codes: Vec<u32>,
    /// The estimated number of people who have it.
    pub estimate: f64,
    /// Between which numbers of people it lies.
    pub range: (u64, u64),
    /// Answers about it.
    pub answers: u64,
    /// Whether it is admitted; else the open round asks about it.
    pub admitted: bool,
}

impl FragmentFacts {
    /// The estimate as a number of people.
    pub(super) fn people(&self) -> u64 {
        self.estimate.max(0.0).round() as u64
    }
}

impl CampaignFacts {
    /// The rule of rounds, if all have the same.
    pub(super) fn common_rule(&self) -> Option<RoundFacts> {
        let first = self.rounds.first()?.rule;
        let same = self.rounds.iter().all(|row| row.rule == first);
        same.then_some(first)
    }
}
