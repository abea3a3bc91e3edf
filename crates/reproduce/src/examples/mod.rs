//! The papers' small examples, worked out by the project's own code.

mod fragments;
mod hybrid;
mod noise;
mod suppressed;
mod taxi;
mod trees;

pub(crate) use fragments::client_response;
pub(crate) use hybrid::{group_of_two, hybrid_tree};
pub(crate) use noise::{bounded_sampler, neighbours, picture};
pub(crate) use suppressed::{frequent_sequences, hospital, protected, stale_check, unsound_check};
pub(crate) use taxi::taxi_file;
pub(crate) use trees::{explosion, inference, sample_database, sample_tree};
