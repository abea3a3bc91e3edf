//! TrieHH: heavy hitters by votes of sampled clients (Zhu, Kairouz, McMahan, Sun and Li 2020).
//!
//! There are L rounds. In round l some clients are sampled, each votes for one fragment of length
//! l whose first l − 1 locations were kept in the round before (in round 1, for one location), and
//! what gets at least θ votes is kept. Nobody adds noise: that a client may not have been sampled is
//! what hides it, and that few votes are never shown.
//!
//! **Towards whom.** A sampled client sends its vote as it is. The sampler (who learns who votes) and
//! the counter (who sees votes below θ) must be trusted, or be replaced by secure aggregation; the
//! promise is towards whoever sees the counts that reach θ. There is no local privacy.
//!
//! **As published** m = γ√n clients are drawn without replacement, θ is the smallest integer with
//! (θ−2)/((θ−3)·θ!) ≤ δ that is also at least e^(ε/L) − 1, and γ = √n·(1−e^(−ε/L))/θ. The promise
//! claimed, for 4 ≤ θ and 1 ≤ γ ≤ √n/(θ+1), is L·ln(1/(1−γθ/√n)) and δ as above. Two things are
//! wrong with it where one client is replaced by another:
//! - A sample of known size couples the words. With n = 36, m = 6, θ = 5 (γ = 1) let 34 clients vote
//!   w and two not; w fails only if both of the two are sampled, with probability 30/1260 ≈ 0.0238.
//!   Let one of the two vote w as well, and w never fails. So δ is at least 0.0238, and 0.0125 was
//!   claimed. Enumeration of all populations (in the tests) finds this and others wherever the
//!   sample is hardly larger than θ; for large samples the defect is too small to compute but the
//!   proof does not bound it.
//! - It covers which words are kept, not how many votes they got, and so no estimate of a count.
//!
//! **What holds.** Let every client be sampled independently with probability p, let 0 < p < q < 1,
//! and let the votes of what reaches θ be shown. One round is (ε₁, δ₁)-private under replacement of a
//! client, with ε₁ = −ln(1−q), δ₁ = exp(−(θ/q)·D), D = q·ln(q/p) + (1−q)·ln((1−q)/(1−p)); L rounds are
//! (L·ε₁, L·δ₁)-private.
//!
//! *Proof.* Given the earlier rounds, the other clients' choices, the client's choice a in the one
//! population and b in the other, the counts of different words are independent and only those of a
//! and b differ. Let j be the number of votes for a in the first population, the client's included,
//! were all sampled; c of them are. (1) A count c ≥ θ is shown with probabilities whose ratio is
//! j(1−p)/(j−c), at most (1−p)/(1−q) if c ≤ qj. That c is shown and above qj has probability at most
//! δ₁: for j ≥ θ/q by Chernoff's bound exp(−jD), and for j < θ/q, where every c ≥ θ is above qj,
//! because P[Bin(j, p) ≥ θ] ≤ exp(−sup_t(tθ − j·ln(1−p+p·e^t))) grows with j up to its value at θ/q.
//! (2) That a is not shown is no likelier in the first population. (3) For b the first population
//! has one client less. A count has the ratio (i−c)/(i(1−p)) ≤ 1/(1−p), i the votes in the second,
//! and that it is not shown at most 1/(1−p), as the client is left out with probability 1−p in the
//! second. The product is at most 1/(1−q). Rounds add up by sequential composition, and mixing over
//! choices keeps the bound. ∎
//!
//! With q = θp this is the published ε; δ₁ is then at most about √(2πθ)/e ≤ 4 times the published δ,
//! which was claimed for all rounds at once. So the published θ and p keep ε, the counts included,
//! with 4·L·δ, once clients are sampled independently. Other q/p allow far larger samples, which
//! [`TrieHh::repaired`] uses.
//!
//! **Trajectories.** A TrieHH client holds one word, and a trajectory has many fragments; see
//! [`Vote`] for what is voted on and what the estimates are worth.
//!
//! The samples are random; the parameters are computed in floating point and rounded to the safe
//! side.

mod parameters;
mod rounds;

pub use parameters::{Sampling, TrieHh, Vote};

#[cfg(test)]
mod exact;
#[cfg(test)]
mod tests;
