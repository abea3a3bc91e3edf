//! Campaigns that look for frequent fragments: FASTPub in its forms, and its two baselines.

use std::sync::{Mutex, PoisonError};

use wayveil_core::{Delta, Epsilon, RandomSource, Result, Sequences};
use wayveil_federated::baselines::sfp::Sfp;
use wayveil_federated::baselines::triehh::TrieHh;
use wayveil_federated::baselines::{Baseline, Found};
use wayveil_federated::campaign::{Campaign, Control, Form, Parameters};
use wayveil_federated::collector::{Finding, Findings};
use wayveil_federated::simulate::{Clients, Options, Supports, aggregated};

/// δ of TrieHH, which adds no noise and has no promise without it.
pub const DELTA: &str = "1e-9";

/// The share of the clients in each round, M in the paper about FASTPub.
pub const PUBLISHED_SHARE: f64 = 0.2;

/// What the clients are asked for: fragments of up to `length` locations that `k` clients have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The greatest length of a fragment.
    pub length: u32,
    /// How many clients have it, at least.
    pub k: u64,
}

/// People, some of whom share a trajectory, in places that are public.
#[derive(Clone, Copy, Debug)]
pub struct Population<'a> {
    /// The different trajectories.
    pub records: &'a Sequences,
    /// How many people have each of them.
    pub per_record: u64,
    /// How many places there are.
    pub locations: u32,
}

impl<'a> Population<'a> {
    /// All of them, to be asked.
    pub fn clients(&self) -> Clients<'a> {
        Clients {
            records: self.records,
            per_record: self.per_record,
        }
    }
}

/// A way to find fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// FASTPub as the paper prints it.
    AsPublished,
    /// Repaired, with a level for each candidate.
    PerCandidate,
    /// Repaired, with a level for all candidates of a length.
    FamilyWise,
    /// Repaired, with a level for the share of false ones.
    FalseDiscovery,
    /// Google's TrieHH as its paper prints it.
    TrieHhPublished,
    /// TrieHH with a promise that holds.
    TrieHh,
    /// Apple's SFP as its paper prints it.
    SfpPublished,
    /// SFP, as good as it can be made.
    Sfp,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::AsPublished,
        Self::PerCandidate,
        Self::FamilyWise,
        Self::FalseDiscovery,
        Self::TrieHhPublished,
        Self::TrieHh,
        Self::SfpPublished,
        Self::Sfp,
    ];

    /// Its name in tables and pictures.
    pub fn words(self) -> &'static str {
        match self {
            Self::SfpPublished => "SFP, as published",
            Self::Sfp => "SFP, improved",
            Self::TrieHhPublished => "TrieHH, as published",
            Self::TrieHh => "TrieHH, repaired",
            Self::AsPublished => "FASTPub, as published",
            Self::PerCandidate => "repaired, per candidate",
            Self::FamilyWise => "repaired, family-wise",
            Self::FalseDiscovery => "repaired, false discovery",
        }
    }

    /// Whether it is FASTPub in any form.
    pub fn is_fastpub(self) -> bool {
        !self.is_sfp() && !matches!(self, Self::TrieHhPublished | Self::TrieHh)
    }

    /// Whether nothing that clients send depends on k, so that one run serves every k.
    pub fn serves_every_k(self) -> bool {
        self.is_sfp() || self == Self::TrieHhPublished
    }

    /// Whether it finds fragments of one length only.
    pub fn is_sfp(self) -> bool {
        matches!(self, Self::SfpPublished | Self::Sfp)
    }
}

/// SFP is asked for what has this many times fewer clients than the smallest k.
const BELOW: u64 = 4;

/// What came of a campaign.
pub struct Published {
    /// What was asked for.
    pub setting: Setting,
    /// What is published.
    pub released: Counted,
    /// What queries are answered from, where that is more than what is released.
    pub answers: Option<Counted>,
    /// What was sent.
    pub sent: Sent,
}

/// Fragments with counts.
#[derive(Clone)]
pub struct Counted {
    /// The fragments.
    pub fragments: Sequences,
    /// How many clients have each of them, as far as is known.
    pub counts: Vec<u64>,
}

impl Counted {
    fn of<'a>(all: impl Iterator<Item = (&'a [u32], f64)>) -> Self {
        let (fragments, counts): (Vec<_>, Vec<_>) = all
            .map(|(fragment, count)| (fragment, count.round().max(0.0) as u64))
            .unzip();
        Self {
            fragments: Sequences::from_codes(fragments),
            counts,
        }
    }
}

