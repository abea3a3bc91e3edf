//! What cleaning has done in a campaign, worked out again from its findings.
//!
//! A candidate of three locations or more is not asked about where a Markov chain expects too few clients to have it.
//! The collector counts those and does not list them. Which they are follows from what it has found about shorter ones;
//! so does which candidates there were, without those that only fill a question up.

use std::collections::HashMap;

use wayveil_evaluate::fragments::FragmentTruth;
use wayveil_federated::campaign::{Form, Parameters};
use wayveil_federated::collector::{Finding, Findings};

/// Candidates of three locations and more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cleaning {
    /// How many there were.
    pub(super) of: u64,
    /// How many of them were cleaned away.
    pub(super) removed: u64,
    /// How many of those at least k clients have.
    pub(super) wrongly: u64,
}

/// Fragments that longer ones may be made of, with their estimated numbers of clients.
type Kept = HashMap<Vec<u32>, f64>;

impl Cleaning {
    /// None where it does not come out as the collector has counted it, or where candidates were left out for being too
    /// many.
    pub(super) fn of(
        parameters: &Parameters,
        found: &Findings,
        truth: &FragmentTruth<'_>,
    ) -> Option<Self> {
        let known: HashMap<&[u32], &Finding> = (found.fragments.iter())
            .map(|finding| (finding.fragment.as_slice(), finding))
            .collect();
        let least = parameters.lambda * parameters.k as f64;
        let mut all = Self::default();
        let locations = (0..parameters.locations).map(|code| vec![code]).collect();
        let (mut middles, mut parts) = (None, kept(parameters, &known, locations));
        for length in 2..=parameters.length as usize {
            let mut candidates = Vec::new();
            let mut removed = 0;
            for (fragment, first, last) in joined(&parts) {
                let middle = middles
                    .as_ref()
                    .and_then(|kept: &Kept| kept.get(&fragment[1..length - 1]));
                if middle.is_some_and(|&middle| expected(first, last, middle) < least) {
                    removed += 1;
                    all.wrongly += u64::from(truth.support(&fragment).is_some());
                } else {
                    candidates.push(fragment);
                }
            }
            let extent = found.extents.iter().find(|extent| extent.length == length);
            let agrees = match extent {
                Some(extent) => extent.cleaned == removed && extent.left_out == 0,
                // Where nothing is left to be asked the collector ends, and counts nothing.
                None => candidates.is_empty(),
            };
            if !agrees {
                return None;
            }
            if length >= 3 {
                all.of += removed + candidates.len() as u64;
                all.removed += removed;
            }
            let longer = kept(parameters, &known, candidates);
            middles = Some(std::mem::replace(&mut parts, longer));
        }
        Some(all)
    }

    /// The share that was cleaned away.
    pub(super) fn ratio(&self) -> Option<f64> {
        (self.of > 0).then(|| self.removed as f64 / self.of as f64)
    }

    /// The share of what was cleaned away that fewer than k clients have.
    pub(super) fn accuracy(&self) -> Option<f64> {
        (self.removed > 0).then(|| 1.0 - self.wrongly as f64 / self.removed as f64)
    }
}

/// The candidates that the collector goes on with: as published the admitted, repaired also those that k lies at most a
/// standard error above.
fn kept(
    parameters: &Parameters,
    known: &HashMap<&[u32], &Finding>,
    candidates: Vec<Vec<u32>>,
) -> Kept {
    let keeps = |finding: &Finding| {
        let reach = finding.estimate + finding.standard_error;
        finding.admitted || parameters.form == Form::Repaired && reach >= parameters.k as f64
    };
    let estimate = |fragment: Vec<u32>| {
        let finding = known.get(fragment.as_slice())?;
        keeps(finding).then_some((fragment, finding.estimate))
    };
    candidates.into_iter().filter_map(estimate).collect()
}

/// All fragments whose first and last part are kept, with the estimates of both.
fn joined(parts: &Kept) -> impl Iterator<Item = (Vec<u32>, f64, f64)> + '_ {
    let mut starts: HashMap<&[u32], Vec<(u32, f64)>> = HashMap::new();
    for (fragment, &count) in parts {
        if let Some((&last, shared)) = fragment.split_last() {
            starts.entry(shared).or_default().push((last, count));
        }
    }
    parts.iter().flat_map(move |(first, &count)| {
        let ends = starts.get(&first[1..]).cloned().unwrap_or_default();
        ends.into_iter().map(move |(last, other)| {
            let fragment = first.iter().copied().chain([last]).collect();
            (fragment, count, other)
        })
    })
}

/// Equation 13 on estimates, which can lie below zero: a middle that does says nothing.
fn expected(first: f64, last: f64, middle: f64) -> f64 {
    match middle > 0.0 {
        true => first.max(0.0) * last.max(0.0) / middle,
        false => f64::INFINITY,
    }
}
