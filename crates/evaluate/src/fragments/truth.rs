//! What is true: every fragment that enough clients hold.

use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result, Sequences, Silent};

use super::answers::Answers;
use super::report::{FragmentReport, Tally};
use crate::mine::contiguous;
use crate::query::Fragments;

/// The fragments of 1 to `longest` locations that at least k clients hold, with their supports.
#[derive(Clone, Debug)]
pub struct FragmentTruth<'a> {
    records: &'a Sequences,
    per_record: u64,
    clients: u64,
    k: u64,
    longest: usize,
    supports: FxHashMap<Vec<u32>, u64>,
}

impl<'a> FragmentTruth<'a> {
    /// Counts exactly. Every record stands for `per_record` clients.
    pub fn count(records: &'a Sequences, per_record: u64, k: u64, longest: usize) -> Result<Self> {
        let clients = (records.len() as u64).checked_mul(per_record);
        let clients = clients.filter(|_| per_record > 0).ok_or_else(|| {
            Error::input(format!(
                "invalid number of clients per record (got {per_record})"
            ))
            .hint("take 1, or so many that all clients can be counted in 64 bits")
        })?;
        if k == 0 {
            return Err(Error::input(
                "invalid k (got 0): every fragment would be frequent",
            ));
        }
        let supports = contiguous::frequent(records, k.div_ceil(per_record), 1..=longest, &Silent)?
            .into_iter()
            .map(|pattern| (pattern.codes, pattern.support * per_record))
            .collect();
        Ok(Self {
            records,
            per_record,
            clients,
            k,
            longest,
            supports,
        })
    }

    /// How many clients there are.
    pub fn clients(&self) -> u64 {
        self.clients
    }

    /// The threshold.
    pub fn k(&self) -> u64 {
        self.k
    }

    /// The greatest length looked at.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// The fragments with their supports: by length, then support descending, then codes.
    pub fn fragments(&self) -> Vec<(&[u32], u64)> {
        let mut all: Vec<(&[u32], u64)> = (self.supports.iter())
            .map(|(codes, &support)| (codes.as_slice(), support))
            .collect();
        all.sort_unstable_by(|a, b| {
            (a.0.len().cmp(&b.0.len()))
                .then(b.1.cmp(&a.1))
                .then_with(|| a.0.cmp(b.0))
        });
        all
    }

    /// The support of a fragment that at least k clients hold; none of any other.
    pub fn support(&self, codes: &[u32]) -> Option<u64> {
        self.supports.get(codes).copied()
    }

    /// The exact supports of any fragments, of any length, below k too.
    pub fn supports_of(&self, fragments: &Sequences) -> Vec<u64> {
        let mut supports = Fragments::listed(fragments, self.records);
        supports
            .iter_mut()
            .for_each(|count| *count *= self.per_record);
        supports
    }

    /// τ(f) of each fragment of at most the greatest length.
    pub fn losses(&self, fragments: &Sequences) -> Result<Vec<usize>> {
        self.check(fragments)?;
        Ok(fragments.iter().map(|codes| self.loss(codes)).collect())
    }

    fn loss(&self, codes: &[u32]) -> usize {
        let kept = (1..=codes.len()).rev().find(|&length| {
            codes
                .windows(length)
                .any(|part| self.supports.contains_key(part))
        });
        codes.len() - kept.unwrap_or(0)
    }

    fn check(&self, fragments: &Sequences) -> Result<()> {
        let odd = |codes: &&[u32]| codes.is_empty() || codes.len() > self.longest;
        match fragments.iter().find(odd) {
            None => Ok(()),
            Some(codes) => Err(Error::input(format!(
                "a fragment has {} locations, the truth is known for 1 to {}",
                codes.len(),
                self.longest
            ))
            .hint("compare a release with fragments of its own greatest length")),
        }
    }

    /// Compares released fragments and their counts with the truth. A fragment that is listed twice
    /// or too long is an error.
    pub fn compare(&self, released: &Sequences, counts: &[u64]) -> Result<FragmentReport> {
        self.check(released)?;
        let answers = Answers::new(released, counts, self.clients)?;
        let mut tallies = vec![Tally::default(); self.longest + 1];
        for (codes, support) in self.fragments() {
            let error = (support > self.k).then(|| {
                let answer = answers.answer(codes);
                (answer - support as f64).abs() / support as f64
            });
            let unanswered = error.is_some() && !answers.knows(codes);
            for at in [0, codes.len()] {
                tallies[at].truth += 1;
                tallies[at].errors.extend(error);
                tallies[at].unanswered += u64::from(unanswered);
            }
        }
        for (codes, support) in released.iter().zip(self.supports_of(released)) {
            let loss = self.loss(codes);
            for at in [0, codes.len()] {
                tallies[at].release(support, self.k, loss);
            }
        }
        let mut tallies = tallies.into_iter();
        // The first tally is of all lengths.
        let all = tallies.next().unwrap_or_default().scores(None);
        Ok(FragmentReport {
            k: self.k,
            clients: self.clients,
            all,
            by_length: (1..)
                .zip(tallies)
                .map(|(length, tally)| tally.scores(Some(length)))
                .collect(),
        })
    }
}
