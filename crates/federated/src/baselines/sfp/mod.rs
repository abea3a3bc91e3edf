//! Sequence Fragment Puzzle: words by locally private sketches (Apple, "Learning with privacy at
//! scale", 2017).
//!
//! A client holds a word. It sends, through a count-mean sketch, the word itself, and one of the
//! word's two-symbol pieces at a position drawn at random, joined to an 8-bit hash of the word. The
//! server asks the sketches for every hash and piece, joins frequent pieces of all positions whose
//! hashes agree to candidates, and asks the word sketch how frequent those are.
//!
//! **Count-mean sketch.** The client draws one of the public hash functions, makes a row of zeros with
//! a one in its value's column, and flips every bit with probability exactly 1/(1+e^(ε/2)).
//!
//! **Promise: ε-local, towards everyone.** *Proof.* The function, the position and what kind of report
//! is made are drawn without looking at the data. Given them, two words' rows differ in two bits at
//! most before the flips, and flipped bits are independent, each with likelihood ratio at most e^(ε/2);
//! so a report's is at most e^ε. Two reports with ε/2 each multiply to e^ε. A client without a
//! fragment of the length reports the empty word, in the same way. ∎ The same holds for the one-hot
//! report of how many fragments it has.
//!
//! **Trajectories.** The word is one of the client's distinct fragments of a length, drawn uniformly;
//! the length is drawn uniformly from the public list. So an estimate is of Σ 1/d over the clients who
//! hold the fragment, d the number of distinct fragments of that length that a client has. As
//! published nothing is done about it (counts too low by a factor near the mean d). Otherwise one
//! client in 20 reports its d instead of a word, and counts are multiplied by the estimated mean of d
//! over clients with d ≥ 1, the factor that makes all counts of a length together right: if clients
//! hold a fragment with chances that are proportional to d, its own count is right too. Fragments of
//! long trajectories are still counted too low and those of short ones too high; this bias, and the
//! error of the factor, is not in the standard errors. d is cut at 31.

mod puzzle;
mod run;
mod sketch;
mod words;

#[cfg(test)]
mod tests;

use wayveil_core::{Epsilon, Error, Result};

use words::Alphabet;

/// How a client spends ε where a word and a piece are to be reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spending {
    /// Both, each with half of ε, as Apple does.
    Halves,
    /// One of the two, drawn by a fair coin, with all of ε: twice the variance for half of the
    /// clients is less than what halving ε costs.
    OneReport,
}

/// The Sequence Fragment Puzzle with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Sfp {
    locations: u32,
    lengths: Vec<usize>,
    epsilon: Epsilon,
    spending: Spending,
    scaled: bool,
    enumerable: u64,
    width: u32,
    functions: u32,
}

impl Sfp {
    /// As published, with sketches 1,024 wide: two reports from each client, pieces for every length
    /// above two, counts of drawn words. The clients are shared out evenly over the lengths.
    pub fn published(locations: u32, lengths: &[usize], epsilon: &Epsilon) -> Result<Self> {
        let sfp = Self {
            locations,
            lengths: lengths.to_vec(),
            epsilon: epsilon.clone(),
            spending: Spending::Halves,
            scaled: false,
            enumerable: 0,
            width: 1024,
            functions: 1024,
        };
        if lengths.is_empty() || lengths.contains(&0) {
            return Err(Error::input(
                "every fragment must have at least one location",
            ));
        }
        for &length in lengths {
            Alphabet::new(locations, length)?;
        }
        // ε/4 is the finest share: half of ε for a report, and half of that for a bit.
        epsilon.rate_over(4)?;
        Ok(sfp)
    }

    /// The best use of the same clients: one report with all of ε, no pieces where the server can
    /// ask for every word (up to 2^17), counts scaled to clients.
    pub fn improved(locations: u32, lengths: &[usize], epsilon: &Epsilon) -> Result<Self> {
        Ok(Self {
            spending: Spending::OneReport,
            scaled: true,
            enumerable: 1 << 17,
            ..Self::published(locations, lengths, epsilon)?
        })
    }

    /// Other sketches: `width` columns and `functions` hash functions, at least two of each.
    pub fn with_sketch(mut self, width: u32, functions: u32) -> Result<Self> {
        if width < 2 || functions < 2 {
            return Err(Error::input(format!(
                "invalid sketch (got {functions} functions of {width} columns): two at least"
            )));
        }
        (self.width, self.functions) = (width, functions);
        Ok(self)
    }

    /// Another way to spend ε.
    #[must_use]
    pub fn with_spending(mut self, spending: Spending) -> Self {
        self.spending = spending;
        self
    }

    /// The most words of a length for which the server asks for every one of them instead of
    /// putting together pieces. Up to two locations it always does.
    #[must_use]
    pub fn with_enumerable(mut self, words: u64) -> Self {
        self.enumerable = words;
        self
    }
}
