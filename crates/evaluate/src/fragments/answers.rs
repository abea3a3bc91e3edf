//! Answers to count queries from released fragments alone.

use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result, Sequences};

/// Released counts, to be asked about any fragment.
pub(super) struct Answers<'a> {
    counts: FxHashMap<&'a [u32], u64>,
    clients: u64,
}

impl<'a> Answers<'a> {
    pub(super) fn new(released: &'a Sequences, counts: &[u64], clients: u64) -> Result<Self> {
        if released.len() != counts.len() {
            return Err(Error::input(format!(
                "{} released fragments have {} counts",
                released.len(),
                counts.len()
            )));
        }
        let counts: FxHashMap<_, _> = released.iter().zip(counts.iter().copied()).collect();
        if counts.len() != released.len() {
            return Err(Error::input("a fragment is released twice"));
        }
        Ok(Self { counts, clients })
    }

    /// Whether the fragment was released.
    pub(super) fn knows(&self, codes: &[u32]) -> bool {
        self.counts.contains_key(codes)
    }

    /// The released count, or the Markov estimate from shorter fragments.
    ///
    /// Parts are answered from the shortest on, each once: `parts[i]` is about the part that begins
    /// at `i`, in this length and in the two before it.
    pub(super) fn answer(&self, codes: &[u32]) -> f64 {
        let mut shorter = vec![self.clients as f64; codes.len() + 1];
        let mut inner = Vec::new();
        for length in 1..=codes.len() {
            let parts = codes.windows(length).enumerate();
            let longer = parts
                .map(|(at, part)| match self.counts.get(part) {
                    Some(&count) => count as f64,
                    None if length == 1 || inner[at + 1] == 0.0 => 0.0,
                    None => shorter[at] * shorter[at + 1] / inner[at + 1],
                })
                .collect();
            inner = std::mem::replace(&mut shorter, longer);
        }
        shorter[0]
    }
}
