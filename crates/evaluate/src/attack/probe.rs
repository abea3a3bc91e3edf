//! What a release says about given records, in one pass over it.
//!
//! The records asked about are put into a tree of beginnings and into tables of their symbols and
//! pairs of neighbouring symbols. A released record walks down the tree until it leaves it, and
//! looks up its symbols and pairs: the work grows with the release, not with the number of records
//! asked about.

use rustc_hash::{FxHashMap, FxHashSet};
use wayveil_core::Sequences;

/// A location, or a location in a time bin.
pub(super) type Symbol = u64;
/// Two symbols, one right after the other.
pub(super) type Pair = (Symbol, Symbol);

/// The symbols of a record.
pub(super) fn symbols(
    sequences: &Sequences,
    record: usize,
) -> impl ExactSizeIterator<Item = Symbol> + Clone {
    let bins = sequences.bins_of(record);
    let codes = sequences.codes_of(record).iter().enumerate();
    codes.map(|(at, &code)| u64::from(code) << 32 | u64::from(bins.get(at).copied().unwrap_or(0)))
}

/// The pairs of a record, in their order.
pub(super) fn pairs(sequences: &Sequences, record: usize) -> impl Iterator<Item = Pair> {
    let symbols = symbols(sequences, record);
    symbols.clone().zip(symbols.skip(1))
}

/// Where the numbers about one record stand in [`Counts`].
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Its beginnings of length 1, 2 and so on.
    pub(super) beginnings: Vec<u32>,
    /// Its pairs, each once.
    pub(super) pairs: Vec<u32>,
    /// Its symbols, each once.
    pub(super) symbols: Vec<u32>,
}

impl Places {
    /// The whole record, as a beginning.
    pub(super) fn whole(&self) -> u32 {
        self.beginnings.last().copied().unwrap_or(EMPTY)
    }
}

/// The beginning of length 0.
const EMPTY: u32 = 0;

/// Records to ask about.
#[derive(Debug, Default)]
pub(super) struct Probe {
    longer: FxHashMap<(u32, Symbol), u32>,
    pairs: FxHashMap<Pair, u32>,
    symbols: FxHashMap<Symbol, u32>,
    /// Of each record asked about.
    pub(super) places: Vec<Places>,
}

/// How many released records there are, of each kind asked about.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Of those that begin so.
    pub(super) beginning: Vec<u32>,
    /// Of those that are this and nothing more.
    pub(super) equal: Vec<u32>,
    /// Of those that have this pair.
    pub(super) with_pair: Vec<u32>,
    /// Of those that have this symbol.
    pub(super) with_symbol: Vec<u32>,
}

impl Probe {
    /// Asks about these records.
    pub(super) fn new(sequences: &Sequences, records: impl IntoIterator<Item = usize>) -> Self {
        let mut probe = Self::default();
        for record in records {
            let mut places = Places::default();
            let mut node = EMPTY;
            for symbol in symbols(sequences, record) {
                let next = probe.longer.len() as u32 + 1;
                node = *probe.longer.entry((node, symbol)).or_insert(next);
                places.beginnings.push(node);
                let next = probe.symbols.len() as u32;
                places
                    .symbols
                    .push(*probe.symbols.entry(symbol).or_insert(next));
            }
            for pair in pairs(sequences, record) {
                let next = probe.pairs.len() as u32;
                places.pairs.push(*probe.pairs.entry(pair).or_insert(next));
            }
            for column in [&mut places.pairs, &mut places.symbols] {
                column.sort_unstable();
                column.dedup();
            }
            probe.places.push(places);
        }
        probe
    }

    /// Counts in a release.
    pub(super) fn count(&self, released: &Sequences) -> Counts {
        let beginnings = self.longer.len() + 1;
        let mut counts = Counts {
            beginning: vec![0; beginnings],
            equal: vec![0; beginnings],
            with_pair: vec![0; self.pairs.len()],
            with_symbol: vec![0; self.symbols.len()],
        };
        let mut pair_seen = vec![usize::MAX; self.pairs.len()];
        let mut symbol_seen = vec![usize::MAX; self.symbols.len()];
        for record in 0..released.len() {
            let mut node = Some(EMPTY);
            counts.beginning[EMPTY as usize] += 1;
            for symbol in symbols(released, record) {
                node = node.and_then(|node| self.longer.get(&(node, symbol)).copied());
                if let Some(node) = node {
                    counts.beginning[node as usize] += 1;
                }
                if let Some(&symbol) = self.symbols.get(&symbol) {
                    once(&mut symbol_seen, &mut counts.with_symbol, symbol, record);
                }
            }
            if let Some(node) = node {
                counts.equal[node as usize] += 1;
            }
            for pair in pairs(released, record) {
                if let Some(&pair) = self.pairs.get(&pair) {
                    once(&mut pair_seen, &mut counts.with_pair, pair, record);
                }
            }
        }
        counts
    }

