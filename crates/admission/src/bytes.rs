//! Reading fields off bytes.

use wayveil_core::{Error, Result};

pub(crate) struct Fields<'a> {
    what: &'static str,
    left: &'a [u8],
}

impl<'a> Fields<'a> {
    /// The fields of something that begins with this mark.
    pub(crate) fn after(mark: &[u8], what: &'static str, bytes: &'a [u8]) -> Result<Self> {
        let left = bytes.strip_prefix(mark);
        let left = left.ok_or_else(|| broken(what, "it does not begin as one of this version"))?;
        Ok(Self { what, left })
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let Some((array, left)) = self.left.split_first_chunk() else {
            return Err(broken(self.what, "it ends too early"));
        };
        self.left = left;
        Ok(*array)
    }

    pub(crate) fn slice(&mut self, length: usize) -> Result<&'a [u8]> {
        let Some((slice, left)) = self.left.split_at_checked(length) else {
            return Err(broken(self.what, "it ends too early"));
        };
        self.left = left;
        Ok(slice)
    }

    pub(crate) fn rest(self) -> &'a [u8] {
        self.left
    }

    pub(crate) fn end(self) -> Result<()> {
        match self.left.is_empty() {
            true => Ok(()),
            false => Err(broken(self.what, "there are bytes after its end")),
        }
    }
}

pub(crate) fn broken(what: &str, why: &str) -> Error {
    Error::input(format!("invalid {what}: {why}"))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
