//! θ and the samples from ε and δ.

use wayveil_core::{Delta, Epsilon, Error, Result};

/// What a sampled client votes for, and how votes become counts of clients who hold a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vote {
    /// The beginning of its trajectory, as FASTPub's authors adapt TrieHH. The estimate is of clients
    /// whose trajectory begins with the fragment, a fraction of those who hold it.
    Beginning,
    /// One of its distinct fragments that extend a kept one, drawn uniformly. The estimate, votes
    /// over the sampling rate, is too low by the mean of 1/d over those who hold the fragment, d
    /// being the number a client drew from.
    Drawn,
    /// The same, and the vote says a class: the power of two w ≥ d (at most 64). The client votes
    /// with probability d/w and w is the vote's weight, so that a client counts 1 in expectation for
    /// each of its fragments. Votes for (fragment, class) are counted, thresholded and shown apart, so
    /// that the promise is the same. Without bias but for classes below the threshold, and for
    /// clients with d > 64, who count 64/d.
    DrawnWithClass,
}

/// Powers of two up to 2^6 are classes of [`Vote::DrawnWithClass`].
pub(super) const LARGEST_CLASS: u32 = 6;

/// How the clients of a round are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// This many of all, without replacement.
    Fixed(u64),
    /// Each one independently, with this probability in units of 2^−32.
    Independent(u32),
}

impl Sampling {
    /// The probability that a client is sampled in a round of `clients`.
    pub fn rate(&self, clients: u64) -> f64 {
        match *self {
            Self::Fixed(sampled) => sampled as f64 / clients.max(1) as f64,
            Self::Independent(rate) => f64::from(rate) / 2_f64.powi(32),
        }
    }
}

/// TrieHH with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct TrieHh {
    pub(super) locations: u32,
    pub(super) rounds: usize,
    pub(super) threshold: u64,
    pub(super) sampling: Sampling,
    pub(super) vote: Vote,
    epsilon: f64,
}

/// A count of `k` should have this many times the votes that are needed to be kept, so that few of
/// its classes are lost.
const VOTES_OVER_THRESHOLD: f64 = 256.0;

/// Above it e^(ε/L) is so large that every client would be sampled in vain.
const LARGEST_THRESHOLD: f64 = 1e6;

impl TrieHh {
    /// As published, for fragments of up to `rounds` of `locations` places and `clients` clients.
    /// The promise claimed for it does not hold as it stands; see the module.
    pub fn published(
        locations: u32,
        rounds: usize,
        clients: u64,
        epsilon: &Epsilon,
        delta: &Delta,
    ) -> Result<Self> {
        check(locations, rounds, delta)?;
        let per_round = epsilon.to_f64() / rounds as f64;
        let least = per_round.exp_m1().ceil().max(4.0);
        if least > LARGEST_THRESHOLD {
            return Err(Error::input(format!(
                "epsilon {epsilon} over {rounds} rounds is beyond what TrieHH is made for"
            ))
            .hint("give a smaller epsilon"));
        }
        let mut threshold = least as u64;
        while published_delta(threshold) > delta.to_f64() {
            threshold += 1;
        }
        let rate = published_rate(per_round, threshold);
        Ok(Self {
            locations,
            rounds,
            threshold,
            sampling: Sampling::Fixed((clients as f64 * rate) as u64),
            vote: Vote::Beginning,
            epsilon: epsilon.to_f64(),
        })
    }

