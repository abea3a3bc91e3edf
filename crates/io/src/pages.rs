//! Looks at the page headers of a Parquet file before anything is decoded.
//!
//! Parquet's reader reserves what a header asks for before it looks at the page: eight gigabytes for
//! a damaged byte or two. That ends the program where memory is short, and cannot be caught. So
//! every header is held against the bytes that it is about. Only headers are read, one small piece
//! of the file for each page.

use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;

/// The most bytes that any codec makes of one: Zstandard writes 128 KiB of one byte in four.
const EXPANSION: u64 = 1 << 15;
/// How much is read to find a header in, and how much where that was too little.
const WINDOWS: [u64; 2] = [1 << 10, 1 << 20];
/// How deep the structures of a header may be nested; three are in use.
const DEPTH: u32 = 8;

/// Checks the pages of a file as Wayveil writes them; none if one of them cannot be what its header
/// says.
pub(crate) fn plausible(file: &impl ChunkReader, metadata: &ParquetMetaData) -> Option<()> {
    for column in metadata
        .row_groups()
        .iter()
        .flat_map(|group| group.columns())
    {
        let (mut at, length) = column.byte_range();
        let end = at.checked_add(length).filter(|&end| end <= file.len())?;
        while at < end {
            let header = header_at(file, at, end)?;
            let body = u64::try_from(header.compressed).ok()?;
            let size = u64::try_from(header.uncompressed).ok()?;
            let values = u64::try_from(header.dictionary_values).ok()?;
            if size > body.saturating_mul(EXPANSION) || values > size {
                return None;
            }
            at = at
                .checked_add(header.length)?
                .checked_add(body)
                .filter(|&next| next <= end)?;
        }
    }
    Some(())
}

fn header_at(file: &impl ChunkReader, at: u64, end: u64) -> Option<Header> {
    WINDOWS.iter().find_map(|&window| {
        let length = usize::try_from(window.min(end - at)).ok()?;
        Header::read(&file.get_bytes(at, length).ok()?)
    })
}

/// What a page's header says about sizes.
#[derive(Debug, Default, PartialEq, Eq)]
struct Header {
    /// Of the header itself.
    length: u64,
    uncompressed: i64,
    compressed: i64,
    /// Zero in other pages than dictionaries.
    dictionary_values: i64,
}

impl Header {
    /// Reads the header at the beginning of some bytes.
    fn read(bytes: &[u8]) -> Option<Self> {
        let mut header = Self::default();
        let mut rest = Compact(bytes);
        rest.structure(DEPTH, &mut |rest, field, kind| {
            match (field, kind) {
                (2, Compact::INT) => header.uncompressed = rest.integer()?,
                (3, Compact::INT) => header.compressed = rest.integer()?,
                (7, Compact::STRUCTURE) => {
                    rest.structure(DEPTH, &mut |rest, field, kind| match (field, kind) {
                        (1, Compact::INT) => {
                            header.dictionary_values = rest.integer()?;
                            Some(())
                        }
                        _ => rest.skip(kind, DEPTH),
                    })?;
                }
                _ => rest.skip(kind, DEPTH)?,
            }
            Some(())
        })?;
        header.length = (bytes.len() - rest.0.len()) as u64;
        Some(header)
    }
}

/// What is left of a structure in Thrift's compact protocol, of which headers use a part.
struct Compact<'a>(&'a [u8]);

impl<'a> Compact<'a> {
    const INT: u8 = 5;
    const STRUCTURE: u8 = 12;

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    /// Seven bits in each byte, the lowest first.
    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// The same with the sign in the lowest bit.
    fn integer(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        let half = (value >> 1) as i64;
        Some(if value & 1 == 1 { -half - 1 } else { half })
    }

    /// Calls `each` with the number and the kind of every field; it must consume the field's value.
    fn structure(
        &mut self,
        depth: u32,
        each: &mut dyn FnMut(&mut Self, i64, u8) -> Option<()>,
    ) -> Option<()> {
        depth.checked_sub(1)?;
        let mut field = 0i64;
        loop {
            let first = self.byte()?;
            if first == 0 {
                return Some(());
            }
            field = match first >> 4 {
                0 => self.integer()?,
                step => field.checked_add(i64::from(step))?,
            };
            each(self, field, first & 15)?;
        }
    }

    /// Goes past a value. Lists and maps do not occur in headers.
    fn skip(&mut self, kind: u8, depth: u32) -> Option<()> {
        match kind {
            // True and false, which stand in the kind.
            1 | 2 => Some(()),
            3 => self.byte().map(drop),
            4..=6 => self.unsigned().map(drop),
            7 => self.take(8).map(drop),
            8 => {
                let length = usize::try_from(self.unsigned()?).ok()?;
                self.take(length).map(drop)
            }
            Self::STRUCTURE => {
                let depth = depth.checked_sub(1)?;
                self.structure(depth, &mut |rest, _, kind| rest.skip(kind, depth))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Type 2 (dictionary), 21 bytes from 30, with 3 values in the encoding 0.
    const DICTIONARY: &[u8] = &[
        0x15, 0x04, 0x15, 0x2a, 0x15, 0x3c, 0x4c, 0x15, 0x06, 0x15, 0x00, 0x00, 0x00,
    ];

    #[test]
    fn reads_sizes() {
        let header = Header {
            length: 13,
            uncompressed: 21,
            compressed: 30,
            dictionary_values: 3,
        };
        assert_eq!(Header::read(DICTIONARY).as_ref(), Some(&header));
        let followed = [DICTIONARY, b"page"].concat();
        assert_eq!(Header::read(&followed), Some(header));
        for length in 0..DICTIONARY.len() {
            assert_eq!(Header::read(&DICTIONARY[..length]), None, "{length}");
        }
    }

    #[test]
    fn goes_past_what_it_does_not_need() {
        // A checksum, then the header of a data page with statistics: two texts and a switch.
        let bytes = [
            0x15, 0x00, 0x15, 0x02, 0x15, 0x01, 0x15, 0x7f, 0x1c, 0x15, 0x06, 0x4c, 0x18, 0x02,
            b'a', b'b', 0x18, 0x00, 0x11, 0x00, 0x00, 0x00,
        ];
        let header = Header::read(&bytes).unwrap();
        assert_eq!((header.length, header.uncompressed), (22, 1));
        assert_eq!((header.compressed, header.dictionary_values), (-1, 0));
    }

    #[test]
    fn nonsense_ends() {
        assert_eq!(Header::read(&[0x1c; 1000]), None, "nested without end");
        assert_eq!(Header::read(&[0x15; 1000]), None, "fields without end");
        assert_eq!(
            Header::read(&[0x18, 0xff, 0xff, 0xff, 0x7f]),
            None,
            "a long text"
        );
        assert_eq!(Header::read(&[0xff; 1000]), None);
    }
}
