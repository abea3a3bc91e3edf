//! Sampling, voting and keeping.

use core::num::NonZeroU64;

use rand_core::Rng;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::{Error, RandomSource, Result, Sequences};
use wayveil_noise::{below, choose_distinct};

use super::super::{
    Baseline, Estimate, Found, RECORDS_PER_TASK, Seen, Traffic, bits_for, number_of_clients,
};
use super::parameters::{LARGEST_CLASS, Sampling, TrieHh, Vote};

/// Not the beginning of a kept fragment.
const DROPPED: u32 = u32::MAX;

/// A fragment one longer than a kept one: the kept one's number times the locations, plus the last
/// location.
pub(super) type Child = u64;

/// Votes by child and class.
pub(super) type Tally = FxHashMap<(Child, u32), u64>;

impl Baseline for TrieHh {
    fn name(&self) -> &'static str {
        match self.sampling {
            Sampling::Fixed(_) => "TrieHH as published",
            Sampling::Independent(_) => "TrieHH",
        }
    }

    fn find(
        &self,
        records: &Sequences,
        per_record: u64,
        k: u64,
        random: &mut RandomSource,
    ) -> Result<Found> {
        records.check_ranges(self.locations as usize, records.bins().map(|_| u32::MAX))?;
        let clients = number_of_clients(records, per_record)?;
        let mut traffic = Traffic::default();
        let mut seen = Seen::default();
        let mut found = Vec::new();
        let mut kept: Vec<Vec<u32>> = vec![Vec::new()];
        let mut at = vec![0; records.symbols()];
        for length in 1..=self.rounds {
            let sampled = sample(self.sampling, records.len(), per_record, random)?;
            let round = Round {
                of: self,
                records,
                length,
                at: &at,
            };
            let down = kept.len() as u64 * (length as u64 - 1) * bits_for(self.locations.into());
            let up = bits_for(self.options(kept.len()) + 1);
            traffic.add(sampled.iter().sum(), up, down);
            let tally = round.votes(&sampled, random);
            self.show(&tally, &kept, &mut seen);
            let estimates = self.keep(&tally, &kept, self.sampling.rate(clients));
            kept = estimates.iter().map(|(_, e)| e.fragment.clone()).collect();
            let numbers = estimates.iter().map(|(child, _)| *child).zip(0..).collect();
            at = round.extended(&numbers);
            found.extend(estimates.into_iter().map(|(_, estimate)| estimate));
        }
        Ok(Found::new(found, k, traffic, seen))
    }
}

impl TrieHh {
    /// The votes that can be cast when so many fragments are kept.
    fn options(&self, kept: usize) -> u64 {
        let classes = match self.vote {
            Vote::DrawnWithClass => u64::from(LARGEST_CLASS) + 1,
            Vote::Beginning | Vote::Drawn => 1,
        };
        kept as u64 * u64::from(self.locations) * classes
    }

    /// The votes that may be shown, in order.
    fn shown(&self, tally: &Tally) -> Vec<(Child, u32, u64)> {
        let mut shown: Vec<_> = tally
            .iter()
            .filter(|(_, votes)| **votes >= self.threshold)
            .map(|(&(child, class), &votes)| (child, class, votes))
            .collect();
        shown.sort_unstable_by_key(|&(child, class, _)| (child, class));
        shown
    }

    /// The fragment of a child.
    fn fragment(&self, child: Child, kept: &[Vec<u32>]) -> Vec<u32> {
        let parent = (child / u64::from(self.locations)) as usize;
        let last = (child % u64::from(self.locations)) as u32;
        kept[parent].iter().copied().chain([last]).collect()
    }

    /// Adds the votes that may be shown to what is seen.
    fn show(&self, tally: &Tally, kept: &[Vec<u32>], seen: &mut Seen) {
        for (child, class, votes) in self.shown(tally) {
            let fragment: Vec<String> = (self.fragment(child, kept).iter())
                .map(u32::to_string)
                .collect();
            let about = format!("votes of class {class} for {}", fragment.join(" "));
            seen.add(about, vec![votes]);
        }
    }

    /// The children with a class that reaches the threshold, in order, and their estimates. A vote of
    /// weight w stands for w/rate clients, each of whom had the chance rate/w to cast it.
    pub(super) fn keep(
        &self,
        tally: &Tally,
        kept: &[Vec<u32>],
        rate: f64,
    ) -> Vec<(Child, Estimate)> {
        let mut estimates: Vec<(Child, Estimate)> = Vec::new();
        for group in self.shown(tally).chunk_by(|a, b| a.0 == b.0) {
            let child = group[0].0;
            let scale = |class: u32| f64::from(1_u32 << class) / rate;
            let count = group
                .iter()
                .map(|&(_, class, votes)| votes as f64 * scale(class));
            let variance = group
                .iter()
                .map(|&(_, class, votes)| votes as f64 * scale(class) * (scale(class) - 1.0));
            let estimate = Estimate {
                fragment: self.fragment(child, kept),
                count: count.sum(),
                standard_error: variance.sum::<f64>().max(0.0).sqrt(),
            };
            estimates.push((child, estimate));
        }
        estimates
    }
}