    /// Independent samples, as large as the promise allows while a fragment that `k` clients hold
    /// still gets many times θ votes; drawn votes with classes.
    pub fn repaired(
        locations: u32,
        rounds: usize,
        k: u64,
        epsilon: &Epsilon,
        delta: &Delta,
    ) -> Result<Self> {
        check(locations, rounds, delta)?;
        let q = -(-epsilon.to_f64() / rounds as f64).exp_m1();
        // Rounding must not carry the bound over what is allowed.
        let nats = (rounds as f64 / delta.to_f64()).ln() * (1.0 + 1e-9) + 1e-9;
        let choices: Vec<(u32, f64)> = (1..1000)
            .map(|step| (q * f64::from(step) / 1000.0 * 2_f64.powi(32)) as u32)
            .filter(|&rate| rate > 0)
            .map(|rate| {
                (
                    rate,
                    (q * nats / divergence(q, fraction(rate))).ceil().max(1.0),
                )
            })
            .filter(|(_, threshold)| *threshold < 2_f64.powi(52))
            .collect();
        let needed = |&(rate, threshold): &(u32, f64)| threshold / fraction(rate);
        let fewest = choices.iter().map(needed).fold(f64::INFINITY, f64::min);
        let allowed = fewest.max(k as f64 / VOTES_OVER_THRESHOLD);
        let best = choices.iter().rfind(|choice| needed(choice) <= allowed);
        let &(rate, threshold) = best.ok_or_else(|| {
            Error::input(format!(
                "epsilon {epsilon} is too small for {rounds} rounds"
            ))
            .hint("give a larger epsilon")
        })?;
        Ok(Self {
            locations,
            rounds,
            threshold: threshold as u64,
            sampling: Sampling::Independent(rate),
            vote: Vote::DrawnWithClass,
            epsilon: epsilon.to_f64(),
        })
    }

    /// The same rate of sampling, each client independently, for which there is a proof.
    #[must_use]
    pub fn with_independent_samples(mut self, clients: u64) -> Self {
        let rate = self.sampling.rate(clients) * 2_f64.powi(32) * (1.0 - 1e-9);
        self.sampling = Sampling::Independent(rate as u32);
        self
    }

    /// Another way to vote.
    #[must_use]
    pub fn with_vote(mut self, vote: Vote) -> Self {
        self.vote = vote;
        self
    }

    /// Votes that keep a fragment.
    pub fn threshold(&self) -> u64 {
        self.threshold
    }

    /// How clients are sampled.
    pub fn sampling(&self) -> Sampling {
        self.sampling
    }

    /// What is voted for.
    pub fn vote(&self) -> Vote {
        self.vote
    }

    /// The δ with which all rounds together keep ε, counts included, under replacement of one
    /// client. None where no proof is known: samples of a fixed size, or too large a rate.
    pub fn proved_delta(&self) -> Option<f64> {
        let Sampling::Independent(rate) = self.sampling else {
            return None;
        };
        let q = -(-self.epsilon / self.rounds as f64).exp_m1();
        let p = fraction(rate);
        (p < q).then(|| self.rounds as f64 * round_delta(self.threshold, p, q))
    }
}

fn check(locations: u32, rounds: usize, delta: &Delta) -> Result<()> {
    if locations == 0 || rounds == 0 {
        return Err(Error::input(
            "there must be at least one location and one round",
        ));
    }
    if delta.is_zero() {
        return Err(Error::input(
            "invalid delta (got 0): TrieHH adds no noise, so its delta is above 0",
        )
        .hint("give a small delta such as 1e-9"));
    }
    Ok(())
}

fn fraction(rate: u32) -> f64 {
    f64::from(rate) / 2_f64.powi(32)
}

/// The published δ of a threshold of at least 4.
pub(super) fn published_delta(threshold: u64) -> f64 {
    let factorial: f64 = (1..=threshold).map(|i| i as f64).product();
    (threshold - 2) as f64 / ((threshold - 3) as f64 * factorial)
}

/// The published share of clients in a round, m/n = γ/√n.
pub(super) fn published_rate(epsilon_of_round: f64, threshold: u64) -> f64 {
    -(-epsilon_of_round).exp_m1() / threshold as f64
}

/// Kullback and Leibler's divergence of coins with bias q from coins with bias p, for 0 < p < q < 1.
fn divergence(q: f64, p: f64) -> f64 {
    let rest = 1.0 - q;
    let of_rest = if rest > 0.0 {
        rest * (rest / (1.0 - p)).ln()
    } else {
        0.0
    };
    (q * (q / p).ln() + of_rest).max(f64::MIN_POSITIVE)
}

/// δ₁ of the module's theorem.
pub(super) fn round_delta(threshold: u64, p: f64, q: f64) -> f64 {
    (-(threshold as f64) / q * divergence(q, p)).exp()
}
