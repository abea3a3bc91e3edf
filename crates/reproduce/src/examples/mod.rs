//! The papers' small examples, worked out by the project's own code.

mod fragments;
mod noise;
mod suppressed;
mod trees;

pub(crate) use fragments::client_response;
pub(crate) use noise::bounded_noise;
pub(crate) use suppressed::{frequent_sequences, hospital, protected, stale_check, unsound_check};
pub(crate) use trees::{
    explosion, group_of_two, hybrid_tree, inference, sample_database, sample_tree,
};
