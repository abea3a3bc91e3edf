//! Walks Thrift's compact form, in which Parquet writes its metadata, without keeping anything.
//!
//! Parquet's reader makes room for as many parts as a damaged file announces. A walk beforehand
//! shows whether what is announced can be there at all.

/// How deep structures may lie in each other.
const DEPTH: usize = 32;

/// Walks one structure and calls `see` with every whole number and the field numbers that lead to
/// it. Returns how many bytes the structure has; none if it is not all there, or is none.
pub(super) fn walk(bytes: &[u8], see: &mut dyn FnMut(&[i64], i64)) -> Option<usize> {
    let mut walker = Walker {
        rest: bytes,
        path: Vec::new(),
        see,
    };
    walker.structure()?;
    Some(bytes.len() - walker.rest.len())
}

struct Walker<'a> {
    rest: &'a [u8],
    path: Vec<i64>,
    see: &'a mut dyn FnMut(&[i64], i64),
}

impl Walker<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*byte)
    }

    fn skip(&mut self, length: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(length).ok()?..)?;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let raw = self.varint()?;
        Some((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    fn structure(&mut self) -> Option<()> {
        if self.path.len() >= DEPTH {
            return None;
        }
        let mut field: i64 = 0;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            field = match head >> 4 {
                0 => self.integer()?,
                step => field.checked_add(step.into())?,
            };
            self.path.push(field);
            // A truth value stands in the field's head.
            if !matches!(head & 15, 1 | 2) {
                self.value(head & 15)?;
            }
            self.path.pop();
        }
    }

    fn value(&mut self, kind: u8) -> Option<()> {
        match kind {
            1..=3 => self.skip(1),
            4..=6 => {
                let value = self.integer()?;
                (self.see)(&self.path, value);
                Some(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.varint()?,
                    few => few.into(),
                };
                self.many(count, &[head & 15])
            }
            11 => {
                let count = self.varint()?;
                if count == 0 {
                    return Some(());
                }
                let kinds = self.byte()?;
                self.many(count, &[kinds >> 4, kinds & 15])
            }
            12 => self.structure(),
            _ => None,
        }
    }

    /// Every part has at least one byte. Lists of truth values do not occur in what is walked
    /// here; Parquet's reader takes them for parts without bytes, reads on at the wrong place, and
    /// may then count to billions.
    fn many(&mut self, count: u64, kinds: &[u8]) -> Option<()> {
        if count > self.rest.len() as u64 || kinds.iter().any(|kind| matches!(kind, 1 | 2)) {
            return None;
        }
        for _ in 0..count {
            for &kind in kinds {
                self.value(kind)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Seen = Vec<(Vec<i64>, i64)>;

    fn numbers(bytes: &[u8]) -> Option<(usize, Seen)> {
        let mut seen = Vec::new();
        let length = walk(bytes, &mut |path, value| seen.push((path.to_vec(), value)))?;
        Some((length, seen))
    }

    #[test]
    fn lists_of_truth_values_are_refused() {
        assert_eq!(numbers(&[0x19, 0x21, 1, 1, 0]), None);
        assert_eq!(numbers(&[0x1b, 1, 0x51, 2, 1, 0]), None);
        assert!(numbers(&[0x19, 0x23, 1, 1, 0]).is_some());
    }

    #[test]
    fn sees_numbers_by_their_path() {
        // 1: i32 3; 2: true; 3: list of structs {1: i64 -1}, {}; 20: binary "ab"; 21: map i32 → i32.
        let bytes = [
            0x15, 6, 0x11, 0x19, 0x2c, 0x16, 1, 0, 0, 0x08, 40, 2, b'a', b'b', 0x1b, 1, 0x55, 2, 4,
            0, 99,
        ];
        let (length, seen) = numbers(&bytes).unwrap();
        assert_eq!(length, bytes.len() - 1);
        let expected = [(vec![1], 3), (vec![3, 1], -1), (vec![21], 1), (vec![21], 2)];
        assert_eq!(seen, expected);
    }

    #[test]
    fn what_cannot_be_there_is_refused() {
        for bytes in [
            &[][..],
            &[0x15],
            &[0x15, 0x80],
            // A list of 2³² structures, a text of 2³² bytes, a map as long.
            &[0x19, 0xfc, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0],
            &[0x18, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0],
            &[0x1b, 0x80, 0x80, 0x80, 0x80, 0x10, 0x55, 0],
            &[0x1d, 0],
            // A number without an end.
            &[
                0x16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0,
            ],
        ] {
            assert!(numbers(bytes).is_none(), "{bytes:?}");
        }
        assert!(numbers(&[0x1c; 100_000]).is_none());
    }
}
