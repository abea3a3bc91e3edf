//! Finds the fields of one record.

use std::borrow::Cow;

use memchr::{memchr, memchr2};
use wayveil_core::Error;

/// A field's place in its block, without the quotes around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether it holds doubled quotes that stand for one.
    pub(crate) doubled: bool,
}

impl Field {
    /// The field's text; copied only where quotes were doubled.
    pub(crate) fn text<'a>(&self, block: &'a str) -> Cow<'a, str> {
        let text = &block[self.start..self.end];
        if self.doubled {
            Cow::Owned(text.replace("\"\"", "\""))
        } else {
            Cow::Borrowed(text)
        }
    }
}

/// What [`scan`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// A record; the next one begins at this position.
    Record {
        /// Where the next record begins.
        next: usize,
        /// Whether a field was quoted; only then can the record span several lines.
        quoted: bool,
    },
    /// The block ends inside the record.
    Incomplete,
}

/// Why a record cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// A quoted field does not end; its number, counted from 1.
    OpenQuote(usize),
    /// Something else than a delimiter follows a closing quote in this field.
    TextAfterQuote(usize),
}

impl Malformed {
    /// The error for a record that begins at this line.
    pub(crate) fn at(self, name: &str, line: u64) -> Error {
        let (message, field, hint) = match self {
            Self::OpenQuote(field) => (
                "a quoted field is not closed",
                field,
                "close the quote, or double a quote that is part of the text (\"\")",
            ),
            Self::TextAfterQuote(field) => (
                "text follows a closing quote",
                field,
                "quote the whole field, and double quotes inside it (\"\")",
            ),
        };
        Error::input(message)
            .in_file(name)
            .at_line(line)
            .at_column(field)
            .hint(hint)
    }
}

/// Reads the record at `start`. `last` says that nothing follows the block.
pub(crate) fn scan(
    block: &[u8],
    start: usize,
    delimiter: u8,
    last: bool,
    fields: &mut Vec<Field>,
) -> Result<Scanned, Malformed> {
    fields.clear();
    let mut quoted = false;
    let mut at = start;
    loop {
        let after = if block.get(at) == Some(&b'"') {
            quoted = true;
            match quoted_field(block, at, delimiter, last, fields)? {
                Some(after) => after,
                None => return Ok(Scanned::Incomplete),
            }
        } else {
            match memchr2(delimiter, b'\n', &block[at..]) {
                Some(length) => {
                    let end = at + length;
                    fields.push(Field {
                        start: at,
                        end,
                        doubled: false,
                    });
                    end
                }
                None if last => {
                    fields.push(Field {
                        start: at,
                        end: block.len(),
                        doubled: false,
                    });
                    block.len()
                }
                None => return Ok(Scanned::Incomplete),
            }
        };
        match block.get(after) {
            Some(&byte) if byte == delimiter => at = after + 1,
            end => {
                // A quoted field ends before its quote, so this touches unquoted ones only.
                if let Some(field) = fields.last_mut()
                    && field.end == after
                    && block[field.start..after].last() == Some(&b'\r')
                {
                    field.end -= 1;
                }
                let next = after + usize::from(end.is_some());
                return Ok(Scanned::Record { next, quoted });
            }
        }
    }
}

/// Reads the quoted field at `at` and returns where its delimiter or line end stands.
fn quoted_field(
    block: &[u8],
    at: usize,
    delimiter: u8,
    last: bool,
    fields: &mut Vec<Field>,
) -> Result<Option<usize>, Malformed> {
    let number = fields.len() + 1;
    let mut doubled = false;
    let mut from = at + 1;
    let close = loop {
        let Some(found) = memchr(b'"', &block[from..]) else {
            return if last {
                Err(Malformed::OpenQuote(number))
            } else {
                Ok(None)
            };
        };
        let quote = from + found;
        match block.get(quote + 1) {
            Some(b'"') => {
                doubled = true;
                from = quote + 2;
            }
            None if !last => return Ok(None),
            _ => break quote,
        }
    };
    fields.push(Field {
        start: at + 1,
        end: close,
        doubled,
    });
    match &block[close + 1..] {
        [] | [b'\n', ..] => Ok(Some(close + 1)),
        [b'\r'] if !last => Ok(None),
        [b'\r'] | [b'\r', b'\n', ..] => Ok(Some(close + 2)),
        [byte, ..] if *byte == delimiter => Ok(Some(close + 1)),
        _ => Err(Malformed::TextAfterQuote(number)),
    }
}

/// Whether a record is an empty line.
pub(crate) fn is_blank(fields: &[Field], quoted: bool) -> bool {
    !quoted && matches!(fields, [only] if only.start == only.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Result<Vec<Vec<String>>, Malformed> {
        let (mut all, mut fields, mut at) = (Vec::new(), Vec::new(), 0);
        while at < text.len() {
            let Scanned::Record { next, .. } = scan(text.as_bytes(), at, b',', true, &mut fields)?
            else {
                panic!("incomplete at the end");
            };
            all.push(
                fields
                    .iter()
                    .map(|field| field.text(text).into_owned())
                    .collect(),
            );
            at = next;
        }
        Ok(all)
    }

    #[test]
    fn splits_fields() {
        assert_eq!(records("a,b\r\nc,\n").unwrap(), [["a", "b"], ["c", ""]]);
        assert_eq!(
            records("\"a,\n\"\"b\"\"\",c").unwrap(),
            [["a,\n\"b\"", "c"]]
        );
        assert_eq!(
            records("\"\",\"x\"\r\ny,z\"z\r").unwrap(),
            [["", "x"], ["y", "z\"z"]]
        );
        assert_eq!(records("\"x\"\r").unwrap(), [["x"]]);
    }

    #[test]
    fn names_broken_quotes() {
        assert_eq!(records("a,\"b"), Err(Malformed::OpenQuote(2)));
        assert_eq!(records("a,b,\"c\"d\n"), Err(Malformed::TextAfterQuote(3)));
        assert_eq!(records("\"c\"\rd\n"), Err(Malformed::TextAfterQuote(1)));
    }

    #[test]
    fn asks_for_more_when_a_record_may_go_on() {
        for part in ["a", "a,\"b", "a,\"b\"", "\"b\"\r"] {
            let scanned = scan(part.as_bytes(), 0, b',', false, &mut Vec::new());
            assert_eq!(scanned, Ok(Scanned::Incomplete), "{part:?}");
        }
    }
}
