//! Which records hold which sets of symbols, and what else.

use std::collections::HashMap;

use super::tally::Found;
use super::{Alphabet, Listed};
use crate::attribute::Attribute;
use crate::sequences::Sequences;

/// Sets of one size by their beginnings; node 0 is the empty one.
#[derive(Debug)]
pub(super) struct Trie {
    children: HashMap<(u32, u32), u32>,
    /// The set that ends at a node.
    ends: Vec<Option<u32>>,
}

impl Trie {
    pub(super) fn of(sets: &Listed) -> Self {
        let mut trie = Self {
            children: HashMap::new(),
            ends: vec![None],
        };
        for (set, number) in sets.iter().zip(0u32..) {
            let mut node = 0;
            for &symbol in set {
                let next = trie.ends.len() as u32;
                node = *trie.children.entry((node, symbol)).or_insert(next);
                if node == next {
                    trie.ends.push(None);
                }
            }
            trie.ends[node as usize] = Some(number);
        }
        trie
    }

    /// Counts the sets among rising symbols, from a node on, with everything that follows them.
    fn count(&self, node: u32, symbols: &[u32], found: &mut Found) {
        if let Some(set) = self.ends[node as usize] {
            for &symbol in symbols {
                found.add(set, symbol, 1);
            }
            return;
        }
        for (at, &symbol) in symbols.iter().enumerate() {
            if let Some(&next) = self.children.get(&(node, symbol)) {
                self.count(next, &symbols[at + 1..], found);
            }
        }
    }
}

/// Counts records for each set that they hold and each greater symbol; of some records only where a value is asked for.
pub(super) fn extensions(
    alphabet: Alphabet,
    records: &Sequences,
    trie: &Trie,
    having: Option<(&Attribute, &str)>,
    found: &mut Found,
) {
    let mut symbols = Vec::new();
    for record in 0..records.len() {
        if having.is_some_and(|(column, value)| column.value(record) != value) {
            continue;
        }
        let (codes, bins) = (records.codes_of(record), records.bins_of(record));
        symbols.clear();
        symbols.extend((0..codes.len()).map(|at| match bins.get(at) {
            Some(&bin) => alphabet.symbol(codes[at], bin),
            None => codes[at],
        }));
        symbols.sort_unstable();
        symbols.dedup();
        trie.count(0, &symbols, found);
    }
}
