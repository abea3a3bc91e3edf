//! Fragments, level by level.
//!
//! Each place of the data holds the number of the fragment that begins there. A fragment of the
//! next level is that number and the symbol behind it, so that fragments of any length are counted
//! as single words. Places whose fragment is too rare drop out.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result, Sequences};

/// No fragment begins here.
const NONE: u32 = u32::MAX;
/// A thread gets no less than this many symbols.
const LEAST_PART: usize = 1 << 14;

/// One fragment of a level.
pub(super) struct Gram {
    /// The fragment without its last symbol, in the level before.
    parent: u32,
    last: u32,
    pub(super) support: u64,
    pub(super) occurrences: u64,
}

/// The fragments of one length, and what is needed to spell them and to go on.
pub(super) struct Levels<'a> {
    sequences: &'a Sequences,
    /// Records in parts of about the same number of symbols, one for each thread.
    parts: Vec<Range<usize>>,
    /// By place, the number of its fragment in the last level.
    places: Vec<u32>,
    levels: Vec<Vec<Gram>>,
}

impl<'a> Levels<'a> {
    /// At length 0: every place begins the empty fragment.
    pub(super) fn new(sequences: &'a Sequences) -> Result<Self> {
        if sequences.symbols() as u64 >= u64::from(NONE) {
            return Err(Error::input(
                "fragments are counted in at most 4 billion symbols",
            ));
        }
        Ok(Self {
            sequences,
            parts: parts(sequences),
            places: vec![0; sequences.symbols()],
            levels: Vec::new(),
        })
    }

    /// The length of the last level's fragments.
    pub(super) fn length(&self) -> usize {
        self.levels.len()
    }

    /// Goes on to the fragments that are longer by one and that enough records hold; tells whether
    /// there are any.
    pub(super) fn grow(&mut self, min_support: u64) -> bool {
        let (sequences, length) = (self.sequences, self.length());
        let mut slices = cut(&mut self.places, sequences, &self.parts);
        let counted: Vec<Part> = (self.parts.par_iter())
            .zip(slices.par_iter_mut())
            .map(|(records, places)| Part::count(sequences, records.clone(), length, places))
            .collect();
        let (level, numbers) = merge(counted, min_support);
        slices
            .into_par_iter()
            .zip(numbers)
            .for_each(|(places, numbers)| {
                for place in places.iter_mut().filter(|place| **place != NONE) {
                    *place = numbers[*place as usize];
                }
            });
        let any = !level.is_empty();
        self.levels.push(level);
        any
    }

    /// Shows every fragment of the last level.
    pub(super) fn each(&self, mut show: impl FnMut(&[u32], &Gram)) {
        let Some((last, before)) = self.levels.split_last() else {
            return;
        };
        let mut codes = vec![0; self.length()];
        for gram in last {
            let (mut parent, mut symbol) = (gram.parent, gram.last);
            for (code, level) in codes.iter_mut().skip(1).rev().zip(before.iter().rev()) {
                *code = symbol;
                let shorter = &level[parent as usize];
                (parent, symbol) = (shorter.parent, shorter.last);
            }
            codes[0] = symbol;
            show(&codes, gram);
        }
    }
}

fn parts(sequences: &Sequences) -> Vec<Range<usize>> {
    let count = (sequences.symbols() / LEAST_PART).clamp(1, rayon::current_num_threads());
    let offsets = sequences.offsets();
    let border = |part: usize| {
        let symbols = (sequences.symbols() as u128 * part as u128 / count as u128) as u64;
        offsets[..sequences.len()].partition_point(|&offset| offset < symbols)
    };
    let mut borders: Vec<usize> = (0..count).map(border).collect();
    borders.push(sequences.len());
    borders.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Each part's places.
fn cut<'p>(
    mut places: &'p mut [u32],
    sequences: &Sequences,
    parts: &[Range<usize>],
) -> Vec<&'p mut [u32]> {
    let offsets = sequences.offsets();
    let cut = |records: &Range<usize>| {
        let size = (offsets[records.end] - offsets[records.start]) as usize;
        let (head, tail) = std::mem::take(&mut places).split_at_mut(size);
        places = tail;
        head
    };
    parts.iter().map(cut).collect()
}

struct Entry {
    key: u64,
    support: u64,
    occurrences: u64,
    last_record: usize,
}

/// The fragments of one part of the records, with numbers of its own.
struct Part {
    entries: Vec<Entry>,
}

impl Part {
    /// Counts fragments of `length + 1` symbols and leaves their numbers in `places`.
    fn count(
        sequences: &Sequences,
        records: Range<usize>,
        length: usize,
        places: &mut [u32],
    ) -> Self {
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let mut entries: Vec<Entry> = Vec::new();
        let mut rest = places;
        for record in records {
            let codes = sequences.codes_of(record);
            let (places, tail) = rest.split_at_mut(codes.len());
            rest = tail;
            for at in 0..codes.len() {
                let fits = at + length < codes.len()
                    && places[at] != NONE
                    && (length == 0 || places[at + 1] != NONE);
                if !fits {
                    places[at] = NONE;
                    continue;
                }
                let key = u64::from(places[at]) << 32 | u64::from(codes[at + length]);
                let number = *numbers.entry(key).or_insert_with(|| {
                    entries.push(Entry {
                        key,
                        support: 0,
                        occurrences: 0,
                        last_record: usize::MAX,
                    });
                    entries.len() as u32 - 1
                });
                let entry = &mut entries[number as usize];
                entry.occurrences += 1;
                entry.support += u64::from(entry.last_record != record);
                entry.last_record = record;
                places[at] = number;
            }
        }
        Self { entries }
    }
}

/// All parts' fragments that are frequent, and for each part the new numbers of its old ones.
fn merge(parts: Vec<Part>, min_support: u64) -> (Vec<Gram>, Vec<Vec<u32>>) {
    let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
    let mut all: Vec<Gram> = Vec::new();
    let mut renumbered = Vec::with_capacity(parts.len());
    for part in parts {
        let number = |entry: Entry| {
            let number = *numbers.entry(entry.key).or_insert_with(|| {
                all.push(Gram {
                    parent: (entry.key >> 32) as u32,
                    last: entry.key as u32,
                    support: 0,
                    occurrences: 0,
                });
                all.len() as u32 - 1
            });
            let gram = &mut all[number as usize];
            gram.support += entry.support;
            gram.occurrences += entry.occurrences;
            number
        };
        renumbered.push(part.entries.into_iter().map(number).collect::<Vec<u32>>());
    }
    let mut kept = 0;
    let keep: Vec<u32> = all
        .iter()
        .map(|gram| {
            if gram.support < min_support {
                return NONE;
            }
            kept += 1;
            kept - 1
        })
        .collect();
    all.retain(|gram| gram.support >= min_support);
    for number in renumbered.iter_mut().flatten() {
        *number = keep[*number as usize];
    }
    (all, renumbered)
}
