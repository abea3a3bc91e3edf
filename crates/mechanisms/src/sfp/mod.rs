//! `sfp`: Apple's Sequence Fragment Puzzle, to compare FASTPub with.
//!
//! # What it releases
//! Fragments whose estimated number of clients reaches k, of all lengths up to a public one, with
//! counts, standard errors and intervals; and trajectories drawn from them. Every record stands for
//! one client, or for several.
//!
//! # Guarantee
//! ε-differential privacy under replacing one record by any other, *locally*: for all that leaves a
//! client. Where a record stands for R clients, ε is R times the client's. Nothing bounds how likely
//! a fragment is published that fewer than k clients have.
//!
//! # Why it holds
//! A client draws a length, one of its own fragments of that length (or the empty one) and a public
//! hash function, and sends a row of bits that has a one where that function puts the fragment, with
//! every bit flipped with probability exactly 1/(1 + e^(ε/2)). What is drawn without looking at the
//! trajectory tells nothing of it; given that, rows of two trajectories differ in two bits before the
//! flips. As published there are two such rows with half of ε each.
//! [`wayveil_federated::baselines::sfp`] has the argument in full. Everything else is made of flipped
//! rows.
//!
//! # Repaired
//! As published ε is halved between a fragment and a piece of it, and counts are of clients who drew
//! the fragment, far fewer than those who have it. Here a client sends one row with all of ε, pieces
//! only where there are too many fragments to ask for each, and some clients tell how many fragments
//! they have, by which counts are scaled. Both forms are as private.
//!
//! # Reference
//! Apple Differential Privacy Team: Learning with privacy at scale, 2017.

mod mechanism;

pub use mechanism::Sfp;