/// What one answer needs, on average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sent {
    /// Information in the answer.
    pub bits_up: f64,
    /// Information in the question.
    pub bits_down: f64,
    /// The most in any one message; none where it is not known.
    pub most: Option<(f64, f64)>,
    /// On the wire; none for what has no messages here.
    pub bytes: Option<(f64, f64)>,
}

/// True supports, kept from one campaign to the next; as many as campaigns run at once.
pub struct Pool<'a> {
    clients: Clients<'a>,
    free: Mutex<Vec<Supports<'a>>>,
}

impl<'a> Pool<'a> {
    /// None are known yet.
    pub fn new(clients: Clients<'a>) -> Self {
        Self {
            clients,
            free: Mutex::default(),
        }
    }

    fn with<R>(&self, run: impl FnOnce(&mut Supports<'a>) -> R) -> R {
        let lock = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = lock().pop();
        let mut supports = free.unwrap_or_else(|| Supports::new(self.clients));
        let result = run(&mut supports);
        lock().push(supports);
        result
    }
}

/// The parameters of a form of FASTPub.
pub fn parameters(
    method: Method,
    data: &Population<'_>,
    setting: Setting,
    epsilon: &Epsilon,
) -> Parameters {
    let new = match method {
        Method::AsPublished => Parameters::as_published,
        _ => Parameters::repaired,
    };
    let mut parameters = new(
        data.locations,
        setting.length,
        data.clients().len(),
        setting.k,
        epsilon.clone(),
    );
    parameters.control = match method {
        Method::FamilyWise => Control::FamilyWise,
        Method::FalseDiscovery => Control::FalseDiscovery,
        _ => Control::PerCandidate,
    };
    parameters
}

/// Runs a form of FASTPub by drawing numbers of clients.
pub fn fastpub(
    parameters: Parameters,
    pool: &Pool<'_>,
    random: &mut RandomSource,
) -> Result<Findings> {
    let campaign = Campaign::new(parameters)?;
    pool.with(|supports| aggregated(campaign, supports, &Options::default(), random))
}

/// What a campaign releases. As published only the longest are, but the paper answers queries with
/// the shorter ones that were admitted on the way; so these count as released.
pub fn of_findings(form: Form, setting: Setting, found: &Findings) -> Published {
    let known = |finding: &&Finding| match form {
        Form::AsPublished => finding.admitted,
        Form::Repaired => finding.released,
    };
    let counted = found.fragments.iter().filter(known).map(|finding| {
        let count = match form {
            Form::AsPublished => finding.estimate,
            Form::Repaired => finding.count.map_or(finding.estimate, |count| count as f64),
        };
        (finding.fragment.as_slice(), count)
    });
    let traffic = &found.traffic;
    let each = |total: f64| total / traffic.clients.max(1) as f64;
    Published {
        setting,
        released: Counted::of(counted),
        answers: None,
        sent: Sent {
            bits_up: each(traffic.answer_bits),
            bits_down: each(traffic.question_bits),
            most: Some((traffic.most_answer_bits, traffic.most_question_bits)),
            bytes: Some((
                each(traffic.answer_bytes as f64),
                each(traffic.question_bytes as f64),
            )),
        },
    }
}

/// Runs TrieHH for settings of one length. As published nothing depends on k, so that one run answers
/// every k; repaired the samples do, and there is one setting.
pub fn triehh(
    method: Method,
    data: &Population<'_>,
    settings: &[Setting],
    epsilon: &Epsilon,
    random: &mut RandomSource,
) -> Result<Vec<Published>> {
    let Some(first) = settings.first() else {
        return Ok(Vec::new());
    };
    let delta: Delta = DELTA.parse()?;
    let (locations, rounds) = (data.locations, first.length as usize);
    let trie = match method {
        Method::TrieHhPublished => {
            TrieHh::published(locations, rounds, data.clients().len(), epsilon, &delta)
        }
        _ => TrieHh::repaired(locations, rounds, first.k, epsilon, &delta),
    }?;
    let found = trie.find(data.records, data.per_record, least(settings), random)?;
    Ok(settings
        .iter()
        .map(|&setting| cut(&found, setting))
        .collect())
}

/// Runs TrieHH as the paper about FASTPub does: with a share of the clients in each round, whatever ε that leaves.
pub fn triehh_of_share(
    data: &Population<'_>,
    settings: &[Setting],
    share: f64,
    random: &mut RandomSource,
) -> Result<Vec<Published>> {
    let Some(first) = settings.first() else {
        return Ok(Vec::new());
    };
    let rounds = first.length as usize;
    let trie = trie_of_share(data.locations, rounds, data.clients().len(), share)?;
    let found = trie.find(data.records, data.per_record, least(settings), random)?;
    Ok(settings
        .iter()
        .map(|&setting| cut(&found, setting))
        .collect())
}

/// The smallest k.
fn least(settings: &[Setting]) -> u64 {
    settings.iter().map(|setting| setting.k).min().unwrap_or(1)
}

/// θ is the least that δ asks for. The size of the samples follows from ε and the number of clients, and nothing else
/// does from the latter: so it is said to have as many as make the samples those that are asked for.
fn trie_of_share(locations: u32, rounds: usize, clients: u64, share: f64) -> Result<TrieHh> {
    let (epsilon, delta): (Epsilon, Delta) = ("1".parse()?, DELTA.parse()?);
    let with = |clients: u64| TrieHh::published(locations, rounds, clients, &epsilon, &delta);
    let many = 1 << 40;
    let rate = with(many)?.sampling().rate(many);
    with(((clients as f64 * share + 0.5) / rate) as u64)
}

/// Runs SFP for one length. The reports do not depend on k, so that one run answers every k: it is
/// asked for less than the smallest, and its list is cut. Queries are answered from the whole list, as
/// the paper's authors let SFP answer any query of its length.
pub fn sfp(
    method: Method,
    data: &Population<'_>,
    settings: &[Setting],
    epsilon: &Epsilon,
    random: &mut RandomSource,
) -> Result<Vec<Published>> {
    let Some(first) = settings.first() else {
        return Ok(Vec::new());
    };
    let lengths = [first.length as usize];
    let sfp = match method {
        Method::SfpPublished => Sfp::published(data.locations, &lengths, epsilon),
        _ => Sfp::improved(data.locations, &lengths, epsilon),
    }?;
    let least = (least(settings) / BELOW).max(1);
    let found = sfp.find(data.records, data.per_record, least, random)?;
    let answers = Counted::of(estimates(&found, 0));
    let with_answers = |&setting: &Setting| Published {
        answers: Some(answers.clone()),
        ..cut(&found, setting)
    };
    Ok(settings.iter().map(with_answers).collect())
}

/// Runs SFP with a share of the clients, the same of each record's, whose counts stand for those of all.
pub fn sfp_of_share(
    method: Method,
    data: &Population<'_>,
    settings: &[Setting],
    share: f64,
    epsilon: &Epsilon,
    random: &mut RandomSource,
) -> Result<Vec<Published>> {
    let asked = ((data.per_record as f64 * share).round() as u64).max(1);
    let share = asked as f64 / data.per_record as f64;
    let of_share = |count: u64| (count as f64 * share).ceil() as u64;
    let to_all = |counted: Counted| Counted {
        counts: counted
            .counts
            .iter()
            .map(|&count| (count as f64 / share).round() as u64)
            .collect(),
        ..counted
    };
    let some = Population {
        per_record: asked,
        ..*data
    };
    let lower = |&setting: &Setting| Setting {
        k: of_share(setting.k),
        ..setting
    };
    let lower: Vec<Setting> = settings.iter().map(lower).collect();
    let found = sfp(method, &some, &lower, epsilon, random)?;
    let to_all = |(found, &setting): (Published, &Setting)| Published {
        setting,
        released: to_all(found.released),
        answers: found.answers.map(to_all),
        sent: found.sent,
    };
    Ok(found.into_iter().zip(settings).map(to_all).collect())
}

/// What a baseline found with at least k clients.
fn cut(found: &Found, setting: Setting) -> Published {
    let (bits_up, bits_down) = found.traffic.per_answer();
    Published {
        setting,
        released: Counted::of(estimates(found, setting.k)),
        answers: None,
        sent: Sent {
            bits_up,
            bits_down,
            ..Sent::default()
        },
    }
}

fn estimates(found: &Found, k: u64) -> impl Iterator<Item = (&[u32], f64)> {
    let all = found.fragments.iter().zip(found.count.iter().copied());
    all.filter(move |(_, count)| *count >= k as f64)
}

#[cfg(test)]
mod tests {
    use wayveil_federated::baselines::triehh::Sampling;

    use super::*;

    #[test]
    fn triehh_has_the_samples_that_are_asked_for() {
        for (clients, share, size) in [
            (47_000_000, 0.2, 9_400_000),
            (47_000_000, 0.05, 2_350_000),
            (1_000, 0.1, 100),
        ] {
            for rounds in [3, 5] {
                let trie = trie_of_share(17, rounds, clients, share).unwrap();
                assert_eq!(trie.sampling(), Sampling::Fixed(size));
                // 11 / (10 · 13!) is below 1e-9, 10 / (9 · 12!) is not: a note of the paper's entries has this number.
                assert_eq!(trie.threshold(), 13);
            }
        }
    }
}
