//! Gives strings small numbers: an open-addressed table over one arena of text.
//!
//! Ids of cards and stops are short. A string of up to 15 bytes is its own [`Key`], so that
//! comparing it touches one place in memory instead of three; only longer ones are compared by
//! their text. Looking up a whole batch at once lets the processor wait for many memory accesses
//! together.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use wayveil_core::Labels;

const EMPTY: u32 = u32::MAX;
/// The longest string that is its own key.
const SHORT: usize = 15;
/// The top byte of a long string's key; that of a short one is its length.
const LONG: u8 = 0xff;

/// Slots that a quick lookup tries; they mostly lie in one cache line.
const NEAR: usize = 4;

/// A string packed into 16 bytes: its text and length if short, else a hash and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key(u128);

impl Key {
    /// Packs a string; can be done on another thread than the lookup.
    pub(crate) fn of(text: &str) -> Self {
        let mut bytes = [0; SHORT + 1];
        if text.len() <= SHORT {
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            bytes[SHORT] = text.len() as u8;
        } else {
            let mut hasher = FxHasher::default();
            hasher.write(text.as_bytes());
            bytes[..8].copy_from_slice(&hasher.finish().to_le_bytes());
            bytes[8..12].copy_from_slice(&(text.len() as u32).to_le_bytes());
            bytes[SHORT] = LONG;
        }
        Self(u128::from_le_bytes(bytes))
    }

    /// Whether equal keys mean equal strings.
    fn is_exact(self) -> bool {
        (self.0 >> 120) as u8 != LONG
    }

    /// Spreads the key over 64 bits by two multiplications, folding the upper halves back.
    fn hash(self) -> u64 {
        let fold = |one: u64, other: u64| {
            let product = u128::from(one) * u128::from(other);
            product as u64 ^ (product >> 64) as u64
        };
        let low = self.0 as u64 ^ 0x9e37_79b9_7f4a_7c15;
        let high = (self.0 >> 64) as u64 ^ 0xc2b2_ae3d_27d4_eb4f;
        fold(
            fold(low, 0xd6e8_feb8_6659_fd93) ^ high,
            0xa076_1d64_78bd_642f,
        )
    }
}

#[derive(Clone, Copy)]
struct Slot {
    tag: u32,
    index: u32,
}

const FREE: Slot = Slot {
    tag: 0,
    index: EMPTY,
};

/// Distinct strings, numbered in the order in which they first came.
#[derive(Default)]
pub(crate) struct Interner {
    labels: Labels,
    keys: Vec<Key>,
    slots: Vec<Slot>,
}

impl Interner {
    /// How many strings are known.
    pub(crate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The string of a number.
    pub(crate) fn get(&self, index: u32) -> &str {
        self.labels.get(index as usize)
    }

    /// All strings in order.
    pub(crate) fn labels(&self) -> &Labels {
        &self.labels
    }

    /// All strings in order.
    pub(crate) fn into_labels(self) -> Labels {
        self.labels
    }

    /// The number of a known string.
    pub(crate) fn find(&self, text: &str, key: Key) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let hash = key.hash();
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.index == EMPTY {
                return None;
            }
            if slot.tag == (hash >> 32) as u32
                && self.keys[slot.index as usize] == key
                && (key.is_exact() || self.get(slot.index) == text)
            {
                return Some(slot.index);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a string that is not known yet; none when there are too many for a `u32`.
    pub(crate) fn insert_new(&mut self, text: &str, key: Key) -> Option<u32> {
        if self.labels.len() >= EMPTY as usize {
            return None;
        }
        if self.labels.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let index = self.labels.push(text) as u32;
        self.keys.push(key);
        place(&mut self.slots, key, index);
        Some(index)
    }

    /// The number of a string, new or known; none when there are too many for a `u32`.
    pub(crate) fn intern(&mut self, text: &str) -> Option<u32> {
        let key = Key::of(text);
        match self.find(text, key) {
            Some(index) => Some(index),
            None => self.insert_new(text, key),
        }
    }

    /// The numbers of many strings, where they are found at once; a miss says nothing. Both loops
    /// read what does not depend on an earlier turn, so that the waits for memory overlap.
    pub(crate) fn find_easy(&self, keys: &[Key], found: &mut Vec<Option<u32>>) {
        found.clear();
        if self.slots.is_empty() {
            found.resize(keys.len(), None);
            return;
        }
        let mask = self.slots.len() - 1;
        found.extend(keys.iter().map(|key| {
            let hash = key.hash();
            let near = (0..NEAR).map(|step| self.slots[(hash as usize).wrapping_add(step) & mask]);
            let mut near = near.take_while(|slot| slot.index != EMPTY);
            near.find(|slot| slot.tag == (hash >> 32) as u32)
                .map(|slot| slot.index)
        }));
        for (found, &key) in found.iter_mut().zip(keys) {
            *found = found.filter(|&index| self.keys[index as usize] == key && key.is_exact());
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1 << 10);
        self.slots = vec![FREE; size];
        for (index, &key) in self.keys.iter().enumerate() {
            place(&mut self.slots, key, index as u32);
        }
    }
}

fn place(slots: &mut [Slot], key: Key, index: u32) {
    let hash = key.hash();
    let mask = slots.len() - 1;
    let mut at = hash as usize & mask;
    while slots[at].index != EMPTY {
        at = (at + 1) & mask;
    }
    slots[at] = Slot {
        tag: (hash >> 32) as u32,
        index,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_strings_by_first_appearance() {
        for prefix in ["card-", "a card with a long number, that is "] {
            let mut interner = Interner::default();
            assert_eq!(interner.find("a", Key::of("a")), None);
            for round in 0..2 {
                for number in 0..5000u32 {
                    let text = format!("{prefix}{number}");
                    assert_eq!(interner.intern(&text), Some(number), "{round}");
                }
            }
            assert_eq!(interner.len(), 5000);
            assert_eq!(interner.get(7), format!("{prefix}7"));
            let keys = [Key::of(&format!("{prefix}9")), Key::of("stranger")];
            let mut found = Vec::new();
            interner.find_easy(&keys, &mut found);
            assert!(found[0].is_none_or(|index| index == 9));
            assert_eq!(found[1], None);
            assert_eq!(interner.into_labels().get(4999), format!("{prefix}4999"));
        }
    }

    #[test]
    fn short_keys_are_the_strings_themselves() {
        let texts = [
            "",
            "\0",
            "\0\0",
            "a",
            "a\0",
            "fifteen bytes..",
            "sixteen bytes...",
        ];
        for (at, one) in texts.iter().enumerate() {
            for (other_at, other) in texts.iter().enumerate() {
                assert_eq!(
                    Key::of(one) == Key::of(other),
                    at == other_at,
                    "{one:?} {other:?}"
                );
            }
        }
        assert!(Key::of(texts[5]).is_exact());
        assert!(!Key::of(texts[6]).is_exact());
    }
}