    /// For each pair asked about, the released records that have it; equal records stand there
    /// once.
    pub(super) fn having_pairs(&self, released: &Sequences) -> Vec<Vec<u32>> {
        let mut having = vec![Vec::new(); self.pairs.len()];
        let mut known = FxHashSet::default();
        for record in 0..released.len() {
            if !known.insert((released.codes_of(record), released.bins_of(record))) {
                continue;
            }
            for pair in pairs(released, record) {
                if let Some(&pair) = self.pairs.get(&pair) {
                    let having: &mut Vec<u32> = &mut having[pair as usize];
                    if having.last() != Some(&(record as u32)) {
                        having.push(record as u32);
                    }
                }
            }
        }
        having
    }

    /// The place of a pair, if it was asked about.
    pub(super) fn place_of_pair(&self, pair: Pair) -> Option<u32> {
        self.pairs.get(&pair).copied()
    }

    /// The place of a symbol, if it was asked about.
    pub(super) fn place_of_symbol(&self, symbol: Symbol) -> Option<u32> {
        self.symbols.get(&symbol).copied()
    }
}

/// Counts a record once for each thing that it has.
fn once(seen: &mut [usize], counts: &mut [u32], place: u32, record: usize) {
    let place = place as usize;
    if seen[place] != record {
        seen[place] = record;
        counts[place] += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn has(record: &[u32], part: &[u32]) -> bool {
        record.windows(part.len()).any(|window| window == part)
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_search_for_each(
            asked in prop::collection::vec(prop::collection::vec(0u32..3, 0..5), 0..6),
            released in prop::collection::vec(prop::collection::vec(0u32..3, 0..6), 0..20),
        ) {
            let probe = Probe::new(&Sequences::from_codes(&asked), 0..asked.len());
            let sequences = Sequences::from_codes(&released);
            let counts = probe.count(&sequences);
            let having = probe.having_pairs(&sequences);
            let number = |test: &dyn Fn(&[u32]) -> bool| {
                released.iter().filter(|record| test(record)).count() as u32
            };
            for (record, places) in asked.iter().zip(&probe.places) {
                for (at, &place) in places.beginnings.iter().enumerate() {
                    let expected = number(&|other| other.starts_with(&record[..=at]));
                    prop_assert_eq!(counts.beginning[place as usize], expected);
                }
                let whole = places.whole() as usize;
                prop_assert_eq!(counts.equal[whole], number(&|other| other == &record[..]));
                let mut symbols: Vec<u32> = record.iter().map(|&symbol| {
                    number(&|other| other.contains(&symbol)) << 8 | symbol
                }).collect();
                symbols.sort_unstable();
                symbols.dedup();
                let mut counted: Vec<u32> =
                    places.symbols.iter().map(|&place| counts.with_symbol[place as usize]).collect();
                counted.sort_unstable();
                prop_assert_eq!(counted, symbols.iter().map(|it| it >> 8).collect::<Vec<_>>());
                for pair in record.windows(2) {
                    let key = (u64::from(pair[0]) << 32, u64::from(pair[1]) << 32);
                    let place = probe.place_of_pair(key).unwrap() as usize;
                    prop_assert!(places.pairs.contains(&(place as u32)));
                    prop_assert_eq!(counts.with_pair[place], number(&|other| has(other, pair)));
                    let expected: Vec<u32> = (0..released.len())
                        .filter(|&at| has(&released[at], pair))
                        .filter(|&at| !released[..at].contains(&released[at]))
                        .map(|at| at as u32)
                        .collect();
                    prop_assert_eq!(&having[place], &expected);
                }
            }
        }
    }

    #[test]
    fn the_time_of_a_visit_is_part_of_its_symbol() {
        let mut asked = Sequences::empty(true);
        asked.push(&[1, 1], &[0, 1]);
        let mut released = asked.clone();
        released.push(&[1, 1], &[0, 2]);
        let probe = Probe::new(&asked, [0]);
        let counts = probe.count(&released);
        assert_eq!(counts.beginning, [2, 2, 1]);
        assert_eq!((counts.equal, counts.with_pair), (vec![0, 0, 1], vec![1]));
        assert_eq!(counts.with_symbol, [2, 1]);
    }
}
