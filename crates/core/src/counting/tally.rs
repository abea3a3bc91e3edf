//! Counts a part of the records, wherever it lies.

use std::collections::{BTreeMap, HashMap};

use super::extensions::extensions;
use super::index::{Index, Keys, Numbers};
use super::{Alphabet, Listed, Question, What};
use crate::attribute::Attribute;
use crate::dataset::Owners;
use crate::error::{Error, Result};
use crate::sequences::Sequences;
use crate::unit::{bounded_column, bounded_rows};

/// How often each pair of numbers was counted; what they number, the question says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: BTreeMap<(u32, u32), u64>,
}

impl Tally {
    /// Adds so many to a pair.
    pub fn add(&mut self, pair: (u32, u32), count: u64) -> Result<()> {
        let sum = self.counts.entry(pair).or_default();
        *sum = sum
            .checked_add(count)
            .ok_or_else(|| Error::input("a count is beyond 2^64"))?;
        Ok(())
    }

    /// Adds another part's tally.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        other
            .iter()
            .try_for_each(|(pair, count)| self.add(pair, count))
    }

    /// All pairs that were counted, ascending.
    pub fn iter(&self) -> impl Iterator<Item = ((u32, u32), u64)> {
        self.counts.iter().map(|(&pair, &count)| (pair, count))
    }

    /// The count of a pair.
    pub fn of(&self, pair: (u32, u32)) -> u64 {
        self.counts.get(&pair).copied().unwrap_or(0)
    }

    /// How many pairs were counted.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

/// Some people's rows.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Their trips.
    pub trips: &'a Sequences,
    /// Whose each is.
    pub owners: &'a Owners,
    /// The columns beside them.
    pub attributes: &'a [Attribute],
}

/// A question that is ready to be answered, for one part of the records after another: what it lists is looked up by an
/// index, which costs as much to make as many records to count.
#[derive(Debug)]
pub struct Prepared {
    question: Question,
    alphabet: Alphabet,
    index: Index,
}

impl Prepared {
    /// Makes the index.
    pub fn new(question: Question) -> Result<Self> {
        let alphabet = question
            .alphabet()
            .ok_or_else(|| Error::input("there are more than 2^32 symbols"))?;
        let index = Index::of(&question.what)?;
        Ok(Self {
            question,
            alphabet,
            index,
        })
    }

    /// What is asked.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Tallies some people's rows.
    ///
    /// # What the caller must ensure
    /// All rows of an owner are here, in the same order at every question, and no owner is given to two calls whose
    /// tallies are added up; see [`crate::counting`]. Rows are bounded here, by the code that bounds them on one machine.
    pub fn tally(&self, part: &Part<'_>) -> Result<Tally> {
        let Part {
            trips,
            owners,
            attributes,
        } = *part;
        let question = &self.question;
        trips.check_ranges(question.locations as usize, question.bins)?;
        if trips.is_timed() != question.bins.is_some() {
            return Err(Error::input(
                "some rows have time bins where the others have none",
            ));
        }
        let records = bounded_rows(trips, owners, question.unit);
        let mut found = Found::default();
        match (&question.what, &self.index) {
            (What::Records, _) => found.add(0, 0, records.len() as u64),
            (What::Together, _) => together(&records, &mut found),
            (What::Children { height, .. }, Index::Numbers(prefixes)) => {
                children(self.alphabet, &records, *height, prefixes, &mut found);
            }
            (What::Fragments(_), Index::Numbers(fragments)) => {
                each_once(&records, fragments, &mut found);
            }
            (What::Followers(_), Index::Numbers(grams)) => followers(&records, grams, &mut found),
            (What::Sets(sets), Index::Keys(keys)) => {
                by_locations(&records, sets, keys, true, &mut found);
            }
            (What::Patterns(patterns), Index::Keys(keys)) => {
                by_locations(&records, patterns, keys, false, &mut found);
            }
            (What::Extensions { having, .. }, Index::Trie(trie)) => {
                let column = match having {
                    None => None,
                    Some(having) => {
                        let known = attributes.iter().find(|it| it.name == having.column);
                        let known = known.ok_or_else(|| {
                            Error::input(format!(
                                "there is no column {:?} in the data",
                                having.column
                            ))
                        })?;
                        Some((bounded_column(known, owners, question.unit)?, &having.value))
                    }
                };
                let having = column
                    .as_ref()
                    .map(|(column, value)| (column.as_ref(), value.as_str()));
                extensions(self.alphabet, &records, trie, having, &mut found);
            }
            // The index is made of the question.
            (_, _) => return Err(Error::input("the parts of this question do not fit")),
        }
        let mut tally = Tally::default();
        let mut counted = found.0.into_iter();
        counted.try_for_each(|(pair, count)| tally.add(pair, count))?;
        Ok(tally)
    }
}

