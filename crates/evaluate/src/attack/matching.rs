//! Who matches what an attacker knows.
//!
//! A [`Crowd`] holds records by their distinct forms: equal records are one form with a count, so
//! that the same way of a thousand people is looked at once. Visits become symbols, a location or in
//! timed data a location in a bin. Each symbol lists the forms that contain it.
//!
//! Known points match a record when
//!
//! - untimed: they are a subsequence of it;
//! - timed: each is a visit of its own in it, in whatever order: records are multisets.
//!
//! Symbols of timed records are kept in the order of bin and location, so that both are the same
//! test. What matches p + 1 points matches p of them: candidates only become fewer, and the
//! shorter of the former candidates and the new point's list is filtered.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result, Sequences};

/// A visit as one number: the bin above the location; untimed, the location alone.
pub(super) type Key = u64;

/// The key of a location in a bin.
pub(super) fn key(bin: u32, location: u32) -> Key {
    Key::from(bin) << 32 | Key::from(location)
}

/// The location of a key.
pub(super) fn location_of(key: Key) -> u32 {
    (key & Key::from(u32::MAX)) as u32
}

/// The bin of a key; 0 in untimed data.
pub(super) fn bin_of(key: Key) -> u32 {
    (key >> 32) as u32
}

/// Records by their distinct forms, with an index of the symbols in them.
///
/// Symbols are numbered in the order of their keys and forms in the order of their symbols, so that
/// who comes first in a tie depends on no record but the tied ones.
pub(super) struct Crowd {
    timed: bool,
    keys: Vec<Key>,
    symbol_of_key: FxHashMap<Key, u32>,
    /// Form f is `symbols[starts[f]..starts[f + 1]]`.
    starts: Vec<usize>,
    symbols: Vec<u32>,
    /// The people of form f, in increasing order, are `people[counts[f]..counts[f + 1]]`.
    people: Vec<u32>,
    counts: Vec<usize>,
    /// The forms with symbol s, in increasing order, are `lists[ends[s]..ends[s + 1]]`.
    lists: Vec<u32>,
    ends: Vec<usize>,
}

impl Crowd {
    /// Sorts and indexes records.
    pub(super) fn new(records: &Sequences) -> Result<Self> {
        let most = u32::MAX as usize;
        if records.len() >= most || records.symbols() >= most {
            return Err(Error::input(
                "attacks on more than 4,294,967,294 visits are not supported",
            ));
        }
        let visits: Vec<Key> = match records.bins() {
            Some(bins) => (records.codes().par_iter().zip(bins))
                .map(|(&location, &bin)| key(bin, location))
                .collect(),
            None => records.codes().par_iter().map(|&at| key(0, at)).collect(),
        };
        let mut keys = visits.clone();
        keys.par_sort_unstable();
        keys.dedup();
        let symbol_of_key: FxHashMap<Key, u32> = keys.iter().copied().zip(0..).collect();
        let mut symbols: Vec<u32> = visits.par_iter().map(|key| symbol_of_key[key]).collect();
        drop(visits);
        let ranges: Vec<_> = (records.offsets().windows(2))
            .map(|pair| pair[0] as usize..pair[1] as usize)
            .collect();
        if records.is_timed() {
            for range in &ranges {
                let record = &mut symbols[range.clone()];
                if !record.is_sorted() {
                    record.sort_unstable();
                }
            }
        }
        let record = |person: u32| &symbols[ranges[person as usize].clone()];
        let people = in_order(records.len() as u32, record);
        let (mut starts, mut sorted, mut counts) = (vec![0], Vec::new(), Vec::new());
        for (at, &person) in people.iter().enumerate() {
            if at == 0 || record(people[at - 1]) != record(person) {
                counts.push(at);
                sorted.extend_from_slice(record(person));
                starts.push(sorted.len());
            }
        }
        counts.push(people.len());
        let (lists, ends) = lists(&starts, &sorted, keys.len());
        Ok(Self {
            timed: records.is_timed(),
            keys,
            symbol_of_key,
            starts,
            symbols: sorted,
            people,
            counts,
            lists,
            ends,
        })
    }

    /// Whether visits have bins.
    pub(super) fn is_timed(&self) -> bool {
        self.timed
    }

