//! `fastpub`: frequent fragments, counted by asking every client for one randomised bit.
//!
//! # What it releases
//! Fragments (locations one after the other) that at least k clients have, of all lengths up to a
//! public one, with estimated counts, standard errors and intervals; and trajectories drawn from
//! them. Here a campaign is simulated: every record stands for one client, or for several.
//!
//! # Guarantee
//! ε-differential privacy under replacing one record by any other, *locally*: it holds for the answer
//! that leaves a client, hence against the collector too. That a client takes part is not hidden, and
//! the number of clients is public. Where a record stands for R clients, ε is R times the client's.
//!
//! Beside it stands a promise about what is published, as in the paper, where it says less than it
//! seems to: a fragment that fewer than k clients have is published with probability at most ξ, for
//! each such fragment, for all of one length together, or as a share of the published. That one rests
//! on clients being drawn at random from a known number; the first rests on nothing but the clients' noise.
//!
//! # Why it holds
//! A client answers one question, ever. The answer is one bit for each of its n fragments, turned over
//! with probability 1/(1 + e^(ε/n)), independently ([`wayveil_federated::client::answer`] has the
//! argument): for any two trajectories, any question and any answer the probabilities differ by a
//! factor of e^ε at most. Its own answer never shapes its own question, and which question it gets is
//! drawn apart from its trajectory. Everything else is made of answers: the next questions, decisions,
//! counts and trajectories are post-processing. A record with R clients is R such answers: ε adds up.
//!
//! # What it costs
//! A bit says little: a fragment is found if the clients asked about it tell it from k − 1. Small
//! populations find nothing but what nearly everybody does.
//!
//! # Repaired
//! As published, Hoeffding's inequality sets thresholds far above k, each client's ε is cut into five
//! bits, only admitted fragments are extended, and only the longest are published: about half of what
//! there is to find is lost. Here the test is exact, clients answer one bit, and are asked in phases
//! about what is still undecided. The paper's bound on the loss of anonymity multiplies failures as if they were
//! independent; it is not claimed. The published form is to be had with `as-published`; its privacy
//! holds as well, since a client does the same in both.
//!
//! # Reference
//! J. Wang, Y. Zhu, Z. Wang, X. Han: FASTPub, 2022.

mod collected;
mod mechanism;
mod options;

pub use collected::CollectedCampaign;
pub use mechanism::Fastpub;
pub use options::{Engine, FastpubOptions};
