//! One client's randomised answer, apart from the rules on when it is given.

use rand_core::Rng;
use wayveil_noise::RandomizedResponse;

/// A question made ready for many clients: the fragments and the randomised response of each bit.
#[derive(Clone, Copy, Debug)]
pub struct Prepared<'a> {
    length: usize,
    codes: &'a [u32],
    response: &'a RandomizedResponse,
}

impl<'a> Prepared<'a> {
    /// `codes` are fragments of this length, one after the other, and `response` has the rate ε/n
    /// for their number n; the caller sees to it.
    pub(crate) fn new(length: usize, codes: &'a [u32], response: &'a RandomizedResponse) -> Self {
        Self {
            length,
            codes,
            response,
        }
    }

    /// The fragments.
    #[inline]
    fn fragments(&self) -> impl Iterator<Item = &'a [u32]> {
        self.codes.chunks_exact(self.length)
    }

    /// The bits as they are, without noise: never sent; the floor of benchmarks.
    #[inline]
    pub(crate) fn truth(&self, trajectory: &[u32]) -> u64 {
        self.fragments()
            .enumerate()
            .map(|(at, fragment)| u64::from(contains(trajectory, fragment)) << at)
            .sum()
    }
}

/// The answer to a question: for each fragment whether the trajectory has it, turned over with
/// probability η = 1/(1 + e^(ε/n)), independently.
/// The module's documentation argues why this is ε-locally differentially private ([`crate::client`], "Why it holds").
#[inline]
pub fn answer<R: Rng + ?Sized>(question: Prepared<'_>, trajectory: &[u32], rng: &mut R) -> u64 {
    question
        .fragments()
        .enumerate()
        .map(|(at, fragment)| {
            let truth = contains(trajectory, fragment);
            u64::from(question.response.respond(truth, rng)) << at
        })
        .sum()
}

/// Whether the trajectory has the fragment as consecutive visits.
#[inline]
pub(crate) fn contains(trajectory: &[u32], fragment: &[u32]) -> bool {
    match fragment.len() {
        1 => trajectory.contains(&fragment[0]),
        2 => has_window::<2>(trajectory, fragment),
        3 => has_window::<3>(trajectory, fragment),
        4 => has_window::<4>(trajectory, fragment),
        5 => has_window::<5>(trajectory, fragment),
        6 => has_window::<6>(trajectory, fragment),
        0 => true,
        length => trajectory.windows(length).any(|window| window == fragment),
    }
}

/// With the length known to the compiler a window is compared in a few instructions.
#[inline]
fn has_window<const L: usize>(trajectory: &[u32], fragment: &[u32]) -> bool {
    let Ok(fragment) = <&[u32; L]>::try_from(fragment) else {
        return false;
    };
    trajectory
        .windows(L)
        .any(|window| <&[u32; L]>::try_from(window).is_ok_and(|window| window == fragment))
}
