//! How much an enumeration has kept, counted by all who work on it while they work.

use std::sync::atomic::{AtomicU64, Ordering};

use wayveil_core::{Error, Result};

/// The most that is kept; beyond, memory would be the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    /// Clean sequences.
    pub(super) clean: u64,
    /// Records that hold a violating sequence, once for each of them. So there are no more violating
    /// sequences than this, and 32 bits number them.
    pub(super) holders: u64,
}

impl Default for Most {
    fn default() -> Self {
        Self {
            clean: 1 << 26,
            holders: 1 << 28,
        }
    }
}

/// What all have kept.
#[derive(Debug)]
pub(super) struct Kept {
    most: Most,
    clean: AtomicU64,
    holders: AtomicU64,
}

impl Kept {
    pub(super) fn new(most: Most) -> Self {
        Self {
            most,
            clean: AtomicU64::new(0),
            holders: AtomicU64::new(0),
        }
    }

    /// Adds what one worker kept since it last told.
    pub(super) fn add(&self, more: &mut Untold) {
        let Untold { clean, holders } = std::mem::take(more);
        self.clean.fetch_add(clean, Ordering::Relaxed);
        self.holders.fetch_add(holders, Ordering::Relaxed);
    }

    /// Whether it is too much, so that there is no use in going on.
    pub(super) fn is_too_much(&self) -> bool {
        self.clean.load(Ordering::Relaxed) > self.most.clean
            || self.holders.load(Ordering::Relaxed) > self.most.holders
    }

    /// An error where it is too much, after a level of sequences with so many doublets.
    pub(super) fn check(&self, level: usize) -> Result<()> {
        let Most { clean, holders } = self.most;
        let error = if self.clean.load(Ordering::Relaxed) > clean {
            format!(
                "more than {clean} sequences of up to {level} doublets are shared by enough people"
            )
        } else if self.holders.load(Ordering::Relaxed) > holders {
            format!(
                "records hold sequences of up to {level} doublets that violate the promise more than \
                 {holders} times"
            )
        } else {
            return Ok(());
        };
        Err(Error::input(error)
            .hint("give --l a smaller number, or cut the trajectories into shorter ones"))
    }
}

/// How much a worker keeps before it tells.
const BATCH: u64 = 1 << 12;

/// What one worker kept and has not told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Untold {
    pub(super) clean: u64,
    pub(super) holders: u64,
}

impl Untold {
    pub(super) fn is_much(self) -> bool {
        self.clean + self.holders >= BATCH
    }
}

#[cfg(test)]
mod tests {
    use wayveil_core::{Rational, Sequences, Silent};

    use super::*;
    use crate::suppress::enumerate::enumerate_within;
    use crate::suppress::tally::Judge;
    use crate::suppress::working::Working;
    use crate::suppress::{Requirement, Table};

    /// Enumerates up to triples of equal records of so many doublets; how many are found, or why not.
    fn triples(records: usize, doublets: u32, k: u32, kept: &Kept) -> Result<(usize, usize)> {
        let mut trips = Sequences::empty(true);
        let bins: Vec<u32> = (0..doublets).collect();
        for _ in 0..records {
            trips.push(&vec![0; bins.len()], &bins);
        }
        let table = Table::new(&trips, None, &[])?;
        let requirement = Requirement {
            k,
            c: Rational::new(1, 1)?,
            l: None,
        };
        let judge = Judge::new(requirement.limits()?, &table);
        let (found, clean) = enumerate_within(&Working::new(&table), &judge, 3, kept, &Silent)?;
        Ok((found.len(), clean.len() - 1))
    }

    #[test]
    fn too_many_clean_sequences_are_refused() {
        // Of ten doublets: 10 alone, 45 pairs, 120 triples.
        let most = |clean| {
            let holders = Most::default().holders;
            Kept::new(Most { clean, holders })
        };
        assert_eq!(triples(3, 10, 3, &most(175)).unwrap(), (0, 175));
        for (clean, level) in [(174, "3"), (54, "2"), (9, "1")] {
            let error = triples(3, 10, 3, &most(clean)).unwrap_err();
            let said = format!("more than {clean} sequences of up to {level} doublets");
            assert!(error.message().contains(&said), "{error}");
            assert!(error.advice().unwrap().contains("--l"));
        }
    }

    #[test]
    fn too_many_violating_sequences_are_refused() {
        // Ten doublets, each in three records, where four are asked for.
        let most = |holders| {
            let clean = Most::default().clean;
            Kept::new(Most { clean, holders })
        };
        assert_eq!(triples(3, 10, 4, &most(30)).unwrap(), (10, 0));
        let error = triples(3, 10, 4, &most(29)).unwrap_err();
        assert!(error.message().contains("more than 29 times"), "{error}");
    }

    #[test]
    fn work_stops_before_a_level_is_done() {
        // The triples of 300 doublets are four and a half million.
        let kept = Kept::new(Most {
            clean: 60_000,
            ..Most::default()
        });
        assert!(triples(2, 300, 2, &kept).is_err());
        let done = kept.clean.into_inner();
        assert!((60_001..2_000_000).contains(&done), "{done}");
    }
}
