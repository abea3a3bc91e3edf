//! Writes fields.

use std::io::{self, Write};

/// A field, quoted where it must be, and where it holds another delimiter for which a reader of
/// the header might take the comma.
pub(crate) fn write_field(out: &mut impl Write, text: &str) -> io::Result<()> {
    if text.contains([',', ';', '\t', '"', '\n', '\r']) {
        write!(out, "\"{}\"", text.replace('"', "\"\""))
    } else {
        out.write_all(text.as_bytes())
    }
}
