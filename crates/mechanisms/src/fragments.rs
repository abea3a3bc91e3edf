//! What the methods that release fragments have in common: some parameters, the order of fragments,
//! and trajectories drawn from them.

use std::cmp::Reverse;

use wayveil_core::{
    Epsilon, Error, FragmentCounts, Progress, PublicInputs, RandomSource, Rational, Records,
    Result, Sequences,
};
use wayveil_federated::campaign::MAX_LENGTH;
use wayveil_federated::synthesis::{Public, synthesise};

use crate::parameters::{Parameter, Parameters};

/// The most clients that a record may stand for.
const MOST_CLIENTS: u64 = 1_000_000_000;
/// The longest trajectory that is drawn.
const LONGEST: u64 = 10_000;
/// The largest k.
const MOST_K: u64 = 1 << 53;

/// What each of these methods is told; all of it public.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The budget of one client for the whole campaign.
    pub epsilon: Epsilon,
    /// A fragment may be published if at least so many clients have it.
    pub k: u64,
    /// The greatest length of a fragment.
    pub length: u32,
    /// How many clients a record stands for.
    pub clients_per_record: u64,
    /// The greatest length of a drawn trajectory.
    pub longest: usize,
}

impl Asked {
    pub(crate) const EPSILON: Parameter = Parameter {
        name: "epsilon",
        value: "E",
        help: "Privacy budget of one client for the whole campaign, above 0; smaller is more private",
        default: None,
        example: "2",
    };
    pub(crate) const K: Parameter = Parameter {
        name: "k",
        value: "K",
        help: "Publish fragments that at least so many clients have",
        default: None,
        example: "1",
    };
    pub(crate) const LENGTH: Parameter = Parameter {
        name: "length",
        value: "L",
        help: "The greatest length of a fragment",
        default: Some("3"),
        example: "2",
    };
    pub(crate) const CLIENTS_PER_RECORD: Parameter = Parameter {
        name: "clients-per-record",
        value: "R",
        help: "How many clients each record stands for; above 1 a record's epsilon is R times a \
               client's",
        default: Some("1"),
        example: "1",
    };
    pub(crate) const LONGEST: Parameter = Parameter {
        name: "longest",
        value: "N",
        help: "The greatest length of a trajectory that is drawn from the fragments",
        default: Some("64"),
        example: "12",
    };

    pub(crate) fn read(parameters: &Parameters) -> Result<Self> {
        let length = parameters.whole("length", 1..=MAX_LENGTH.into())?;
        Ok(Self {
            epsilon: parameters.read("epsilon")?,
            k: parameters.whole("k", 1..=MOST_K)?,
            length: u32::try_from(length).unwrap_or(MAX_LENGTH),
            clients_per_record: parameters.whole("clients-per-record", 1..=MOST_CLIENTS)?,
            longest: parameters.whole("longest", 1..=LONGEST)? as usize,
        })
    }

    /// What a record may lose where its clients' budgets add up.
    pub(crate) fn record_epsilon(&self) -> Result<Epsilon> {
        let clients = Rational::new(self.clients_per_record, 1)?;
        Epsilon::new(self.epsilon.value().times(&clients)).map_err(|error| {
            match self.clients_per_record {
                1 => error,
                clients => Error::input(format!(
                    "{clients} clients for each record with epsilon {} each are no promise that can be \
                     stated for a record",
                    self.epsilon
                ))
                .hint("give a smaller --clients-per-record, or --engine numbers for experiments"),
            }
        })
    }

    /// How many clients the records stand for.
    pub(crate) fn clients(&self, records: &Records<'_>) -> u64 {
        (records.sequences.len() as u64).saturating_mul(self.clients_per_record)
    }

    /// Whether there are enough clients for any fragment; warns where there are not.
    pub(crate) fn enough(&self, clients: u64, progress: &dyn Progress) -> bool {
        if clients < self.k {
            progress.warn(&format!(
                "nothing can be published: there are {clients} clients, fewer than k = {}",
                self.k
            ));
        }
        clients >= self.k
    }

    /// What a recipient of any of these releases must not expect.
    pub(crate) fn limits(&self, public: &PublicInputs<'_>) -> Vec<String> {
        let mut limits = vec![format!(
            "Trajectories are drawn from the fragments, and have at most {} visits.",
            self.longest
        )];
        if self.clients_per_record > 1 {
            limits.push(format!(
                "Counts are of simulated clients, of which each record stands for {}.",
                self.clients_per_record
            ));
        }
        if public.time.is_some() {
            limits.push("Times are left out: every bin is the first.".into());
        }
        limits
    }

    /// On what the promise for a record rests that stands for several clients.
    pub(crate) fn about_records(&self) -> Option<String> {
        (self.clients_per_record > 1).then(|| {
            format!(
                "Each record stands for {} simulated clients with epsilon {} each; what is stated is \
                 for the record.",
                self.clients_per_record, self.epsilon
            )
        })
    }
}

/// The size of the universe.
pub(crate) fn locations(public: &PublicInputs<'_>) -> u32 {
    u32::try_from(public.universe.len()).unwrap_or(u32::MAX)
}

/// A fragment, its count, standard error and interval.
pub(crate) type Row<'a> = (&'a [u32], u64, f64, u64, u64);

/// Released fragments in their order. An interval that does not hold its count, which was made to
/// agree with other counts, is widened to it.
pub(crate) fn from_rows(mut rows: Vec<Row<'_>>) -> FragmentCounts {
    rows.sort_by_key(|&(codes, count, ..)| (codes.len(), Reverse(count), codes));
    let mut all = FragmentCounts::empty();
    for (codes, count, error, low, high) in rows {
        all.fragments.push(codes, &[]);
        all.count.push(count);
        all.standard_error.push(error);
        all.low.push(low.min(count));
        all.high.push(high.max(count));
    }
    all
}

/// As many trajectories as there are records, drawn from released fragments of so many clients; in
/// canonical order. In a timed release every bin is the first.
pub(crate) fn trajectories(
    fragments: &FragmentCounts,
    clients: u64,
    records: &Records<'_>,
    longest: usize,
    random: &mut RandomSource,
) -> Result<Sequences> {
    let number = records.sequences.len();
    so_many_trajectories(number, fragments, clients, &records.public, longest, random)
}

/// The same for a number that is public.
pub(crate) fn so_many_trajectories(
    number: usize,
    fragments: &FragmentCounts,
    clients: u64,
    inputs: &PublicInputs<'_>,
    longest: usize,
    random: &mut RandomSource,
) -> Result<Sequences> {
    let public = Public {
        clients,
        records: number,
        locations: inputs.universe.len(),
        longest,
    };
    let drawn = synthesise(&fragments.fragments, &fragments.count, &public, random)?;
    let mut order: Vec<&[u32]> = drawn.iter().collect();
    order.sort_unstable();
    let mut all = Sequences::empty(inputs.time.is_some());
    for codes in order {
        let bins = match all.is_timed() {
            true => vec![0; codes.len()],
            false => Vec::new(),
        };
        all.push(codes, &bins);
    }
    Ok(all)
}
