//! Equal journeys into one, with the number of people behind it.

use std::cmp::Ordering;

use rayon::prelude::*;
use wayveil_core::{Error, Result, Sequences};

/// Different journeys, in the order of their symbols, and how many owners each has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The journeys; a journey that begins another one stands before it.
    pub keys: Sequences,
    /// How many different owners have each.
    pub counts: Vec<u64>,
}

/// A journey by number, with as many of its first symbols as fit a word.
#[derive(Clone, Copy)]
struct Packed {
    beginning: u64,
    journey: u32,
}

/// Merges equal journeys of symbols (not of bins: symbols hold the time). Where owners are given, one
/// for each journey, those who have a journey several times count once; else every journey counts.
///
/// It sorts. The first symbols, packed into one word in their order, decide nearly all comparisons;
/// the rest of two journeys is looked at only where the words are equal.
pub fn merge(journeys: &Sequences, owners: Option<&[u32]>) -> Result<Merged> {
    if journeys.is_timed() || owners.is_some_and(|owners| owners.len() != journeys.len()) {
        return Err(Error::input(
            "journeys to be merged must be plain symbols, with one owner each",
        ));
    }
    if u32::try_from(journeys.len()).is_err() {
        return Err(Error::input(
            "more than 4,294,967,295 journeys are not supported",
        ));
    }
    let greatest = journeys.codes().par_iter().copied().max().unwrap_or(0);
    // One more than the symbol is packed, so that the end of a journey, 0, comes before all.
    let bits = u64::BITS - (u64::from(greatest) + 1).leading_zeros();
    let fit = (u64::BITS / bits) as usize;
    let mut order: Vec<Packed> = (0..journeys.len() as u32)
        .into_par_iter()
        .map(|journey| Packed {
            beginning: packed(journeys.codes_of(journey as usize), bits, fit),
            journey,
        })
        .collect();
    let rest = |packed: &Packed| {
        let symbols = journeys.codes_of(packed.journey as usize);
        &symbols[fit.min(symbols.len())..]
    };
    let by_key = |a: &Packed, b: &Packed| match a.beginning.cmp(&b.beginning) {
        Ordering::Equal => rest(a).cmp(rest(b)),
        unequal => unequal,
    };
    match owners {
        None => order.par_sort_unstable_by(by_key),
        Some(owners) => {
            let owner = |packed: &Packed| owners[packed.journey as usize];
            order.par_sort_unstable_by(|a, b| by_key(a, b).then_with(|| owner(a).cmp(&owner(b))));
        }
    }
    let same = |a: &Packed, b: &Packed| a.beginning == b.beginning && rest(a) == rest(b);
    let mut merged = Merged {
        keys: Sequences::empty(false),
        counts: Vec::new(),
    };
    for run in order.chunk_by(same) {
        let count = match owners {
            None => run.len(),
            Some(owners) => {
                let owner = |packed: &Packed| owners[packed.journey as usize];
                run.chunk_by(|a, b| owner(a) == owner(b)).count()
            }
        };
        merged
            .keys
            .push(journeys.codes_of(run[0].journey as usize), &[]);
        merged.counts.push(count as u64);
    }
    Ok(merged)
}

/// The first `fit` symbols, `bits` each, so that words are ordered as the journeys' beginnings are.
fn packed(symbols: &[u32], bits: u32, fit: usize) -> u64 {
    let mut word = 0;
    for &symbol in symbols.iter().take(fit) {
        word = word << bits | (u64::from(symbol) + 1);
    }
    let missing = fit.saturating_sub(symbols.len()) as u32;
    // All of them missing would be a shift by the whole word.
    word.checked_shl(missing * bits).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    /// A table of sets, as one would write it down.
    fn by_table(journeys: &[Vec<u32>], owners: Option<&[u32]>) -> Merged {
        let mut table: BTreeMap<&[u32], BTreeSet<u32>> = BTreeMap::new();
        for (number, journey) in journeys.iter().enumerate() {
            let owner = owners.map_or(number as u32, |owners| owners[number]);
            table.entry(journey).or_default().insert(owner);
        }
        Merged {
            keys: Sequences::from_codes(table.keys()),
            counts: table.values().map(|owners| owners.len() as u64).collect(),
        }
    }

    fn journeys() -> impl Strategy<Value = Vec<Vec<u32>>> {
        // Alphabets from one symbol to all of them: from 64 symbols a word to one.
        let greatest = prop_oneof![0u32..3, Just(20), Just(300), Just(u32::MAX)];
        greatest.prop_flat_map(|greatest| {
            let symbol = prop_oneof![0..=greatest.min(1), 0..=greatest, Just(greatest)];
            prop::collection::vec(prop::collection::vec(symbol, 0..70), 0..60)
        })
    }

    proptest! {
        #[test]
        fn agrees_with_a_table(
            mut journeys in journeys(),
            copies in prop::collection::vec(0usize..60, 0..60),
            owners in prop::collection::vec(0u32..5, 120),
        ) {
            let some: Vec<_> = copies.iter().filter_map(|&copy| journeys.get(copy).cloned()).collect();
            journeys.extend(some);
            let sequences = Sequences::from_codes(&journeys);
            prop_assert_eq!(merge(&sequences, None).unwrap(), by_table(&journeys, None));
            let owners = Some(&owners[..journeys.len()]);
            prop_assert_eq!(merge(&sequences, owners).unwrap(), by_table(&journeys, owners));
        }
    }

    #[test]
    fn long_journeys_that_differ_late() {
        let mut journeys: Vec<Vec<u32>> = (0..300).map(|n| vec![7; 100 + n % 3]).collect();
        journeys
            .iter_mut()
            .step_by(5)
            .for_each(|journey| journey[99] = 8);
        let merged = merge(&Sequences::from_codes(&journeys), None).unwrap();
        assert_eq!(merged, by_table(&journeys, None));
        assert_eq!(merged.keys.len(), 6);
    }

    #[test]
    fn nothing_merges_to_nothing_and_strange_columns_are_refused() {
        let nothing = merge(&Sequences::empty(false), None).unwrap();
        assert!(nothing.keys.is_empty() && nothing.counts.is_empty());
        assert!(merge(&Sequences::empty(true), None).is_err());
        assert!(merge(&Sequences::from_codes([[1u32]]), Some(&[])).is_err());
    }
}
