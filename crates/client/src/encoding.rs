//! Bytes as text, and text as bytes.

use ct_codecs::{Base64, Base64UrlSafe, Base64UrlSafeNoPadding, Decoder, Hex};
use wayveil_core::{Error, Result};

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn from_hex(text: &str) -> Result<Vec<u8>> {
    decoded(Hex::decode_to_vec(text, None), "hexadecimal")
}

pub(crate) fn array<const N: usize>(text: &str) -> Result<[u8; N]> {
    let bytes = from_hex(text)?;
    let unfit = |_| Error::input(format!("invalid text: {N} bytes in hexadecimal are needed"));
    bytes.try_into().map_err(unfit)
}

pub(crate) fn from_base64(text: &str) -> Result<Vec<u8>> {
    decoded(Base64::decode_to_vec(text, None), "base64")
}

/// With or without the padding at the end.
pub(crate) fn from_base64url(text: &str) -> Result<Vec<u8>> {
    let bytes = match text.ends_with('=') {
        true => Base64UrlSafe::decode_to_vec(text, None),
        false => Base64UrlSafeNoPadding::decode_to_vec(text, None),
    };
    decoded(bytes, "base64url")
}

fn decoded(bytes: Result<Vec<u8>, ct_codecs::Error>, what: &str) -> Result<Vec<u8>> {
    bytes.map_err(|error| Error::input(format!("invalid {what}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_nonsense_is_refused() {
        let bytes = [0, 1, 0xFB, 0xFF, 0x10];
        assert_eq!(hex(&bytes), "0001fbff10");
        assert_eq!(from_hex("0001fbff10").unwrap(), bytes);
        assert_eq!(from_base64("AAH7/xA=").unwrap(), bytes);
        for url in ["AAH7_xA", "AAH7_xA="] {
            assert_eq!(from_base64url(url).unwrap(), bytes);
        }
        assert_eq!(array("0a0b").unwrap(), [10, 11]);
        assert!(array::<3>("0a0b").is_err());
        for bad in ["0", "0g", "AAH7/xA", "\u{e9}"] {
            assert!(from_hex(bad).is_err() && from_base64(bad).is_err(), "{bad}");
        }
    }
}
