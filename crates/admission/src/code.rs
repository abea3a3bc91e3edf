//! Enrolment codes: what an operator hands to a person, one each, and the person types in.
//!
//! A code is 136 random bits and 24 bits that check them, as eight groups of four letters and digits
//! (Crockford's base 32, which has no I, L, O and U). So a slip of the finger is told apart from a code
//! that nobody was given, without asking the issuer; one slip in 2^24 is not. There is no way to
//! guess a code that is better than trying 2^136.

use std::fmt;
use std::str::FromStr;

use rand_core::CryptoRng;
use sha2::{Digest, Sha256};
use wayveil_core::{Error, Result};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const RANDOM: usize = 17;
const CHECK: usize = 3;
/// Letters and digits of a code, without the lines between groups.
const LETTERS: usize = (RANDOM + CHECK) * 8 / 5;
const GROUP: usize = 4;

/// An enrolment code. Whoever has it gets its person's token.
#[derive(Clone, PartialEq, Eq)]
pub struct Code([u8; RANDOM]);

impl Code {
    /// Draws a code.
    pub fn draw<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut random = [0; RANDOM];
        rng.fill_bytes(&mut random);
        Self(random)
    }

    /// What an issuer keeps of it: SHA-256, from which the code cannot be had, as it is too long to
    /// be tried out.
    pub fn kept(&self) -> [u8; 32] {
        self.hashed(b"wayveil enrolment code 1 kept")
    }

    fn check(&self) -> [u8; CHECK] {
        let [a, b, c, ..] = self.hashed(b"wayveil enrolment code 1 check");
        [a, b, c]
    }

    fn hashed(&self, purpose: &[u8]) -> [u8; 32] {
        Sha256::new()
            .chain_update(purpose)
            .chain_update(self.0)
            .finalize()
            .into()
    }

    /// The code as it is handed out.
    pub fn text(&self) -> String {
        let bytes = self.0.iter().chain(&self.check()).copied().collect();
        let letters: Vec<u8> = fives(bytes);
        let groups = letters.chunks(GROUP).map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join("-")
    }
}

/// Five bits at a time, as letters.
fn fives(bytes: Vec<u8>) -> Vec<u8> {
    let chunk = |five: &[u8]| {
        let word = five.iter().fold(0_u64, |w, &byte| w << 8 | u64::from(byte));
        (0..8).map(move |at| ALPHABET[(word >> (35 - 5 * at) & 31) as usize])
    };
    bytes.chunks(5).flat_map(chunk).collect()
}

impl FromStr for Code {
    type Err = Error;

    /// Reads a code as people write it: in any case, with or without lines and spaces, with O for 0
    /// and I or L for 1.
    fn from_str(text: &str) -> Result<Self> {
        let mut values = Vec::with_capacity(LETTERS);
        for letter in text.chars() {
            let letter = match letter.to_ascii_uppercase() {
                '-' | ' ' => continue,
                'O' => '0',
                'I' | 'L' => '1',
                letter => letter,
            };
            let value = ALPHABET.iter().position(|&it| char::from(it) == letter);
            let value = value.ok_or_else(|| mistyped("it has a letter that no code has"))?;
            if values.len() == LETTERS {
                return Err(mistyped("it is too long"));
            }
            values.push(value as u64);
        }
        if values.len() < LETTERS {
            return Err(mistyped("it is too short"));
        }
        let bytes: Vec<u8> = values
            .chunks(8)
            .flat_map(|eight| {
                let word = eight.iter().fold(0, |word, value| word << 5 | value);
                (0..5).map(move |at| (word >> (32 - 8 * at)) as u8)
            })
            .collect();
        let (random, check) = bytes.split_at(RANDOM);
        let code = Self(random.try_into().map_err(|_| mistyped("it is too short"))?);
        match code.check() == check {
            true => Ok(code),
            false => Err(mistyped("two letters are swapped, or one is another")),
        }
    }
}

/// The text is not repeated: it is nearly somebody's code.
fn mistyped(why: &str) -> Error {
    Error::input(format!("this is no enrolment code: {why}"))
        .hint("type it again: eight groups of four letters and digits")
}

impl fmt::Debug for Code {
    /// Leaves the code out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::rng;

    #[test]
    fn a_code_has_a_known_form() {
        let code = Code([7; RANDOM]);
        let text = code.text();
        assert_eq!(text.len(), 39);
        assert!(text.starts_with("0W3G-E1R7-0W3G-E1R7"), "{text}");
        assert_eq!(text.parse::<Code>().unwrap(), code);
        assert_eq!(format!("{code:?}"), "Code(…)");
    }

    #[test]
    fn codes_differ_and_so_does_what_is_kept() {
        let mut rng = rng(1);
        let [one, other] = [0, 1].map(|_| Code::draw(&mut rng));
        assert_ne!(one, other);
        assert_ne!(one.kept(), other.kept());
        // What is kept says nothing of the letters that check.
        assert_ne!(one.kept()[..CHECK], one.check());
    }

    #[test]
    fn people_write_codes_as_they_like() {
        let code = Code::draw(&mut rng(2));
        let text = code.text();
        let plain = text.replace('-', "");
        let sloppy = text.replace('0', "o").replace('1', "l").replace('-', " ");
        for written in [text.to_lowercase(), plain, sloppy, format!(" {text} ")] {
            assert_eq!(written.parse::<Code>().unwrap(), code, "{written}");
        }
        for bad in [
            "",
            "0",
            &text[1..],
            &format!("{text}0"),
            &text.replace('-', "_"),
        ] {
            let error = bad.parse::<Code>().unwrap_err();
            assert!(error.advice().is_some());
            assert!(bad.len() < 5 || !error.to_string().contains(bad));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// By chance one in 2^24 passes: below 2^-15 for these 500.
        #[test]
        fn one_wrong_letter_is_noticed(seed: u64, at in 0..LETTERS, to in 0..32_usize) {
            let code = Code::draw(&mut rng(seed % 1000));
            let mut letters = code.text().replace('-', "").into_bytes();
            prop_assume!(letters[at] != ALPHABET[to]);
            letters[at] = ALPHABET[to];
            prop_assert!(String::from_utf8(letters).unwrap().parse::<Code>().is_err());
        }

        #[test]
        fn nothing_panics(text: String) {
            if let Ok(code) = text.parse::<Code>() {
                prop_assert_eq!(code.text().parse::<Code>().unwrap(), code);
            }
        }
    }
}
