//! Clusters, with time bins or without, as the symbols of canonical journeys.

use std::num::NonZeroU32;

use wayveil_core::{Error, Result, Sequences};
use wayveil_noise::SequenceDomain;

use crate::tree::Alphabet;

/// The symbols: a cluster, or a cluster in a time bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbols {
    alphabet: Alphabet,
    timed: bool,
}

impl Symbols {
    /// Symbols for clusters, and for bins where time is kept.
    pub fn new(clusters: usize, bins: Option<u32>) -> Result<Self> {
        let alphabet = Alphabet::new(clusters, bins.unwrap_or(1)).ok_or_else(|| {
            Error::input(format!(
                "{clusters} clusters in {} time bins are too many symbols: more than 2^32",
                bins.unwrap_or(1)
            ))
            .hint("use fewer clusters, or fewer or wider time bins")
        })?;
        Ok(Self {
            alphabet,
            timed: bins.is_some(),
        })
    }

    /// How many clusters there are.
    pub fn clusters(self) -> u32 {
        self.alphabet.locations()
    }

    /// How many bins there are, where time is kept.
    pub fn bins(self) -> Option<u32> {
        self.timed.then(|| self.alphabet.bins())
    }

    /// How many symbols there are.
    pub fn len(self) -> u32 {
        self.alphabet.symbols()
    }

    /// Whether there are none, for want of clusters.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The symbol of a cluster; where time is not kept the bin is 0.
    pub fn symbol(self, cluster: u32, bin: u32) -> u32 {
        self.alphabet.symbol(cluster, bin)
    }

    /// The cluster of a symbol.
    pub fn cluster(self, symbol: u32) -> u32 {
        self.alphabet.location(symbol)
    }

    /// The time bin of a symbol; 0 where time is not kept.
    pub fn bin(self, symbol: u32) -> u32 {
        self.alphabet.bin(symbol)
    }

    /// All canonical journeys of at most so many symbols: time does not go back, and without stays no
    /// cluster follows itself. None without clusters.
    pub fn domain(self, longest: NonZeroU32, stays: bool) -> Option<SequenceDomain> {
        Some(SequenceDomain {
            places: NonZeroU32::new(self.clusters())?,
            bins: NonZeroU32::new(self.alphabet.bins())?,
            stays,
            longest,
        })
    }

    /// Journeys of symbols as journeys of places, with bins where time is kept. `place_of_cluster` is
    /// what stands for each cluster.
    pub fn spelled_out(self, journeys: &Sequences, place_of_cluster: &[u32]) -> Result<Sequences> {
        let place = |&symbol: &u32| place_of_cluster[self.cluster(symbol) as usize];
        let bin = |&symbol: &u32| self.alphabet.bin(symbol);
        Sequences::new(
            journeys.offsets().to_vec(),
            journeys.codes().iter().map(place).collect(),
            self.timed
                .then(|| journeys.codes().iter().map(bin).collect()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelled_out_by_hand() {
        let journeys = Sequences::from_codes([vec![0u32, 5], vec![], vec![4]]);
        let timed = Symbols::new(3, Some(2)).unwrap();
        assert_eq!(
            (timed.symbol(2, 1), timed.cluster(5), timed.len()),
            (5, 2, 6)
        );
        let spelled = timed.spelled_out(&journeys, &[70, 80, 90]).unwrap();
        assert_eq!(spelled.codes_of(0), [70, 90]);
        assert_eq!(spelled.bins_of(0), [0, 1]);
        assert_eq!(
            (spelled.codes_of(2), spelled.bins_of(2)),
            (&[80u32][..], &[1u32][..])
        );
        // The domain numbers its symbols in the same way.
        let domain = timed.domain(NonZeroU32::MAX, false).unwrap();
        let later = [timed.symbol(2, 0), timed.symbol(0, 1)];
        let earlier = [timed.symbol(2, 1), timed.symbol(0, 0)];
        let stay = [timed.symbol(2, 0), timed.symbol(2, 1)];
        assert_eq!((timed.bin(later[1]), timed.bin(later[0])), (1, 0));
        assert!(domain.contains(&later) && !domain.contains(&earlier) && !domain.contains(&stay));
        assert_eq!(
            Symbols::new(0, None).unwrap().domain(NonZeroU32::MIN, true),
            None
        );
        let untimed = Symbols::new(6, None).unwrap();
        let spelled = untimed.spelled_out(&journeys, &[0, 1, 2, 3, 4, 5]).unwrap();
        assert_eq!(spelled, journeys);
        assert!(Symbols::new(1 << 20, Some(1 << 20)).is_err());
    }
}
