//! Exact integer noise, and what is needed to trust it.
//!
//! A differentially private release is only as private as its noise. Textbook Laplace noise in
//! floating point leaks through the gaps between representable numbers (Mironov 2012), so no
//! sampler here touches a float: every sample is decided by integers.
//!
//! One idea carries all of them. A sampler is a function of independent uniform reals in [0, 1);
//! the reals are revealed digit by digit (a digit is a 64-bit word), and an answer is given only
//! when every continuation of the digits leads to that same answer. The output then has the
//! distribution of the ideal real-number algorithm, with no rounding at all. One word nearly always
//! suffices; the tests reach the rare ties by running the same code on digits of a few bits.
//!
//! | to get | use |
//! | --- | --- |
//! | random words | [`RandomSource`], [`Stream`] |
//! | the exact rational that parametrises noise | [`Rate`] |
//! | uniform integers, coins, subsets | [`below`], [`bernoulli()`], [`bernoulli_exp`], [`choose_distinct`] |
//! | discrete Laplace noise, whole or conditioned on a threshold | [`DiscreteLaplace`] |
//! | discrete Laplace noise that never exceeds a bound | [`TruncatedLaplace`] |
//! | discrete Gaussian noise | [`DiscreteGaussian`] |
//! | how much of it an (ε, δ) asks for, by concentrated differential privacy | [`zcdp`] |
//! | the δ of releasing noisy counts of keys above a threshold | [`thresholded`] |
//! | irrational probabilities, and binomials of them and of fractions | [`ExactProbability`], [`binomial()`], [`binomial_ratio`] |
//! | a bit answered with a known bias | [`RandomizedResponse`] |
//! | the empty children of a tree node that pass a threshold | [`EmptyChildren`] |
//! | the empty sequences of a domain too large to visit that pass a threshold | [`SequenceDomain`], [`EmptySequences`] |
//! | thresholds, decided exactly | [`auto_threshold`], [`paper_threshold`] |
//! | tests of samplers, for this and other crates' test suites | [`statistics`] |
//!
//! ```
//! use wayveil_noise::{DiscreteLaplace, RandomSource, Rate};
//!
//! let noise = DiscreteLaplace::new(Rate::new(1, 12)?); // ε = 1/12
//! let mut rng = RandomSource::os()?.stream();
//! let noisy_count = 250 + noise.sample(&mut rng);
//! # let _ = noisy_count;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The samplers do not run in constant time: an observer who can time single draws learns about
//! their magnitude.

mod bernoulli;
mod binomial;
mod digits;
mod empty;
mod empty_sequences;
#[cfg(test)]
mod enumeration;
mod gaussian;
mod geometric;
mod interval;
mod laplace;
mod probability;
mod rare;
mod rate;
mod response;
mod sequence_domain;
mod source;
pub mod statistics;
mod subset;
mod threshold;
pub mod thresholded;
mod truncated;
mod uniform;
mod wide;
pub mod zcdp;

pub use bernoulli::{bernoulli, bernoulli_exp};
pub use binomial::{binomial, binomial_ratio};
pub use empty::EmptyChildren;
pub use empty_sequences::EmptySequences;
pub use gaussian::{DiscreteGaussian, VarianceError};
pub use laplace::DiscreteLaplace;
pub use probability::ExactProbability;
pub use rate::{Rate, RateError};
pub use response::RandomizedResponse;
pub use sequence_domain::SequenceDomain;
pub use source::{RandomSource, SourceError, Stream};
pub use subset::{SubsetError, choose_distinct};
pub use threshold::{ThresholdError, auto_threshold, paper_threshold};
pub use truncated::TruncatedLaplace;
pub use uniform::below;
