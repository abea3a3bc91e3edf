//! A keyed hash of trajectories, by which books recognise data under another name.
//!
//! Each record is hashed by itself, the hashes are sorted, and the sorted list is hashed: the order
//! of the records does not matter, but how often each occurs does. It takes 16 bytes of memory a
//! record and two short hashes a record, less than a microsecond. A single record that was changed,
//! added or left out makes another fingerprint.

use sha2::{Digest, Sha256};

use crate::dataset::Dataset;
use crate::universe::hex;

const BLOCK: usize = 64;
/// How much of a record's hash is kept.
const KEPT: usize = 16;

/// HMAC-SHA-256 (RFC 2104). A copy of one saves hashing the key again.
#[derive(Clone)]
struct Keyed {
    inner: Sha256,
    outer: Sha256,
}

impl Keyed {
    fn new(key: &[u8; 32]) -> Self {
        let padded = |with: u8| {
            let mut block = [with; BLOCK];
            for (byte, key) in block.iter_mut().zip(key) {
                *byte ^= key;
            }
            Sha256::new_with_prefix(block)
        };
        Self {
            inner: padded(0x36),
            outer: padded(0x5c),
        }
    }

    fn finish(mut self) -> [u8; 32] {
        self.outer.update(self.inner.finalize());
        self.outer.finalize().into()
    }
}

/// The trajectories in any order, by the labels of their locations, so that another universe or
/// other names for owners change nothing. `None` where there is nothing to compare.
pub(crate) fn of(data: &Dataset, key: &[u8; 32]) -> Option<String> {
    let trips = data.trips();
    if trips.symbols() == 0 {
        return None;
    }
    let fresh = Keyed::new(key);
    let labels: Vec<[u8; 32]> = data
        .universe()
        .locations()
        .iter()
        .map(|location| {
            let mut hash = fresh.clone();
            hash.inner.update(location.label.as_bytes());
            hash.finish()
        })
        .collect();
    let mut records: Vec<[u8; KEPT]> = (0..trips.len())
        .map(|record| {
            let mut hash = fresh.clone();
            hash.inner
                .update((trips.length(record) as u64).to_le_bytes());
            for &code in trips.codes_of(record) {
                hash.inner.update(&labels[code as usize][..8]);
            }
            for bin in trips.bins_of(record) {
                hash.inner.update(bin.to_le_bytes());
            }
            let mut kept = [0; KEPT];
            kept.copy_from_slice(&hash.finish()[..KEPT]);
            kept
        })
        .collect();
    records.sort_unstable();
    let mut hash = fresh;
    hash.inner.update([u8::from(trips.is_timed())]);
    for record in &records {
        hash.inner.update(record);
    }
    Some(hex(&hash.finish()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::dataset::Owners;
    use crate::sequences::Sequences;
    use crate::universe::{Origin, Universe};

    fn data(labels: &[&str], records: &[&[u32]], population: &str) -> Dataset {
        let origin = Origin::Declared("test".into());
        Dataset::new(
            Arc::new(Universe::from_labels(labels.iter().copied(), origin).unwrap()),
            None,
            Sequences::from_codes(records),
            Owners::EachRecord,
            vec![],
            population.into(),
        )
        .unwrap()
    }

    #[test]
    fn is_the_standard_keyed_hash() {
        // Computed with Python's hmac module: key of 32 bytes 0x0b, message "Hi There".
        let mut hash = Keyed::new(&[0x0b; 32]);
        hash.inner.update(b"Hi There");
        assert_eq!(
            hex(&hash.finish()),
            "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7"
        );
    }

    #[test]
    fn knows_the_same_data_under_another_name_and_universe() {
        let key = [7; 32];
        let one = of(&data(&["A", "B"], &[&[0, 1], &[1]], "p"), &key).unwrap();
        let same = of(&data(&["X", "B", "A"], &[&[2, 1], &[1]], "q"), &key).unwrap();
        assert_eq!(one, same);
        for (other, key) in [
            (data(&["A", "B"], &[&[0, 1], &[0]], "p"), [7; 32]),
            (data(&["A", "B"], &[&[0], &[1, 1]], "p"), [7; 32]),
            (data(&["A", "B"], &[&[0, 1], &[1]], "p"), [8; 32]),
        ] {
            assert_ne!(of(&other, &key).unwrap(), one);
        }
        assert_eq!(of(&data(&["A"], &[&[]], "p"), &key), None);
    }

    #[test]
    fn the_order_of_records_does_not_matter_but_their_number_does() {
        let key = [7; 32];
        let mark = |records: &[&[u32]]| of(&data(&["A", "B"], records, "p"), &key).unwrap();
        let one = mark(&[&[0, 1], &[1], &[1], &[]]);
        assert_eq!(mark(&[&[], &[1], &[0, 1], &[1]]), one);
        for other in [
            mark(&[&[0, 1], &[1], &[]]),
            mark(&[&[0, 1], &[0, 1], &[1], &[]]),
            mark(&[&[1, 0], &[1], &[1], &[]]),
            mark(&[&[0, 1], &[1], &[1], &[], &[]]),
        ] {
            assert_ne!(other, one);
        }
    }
}