    /// How many forms there are.
    pub(super) fn forms(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The symbols of a form.
    pub(super) fn symbols_of(&self, form: u32) -> &[u32] {
        &self.symbols[self.starts[form as usize]..self.starts[form as usize + 1]]
    }

    /// The visits of a form: in their own order, or in timed data by bin and location.
    pub(super) fn visits_of(&self, form: u32) -> impl ExactSizeIterator<Item = Key> + Clone {
        let key = |&symbol: &u32| self.keys[symbol as usize];
        self.symbols_of(form).iter().map(key)
    }

    /// The people of a form.
    pub(super) fn people_of(&self, form: u32) -> &[u32] {
        &self.people[self.counts[form as usize]..self.counts[form as usize + 1]]
    }

    /// The form with these visits, if someone has it.
    pub(super) fn form_of(&self, visits: &[Key]) -> Option<u32> {
        let symbols: Option<Vec<u32>> = visits.iter().map(|&key| self.symbol(key)).collect();
        let symbols = symbols?;
        // The number of forms that come before: the position of this one, if it is there.
        let (mut low, mut high) = (0, self.forms());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.symbols_of(middle) < symbols.as_slice() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.forms() && self.symbols_of(low) == symbols).then_some(low)
    }

    /// The symbol of a visit, if someone made it.
    pub(super) fn symbol(&self, key: Key) -> Option<u32> {
        self.symbol_of_key.get(&key).copied()
    }

    /// The visit of a symbol.
    pub(super) fn key_of(&self, symbol: u32) -> Key {
        self.keys[symbol as usize]
    }

    fn list(&self, symbol: u32) -> &[u32] {
        &self.lists[self.ends[symbol as usize]..self.ends[symbol as usize + 1]]
    }

    /// How many people have this form.
    pub(super) fn count(&self, form: u32) -> usize {
        self.people_of(form).len()
    }

    /// Whether nobody, one person or more match the points at these positions of `record`, which
    /// are in increasing order. Starts from the rarest point and ends at the second match.
    pub(super) fn matches(&self, record: &[Key], known: &[usize]) -> Matches {
        let symbols: Option<Vec<u32>> = (known.iter()).map(|&at| self.symbol(record[at])).collect();
        let Some(symbols) = symbols else {
            return Matches::Nobody;
        };
        let lists = symbols.iter().map(|&symbol| self.list(symbol));
        let Some(rarest) = lists.min_by_key(|list| list.len()) else {
            return Matches::Several;
        };
        let mut found = Matches::Nobody;
        for &form in rarest {
            if contains(self.symbols_of(form), symbols.iter().copied()) {
                found = match (found, self.count(form)) {
                    (Matches::Nobody, 1) => Matches::One(form),
                    _ => return Matches::Several,
                };
            }
        }
        found
    }

    /// The forms that match the first known point, the first two, and so on, for as long as any do.
    /// Position `revealed[i]` of `record` is the i-th point that is known.
    pub(super) fn narrow(&self, record: &[Key], revealed: &[usize]) -> Vec<Vec<u32>> {
        let mut levels: Vec<Vec<u32>> = Vec::new();
        let mut known: Vec<(usize, u32)> = Vec::new();
        for &position in revealed {
            let Some(symbol) = self.symbol(record[position]) else {
                break;
            };
            let at = known.partition_point(|&(before, _)| before < position);
            known.insert(at, (position, symbol));
            let list = self.list(symbol);
            let wanted = known.iter().map(|&(_, symbol)| symbol);
            let matches = |&form: &u32| contains(self.symbols_of(form), wanted.clone());
            let candidates: Vec<u32> = match levels.last() {
                None => list.to_vec(),
                Some(before) if before.len() <= list.len() => {
                    before.iter().copied().filter(matches).collect()
                }
                Some(_) => list.iter().copied().filter(matches).collect(),
            };
            if candidates.is_empty() {
                break;
            }
            levels.push(candidates);
        }
        levels
    }
}

/// People in the order of their records, equal ones by number.
fn in_order<'a>(people: u32, record: impl Fn(u32) -> &'a [u32] + Sync) -> Vec<u32> {
    // Two symbols side by side decide most comparisons without a look at the record.
    let beginning = |person| {
        let symbol = |at| {
            record(person)
                .get(at)
                .map_or(0, |&it: &u32| u64::from(it) + 1)
        };
        symbol(0) << 32 | symbol(1)
    };
    let mut order: Vec<(u64, u32)> = (0..people)
        .into_par_iter()
        .map(|person| (beginning(person), person))
        .collect();
    order.par_sort_unstable_by(|a, b| {
        (a.0.cmp(&b.0))
            .then_with(|| record(a.1).cmp(record(b.1)))
            .then(a.1.cmp(&b.1))
    });
    order.into_iter().map(|(_, person)| person).collect()
}

/// For each symbol the forms that contain it.
fn lists(starts: &[usize], symbols: &[u32], distinct: usize) -> (Vec<u32>, Vec<usize>) {
    const NOBODY: u32 = u32::MAX;
    let mut last = vec![NOBODY; distinct];
    let mut ends = vec![0; distinct + 1];
    let mut each = |take: &mut dyn FnMut(usize, u32)| {
        last.fill(NOBODY);
        for (form, range) in (0..).zip(starts.windows(2)) {
            for &symbol in &symbols[range[0]..range[1]] {
                let symbol = symbol as usize;
                if last[symbol] != form {
                    last[symbol] = form;
                    take(symbol, form);
                }
            }
        }
    };
    each(&mut |symbol, _| ends[symbol + 1] += 1);
    for symbol in 0..distinct {
        ends[symbol + 1] += ends[symbol];
    }
    let mut next = ends.clone();
    let mut lists = vec![0; ends[distinct]];
    each(&mut |symbol, form| {
        lists[next[symbol]] = form;
        next[symbol] += 1;
    });
    (lists, ends)
}