/// Tallies some people's rows where they are the only part; what the caller must ensure is that of [`Prepared::tally`].
pub fn tally(question: &Question, part: &Part<'_>) -> Result<Tally> {
    Prepared::new(question.clone())?.tally(part)
}

/// What was found in one part; its records are fewer than 2^64.
#[derive(Default)]
pub(super) struct Found(HashMap<(u32, u32), u64>);

impl Found {
    pub(super) fn add(&mut self, first: u32, second: u32, count: u64) {
        *self.0.entry((first, second)).or_default() += count;
    }
}

fn children(
    alphabet: Alphabet,
    records: &Sequences,
    height: u32,
    prefixes: &Numbers,
    found: &mut Found,
) {
    // All prefixes are of one length; without any, nothing is below them.
    let Some(&depth) = prefixes.lengths.first() else {
        return;
    };
    let mut path = Vec::new();
    for record in 0..records.len() {
        if usable_length(records, record, height) as usize <= depth {
            continue;
        }
        let (codes, bins) = (records.codes_of(record), records.bins_of(record));
        path.clear();
        path.extend((0..=depth).map(|at| match bins.get(at) {
            Some(&bin) => alphabet.symbol(codes[at], bin),
            None => codes[at],
        }));
        if let Some(node) = prefixes.of_sequence(&path[..depth]) {
            found.add(node, path[depth], 1);
        }
    }
}

/// Counts a record once for each of the fragments in it.
fn each_once(records: &Sequences, fragments: &Numbers, found: &mut Found) {
    // The last record in which each was counted, from one.
    let mut last = vec![0; fragments.listed];
    for (record, trajectory) in records.iter().enumerate() {
        for &length in &fragments.lengths {
            let windows = (0..(trajectory.len() + 1).saturating_sub(length))
                .map(|at| &trajectory[at..at + length]);
            for fragment in windows.filter_map(|window| fragments.of_sequence(window)) {
                if std::mem::replace(&mut last[fragment as usize], record + 1) != record + 1 {
                    found.add(fragment, 0, 1);
                }
            }
        }
    }
}

/// Counts a record for each set of locations that it visits, or for each pattern that it follows. Only those are
/// looked at whose least location, or first, is in the record.
fn by_locations(records: &Sequences, listed: &Listed, keys: &Keys, sets: bool, found: &mut Found) {
    let mut visited = Vec::new();
    for trajectory in records.iter() {
        visited.clear();
        visited.extend_from_slice(trajectory);
        visited.sort_unstable();
        visited.dedup();
        let candidates = visited
            .iter()
            .filter_map(|code| keys.by_key.get(code))
            .flatten();
        for &number in candidates.chain(&keys.empty) {
            let wanted = listed.get(number as usize);
            let holds = match sets {
                true => wanted
                    .iter()
                    .all(|code| visited.binary_search(code).is_ok()),
                false => {
                    // Taking each at its first occasion leaves the most for the rest.
                    let mut codes = trajectory.iter();
                    wanted.iter().all(|code| codes.any(|other| other == code))
                }
            };
            if holds {
                found.add(number, 0, 1);
            }
        }
    }
}

/// Counts every occurrence of an n-gram with what follows it.
fn followers(records: &Sequences, grams: &Numbers, found: &mut Found) {
    for trajectory in records.iter() {
        for &length in &grams.lengths {
            for window in trajectory.windows(length + 1) {
                if let Some(gram) = grams.of_sequence(&window[..length]) {
                    found.add(gram, window[length], 1);
                }
            }
        }
    }
}

/// Counts a record once for each pair of its locations.
fn together(records: &Sequences, found: &mut Found) {
    let mut visited = Vec::new();
    for trajectory in records.iter() {
        visited.clear();
        visited.extend_from_slice(trajectory);
        visited.sort_unstable();
        visited.dedup();
        for (at, &lower) in visited.iter().enumerate() {
            for &other in &visited[at..] {
                found.add(lower, other, 1);
            }
        }
    }
}

/// At most `height` symbols of a record, cut before the first bin that lies before its predecessor. This
/// looks at one record alone, so that it does not change what one owner can change.
pub fn usable_length(sequences: &Sequences, record: usize, height: u32) -> u32 {
    let length = sequences.length(record).min(height as usize);
    let bins = sequences.bins_of(record);
    let monotone = bins
        .windows(2)
        .position(|pair| pair[1] < pair[0])
        .map_or(length, |at| at + 1);
    length.min(monotone) as u32
}

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
