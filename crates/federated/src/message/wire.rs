//! Bytes of messages: a head of version and kind, then whole numbers in groups of seven bits.

use wayveil_core::{Error, Result};

/// The version that is written, and the only one that is read.
const VERSION: u8 = 1;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Terms = 1,
    Question = 2,
    Answer = 3,
    /// What a client keeps; never sent.
    Saved = 4,
}

pub(crate) fn broken(why: &str) -> Error {
    Error::input(format!("invalid message: {why}"))
}

pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn new(kind: Kind) -> Self {
        Self(vec![VERSION << 4 | kind as u8])
    }

    /// Seven bits in each byte, lowest first; the top bit says that more follow.
    pub(crate) fn number(&mut self, value: impl Into<u64>) -> &mut Self {
        let mut value = value.into();
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    /// Bytes with their number before them.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn done(self) -> Vec<u8> {
        self.0
    }
}

pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(kind: Kind, bytes: &'a [u8]) -> Result<Self> {
        let (&head, rest) = bytes.split_first().ok_or_else(|| broken("it is empty"))?;
        if head >> 4 != VERSION {
            return Err(
                broken(&format!("version {} is not known", head >> 4)).hint(format!(
                    "this program reads version {VERSION}; update the older side"
                )),
            );
        }
        if head & 0xF != kind as u8 {
            return Err(broken("it is of another kind"));
        }
        Ok(Self(rest))
    }

    pub(crate) fn number(&mut self) -> Result<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self
                .0
                .split_first()
                .ok_or_else(|| broken("it ends too early"))?;
            self.0 = rest;
            let part = u64::from(byte & 0x7F);
            if part << shift >> shift != part {
                return Err(broken("a number is too large"));
            }
            value |= part << shift;
            if byte < 0x80 {
                return match byte == 0 && shift > 0 {
                    true => Err(broken("a number is padded")),
                    false => Ok(value),
                };
            }
        }
        Err(broken("a number is too large"))
    }

    /// A number in a range.
    pub(crate) fn within(&mut self, least: u64, most: u64) -> Result<u64> {
        let value = self.number()?;
        match (least..=most).contains(&value) {
            true => Ok(value),
            false => Err(broken("a number is out of range")),
        }
    }

    /// A number of 32 bits.
    pub(crate) fn small(&mut self) -> Result<u32> {
        Ok(self.within(0, u32::MAX.into())? as u32)
    }

    /// Bytes with their number before them.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        let parts = self.0.split_at_checked(length);
        let (bytes, rest) = parts.ok_or_else(|| broken("it ends too early"))?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn end(self) -> Result<()> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(broken("there are bytes after its end")),
        }
    }
}
