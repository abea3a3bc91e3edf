//! The parts of `generalize`: coarser places, merged journeys, decoys.

pub mod kmeans;
pub mod nearest;
mod sphere;
