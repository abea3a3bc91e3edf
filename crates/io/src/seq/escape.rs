//! Percent-encoding of what would be taken for syntax.

use std::borrow::Cow;
use std::io::{self, Write};

/// Whether a character cannot stand for itself. A byte-order mark would vanish at the beginning
/// of a file.
fn is_special(character: char) -> bool {
    matches!(character, ' ' | '@' | '%' | '\u{feff}') || character.is_control()
}

/// Writes a label or value.
pub(crate) fn write_escaped(out: &mut impl Write, text: &str) -> io::Result<()> {
    let mut rest = text;
    while let Some(at) = rest.find(is_special) {
        let (plain, special) = rest.split_at(at);
        out.write_all(plain.as_bytes())?;
        let length = special.chars().next().map_or(0, char::len_utf8);
        for byte in special[..length].bytes() {
            write!(out, "%{byte:02X}")?;
        }
        rest = &special[length..];
    }
    out.write_all(rest.as_bytes())
}

/// Reads a label or value; the error is the position, in bytes, of what cannot be read.
pub(crate) fn unescape(text: &str) -> Result<Cow<'_, str>, usize> {
    if let Some(at) = text.find(char::is_control) {
        return Err(at);
    }
    let Some(first) = text.find('%') else {
        return Ok(Cow::Borrowed(text));
    };
    let bytes = text.as_bytes();
    let mut decoded = bytes[..first].to_vec();
    let mut at = first;
    while at < bytes.len() {
        if bytes[at] == b'%' {
            decoded.push(hexadecimal(bytes.get(at + 1..at + 3)).ok_or(at)?);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8(decoded)
        .map(Cow::Owned)
        .map_err(|_| first)
}

fn hexadecimal(digits: Option<&[u8]>) -> Option<u8> {
    let [high, low] = digits? else { return None };
    let value = |digit: &u8| char::from(*digit).to_digit(16);
    u8::try_from(value(high)? * 16 + value(low)?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn escaped(text: &str) -> String {
        let mut out = Vec::new();
        write_escaped(&mut out, text).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn encodes_what_would_be_syntax() {
        assert_eq!(escaped("a b\t@50%é\u{85}"), "a%20b%09%4050%25é%C2%85");
        assert_eq!(unescape("a%20b%c3%a9").unwrap(), "a bé");
    }

    #[test]
    fn names_the_place_of_what_is_no_code() {
        for (text, at) in [
            ("ab%", 2),
            ("%4", 0),
            ("a%zz", 1),
            ("a%+1", 1),
            ("%ff", 0),
            ("a\u{1}", 1),
        ] {
            assert_eq!(unescape(text), Err(at), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in any::<String>()) {
            let code = escaped(&text);
            prop_assert!(!code.contains([' ', '\t', '@', '\n', '\r']));
            prop_assert_eq!(unescape(&code).unwrap(), text);
        }
    }
}
