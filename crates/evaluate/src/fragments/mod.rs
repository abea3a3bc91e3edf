//! How good a release of fragments with counts is, against the trajectories it tells of.
//!
//! A fragment is a contiguous run of locations. Its support S(f) is the number of clients whose
//! trajectory contains it at least once; one record stands for `per_record` clients, all with the
//! same trajectory. With the threshold k, and fragments of 1 to `longest` locations:
//!
//! ```text
//! truth    = fragments with S(f) ≥ k           released = fragments that the release lists
//! both     = truth ∩ released                  false admissions = released fragments with S(f) < k
//! precision = |both| / |released|              recall = |both| / |truth|
//! F1 = 2·|both| / (|truth| + |released|)       (the harmonic mean of the two)
//! ```
//!
//! Each number is told for all lengths together and for each length; FASTPub's own figures are those
//! of the greatest length. Precision is undefined where nothing is released, recall where there is
//! nothing to find, F1 where both hold; F1 is 0 where exactly one holds, or where the two sets share
//! nothing. Undefined numbers are `None` and never averaged.
//!
//! **Error of legal queries** (FASTPub, section 6.3). A query asks for S(f); it is legal if S(f) > k
//! (the paper's "higher than k", strictly). The error is |answer − S(f)| / S(f), and the figure is the
//! median over all legal queries of one length. The answer is the released count; where f was not
//! released it is the paper's equation 13 on what was,
//!
//! ```text
//! answer(f) = answer(f without its last) · answer(f without its first) / answer(f without both)
//! ```
//!
//! from the shorter to the longer, with the number of clients for the empty fragment, 0 for a
//! single location that was not released, and 0 where the divisor is 0.
//!
//! **Anonymity loss** (FASTPub, definition 4) is a difference of lengths: τ(f) = |f| − |g|, where g is
//! the longest contiguous part of f with S(g) ≥ k (|g| = 0 if there is none). It is 0 for every
//! fragment in truth and at least 1 for every false admission. Mean and maximum are over all released
//! fragments. The paper bounds τ of fragments that clients are *asked* about;
//! [`FragmentTruth::losses`] takes any list.
//!
//! **Shortfall** says how far a false admission misses k: k / S(f), above 1; a fragment that nobody
//! holds counts as if one client did, so that the ratio is k. Mean and maximum are over the false
//! admissions.

mod answers;
mod report;
#[cfg(test)]
mod tests;
mod truth;

pub use report::{FragmentReport, Scores};
pub use truth::FragmentTruth;