/// How many clients of each record take part in a round.
pub(super) fn sample(
    sampling: Sampling,
    records: usize,
    per_record: u64,
    random: &mut RandomSource,
) -> Result<Vec<u64>> {
    match sampling {
        Sampling::Fixed(size) => {
            let clients = records as u64 * per_record;
            let chosen = choose_distinct(clients, size, &mut random.stream())
                .map_err(|error| Error::input(error.to_string()))?;
            let mut sampled = vec![0; records];
            for client in chosen {
                sampled[(client / per_record) as usize] += 1;
            }
            Ok(sampled)
        }
        Sampling::Independent(rate) => {
            let mut sampled = vec![0; records];
            let mut streams = random.streams(records.div_ceil(RECORDS_PER_TASK));
            (sampled.par_chunks_mut(RECORDS_PER_TASK).zip(&mut streams)).for_each(
                |(sampled, stream)| {
                    for size in sampled {
                        *size = (0..per_record).filter(|_| stream.next_u32() < rate).count() as u64;
                    }
                },
            );
            Ok(sampled)
        }
    }
}

/// One round: what the clients are asked.
pub(super) struct Round<'a> {
    pub(super) of: &'a TrieHh,
    pub(super) records: &'a Sequences,
    pub(super) length: usize,
    /// For each position the number of the kept fragment, one shorter than asked, that begins there.
    pub(super) at: &'a [u32],
}

impl Round<'_> {
    /// All votes.
    pub(super) fn votes(&self, sampled: &[u64], random: &mut RandomSource) -> Tally {
        let mut streams = random.streams(sampled.len().div_ceil(RECORDS_PER_TASK));
        (sampled.par_chunks(RECORDS_PER_TASK).zip(&mut streams))
            .enumerate()
            .map(|(task, (sampled, stream))| {
                let mut tally = Tally::default();
                let mut children = Vec::new();
                let mut votes = Vec::new();
                for (record, &clients) in (task * RECORDS_PER_TASK..).zip(sampled) {
                    if clients > 0 {
                        self.children(record, &mut children);
                        self.cast(&children, clients, stream, &mut votes, &mut tally);
                    }
                }
                tally
            })
            .reduce(Tally::default, |mut all, some| {
                for (vote, votes) in some {
                    *all.entry(vote).or_insert(0) += votes;
                }
                all
            })
    }

    /// The distinct fragments of the record that may be voted for.
    fn children(&self, record: usize, children: &mut Vec<Child>) {
        children.clear();
        let length = self.records.length(record);
        let starts = match self.of.vote {
            Vote::Beginning => 1,
            Vote::Drawn | Vote::DrawnWithClass => length,
        };
        let first = self.records.offsets()[record] as usize;
        for start in 0..starts.min((length + 1).saturating_sub(self.length)) {
            children.extend(self.child(first + start));
        }
        children.sort_unstable();
        children.dedup();
    }

    /// The child that begins at this position of the symbols, which must leave room for it.
    fn child(&self, position: usize) -> Option<Child> {
        let last = self.records.codes()[position + self.length - 1];
        let parent = self.at[position];
        (parent != DROPPED)
            .then(|| u64::from(parent) * u64::from(self.of.locations) + u64::from(last))
    }

    /// The votes of `clients` clients who may choose among `children`.
    fn cast<R: Rng + ?Sized>(
        &self,
        children: &[Child],
        clients: u64,
        rng: &mut R,
        votes: &mut Vec<u64>,
        tally: &mut Tally,
    ) {
        let options = children.len() as u64;
        let class = match self.of.vote {
            Vote::DrawnWithClass => (bits_for(options) as u32).min(LARGEST_CLASS),
            Vote::Beginning | Vote::Drawn => 0,
        };
        let Some(sides) = NonZeroU64::new(options.max(match self.of.vote {
            Vote::DrawnWithClass => 1 << class,
            Vote::Beginning | Vote::Drawn => 0,
        })) else {
            return;
        };
        votes.clear();
        votes.resize(sides.get() as usize, 0);
        if sides.get() == 1 {
            votes[0] = clients;
        } else {
            (0..clients).for_each(|_| votes[below(sides, rng) as usize] += 1);
        }
        // The sides beyond the children are votes for nothing.
        for (&child, &votes) in children.iter().zip(&*votes) {
            if votes > 0 {
                *tally.entry((child, class)).or_insert(0) += votes;
            }
        }
    }

    /// The positions' numbers for the next round.
    fn extended(&self, numbers: &FxHashMap<Child, u32>) -> Vec<u32> {
        let mut next = vec![DROPPED; self.at.len()];
        for bounds in self.records.offsets().windows(2) {
            let (first, end) = (bounds[0] as usize, bounds[1] as usize);
            let fitting = (end - first + 1).saturating_sub(self.length);
            for (position, number) in (first..).zip(&mut next[first..first + fitting]) {
                let child = self.child(position);
                *number = child.map_or(DROPPED, |child| *numbers.get(&child).unwrap_or(&DROPPED));
            }
        }
        next
    }
}
