//! Fragments as numbers.

use rustc_hash::FxHashMap;
use wayveil_core::{Error, Result, Sequences};

/// Words of one length as numbers: digits code + 1 in base `locations` + 1, the first location
/// lowest. Zero is the empty word, and a missing digit is a zero, so that pieces need no other pad.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Alphabet {
    base: u64,
    length: usize,
}

/// Values of the hash that joins pieces of one word.
pub(super) const HASHES: u64 = 256;

impl Alphabet {
    pub(super) fn new(locations: u32, length: usize) -> Result<Self> {
        let base = u64::from(locations) + 1;
        let exponent = u32::try_from(length).unwrap_or(u32::MAX);
        // Hash functions work modulo 2^61 − 1.
        let fits = base
            .checked_pow(exponent)
            .is_some_and(|words| words < 1 << 60)
            && base < 1 << 24
            && locations > 0;
        fits.then_some(Self { base, length }).ok_or_else(|| {
            Error::input(format!(
                "fragments of {length} among {locations} locations do not fit a 60-bit word"
            ))
            .hint("ask for shorter fragments")
        })
    }

    /// How many locations a word has.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    pub(super) fn encode(&self, fragment: &[u32]) -> u64 {
        (fragment.iter().rev()).fold(0, |word, &code| word * self.base + u64::from(code) + 1)
    }

    /// The fragment of a word that is not empty.
    pub(super) fn decode(&self, mut word: u64) -> Vec<u32> {
        let mut fragment = Vec::new();
        while word > 0 {
            fragment.push((word % self.base).saturating_sub(1) as u32);
            word /= self.base;
        }
        fragment
    }

    /// How many full words there are.
    pub(super) fn words(&self) -> u64 {
        (self.base - 1).pow(self.length as u32)
    }

    /// All full words.
    pub(super) fn all(&self) -> Vec<u64> {
        let mut words = vec![0];
        for _ in 0..self.length {
            let longer = |word: u64| (1..self.base).map(move |digit| word * self.base + digit);
            words = words.into_iter().flat_map(longer).collect();
        }
        words
    }

    /// How many two-symbol pieces a word has; the last may be half empty.
    pub(super) fn pieces(&self) -> usize {
        self.length.div_ceil(2)
    }

    /// The two digits of a position.
    pub(super) fn piece(&self, word: u64, position: usize) -> u64 {
        let square = self.base * self.base;
        (0..position).fold(word, |rest, _| rest / square) % square
    }

    /// The word with these pieces.
    pub(super) fn joined(&self, pieces: impl DoubleEndedIterator<Item = u64>) -> u64 {
        let square = self.base * self.base;
        pieces.rev().fold(0, |word, piece| word * square + piece)
    }

    /// All pieces that a full word can have at a position.
    pub(super) fn possible_pieces(&self, position: usize) -> Vec<u64> {
        let second = if 2 * position + 1 < self.length {
            1..self.base
        } else {
            0..1
        };
        second
            .flat_map(|second| (1..self.base).map(move |first| second * self.base + first))
            .collect()
    }

    /// A hash and a piece as one number.
    pub(super) fn with_hash(&self, hash: u64, piece: u64) -> u64 {
        hash * self.base * self.base + piece
    }
}

/// Each record's distinct words of one length, numbered.
pub(super) struct Words {
    /// Every word that occurs, once; the empty word first.
    pub(super) distinct: Vec<u64>,
    offsets: Vec<u32>,
    numbers: Vec<u32>,
}

impl Words {
    pub(super) fn of(records: &Sequences, alphabet: &Alphabet) -> Self {
        let mut words = Self {
            distinct: vec![0],
            offsets: vec![0],
            numbers: Vec::new(),
        };
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut own = Vec::new();
        for record in records.iter() {
            own.clear();
            own.extend(record.windows(alphabet.length).map(|w| alphabet.encode(w)));
            own.sort_unstable();
            own.dedup();
            for &word in &own {
                let number = *known.entry(word).or_insert_with(|| {
                    words.distinct.push(word);
                    words.distinct.len() as u32 - 1
                });
                words.numbers.push(number);
            }
            words.offsets.push(words.numbers.len() as u32);
        }
        words
    }

    /// The numbers of a record's words.
    pub(super) fn of_record(&self, record: usize) -> &[u32] {
        &self.numbers[self.offsets[record] as usize..self.offsets[record + 1] as usize]
    }
}
