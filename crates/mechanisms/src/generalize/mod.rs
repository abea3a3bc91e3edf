//! The parts of `generalize`: coarser places, merged journeys, decoys.

pub mod as_published;
pub mod canonical;
pub mod decoys;
pub mod kmeans;
pub mod merge;
pub mod near;
pub mod nearest;
pub mod plane;
pub mod private_kmeans;
mod sphere;
pub mod symbols;