/// How many people match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Matches {
    /// Nobody.
    Nobody,
    /// One person, of this form.
    One(u32),
    /// More than one, or everyone because nothing is known.
    Several,
}

/// Whether the wanted symbols are a subsequence.
pub(super) fn contains(symbols: &[u32], wanted: impl IntoIterator<Item = u32>) -> bool {
    let mut rest = symbols.iter();
    (wanted.into_iter()).all(|symbol| rest.any(|&here| here == symbol))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{every_subset, random_records};
    use super::super::trials::visits;
    use super::*;

    fn forms(crowd: &Crowd) -> Vec<Vec<Key>> {
        (0..crowd.forms())
            .map(|form| crowd.visits_of(form).collect())
            .collect()
    }

    #[test]
    fn equal_records_are_one_form() {
        let records = Sequences::from_codes([vec![7, 5], vec![5], vec![7, 5], vec![]]);
        let crowd = Crowd::new(&records).unwrap();
        assert_eq!(forms(&crowd), [vec![], vec![5], vec![7, 5]]);
        assert_eq!(crowd.people_of(2), [0, 2]);
        assert_eq!(crowd.form_of(&[7, 5]), Some(2));
        assert_eq!(crowd.form_of(&[5, 7]), None);
        assert_eq!(crowd.form_of(&[6]), None);
        assert_eq!([crowd.count(2), crowd.count(1)], [2, 1]);
    }

    #[test]
    fn order_counts_only_without_times() {
        let matching = |records: &Sequences, record: &[Key], revealed: &[usize]| {
            let crowd = Crowd::new(records).unwrap();
            let levels = crowd.narrow(record, revealed);
            levels
                .iter()
                .map(|it| it.iter().map(|&form| crowd.count(form)).sum::<usize>())
                .collect::<Vec<_>>()
        };
        let untimed = Sequences::from_codes([vec![1, 2], vec![2, 1], vec![1, 3, 2], vec![1]]);
        // Revealed from the end: 2, then 1 before it.
        assert_eq!(matching(&untimed, &[1, 2], &[1, 0]), [3, 2]);
        assert_eq!(matching(&untimed, &[1, 1], &[0, 1]), [4]);
        let timed = Sequences::new(
            vec![0, 2, 4, 5],
            vec![1, 2, 2, 1, 1],
            Some(vec![4, 5, 5, 4, 5]),
        )
        .unwrap();
        assert_eq!(matching(&timed, &[key(4, 1), key(5, 2)], &[0, 1]), [2, 2]);
        assert_eq!(matching(&timed, &[key(5, 1)], &[0]), [1]);
    }

    #[test]
    fn narrowing_is_what_a_search_of_every_record_finds() {
        for seed in 0..200 {
            let records = random_records(seed, 12, 5, 3, (seed % 2 == 0).then_some(2));
            let crowd = Crowd::new(&records).unwrap();
            for victim in 0..records.len() {
                let record = visits(&records, victim);
                // Some order of revealing, different for each victim.
                let mut revealed: Vec<usize> = (0..record.len()).collect();
                revealed.rotate_left(victim % record.len().max(1));
                let levels = crowd.narrow(&record, &revealed);
                for points in 1..=revealed.len() {
                    let mut known = revealed[..points].to_vec();
                    known.sort_unstable();
                    let known: Vec<Key> = known.iter().map(|&at| record[at]).collect();
                    let mut found: Vec<usize> = levels
                        .get(points - 1)
                        .into_iter()
                        .flatten()
                        .flat_map(|&form| crowd.people_of(form))
                        .map(|&person| person as usize)
                        .collect();
                    found.sort_unstable();
                    let searched: Vec<usize> = (0..records.len())
                        .filter(|&person| {
                            let other = visits(&records, person);
                            every_subset(&other).any(|some| some == known)
                        })
                        .collect();
                    assert_eq!(found, searched, "seed {seed}, victim {victim}, {known:?}");
                    let mut positions = revealed[..points].to_vec();
                    positions.sort_unstable();
                    let expected = match searched[..] {
                        [] => Matches::Nobody,
                        [only] => Matches::One(crowd.form_of(&visits(&records, only)).unwrap()),
                        _ => Matches::Several,
                    };
                    assert_eq!(crowd.matches(&record, &positions), expected);
                }
            }
        }
    }
}
