//! A parser, and how it is fuzzed.

use std::path::Path;
use std::{fs, io};

/// A parser, and how it is fuzzed.
pub struct Target {
    /// Its name: that of the program in `fuzz/src/bin` and of its folders.
    pub name: &'static str,
    /// Gives the parser an input and says whether it was accepted; panics where something does not
    /// hold that must.
    pub run: fn(&[u8]) -> bool,
    /// Small inputs to begin with, sound ones and odd ones.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format, which a fuzzer would be long in finding.
    pub words: &'static [&'static str],
    /// The longest input that is worth trying.
    pub longest: usize,
}

impl Target {
    /// Writes the seeds into `folder`, and the words as a dictionary for libFuzzer beside it.
    pub fn write_corpus(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for (number, seed) in (self.seeds)().iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:02}")), seed)?;
        }
        let lines: String = self.words.iter().map(|word| entry(word)).collect();
        fs::write(folder.with_extension("dict"), lines)
    }
}

/// A word as an entry of a dictionary: in quotes, with everything unusual in hexadecimal.
fn entry(word: &str) -> String {
    let shown = |byte: u8| match byte {
        b'"' | b'\\' => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    format!("\"{}\"\n", word.bytes().map(shown).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted() {
        assert_eq!(entry("a\"b\\\té"), "\"a\\\"b\\\\\\x09\\xc3\\xa9\"\n");
    }
}
