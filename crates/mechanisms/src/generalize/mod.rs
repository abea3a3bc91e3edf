//! The parts of `generalize`: coarser places, merged journeys, decoys.

pub mod canonical;
pub mod kmeans;
pub mod merge;
pub mod nearest;
pub mod plane;
pub mod private_kmeans;
mod sphere;
pub mod symbols;
