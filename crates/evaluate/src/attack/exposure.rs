//! Who is most exposed: those with what few others have.

use std::cmp::Reverse;
use std::hash::Hash;

use rustc_hash::FxHashMap;
use wayveil_core::Sequences;

use super::probe::{Pair, Symbol, pairs, symbols};

/// In how many records each symbol and each pair of neighbouring symbols occurs.
#[derive(Debug, Default)]
pub(super) struct Rarity {
    pairs: Occurrences<Pair>,
    symbols: Occurrences<Symbol>,
}

/// The number of records of each thing, and the last of them.
type Occurrences<T> = FxHashMap<T, (u32, usize)>;

impl Rarity {
    /// Counts among these records.
    pub(super) fn among(sequences: &Sequences) -> Self {
        let mut rarity = Self::default();
        for record in 0..sequences.len() {
            for symbol in symbols(sequences, record) {
                see(&mut rarity.symbols, symbol, record);
            }
            for pair in pairs(sequences, record) {
                see(&mut rarity.pairs, pair, record);
            }
        }
        rarity
    }

    /// The records that the fewest have as well; among them those whose rarest pair occurs in the
    /// fewest records, longer ones first. A record of one symbol has that instead of a pair; one
    /// without any symbol comes last.
    pub(super) fn most_exposed(&self, sequences: &Sequences, count: usize) -> Vec<usize> {
        let whole = |record: usize| (sequences.codes_of(record), sequences.bins_of(record));
        let mut equal: FxHashMap<(&[u32], &[u32]), u32> = FxHashMap::default();
        for record in 0..sequences.len() {
            *equal.entry(whole(record)).or_default() += 1;
        }
        let mut records: Vec<(u32, u32, Reverse<usize>, usize)> = (0..sequences.len())
            .map(|record| {
                let length = Reverse(sequences.length(record));
                let rarest_pair = pairs(sequences, record).map(|pair| self.pairs[&pair].0);
                let rarest = rarest_pair.min().or_else(|| {
                    let only = symbols(sequences, record).map(|symbol| self.symbols[&symbol].0);
                    only.min()
                });
                match rarest {
                    Some(rarest) => (equal[&whole(record)], rarest, length, record),
                    None => (u32::MAX, u32::MAX, length, record),
                }
            })
            .collect();
        let count = count.min(records.len());
        if count < records.len() {
            records.select_nth_unstable(count);
        }
        records.truncate(count);
        records.sort_unstable();
        records.into_iter().map(|(.., record)| record).collect()
    }

    /// The pairs of a record that are rarest, each once, the rarest first.
    pub(super) fn rarest_pairs(
        &self,
        sequences: &Sequences,
        record: usize,
        count: usize,
    ) -> Vec<Pair> {
        rarest(&self.pairs, pairs(sequences, record), count)
    }

    /// The symbols of a record that are rarest, each once, the rarest first.
    pub(super) fn rarest_symbols(
        &self,
        sequences: &Sequences,
        record: usize,
        count: usize,
    ) -> Vec<Symbol> {
        rarest(&self.symbols, symbols(sequences, record), count)
    }
}

fn see<T: Eq + Hash>(occurrences: &mut Occurrences<T>, thing: T, record: usize) {
    let (count, last) = occurrences.entry(thing).or_insert((0, usize::MAX));
    if *last != record {
        (*count, *last) = (*count + 1, record);
    }
}

fn rarest<T: Copy + Ord + Hash>(
    occurrences: &Occurrences<T>,
    things: impl Iterator<Item = T>,
    count: usize,
) -> Vec<T> {
    let mut things: Vec<(u32, T)> = things.map(|thing| (occurrences[&thing].0, thing)).collect();
    things.sort_unstable();
    things.dedup();
    things.truncate(count);
    things.into_iter().map(|(_, thing)| thing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_records_decide_then_the_rarest_pair_then_the_length() {
        let records: [&[u32]; 9] = [
            &[0, 1],
            &[0, 1, 0, 1],
            &[2],
            &[],
            &[1, 0, 3],
            &[1, 0, 4, 4],
            &[0],
            &[5, 5],
            &[5, 5],
        ];
        let sequences = Sequences::from_codes(records);
        let rarity = Rarity::among(&sequences);
        // Pairs: 01 in two records, 10 in three, 03, 04 and 44 in one, 55 in two. Symbol 2 in one, 0 in five.
        assert_eq!(
            rarity.most_exposed(&sequences, 10),
            [5, 4, 2, 1, 0, 6, 7, 8, 3]
        );
        assert_eq!(rarity.most_exposed(&sequences, 2), [5, 4]);
        let code = |symbol: u64| symbol << 32;
        assert_eq!(
            rarity.rarest_pairs(&sequences, 5, 2),
            [(code(0), code(4)), (code(4), code(4))]
        );
        assert_eq!(rarity.rarest_symbols(&sequences, 5, 1), [code(4)]);
        assert_eq!(rarity.rarest_symbols(&sequences, 3, 1), [0u64; 0]);
    }
}
