//! Quick damage to an input, the same in every run.

/// Xorshift: small, and good enough to choose bytes.
pub struct Mutator {
    state: u64,
}

impl Mutator {
    /// A mutator that does the same for the same seed.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        }
    }

    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    /// A number below `end`; zero where there is none.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A copy of one of the inputs, damaged in one to four ways.
    pub fn mutate(&mut self, inputs: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
        let chosen = self.below(inputs.len());
        let mut bytes = inputs.get(chosen).cloned().unwrap_or_default();
        for _ in 0..=self.below(4) {
            self.damage(&mut bytes, inputs, words);
        }
        bytes
    }

    fn damage(&mut self, bytes: &mut Vec<u8>, inputs: &[Vec<u8>], words: &[&str]) {
        const ODD: &[u8] = b"\0\n\r\t \"',;%@.-+019AZ~\x7f\x80\xff";
        let at = self.below(bytes.len() + 1);
        let end = at + self.below(bytes.len() + 1 - at).min(64);
        match self.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 if at < bytes.len() => bytes[at] = ODD[self.below(ODD.len())],
            2 => bytes.insert(at, ODD[self.below(ODD.len())]),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let copy = bytes[at..end].to_vec();
                let to = self.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            5 => {
                let other = self.below(inputs.len());
                let other = inputs.get(other).map_or(&[][..], Vec::as_slice);
                let from = self.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            6 => bytes.truncate(at),
            _ => {
                let word = self.below(words.len());
                let word = words.get(word).map_or(&b"9"[..], |word| word.as_bytes());
                bytes.splice(at..end, word.iter().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_does_the_same_and_inputs_differ() {
        let inputs = [b"uid,location\nx,A\n".to_vec(), b"".to_vec()];
        let run = |seed| -> Vec<Vec<u8>> {
            let mut mutator = Mutator::new(seed);
            (0..200)
                .map(|_| mutator.mutate(&inputs, &["uid"]))
                .collect()
        };
        assert_eq!(run(1), run(1));
        let distinct: std::collections::BTreeSet<_> = run(1).into_iter().collect();
        assert!(distinct.len() > 100, "{}", distinct.len());
        assert_eq!(Mutator::new(1).mutate(&[], &[]).len().min(1), 0);
    }
}
