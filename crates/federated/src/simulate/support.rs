//! How many clients really have a fragment: what the aggregated engine draws from.

use rustc_hash::FxHashMap;
use wayveil_core::Result;

use super::Clients;
use crate::campaign::Campaign;

/// Who knows how many clients really have a fragment, wherever their records are.
pub trait Holders {
    /// Checks that these are the clients of the campaign.
    fn check(&self, campaign: &Campaign) -> Result<()>;

    /// How many clients have each of these fragments of one length.
    fn of(&mut self, length: usize, codes: &[u32]) -> Result<Vec<u64>>;
}

/// Up to so many visits in all records, every fragment of a length is counted at once.
const COUNT_ALL: usize = 1 << 22;

/// True numbers of clients, counted when first asked for and kept for further campaigns on the same
/// records. They are raw data and never leave a simulation.
pub struct Supports<'a> {
    clients: Clients<'a>,
    known: FxHashMap<Box<[u32]>, u64>,
    /// Lengths of which every fragment that occurs is known.
    complete: Vec<usize>,
}

impl<'a> Supports<'a> {
    /// Of these clients.
    pub fn new(clients: Clients<'a>) -> Self {
        Self {
            clients,
            known: FxHashMap::default(),
            complete: Vec::new(),
        }
    }

    /// How many clients have each of these fragments of one length.
    fn counted(&mut self, length: usize, codes: &[u32]) -> Vec<u64> {
        let fragments = || codes.chunks_exact(length.max(1));
        let complete = self.complete.contains(&length);
        if !complete && fragments().any(|fragment| !self.known.contains_key(fragment)) {
            self.count(length, codes);
        }
        fragments()
            .map(|fragment| self.known.get(fragment).copied().unwrap_or(0))
            .collect()
    }

    /// Counts all fragments of this length, or, where there are many records, those given.
    fn count(&mut self, length: usize, codes: &[u32]) {
        let all = self.clients.records.symbols() <= COUNT_ALL;
        // For each fragment the records that have it, and the last one counted.
        let mut found: FxHashMap<&[u32], (u64, usize)> = FxHashMap::default();
        if !all {
            let asked = codes.chunks_exact(length);
            found.extend(asked.map(|fragment| (fragment, (0, usize::MAX))));
        }
        for (record, trajectory) in self.clients.records.iter().enumerate() {
            for window in trajectory.windows(length) {
                let entry = match all {
                    true => Some(found.entry(window).or_insert((0, usize::MAX))),
                    false => found.get_mut(window),
                };
                if let Some((count, last)) = entry
                    && *last != record
                {
                    *count += 1;
                    *last = record;
                }
            }
        }
        let per_record = self.clients.per_record;
        let known = found
            .into_iter()
            .map(|(f, (count, _))| (f.into(), count * per_record));
        self.known.extend(known);
        if all {
            self.complete.push(length);
        }
    }
}

impl Holders for Supports<'_> {
    fn check(&self, campaign: &Campaign) -> Result<()> {
        self.clients.check(campaign)
    }

    fn of(&mut self, length: usize, codes: &[u32]) -> Result<Vec<u64>> {
        Ok(self.counted(length, codes))
    }
}
