//! Where randomness comes from.
//!
//! Noise that can be predicted is no noise. A release may be published only if its randomness came
//! from the operating system, so a source knows whether it did, and nothing can be turned into a
//! secure source afterwards.

use core::convert::Infallible;
use core::fmt;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng, TryCryptoRng, TryRng};

/// Fills the key of an insecure source after the eight bytes of its seed.
const INSECURE_TAG: &[u8; 24] = b"insecure, for tests only";

/// The operating system gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("no randomness from the operating system: {0}")]
pub struct SourceError(#[from] getrandom::Error);

/// A ChaCha20 key and the number of streams already handed out under it.
///
/// It cannot be cloned: two copies would hand out the same streams, and the difference of two
/// counts with the same noise is exact. For the same reason it is never stored.
pub struct RandomSource {
    key: [u8; 32],
    next_stream: u64,
    secure: bool,
}

impl RandomSource {
    /// A source with a fresh key from the operating system, the only kind for publishable releases.
    pub fn os() -> Result<RandomSource, SourceError> {
        let mut key = [0; 32];
        getrandom::fill(&mut key)?;
        Ok(RandomSource {
            key,
            next_stream: 0,
            secure: true,
        })
    }

    /// A reproducible source for tests and figures. Whoever knows the seed can remove the noise.
    pub fn insecure_seed(seed: u64) -> RandomSource {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(INSECURE_TAG);
        RandomSource {
            key,
            next_stream: 0,
            secure: false,
        }
    }

    /// The same for a stated purpose: one seed used for two purposes must not yield the same words
    /// twice, or what was drawn for the one is known to the other.
    pub fn insecure_seed_for(purpose: &str, seed: u64) -> RandomSource {
        let mut source = Self::insecure_seed(seed);
        for (at, byte) in purpose.bytes().enumerate() {
            source.key[8 + at % 24] ^= byte;
        }
        source
    }

    /// Whether the key came from the operating system.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// A stream that no earlier call has returned.
    ///
    /// Streams of one key differ in the ChaCha20 nonce and so never share a block. The 64-bit
    /// stream number cannot be used up.
    pub fn stream(&mut self) -> Stream {
        let mut rng = ChaCha20Rng::from_seed(self.key);
        rng.set_stream(self.next_stream);
        self.next_stream += 1;
        Stream(rng)
    }

    /// A source of its own, keyed by a fresh stream of this one and exactly as secure: for work
    /// that hands out streams itself, many times over.
    pub fn split(&mut self) -> RandomSource {
        let mut key = [0; 32];
        self.stream().fill_bytes(&mut key);
        RandomSource {
            key,
            next_stream: 0,
            secure: self.secure,
        }
    }

    /// `n` streams in a fixed order: give one to each piece of work, not to each thread, and the
    /// result does not depend on the number of threads.
    pub fn streams(&mut self, n: usize) -> Vec<Stream> {
        (0..n).map(|_| self.stream()).collect()
    }
}

impl fmt::Debug for RandomSource {
    /// Leaves the key out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RandomSource")
            .field("secure", &self.secure)
            .field("next_stream", &self.next_stream)
            .finish_non_exhaustive()
    }
}

/// One stream of random words. It cannot be cloned, for the reason given at [`RandomSource`].
pub struct Stream(ChaCha20Rng);

impl TryRng for Stream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

impl TryCryptoRng for Stream {}

impl fmt::Debug for Stream {
    /// Leaves the state out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stream(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(stream: &mut Stream) -> [u64; 4] {
        core::array::from_fn(|_| stream.next_u64())
    }

    #[test]
    fn streams_of_one_source_differ() {
        let mut source = RandomSource::insecure_seed(1);
        let mut seen: Vec<_> = source.streams(100).iter_mut().map(words).collect();
        seen.push(words(&mut source.stream()));
        let total = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), total);
    }

    #[test]
    fn a_split_source_shares_no_stream_and_no_security() {
        let mut source = RandomSource::insecure_seed(1);
        let mut seen: Vec<_> = (0..50)
            .flat_map(|_| {
                let mut child = source.split();
                assert!(!child.is_secure());
                [words(&mut child.stream()), words(&mut child.stream())]
            })
            .collect();
        seen.push(words(&mut source.stream()));
        let total = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), total);
        assert!(RandomSource::os().unwrap().split().is_secure());
    }

    #[test]
    fn a_seed_fixes_the_words_and_another_changes_them() {
        let first = |seed| words(&mut RandomSource::insecure_seed(seed).stream());
        assert_eq!(first(7), first(7));
        assert_ne!(first(7), first(8));
    }

    #[test]
    fn one_by_one_and_at_once_are_the_same_streams() {
        let mut at_once = RandomSource::insecure_seed(3).streams(3);
        let mut source = RandomSource::insecure_seed(3);
        for stream in &mut at_once {
            assert_eq!(words(stream), words(&mut source.stream()));
        }
    }

    #[test]
    fn only_the_operating_system_is_secure() {
        let (mut a, mut b) = (RandomSource::os().unwrap(), RandomSource::os().unwrap());
        assert!(a.is_secure() && b.is_secure());
        assert!(!RandomSource::insecure_seed(0).is_secure());
        assert_ne!(words(&mut a.stream()), words(&mut b.stream()));
    }

    #[test]
    fn debug_shows_no_key() {
        let shown = format!("{:?}", RandomSource::insecure_seed(0x0123_4567));
        assert_eq!(shown, "RandomSource { secure: false, next_stream: 0, .. }");
    }
}
