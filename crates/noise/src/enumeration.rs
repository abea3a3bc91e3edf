//! Exact laws of samplers, by running them on every digit string up to a depth (tests only).

use core::convert::Infallible;
use std::collections::BTreeMap;

use rand_core::TryRng;

/// Plays a script of digits, each in the top bits of a word, then arbitrary words.
pub(crate) struct Script<'a> {
    digits: &'a [u64],
    bits: u32,
    used: usize,
    filler: u64,
}

impl Script<'_> {
    fn word(&mut self) -> u64 {
        let word = match self.digits.get(self.used) {
            Some(digit) => digit << (64 - self.bits),
            None => {
                // Only has to let the sampler end; the outcome is then thrown away.
                self.filler = self
                    .filler
                    .wrapping_mul(0x5851_F42D_4C95_7F2D)
                    .wrapping_add(1);
                self.filler ^ (self.filler << 31)
            }
        };
        self.used += 1;
        word
    }
}

impl TryRng for Script<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.word() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_be_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// The mass of each outcome over all scripts, and the mass of scripts too short to decide.
pub(crate) struct Enumeration<T> {
    mass: BTreeMap<T, f64>,
    open: f64,
}

impl<T: Ord + core::fmt::Debug> Enumeration<T> {
    /// Runs `sampler` on all strings of at most `depth` digits of `B` bits. The masses are sums of
    /// few distinct powers of two and so exact in a float.
    pub(crate) fn run<const B: u32, F: FnMut(&mut Script<'_>) -> T>(
        depth: usize,
        mut sampler: F,
    ) -> Self {
        let mut law = Enumeration {
            mass: BTreeMap::new(),
            open: 0.0,
        };
        law.explore(B, depth, &mut Vec::new(), &mut sampler);
        law
    }

    fn explore<F: FnMut(&mut Script<'_>) -> T>(
        &mut self,
        bits: u32,
        depth: usize,
        prefix: &mut Vec<u64>,
        sampler: &mut F,
    ) {
        let mut script = Script {
            digits: prefix,
            bits,
            used: 0,
            filler: 0x9E37_79B9_7F4A_7C15,
        };
        let outcome = sampler(&mut script);
        let weight = 0.5_f64.powi((bits as usize * prefix.len()) as i32);
        if script.used <= prefix.len() {
            *self.mass.entry(outcome).or_insert(0.0) += weight;
        } else if prefix.len() == depth {
            self.open += weight;
        } else {
            for digit in 0..1 << bits {
                prefix.push(digit);
                self.explore(bits, depth, prefix, sampler);
                prefix.pop();
            }
        }
    }

    /// Asserts that the probability of `outcome` can be `expected`: it must lie between the mass
    /// seen and that plus the undecided mass, which must itself be at most `open`.
    pub(crate) fn assert_contains(&self, outcome: &T, expected: f64, open: f64) {
        let low = self.mass.get(outcome).copied().unwrap_or(0.0);
        let high = low + self.open;
        assert!(
            self.open <= open,
            "undecided mass {} is above {open}",
            self.open
        );
        assert!(
            low <= expected + 1e-12 && expected <= high + 1e-12,
            "P[{outcome:?}] = {expected} is outside [{low}, {high}]"
        );
    }
}
